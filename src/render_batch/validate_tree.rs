//! Whether a batch makes sense to a browser: what the wire format allows and the DOM does not.

use super::batch::JS_SAFE;
use super::reader::{BatchView, edit_type, frame_type};
use super::{Batch, EditRecord, EditType, FrameRecord, FrameType, FrameView, Place, TreeError};

/// Checks what keeps a browser from hanging or throwing when it applies `batch`.
///
/// `batch` is a [`Batch`] before it is written, or a [`BatchView`] of one that came in. The rules
/// are those of `BrowserRenderer.ts` (dotnet/aspnetcore, `src/Components/Web.JS`), which checks
/// none of them itself; a subtree length of 0 makes it loop for ever.
///
/// - A subtree length is at least 1 and stays inside the subtree around it.
/// - Attributes come before all other children of an element or a component, and are children of
///   nothing else. A frame outside every subtree may be an attribute, for an edit to set.
/// - Reference captures of components and render modes are children of components only.
/// - An attribute with an event handler has a name of `on` and at least one more character.
/// - No event handler id, disposed ones included, exceeds 2^53 - 1.
/// - An edit's frame exists and is of the edit's kind. What is inserted is an element, a text, a
///   component, a region, markup, an element reference capture or a named event.
/// - Siblings are counted from 0. Each component's edits step out as often as they step in, and
///   never further.
/// - The entries of a permutation list stand together, at least one, followed by its end.
///
/// Component ids and the siblings' number are not checked: only the browser knows its tree.
/// Takes time in proportion to the frames and edits, and no memory.
///
/// # Errors
/// A broken rule: of the frames if they break one, else of the first edit that does, else of the
/// disposed event handlers.
pub fn validate_tree<T: Tree + ?Sized>(batch: &T) -> Result<(), TreeError> {
    validate_frames(batch)?;
    let mut diff = 0;
    while let Some(edits) = batch.edit_count(diff) {
        validate_edits(batch, diff, edits)?;
        diff += 1;
    }
    let mut index = 0;
    while let Some(id) = batch.disposed_event(index) {
        if id > JS_SAFE {
            return Err(TreeError::DisposedEventIdTooLarge { index, id });
        }
        index += 1;
    }
    Ok(())
}

/// What [`validate_tree`] can look at: [`Batch`] and [`BatchView`].
pub trait Tree: sealed::Shapes {}

impl Tree for Batch<'_> {}

impl Tree for BatchView<'_> {}

mod sealed {
    /// A batch without its strings.
    ///
    /// Everything here takes constant time, so names are not decoded again for each frame that
    /// uses them.
    #[allow(unnameable_types, reason = "seals Tree")]
    pub trait Shapes {
        fn frame(&self, index: usize) -> Option<super::FrameShape>;
        fn frame_count(&self) -> usize;
        fn edit(&self, diff: usize, index: usize) -> Option<super::EditShape>;
        /// `None` past the last diff.
        fn edit_count(&self, diff: usize) -> Option<usize>;
        fn disposed_event(&self, index: usize) -> Option<u64>;
    }
}

/// A frame without its strings.
#[allow(unnameable_types, reason = "only the sealed trait names it")]
#[derive(Clone, Copy, Debug)]
pub struct FrameShape {
    kind: FrameType,
    /// Subtree length; 1 for frames that have none.
    subtree: i32,
    event: u64,
    names_event: bool,
}

/// An edit without its string.
#[allow(unnameable_types, reason = "only the sealed trait names it")]
#[derive(Clone, Copy, Debug)]
pub struct EditShape {
    kind: EditType,
    sibling: i32,
    index: i32,
}

