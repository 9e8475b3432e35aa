//! Batches read where they lie: validated once, then views that cannot fail.

use core::fmt;
use core::iter::FusedIterator;

use super::check::{self, Mode};
use super::{Edit, EditRecord, EditType, Frame, FrameRecord, FrameType, Name, Value};
use crate::error::DecodeError;
use crate::record::get;

/// A valid batch inside a byte slice, read without copying.
///
/// Made by [`strict`](Self::strict) or [`lenient`](Self::lenient), which look at every byte once
/// and take time in proportion to the slice; nothing after that can fail. Whether the frames and
/// edits make sense as a tree is another question: [`validate_tree`](super::validate_tree).
///
/// ```
/// use onewrite::render_batch::BatchView;
///
/// let mut empty = [0; 36];
/// empty[20..].copy_from_slice(&[4, 0, 0, 0, 8, 0, 0, 0, 12, 0, 0, 0, 16, 0, 0, 0]);
/// let batch = BatchView::strict(&empty)?;
/// assert_eq!(batch.frames().len(), 0);
/// # Ok::<(), onewrite::error::DecodeError>(())
/// ```
#[derive(Clone, Copy)]
pub struct BatchView<'a> {
    pub(super) strings: Strings<'a>,
    pub(super) diffs: &'a [[u8; 4]],
    pub(super) frames: &'a [[u8; 20]],
    pub(super) disposed_components: &'a [[u8; 4]],
    pub(super) disposed_events: &'a [[u8; 8]],
}

impl<'a> BatchView<'a> {
    /// Refuses whatever ASP.NET Core's `RenderBatchWriter` cannot write, but for the choice and
    /// order of its strings.
    ///
    /// `bytes` is one whole batch and nothing else. Beyond what [`lenient`](Self::lenient) checks,
    /// every unused byte must be zero, and -1 in an edit's unused name; every length prefix must
    /// be the shortest; and the strings must stand in the order of their indexes.
    ///
    /// Strings need not be shared as `RenderBatchWriter` shares them, and indexes need not count
    /// up in the order of their first use: no reader depends on it. Where they are and do, writing
    /// the frames and edits again gives the same bytes.
    ///
    /// # Errors
    /// The first item found wrong, with its offset. Sections are checked from the trailer on, so
    /// `at` may lie behind a second error.
    pub fn strict(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        check::batch(bytes, Mode::Strict)
    }

    /// [`strict`](Self::strict), but for three things that carry no meaning.
    ///
    /// Accepted are unused bytes of any value, length prefixes that are longer than they need to
    /// be (up to 4 bytes), and strings that do not stand in the order of their indexes.
    ///
    /// Refused as in `strict` are sections that overlap, leave gaps or do not fill their place,
    /// unknown kinds, string indexes outside -1 and the table, prefixes above 4 bytes, and strings
    /// that are not UTF-8. String data must be covered without gap and overlap as long as order
    /// and prefixes are those of `strict`; otherwise each string must only lie inside it. Strings
    /// that overlap then may have 16 times the batch's length together, so that time stays
    /// linear.
    ///
    /// # Errors
    /// As for `strict`.
    pub fn lenient(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        check::batch(bytes, Mode::Lenient)
    }

    /// The changed components, in the order in which they apply.
    #[must_use]
    pub const fn diffs(&self) -> Items<'a, DiffView<'a>> {
        Items { rest: self.diffs, strings: self.strings }
    }

    /// The frames that edits refer to.
    #[must_use]
    pub const fn frames(&self) -> Items<'a, Frame<'a>> {
        Items { rest: self.frames, strings: self.strings }
    }

    /// Frame `index`, or `None` past the last one.
    #[must_use]
    pub fn frame(&self, index: usize) -> Option<Frame<'a>> {
        self.frames().get(index)
    }

    /// Ids of the components that are gone.
    #[must_use]
    pub const fn disposed_components(&self) -> Items<'a, i32> {
        Items { rest: self.disposed_components, strings: self.strings }
    }

    /// Ids of the event handlers that are gone, all 64 bits of them.
    #[must_use]
    pub const fn disposed_events(&self) -> Items<'a, u64> {
        Items { rest: self.disposed_events, strings: self.strings }
    }

    /// The string table, in the order of the indexes.
    #[must_use]
    pub const fn strings(&self) -> Items<'a, &'a str> {
        Items { rest: self.strings.positions, strings: self.strings }
    }
}

impl fmt::Debug for BatchView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchView")
            .field("diffs", &self.diffs())
            .field("frames", &self.frames())
            .field("disposed_components", &self.disposed_components())
            .field("disposed_events", &self.disposed_events())
            .finish()
    }
}

/// The lengths of the arrays: a batch is larger than a log.
#[cfg(feature = "defmt")]
impl defmt::Format for BatchView<'_> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(
            f,
            "BatchView {{ diffs: {=usize}, frames: {=usize}, disposed_components: {=usize}, \
             disposed_events: {=usize}, strings: {=usize} }}",
            self.diffs.len(),
            self.frames.len(),
            self.disposed_components.len(),
            self.disposed_events.len(),
            self.strings.positions.len()
        );
    }
}

