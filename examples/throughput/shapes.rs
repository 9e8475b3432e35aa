//! The ways in which a batch can leave. All of them share table, strings and data.
//!
//! | shape | bytes leave |
//! |---|---|
//! | `field_dyn` | field by field, each with a `write_all`, as ASP.NET Core's writer does |
//! | `scratch` | record by record, each assembled first |
//! | `stream` | chunk by chunk of up to 256 bytes: the library's writer for streams |
//! | `in_place` | not at all: the library writes into the buffer |
//! | `memcpy` | in one copy of the finished bytes: the limit |
//!
//! The first three write to the same `dyn embedded_io::Write`, which nobody but embedded-io knows
//! to be a slice: `black_box` hides it, so each write is a call through the table of functions.
//! Its `write_all` is one call and one copy.

use core::hint::black_box;

use onewrite::render_batch::{Batch, BatchProducer, write_into};
use onewrite::sink::embedded_io::StreamSink;
use onewrite_boards::embedded_io::{ErrorType, SliceWriteError, Write};

use crate::memory::Table;
use crate::walk::{self, Fields, Records};

/// A place for bytes of which nothing is known.
pub(crate) type Outlet<'o> = dyn Write<Error = SliceWriteError> + 'o;

/// The batch could not be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refused;

impl From<SliceWriteError> for Refused {
    fn from(_: SliceWriteError) -> Self {
        Self
    }
}

/// A way in which a batch leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    FieldDyn,
    Scratch,
    Stream,
    InPlace,
    Memcpy,
}

/// All of them, in the order of the table above.
pub(crate) const ALL: [Shape; 5] =
    [Shape::FieldDyn, Shape::Scratch, Shape::Stream, Shape::InPlace, Shape::Memcpy];

/// What a batch is written with.
#[derive(Debug)]
pub(crate) struct Tools<'t> {
    pub(crate) table: &'t mut Table,
    pub(crate) list: &'t mut [u32],
    /// The batch's bytes, for `memcpy` alone.
    pub(crate) finished: &'t [u8],
}

impl Shape {
    /// The name in reports.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::FieldDyn => "field_dyn",
            Self::Scratch => "scratch",
            Self::Stream => "stream",
            Self::InPlace => "in_place",
            Self::Memcpy => "memcpy",
        }
    }

    /// Writes `batch` to the front of `out` and returns its length.
    #[inline(always)]
    pub(crate) fn write(
        self,
        tools: &mut Tools<'_>,
        batch: &Batch<'_>,
        out: &mut [u8],
    ) -> Result<usize, Refused> {
        let Tools { table, list, finished } = tools;
        match self {
            Self::FieldDyn | Self::Scratch | Self::Stream => {
                let available = out.len();
                let mut free = out;
                let outlet: &mut Outlet<'_> = &mut free;
                self.send(table, list, batch, black_box(outlet))?;
                Ok(available - free.len())
            }
            Self::InPlace => write_into(*table, batch, out).map_err(|_| Refused),
            Self::Memcpy => copy(black_box(finished), out),
        }
    }

    /// The calls that the batch takes of what it is written to, where it is written to something.
    pub(crate) fn calls(
        self,
        tools: &mut Tools<'_>,
        batch: &Batch<'_>,
        out: &mut [u8],
    ) -> Result<Option<u32>, Refused> {
        if matches!(self, Self::InPlace | Self::Memcpy) {
            return Ok(None);
        }
        let mut counter = CallCounter { free: out, calls: 0 };
        let outlet: &mut Outlet<'_> = &mut counter;
        self.send(tools.table, tools.list, batch, black_box(outlet))?;
        Ok(Some(counter.calls))
    }

    /// Writes `batch` to `outlet`; only the first three shapes do.
    #[inline(always)]
    pub(crate) fn send(
        self,
        table: &mut Table,
        list: &mut [u32],
        batch: &Batch<'_>,
        outlet: &mut Outlet<'_>,
    ) -> Result<(), Refused> {
        match self {
            Self::FieldDyn => field_dyn(table, list, batch, outlet),
            Self::Scratch => scratch(table, list, batch, outlet),
            Self::Stream => stream(table, list, batch, outlet),
            Self::InPlace | Self::Memcpy => Err(Refused),
        }
    }
}

#[inline(never)]
fn field_dyn(
    table: &mut Table,
    list: &mut [u32],
    batch: &Batch<'_>,
    outlet: &mut Outlet<'_>,
) -> Result<(), Refused> {
    walk::write(table, list, batch, &mut Fields(outlet))
}

#[inline(never)]
fn scratch(
    table: &mut Table,
    list: &mut [u32],
    batch: &Batch<'_>,
    outlet: &mut Outlet<'_>,
) -> Result<(), Refused> {
    walk::write(table, list, batch, &mut Records(outlet))
}

#[inline(never)]
fn stream(
    table: &mut Table,
    list: &mut [u32],
    batch: &Batch<'_>,
    outlet: &mut Outlet<'_>,
) -> Result<(), Refused> {
    let mut producer = BatchProducer::new(table, list, batch).map_err(|_| Refused)?;
    match StreamSink::new(outlet).pump(&mut producer) {
        Ok(_) => Ok(()),
        Err(_) => Err(Refused),
    }
}

#[inline(never)]
fn copy(from: &[u8], to: &mut [u8]) -> Result<usize, Refused> {
    let to = to.get_mut(..from.len()).ok_or(Refused)?;
    to.copy_from_slice(from);
    Ok(from.len())
}

/// A slice that counts the calls.
struct CallCounter<'o> {
    free: &'o mut [u8],
    calls: u32,
}

impl ErrorType for CallCounter<'_> {
    type Error = SliceWriteError;
}

impl Write for CallCounter<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, SliceWriteError> {
        self.calls += 1;
        self.free.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> Result<(), SliceWriteError> {
        self.calls += 1;
        self.free.write_all(bytes)
    }

    fn flush(&mut self) -> Result<(), SliceWriteError> {
        Ok(())
    }
}
