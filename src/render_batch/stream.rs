//! The writer for a batch that leaves in chunks: a producer of whole records.

use super::frame::flag;
use super::layout::{INT, Layout, TRAILER, diff_len, position, split_records, wire_count};
use super::string_data::{MAX_LEN, SHORT, copy_short, prefix};
use super::{
    Batch, BatchError, EMPTY_HASH, Edit, EditRecord, Frame, FrameRecord, NULL, batch, in_place,
};
use crate::sink::{Producer, copy};
use crate::string_table::{Interned, Interner, Keys as _};
use core::mem;

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

    /// A producer of `batch`; `table` is cleared.
    ///
    /// `strings` needs an entry for each string of the batch, where a shared one counts once.
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
            let string = self.batch.string(*entry);
            if self.piece == 0 && room.short_string(string) {
                *entry = self.next;
                self.next += short_len(string);
            } else {
                let key = *entry;
                match string_piece(string.as_bytes(), &mut self.piece, room) {
                    None => return self.refuse(key),
                    Some(false) => return Some(false),
                    Some(true) => {}
                }
                let Ok(end) = position(self.next as usize, mem::take(&mut self.piece)) else {
                    self.stage = Stage::Refused;
                    return None;
                };
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
        let at = self.batch.place(key);
        let len = self.batch.string(key).len();
        self.stage = Stage::Refused;
        self.refused = if len > MAX_LEN {
            BatchError::StringTooLong { len, at }
        } else if self.count >= self.strings.len() {
            BatchError::StringListFull { needed: self.count + 1, at }
        } else {
            BatchError::StringTableFull { needed: self.table.len() + 1, at }
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
    /// `ScratchTooSmall`, `StringTableFull`, `StringListFull`, `StringTooLong`, `BatchTooLong`. All
    /// but the first are final: the batch cannot be completed.
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

/// The strings of a batch so far, by key: what turns frames and edits into records.
///
/// Public, though not documented, for the writers that this one is measured against: they share
/// everything with it but how the bytes leave.
#[doc(hidden)]
#[derive(Debug)]
pub struct StringList<'k> {
    /// One key a string.
    pub entries: &'k mut [u32],
    /// Entries in use.
    pub count: usize,
}

impl StringList<'_> {
    /// The record of the edit at `key`.
    ///
    /// # Errors
    ///
    /// The key of the string that found no room.
    #[inline(always)]
    pub fn edit_record<T: Interner>(
        &mut self,
        table: &mut T,
        batch: &Batch<'_>,
        edit: &Edit<'_>,
        key: u32,
    ) -> Result<EditRecord, u32> {
        let mut name = NULL;
        if let Some(string) = edit.name.as_str() {
            name = self.share(table, batch, string, edit.name.hash(), key).ok_or(key)?;
        }
        Ok(EditRecord::new(edit.kind, edit.sibling, edit.index, name))
    }

    /// The record of the frame whose shared string has `key`.
    ///
    /// # Errors
    ///
    /// The key of the string that found no room.
    #[inline(always)]
    pub fn frame_record<T: Interner>(
        &mut self,
        table: &mut T,
        batch: &Batch<'_>,
        frame: &Frame<'_>,
        key: u32,
    ) -> Result<FrameRecord, u32> {
        let (mut first, mut second) = (frame.first, frame.second);
        let flags = frame.flags;
        if flags & flag::SHARED != 0 {
            let number = self.share(table, batch, frame.shared, frame.hash, key).ok_or(key)?;
            if flags & flag::SHARED_SECOND != 0 { second = number } else { first = number }
        }
        if flags & flag::OWN != 0 {
            let number = self.keep(key + 1).ok_or(key + 1)?;
            if flags & flag::OWN_SECOND != 0 { second = number } else { first = number }
        } else if flags & flag::EMPTY_SECOND != 0 {
            second = self.share(table, batch, "", EMPTY_HASH, key + 1).ok_or(key + 1)?;
        }
        Ok(FrameRecord::new(frame.kind, first, second, frame.event))
    }

    /// Gives the string at `key` the next number.
    #[inline(always)]
    fn keep(&mut self, key: u32) -> Option<i32> {
        let number = self.count;
        *self.entries.get_mut(number)? = key;
        self.count += 1;
        Some(wire_count(number).cast_signed())
    }

    /// The number of a shared string.
    #[inline(always)]
    fn share<T: Interner>(
        &mut self,
        table: &mut T,
        batch: &Batch<'_>,
        string: &str,
        hash: u32,
        key: u32,
    ) -> Option<i32> {
        if let Some(number) = table.find(string, hash, batch) {
            return Some(number.cast_signed());
        }
        match table.intern(string, hash, wire_count(self.count), key, batch) {
            Interned::Known(number) => Some(number.cast_signed()),
            Interned::New => self.keep(key),
            Interned::Full => None,
        }
    }
}

