//! What the pages of `page` are made of: all that a component can push.

use onewrite::page::{Content, Copied, Element, Show};

/// One thing that a page shows.
#[derive(Clone, Debug)]
pub enum Item {
    Element {
        name: &'static str,
        key: Option<u64>,
        attributes: Vec<Attribute>,
        children: Vec<Self>,
    },
    Region(Vec<Self>),
    Text(Value),
    Markup(Value),
    /// So many regions in each other.
    Deep(usize),
}

#[derive(Clone, Debug)]
pub enum Attribute {
    Value(&'static str, Value),
    Flag(&'static str, bool),
    On(&'static str, u32),
    /// So many flags, each with a name of its own.
    Many(usize),
}

/// A value in each form that one may have.
#[derive(Clone, Debug)]
pub enum Value {
    Literal(&'static str),
    Copied(String),
    Char(char),
    /// A number, and one that says of which type.
    Number(u64, u8),
    /// A number, also with as many places.
    Formatted(usize),
    FormattedLiteral,
    Maybe(Option<&'static str>),
}

/// Where a value goes.
trait Place {
    type Then;

    fn take(self, value: impl Show) -> Self::Then;
}

struct Text<'c, 'd>(&'c mut Content<'d>);
struct Markup<'c, 'd>(&'c mut Content<'d>);
struct Inside<'c, 'd>(Element<'c, 'd>);
struct Of<'c, 'd>(Element<'c, 'd>, &'static str);

impl Place for Text<'_, '_> {
    type Then = ();

    fn take(self, value: impl Show) {
        self.0.text(value);
    }
}

impl Place for Markup<'_, '_> {
    type Then = ();

    fn take(self, value: impl Show) {
        self.0.markup(value);
    }
}

impl Place for Inside<'_, '_> {
    type Then = ();

    fn take(self, value: impl Show) {
        self.0.text(value);
    }
}

impl<'c, 'd> Place for Of<'c, 'd> {
    type Then = Element<'c, 'd>;

    fn take(self, value: impl Show) -> Element<'c, 'd> {
        self.0.attribute(self.1, value)
    }
}

impl Value {
    fn give<P: Place>(&self, place: P) -> P::Then {
        match self {
            Self::Literal(text) => place.take(*text),
            Self::Copied(text) => place.take(Copied(text)),
            Self::Char(character) => place.take(*character),
            Self::Number(number, kind) => match kind % 10 {
                0 => place.take(*number as u8),
                1 => place.take(*number as i8),
                2 => place.take(*number as u16),
                3 => place.take(*number as i16),
                4 => place.take(*number as u32),
                5 => place.take(*number as i32),
                6 => place.take(*number),
                7 => place.take(*number as i64),
                8 => place.take(*number as usize),
                _ => place.take(*number as isize),
            },
            Self::Formatted(number) => place.take(format_args!("{number} is {number:>number$}")),
            Self::FormattedLiteral => place.take(format_args!("as it is")),
            Self::Maybe(text) => place.take(*text),
        }
    }

    /// What is to be read, if anything.
    fn text(&self) -> Option<String> {
        Some(match self {
            Self::Literal(text) => (*text).to_owned(),
            Self::Copied(text) => text.clone(),
            Self::Char(character) => character.to_string(),
            Self::Number(number, kind) => match kind % 10 {
                0 => (*number as u8).to_string(),
                1 => (*number as i8).to_string(),
                2 => (*number as u16).to_string(),
                3 => (*number as i16).to_string(),
                4 => (*number as u32).to_string(),
                5 => (*number as i32).to_string(),
                6 => number.to_string(),
                7 => (*number as i64).to_string(),
                8 => (*number as usize).to_string(),
                _ => (*number as isize).to_string(),
            },
            Self::Formatted(number) => format!("{number} is {number:>number$}"),
            Self::FormattedLiteral => "as it is".to_owned(),
            Self::Maybe(text) => (*text)?.to_owned(),
        })
    }
}

/// The component: what `list` says.
pub fn show(list: &[Item], page: &mut Content<'_>) {
    for item in list {
        match item {
            Item::Text(value) => value.give(Text(page)),
            Item::Markup(html) => html.give(Markup(page)),
            Item::Region(inner) => page.region(|p| show(inner, p)),
            Item::Deep(levels) => deep(*levels, page),
            Item::Element { name, key, attributes, children } => {
                let mut element = page.element(name);
                if let Some(key) = key {
                    element = element.key(*key);
                }
                // For those who can see no more than the document.
                if matches!(*name, "input" | "select" | "textarea") {
                    element = element.flag("data-value", has(attributes, "value"));
                }
                if *name == "input" {
                    element = element.flag("data-checked", has(attributes, "checked"));
                }
                for attribute in attributes {
                    element = match attribute {
                        Attribute::Value(name, value) => value.give(Of(element, name)),
                        Attribute::Flag(name, set) => element.flag(name, *set),
                        Attribute::On(name, action) => element.on(name, *action),
                        Attribute::Many(count) => many(*count, element),
                    };
                }
                match &children[..] {
                    [Item::Text(value)] => value.give(Inside(element)),
                    _ => element.content(|p| show(children, p)),
                }
            }
        }
    }
}

fn has(attributes: &[Attribute], wanted: &str) -> bool {
    let is = |attribute: &Attribute| match attribute {
        Attribute::Value(name, _) | Attribute::Flag(name, _) => *name == wanted,
        Attribute::On(..) | Attribute::Many(_) => false,
    };
    attributes.iter().any(is)
}

fn many<'c, 'd>(count: usize, element: Element<'c, 'd>) -> Element<'c, 'd> {
    const NAMES: &str = "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm";
    (1..=count).fold(element, |element, len| element.flag(&NAMES[..len], len % 2 == 0))
}

fn deep(levels: usize, page: &mut Content<'_>) {
    if levels != 0 {
        page.region(|p| deep(levels - 1, p));
    }
}

/// The texts that are to be read, each for itself.
pub fn texts(list: &[Item]) -> Vec<String> {
    let texts = |item: &Item| match item {
        Item::Text(value) => value.text().into_iter().collect(),
        Item::Element { children, .. } => texts(children),
        Item::Region(inner) => texts(inner),
        Item::Markup(_) | Item::Deep(_) => Vec::new(),
    };
    list.iter().flat_map(texts).collect()
}
