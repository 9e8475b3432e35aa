//! Which strings a batch shares and which numbers they get: one statement for every writer.

use super::frame::flag;
use super::{Batch, EMPTY_HASH, Edit, EditRecord, Frame, FrameRecord, NULL};
use crate::string_table::{Interned, Interner};

/// Where the strings of a batch go as they are numbered.
pub(super) trait Strings {
    /// The number of the next string.
    fn next_number(&self) -> u32;

    /// Takes the string that stands at `key` and gives it the next number; `None` where it finds
    /// no room.
    fn append(&mut self, string: &str, key: u32) -> Option<i32>;
}

/// The record of the edit at `key`; an error is the key of the string that found no room.
#[inline(always)]
pub(super) fn edit_record<T: Interner, S: Strings>(
    strings: &mut S,
    table: &mut T,
    batch: &Batch<'_>,
    edit: &Edit<'_>,
    key: u32,
) -> Result<EditRecord, u32> {
    let mut name = NULL;
    if let Some(string) = edit.name.as_str() {
        name = share(strings, table, batch, string, edit.name.hash(), key).ok_or(key)?;
    }
    Ok(EditRecord::new(edit.kind, edit.sibling, edit.index, name))
}

/// The record of the frame whose strings stand at `key` and `key + 1`; an error is the key of the
/// string that found no room.
#[inline(always)]
pub(super) fn frame_record<T: Interner, S: Strings>(
    strings: &mut S,
    table: &mut T,
    batch: &Batch<'_>,
    frame: &Frame<'_>,
    key: u32,
) -> Result<FrameRecord, u32> {
    let (mut first, mut second) = (frame.first, frame.second);
    let flags = frame.flags;
    if flags & flag::SHARED != 0 {
        let number = share(strings, table, batch, frame.shared, frame.hash, key).ok_or(key)?;
        if flags & flag::SHARED_SECOND != 0 { second = number } else { first = number }
    }
    if flags & flag::OWN != 0 {
        let number = strings.append(frame.own, key + 1).ok_or(key + 1)?;
        if flags & flag::OWN_SECOND != 0 { second = number } else { first = number }
    } else if flags & flag::EMPTY_SECOND != 0 {
        second = share(strings, table, batch, "", EMPTY_HASH, key + 1).ok_or(key + 1)?;
    }
    Ok(FrameRecord::new(frame.kind, first, second, frame.event))
}

/// The number of a shared string, which is appended where it is new.
#[inline(always)]
fn share<T: Interner, S: Strings>(
    strings: &mut S,
    table: &mut T,
    batch: &Batch<'_>,
    string: &str,
    hash: u32,
    key: u32,
) -> Option<i32> {
    if let Some(number) = table.find(string, hash, batch) {
        return Some(number.cast_signed());
    }
    match table.intern(string, hash, strings.next_number(), key, batch) {
        Interned::Known(number) => Some(number.cast_signed()),
        Interned::New => strings.append(string, key),
        Interned::Full => None,
    }
}
