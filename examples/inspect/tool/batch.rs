//! Render batches.

use std::collections::HashMap;

use onewrite::error::DecodeError;
use onewrite::render_batch::{
    BatchView, Edit, EditRecord, EditType, FrameRecord, FrameType, Items, Place, TreeError,
    validate_tree,
};

use super::tree::{self, Name, Severity, Tree, Value};

/// Bytes of the five positions at the end.
const TRAILER: usize = 20;
/// What they are positions of.
const TABLES: [&str; 5] = [
    "updated_components",
    "reference_frames",
    "disposed_components",
    "disposed_event_handlers",
    "string_table",
];

/// Adds a batch, and complains of what is wrong with it.
///
/// What only [`BatchView::strict`] refuses, and what a browser could not apply, is as bad as
/// `strict` says.
pub(crate) fn inspect(tree: &mut Tree, bytes: &[u8], strict: Severity) {
    match BatchView::strict(bytes) {
        Ok(view) => whole(tree, bytes, view, strict),
        Err(error) => match BatchView::lenient(bytes) {
            Ok(view) => {
                tree.refuse(strict, error, bytes);
                whole(tree, bytes, view, strict);
            }
            Err(error) => broken(tree, bytes, error),
        },
    }
}

/// The positions in the trailer, where they could be those of a batch.
pub(crate) fn positions(bytes: &[u8]) -> Option<[usize; 5]> {
    let (body, trailer) = bytes.split_last_chunk::<TRAILER>()?;
    let (words, _) = trailer.as_chunks::<4>();
    let mut positions = [0; 5];
    for (position, word) in positions.iter_mut().zip(words) {
        *position = usize::try_from(i32::from_le_bytes(*word)).ok()?;
    }
    // Each table but the last begins with a count.
    let apart = positions.is_sorted_by(|one, next| one.saturating_add(4) <= *next);
    (apart && positions.last()? <= &body.len()).then_some(positions)
}

/// Trailer and counts, so far as they can be read: to see which of them is wrong.
fn broken(tree: &mut Tree, bytes: &[u8], error: DecodeError) {
    tree.refuse(Severity::Error, error, bytes);
    let Some(trailer) = bytes.len().checked_sub(TRAILER) else { return };
    for (name, at) in TABLES.into_iter().zip((trailer..).step_by(4)) {
        let Some(position) = word(bytes, at) else { continue };
        let mut fields = vec![("position", Value::Signed(position.into()))];
        // The string table has no count.
        if name != "string_table"
            && let Some(count) = usize::try_from(position).ok().and_then(|at| word(bytes, at))
        {
            fields.push(("count", Value::Signed(count.into())));
        }
        tree.leaf(at, Name::Field(name), |_| Value::Record("position", fields));
    }
}

fn word(bytes: &[u8], at: usize) -> Option<i32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(i32::from_le_bytes(*bytes))
}

/// A valid batch. Its positions are those of its tables.
fn whole(tree: &mut Tree, bytes: &[u8], view: BatchView<'_>, strict: Severity) {
    let [diffs_at, frames_at, components_at, events_at, strings_at] =
        positions(bytes).unwrap_or_default();
    let mut strings = Strings { view, known: HashMap::new() };
    let diff_at = |index: usize| {
        let at = word(bytes, diffs_at.saturating_add(4).saturating_add(index.saturating_mul(4)));
        at.and_then(|at| usize::try_from(at).ok()).unwrap_or(0)
    };

    tree.open(0, Name::Field("updated_components"), Value::Count(view.diffs().len()));
    for (index, diff) in view.diffs().enumerate() {
        let at = diff_at(index);
        let fields = vec![("component", Value::Signed(diff.component.into()))];
        tree.open(at, Name::Index(index), Value::Record("diff", fields));
        edits(tree, at.saturating_add(8), &diff.edits, &mut strings);
        tree.close();
    }
    tree.close();
    let first_frame = frames_at.saturating_add(4);
    frames(tree, frames_at, &view, &mut strings);
    ids(tree, components_at, TABLES[2], 4, view.disposed_components().map(i128::from));
    ids(tree, events_at, TABLES[3], 8, view.disposed_events().map(i128::from));

    tree.open(strings_at, Name::Field("strings"), Value::Count(view.strings().len()));
    for index in 0..view.strings().len() {
        let entry = strings_at.saturating_add(index.saturating_mul(4));
        let at = word(bytes, entry).and_then(|at| usize::try_from(at).ok()).unwrap_or(entry);
        tree.leaf(at, Name::Index(index), |limits| strings.get(index, limits));
    }
    tree.close();
    let trailer = bytes.len().saturating_sub(TRAILER);
    tree.open(trailer, Name::Field("trailer"), Value::None);
    for ((name, position), at) in TABLES
        .into_iter()
        .zip([diffs_at, frames_at, components_at, events_at, strings_at])
        .zip((trailer..).step_by(4))
    {
        tree.leaf(at, Name::Field(name), |_| Value::Word(format!("{position:#08x}")));
    }
    tree.close();

    if let Err(error) = validate_tree(&view) {
        let at = match place(error) {
            Some(Place::Edit { diff, index, .. }) => {
                diff_at(diff).saturating_add(8).saturating_add(index.saturating_mul(16))
            }
            Some(Place::Frame { index, .. }) => {
                first_frame.saturating_add(index.saturating_mul(20))
            }
            None => events_at,
        };
        let message = format!("a browser could not apply this: {error}");
        tree.complain(strict, at, message, None, bytes);
    }
}

