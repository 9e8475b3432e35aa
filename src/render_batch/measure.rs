//! The length of a batch before it is written, and why a writer stopped.

use super::layout::{INT, Layout, TRAILER, position};
use super::numbering::{self, Strings};
use super::string_data::{MAX_LEN, prefix, string_len};
use super::{Batch, BatchError, batch};
use crate::string_table::{self, Interned, Interner, Keys as _};

/// Bytes that `batch` takes on the wire.
///
/// Walks the batch once; `table` is cleared first and left in an unspecified state. Useful where a
/// length goes ahead of the batch, as in Blazor's hub messages, and to know before the first byte
/// that a [`BatchProducer`](super::BatchProducer) will not stop at a string.
///
/// # Errors
///
/// As [`write_into`](super::write_into), except `BufferTooSmall`.
pub fn encoded_len<T: Interner>(table: &mut T, batch: &Batch<'_>) -> Result<usize, BatchError> {
    let layout = Layout::of(batch)?;
    batch.check_options()?;
    table.clear();
    let mut strings = Count { end: layout.strings, count: 0 };
    match number(&mut strings, table, batch) {
        Ok(()) => strings.batch_len(),
        Err(key) => Err(string_refusal(table, batch, key)),
    }
}

/// Numbers every string; an error is the key of the one that found no room.
fn number<T: Interner>(strings: &mut Count, table: &mut T, batch: &Batch<'_>) -> Result<(), u32> {
    let edits = batch.diffs.iter().flat_map(|diff| diff.edits);
    for (key, edit) in (batch::EDIT_KEY..).zip(edits) {
        numbering::edit_record(strings, table, batch, edit, key)?;
    }
    for (key, frame) in (0..).step_by(2).zip(batch.frames) {
        numbering::frame_record(strings, table, batch, frame, key)?;
    }
    Ok(())
}

/// Why a batch could not be written into `available` bytes.
#[cold]
#[inline(never)]
pub(super) fn refusal<T: Interner>(
    table: &mut T,
    batch: &Batch<'_>,
    available: usize,
) -> BatchError {
    match encoded_len(table, batch) {
        Ok(needed) => BatchError::BufferTooSmall { needed, available },
        Err(error) => error,
    }
}

/// Why the string at `key` found no room where there is no list that could be full.
#[cold]
#[inline(never)]
pub(super) fn string_refusal<T: Interner>(
    table: &mut T,
    batch: &Batch<'_>,
    key: u32,
) -> BatchError {
    let (at, string) = (batch.place(key), batch.string(key));
    if string.len() as u64 > MAX_LEN {
        return BatchError::StringTooLong { len: string.len(), at };
    }
    // Only a string that the full table does not hold was refused by it.
    let answer = table.intern(string, string_table::hash(string), 0, key, batch);
    if batch.is_shared(key) && answer == Interned::Full {
        return BatchError::StringTableFull { needed: table.len() + 1, at };
    }
    BatchError::BatchTooLong
}

/// The strings counted so far.
struct Count {
    /// Where the next string would start.
    end: u32,
    count: u32,
}

impl Count {
    /// Bytes of the batch whose strings these are.
    fn batch_len(&self) -> Result<usize, BatchError> {
        let len = u64::from(self.end) + INT as u64 * u64::from(self.count) + TRAILER as u64;
        usize::try_from(len).map_err(|_| BatchError::BatchTooLong)
    }
}

impl Strings for Count {
    #[inline(always)]
    fn next_number(&self) -> u32 {
        self.count
    }

    #[inline(always)]
    fn append(&mut self, string: &str, _: u32) -> Option<i32> {
        let number = self.count;
        let (_, prefix_len) = prefix(string.len())?;
        self.end = position(self.end, string_len(prefix_len, string)).ok()?;
        self.count += 1;
        Some(number.cast_signed())
    }
}
