//! Batches, built call by call and written at the end.

use core::ffi::c_void;

use onewrite::render_batch::{self, Batch, Diff, Edit, EditView, Frame, FrameView, Options};

use super::item::{self, RenderEdit, RenderFrame};
use super::string_slots::{Slot, StringSlots, slots_for};
use crate::Status;
use crate::handle::{self, State};
use crate::list::List;
use crate::memory::{Span, Stop, attempt, input, output, read_sized, span, store};

/// In `flags`: leave out components without edits, which ASP.NET Core writes.
pub const RENDER_SKIP_EMPTY: u32 = 1;
/// In `flags`: refuse event handler ids above 2^53 - 1, which a browser cannot hold.
pub const RENDER_JS_SAFE: u32 = 2;

/// A batch that is being built: 192 bytes with the alignment of a `uint64_t`, the caller's.
///
/// Its bytes are nobody else's. It holds its own address, so it is not copied or moved.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RenderBatch {
    /// Not to be touched.
    pub words: [u64; 24],
}

/// What a batch may hold.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RenderBatchOptions {
    /// `sizeof(ow_render_batch_options)`.
    pub size: u32,
    /// `OW_RENDER_SKIP_EMPTY`, `OW_RENDER_JS_SAFE`, both or neither.
    pub flags: u32,
    /// Most components.
    pub components: u32,
    /// Most edits, of all components together.
    pub edits: u32,
    /// Most frames.
    pub frames: u32,
    /// Most distinct strings among those that a batch shares: names of elements and attributes,
    /// the empty value, and texts that are empty or white space only.
    pub strings: u32,
}

/// Bytes of workspace that are enough for these capacities, on every machine.
#[must_use]
pub const fn render_batch_workspace(
    components: usize,
    edits: usize,
    frames: usize,
    strings: usize,
) -> usize {
    components * 24 + edits * 40 + frames * 56 + (strings + strings / 4 + 1) * 12
}

const _: () = assert!(
    size_of::<Diff<'_>>() <= 24
        && size_of::<Edit<'_>>() <= 40
        && size_of::<Frame<'_>>() <= 56
        && size_of::<Slot>() == 12
        && align_of::<Frame<'_>>() <= 8
        && align_of::<Diff<'_>>() <= align_of::<Frame<'_>>()
        && align_of::<Edit<'_>>() <= align_of::<Diff<'_>>()
        && align_of::<Slot>() <= align_of::<Edit<'_>>(),
    "OW_RENDER_BATCH_WORKSPACE is too small, or items would not be aligned one behind the other"
);

/// The strings of frames and edits are the caller's, who keeps them until the batch has ended.
struct Open {
    frames: List<Frame<'static>>,
    diffs: List<Diff<'static>>,
    edits: List<Edit<'static>>,
    slots: List<Slot>,
    /// Distinct strings that `slots` are for.
    strings: usize,
    /// Where the edits of the last component start.
    first_edit: usize,
    workspace: Span,
    disposed_components: &'static [i32],
    disposed_events: &'static [u64],
    flags: u32,
}

impl State for Open {
    const KIND: u64 = 0xb17c_4a1e_0000_0000;
    type Memory = RenderBatch;
}

/// Begins a batch in `batch`, whatever was there before.
///
/// Its items go to `workspace`, which is aligned to 8 bytes, has at least
/// `OW_RENDER_BATCH_WORKSPACE` of the capacities in `options`, and belongs to the batch until that
/// has ended. A batch that is not wanted any more need not be finished.
///
/// `OW_STATUS_WORKSPACE_TOO_SMALL`; `OW_STATUS_BAD_ARGUMENT` for an unknown flag.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_render_batch_begin(
    batch: *mut RenderBatch,
    options: *const RenderBatchOptions,
    workspace: *mut c_void,
    workspace_len: usize,
) -> Status {
    let result = attempt(|| {
        let place = span(batch, 1)?;
        let workspace = workspace.cast::<u8>();
        let memory = span(workspace, workspace_len)?;
        memory.apart_from(&[place, span(options, 1)?])?;
        place.apart_from(&[span(options, 1)?])?;
        // SAFETY: the caller's promise about `options`.
        let options = unsafe { read_sized(options) }?;
        // SAFETY: the caller's promise about `workspace`, which lies apart from all else.
        let open = unsafe { lay_out(options, workspace, memory, workspace_len) }?;
        // SAFETY: the caller's promise about `batch`.
        unsafe { handle::begin(batch, open) }
    });
    status(result)
}

