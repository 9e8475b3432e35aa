//! The length of a batch before it is written, and why a writer stopped.

use super::frame::flag;
use super::layout::{INT, Layout, TRAILER, position};
use super::string_data::{MAX_LEN, prefix};
use super::{Batch, BatchError, Place, batch};
use crate::string_table::{self, Interned, Interner};

/// Bytes that `batch` takes on the wire.
///
/// Walks the batch once; `table` is cleared first and left in an unspecified state. Useful where a
/// length goes ahead of the batch, as in Blazor's hub messages.
///
/// # Errors
///
/// As [`write_into`](super::write_into), except `BufferTooSmall`.
pub fn encoded_len<T: Interner>(table: &mut T, batch: &Batch<'_>) -> Result<usize, BatchError> {
    let layout = Layout::of(batch)?;
    batch.check_options()?;
    table.clear();
    let mut strings = Strings { end: layout.strings, count: 0 };

    let mut key = batch::EDIT_KEY;
    for (diff_index, diff) in batch.diffs.iter().enumerate() {
        for (index, edit) in diff.edits.iter().enumerate() {
            if let Some(name) = edit.name.as_str() {
                let at = Place::Edit { diff: diff_index, index, kind: edit.kind };
                strings.share(table, batch, name, edit.name.hash(), key, at)?;
            }
            key += 1;
        }
    }
    let mut key = 0;
    for (index, frame) in batch.frames.iter().enumerate() {
        let at = Place::Frame { index, kind: frame.kind };
        if frame.flags & flag::SHARED != 0 {
            strings.share(table, batch, frame.shared, frame.hash, key, at)?;
        }
        if frame.flags & flag::OWN != 0 {
            strings.append(frame.own, at)?;
        } else if frame.flags & flag::EMPTY_SECOND != 0 {
            strings.share(table, batch, "", string_table::hash(""), key + 1, at)?;
        }
        key += 2;
    }
    Ok(strings.end as usize + INT * strings.count as usize + TRAILER)
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

/// The strings counted so far.
struct Strings {
    /// Where the next string would start.
    end: u32,
    count: u32,
}

impl Strings {
    fn append(&mut self, string: &str, at: Place) -> Result<(), BatchError> {
        let len = string.len();
        let Some((_, prefix_len)) = prefix(len) else {
            return Err(BatchError::StringTooLong { len, at });
        };
        self.end = position(self.end as usize, prefix_len + len)?;
        self.count += 1;
        Ok(())
    }

    fn share<T: Interner>(
        &mut self,
        table: &mut T,
        batch: &Batch<'_>,
        string: &str,
        hash: u32,
        key: u32,
        at: Place,
    ) -> Result<(), BatchError> {
        if string.len() > MAX_LEN {
            return Err(BatchError::StringTooLong { len: string.len(), at });
        }
        match table.intern(string, hash, self.count, key, batch) {
            Interned::Known(_) => Ok(()),
            Interned::New => self.append(string, at),
            Interned::Full => Err(BatchError::StringTableFull { needed: table.len() + 1, at }),
        }
    }
}
