//! The writer for a batch that goes into memory: one walk, every byte straight at its place.
//!
//! The counts of a batch give the start of each table up to the string data, so the buffer is
//! split there. Records grow from the left half's start, strings from the right half's. The
//! position of each string is stored downwards from the buffer's end; at the end of the walk that
//! list is turned round and moved down behind the strings. Nothing is kept per string and there is
//! no limit on their number, except that shared ones need a slot in the string table.

use super::layout::{
    EVENT_ID, INT, Layout, TRAILER, diff_len, offset, position, split_records, wire_count,
};
use super::numbering::{self, Strings};
use super::string_data::{SHORT, prefix, put_short};
use super::{Batch, BatchError, EditRecord, FrameRecord, batch, measure};
use crate::record::split_last_chunk_mut;
use crate::sink::copy;
use crate::string_table::Interner;
use core::{cell::Cell, mem};

/// Writes `batch` into the front of `out` and returns its length in bytes.
///
/// `table` is cleared first; it may be reused from batch to batch. An exactly sized buffer is
/// enough. On an error the contents of `out` are unspecified.
///
/// # Errors
///
/// [`BatchError::BufferTooSmall`] with the length that is needed, and every other kind except
/// `ScratchTooSmall` and `StringListFull`.
pub fn write_into<T: Interner>(
    table: &mut T,
    batch: &Batch<'_>,
    out: &mut [u8],
) -> Result<usize, BatchError> {
    let layout = Layout::of(batch)?;
    batch.check_options()?;
    match walk(table, batch, &layout, out) {
        Some(len) => Ok(len),
        None => Err(measure::refusal(table, batch, out.len())),
    }
}

/// Writes a batch whose records fit `out`, if its strings fit as well.
#[inline(always)]
pub(super) fn try_write<T: Interner>(
    table: &mut T,
    batch: &Batch<'_>,
    layout: &Layout,
    out: &mut [u8],
) -> Option<usize> {
    if offset(layout.strings) < out.len() { walk(table, batch, layout, out) } else { None }
}

/// The strings that have been written, and the room for more.
struct Written<'o> {
    /// Unused bytes between the string data and the list of positions.
    free: &'o mut [u8],
    /// Address of the byte at position 0.
    start: usize,
    /// Number of strings.
    count: u32,
}

impl Strings for Written<'_> {
    #[inline(always)]
    fn next_number(&self) -> u32 {
        self.count
    }

    #[inline(always)]
    fn append(&mut self, string: &str, _: u32) -> Option<i32> {
        let bytes = string.as_bytes();
        let free = mem::take(&mut self.free);
        let at = free.as_ptr().addr().wrapping_sub(self.start);
        if bytes.len() < SHORT {
            if free.len() < bytes.len() + 1 + INT {
                return None;
            }
            let (data, free) = free.split_at_mut_checked(bytes.len() + 1)?;
            put_short(data, bytes);
            self.free = store_position(free, at)?;
        } else {
            self.free = append_long(free, at, bytes)?;
        }
        let number = self.count;
        self.count += 1;
        Some(number.cast_signed())
    }
}

