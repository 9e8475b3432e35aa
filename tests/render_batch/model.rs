//! The wire format once more, in the plainest way: owned values, one pass, nothing reused.
//!
//! Written from the format's description alone, so that it shares no mistake with the library.

use std::collections::HashMap;

use onewrite::render_batch as lib;

/// A batch of owned values.
#[derive(Debug, Default)]
pub(crate) struct Model {
    pub(crate) diffs: Vec<(i32, Vec<Edit>)>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) disposed_components: Vec<i32>,
    pub(crate) disposed_events: Vec<u64>,
}

#[derive(Debug)]
pub(crate) enum Edit {
    PrependFrame(i32, i32),
    RemoveFrame(i32),
    SetAttribute(i32, i32),
    RemoveAttribute(i32, Option<String>),
    UpdateText(i32, i32),
    StepIn(i32),
    StepOut,
    UpdateMarkup(i32, i32),
    PermutationListEntry(i32, i32),
    PermutationListEnd,
}

#[derive(Debug)]
pub(crate) enum Frame {
    Element { name: Option<String>, subtree: i32 },
    Text(Option<String>),
    Attribute { name: Option<String>, value: Value, event: u64 },
    Component { id: i32, subtree: i32 },
    Region(i32),
    ElementReferenceCapture(Option<String>),
    ComponentReferenceCapture,
    Markup(Option<String>),
    ComponentRenderMode,
    NamedEvent,
}

#[derive(Debug)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    String(String),
}

#[derive(Default)]
struct Strings<'a> {
    all: Vec<&'a str>,
    shared: HashMap<&'a str, i32>,
}

impl<'a> Strings<'a> {
    fn own(&mut self, string: Option<&'a str>) -> i32 {
        let Some(string) = string else { return -1 };
        self.all.push(string);
        self.all.len() as i32 - 1
    }

    fn share(&mut self, string: Option<&'a str>) -> i32 {
        let Some(string) = string else { return -1 };
        if let Some(index) = self.shared.get(string) {
            return *index;
        }
        let index = self.own(Some(string));
        self.shared.insert(string, index);
        index
    }
}

/// The batch's bytes.
pub(crate) fn encode(batch: &Model) -> Vec<u8> {
    let mut out = Vec::new();
    let mut strings = Strings::default();
    let mut diffs = Vec::new();
    for (component, edits) in &batch.diffs {
        diffs.push(out.len() as i32);
        ints(&mut out, &[*component, edits.len() as i32]);
        for edit in edits {
            ints(&mut out, &edit_words(edit, &mut strings));
        }
    }
    let mut sections = vec![out.len() as i32];
    ints(&mut out, &[diffs.len() as i32]);
    ints(&mut out, &diffs);
    sections.push(out.len() as i32);
    ints(&mut out, &[batch.frames.len() as i32]);
    for frame in &batch.frames {
        let (words, event) = frame_words(frame, &mut strings);
        ints(&mut out, &words);
        out.extend(event.to_le_bytes());
    }
    sections.push(out.len() as i32);
    ints(&mut out, &[batch.disposed_components.len() as i32]);
    ints(&mut out, &batch.disposed_components);
    sections.push(out.len() as i32);
    ints(&mut out, &[batch.disposed_events.len() as i32]);
    for id in &batch.disposed_events {
        out.extend(id.to_le_bytes());
    }
    let mut positions = Vec::new();
    for string in strings.all {
        positions.push(out.len() as i32);
        let mut len = string.len();
        while len >= 0x80 {
            out.push(len as u8 | 0x80);
            len >>= 7;
        }
        out.push(len as u8);
        out.extend(string.as_bytes());
    }
    sections.push(out.len() as i32);
    ints(&mut out, &positions);
    ints(&mut out, &sections);
    out
}

fn edit_words<'a>(edit: &'a Edit, strings: &mut Strings<'a>) -> [i32; 4] {
    match edit {
        Edit::PrependFrame(sibling, frame) => [1, *sibling, *frame, -1],
        Edit::RemoveFrame(sibling) => [2, *sibling, 0, -1],
        Edit::SetAttribute(sibling, frame) => [3, *sibling, *frame, -1],
        Edit::RemoveAttribute(sibling, name) => [4, *sibling, 0, strings.share(name.as_deref())],
        Edit::UpdateText(sibling, frame) => [5, *sibling, *frame, -1],
        Edit::StepIn(sibling) => [6, *sibling, 0, -1],
        Edit::StepOut => [7, 0, 0, -1],
        Edit::UpdateMarkup(sibling, frame) => [8, *sibling, *frame, -1],
        Edit::PermutationListEntry(from, to) => [9, *from, *to, -1],
        Edit::PermutationListEnd => [10, 0, 0, -1],
    }
}