impl sealed::Shapes for Batch<'_> {
    fn frame(&self, index: usize) -> Option<FrameShape> {
        let frame = self.frames.get(index)?;
        let leaf = FrameShape { kind: frame.kind(), subtree: 1, event: 0, names_event: false };
        Some(match frame.view() {
            FrameView::Element { subtree, .. }
            | FrameView::Component { subtree, .. }
            | FrameView::Region { subtree } => FrameShape { subtree, ..leaf },
            FrameView::Attribute { name, event, .. } => {
                FrameShape { event, names_event: names_event(name.map(str::as_bytes)), ..leaf }
            }
            _ => leaf,
        })
    }

    fn frame_count(&self) -> usize {
        self.frames.len()
    }

    fn edit(&self, diff: usize, index: usize) -> Option<EditShape> {
        let edit = self.diffs.get(diff)?.edits.get(index)?;
        Some(EditShape { kind: edit.kind, sibling: edit.sibling, index: edit.index })
    }

    fn edit_count(&self, diff: usize) -> Option<usize> {
        Some(self.diffs.get(diff)?.edits.len())
    }

    fn disposed_event(&self, index: usize) -> Option<u64> {
        self.disposed_events.get(index).copied()
    }
}

impl sealed::Shapes for BatchView<'_> {
    fn frame(&self, index: usize) -> Option<FrameShape> {
        let FrameRecord { kind, first, event, .. } = FrameRecord::fields(self.frames.get(index)?);
        let kind = frame_type(kind);
        let leaf = FrameShape { kind, subtree: 1, event: 0, names_event: false };
        Some(match kind {
            FrameType::Element | FrameType::Component | FrameType::Region => {
                FrameShape { subtree: first, ..leaf }
            }
            FrameType::Attribute => {
                let names_event = names_event(self.strings.get_bytes(first));
                FrameShape { event, names_event, ..leaf }
            }
            _ => leaf,
        })
    }

    fn frame_count(&self) -> usize {
        self.frames.len()
    }

    fn edit(&self, diff: usize, index: usize) -> Option<EditShape> {
        let (_, edits) = self.strings.diff_at(self.diffs.get(diff)?);
        let EditRecord { kind, sibling, index, .. } = EditRecord::fields(edits.get(index)?);
        Some(EditShape { kind: edit_type(kind), sibling, index })
    }

    fn edit_count(&self, diff: usize) -> Option<usize> {
        let (_, edits) = self.strings.diff_at(self.diffs.get(diff)?);
        Some(edits.len())
    }

    fn disposed_event(&self, index: usize) -> Option<u64> {
        self.disposed_events.get(index).map(|id| u64::from_le_bytes(*id))
    }
}

/// Whether an attribute's name stands for an event: `on` and at least one character, as
/// `applyAttribute` in `BrowserRenderer.ts` asks for.
fn names_event(name: Option<&[u8]>) -> bool {
    matches!(name, Some([b'o', b'n', _, ..]))
}

/// Checks every subtree by walking from child to child of each frame in turn.
///
/// Without a stack, and still in linear time: as long as no subtree reaches past its parent's,
/// each frame is the child of exactly one other. The first that does is met, and ends the walk,
/// before any frame is visited as the child of a second one, because parents are taken in order.
fn validate_frames<T: Tree + ?Sized>(batch: &T) -> Result<(), TreeError> {
    let len = batch.frame_count();
    let mut index = 0;
    while index < len {
        index = validate_subtree(batch, index, len)?;
    }
    let mut index = 0;
    while let Some(parent) = batch.frame(index) {
        validate_children(batch, index, parent)?;
        index += 1;
    }
    Ok(())
}

/// Checks the children of frame `index`, whose own subtree was checked before.
fn validate_children<T: Tree + ?Sized>(
    batch: &T,
    index: usize,
    parent: FrameShape,
) -> Result<(), TreeError> {
    if parent.kind == FrameType::Attribute && parent.event != 0 {
        let at = Place::Frame { index, kind: parent.kind };
        if !parent.names_event {
            return Err(TreeError::EventNameWithoutOn { at });
        }
        if parent.event > JS_SAFE {
            return Err(TreeError::EventIdTooLarge { at, id: parent.event });
        }
    }
    let end = index + usize::try_from(parent.subtree).unwrap_or(1);
    let mut attributes = matches!(parent.kind, FrameType::Element | FrameType::Component);
    let mut child = index + 1;
    while child < end {
        let next = validate_subtree(batch, child, end)?;
        if let Some(FrameShape { kind, .. }) = batch.frame(child) {
            let at = Place::Frame { index: child, kind };
            if kind != FrameType::Attribute {
                attributes = false;
            } else if !attributes {
                return Err(TreeError::AttributeNotLeading { at });
            }
            if !insertable(kind)
                && kind != FrameType::Attribute
                && parent.kind != FrameType::Component
            {
                return Err(TreeError::NotInsertable { at, kind });
            }
        }
        child = next;
    }
    Ok(())
}

