//! Frames and edits as C describes them.

#[cfg(target_pointer_width = "64")]
use core::mem::offset_of;

use onewrite::render_batch::{Edit, EditType, Frame, FrameType, Name, Value};

use crate::memory::{Bytes, Span, span};
use crate::{Status, memory};

/// Kinds of frames: `RenderTreeFrameType` of ASP.NET Core.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenderFrameKind {
    /// An element: `name`, `subtree`.
    Element = 1,
    /// A text node: `text`.
    Text = 2,
    /// An attribute of the element or component before it: `name`, its value in `text`, `event`.
    Attribute = 3,
    /// A child component: `component`, `subtree`.
    Component = 4,
    /// A region: `subtree`.
    Region = 5,
    /// A request for a reference to the element: its id in `text`.
    ElementReferenceCapture = 6,
    /// A request for a reference to the component.
    ComponentReferenceCapture = 7,
    /// A block of markup: `text`.
    Markup = 8,
    /// A render mode.
    ComponentRenderMode = 9,
    /// A named event.
    NamedEvent = 10,
}

/// Kinds of edits: `RenderTreeEditType` of ASP.NET Core.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenderEditKind {
    /// Insert the subtree of frame `index` before `sibling`.
    PrependFrame = 1,
    /// Remove `sibling`.
    RemoveFrame = 2,
    /// Set on `sibling` the attribute that frame `index` holds.
    SetAttribute = 3,
    /// Remove the attribute `name` of `sibling`.
    RemoveAttribute = 4,
    /// Replace the text of `sibling` by that of frame `index`.
    UpdateText = 5,
    /// Make `sibling` the current parent.
    StepIn = 6,
    /// Go back to the parent's parent.
    StepOut = 7,
    /// Replace the markup of `sibling` by that of frame `index`.
    UpdateMarkup = 8,
    /// Move the child at `sibling` to `index`, once the list ends.
    PermutationListEntry = 9,
    /// Carry out the moves since the last end.
    PermutationListEnd = 10,
}

const _: () = assert!(
    RenderFrameKind::Element as u32 == FrameType::Element as u32
        && RenderFrameKind::ElementReferenceCapture as u32
            == FrameType::ElementReferenceCapture as u32
        && RenderFrameKind::NamedEvent as u32 == FrameType::NamedEvent as u32
        && RenderEditKind::PrependFrame as u32 == EditType::PrependFrame as u32
        && RenderEditKind::StepIn as u32 == EditType::StepIn as u32
        && RenderEditKind::PermutationListEnd as u32 == EditType::PermutationListEnd as u32,
    "the kinds are not numbered as in the library"
);

/// In `strings`: the item has a name. Without it the name is the null string.
pub const RENDER_HAS_NAME: u32 = 1;
/// In `strings`: the frame has a text or value. Without it that is the null string.
pub const RENDER_HAS_TEXT: u32 = 2;

/// A reference frame. What its kind does not use is zero.
///
/// The null string and the empty one differ: `strings` says which are there. The value of an
/// attribute that is `true` is the empty string, of one that is `false`, a number or an object the
/// null string.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RenderFrame {
    /// `sizeof(ow_render_frame)`.
    pub size: u32,
    /// One of `OW_RENDER_FRAME_KIND_`.
    pub kind: u32,
    /// `OW_RENDER_HAS_NAME`, `OW_RENDER_HAS_TEXT`, both or neither.
    pub strings: u32,
    /// Frames in the subtree, this one included.
    pub subtree: i32,
    /// Id of a child component.
    pub component: i32,
    /// Zero.
    pub reserved: u32,
    /// Id of the event handler that an attribute calls, or 0.
    pub event: u64,
    /// Name of an element or attribute.
    pub name: Bytes,
    /// Text, markup, value of an attribute, id of a reference capture.
    pub text: Bytes,
}

/// An edit. What its kind does not use is zero.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RenderEdit {
    /// `sizeof(ow_render_edit)`.
    pub size: u32,
    /// One of `OW_RENDER_EDIT_KIND_`.
    pub kind: u32,
    /// `OW_RENDER_HAS_NAME` or 0.
    pub strings: u32,
    /// Which child of the current parent, from 0.
    pub sibling: i32,
    /// Which of the batch's frames, or where a permutation moves to.
    pub index: i32,
    /// Zero.
    pub reserved: u32,
    /// Name of the attribute that is removed.
    pub name: Bytes,
}

/// What `capi/tests/header.c` asserts of the header.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(
    size_of::<RenderFrame>() == 64
        && offset_of!(RenderFrame, strings) == 8
        && offset_of!(RenderFrame, subtree) == 12
        && offset_of!(RenderFrame, component) == 16
        && offset_of!(RenderFrame, event) == 24
        && offset_of!(RenderFrame, name) == 32
        && offset_of!(RenderFrame, text) == 48
        && size_of::<RenderEdit>() == 40
        && offset_of!(RenderEdit, sibling) == 12
        && offset_of!(RenderEdit, index) == 16
        && offset_of!(RenderEdit, name) == 24
        && size_of::<Bytes>() == 16
        && offset_of!(Bytes, len) == 8,
    "a struct is not laid out as the header says"
);

/// A string that is there, or none; `apart` is where it may not lie.
///
/// # Safety
///
/// As for [`memory::input`].
unsafe fn string<'a>(
    present: bool,
    bytes: Bytes,
    apart: &[Span],
) -> Result<Option<&'a str>, Status> {
    if !present {
        return if bytes.is_unset() { Ok(None) } else { Err(Status::BadArgument) };
    }
    span(bytes.start.cast::<u8>(), bytes.len)?.apart_from(apart)?;
    // SAFETY: as this function's own.
    unsafe { bytes.text() }.map(Some)
}

