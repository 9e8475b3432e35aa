//! A slice of records into memory.

use core::convert::Infallible;

use super::{ByteArray, Record};
use crate::error::{WriteError, WriteErrorKind};

/// Writes `records` one after the other to the start of `out` and returns how many bytes they took.
///
/// The room is checked once, so what is left per record is its stores. Bytes of `out` after the
/// last record stay as they are.
///
/// Machine code: [`flat_frames`](crate::machine_code::flat_frames),
/// [`edit_batch`](crate::machine_code::edit_batch),
/// [`id_array_chunk`](crate::machine_code::id_array_chunk).
///
/// # Errors
///
/// [`Full`](WriteErrorKind::Full) where the records do not all fit; `out` is then unchanged.
#[inline]
pub fn write_slice<R: Record>(
    records: &[R],
    out: &mut [u8],
) -> Result<usize, WriteError<Infallible>> {
    let available = out.len();
    let needed = records.len().saturating_mul(R::Bytes::LEN);
    let Some((out, _)) = out.split_at_mut_checked(needed) else {
        return Err(WriteError::new(0, WriteErrorKind::Full { needed, available }));
    };
    fill(records, out);
    Ok(needed)
}

/// Writes as many `records` as `out` holds.
#[inline(always)]
pub(super) fn fill<R: Record>(records: &[R], out: &mut [u8]) {
    let (slots, _) = R::Bytes::chunks_mut(out);
    for (record, slot) in records.iter().zip(slots) {
        record.write_at(slot);
    }
}
