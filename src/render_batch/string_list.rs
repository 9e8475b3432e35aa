//! The strings of a batch that leaves in chunks.

use super::layout::wire_count;
use super::numbering::{self, Strings};
use super::{Batch, Edit, EditRecord, Frame, FrameRecord};
use crate::string_table::Interner;

/// The strings of a batch so far, by key: what turns frames and edits into records.
///
/// Public, though not documented, for the writers that ours is measured against: they share
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
        numbering::edit_record(self, table, batch, edit, key)
    }

    /// The record of the frame whose strings stand at `key` and `key + 1`.
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
        numbering::frame_record(self, table, batch, frame, key)
    }
}

impl Strings for StringList<'_> {
    #[inline(always)]
    fn next_number(&self) -> u32 {
        wire_count(self.count)
    }

    #[inline(always)]
    fn append(&mut self, _: &str, key: u32) -> Option<i32> {
        let number = self.count;
        *self.entries.get_mut(number)? = key;
        self.count += 1;
        Some(wire_count(number).cast_signed())
    }
}