/// Writes everything, or returns `None` where something does not fit.
#[inline(never)]
fn walk<T: Interner>(
    table: &mut T,
    batch: &Batch<'_>,
    layout: &Layout,
    out: &mut [u8],
) -> Option<usize> {
    table.clear();
    let start = out.as_ptr().addr();
    let (mut records, strings) = out.split_at_mut_checked(offset(layout.strings))?;
    let (free, _) = split_last_chunk_mut::<TRAILER>(strings)?;
    let mut strings = Written { free, start, count: 0 };

    let mut key = batch::EDIT_KEY;
    for diff in batch.written_diffs() {
        records = put_int(records, diff.component.cast_unsigned())?;
        records = put_int(records, wire_count(diff.edits.len()))?;
        let edits;
        (edits, records) = split_records::<{ EditRecord::SIZE }>(records, diff.edits.len())?;
        let mut edits = edits.iter_mut();
        for edit in diff.edits {
            let out = edits.next()?;
            numbering::edit_record(&mut strings, table, batch, edit, key).ok()?.write_at(out);
            key += 1;
        }
    }
    records = put_positions(records, batch, layout)?;

    records = put_int(records, wire_count(batch.frames.len()))?;
    let frames;
    (frames, records) = split_records::<{ FrameRecord::SIZE }>(records, batch.frames.len())?;
    let mut key = 0;
    let mut frames = frames.iter_mut();
    for frame in batch.frames {
        let out = frames.next()?;
        numbering::frame_record(&mut strings, table, batch, frame, key).ok()?.write_at(out);
        key += 2;
    }

    records = put_int(records, wire_count(batch.disposed_components.len()))?;
    let ids;
    (ids, records) = split_records::<INT>(records, batch.disposed_components.len())?;
    for (id, out) in batch.disposed_components.iter().zip(ids) {
        *out = id.to_le_bytes();
    }
    records = put_int(records, wire_count(batch.disposed_events.len()))?;
    let (ids, _) = split_records::<EVENT_ID>(records, batch.disposed_events.len())?;
    for (id, out) in batch.disposed_events.iter().zip(ids) {
        *out = id.to_le_bytes();
    }

    let table_start = strings.free.as_ptr().addr().wrapping_sub(start);
    let count = strings.count as usize;
    finish(out, layout, table_start, count)
}

/// Turns the list of string positions round, moves it behind the strings, and adds the trailer.
#[inline(always)]
fn finish(out: &mut [u8], layout: &Layout, table_start: usize, count: usize) -> Option<usize> {
    let string_table = position(0, table_start as u64).ok()?;
    let (_, tail) = out.split_at_mut_checked(table_start)?;
    let list_end = tail.len().checked_sub(TRAILER)?;
    let list_start = list_end.checked_sub(INT * count)?;
    let (list, _) = tail.get_mut(list_start..list_end)?.as_chunks_mut::<INT>();
    reverse(list);
    if list_start != 0 {
        move_to_front(tail.get_mut(..list_end)?, list_start);
    }
    let (_, trailer) = tail.split_at_mut_checked(INT * count)?;
    let trailer = trailer.first_chunk_mut::<TRAILER>()?;
    for (position, out) in layout.trailer(string_table).iter().zip(trailer.as_chunks_mut().0) {
        *out = position.to_le_bytes();
    }
    Some(table_start + INT * count + TRAILER)
}

/// Turns `list` round: `slice::reverse`, whose panics stay in at every optimization level.
#[inline(always)]
fn reverse(list: &mut [[u8; INT]]) {
    // The middle of an odd list stays where it is.
    let (half, odd) = (list.len() / 2, list.len() % 2);
    let Some((front, back)) = list.split_at_mut_checked(half) else { return };
    let Some((_, back)) = back.split_at_mut_checked(odd) else { return };
    // Four at a time go through vector registers.
    let (fronts, front) = front.as_chunks_mut::<4>();
    let Some((back, backs)) = back.split_at_mut_checked(half % 4) else { return };
    let (backs, _) = backs.as_chunks_mut::<4>();
    for (front, back) in fronts.iter_mut().zip(backs.iter_mut().rev()) {
        let [a, b, c, d] = *front;
        let [e, f, g, h] = *back;
        *front = [h, g, f, e];
        *back = [d, c, b, a];
    }
    for (front, back) in front.iter_mut().zip(back.iter_mut().rev()) {
        mem::swap(front, back);
    }
}

