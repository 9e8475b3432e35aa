//! What a browser says that was done to a page.
//!
//! | client | call | arguments |
//! |---|---|---|
//! | from .NET 6 on | `BeginInvokeDotNetFromJS`, method `DispatchEventAsync` | `[descriptor, data]` in one JSON text |
//! | before | `DispatchBrowserEvent` | descriptor and data, a JSON text each |
//!
//! | part | key | value |
//! |---|---|---|
//! | descriptor | `eventHandlerId` | the number that the page gave the handler |
//! | | `eventName` | `"click"`; before .NET 6 `eventArgsType`, `"mouse"`, and the name is `type` of the data |
//! | | `eventFieldInfo` | `null`, or `componentId` and `fieldValue` of the field that it happened to |
//! | data | | an object, whose keys depend on the event; `value` of `input` and `change` |
//!
//! The value of a field travels twice, in both parts; it is read from the data. Source: aspnetcore,
//! `src/Components/Web.JS/src/Rendering/Events/`.

use super::json::{Error, Number, Object, Text, Value, View};

/// An event, as a view of the JSON that came.
///
/// ```
/// use onewrite::circuit::event::{Data, Event};
///
/// let json = r#"[{"eventHandlerId":3,"eventName":"input","eventFieldInfo":
///     {"componentId":0,"fieldValue":"hi"}},{"value":"hi"}]"#;
/// let event = Event::from_call(json)?;
/// assert!(event.handler == 3 && event.name == "input");
/// let Data::Text(text) = event.data()? else { panic!("not text") };
/// assert!(text == "hi");
/// # Ok::<(), onewrite::circuit::json::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Event<'a> {
    /// The number that the page gave the handler.
    pub handler: u64,
    /// What has happened: `click`, `input`, `keydown` and so on.
    pub name: Text<'a>,
    /// The field that it happened to.
    pub field: Option<Field<'a>>,
    /// What the browser says about it, unread.
    data: &'a str,
}

impl<'a> Event<'a> {
    /// The event in the arguments of `DispatchEventAsync`.
    ///
    /// What the browser says about it may be checked no sooner than it is asked for: most handlers of a
    /// click never ask.
    ///
    /// # Errors
    ///
    /// What in `json` is no JSON, or no event.
    pub fn from_call(json: &'a str) -> Result<Self, Error> {
        match Self::plain(json) {
            Some(event) => Ok(event),
            None => Self::any(json),
        }
    }

    /// The event in the two arguments of `DispatchBrowserEvent`, which clients before .NET 6 send.
    ///
    /// # Errors
    ///
    /// What in one of them is no JSON, or no event. Its offset is from the start of that one.
    pub fn from_descriptor(descriptor: &'a str, data: &'a str) -> Result<Self, Error> {
        let descriptor = Value::parse(descriptor)?.object()?;
        let [handler, class, field] =
            descriptor.pick(["eventHandlerId", "eventArgsType", "eventFieldInfo"])?;
        let name = match Value::parse(data)?.object()?.get("type")? {
            Some(name) => name,
            None => class.ok_or(descriptor.missing("eventArgsType"))?,
        };
        Ok(Self {
            handler: handler.ok_or(descriptor.missing("eventHandlerId"))?.u64()?,
            name: name.text()?,
            field: Field::read(field)?,
            data,
        })
    }

    /// An event without a field, as all clients write it.
    fn plain(json: &'a str) -> Option<Self> {
        let rest = behind(json, "[{\"eventHandlerId\":")?;
        let (handler, rest) = split(rest, u8::is_ascii_digit)?;
        let rest = behind(rest, ",\"eventName\":\"")?;
        let (name, rest) = split(rest, u8::is_ascii_lowercase)?;
        let rest = behind(rest, "\",\"eventFieldInfo\":null},")?;
        let (data, end) = rest.split_at_checked(rest.len().checked_sub(1)?)?;
        let handler = match handler.as_bytes() {
            [] | [b'0', _, ..] => return None,
            _ => Number::of_digits(handler).to_u64()?,
        };
        (end == "]").then_some(Self { handler, name: Text::of_plain(name), field: None, data })
    }

    #[cold]
    fn any(json: &'a str) -> Result<Self, Error> {
        let [descriptor, data] = Value::parse(json)?.array()?.exactly()?;
        let descriptor = descriptor.object()?;
        let [handler, name, field] =
            descriptor.pick(["eventHandlerId", "eventName", "eventFieldInfo"])?;
        data.object()?;
        Ok(Self {
            handler: handler.ok_or(descriptor.missing("eventHandlerId"))?.u64()?,
            name: name.ok_or(descriptor.missing("eventName"))?.text()?,
            field: Field::read(field)?,
            data: data.raw(),
        })
    }