/// The edits of one component, inside a batch's bytes.
#[derive(Clone, Debug)]
pub struct DiffView<'a> {
    /// The component's id.
    pub component: i32,
    /// Its edits, in the order in which they apply.
    pub edits: Items<'a, Edit<'a>>,
}

/// The component, and the number of its edits.
#[cfg(feature = "defmt")]
impl defmt::Format for DiffView<'_> {
    fn format(&self, f: defmt::Formatter<'_>) {
        let (component, edits) = (self.component, self.edits.rest.len());
        defmt::write!(f, "DiffView {{ component: {=i32}, edits: {=usize} }}", component, edits);
    }
}

/// An array of a batch: its length is known, and each item is found without the others.
///
/// Iterates over what is left of it; [`get`](Self::get) counts from there too. An item with strings
/// looks at every byte of them, all others take a few instructions. Many frames or edits may name
/// one long string: where the batch is not trusted, go through `records`, and take each string from
/// [`BatchView::strings`] once.
pub struct Items<'a, T: Item<'a>> {
    rest: &'a [T::Bytes],
    strings: Strings<'a>,
}

impl<'a, T: Item<'a>> Items<'a, T> {
    /// Item `index` of those that are left, or `None` past the last one.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<T> {
        Some(T::read(self.rest.get(index)?, self.strings))
    }

    /// Whether nothing is left.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

impl<'a> Items<'a, Edit<'a>> {
    /// The same edits with the numbers of their strings, which takes time in proportion to their
    /// number alone.
    #[must_use]
    pub const fn records(&self) -> Items<'a, EditRecord> {
        Items { rest: self.rest, strings: self.strings }
    }
}

impl<'a> Items<'a, Frame<'a>> {
    /// The same frames with the numbers of their strings, which takes time in proportion to their
    /// number alone.
    #[must_use]
    pub const fn records(&self) -> Items<'a, FrameRecord> {
        Items { rest: self.rest, strings: self.strings }
    }
}

impl<'a, T: Item<'a>> Iterator for Items<'a, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(T::read(first, self.strings))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.rest.len(), Some(self.rest.len()))
    }

    fn nth(&mut self, n: usize) -> Option<T> {
        self.rest = self.rest.get(n..).unwrap_or_default();
        self.next()
    }
}

impl<'a, T: Item<'a>> DoubleEndedIterator for Items<'a, T> {
    fn next_back(&mut self) -> Option<T> {
        let (last, rest) = self.rest.split_last()?;
        self.rest = rest;
        Some(T::read(last, self.strings))
    }
}

impl<'a, T: Item<'a>> ExactSizeIterator for Items<'a, T> {}

impl<'a, T: Item<'a>> FusedIterator for Items<'a, T> {}

impl<'a, T: Item<'a>> Clone for Items<'a, T> {
    fn clone(&self) -> Self {
        Self { rest: self.rest, strings: self.strings }
    }
}

impl<'a, T: Item<'a> + fmt::Debug> fmt::Debug for Items<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// What a batch has arrays of. Implemented here for all there is, and for nothing else.
pub trait Item<'a>: Sized + sealed::Sealed {
    /// An entry of the array.
    #[doc(hidden)]
    type Bytes: 'a;

    #[doc(hidden)]
    fn read(bytes: &'a Self::Bytes, strings: Strings<'a>) -> Self;
}

impl<'a> Item<'a> for i32 {
    type Bytes = [u8; 4];

    fn read(bytes: &'a [u8; 4], _: Strings<'a>) -> Self {
        Self::from_le_bytes(*bytes)
    }
}

impl<'a> Item<'a> for u64 {
    type Bytes = [u8; 8];

    fn read(bytes: &'a [u8; 8], _: Strings<'a>) -> Self {
        Self::from_le_bytes(*bytes)
    }
}

impl<'a> Item<'a> for &'a str {
    type Bytes = [u8; 4];

    fn read(bytes: &'a [u8; 4], strings: Strings<'a>) -> Self {
        str::from_utf8(strings.at(bytes)).unwrap_or_default()
    }
}

impl<'a> Item<'a> for DiffView<'a> {
    type Bytes = [u8; 4];

    fn read(bytes: &'a [u8; 4], strings: Strings<'a>) -> Self {
        let (component, edits) = strings.diff_at(bytes);
        Self { component, edits: Items { rest: edits, strings } }
    }
}

impl<'a> Item<'a> for Edit<'a> {
    type Bytes = [u8; 16];

    fn read(bytes: &'a [u8; 16], strings: Strings<'a>) -> Self {
        let EditRecord { kind, sibling, index, name } = EditRecord::fields(bytes);
        // What a kind does not use is read as the constructors leave it.
        match edit_type(kind) {
            EditType::PrependFrame => Self::prepend_frame(sibling, index),
            EditType::RemoveFrame => Self::remove_frame(sibling),
            EditType::SetAttribute => Self::set_attribute(sibling, index),
            EditType::RemoveAttribute => Self::remove_attribute_named(sibling, strings.name(name)),
            EditType::UpdateText => Self::update_text(sibling, index),
            EditType::StepIn => Self::step_in(sibling),
            EditType::StepOut => Self::step_out(),
            EditType::UpdateMarkup => Self::update_markup(sibling, index),
            EditType::PermutationListEntry => Self::permutation_list_entry(sibling, index),
            EditType::PermutationListEnd => Self::permutation_list_end(),
        }
    }
}

