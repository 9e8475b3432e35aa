//! Where the tables of a batch start, known from its counts before the first byte.

use super::{Batch, BatchError, Diff, EditRecord, FrameRecord};

/// Start of each table after the first, in bytes from the batch's first byte.
///
/// | table | starts at |
/// |---|---|
/// | diffs | 0 |
/// | positions of the diffs | `diff_positions` |
/// | reference frames | `frames` |
/// | disposed components | `disposed_components` |
/// | disposed event handlers | `disposed_events` |
/// | string data | `strings` |
///
/// The string table follows the string data, whose length only the walk over the batch tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Number of diffs.
    pub(super) diffs: u32,
    pub(super) diff_positions: u32,
    pub(super) frames: u32,
    pub(super) disposed_components: u32,
    pub(super) disposed_events: u32,
    pub(super) strings: u32,
}

impl Layout {
    #[inline]
    pub(super) fn of(batch: &Batch<'_>) -> Result<Self, BatchError> {
        let mut diff_positions = 0;
        let mut diffs = 0;
        for diff in batch.written_diffs() {
            diffs += 1;
            // Within 32 bits also where every diff borrows the same edits.
            diff_positions = position(diff_positions, diff_len(diff))?;
        }
        let frames = position(diff_positions, table_len(INT, diffs))?;
        let disposed_components =
            position(frames, table_len(FrameRecord::SIZE, batch.frames.len()))?;
        let disposed_events =
            position(disposed_components, table_len(INT, batch.disposed_components.len()))?;
        let strings = position(disposed_events, table_len(EVENT_ID, batch.disposed_events.len()))?;
        Ok(Self {
            diffs: wire_count(diffs),
            diff_positions,
            frames,
            disposed_components,
            disposed_events,
            strings,
        })
    }

    /// The five positions that end a batch whose string table starts at `string_table`.
    #[inline(always)]
    pub(super) const fn trailer(&self, string_table: u32) -> [u32; TRAILER / INT] {
        let Self { diff_positions, frames, disposed_components, disposed_events, .. } = *self;
        [diff_positions, frames, disposed_components, disposed_events, string_table]
    }
}

/// Room for `count` records of `W` bytes, and what is left behind them.
#[inline(always)]
pub(super) fn split_records<const W: usize>(
    out: &mut [u8],
    count: usize,
) -> Option<(&mut [[u8; W]], &mut [u8])> {
    let (records, out) = out.split_at_mut_checked(W * count)?;
    Some((records.as_chunks_mut::<W>().0, out))
}

/// A count on the wire.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "the layout has checked what it leads to")]
pub(super) const fn wire_count(count: usize) -> u32 {
    count as u32
}

/// Bytes of a table: its count, and records of `size` bytes.
#[inline(always)]
const fn table_len(size: usize, count: usize) -> u64 {
    INT as u64 + size as u64 * count as u64
}

/// Bytes of a diff: component id, count, edits.
#[inline(always)]
pub(super) const fn diff_len(diff: &Diff<'_>) -> u64 {
    INT as u64 + table_len(EditRecord::SIZE, diff.edits.len())
}

/// Whether `at` is a position on the wire.
#[inline(always)]
pub(super) const fn is_position(at: u32) -> bool {
    at <= MAX_POSITION
}

/// `start + len`, unless it is no position on the wire.
///
/// In 64 bits everywhere: a stream leaves a machine that could not hold it.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "compared before")]
pub(super) const fn position(start: u32, len: u64) -> Result<u32, BatchError> {
    match (start as u64).checked_add(len) {
        Some(end) if end <= MAX_POSITION as u64 => Ok(end as u32),
        _ => Err(BatchError::BatchTooLong),
    }
}

/// A position in memory; one that no slice has where the machine has fewer bits.
#[inline(always)]
pub(super) fn offset(position: u32) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// Bytes of the five positions that end a batch.
pub(super) const TRAILER: usize = 20;
/// Bytes of a count, a position, a component id or one half of a diff's head.
pub(super) const INT: usize = 4;
/// Bytes of an event handler id.
pub(super) const EVENT_ID: usize = 8;
/// The largest position on the wire.
const MAX_POSITION: u32 = i32::MAX.cast_unsigned();