/// Divides the workspace.
///
/// # Safety
///
/// `workspace` leads to `len` bytes that nobody else uses until the batch has ended, or is null
/// where `len` is 0.
unsafe fn lay_out(
    options: RenderBatchOptions,
    workspace: *mut u8,
    memory: Span,
    len: usize,
) -> Result<Open, Status> {
    if options.flags & !(RENDER_SKIP_EMPTY | RENDER_JS_SAFE) != 0 {
        return Err(Status::BadArgument);
    }
    let [components, edits, frames, strings] =
        [options.components, options.edits, options.frames, options.strings]
            .map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    let slots = slots_for(strings);
    let mut end = 0usize;
    let mut room = |count: usize, size: usize| {
        let start = end;
        end = end.saturating_add(count.saturating_mul(size));
        workspace.wrapping_add(start)
    };
    let frames_at = room(frames, size_of::<Frame<'_>>());
    let diffs_at = room(components, size_of::<Diff<'_>>());
    let edits_at = room(edits, size_of::<Edit<'_>>());
    let slots_at = room(slots, size_of::<Slot>());
    if end > len {
        return Err(Status::WorkspaceTooSmall);
    }
    if !workspace.cast::<u64>().is_aligned() {
        return Err(Status::Unaligned);
    }
    // The parts lie one behind the other, in the order of their alignment, and end within `len`.
    // SAFETY: see above; the caller's promise about the workspace.
    let frames = unsafe { List::new(frames_at.cast(), frames) };
    // SAFETY: the same.
    let diffs = unsafe { List::new(diffs_at.cast(), components) };
    // SAFETY: the same.
    let edits = unsafe { List::new(edits_at.cast(), edits) };
    // SAFETY: the same.
    let mut slots = unsafe { List::new(slots_at.cast(), slots) };
    slots.fill(Slot::FREE);
    Ok(Open {
        frames,
        diffs,
        edits,
        slots,
        strings,
        first_edit: 0,
        workspace: memory,
        disposed_components: &[],
        disposed_events: &[],
        flags: options.flags,
    })
}

/// Adds a component; the edits that follow are its own.
///
/// `OW_STATUS_CAPACITY_EXCEEDED`; the batch is unchanged then.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_render_batch_component(batch: *mut RenderBatch, id: i32) -> Status {
    let result = attempt(|| {
        // SAFETY: the caller's promise about `batch`.
        let open = unsafe { handle::open::<Open>(batch) }?;
        open.diffs.push(Diff { component: id, edits: &[] })?;
        open.first_edit = open.edits.len();
        Ok(())
    });
    status(result)
}

/// Adds an edit to the last component.
///
/// Its name stays in place, unchanged, until the batch has ended.
///
/// `OW_STATUS_NO_COMPONENT`; `OW_STATUS_CAPACITY_EXCEEDED`; `OW_STATUS_INVALID_UTF8`;
/// `OW_STATUS_BAD_ARGUMENT` for an unknown kind, or a field that the kind does not use and that is
/// not zero. The batch is unchanged then.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_render_batch_edit(
    batch: *mut RenderBatch,
    edit: *const RenderEdit,
) -> Status {
    let result = attempt(|| {
        // SAFETY: the caller's promise about `batch`.
        let open = unsafe { handle::open::<Open>(batch) }?;
        let apart = [span(batch, 1)?, open.workspace];
        span(edit, 1)?.apart_from(&apart)?;
        // SAFETY: the caller's promise about `edit`.
        let edit = unsafe { item::edit(edit, &apart) }?;
        // SAFETY: nobody writes over items that were pushed, except `replace_last` below.
        let Some(diff) = unsafe { open.diffs.items_from(0) }.last().copied() else {
            return Err(Status::NoComponent);
        };
        open.edits.push(edit)?;
        // SAFETY: edits that were pushed are not written again.
        let edits = unsafe { open.edits.items_from(open.first_edit) };
        open.diffs.replace_last(Diff { edits, ..diff });
        Ok(())
    });
    status(result)
}

/// Adds a frame.
///
/// Its strings stay in place, unchanged, until the batch has ended.
///
/// `OW_STATUS_CAPACITY_EXCEEDED`; `OW_STATUS_INVALID_UTF8`; `OW_STATUS_BAD_ARGUMENT` for an unknown
/// kind, or a field that the kind does not use and that is not zero. The batch is unchanged then.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_render_batch_frame(
    batch: *mut RenderBatch,
    frame: *const RenderFrame,
) -> Status {
    let result = attempt(|| {
        // SAFETY: the caller's promise about `batch`.
        let open = unsafe { handle::open::<Open>(batch) }?;
        let apart = [span(batch, 1)?, open.workspace];
        span(frame, 1)?.apart_from(&apart)?;
        // SAFETY: the caller's promise about `frame`.
        let frame = unsafe { item::frame(frame, &apart) }?;
        open.frames.push(frame)
    });
    status(result)
}

/// Says which components and event handlers are gone, in place of what was said before.
///
/// Both arrays stay in place, unchanged, until the batch has ended.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_render_batch_disposed(
    batch: *mut RenderBatch,
    components: *const i32,
    component_count: usize,
    events: *const u64,
    event_count: usize,
) -> Status {
    let result = attempt(|| {
        // SAFETY: the caller's promise about `batch`.
        let open = unsafe { handle::open::<Open>(batch) }?;
        let apart = [span(batch, 1)?, open.workspace];
        span(components, component_count)?.apart_from(&apart)?;
        span(events, event_count)?.apart_from(&apart)?;
        // SAFETY: the caller's promise about `components`.
        let components = unsafe { input(components, component_count) }?;
        // SAFETY: the caller's promise about `events`.
        let events = unsafe { input(events, event_count) }?;
        open.disposed_components = components;
        open.disposed_events = events;
        Ok(())
    });
    status(result)
}

