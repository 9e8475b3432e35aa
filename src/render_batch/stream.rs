//! The writer for a batch that leaves in chunks: a producer of whole records.

use super::layout::{Layout, TRAILER, diff_len, is_position, position, wire_count};
use super::room::{Room, short_len, string_piece};
use super::string_data::{prefix, string_len};
use super::string_list::StringList;
use super::{Batch, BatchError, EditRecord, FrameRecord, batch, in_place, measure};
use crate::sink::Producer;
use crate::string_table::{Interner, Keys as _};

/// Makes a batch in chunks, for sinks that are not memory.
///
/// Besides the table it needs one `u32` for each string of the batch: first the key under which the
/// string is found again, then the string's position. A chunk holds whole records, and whole
/// strings where they are shorter than 128 bytes and than the scratch; other strings are cut into
/// pieces. The scratch has at least [`MIN_SCRATCH`](Self::MIN_SCRATCH) bytes.
///
/// ```
/// use onewrite::render_batch::{Batch, BatchProducer, Frame};
/// use onewrite::sink::{self, SliceSink};
/// use onewrite::string_table::StringTable;
///
/// let mut table = StringTable::<64>::new();
/// let mut strings = [0; 16];
/// let frames = [Frame::element("p", 2), Frame::text("hello")];
/// let batch = Batch { frames: &frames, ..Batch::default() };
///
/// let mut out = [0; 200];
/// let mut sink = SliceSink::new(&mut out);
/// let mut producer = BatchProducer::new(&mut table, &mut strings, &batch)?;
/// sink::write_from(&mut sink, &mut producer, &mut [0; 64])?;
/// assert_eq!(sink.written(), 36 + 2 * 20 + (1 + 1 + 4) + (1 + 5 + 4));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BatchProducer<'a, T> {
    table: &'a mut T,
    /// One entry a string: its key until the string is written, then its position.
    strings: &'a mut [u32],
    /// Entries in use.
    count: usize,
    batch: &'a Batch<'a>,
    layout: Layout,
    stage: Stage,
    /// Items of the current stage that are out.
    index: usize,
    /// The current diff.
    diff: usize,
    /// Key of the next edit, then position of the next diff, then of the next string.
    next: u32,
    /// Bytes of the current string, prefix included, that are out.
    piece: usize,
    /// Why the batch cannot be completed, if it cannot.
    refused: BatchError,
}

/// What a batch consists of, in the order of the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Start,
    DiffHead,
    Edits,
    DiffCount,
    DiffPositions,
    FrameCount,
    Frames,
    ComponentCount,
    Components,
    EventCount,
    Events,
    StringData,
    StringTable,
    Trailer,
    Done,
    /// See `refused`.
    Refused,
}

impl<'a, T: Interner> BatchProducer<'a, T> {
    /// Bytes of the smallest scratch: those of a frame, and of the trailer.
    pub const MIN_SCRATCH: usize = TRAILER;

    /// A producer of `batch`, which clears `table` when it starts.
    ///
    /// `strings` needs an entry for each string of the batch, where a shared one counts once. A
    /// batch that fits the first scratch whole needs none.
    ///
    /// # Errors
    ///
    /// `BatchTooLong`, and what the batch's options refuse.
    #[inline]
    pub fn new(
        table: &'a mut T,
        strings: &'a mut [u32],
        batch: &'a Batch<'a>,
    ) -> Result<Self, BatchError> {
        let layout = Layout::of(batch)?;
        batch.check_options()?;
        Ok(Self {
            table,
            strings,
            count: 0,
            batch,
            layout,
            stage: Stage::Start,
            index: 0,
            diff: 0,
            next: batch::EDIT_KEY,
            piece: 0,
            refused: BatchError::BatchTooLong,
        })
    }

