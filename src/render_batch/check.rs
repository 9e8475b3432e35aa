//! The one pass over a batch's bytes that makes its views infallible.

use super::reader::{BatchView, StringData};
use super::{EditRecord, EditType, FrameRecord, FrameType};
use crate::error::{DecodeError, DecodeErrorKind};

/// Which of the two readers asks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Strict,
    Lenient,
}

/// Bytes of a diff's component id and edit count.
pub(super) const DIFF_HEAD: usize = 8;
const TRAILER: usize = 20;
/// Bytes of a count or a position.
const INT: usize = 4;
/// The most bytes of a length prefix that a browser reads.
const MAX_PREFIX: usize = 4;
/// How many times the batch's length its strings may be together where they overlap.
const OVERLAP_BUDGET: u64 = 16;

/// Names of the tables in errors.
const DIFFS: &str = "updated components";
const EDITS: &str = "edits";
const FRAMES: &str = "reference frames";
const DISPOSED_COMPONENTS: &str = "disposed components";
const DISPOSED_EVENTS: &str = "disposed event handlers";
const STRINGS: &str = "strings";
const STRING_TABLE: &str = "string table";

/// Checks a batch from its trailer to its strings, and then its records.
///
/// Counts and positions are i64 until they are known to lie in the slice, so nothing wraps where
/// usize has 32 bits.
pub(super) fn batch(bytes: &[u8], mode: Mode) -> Result<BatchView<'_>, DecodeError> {
    let Some((body, trailer)) = bytes.split_last_chunk::<TRAILER>() else {
        let available = bytes.len();
        let kind =
            DecodeErrorKind::TableTruncated { table: "trailer", needed: TRAILER, available };
        return Err(DecodeError::new(0, kind));
    };
    let starts = starts(body.len(), trailer)?;
    let [diffs_at, frames_at, components_at, events_at, strings_at] = starts;

    let (diffs, end) = table(body, DIFFS, diffs_at, frames_at)?;
    adjacent(body, FRAMES, 1, frames_at, end)?;
    let (frames, end) = table(body, FRAMES, frames_at, components_at)?;
    adjacent(body, DISPOSED_COMPONENTS, 2, components_at, end)?;
    let (disposed_components, end) = table(body, DISPOSED_COMPONENTS, components_at, events_at)?;
    adjacent(body, DISPOSED_EVENTS, 3, events_at, end)?;
    let (disposed_events, data_at) = table(body, DISPOSED_EVENTS, events_at, strings_at)?;

    let (before, string_table) = body.split_at_checked(strings_at).unwrap_or_default();
    let (positions, _) = string_table.as_chunks();
    let strings = StringData { batch: before, positions };
    check_strings(strings, data_at, bytes.len(), mode)?;
    check_diffs(strings, diffs, diffs_at, mode)?;
    check_frames(frames, frames_at + INT, positions.len(), mode)?;
    Ok(BatchView { strings, diffs, frames, disposed_components, disposed_events })
}

/// The five positions of the trailer: inside the body, in order, with room for a count each.
fn starts(body: usize, trailer: &[u8; TRAILER]) -> Result<[usize; 5], DecodeError> {
    let mut starts = [0; 5];
    let (words, _) = trailer.as_chunks();
    let names = [DIFFS, FRAMES, DISPOSED_COMPONENTS, DISPOSED_EVENTS, STRING_TABLE];
    // The string table has no count: it may be empty, and its length tells its entries.
    let counts = [INT, INT, INT, INT, 0];
    let mut least = 0;
    for (((start, word), (name, count)), at) in
        starts.iter_mut().zip(words).zip(names.into_iter().zip(counts)).zip((body..).step_by(INT))
    {
        let position = i32::from_le_bytes(*word);
        match usize::try_from(position) {
            Ok(value) if value >= least && value <= body && body - value >= count => {
                *start = value;
                least = value + count;
            }
            _ => return Err(bad_position(at, name, position)),
        }
    }
    let [.., last] = starts;
    if !(body - last).is_multiple_of(INT) {
        return Err(bad_position(body + 4 * INT, STRING_TABLE, last));
    }
    Ok(starts)
}

/// The entries of the table at `at`, which must end before `limit`, and where they end.
fn table<'a, const N: usize>(
    body: &'a [u8],
    name: &'static str,
    at: usize,
    limit: usize,
) -> Result<(&'a [[u8; N]], usize), DecodeError> {
    let inside = body.get(at..limit).unwrap_or_default();
    let Some((count, entries)) = inside.split_first_chunk::<INT>() else {
        let kind = DecodeErrorKind::TableTruncated {
            table: name,
            needed: INT,
            available: inside.len(),
        };
        return Err(DecodeError::new(at, kind));
    };
    let count = i32::from_le_bytes(*count);
    let (entries, _) = entries.as_chunks::<N>();
    match usize::try_from(count).ok().and_then(|count| entries.get(..count)) {
        Some(entries) => Ok((entries, at + INT + size_of_val(entries))),
        None => Err(count_too_large(at, name, count)),
    }
}