impl<'a> Item<'a> for EditRecord {
    type Bytes = [u8; 16];

    fn read(bytes: &'a [u8; 16], _: Strings<'a>) -> Self {
        Self::fields(bytes)
    }
}

impl<'a> Item<'a> for FrameRecord {
    type Bytes = [u8; 20];

    fn read(bytes: &'a [u8; 20], _: Strings<'a>) -> Self {
        Self::fields(bytes)
    }
}

impl<'a> Item<'a> for Frame<'a> {
    type Bytes = [u8; 20];

    fn read(bytes: &'a [u8; 20], strings: Strings<'a>) -> Self {
        let FrameRecord { kind, first, second, event } = FrameRecord::fields(bytes);
        match frame_type(kind) {
            FrameType::Element => Self::element_named(strings.name(second), first),
            FrameType::Text => strings.get(first).map_or(Self::null_text(), Self::text),
            FrameType::Attribute => {
                let value = strings.get(second).map_or(Value::Null, Value::Str);
                Self::attribute_named(strings.name(first), value, event)
            }
            FrameType::Component => Self::component(second, first),
            FrameType::Region => Self::region(first),
            FrameType::ElementReferenceCapture => strings
                .get(first)
                .map_or(Self::null_element_reference_capture(), Self::element_reference_capture),
            FrameType::ComponentReferenceCapture => Self::component_reference_capture(),
            FrameType::Markup => strings.get(first).map_or(Self::null_markup(), Self::markup),
            FrameType::ComponentRenderMode => Self::component_render_mode(),
            FrameType::NamedEvent => Self::named_event(),
        }
    }
}

mod sealed {
    /// Keeps the list of items ours, so that their bytes can change without breaking anyone.
    #[allow(unnameable_types, reason = "seals Item")]
    pub trait Sealed {}
    impl Sealed for i32 {}
    impl Sealed for u64 {}
    impl Sealed for &str {}
    impl Sealed for super::DiffView<'_> {}
    impl Sealed for super::Edit<'_> {}
    impl Sealed for super::EditRecord {}
    impl Sealed for super::Frame<'_> {}
    impl Sealed for super::FrameRecord {}
}

/// The kind of a checked edit.
pub(super) fn edit_type(wire: i32) -> EditType {
    EditType::from_wire(wire).unwrap_or(EditType::PermutationListEnd)
}

/// The kind of a checked frame.
pub(super) fn frame_type(wire: i32) -> FrameType {
    FrameType::from_wire(wire).unwrap_or(FrameType::NamedEvent)
}

/// Everything that a position can point to. Positions were checked; others give nothing.
#[doc(hidden)]
#[allow(unnameable_types, reason = "only the sealed trait names it")]
#[derive(Clone, Copy, Debug)]
pub struct Strings<'a> {
    /// The batch up to its string table.
    pub(super) batch: &'a [u8],
    pub(super) positions: &'a [[u8; 4]],
}

impl<'a> Strings<'a> {
    /// String `index`, or `None` for null.
    fn get(self, index: i32) -> Option<&'a str> {
        str::from_utf8(self.get_bytes(index)?).ok()
    }

    fn name(self, index: i32) -> Name<'a> {
        self.get(index).map_or(Name::NULL, Name::new)
    }

    /// The bytes of string `index`, or `None` for null; whatever the string's length, this takes
    /// a few instructions.
    pub(super) fn get_bytes(self, index: i32) -> Option<&'a [u8]> {
        let index = usize::try_from(index).ok()?;
        Some(self.at(self.positions.get(index)?))
    }

    /// The string whose length prefix stands at `position`.
    fn at(self, position: &[u8; 4]) -> &'a [u8] {
        let tail = self.tail(position);
        let Ok((len, prefix)) = check::length_prefix(tail) else { return &[] };
        tail.get(prefix..).and_then(|body| body.get(..len)).unwrap_or_default()
    }

    /// Component id and edits of the diff at `position`.
    pub(super) fn diff_at(self, position: &[u8; 4]) -> (i32, &'a [[u8; 16]]) {
        let Some((head, edits)) = self.tail(position).split_first_chunk::<{ check::DIFF_HEAD }>()
        else {
            return (0, &[]);
        };
        let component = i32::from_le_bytes(get::<0, 4, 8>(head));
        let count = usize::try_from(i32::from_le_bytes(get::<4, 4, 8>(head))).unwrap_or_default();
        let (edits, _) = edits.as_chunks();
        (component, edits.get(..count).unwrap_or_default())
    }

    fn tail(self, position: &[u8; 4]) -> &'a [u8] {
        usize::try_from(i32::from_le_bytes(*position))
            .ok()
            .and_then(|position| self.batch.get(position..))
            .unwrap_or_default()
    }
}
