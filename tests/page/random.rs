//! Random pages, and changes of them, from a seed.

use onewrite::page::{Content, Copied};

#[path = "../numbers/mod.rs"]
mod numbers;

pub(crate) use numbers::Random;

/// One thing that a page shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    Element {
        name: &'static str,
        key: Option<u64>,
        attributes: Vec<Attribute>,
        children: Vec<Self>,
    },
    Region(Vec<Self>),
    Text(String),
    Literal(&'static str),
    Markup(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Attribute {
    Value(&'static str, String),
    Flag(&'static str, bool),
    On(&'static str, u32),
}

const NAMES: [&str; 14] = [
    "div", "p", "span", "ul", "li", "b", "button", "input", "select", "option", "textarea", "svg",
    "circle", "table",
];
const VALUES: [&str; 8] = ["class", "id", "title", "value", "style", "data-x", "max", "name"];
const FLAGS: [&str; 4] = ["disabled", "checked", "hidden", "readonly"];
const EVENTS: [&str; 4] = ["onclick", "oninput", "onchange", "onkeydown"];
const LITERALS: [&str; 5] = ["", " ", "\n  ", "a text", "another"];
const HTML: [&str; 4] = ["<i>a</i>", "<i>a</i><b title=\"b\">c</b>", "text", ""];

impl Random {
    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        of[self.below(of.len())]
    }

    fn text(&mut self) -> String {
        match self.below(4) {
            0 => self.pick(&LITERALS).to_owned(),
            1 => format!("{}", self.below(20)),
            2 => "<b>&amp;\"'".to_owned(),
            _ => format!("zwölf {} 字", self.below(3)),
        }
    }

    /// A list of things, with keys or without, of which a few are in each other.
    pub(crate) fn list(&mut self, depth: usize) -> Vec<Item> {
        let len = self.below(if depth == 0 { 7 } else { 5 });
        let keyed = self.one_in(2);
        let mut list: Vec<_> = (0..len).map(|_| self.item(depth)).collect();
        if keyed {
            for item in &mut list {
                let key = self.key();
                if let Item::Element { key: slot, .. } = item {
                    *slot = key;
                }
            }
        }
        list
    }

    /// Of few numbers, so that they meet again, and some twice.
    fn key(&mut self) -> Option<u64> {
        (!self.one_in(8)).then(|| self.below(12) as u64)
    }

    fn item(&mut self, depth: usize) -> Item {
        match self.below(10) {
            0 => Item::Literal(self.pick(&LITERALS)),
            1 | 2 => Item::Text(self.text()),
            3 => Item::Markup(self.pick(&HTML).to_owned()),
            4 if depth < 4 => Item::Region(self.list(depth + 1)),
            _ => {
                let name = self.pick(&NAMES);
                let children = match name {
                    "select" => (0..self.below(4)).map(|_| self.option()).collect(),
                    _ if depth < 4 => self.list(depth + 1),
                    _ => Vec::new(),
                };
                Item::Element { name, key: None, attributes: self.attributes(), children }
            }
        }
    }

    fn option(&mut self) -> Item {
        let attributes = vec![Attribute::Value("value", self.text())];
        let children = vec![Item::Text(self.text())];
        Item::Element { name: "option", key: self.key(), attributes, children }
    }

    fn attributes(&mut self) -> Vec<Attribute> {
        (0..self.below(4)).map(|_| self.attribute()).collect()
    }

    fn attribute(&mut self) -> Attribute {
        match self.below(4) {
            0 => Attribute::Flag(self.pick(&FLAGS), self.one_in(2)),
            1 => Attribute::On(self.pick(&EVENTS), self.below(4) as u32),
            _ => Attribute::Value(self.pick(&VALUES), self.text()),
        }
    }

    /// Changes a page in a few places.
    pub(crate) fn change(&mut self, list: &mut Vec<Item>, depth: usize) {
        match self.below(12) {
            0 => *list = self.list(depth),
            1 => drop(list.pop()),
            2 if !list.is_empty() => drop(list.remove(self.below(list.len()))),
            3 | 4 => {
                let mut item = self.item(depth);
                let new_key = self.key();
                if let Item::Element { key, .. } = &mut item {
                    *key = new_key;
                }
                list.insert(self.below(list.len() + 1), item);
            }
            5 if !list.is_empty() => {
                let middle = self.below(list.len());
                list.rotate_left(middle);
            }
            6 => list.reverse(),
            7 | 8 => {
                for last in (1..list.len()).rev() {
                    list.swap(last, self.below(last + 1));
                }
            }
            _ => {}
        }
        for item in list {
            match item {
                Item::Text(text) if self.one_in(3) => *text = self.text(),
                Item::Literal(text) if self.one_in(3) => *text = self.pick(&LITERALS),
                Item::Markup(html) if self.one_in(3) => *html = self.pick(&HTML).to_owned(),
                Item::Region(inner) if self.one_in(2) => self.change(inner, depth + 1),
                Item::Element { name, attributes, children, .. } => {
                    if self.one_in(20) && *name != "select" {
                        *name = self.pick(&NAMES);
                    }
                    if self.one_in(3) {
                        self.change_attributes(attributes);
                    }
                    if *name == "select" {
                        children.reverse();
                        children.push(self.option());
                        children.truncate(self.below(5));
                    } else if self.one_in(2) && depth < 4 {
                        self.change(children, depth + 1);
                    }
                }
                _ => {}
            }
        }
    }

    fn change_attributes(&mut self, attributes: &mut Vec<Attribute>) {
        match self.below(5) {
            0 => *attributes = self.attributes(),
            1 => drop(attributes.pop()),
            2 => attributes.reverse(),
            _ => {
                let new = self.attribute();
                attributes.insert(self.below(attributes.len() + 1), new);
            }
        }
    }
}

/// The component: what `list` says.
pub(crate) fn show(list: &[Item], page: &mut Content<'_>) {
    for item in list {
        match item {
            Item::Text(text) => page.text(Copied(text)),
            Item::Literal(text) => page.text(*text),
            Item::Markup(html) => page.markup(Copied(html)),
            Item::Region(inner) => page.region(|p| show(inner, p)),
            Item::Element { name, key, attributes, children } => {
                let mut element = page.element(name);
                if let Some(key) = key {
                    element = element.key(*key);
                }
                // For those who can see no more than the document.
                let controls = |a: &Attribute| matches!(a, Attribute::Value("value", _));
                element = element.flag("data-controlled", attributes.iter().any(controls));
                for attribute in attributes {
                    element = match attribute {
                        Attribute::Value(name, value) => element.attribute(name, Copied(value)),
                        Attribute::Flag(name, set) => element.flag(name, *set),
                        Attribute::On(name, action) => element.on(name, *action),
                    };
                }
                element.content(|p| show(children, p));
            }
        }
    }
}
