//! Edits: the flat `Edit` that users build, and its 16 bytes on the wire.

use super::name::Name;
use crate::error::DecodeError;
use crate::record::{Record, get, put};

/// The kind of an edit: `RenderTreeEditType` of ASP.NET Core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum EditType {
    /// Insert a frame's subtree before a sibling.
    PrependFrame = 1,
    /// Remove a sibling.
    RemoveFrame = 2,
    /// Set an attribute of a sibling.
    SetAttribute = 3,
    /// Remove an attribute of a sibling.
    RemoveAttribute = 4,
    /// Replace the text of a sibling.
    UpdateText = 5,
    /// Make a sibling the current parent.
    StepIn = 6,
    /// Go back to the parent's parent.
    StepOut = 7,
    /// Replace the markup of a sibling.
    UpdateMarkup = 8,
    /// One move of a permutation.
    PermutationListEntry = 9,
    /// Carry out the moves since the last end.
    PermutationListEnd = 10,
}

impl EditType {
    /// The type with this number on the wire, if there is one.
    #[must_use]
    pub const fn from_wire(value: i32) -> Option<Self> {
        Some(match value {
            1 => Self::PrependFrame,
            2 => Self::RemoveFrame,
            3 => Self::SetAttribute,
            4 => Self::RemoveAttribute,
            5 => Self::UpdateText,
            6 => Self::StepIn,
            7 => Self::StepOut,
            8 => Self::UpdateMarkup,
            9 => Self::PermutationListEntry,
            10 => Self::PermutationListEnd,
            _ => return None,
        })
    }
}

/// An edit as a user builds it: flat and `Copy`, made by `const` constructors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit<'a> {
    /// Name of the removed attribute; null for every other kind.
    pub(super) name: Name<'a>,
    pub(super) sibling: i32,
    /// Bytes 8 to 12: the reference frame, or where a permutation moves to.
    pub(super) index: i32,
    pub(super) kind: EditType,
}

impl<'a> Edit<'a> {
    const fn bare(kind: EditType, sibling: i32, index: i32) -> Self {
        Self { name: Name::NULL, sibling, index, kind }
    }

    /// Insert the subtree of `frame` before `sibling`.
    #[must_use]
    pub const fn prepend_frame(sibling: i32, frame: i32) -> Self {
        Self::bare(EditType::PrependFrame, sibling, frame)
    }

    /// Remove `sibling`.
    #[must_use]
    pub const fn remove_frame(sibling: i32) -> Self {
        Self::bare(EditType::RemoveFrame, sibling, 0)
    }

    /// Set on `sibling` the attribute that `frame` holds.
    #[must_use]
    pub const fn set_attribute(sibling: i32, frame: i32) -> Self {
        Self::bare(EditType::SetAttribute, sibling, frame)
    }

    /// Remove the attribute `name` of `sibling`.
    #[inline(always)]
    #[must_use]
    pub const fn remove_attribute(sibling: i32, name: &'a str) -> Self {
        Self::remove_attribute_named(sibling, Name::new(name))
    }

    /// [`remove_attribute`](Self::remove_attribute) with a name classified beforehand; may be
    /// null.
    #[must_use]
    pub const fn remove_attribute_named(sibling: i32, name: Name<'a>) -> Self {
        Self { name, ..Self::bare(EditType::RemoveAttribute, sibling, 0) }
    }

    /// Replace the text of `sibling` by that of `frame`.
    #[must_use]
    pub const fn update_text(sibling: i32, frame: i32) -> Self {
        Self::bare(EditType::UpdateText, sibling, frame)
    }

    /// Make `sibling` the current parent.
    #[must_use]
    pub const fn step_in(sibling: i32) -> Self {
        Self::bare(EditType::StepIn, sibling, 0)
    }

    /// Go back to the parent's parent.
    #[must_use]
    pub const fn step_out() -> Self {
        Self::bare(EditType::StepOut, 0, 0)
    }

    /// Replace the markup of `sibling` by that of `frame`.
    #[must_use]
    pub const fn update_markup(sibling: i32, frame: i32) -> Self {
        Self::bare(EditType::UpdateMarkup, sibling, frame)
    }

    /// Move the sibling at `from` to `to`, once the list ends.
    #[must_use]
    pub const fn permutation_list_entry(from: i32, to: i32) -> Self {
        Self::bare(EditType::PermutationListEntry, from, to)
    }

    /// Carry out the moves since the last end.
    #[must_use]
    pub const fn permutation_list_end() -> Self {
        Self::bare(EditType::PermutationListEnd, 0, 0)
    }

    /// The kind of the edit.
    #[must_use]
    pub const fn kind(&self) -> EditType {
        self.kind
    }

    /// The edit as an enum, for matching.
    #[must_use]
    pub const fn view(&self) -> EditView<'a> {
        let (sibling, frame) = (self.sibling, self.index);
        match self.kind {
            EditType::PrependFrame => EditView::PrependFrame { sibling, frame },
            EditType::RemoveFrame => EditView::RemoveFrame { sibling },
            EditType::SetAttribute => EditView::SetAttribute { sibling, frame },
            EditType::RemoveAttribute => {
                EditView::RemoveAttribute { sibling, name: self.name.as_str() }
            }
            EditType::UpdateText => EditView::UpdateText { sibling, frame },
            EditType::StepIn => EditView::StepIn { sibling },
            EditType::StepOut => EditView::StepOut,
            EditType::UpdateMarkup => EditView::UpdateMarkup { sibling, frame },
            EditType::PermutationListEntry => {
                EditView::PermutationListEntry { from: sibling, to: frame }
            }
            EditType::PermutationListEnd => EditView::PermutationListEnd,
        }
    }
}

