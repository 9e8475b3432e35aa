//! Rows: one workload written in one shape to one place.
//!
//! Before anything is measured every row runs once, and what it wrote is compared with the bytes of
//! its workload. A row of ours that writes others ends the run; a peer's row says what it wrote:
//!
//! | wire | the bytes are |
//! |---|---|
//! | `same` | those of the workload; what was read came to the same sum |
//! | `same+N` | the same behind a count of `N` bytes |
//! | `own` | the peer's own format |

use std::hint::black_box;
use std::io;

use embedded_io::{SliceWriteError, Write};

use crate::allocations;
use crate::pipe::Pipe;

/// A place for bytes of which nothing is known.
pub(crate) type Outlet<'o> = dyn Write<Error = SliceWriteError> + 'o;

/// Where the bytes of a row go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A slice, known as one.
    Memory,
    /// A slice behind an opaque `dyn Write`.
    Dyn,
    /// A pipe behind the same.
    Pipe,
}

/// Does a row's work once; in memory it returns how many bytes it wrote.
enum Work {
    Memory(Box<dyn FnMut(&mut [u8]) -> usize>),
    Outlet(Box<dyn FnMut(&mut Outlet<'_>)>),
}

pub(crate) struct Row {
    pub(crate) workload: String,
    pub(crate) shape: String,
    pub(crate) place: Place,
    records: usize,
    baseline: bool,
    /// Somebody else's code, which may write other bytes.
    peer: bool,
    reference: &'static [u8],
    total: Option<usize>,
    work: Work,
}

/// All rows, and the workload that the next ones belong to.
#[derive(Default)]
pub(crate) struct Rows {
    pub(crate) all: Vec<Row>,
    workload: Workload,
    peers: bool,
}

#[derive(Clone, Copy, Default)]
struct Workload {
    name: &'static str,
    records: usize,
    reference: &'static [u8],
    /// Bytes of one time, where that is not what lies there afterwards.
    total: Option<usize>,
    memory_baseline: &'static str,
    outlet_baseline: &'static str,
}

/// What rows write to, one for all of them.
pub(crate) struct Room {
    memory: Vec<u8>,
    pub(crate) pipe: Pipe,
}

/// More than any row writes.
const MEMORY: usize = 1 << 19;

impl Rows {
    /// Rows are from now on of the workload `name`, which has `records` records and these bytes;
    /// `baseline` names the shapes that others are compared with, in memory and elsewhere.
    pub(crate) fn begin(
        &mut self,
        name: &'static str,
        records: usize,
        reference: Vec<u8>,
        [memory_baseline, outlet_baseline]: [&'static str; 2],
    ) {
        let reference = reference.leak();
        self.workload =
            Workload { name, records, reference, total: None, memory_baseline, outlet_baseline };
        self.peers = false;
    }

    /// One time reads or writes so many bytes; what lies there afterwards is a part or a sum of them.
    pub(crate) fn total(&mut self, bytes: usize) {
        self.workload.total = Some(bytes);
    }

    /// The next rows of this workload are of other people's code.
    pub(crate) fn peers(&mut self) {
        self.peers = true;
    }

    /// A row that writes to a slice and returns how many bytes.
    pub(crate) fn memory(&mut self, shape: &str, work: impl FnMut(&mut [u8]) -> usize + 'static) {
        self.push(shape, Place::Memory, Work::Memory(Box::new(work)));
    }

    /// Two rows that write to an opaque writer: a slice behind it, and a pipe.
    pub(crate) fn outlet(&mut self, shape: &str, work: impl Fn(&mut Outlet<'_>) + Copy + 'static) {
        self.push(shape, Place::Dyn, Work::Outlet(Box::new(work)));
        self.push(shape, Place::Pipe, Work::Outlet(Box::new(work)));
    }

    fn push(&mut self, shape: &str, place: Place, work: Work) {
        let Workload { name, records, reference, total, memory_baseline, outlet_baseline } =
            self.workload;
        let baseline = if place == Place::Memory { memory_baseline } else { outlet_baseline };
        self.all.push(Row {
            workload: name.to_owned(),
            shape: shape.to_owned(),
            place,
            records,
            baseline: baseline == shape,
            peer: self.peers,
            reference,
            total,
            work,
        });
    }
}

impl Room {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { memory: vec![0; MEMORY], pipe: Pipe::new()? })
    }
}

impl Row {
    /// Does the work once. A pipe is left as full as it is.
    #[inline(always)]
    pub(crate) fn once(&mut self, room: &mut Room) -> usize {
        match (&mut self.work, self.place) {
            (Work::Memory(work), _) => black_box(work(black_box(&mut room.memory))),
            (Work::Outlet(work), Place::Pipe) => {
                work(black_box(&mut room.pipe as &mut Outlet<'_>));
                0
            }
            (Work::Outlet(work), _) => {
                let mut free = &mut room.memory[..];
                work(black_box(&mut free as &mut Outlet<'_>));
                MEMORY - free.len()
            }
        }
    }

    /// About how many bytes one time writes: those of the workload.
    pub(crate) fn bytes(&self) -> usize {
        self.reference.len()
    }

    /// The bytes of one time.
    fn written<'r>(&mut self, room: &'r mut Room) -> &'r [u8] {
        room.memory.fill(0xa5);
        let len = self.once(room);
        match self.place {
            Place::Pipe => room.pipe.drain(),
            Place::Memory | Place::Dyn => &room.memory[..len],
        }
    }
}

impl Place {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Dyn => "dyn",
            Self::Pipe => "pipe",
        }
    }
}

/// Runs every row, compares what it writes, and returns a line for each.
pub(crate) fn look_at(rows: &mut [Row], room: &mut Room) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    for row in rows {
        let reference = row.reference;
        let found = row.written(room);
        let bytes = found.len();
        let wire = if found == reference {
            "same".to_owned()
        } else if found.ends_with(reference) && bytes <= reference.len() + 8 {
            format!("same+{}", bytes - reference.len())
        } else {
            "own".to_owned()
        };
        let Row { workload, shape, place, records, baseline, peer, total, .. } = &*row;
        let bytes = total.unwrap_or(bytes);
        let (place, baseline) = (place.name(), u8::from(*baseline));
        if !peer && found != reference {
            return Err(format!("{workload} {place} {shape}: not the bytes of the workload"));
        }
        let line = format!(
            "row {workload} {place} {shape} records={records} bytes={bytes} wire={wire} \
             baseline={baseline}"
        );
        let before = allocations::so_far();
        row.once(room);
        let allocations = allocations::so_far() - before;
        room.pipe.drain();
        lines.push(format!("{line} allocations={allocations}"));
    }
    Ok(lines)
}
