//! What a batch holds, as a vector describes it: the model of the test, not of the library.

use std::collections::HashMap;

use onewrite::render_batch::{
    Diff, Edit, EditType, EditView, Frame, FrameType, FrameView, Name, Value as Attribute,
};
use serde_json::Value;

use crate::vector::{self, Fields};

/// A batch with strings of its own.
#[derive(Debug, Default)]
pub(crate) struct Description {
    pub(crate) diffs: Vec<(i32, Vec<DescribedEdit>)>,
    pub(crate) frames: Vec<DescribedFrame>,
    pub(crate) disposed_components: Vec<i32>,
    pub(crate) disposed_events: Vec<u64>,
}

#[derive(Debug)]
pub(crate) struct DescribedEdit {
    kind: EditType,
    sibling: i32,
    /// Frame index, or where a permutation moves to.
    index: i32,
    name: Option<String>,
}

#[derive(Debug)]
pub(crate) struct DescribedFrame {
    kind: FrameType,
    subtree: i32,
    component: i32,
    /// Name, content or capture id.
    string: Option<String>,
    value: DescribedValue,
    event: u64,
}

#[derive(Debug)]
pub(crate) enum DescribedValue {
    Null,
    Bool(bool),
    /// An object that has no form on the wire.
    Other,
    String(String),
}

/// Whose strings the writer sees; its bytes must not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Each occurrence of a string is an allocation of its own.
    EachItsOwn,
    /// All occurrences of a string are one allocation.
    OnePointer,
    /// Names are classified beforehand.
    Names,
}

/// Gives a description's strings to the library's model.
pub(crate) struct Strings<'a> {
    source: Source,
    known: HashMap<&'a str, Name<'a>>,
}

impl<'a> Strings<'a> {
    pub(crate) fn new(source: Source) -> Self {
        Self { source, known: HashMap::new() }
    }

