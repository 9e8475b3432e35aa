//! Reference frames as users build them.

use super::name::{Name, is_white_space};
use crate::string_table;

/// The kind of a frame: `RenderTreeFrameType` of ASP.NET Core, whose 0 (`None`) is never sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum FrameType {
    /// An element; its subtree follows.
    Element = 1,
    /// A text node.
    Text = 2,
    /// An attribute of the element or component before it.
    Attribute = 3,
    /// A child component; its subtree follows.
    Component = 4,
    /// A region, which groups the frames of a fragment.
    Region = 5,
    /// A request for a reference to the element.
    ElementReferenceCapture = 6,
    /// A request for a reference to the component; carries nothing on the wire.
    ComponentReferenceCapture = 7,
    /// A block of markup.
    Markup = 8,
    /// A render mode (.NET 8); carries nothing on the wire.
    ComponentRenderMode = 9,
    /// A named event (.NET 8); carries nothing on the wire.
    NamedEvent = 10,
}

impl FrameType {
    /// The type with this number on the wire, if there is one.
    #[must_use]
    pub const fn from_wire(value: i32) -> Option<Self> {
        Some(match value {
            1 => Self::Element,
            2 => Self::Text,
            3 => Self::Attribute,
            4 => Self::Component,
            5 => Self::Region,
            6 => Self::ElementReferenceCapture,
            7 => Self::ComponentReferenceCapture,
            8 => Self::Markup,
            9 => Self::ComponentRenderMode,
            10 => Self::NamedEvent,
            _ => return None,
        })
    }
}

/// The value of an attribute.
///
/// A delegate, a number or any other object has no form on the wire: it is `Null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Value<'a> {
    /// No string. On the wire `false` and every object look the same.
    Null,
    /// `true` is sent as the empty string, `false` as null.
    Bool(bool),
    /// A string.
    Str(&'a str),
}

/// A reference frame as a user builds it, with strings in place of table indexes.
///
/// Flat and `Copy`. The constructors are `const`, zero what a kind does not use, and decide which
/// strings the batch shares, so the writer's loop has nothing left to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Event handler id of an attribute; else 0.
    pub(super) event: u64,
    /// The string that the batch shares: a name, an empty value or a white-space text.
    pub(super) shared: &'a str,
    /// The string that the batch does not share.
    pub(super) own: &'a str,
    /// Bytes 4 to 8 where no string stands there.
    pub(super) first: i32,
    /// Bytes 8 to 12 where no string stands there.
    pub(super) second: i32,
    /// Hash of `shared`.
    pub(super) hash: u32,
    pub(super) kind: FrameType,
    /// Where the strings go: [`flag`]s.
    pub(super) flags: u8,
}

/// What the writer has to do for a frame before it can store it.
pub(super) mod flag {
    /// Look up `shared` and store its index at byte 4.
    pub(in super::super) const SHARED: u8 = 1;
    /// Store the index of `shared` at byte 8 instead.
    pub(in super::super) const SHARED_SECOND: u8 = 2;
    /// Append `own` and store its index at byte 4.
    pub(in super::super) const OWN: u8 = 4;
    /// Store the index of `own` at byte 8 instead.
    pub(in super::super) const OWN_SECOND: u8 = 8;
    /// Look up the empty string and store its index at byte 8.
    pub(in super::super) const EMPTY_SECOND: u8 = 16;
}

impl<'a> Frame<'a> {
    const fn bare(kind: FrameType, first: i32, second: i32) -> Self {
        Self { event: 0, shared: "", own: "", first, second, hash: 0, kind, flags: 0 }
    }

    /// An element called `name` whose subtree, itself included, is `subtree` frames.
    #[inline(always)]
    #[must_use]
    pub const fn element(name: &'a str, subtree: i32) -> Self {
        Self::element_named(Name::new(name), subtree)
    }