    /// All that the browser says about it.
    ///
    /// # Errors
    ///
    /// What in it is no JSON, or no object. Offsets are from its start.
    pub fn arguments(&self) -> Result<Object<'a>, Error> {
        Value::parse(self.data)?.object()
    }

    /// What the browser says about it, by its name.
    ///
    /// # Errors
    ///
    /// A key of this event that is there twice, or has a value of another type.
    pub fn data(&self) -> Result<Data<'a>, Error> {
        // Names with escapes in them come from nobody.
        match self.name.plain().unwrap_or_default() {
            "input" | "change" => self.value(),
            "keydown" | "keyup" | "keypress" => {
                Keyboard::read(self.arguments()?).map(Data::Keyboard)
            }
            "submit" => Ok(Data::Submit),
            "click" | "dblclick" | "contextmenu" | "mousedown" | "mouseup" | "mousemove"
            | "mouseover" | "mouseout" | "mouseenter" | "mouseleave" => {
                Mouse::read(self.arguments()?).map(Data::Mouse)
            }
            _ => Ok(Data::Other(self.arguments()?)),
        }
    }

    fn value(&self) -> Result<Data<'a>, Error> {
        let arguments = self.arguments()?;
        Ok(match arguments.require("value")?.view() {
            View::Text(text) => Data::Text(text),
            View::Bool(checked) => Data::Checked(checked),
            // Of a list with several choices.
            _ => Data::Other(arguments),
        })
    }
}

/// The field that an event happened to.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Field<'a> {
    /// Number of the component that has the field.
    pub component: u64,
    /// What is in it: the same as in the event's data, where that has a value.
    pub value: Value<'a>,
}

impl<'a> Field<'a> {
    fn read(value: Option<Value<'a>>) -> Result<Option<Self>, Error> {
        let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(None) };
        let object = value.object()?;
        let [component, value] = object.pick(["componentId", "fieldValue"])?;
        Ok(Some(Self {
            component: component.ok_or(object.missing("componentId"))?.u64()?,
            value: value.ok_or(object.missing("fieldValue"))?,
        }))
    }
}

/// What a browser says about an event.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Data<'a> {
    /// `input` or `change` of a checkbox: whether it is checked now.
    Checked(bool),
    /// A key.
    Keyboard(Keyboard<'a>),
    /// A pointer.
    Mouse(Mouse),
    /// Something else, as it came.
    Other(Object<'a>),
    /// A form was submitted. What is in its fields came with their own events.
    Submit,
    /// `input` or `change` of a field: the text in it now.
    Text(Text<'a>),
}

/// A key that went down or up.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Keyboard<'a> {
    /// What it stands for: `a`, `A`, `Enter`.
    pub key: Text<'a>,
    /// Where on the keyboard it is: `KeyA`.
    pub code: Text<'a>,
    /// Whether it is held down.
    pub repeat: bool,
    /// The keys that are held down with it.
    pub modifiers: Modifiers,
}

impl<'a> Keyboard<'a> {
    fn read(object: Object<'a>) -> Result<Self, Error> {
        let [key, code, repeat] = object.pick(["key", "code", "repeat"])?;
        Ok(Self {
            key: key.ok_or(object.missing("key"))?.text()?,
            code: code.ok_or(object.missing("code"))?.text()?,
            repeat: repeat.map_or(Ok(false), |repeat| repeat.bool())?,
            modifiers: Modifiers::read(object)?,
        })
    }
}

/// A button or a movement of a pointer, in pixels without their fraction.
///
/// What the browser does not say is zero: older ones say less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Mouse {
    /// Clicks in a row.
    pub detail: i64,
    /// The button that went down or up: 0 is the first.
    pub button: i64,
    /// The buttons that are down: bit 0 is the first.
    pub buttons: i64,
    /// Where, from the edge of the element.
    pub offset: [i64; 2],
    /// Where, from the edge of what is seen of the page.
    pub client: [i64; 2],
    /// Where, from the edge of the page.
    pub page: [i64; 2],
    /// Where, from the edge of the screen.
    pub screen: [i64; 2],
    /// The keys that are held down with it.
    pub modifiers: Modifiers,
}

impl Mouse {
    fn read(object: Object<'_>) -> Result<Self, Error> {
        let values = object.pick([
            "detail", "button", "buttons", "offsetX", "offsetY", "clientX", "clientY", "pageX",
            "pageY", "screenX", "screenY",
        ])?;
        let mut numbers = [0; 11];
        for (number, value) in numbers.iter_mut().zip(values) {
            if let Some(value) = value {
                *number = value.number()?.truncated().ok_or(value.wrong("a coordinate"))?;
            }
        }
        let [detail, button, buttons, ox, oy, cx, cy, px, py, sx, sy] = numbers;
        Ok(Self {
            detail,
            button,
            buttons,
            offset: [ox, oy],
            client: [cx, cy],
            page: [px, py],
            screen: [sx, sy],
            modifiers: Modifiers::read(object)?,
        })
    }
}

/// Keys that are held down with another one, or with a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Modifiers {
    /// Control.
    pub ctrl: bool,
    /// Shift.
    pub shift: bool,
    /// Alt, or option.
    pub alt: bool,
    /// The command key, or that with the window.
    pub meta: bool,
}

impl Modifiers {
    fn read(object: Object<'_>) -> Result<Self, Error> {
        let values = object.pick(["ctrlKey", "shiftKey", "altKey", "metaKey"])?;
        let mut held = [false; 4];
        for (held, value) in held.iter_mut().zip(values) {
            if let Some(value) = value {
                *held = value.bool()?;
            }
        }
        let [ctrl, shift, alt, meta] = held;
        Ok(Self { ctrl, shift, alt, meta })
    }
}

/// What is behind `front` in `text`, if that is there.
fn behind<'t>(text: &'t str, front: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(front.len())?;
    (start == front).then_some(rest)
}

/// Takes characters of one kind from the front of `text`.
fn split(text: &str, is: impl Fn(&u8) -> bool) -> Option<(&str, &str)> {
    text.split_at_checked(text.bytes().position(|byte| !is(&byte))?)
}