fn edits<'a>(
    tree: &mut Tree,
    start: usize,
    edits: &Items<'a, Edit<'a>>,
    strings: &mut Strings<'_>,
) {
    for (index, edit) in edits.records().enumerate() {
        let at = start.saturating_add(index.saturating_mul(EditRecord::SIZE));
        tree.leaf(at, Name::Index(index), |limits| {
            let EditRecord { kind, sibling, index, name } = edit;
            let sibling = ("sibling", Value::Signed(sibling.into()));
            let frame = ("frame", Value::Signed(index.into()));
            let (kind, fields) = match EditType::from_wire(kind) {
                Some(EditType::PrependFrame) => ("PrependFrame", vec![sibling, frame]),
                Some(EditType::RemoveFrame) => ("RemoveFrame", vec![sibling]),
                Some(EditType::SetAttribute) => ("SetAttribute", vec![sibling, frame]),
                Some(EditType::RemoveAttribute) => {
                    ("RemoveAttribute", vec![sibling, ("name", strings.value(name, limits))])
                }
                Some(EditType::UpdateText) => ("UpdateText", vec![sibling, frame]),
                Some(EditType::StepIn) => ("StepIn", vec![sibling]),
                Some(EditType::StepOut) => ("StepOut", vec![]),
                Some(EditType::UpdateMarkup) => ("UpdateMarkup", vec![sibling, frame]),
                Some(EditType::PermutationListEntry) => {
                    ("PermutationListEntry", vec![sibling, ("to", Value::Signed(index.into()))])
                }
                Some(EditType::PermutationListEnd) => ("PermutationListEnd", vec![]),
                None => ("unknown", vec![]),
            };
            Value::Record(kind, fields)
        });
    }
}

/// The frames, each below the one in whose subtree it is.
fn frames(tree: &mut Tree, at: usize, view: &BatchView<'_>, strings: &mut Strings<'_>) {
    let frames = view.frames().records();
    tree.open(at, Name::Field("reference_frames"), Value::Count(frames.len()));
    // Where the subtrees end that are open. A length that is none is complained of elsewhere.
    let mut ends: Vec<usize> = Vec::new();
    let mut at = at.saturating_add(4);
    for (index, frame) in frames.enumerate() {
        while ends.last().is_some_and(|end| *end <= index) {
            ends.pop();
            tree.close();
        }
        let name = Name::Index(index);
        let holds = matches!(
            FrameType::from_wire(frame.kind),
            Some(FrameType::Element | FrameType::Component | FrameType::Region)
        );
        match usize::try_from(frame.first) {
            Ok(len @ 2..) if holds => {
                let limits = tree.limits;
                let value =
                    if tree.has_room() { describe(frame, strings, limits) } else { Value::None };
                tree.open(at, name, value);
                ends.push(index.saturating_add(len));
            }
            _ => tree.leaf(at, name, |limits| describe(frame, strings, limits)),
        }
        at = at.saturating_add(FrameRecord::SIZE);
    }
    for _ in ends {
        tree.close();
    }
    tree.close();
}

fn describe(frame: FrameRecord, strings: &mut Strings<'_>, limits: tree::Limits) -> Value {
    let FrameRecord { kind, first, second, event } = frame;
    let subtree = ("subtree", Value::Signed(first.into()));
    let (kind, fields) = match FrameType::from_wire(kind) {
        Some(FrameType::Element) => {
            ("Element", vec![("name", strings.value(second, limits)), subtree])
        }
        Some(FrameType::Text) => ("Text", vec![("content", strings.value(first, limits))]),
        Some(FrameType::Attribute) => {
            let mut fields = vec![
                ("name", strings.value(first, limits)),
                ("value", strings.value(second, limits)),
            ];
            if event != 0 {
                fields.push(("event", Value::Unsigned(event.into())));
            }
            ("Attribute", fields)
        }
        Some(FrameType::Component) => {
            ("Component", vec![("id", Value::Signed(second.into())), subtree])
        }
        Some(FrameType::Region) => ("Region", vec![subtree]),
        Some(FrameType::ElementReferenceCapture) => {
            ("ElementReferenceCapture", vec![("id", strings.value(first, limits))])
        }
        Some(FrameType::ComponentReferenceCapture) => ("ComponentReferenceCapture", vec![]),
        Some(FrameType::Markup) => ("Markup", vec![("content", strings.value(first, limits))]),
        Some(FrameType::ComponentRenderMode) => ("ComponentRenderMode", vec![]),
        Some(FrameType::NamedEvent) => ("NamedEvent", vec![]),
        None => ("unknown", vec![]),
    };
    Value::Record(kind, fields)
}

/// A table of numbers.
fn ids(
    tree: &mut Tree,
    at: usize,
    name: &'static str,
    size: usize,
    ids: impl ExactSizeIterator<Item = i128>,
) {
    tree.open(at, Name::Field(name), Value::Count(ids.len()));
    let mut at = at.saturating_add(4);
    for (index, id) in ids.enumerate() {
        tree.leaf(at, Name::Index(index), |_| Value::Signed(id));
        at = at.saturating_add(size);
    }
    tree.close();
}

/// The strings of a batch, each looked at once: many records may name one long string.
struct Strings<'a> {
    view: BatchView<'a>,
    known: HashMap<usize, Value>,
}

impl Strings<'_> {
    /// The string with the number that a record has.
    fn value(&mut self, index: i32, limits: tree::Limits) -> Value {
        match usize::try_from(index) {
            Ok(index) => self.get(index, limits),
            Err(_) => Value::Word("null".to_owned()),
        }
    }

    fn get(&mut self, index: usize, limits: tree::Limits) -> Value {
        let strings = self.view.strings();
        let read = || tree::text(limits, strings.get(index).unwrap_or_default());
        self.known.entry(index).or_insert_with(read).clone()
    }
}

const fn place(error: TreeError) -> Option<Place> {
    match error {
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
        | TreeError::WrongFrame { at, .. } => Some(at),
        _ => None,
    }
}
