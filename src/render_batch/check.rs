//! The one pass over a batch's bytes that makes its views infallible.

use super::layout::{INT, TRAILER};
use super::reader::{BatchView, Strings};
use super::string_data::MAX_PREFIX;
use super::{EditRecord, EditType, FrameRecord, FrameType};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::record::{get, split_last_chunk};

/// Which of the two readers asks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Strict,
    Lenient,
}

/// Checks a batch from its trailer to its strings, and then its records.
///
/// A count is never multiplied: it is compared with the number of entries that the slice holds, so
/// nothing wraps where usize has 32 bits.
pub(super) fn batch(bytes: &[u8], mode: Mode) -> Result<BatchView<'_>, DecodeError> {
    let Some((body, trailer)) = split_last_chunk::<TRAILER>(bytes) else {
        let available = bytes.len();
        let kind = DecodeErrorKind::TableTruncated { table: "trailer", needed: TRAILER, available };
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
    let strings = Strings { batch: before, positions };
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
        return Err(bad_start(body + 4 * INT, STRING_TABLE, last));
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
        let kind =
            DecodeErrorKind::TableTruncated { table: name, needed: INT, available: inside.len() };
        return Err(DecodeError::new(at, kind));
    };
    let count = i32::from_le_bytes(*count);
    let (entries, _) = entries.as_chunks::<N>();
    match usize::try_from(count).ok().and_then(|count| entries.get(..count)) {
        Some(entries) => Ok((entries, at + INT + size_of_val(entries))),
        None => Err(count_too_large(at, name, count)),
    }
}

/// The table whose position is word `word` of the trailer must start where the one before ends.
fn adjacent(
    body: &[u8],
    name: &'static str,
    word: usize,
    start: usize,
    end: usize,
) -> Result<(), DecodeError> {
    if start == end { Ok(()) } else { Err(bad_start(body.len() + word * INT, name, start)) }
}

fn check_strings(
    strings: Strings<'_>,
    data_at: usize,
    batch_len: usize,
    mode: Mode,
) -> Result<(), DecodeError> {
    let end = strings.batch.len();
    let mut previous = None;
    // Where the next string starts if the data has no gap.
    let mut next = data_at;
    let mut gap = None;
    let mut excused = false;
    let mut budget = (batch_len as u64).saturating_mul(OVERLAP_BUDGET);
    for (index, word) in strings.positions.iter().enumerate() {
        let entry_at = end + INT * index;
        let position = i32::from_le_bytes(*word);
        let (at, tail) = match usize::try_from(position) {
            Ok(at) if at >= data_at && at < end => (at, strings.batch.get(at..)),
            _ => return Err(bad_position(entry_at, STRINGS, position)),
        };
        let tail = tail.unwrap_or_default();
        if previous.is_some_and(|previous| at <= previous) {
            let kind = DecodeErrorKind::NotAscending { table: STRINGS };
            excused = excuse(mode, DecodeError::new(entry_at, kind))?;
        } else if at != next && gap.is_none() {
            gap = Some(bad_position(entry_at, STRINGS, position));
        }
        let (len, prefix) = length_prefix(tail).map_err(|kind| DecodeError::new(at, kind))?;
        if prefix > 1 && len >> (7 * (prefix - 1)) == 0 {
            excused = excuse(mode, DecodeError::new(at, DecodeErrorKind::OverlongVarint))?;
        }
        let Some(string) = tail.get(prefix..).and_then(|body| body.get(..len)) else {
            let needed = prefix + len;
            let kind = DecodeErrorKind::EndOfInput { needed, available: tail.len() };
            return Err(DecodeError::new(at, kind));
        };
        budget = budget
            .checked_sub(len as u64)
            .ok_or_else(|| bad_position(entry_at, STRINGS, position))?;
        if str::from_utf8(string).is_err() {
            return Err(DecodeError::new(at + prefix, DecodeErrorKind::InvalidUtf8));
        }
        previous = Some(at);
        next = at + prefix + len;
    }
    match gap {
        _ if excused => Ok(()),
        Some(error) => Err(error),
        None => filled(next, end),
    }
}