    /// Adds what fits of the current stage to `room`; whether there may be room for more. `None`
    /// where the batch cannot be completed.
    ///
    /// A call for each stage, and not a loop around the `match`: most chunks are the middle of one
    /// stage, and would pay for the registers that all of them need together.
    #[inline(never)]
    fn step(&mut self, room: &mut Room<'_>) -> Option<bool> {
        let batch = self.batch;
        match self.stage {
            Stage::Start => Some(self.start(room)),
            Stage::DiffHead => Some(self.diff_head(room)),
            Stage::Edits => self.edits(room),
            Stage::DiffCount => {
                self.next = 0;
                Some(room.ints([self.layout.diffs]) && self.enter(Stage::DiffPositions))
            }
            Stage::DiffPositions => Some(self.diff_positions(room)),
            Stage::FrameCount => Some(self.count_of(batch.frames.len(), Stage::Frames, room)),
            Stage::Frames => self.frames(room),
            Stage::ComponentCount => {
                let count = batch.disposed_components.len();
                Some(self.count_of(count, Stage::Components, room))
            }
            Stage::Components => {
                let left = batch.disposed_components.get(self.index..)?;
                let out = room.list(left, i32::to_le_bytes);
                Some(self.advance(out, left.len(), Stage::EventCount))
            }
            Stage::EventCount => {
                Some(self.count_of(batch.disposed_events.len(), Stage::Events, room))
            }
            Stage::Events => {
                let left = batch.disposed_events.get(self.index..)?;
                let out = room.list(left, u64::to_le_bytes);
                Some(self.advance(out, left.len(), Stage::StringData))
            }
            Stage::StringData => self.string_data(room),
            Stage::StringTable => {
                let left = self.strings.get(self.index..self.count)?;
                let (len, out) = (left.len(), room.list(left, u32::to_le_bytes));
                Some(self.advance(out, len, Stage::Trailer))
            }
            Stage::Trailer => {
                Some(room.ints(self.layout.trailer(self.next)) && self.enter(Stage::Done))
            }
            Stage::Done => Some(false),
            Stage::Refused => None,
        }
    }

    /// Most batches are small: one that fits the scratch whole needs neither stages nor list.
    #[inline(never)]
    fn start(&mut self, room: &mut Room<'_>) -> bool {
        if let Some(len) = in_place::try_write(self.table, self.batch, &self.layout, room.out) {
            room.used = len;
            return self.enter(Stage::Done);
        }
        self.table.clear();
        self.enter(Stage::DiffHead)
    }

    #[inline(never)]
    fn diff_head(&mut self, room: &mut Room<'_>) -> bool {
        while let Some(diff) = self.batch.diffs.get(self.diff) {
            if !self.batch.skips(diff) {
                let head = [diff.component.cast_unsigned(), wire_count(diff.edits.len())];
                return room.ints(head) && self.enter(Stage::Edits);
            }
            self.diff += 1;
        }
        self.enter(Stage::DiffCount)
    }

    /// Goes to `stage`, of which nothing is out yet.
    #[inline(always)]
    fn enter(&mut self, stage: Stage) -> bool {
        self.stage = stage;
        self.index = 0;
        true
    }

    /// Counts `out` more items of the current stage, of which `left` were left; goes on to `next`
    /// if those were all.
    #[inline(always)]
    fn advance(&mut self, out: usize, left: usize, next: Stage) -> bool {
        self.index += out;
        out == left && self.enter(next)
    }

    /// Adds a count; goes on to `next`.
    #[inline(always)]
    fn count_of(&mut self, count: usize, next: Stage, room: &mut Room<'_>) -> bool {
        room.ints([wire_count(count)]) && self.enter(next)
    }

    /// The edits of the current diff.
    #[inline(never)]
    fn edits(&mut self, room: &mut Room<'_>) -> Option<bool> {
        let edits = self.batch.diffs.get(self.diff)?.edits.get(self.index..)?;
        let records = room.records::<{ EditRecord::SIZE }>(edits.len());
        let out = records.len();
        let mut list = StringList { entries: self.strings, count: self.count };
        let mut key = self.next;
        for (edit, out) in edits.iter().zip(records) {
            match list.edit_record(self.table, self.batch, edit, key) {
                Ok(record) => record.write_at(out),
                Err(key) => {
                    self.count = list.count;
                    return self.refuse(key);
                }
            }
            key += 1;
        }
        self.count = list.count;
        self.next = key;
        self.diff += usize::from(out == edits.len());
        Some(self.advance(out, edits.len(), Stage::DiffHead))
    }