fn frame_words<'a>(frame: &'a Frame, strings: &mut Strings<'a>) -> ([i32; 3], u64) {
    let words = match frame {
        Frame::Element { name, subtree } => [1, *subtree, strings.share(name.as_deref())],
        Frame::Text(Some(text)) if text.chars().all(char::is_whitespace) => {
            [2, strings.share(Some(text)), 0]
        }
        Frame::Text(text) => [2, strings.own(text.as_deref()), 0],
        Frame::Attribute { name, value, event } => {
            let name = strings.share(name.as_deref());
            let value = match value {
                Value::Null | Value::Bool(false) => -1,
                Value::Bool(true) => strings.share(Some("")),
                Value::String(value) if value.is_empty() => strings.share(Some("")),
                Value::String(value) => strings.own(Some(value)),
            };
            return ([3, name, value], *event);
        }
        Frame::Component { id, subtree } => [4, *subtree, *id],
        Frame::Region(subtree) => [5, *subtree, 0],
        Frame::ElementReferenceCapture(id) => [6, strings.own(id.as_deref()), 0],
        Frame::ComponentReferenceCapture => [7, 0, 0],
        Frame::Markup(content) => [8, strings.own(content.as_deref()), 0],
        Frame::ComponentRenderMode => [9, 0, 0],
        Frame::NamedEvent => [10, 0, 0],
    };
    (words, 0)
}

fn ints(out: &mut Vec<u8>, ints: &[i32]) {
    out.extend(ints.iter().flat_map(|int| int.to_le_bytes()));
}

fn name(string: Option<&String>) -> lib::Name<'_> {
    string.map_or(lib::Name::NULL, |string| lib::Name::new(string))
}

impl Model {
    /// The edits, each component's in a list, as the library takes them.
    pub(crate) fn edits(&self) -> Vec<Vec<lib::Edit<'_>>> {
        self.diffs.iter().map(|(_, edits)| edits.iter().map(Edit::built).collect()).collect()
    }

    /// The frames as the library takes them.
    pub(crate) fn frames(&self) -> Vec<lib::Frame<'_>> {
        self.frames.iter().map(Frame::built).collect()
    }
}

impl Edit {
    fn built(&self) -> lib::Edit<'_> {
        match self {
            Self::PrependFrame(sibling, frame) => lib::Edit::prepend_frame(*sibling, *frame),
            Self::RemoveFrame(sibling) => lib::Edit::remove_frame(*sibling),
            Self::SetAttribute(sibling, frame) => lib::Edit::set_attribute(*sibling, *frame),
            Self::RemoveAttribute(sibling, string) => {
                lib::Edit::remove_attribute_named(*sibling, name(string.as_ref()))
            }
            Self::UpdateText(sibling, frame) => lib::Edit::update_text(*sibling, *frame),
            Self::StepIn(sibling) => lib::Edit::step_in(*sibling),
            Self::StepOut => lib::Edit::step_out(),
            Self::UpdateMarkup(sibling, frame) => lib::Edit::update_markup(*sibling, *frame),
            Self::PermutationListEntry(from, to) => lib::Edit::permutation_list_entry(*from, *to),
            Self::PermutationListEnd => lib::Edit::permutation_list_end(),
        }
    }
}

impl Frame {
    fn built(&self) -> lib::Frame<'_> {
        match self {
            Self::Element { name: string, subtree } => {
                lib::Frame::element_named(name(string.as_ref()), *subtree)
            }
            Self::Text(None) => lib::Frame::null_text(),
            Self::Text(Some(text)) => lib::Frame::text(text),
            Self::Attribute { name: string, value, event } => {
                let value = match value {
                    Value::Null => lib::Value::Null,
                    Value::Bool(value) => lib::Value::Bool(*value),
                    Value::String(value) => lib::Value::Str(value),
                };
                lib::Frame::attribute_named(name(string.as_ref()), value, *event)
            }
            Self::Component { id, subtree } => lib::Frame::component(*id, *subtree),
            Self::Region(subtree) => lib::Frame::region(*subtree),
            Self::ElementReferenceCapture(None) => lib::Frame::null_element_reference_capture(),
            Self::ElementReferenceCapture(Some(id)) => lib::Frame::element_reference_capture(id),
            Self::ComponentReferenceCapture => lib::Frame::component_reference_capture(),
            Self::Markup(None) => lib::Frame::null_markup(),
            Self::Markup(Some(content)) => lib::Frame::markup(content),
            Self::ComponentRenderMode => lib::Frame::component_render_mode(),
            Self::NamedEvent => lib::Frame::named_event(),
        }
    }
}