/// Whether `mode` lets `error` pass; then gaps between strings pass as well.
fn excuse(mode: Mode, error: DecodeError) -> Result<bool, DecodeError> {
    match mode {
        Mode::Strict => Err(error),
        Mode::Lenient => Ok(true),
    }
}

/// The length that a string starts with, and the bytes that it takes.
pub(super) fn length_prefix(tail: &[u8]) -> Result<(usize, usize), DecodeErrorKind> {
    let mut len = 0;
    for (index, byte) in tail.iter().take(MAX_PREFIX).enumerate() {
        len |= usize::from(byte & 0x7f) << (7 * index);
        if *byte < 0x80 {
            return Ok((len, index + 1));
        }
    }
    Err(if tail.len() < MAX_PREFIX {
        DecodeErrorKind::EndOfInput { needed: tail.len() + 1, available: tail.len() }
    } else {
        DecodeErrorKind::VarintTooLong
    })
}

/// The diffs must stand in the order of their table and fill everything before it.
fn check_diffs(
    strings: Strings<'_>,
    diffs: &[[u8; INT]],
    diffs_at: usize,
    mode: Mode,
) -> Result<(), DecodeError> {
    let section = strings.batch.get(..diffs_at).unwrap_or_default();
    let mut at = 0;
    for (index, word) in diffs.iter().enumerate() {
        let position = i32::from_le_bytes(*word);
        if usize::try_from(position) != Ok(at) {
            return Err(bad_position(diffs_at + INT + INT * index, DIFFS, position));
        }
        let tail = section.get(at..).unwrap_or_default();
        let (Some(head), Some(rest)) = (tail.first_chunk::<DIFF_HEAD>(), tail.get(DIFF_HEAD..))
        else {
            let available = tail.len();
            let kind =
                DecodeErrorKind::TableTruncated { table: DIFFS, needed: DIFF_HEAD, available };
            return Err(DecodeError::new(at, kind));
        };
        let count = i32::from_le_bytes(get::<4, 4, DIFF_HEAD>(head));
        let (edits, _) = rest.as_chunks::<{ EditRecord::SIZE }>();
        let Some(edits) = usize::try_from(count).ok().and_then(|count| edits.get(..count)) else {
            return Err(count_too_large(at + INT, EDITS, count));
        };
        for (index, bytes) in edits.iter().enumerate() {
            let edit_at = at + DIFF_HEAD + EditRecord::SIZE * index;
            check_edit(bytes, edit_at, strings.positions.len(), mode)?;
        }
        at += DIFF_HEAD + size_of_val(edits);
    }
    filled(at, diffs_at)
}

fn check_edit(
    bytes: &[u8; EditRecord::SIZE],
    at: usize,
    strings: usize,
    mode: Mode,
) -> Result<(), DecodeError> {
    let EditRecord { kind, sibling, index, name } = EditRecord::fields(bytes);
    let Some(kind) = EditType::from_wire(kind) else {
        return Err(unknown(at, "EditType", kind));
    };
    let (uses_sibling, uses_index) = match kind {
        EditType::PrependFrame
        | EditType::SetAttribute
        | EditType::UpdateText
        | EditType::UpdateMarkup
        | EditType::PermutationListEntry => (true, true),
        EditType::RemoveFrame | EditType::RemoveAttribute | EditType::StepIn => (true, false),
        EditType::StepOut | EditType::PermutationListEnd => (false, false),
    };
    if kind == EditType::RemoveAttribute {
        check_string(name, at + 12, strings)?;
    }
    if mode == Mode::Strict {
        zero(uses_sibling || sibling == 0, at + 4)?;
        zero(uses_index || index == 0, at + 8)?;
        if kind != EditType::RemoveAttribute && name != -1 {
            return Err(DecodeError::new(at + 12, DecodeErrorKind::UnusedNotNull));
        }
    }
    Ok(())
}