    #[inline(never)]
    fn diff_positions(&mut self, room: &mut Room<'_>) -> bool {
        while let Some(diff) = self.batch.diffs.get(self.index) {
            if !self.batch.skips(diff) {
                if !room.ints([self.next]) {
                    return false;
                }
                #[allow(clippy::cast_possible_truncation, reason = "the layout checked the sum")]
                {
                    self.next = self.next.wrapping_add(diff_len(diff) as u32);
                }
            }
            self.index += 1;
        }
        self.enter(Stage::FrameCount)
    }

    #[inline(never)]
    fn frames(&mut self, room: &mut Room<'_>) -> Option<bool> {
        let frames = self.batch.frames.get(self.index..)?;
        let records = room.records::<{ FrameRecord::SIZE }>(frames.len());
        let mut key = wire_count(self.index) * 2;
        let out = records.len();
        let mut list = StringList { entries: self.strings, count: self.count };
        for (frame, out) in frames.iter().zip(records) {
            match list.frame_record(self.table, self.batch, frame, key) {
                Ok(record) => record.write_at(out),
                Err(key) => {
                    self.count = list.count;
                    return self.refuse(key);
                }
            }
            key += 2;
        }
        self.count = list.count;
        Some(self.advance(out, frames.len(), Stage::ComponentCount))
    }

    #[inline(never)]
    fn string_data(&mut self, room: &mut Room<'_>) -> Option<bool> {
        if self.index == 0 && self.piece == 0 {
            self.next = self.layout.strings;
        }
        let entries = self.strings.get_mut(self.index..self.count)?;
        for entry in entries {
            let key = *entry;
            let string = self.batch.string(key);
            if self.piece == 0 && room.short_string(string) {
                *entry = self.next;
                self.next += short_len(string);
                if !is_position(self.next) {
                    return self.refuse(key);
                }
            } else {
                let Some((_, prefix_len)) = prefix(string.len()) else { return self.refuse(key) };
                let Ok(end) = position(self.next, string_len(prefix_len, string)) else {
                    return self.refuse(key);
                };
                if !string_piece(string.as_bytes(), &mut self.piece, room) {
                    return Some(false);
                }
                self.piece = 0;
                *entry = self.next;
                self.next = end;
            }
            self.index += 1;
        }
        Some(self.enter(Stage::StringTable))
    }

    /// Stops for good at the string that `key` leads to.
    #[cold]
    #[inline(never)]
    fn refuse<R>(&mut self, key: u32) -> Option<R> {
        let numbering = matches!(self.stage, Stage::Edits | Stage::Frames);
        self.stage = Stage::Refused;
        self.refused = if numbering && self.count >= self.strings.len() {
            BatchError::StringListFull { needed: self.count + 1, at: self.batch.place(key) }
        } else {
            measure::string_refusal(self.table, self.batch, key)
        };
        None
    }
}

impl<T: Interner> Producer for BatchProducer<'_, T> {
    type Error = BatchError;

    /// Fills `scratch` with whole records of the batch.
    ///
    /// # Errors
    ///
    /// `ScratchTooSmall`, which changes nothing. `StringTableFull` and `StringListFull` at the
    /// record whose string found no room, `StringTooLong` and `BatchTooLong` at the string: final, and
    /// possibly after bytes went out. [`encoded_len`](super::encoded_len) finds all but
    /// `StringListFull` beforehand.
    #[inline]
    fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, BatchError> {
        let available = scratch.len();
        if available < Self::MIN_SCRATCH {
            return Err(BatchError::ScratchTooSmall { needed: Self::MIN_SCRATCH, available });
        }
        let mut room = Room { out: scratch, used: 0 };
        loop {
            match self.step(&mut room) {
                Some(true) => {}
                Some(false) => return Ok(room.used),
                None => return Err(self.refused),
            }
        }
    }
}