    /// [`element`](Self::element) with a name classified beforehand; may be null.
    #[inline(always)]
    #[must_use]
    pub const fn element_named(name: Name<'a>, subtree: i32) -> Self {
        let frame = Self::bare(FrameType::Element, subtree, -1);
        match name.as_str() {
            None => frame,
            Some(shared) => {
                let flags = flag::SHARED | flag::SHARED_SECOND;
                Self { shared, hash: name.hash(), flags, ..frame }
            }
        }
    }

    /// A text node.
    ///
    /// Text that is empty or all white space is shared within the batch, other text is not.
    #[inline(always)]
    #[must_use]
    pub const fn text(content: &'a str) -> Self {
        let frame = Self::bare(FrameType::Text, -1, 0);
        if is_white_space(content) {
            let hash = string_table::hash(content);
            Self { shared: content, hash, flags: flag::SHARED, ..frame }
        } else {
            Self { own: content, flags: flag::OWN, ..frame }
        }
    }

    /// A text node without content.
    #[must_use]
    pub const fn null_text() -> Self {
        Self::bare(FrameType::Text, -1, 0)
    }

    /// An attribute `name` with `value`.
    #[inline(always)]
    #[must_use]
    pub const fn attribute(name: &'a str, value: Value<'a>) -> Self {
        Self::attribute_named(Name::new(name), value, 0)
    }

    /// An attribute `name`, such as `onclick`, that calls the event handler `event`.
    ///
    /// The browser refuses ids above 2^53 - 1; [`Options::js_safe`](super::Options) checks that.
    #[inline(always)]
    #[must_use]
    pub const fn event_handler(name: &'a str, event: u64) -> Self {
        Self::attribute_named(Name::new(name), Value::Null, event)
    }

    /// The attribute with everything it can carry: a name classified beforehand, which may be
    /// null, a value, and the id of an event handler, or 0.
    ///
    /// Machine code: [`frame_attribute`](crate::machine_code::frame_attribute).
    #[inline(always)]
    #[must_use]
    pub const fn attribute_named(name: Name<'a>, value: Value<'a>, event: u64) -> Self {
        let mut frame = Self { event, ..Self::bare(FrameType::Attribute, -1, -1) };
        if let Some(shared) = name.as_str() {
            frame.shared = shared;
            frame.hash = name.hash();
            frame.flags = flag::SHARED;
        }
        match value {
            Value::Str(own) if !own.is_empty() => {
                frame.own = own;
                frame.flags |= flag::OWN | flag::OWN_SECOND;
            }
            Value::Str(_) | Value::Bool(true) => frame.flags |= flag::EMPTY_SECOND,
            Value::Null | Value::Bool(false) => {}
        }
        frame
    }

    /// The child component `id` whose subtree, itself included, is `subtree` frames.
    #[must_use]
    pub const fn component(id: i32, subtree: i32) -> Self {
        Self::bare(FrameType::Component, subtree, id)
    }

    /// A region whose subtree, itself included, is `subtree` frames.
    #[must_use]
    pub const fn region(subtree: i32) -> Self {
        Self::bare(FrameType::Region, subtree, 0)
    }

    /// A request for a reference to the element, known to .NET as `id`; never shared.
    #[must_use]
    pub const fn element_reference_capture(id: &'a str) -> Self {
        let frame = Self::bare(FrameType::ElementReferenceCapture, -1, 0);
        Self { own: id, flags: flag::OWN, ..frame }
    }

    /// A reference capture without an id.
    #[must_use]
    pub const fn null_element_reference_capture() -> Self {
        Self::bare(FrameType::ElementReferenceCapture, -1, 0)
    }

    /// A request for a reference to the component.
    #[must_use]
    pub const fn component_reference_capture() -> Self {
        Self::bare(FrameType::ComponentReferenceCapture, 0, 0)
    }

