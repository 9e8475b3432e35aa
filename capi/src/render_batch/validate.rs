//! Batches that came from elsewhere.

use onewrite::render_batch::{BatchView, Place, TreeError, validate_tree};

use crate::Status;
use crate::memory::{attempt, input, store};

/// In `flags`: take three things that carry no meaning and that ASP.NET Core never writes: unused
/// bytes of any value, length prefixes longer than they need to be, strings in another order.
pub const RENDER_LENIENT: u32 = 1;
/// In `flags`: look at the encoding alone and not whether a browser could apply the batch.
pub const RENDER_ENCODING_ONLY: u32 = 2;

/// Looks at a whole batch: at every byte of its encoding, and whether a browser could apply it.
///
/// Where the batch is refused `at` becomes the offset of the item that is wrong, else 0; it may lie
/// in `bytes`.
///
/// The statuses from `OW_STATUS_END_OF_INPUT` on; `OW_STATUS_EVENT_ID_TOO_LARGE`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_render_batch_validate(
    bytes: *const u8,
    len: usize,
    flags: u32,
    at: *mut usize,
) -> Status {
    let result = attempt(|| {
        if flags & !(RENDER_LENIENT | RENDER_ENCODING_ONLY) != 0 {
            return Err(Status::BadArgument);
        }
        // SAFETY: the caller's promise about `bytes`, which are read before `at` is written.
        let bytes = unsafe { input(bytes, len) }?;
        Ok(validate(bytes, flags))
    });
    let (status, offset) = result.unwrap_or_else(|status| (status, 0));
    // SAFETY: the caller's promise about `at`.
    let stored = unsafe { store(at, Ok(offset)) };
    if stored == Status::Ok { status } else { stored }
}

/// The status, and the offset of what is wrong.
fn validate(bytes: &[u8], flags: u32) -> (Status, usize) {
    let view = if flags & RENDER_LENIENT == 0 {
        BatchView::strict(bytes)
    } else {
        BatchView::lenient(bytes)
    };
    let view = match view {
        Ok(view) => view,
        Err(error) => return (error.kind.into(), error.at),
    };
    if flags & RENDER_ENCODING_ONLY != 0 {
        return (Status::Ok, 0);
    }
    match validate_tree(&view) {
        Ok(()) => (Status::Ok, 0),
        Err(error) => (error.into(), offset(bytes, error)),
    }
}

/// Where in a batch of a valid encoding a broken rule is.
fn offset(bytes: &[u8], error: TreeError) -> usize {
    let place = match error {
        TreeError::DisposedEventIdTooLarge { index, .. } => {
            return item(bytes, Table::DisposedEvents, 8, index);
        }
        TreeError::AttributeNotLeading { at }
        | TreeError::EventIdTooLarge { at, .. }
        | TreeError::EventNameWithoutOn { at }
        | TreeError::FrameOutOfRange { at, .. }
        | TreeError::NegativeSibling { at, .. }
        | TreeError::NotInsertable { at, .. }
        | TreeError::PermutationNotEnded { at }
        | TreeError::PermutationWithoutEntries { at }
        | TreeError::StepOutOfRoot { at }
        | TreeError::StepsNotBalanced { at, .. }
        | TreeError::SubtreeEmpty { at, .. }
        | TreeError::SubtreeTooLong { at, .. }
        | TreeError::WrongFrame { at, .. } => at,
        _ => return 0,
    };
    match place {
        Place::Frame { index, .. } => item(bytes, Table::Frames, 20, index),
        Place::Edit { diff, index, .. } => {
            let diff = number(bytes, item(bytes, Table::DiffPositions, 4, diff));
            diff.saturating_add(8).saturating_add(index.saturating_mul(16))
        }
    }
}

/// Which of the trailer's positions is a table's.
#[derive(Clone, Copy)]
enum Table {
    DiffPositions = 0,
    Frames = 4,
    DisposedEvents = 12,
}

/// Offset of an item in a table with a count in front.
fn item(bytes: &[u8], table: Table, size: usize, index: usize) -> usize {
    let start = number(bytes, bytes.len().saturating_sub(20).saturating_add(table as usize));
    start.saturating_add(4).saturating_add(index.saturating_mul(size))
}

/// The number at an offset; 0 where there is none.
fn number(bytes: &[u8], at: usize) -> usize {
    let found = bytes.split_at_checked(at).and_then(|(_, tail)| tail.first_chunk());
    found.map_or(0, |bytes| usize::try_from(u32::from_le_bytes(*bytes)).unwrap_or(0))
}