fn check_frames(
    frames: &[[u8; FrameRecord::SIZE]],
    frames_at: usize,
    strings: usize,
    mode: Mode,
) -> Result<(), DecodeError> {
    for (index, bytes) in frames.iter().enumerate() {
        check_frame(bytes, frames_at + FrameRecord::SIZE * index, strings, mode)?;
    }
    Ok(())
}

fn check_frame(
    bytes: &[u8; FrameRecord::SIZE],
    at: usize,
    strings: usize,
    mode: Mode,
) -> Result<(), DecodeError> {
    let FrameRecord { kind, first, second, event } = FrameRecord::fields(bytes);
    let Some(kind) = FrameType::from_wire(kind) else {
        return Err(unknown(at, "FrameType", kind));
    };
    let (uses_first, uses_second) = match kind {
        FrameType::Element => {
            check_string(second, at + 8, strings)?;
            (true, true)
        }
        FrameType::Text | FrameType::ElementReferenceCapture | FrameType::Markup => {
            check_string(first, at + 4, strings)?;
            (true, false)
        }
        FrameType::Attribute => {
            check_string(first, at + 4, strings)?;
            check_string(second, at + 8, strings)?;
            (true, true)
        }
        FrameType::Component => (true, true),
        FrameType::Region => (true, false),
        FrameType::ComponentReferenceCapture
        | FrameType::ComponentRenderMode
        | FrameType::NamedEvent => (false, false),
    };
    if mode == Mode::Strict {
        zero(uses_first || first == 0, at + 4)?;
        zero(uses_second || second == 0, at + 8)?;
        zero(kind == FrameType::Attribute || event == 0, at + 12)?;
    }
    Ok(())
}

/// A string index is -1 for null, or one in the table.
fn check_string(index: i32, at: usize, len: usize) -> Result<(), DecodeError> {
    match usize::try_from(index) {
        Ok(entry) if entry < len => Ok(()),
        _ if index == -1 => Ok(()),
        _ => {
            let index = i64::from(index);
            let kind = DecodeErrorKind::IndexOutOfRange { table: STRINGS, index, len };
            Err(DecodeError::new(at, kind))
        }
    }
}

fn zero(holds: bool, at: usize) -> Result<(), DecodeError> {
    if holds { Ok(()) } else { Err(DecodeError::new(at, DecodeErrorKind::UnusedNotZero)) }
}

/// A section whose items end at `at` must itself end there.
fn filled(at: usize, end: usize) -> Result<(), DecodeError> {
    match end.checked_sub(at) {
        None | Some(0) => Ok(()),
        Some(extra) => Err(DecodeError::new(at, DecodeErrorKind::TrailingBytes { extra })),
    }
}

fn bad_position(at: usize, table: &'static str, position: i32) -> DecodeError {
    let position = i64::from(position);
    DecodeError::new(at, DecodeErrorKind::BadPosition { table, position })
}

/// [`bad_position`] for one that was found to lie in the slice, and so fits.
fn bad_start(at: usize, table: &'static str, start: usize) -> DecodeError {
    let position = i64::try_from(start).unwrap_or(i64::MAX);
    DecodeError::new(at, DecodeErrorKind::BadPosition { table, position })
}

fn count_too_large(at: usize, table: &'static str, count: i32) -> DecodeError {
    let count = i64::from(count);
    DecodeError::new(at, DecodeErrorKind::CountTooLarge { table, count })
}

fn unknown(at: usize, name: &'static str, value: i32) -> DecodeError {
    let value = u64::from(value.cast_unsigned());
    DecodeError::new(at, DecodeErrorKind::UnknownDiscriminant { name, value })
}

/// Bytes of a diff's component id and edit count.
pub(super) const DIFF_HEAD: usize = 2 * INT;
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