fn name_of(string: Option<&str>) -> Name<'_> {
    string.map_or(Name::NULL, Name::new)
}

fn kind_of<K>(number: u32, from_wire: fn(i32) -> Option<K>) -> Result<K, Status> {
    i32::try_from(number).ok().and_then(from_wire).ok_or(Status::BadArgument)
}

/// Refuses what `uses` does not list, where it is set.
fn only(uses: u32, set: &[(u32, bool)]) -> Result<(), Status> {
    let stray = set.iter().any(|(field, set)| *set && uses & field == 0);
    if stray { Err(Status::BadArgument) } else { Ok(()) }
}

const NAME: u32 = RENDER_HAS_NAME;
const TEXT: u32 = RENDER_HAS_TEXT;
const SUBTREE: u32 = 4;
const COMPONENT: u32 = 8;
const EVENT: u32 = 16;
const SIBLING: u32 = 4;
const INDEX: u32 = 8;

/// The frame at `frame`, whose strings lie apart from `apart`.
///
/// # Safety
///
/// As for [`memory::read_sized`], and its strings as for [`memory::input`].
pub(super) unsafe fn frame<'a>(
    frame: *const RenderFrame,
    apart: &[Span],
) -> Result<Frame<'a>, Status> {
    // SAFETY: as this function's own.
    let given = unsafe { memory::read_sized(frame) }?;
    let RenderFrame { subtree, component, event, strings, .. } = given;
    let kind = kind_of(given.kind, FrameType::from_wire)?;
    let uses = match kind {
        FrameType::Element => NAME | SUBTREE,
        FrameType::Text | FrameType::Markup | FrameType::ElementReferenceCapture => TEXT,
        FrameType::Attribute => NAME | TEXT | EVENT,
        FrameType::Component => COMPONENT | SUBTREE,
        FrameType::Region => SUBTREE,
        FrameType::ComponentReferenceCapture
        | FrameType::ComponentRenderMode
        | FrameType::NamedEvent => 0,
    };
    only(
        uses,
        &[
            (NAME, strings & NAME != 0),
            (TEXT, strings & TEXT != 0),
            (SUBTREE, subtree != 0),
            (COMPONENT, component != 0),
            (EVENT, event != 0),
            (0, strings & !(NAME | TEXT) != 0 || given.reserved != 0),
        ],
    )?;
    // SAFETY: as this function's own.
    let name = unsafe { string(strings & NAME != 0, given.name, apart) }?;
    // SAFETY: as this function's own.
    let text = unsafe { string(strings & TEXT != 0, given.text, apart) }?;
    Ok(match kind {
        FrameType::Element => Frame::element_named(name_of(name), subtree),
        FrameType::Text => text.map_or(const { Frame::null_text() }, Frame::text),
        FrameType::Attribute => {
            let value = text.map_or(Value::Null, Value::Str);
            Frame::attribute_named(name_of(name), value, event)
        }
        FrameType::Component => Frame::component(component, subtree),
        FrameType::Region => Frame::region(subtree),
        FrameType::ElementReferenceCapture => {
            let null = const { Frame::null_element_reference_capture() };
            text.map_or(null, Frame::element_reference_capture)
        }
        FrameType::ComponentReferenceCapture => Frame::component_reference_capture(),
        FrameType::Markup => text.map_or(const { Frame::null_markup() }, Frame::markup),
        FrameType::ComponentRenderMode => Frame::component_render_mode(),
        FrameType::NamedEvent => Frame::named_event(),
    })
}

/// The edit at `edit`, whose string lies apart from `apart`.
///
/// # Safety
///
/// As for [`memory::read_sized`], and its string as for [`memory::input`].
pub(super) unsafe fn edit<'a>(edit: *const RenderEdit, apart: &[Span]) -> Result<Edit<'a>, Status> {
    // SAFETY: as this function's own.
    let given = unsafe { memory::read_sized(edit) }?;
    let RenderEdit { sibling, index, strings, .. } = given;
    let kind = kind_of(given.kind, EditType::from_wire)?;
    let uses = match kind {
        EditType::RemoveAttribute => NAME | SIBLING,
        EditType::RemoveFrame | EditType::StepIn => SIBLING,
        EditType::StepOut | EditType::PermutationListEnd => 0,
        EditType::PrependFrame
        | EditType::SetAttribute
        | EditType::UpdateText
        | EditType::UpdateMarkup
        | EditType::PermutationListEntry => SIBLING | INDEX,
    };
    only(
        uses,
        &[
            (NAME, strings & NAME != 0),
            (SIBLING, sibling != 0),
            (INDEX, index != 0),
            (0, strings & !NAME != 0 || given.reserved != 0),
        ],
    )?;
    // SAFETY: as this function's own.
    let name = unsafe { string(strings & NAME != 0, given.name, apart) }?;
    Ok(match kind {
        EditType::PrependFrame => Edit::prepend_frame(sibling, index),
        EditType::RemoveFrame => Edit::remove_frame(sibling),
        EditType::SetAttribute => Edit::set_attribute(sibling, index),
        EditType::RemoveAttribute => Edit::remove_attribute_named(sibling, name_of(name)),
        EditType::UpdateText => Edit::update_text(sibling, index),
        EditType::StepIn => Edit::step_in(sibling),
        EditType::StepOut => Edit::step_out(),
        EditType::UpdateMarkup => Edit::update_markup(sibling, index),
        EditType::PermutationListEntry => Edit::permutation_list_entry(sibling, index),
        EditType::PermutationListEnd => Edit::permutation_list_end(),
    })
}