/// The scratch, filled from its start.
struct Room<'o> {
    out: &'o mut [u8],
    used: usize,
}

impl Room<'_> {
    /// The bytes that are free.
    #[inline(always)]
    fn free(&mut self) -> &mut [u8] {
        self.out.get_mut(self.used..).unwrap_or_default()
    }

    /// Room for as many whole records of `W` bytes as fit, `count` at most.
    #[inline(always)]
    fn records<const W: usize>(&mut self, count: usize) -> &mut [[u8; W]] {
        let Some(free) = self.out.get_mut(self.used..) else { return &mut [] };
        let count = count.min(free.len() / W);
        self.used += W * count;
        split_records(free, count).map_or(&mut [], |(records, _)| records)
    }

    /// Adds `K` integers as one record, or nothing.
    #[inline(always)]
    fn ints<const K: usize>(&mut self, ints: [u32; K]) -> bool {
        if self.free().len() < INT * K {
            return false;
        }
        for (int, out) in ints.iter().zip(self.records::<INT>(K)) {
            *out = int.to_le_bytes();
        }
        true
    }

    /// Adds the items of `list` as far as they fit; returns how many.
    #[inline(always)]
    fn list<I: Copy, const W: usize>(&mut self, list: &[I], to_bytes: fn(I) -> [u8; W]) -> usize {
        let out = self.records::<W>(list.len());
        let len = out.len();
        let list = list.get(..len).unwrap_or_default();
        // Eight at a time go through vector registers.
        let ((blocks, rest), (block_outs, rest_out)) = (list.as_chunks(), out.as_chunks_mut());
        for (block, out) in blocks.iter().zip(block_outs) {
            *out = block.map(to_bytes) as [_; 8];
        }
        for (&item, out) in rest.iter().zip(rest_out) {
            *out = to_bytes(item);
        }
        len
    }

    /// Adds a string with a prefix of one byte, if it is one and fits.
    #[inline(always)]
    fn short_string(&mut self, string: &str) -> bool {
        let len = string.len();
        let free = self.free();
        if len < SHORT
            && let Some((data, _)) = free.split_at_mut_checked(len + 1)
            && let Some((prefix, data)) = data.split_first_mut()
        {
            #[allow(clippy::cast_possible_truncation, reason = "less than SHORT")]
            {
                *prefix = len as u8;
            }
            copy_short(data, string.as_bytes());
            self.used += len + 1;
            return true;
        }
        false
    }

    /// Adds as many of `bytes` as fit; returns how many.
    fn bytes(&mut self, bytes: &[u8]) -> usize {
        let free = self.free();
        let len = bytes.len().min(free.len());
        copy(free, bytes);
        self.used += len;
        len
    }
}

/// Adds what fits of a string of which `done` bytes are out; whether that was the rest.
///
/// `None` for a string that is too long for the wire.
#[inline(never)]
fn string_piece(string: &[u8], done: &mut usize, room: &mut Room<'_>) -> Option<bool> {
    if string.len() < SHORT && *done == 0 && room.used > 0 {
        // It may fit the next scratch whole.
        return Some(false);
    }
    let (prefix, prefix_len) = prefix(string.len())?;
    let prefix = prefix.get(..prefix_len)?;
    *done += room.bytes(prefix.get(*done..).unwrap_or_default());
    if let Some(body) = done.checked_sub(prefix_len) {
        *done += room.bytes(string.get(body..).unwrap_or_default());
    }
    Some(*done == prefix_len + string.len())
}

/// Bytes of a short string on the wire.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "less than SHORT")]
const fn short_len(string: &str) -> u32 {
    string.len() as u32 + 1
}