/// Bytes that the batch would take now; it goes on as before.
///
/// Walks the batch twice. The statuses of `ow_render_batch_finish`, except
/// `OW_STATUS_BUFFER_TOO_SMALL`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_render_batch_encoded_len(
    batch: *mut RenderBatch,
    len: *mut usize,
) -> Status {
    let result = attempt(|| {
        let place = span(len, 1)?;
        // SAFETY: the caller's promise about `batch`.
        let open = unsafe { handle::open::<Open>(batch) }?;
        let own = [span(batch, 1)?, open.workspace];
        let (items, mut table) = open.parts();
        apart_from_all(place, &own, &items).map_err(Stop::misplaced)?;
        Ok(render_batch::encoded_len(&mut table, &items).map_err(Status::from)?)
    });
    // SAFETY: the caller's promise about `len`.
    unsafe { store(len, result) }
}

/// Writes the batch to the front of `out`, its length to `written`, and ends the handle.
///
/// On any other status than `OW_STATUS_OK` the batch goes on as before, so it can be finished again
/// into a larger buffer; what `out` holds is then not specified.
///
/// `OW_STATUS_BUFFER_TOO_SMALL`; `OW_STATUS_STRING_TABLE_FULL`; `OW_STATUS_STRING_TOO_LONG` for a
/// string of more than 2^28 - 1 bytes; `OW_STATUS_BATCH_TOO_LONG` for a batch of more than 2^31 - 1;
/// `OW_STATUS_EVENT_ID_TOO_LARGE` where `OW_RENDER_JS_SAFE` is set.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_render_batch_finish(
    batch: *mut RenderBatch,
    out: *mut u8,
    out_len: usize,
    written: *mut usize,
) -> Status {
    let result = attempt(|| {
        let place = span(written, 1)?;
        // SAFETY: the caller's promise about `batch`.
        let open = unsafe { handle::open::<Open>(batch) }?;
        let own = [span(batch, 1)?, open.workspace];
        let (items, mut table) = open.parts();
        // Before anything else can stop this: a stop stores zero unless the place is wrong.
        apart_from_all(place, &own, &items).map_err(Stop::misplaced)?;
        let room = span(out, out_len)?;
        place.is_free_of(&[room])?;
        apart_from_all(room, &own, &items)?;
        // SAFETY: the caller's promise about `out`, which lies apart from all that is read.
        let out = unsafe { output(out, out_len) }?;
        let len = render_batch::write_into(&mut table, &items, out).map_err(Status::from)?;
        // SAFETY: the caller's promise about `batch`; what came out of it is not used any more.
        unsafe { handle::end::<Open>(batch) };
        Ok(len)
    });
    // SAFETY: the caller's promise about `written`.
    unsafe { store(written, result) }
}

impl Open {
    /// The batch as it is now, and a table for its strings.
    fn parts(&mut self) -> (Batch<'_>, StringSlots<'_>) {
        // SAFETY: the list is borrowed for as long as the items are.
        let frames = unsafe { self.frames.items_from(0) };
        // SAFETY: the same.
        let diffs = unsafe { self.diffs.items_from(0) };
        // SAFETY: the same; the slots are used through the table only.
        let slots = unsafe { self.slots.items_mut() };
        let options = Options {
            skip_empty_diffs: self.flags & RENDER_SKIP_EMPTY != 0,
            js_safe: self.flags & RENDER_JS_SAFE != 0,
        };
        let (disposed_components, disposed_events) =
            (self.disposed_components, self.disposed_events);
        let batch = Batch { diffs, frames, disposed_components, disposed_events, options };
        (batch, StringSlots::new(slots, self.strings))
    }
}

/// Refuses an output that lies over the handle, its workspace, or anything that the batch borrows.
fn apart_from_all(out: Span, own: &[Span; 2], batch: &Batch<'_>) -> Result<(), Status> {
    out.apart_from(own)?;
    out.apart_from(&[Span::of(batch.disposed_components), Span::of(batch.disposed_events)])?;
    let apart = |string: Option<&str>| {
        let span = string.map(|string| Span::of(string.as_bytes()));
        out.apart_from(&[span.unwrap_or_default()])
    };
    for edit in batch.diffs.iter().flat_map(|diff| diff.edits) {
        if let EditView::RemoveAttribute { name, .. } = edit.view() {
            apart(name)?;
        }
    }
    for frame in batch.frames {
        match frame.view() {
            FrameView::Element { name: string, .. }
            | FrameView::Text { content: string }
            | FrameView::ElementReferenceCapture { id: string }
            | FrameView::Markup { content: string } => apart(string)?,
            FrameView::Attribute { name, value, .. } => {
                apart(name)?;
                apart(value)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The status of a call without a result.
fn status(result: Result<(), Status>) -> Status {
    result.err().unwrap_or(Status::Ok)
}