/// Moves what stands from byte `start` on to the front: `slice::copy_within` without its panics.
///
/// `bytes` from `start` on are whole positions. They may overlap their new place, which lies before
/// them, so what a chunk overwrites has been read before.
#[inline(always)]
fn move_to_front(bytes: &mut [u8], start: usize) {
    let bytes = Cell::from_mut(bytes).as_slice_of_cells();
    let Some((_, from)) = bytes.split_at_checked(start) else { return };
    let Some((to, _)) = bytes.split_at_checked(from.len()) else { return };
    let ((from, from_rest), (to, to_rest)) = (from.as_chunks::<16>(), to.as_chunks::<16>());
    for (from, to) in from.iter().zip(to) {
        move_chunk(from, to);
    }
    let ((from, _), (to, _)) = (from_rest.as_chunks::<INT>(), to_rest.as_chunks::<INT>());
    for (from, to) in from.iter().zip(to) {
        move_chunk(from, to);
    }
}

/// Reads all of `from`, then writes `to`.
#[inline(always)]
fn move_chunk<const W: usize>(from: &[Cell<u8>; W], to: &[Cell<u8>; W]) {
    let mut chunk = [0; W];
    for (byte, from) in chunk.iter_mut().zip(from) {
        *byte = from.get();
    }
    for (byte, to) in chunk.iter().zip(to) {
        to.set(*byte);
    }
}

/// The positions of the diffs, after their count.
#[inline(always)]
fn put_positions<'o>(
    out: &'o mut [u8],
    batch: &Batch<'_>,
    layout: &Layout,
) -> Option<&'o mut [u8]> {
    let count = layout.diffs;
    let (positions, out) = split_records::<INT>(put_int(out, count)?, count as usize)?;
    let mut at = 0;
    for (diff, out) in batch.written_diffs().zip(positions) {
        #[allow(clippy::cast_possible_truncation, reason = "the layout checked the sum")]
        {
            *out = (at as u32).to_le_bytes();
        }
        at += diff_len(diff);
    }
    Some(out)
}

#[inline(always)]
fn put_int(out: &mut [u8], value: u32) -> Option<&mut [u8]> {
    let (int, out) = out.split_first_chunk_mut::<INT>()?;
    *int = value.to_le_bytes();
    Some(out)
}

/// Stores where a string starts, at the end of the free bytes.
#[inline(always)]
fn store_position(free: &mut [u8], at: usize) -> Option<&mut [u8]> {
    let (free, position) = split_last_chunk_mut::<INT>(free)?;
    // No position if it exceeds 31 bits, which the start of the string table then does as well.
    *position = wire_count(at).to_le_bytes();
    Some(free)
}

/// Appends a string whose length takes more than one byte; returns the bytes that stay free.
#[inline(never)]
fn append_long<'o>(free: &'o mut [u8], at: usize, string: &[u8]) -> Option<&'o mut [u8]> {
    let (prefix, prefix_len) = prefix(string.len())?;
    let (data, free) = free.split_at_mut_checked(prefix_len.checked_add(string.len())?)?;
    let (head, body) = data.split_at_mut_checked(prefix_len)?;
    for (to, from) in head.iter_mut().zip(prefix) {
        *to = from;
    }
    copy(body, string);
    store_position(free, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions that are all different.
    fn positions() -> [[u8; INT]; 40] {
        let mut number = 0;
        [[0; INT]; 40].map(|_| {
            number += 1;
            [number, number ^ 0xff, !number, 7]
        })
    }

    #[test]
    fn lists_of_every_length_are_turned_round() {
        for len in 0..=40 {
            let (mut list, mut expected) = (positions(), positions());
            reverse(list.split_at_mut(len).0);
            expected.split_at_mut(len).0.reverse();
            assert_eq!(list, expected, "{len} positions");
        }
    }

    #[test]
    fn lists_move_over_every_distance() {
        for count in 0..=20 {
            for start in 0..=80 {
                let (mut list, mut expected) = (positions(), positions());
                let len = start + INT * count;
                let (bytes, _) = list.as_flattened_mut().split_at_mut(len);
                move_to_front(bytes, start);
                expected.as_flattened_mut().copy_within(start..len, 0);
                assert_eq!(list, expected, "{count} positions, {start} bytes");
            }
        }
    }
}