    /// A block of markup; never shared.
    #[must_use]
    pub const fn markup(content: &'a str) -> Self {
        let frame = Self::bare(FrameType::Markup, -1, 0);
        Self { own: content, flags: flag::OWN, ..frame }
    }

    /// A block of markup without content.
    #[must_use]
    pub const fn null_markup() -> Self {
        Self::bare(FrameType::Markup, -1, 0)
    }

    /// A render mode.
    #[must_use]
    pub const fn component_render_mode() -> Self {
        Self::bare(FrameType::ComponentRenderMode, 0, 0)
    }

    /// A named event.
    #[must_use]
    pub const fn named_event() -> Self {
        Self::bare(FrameType::NamedEvent, 0, 0)
    }

    /// The kind of the frame.
    #[must_use]
    pub const fn kind(&self) -> FrameType {
        self.kind
    }

    /// The frame as an enum, for matching.
    #[must_use]
    pub const fn view(&self) -> FrameView<'a> {
        match self.kind {
            FrameType::Element => {
                FrameView::Element { name: self.shared_or_null(), subtree: self.first }
            }
            FrameType::Text => {
                let content = if self.flags & flag::OWN != 0 {
                    Some(self.own)
                } else {
                    self.shared_or_null()
                };
                FrameView::Text { content }
            }
            FrameType::Attribute => {
                let value = if self.flags & flag::OWN != 0 {
                    Some(self.own)
                } else if self.flags & flag::EMPTY_SECOND != 0 {
                    Some("")
                } else {
                    None
                };
                FrameView::Attribute { name: self.shared_or_null(), value, event: self.event }
            }
            FrameType::Component => FrameView::Component { id: self.second, subtree: self.first },
            FrameType::Region => FrameView::Region { subtree: self.first },
            FrameType::ElementReferenceCapture => {
                FrameView::ElementReferenceCapture { id: self.own_or_null() }
            }
            FrameType::ComponentReferenceCapture => FrameView::ComponentReferenceCapture,
            FrameType::Markup => FrameView::Markup { content: self.own_or_null() },
            FrameType::ComponentRenderMode => FrameView::ComponentRenderMode,
            FrameType::NamedEvent => FrameView::NamedEvent,
        }
    }

    const fn shared_or_null(&self) -> Option<&'a str> {
        if self.flags & flag::SHARED != 0 { Some(self.shared) } else { None }
    }

    const fn own_or_null(&self) -> Option<&'a str> {
        if self.flags & flag::OWN != 0 { Some(self.own) } else { None }
    }
}

/// As [`FrameView`], which has a field for what the kind uses and no other.
#[cfg(feature = "defmt")]
impl defmt::Format for Frame<'_> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "{}", self.view());
    }
}

/// A frame as an enum: what [`Frame::view`] gives.
///
/// `None` is the null string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FrameView<'a> {
    /// An element.
    Element {
        /// Its tag name.
        name: Option<&'a str>,
        /// Frames in its subtree, itself included.
        subtree: i32,
    },
    /// A text node.
    Text {
        /// The text.
        content: Option<&'a str>,
    },
    /// An attribute.
    Attribute {
        /// Its name.
        name: Option<&'a str>,
        /// Its value; the empty string also stands for `true`.
        value: Option<&'a str>,
        /// The event handler it calls, or 0.
        event: u64,
    },
    /// A child component.
    Component {
        /// Its id.
        id: i32,
        /// Frames in its subtree, itself included.
        subtree: i32,
    },
    /// A region.
    Region {
        /// Frames in its subtree, itself included.
        subtree: i32,
    },
    /// A request for a reference to the element.
    ElementReferenceCapture {
        /// The id by which .NET knows the reference.
        id: Option<&'a str>,
    },
    /// A request for a reference to the component.
    ComponentReferenceCapture,
    /// A block of markup.
    Markup {
        /// The markup.
        content: Option<&'a str>,
    },
    /// A render mode.
    ComponentRenderMode,
    /// A named event.
    NamedEvent,
}