    fn string(&mut self, string: &'a str) -> &'a str {
        match self.source {
            Source::EachItsOwn => string,
            Source::OnePointer | Source::Names => self.name(string).as_str().unwrap_or_default(),
        }
    }

    fn name(&mut self, string: &'a str) -> Name<'a> {
        *self.known.entry(string).or_insert_with(|| Name::new(string))
    }

    fn edit(&mut self, edit: &'a DescribedEdit) -> Edit<'a> {
        let DescribedEdit { kind, sibling, index, .. } = *edit;
        match kind {
            EditType::PrependFrame => Edit::prepend_frame(sibling, index),
            EditType::RemoveFrame => Edit::remove_frame(sibling),
            EditType::SetAttribute => Edit::set_attribute(sibling, index),
            EditType::RemoveAttribute => match &edit.name {
                None => Edit::remove_attribute_named(sibling, Name::NULL),
                Some(name) if self.source == Source::Names => {
                    Edit::remove_attribute_named(sibling, self.name(name))
                }
                Some(name) => Edit::remove_attribute(sibling, self.string(name)),
            },
            EditType::UpdateText => Edit::update_text(sibling, index),
            EditType::StepIn => Edit::step_in(sibling),
            EditType::StepOut => Edit::step_out(),
            EditType::UpdateMarkup => Edit::update_markup(sibling, index),
            EditType::PermutationListEntry => Edit::permutation_list_entry(sibling, index),
            EditType::PermutationListEnd => Edit::permutation_list_end(),
        }
    }

    fn frame(&mut self, frame: &'a DescribedFrame) -> Frame<'a> {
        let DescribedFrame { kind, subtree, component, event, .. } = *frame;
        let string = frame.string.as_deref().map(|string| self.string(string));
        match kind {
            FrameType::Element => match string {
                None => Frame::element_named(Name::NULL, subtree),
                Some(name) if self.source == Source::Names => {
                    Frame::element_named(self.name(name), subtree)
                }
                Some(name) => Frame::element(name, subtree),
            },
            FrameType::Text => string.map_or(Frame::null_text(), Frame::text),
            FrameType::Attribute => {
                let value = match &frame.value {
                    DescribedValue::Null | DescribedValue::Other => Attribute::Null,
                    DescribedValue::Bool(value) => Attribute::Bool(*value),
                    DescribedValue::String(value) => Attribute::Str(self.string(value)),
                };
                match string {
                    Some(name) if event == 0 && self.source != Source::Names => {
                        Frame::attribute(name, value)
                    }
                    Some(name) if value == Attribute::Null && self.source != Source::Names => {
                        Frame::event_handler(name, event)
                    }
                    name => {
                        let name = name.map_or(Name::NULL, |name| self.name(name));
                        Frame::attribute_named(name, value, event)
                    }
                }
            }
            FrameType::Component => Frame::component(component, subtree),
            FrameType::Region => Frame::region(subtree),
            FrameType::ElementReferenceCapture => string
                .map_or(Frame::null_element_reference_capture(), Frame::element_reference_capture),
            FrameType::ComponentReferenceCapture => Frame::component_reference_capture(),
            FrameType::Markup => string.map_or(Frame::null_markup(), Frame::markup),
            FrameType::ComponentRenderMode => Frame::component_render_mode(),
            FrameType::NamedEvent => Frame::named_event(),
        }
    }

    pub(crate) fn frames(&mut self, batch: &'a Description) -> Vec<Frame<'a>> {
        batch.frames.iter().map(|frame| self.frame(frame)).collect()
    }

    pub(crate) fn edits(&mut self, batch: &'a Description) -> Vec<Vec<Edit<'a>>> {
        let diffs = batch.diffs.iter();
        diffs.map(|(_, edits)| edits.iter().map(|edit| self.edit(edit)).collect()).collect()
    }
}

/// The library's diffs from a description's components and their edits.
pub(crate) fn diffs<'a>(batch: &Description, edits: &'a [Vec<Edit<'a>>]) -> Vec<Diff<'a>> {
    let diffs = batch.diffs.iter().zip(edits);
    diffs.map(|((component, _), edits)| Diff { component: *component, edits }).collect()
}

impl DescribedEdit {
    /// What a reader must make of it.
    pub(crate) fn view(&self) -> EditView<'_> {
        let (sibling, frame) = (self.sibling, self.index);
        match self.kind {
            EditType::PrependFrame => EditView::PrependFrame { sibling, frame },
            EditType::RemoveFrame => EditView::RemoveFrame { sibling },
            EditType::SetAttribute => EditView::SetAttribute { sibling, frame },
            EditType::RemoveAttribute => {
                EditView::RemoveAttribute { sibling, name: self.name.as_deref() }
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

    fn parse(value: Value) -> Result<Self, String> {
        let mut fields = Fields::new("edit", value)?;
        let name = fields.string("type")?;
        let kind = match name.as_str() {
            "prependFrame" => EditType::PrependFrame,
            "removeFrame" => EditType::RemoveFrame,
            "setAttribute" => EditType::SetAttribute,
            "removeAttribute" => EditType::RemoveAttribute,
            "updateText" => EditType::UpdateText,
            "stepIn" => EditType::StepIn,
            "stepOut" => EditType::StepOut,
            "updateMarkup" => EditType::UpdateMarkup,
            "permutationListEntry" => EditType::PermutationListEntry,
            "permutationListEnd" => EditType::PermutationListEnd,
            _ => return Err(format!("unknown edit type {name:?}")),
        };
        let sibling = match kind {
            EditType::StepOut | EditType::PermutationListEnd => 0,
            _ => fields.int("sibling")?,
        };
        let index = match kind {
            EditType::PrependFrame
            | EditType::SetAttribute
            | EditType::UpdateText
            | EditType::UpdateMarkup => fields.int("frame")?,
            EditType::PermutationListEntry => fields.int("to")?,
            _ => 0,
        };
        let name = match kind {
            EditType::RemoveAttribute => optional_string(fields.take("name")?)?,
            _ => None,
        };
        fields.finish()?;
        Ok(Self { kind, sibling, index, name })
    }
}

impl DescribedFrame {
    /// What a reader must make of it.
    pub(crate) fn view(&self) -> FrameView<'_> {
        let string = self.string.as_deref();
        match self.kind {
            FrameType::Element => FrameView::Element { name: string, subtree: self.subtree },
            FrameType::Text => FrameView::Text { content: string },
            FrameType::Attribute => {
                let value = match &self.value {
                    DescribedValue::Bool(true) => Some(""),
                    DescribedValue::Null | DescribedValue::Other | DescribedValue::Bool(false) => {
                        None
                    }
                    DescribedValue::String(value) => Some(value.as_str()),
                };
                FrameView::Attribute { name: string, value, event: self.event }
            }
            FrameType::Component => {
                FrameView::Component { id: self.component, subtree: self.subtree }
            }
            FrameType::Region => FrameView::Region { subtree: self.subtree },
            FrameType::ElementReferenceCapture => FrameView::ElementReferenceCapture { id: string },
            FrameType::ComponentReferenceCapture => FrameView::ComponentReferenceCapture,
            FrameType::Markup => FrameView::Markup { content: string },
            FrameType::ComponentRenderMode => FrameView::ComponentRenderMode,
            FrameType::NamedEvent => FrameView::NamedEvent,
        }
    }

    fn bare(kind: FrameType) -> Self {
        Self { kind, subtree: 0, component: 0, string: None, value: DescribedValue::Null, event: 0 }
    }

    fn element(name: &str, subtree: i32) -> Self {
        Self { subtree, string: Some(name.to_owned()), ..Self::bare(FrameType::Element) }
    }

    fn text(content: &str) -> Self {
        Self { string: Some(content.to_owned()), ..Self::bare(FrameType::Text) }
    }

    fn attribute(name: &str, value: DescribedValue, event: u64) -> Self {
        Self { string: Some(name.to_owned()), value, event, ..Self::bare(FrameType::Attribute) }
    }

    fn class(value: &str) -> Self {
        Self::attribute("class", DescribedValue::String(value.to_owned()), 0)
    }

    fn parse(value: Value) -> Result<Self, String> {
        let mut fields = Fields::new("frame", value)?;
        let name = fields.string("type")?;
        let kind = match name.as_str() {
            "element" => FrameType::Element,
            "text" => FrameType::Text,
            "attribute" => FrameType::Attribute,
            "component" => FrameType::Component,
            "region" => FrameType::Region,
            "elementReferenceCapture" => FrameType::ElementReferenceCapture,
            "componentReferenceCapture" => FrameType::ComponentReferenceCapture,
            "markup" => FrameType::Markup,
            "componentRenderMode" => FrameType::ComponentRenderMode,
            "namedEvent" => FrameType::NamedEvent,
            _ => return Err(format!("unknown frame type {name:?}")),
        };
        let mut frame = Self::bare(kind);
        match kind {
            FrameType::Element => {
                frame.subtree = fields.int("subtree")?;
                frame.string = optional_string(fields.take("name")?)?;
            }
            FrameType::Text | FrameType::Markup => {
                frame.string = optional_string(fields.take("content")?)?;
            }
            FrameType::Attribute => {
                frame.string = optional_string(fields.take("name")?)?;
                frame.value = attribute_value(fields.take("value")?)?;
                frame.event = fields.optional("event").map_or(Ok(0), event_id)?;
            }
            FrameType::Component => {
                frame.subtree = fields.int("subtree")?;
                frame.component = fields.int("id")?;
            }
            FrameType::Region => frame.subtree = fields.int("subtree")?,
            FrameType::ElementReferenceCapture => {
                frame.string = optional_string(fields.take("id")?)?;
            }
            FrameType::ComponentReferenceCapture
            | FrameType::ComponentRenderMode
            | FrameType::NamedEvent => {}
        }
        fields.finish()?;
        Ok(frame)
    }
}

impl Description {
    pub(crate) fn parse(value: Value) -> Result<Self, String> {
        let mut fields = Fields::new("batch", value)?;
        let mut batch = Self::default();
        for component in vector::items(fields.take("components")?)? {
            let mut component = Fields::new("component", component)?;
            let id = component.int("id")?;
            let edits = vector::items(component.take("edits")?)?;
            component.finish()?;
            let edits = edits.into_iter().map(DescribedEdit::parse).collect::<Result<_, _>>()?;
            batch.diffs.push((id, edits));
        }
        for frame in vector::items(fields.take("frames")?)? {
            batch.frames.push(DescribedFrame::parse(frame)?);
        }
        for id in vector::items(fields.take("disposedComponents")?)? {
            batch.disposed_components.push(vector::int(&id)?);
        }
        for id in vector::items(fields.take("disposedEvents")?)? {
            batch.disposed_events.push(event_id(id)?);
        }
        fields.finish()?;
        Ok(batch)
    }

    /// A batch that is described by the numbers in `table(rows=R, base_event=B)`.
    pub(crate) fn follow(recipe: &str) -> Result<Self, String> {
        let unknown = || format!("unknown recipe {recipe:?}");
        let arguments = recipe.strip_prefix("table(rows=").ok_or_else(unknown)?;
        let (rows, rest) = arguments.split_once(", base_event=").ok_or_else(unknown)?;
        let (base, _) = rest.split_once(')').ok_or_else(unknown)?;
        let rows: i32 = rows.parse().map_err(|_| unknown())?;
        let base: u64 = base.parse().map_err(|_| unknown())?;
        let mut batch = Self::default();
        let mut edits = Vec::new();
        for (row, event) in (0..rows).zip(base..) {
            edits.push(DescribedEdit {
                kind: EditType::PrependFrame,
                sibling: row,
                index: 11 * row,
                name: None,
            });
            batch.frames.extend([
                DescribedFrame::element("tr", 11),
                DescribedFrame::class(if row % 2 == 0 { "even" } else { "odd" }),
                DescribedFrame::element("td", 2),
                DescribedFrame::text(&(row + 1).to_string()),
                DescribedFrame::element("td", 3),
                DescribedFrame::class("name"),
                DescribedFrame::text(&format!("Item {}", row + 1)),
                DescribedFrame::element("td", 4),
                DescribedFrame::element("button", 3),
                DescribedFrame::attribute("onclick", DescribedValue::Other, event),
                DescribedFrame::text("Delete"),
            ]);
        }
        batch.diffs.push((1, edits));
        Ok(batch)
    }
}

fn optional_string(value: Value) -> Result<Option<String>, String> {
    if value.is_null() { Ok(None) } else { vector::string(value).map(Some) }
}

/// An event handler id: decimal digits in a string, since JSON numbers end at 2^53.
fn event_id(value: Value) -> Result<u64, String> {
    let digits = vector::text(value)?;
    digits.parse().map_err(|_| format!("no event handler id: {digits:?}"))
}

fn attribute_value(value: Value) -> Result<DescribedValue, String> {
    Ok(match value {
        Value::Null => DescribedValue::Null,
        Value::Bool(value) => DescribedValue::Bool(value),
        Value::Object(object) if object.len() == 1 && object.contains_key("other") => {
            DescribedValue::Other
        }
        other => DescribedValue::String(vector::string(other)?),
    })
}