/// Where the subtree of frame `index` ends, which must not lie behind `limit`.
fn validate_subtree<T: Tree + ?Sized>(
    batch: &T,
    index: usize,
    limit: usize,
) -> Result<usize, TreeError> {
    let Some(FrameShape { kind, subtree, .. }) = batch.frame(index) else { return Ok(limit) };
    let at = Place::Frame { index, kind };
    let available = limit - index;
    match usize::try_from(subtree) {
        Ok(0) | Err(_) => Err(TreeError::SubtreeEmpty { at, subtree }),
        Ok(frames) if frames <= available => Ok(index + frames),
        Ok(_) => Err(TreeError::SubtreeTooLong { at, subtree, available }),
    }
}

fn validate_edits<T: Tree + ?Sized>(batch: &T, diff: usize, edits: usize) -> Result<(), TreeError> {
    let mut depth = 0;
    let mut permuting = false;
    let mut at = None;
    for index in 0..edits {
        let Some(EditShape { kind, sibling, index: frame }) = batch.edit(diff, index) else {
            break;
        };
        let place = Place::Edit { diff, index, kind };
        if permuting
            && !matches!(kind, EditType::PermutationListEntry | EditType::PermutationListEnd)
        {
            return Err(TreeError::PermutationNotEnded { at: place });
        }
        // A lenient view keeps what the two that have no sibling hold in its place.
        if sibling < 0 && !matches!(kind, EditType::StepOut | EditType::PermutationListEnd) {
            return Err(TreeError::NegativeSibling { at: place, sibling });
        }
        match kind {
            EditType::PrependFrame
            | EditType::SetAttribute
            | EditType::UpdateText
            | EditType::UpdateMarkup => validate_reference(batch, place, kind, frame)?,
            EditType::RemoveFrame | EditType::RemoveAttribute => {}
            EditType::StepIn => depth += 1,
            EditType::StepOut if depth == 0 => {
                return Err(TreeError::StepOutOfRoot { at: place });
            }
            EditType::StepOut => depth -= 1,
            EditType::PermutationListEntry if frame < 0 => {
                return Err(TreeError::NegativeSibling { at: place, sibling: frame });
            }
            EditType::PermutationListEntry => permuting = true,
            EditType::PermutationListEnd if !permuting => {
                return Err(TreeError::PermutationWithoutEntries { at: place });
            }
            EditType::PermutationListEnd => permuting = false,
        }
        at = Some(place);
    }
    match at {
        Some(at) if permuting => Err(TreeError::PermutationNotEnded { at }),
        Some(at) if depth != 0 => Err(TreeError::StepsNotBalanced { at, depth }),
        _ => Ok(()),
    }
}

/// The frame that an edit refers to; its subtree was checked with all others.
fn validate_reference<T: Tree + ?Sized>(
    batch: &T,
    at: Place,
    edit: EditType,
    frame: i32,
) -> Result<(), TreeError> {
    let shape = usize::try_from(frame).ok().and_then(|index| batch.frame(index));
    let Some(FrameShape { kind, .. }) = shape else {
        return Err(TreeError::FrameOutOfRange { at, frame, len: batch.frame_count() });
    };
    let fits = match edit {
        EditType::SetAttribute => kind == FrameType::Attribute,
        EditType::UpdateText => kind == FrameType::Text,
        EditType::UpdateMarkup => kind == FrameType::Markup,
        _ if insertable(kind) => true,
        _ => return Err(TreeError::NotInsertable { at, kind }),
    };
    if fits { Ok(()) } else { Err(TreeError::WrongFrame { at, frame, kind }) }
}

/// Whether the browser knows what to do with such a frame outside a component's subtree; it
/// throws "Unknown frame type" for the others, and for attributes that do not lead.
const fn insertable(kind: FrameType) -> bool {
    !matches!(
        kind,
        FrameType::Attribute
            | FrameType::ComponentReferenceCapture
            | FrameType::ComponentRenderMode
    )
}