/// As [`EditView`], which has a field for what the kind uses and no other.
#[cfg(feature = "defmt")]
impl defmt::Format for Edit<'_> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "{}", self.view());
    }
}

/// An edit as an enum: what [`Edit::view`] gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum EditView<'a> {
    /// Insert a frame's subtree before a sibling.
    PrependFrame {
        /// Which child of the current parent, from 0.
        sibling: i32,
        /// Which of the batch's frames.
        frame: i32,
    },
    /// Remove a sibling.
    RemoveFrame {
        /// Which child of the current parent, from 0.
        sibling: i32,
    },
    /// Set an attribute of a sibling.
    SetAttribute {
        /// Which child of the current parent, from 0.
        sibling: i32,
        /// Which of the batch's frames holds the attribute.
        frame: i32,
    },
    /// Remove an attribute of a sibling.
    RemoveAttribute {
        /// Which child of the current parent, from 0.
        sibling: i32,
        /// The attribute's name; `None` is the null string.
        name: Option<&'a str>,
    },
    /// Replace the text of a sibling.
    UpdateText {
        /// Which child of the current parent, from 0.
        sibling: i32,
        /// Which of the batch's frames holds the text.
        frame: i32,
    },
    /// Make a sibling the current parent.
    StepIn {
        /// Which child of the current parent, from 0.
        sibling: i32,
    },
    /// Go back to the parent's parent.
    StepOut,
    /// Replace the markup of a sibling.
    UpdateMarkup {
        /// Which child of the current parent, from 0.
        sibling: i32,
        /// Which of the batch's frames holds the markup.
        frame: i32,
    },
    /// Move a sibling once the list ends.
    PermutationListEntry {
        /// Which child of the current parent moves, from 0.
        from: i32,
        /// Where it moves to, from 0.
        to: i32,
    },
    /// Carry out the moves since the last end.
    PermutationListEnd,
}

/// An edit on the wire: 16 bytes, with a string table index in place of the name.
///
/// | offset | size | type | meaning |
/// |---|---|---|---|
/// | 0 | 4 | i32 LE | [`EditType`] |
/// | 4 | 4 | i32 LE | sibling index |
/// | 8 | 4 | i32 LE | reference frame, or target of a move, or 0 |
/// | 12 | 4 | i32 LE | string index of the removed attribute's name, or -1 |
///
/// Source: dotnet/aspnetcore, `src/Components/Shared/src/RenderBatchWriter.cs`, commit c8caba5522.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct EditRecord {
    /// [`EditType`] as a number.
    pub kind: i32,
    /// Sibling index.
    pub sibling: i32,
    /// Reference frame, or target of a move.
    pub index: i32,
    /// String index of the name, or -1.
    pub name: i32,
}

impl EditRecord {
    /// Bytes of an edit on the wire.
    pub const SIZE: usize = 16;

    #[inline(always)]
    pub(super) const fn new(kind: EditType, sibling: i32, index: i32, name: i32) -> Self {
        Self { kind: kind as i32, sibling, index, name }
    }

    /// The edit's 16 bytes.
    #[inline(always)]
    #[must_use]
    pub const fn to_bytes(&self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        self.write_at(&mut bytes);
        bytes
    }

    /// The fields of the edit that `bytes` encode; whether they make sense is for
    /// [`BatchView`](super::BatchView) to check.
    ///
    /// # Errors
    ///
    /// None: every value of every field is one. The result is that of a derived record, so that
    /// this one can be nested in it.
    #[inline(always)]
    pub const fn from_bytes(bytes: &[u8; Self::SIZE]) -> Result<Self, DecodeError> {
        Ok(Self::fields(bytes))
    }

    #[inline(always)]
    pub(super) const fn fields(bytes: &[u8; Self::SIZE]) -> Self {
        Self {
            kind: i32::from_le_bytes(get::<0, 4, 16>(bytes)),
            sibling: i32::from_le_bytes(get::<4, 4, 16>(bytes)),
            index: i32::from_le_bytes(get::<8, 4, 16>(bytes)),
            name: i32::from_le_bytes(get::<12, 4, 16>(bytes)),
        }
    }

    /// Writes the edit over `out`.
    ///
    /// Machine code: [`edit_batch`](crate::machine_code::edit_batch).
    #[inline(always)]
    pub const fn write_at(&self, out: &mut [u8; Self::SIZE]) {
        put::<0, 4, 16>(out, self.kind.to_le_bytes());
        put::<4, 4, 16>(out, self.sibling.to_le_bytes());
        put::<8, 4, 16>(out, self.index.to_le_bytes());
        put::<12, 4, 16>(out, self.name.to_le_bytes());
    }
}

impl Record for EditRecord {
    type Bytes = [u8; 16];

    #[inline(always)]
    fn write_at(&self, out: &mut [u8; 16]) {
        Self::write_at(self, out);
    }

    #[inline(always)]
    fn from_bytes(bytes: &[u8; 16]) -> Result<Self, DecodeError> {
        Self::from_bytes(bytes)
    }
}
