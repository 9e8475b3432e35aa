//! Pages: what one rendering becomes by an update is what the other one is when it is rendered anew.

use std::cell::RefCell;

use onewrite::page::{Draft, Event, Field, Page, PageErrorKind, UpdateError};
use onewrite::render_batch::write_into;
use onewrite::string_table::StringTable;

use crate::page_dom::{Document, Element, Kind, Node, look};
use crate::page_items::{Attribute, Item, Value, show, texts};

const FRAMES: usize = 128;
const TEXT: usize = 1024;
const COMPONENT: i32 = 7;

const NAMES: [&str; 8] = ["div", "p", "ul", "input", "select", "textarea", "svg", "x-y"];
const VALUES: [&str; 6] = ["class", "title", "value", "style", "max", "name"];
const FLAGS: [&str; 4] = ["disabled", "checked", "hidden", "value"];
const EVENTS: [&str; 4] = ["onclick", "oninput", "onchange", "onkeydown"];
const TEXTS: [&str; 6] = ["", " ", "\n  ", "a text", "zwölf 字", "<b>&amp;\"'"];
const HTML: [&str; 4] = ["<i>a</i>", "<i>a</i><b title=\"b\">c</b>", "text", ""];
/// Names that nothing on a page can have, or only what is of another kind.
const BAD_NAMES: [&str; 5] = ["", "a b", "1", "onclick", "on"];

/// What serves all pages.
struct Tools {
    draft: Draft<FRAMES, TEXT>,
    table: StringTable<128>,
    out: Vec<u8>,
}

thread_local! {
    static TOOLS: RefCell<Box<Tools>> = RefCell::new(Box::new(Tools {
        draft: Draft::new(),
        table: StringTable::new(),
        out: vec![0xa5; 1 << 14],
    }));
}

/// A page and changes of it, each a decision a byte; the first one says whether few bytes are wanted.
/// Between changes a user types.
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn page(data: &[u8]) {
    let mut bytes = Bytes(data);
    let fewest_bytes = bytes.below(2) == 1;
    let (mut now, mut fresh) = (Browser::new(fewest_bytes), Browser::new(fewest_bytes));
    let mut list = Vec::new();
    // Each page is rendered anew as well, so the time would be the square of the length.
    for _ in 0..12 {
        if bytes.below(3) == 1 {
            now.type_in(&mut bytes);
        }
        let was = now.document.clone();
        let old = list.clone();
        bytes.change(&mut list, 0);
        if let Ok((len, changes)) = now.show(&list) {
            fresh.page.reset();
            fresh.document = Document::default();
            assert!(!fresh.page.is_shown());
            let (inserted, _) = fresh.show(&list).expect("it fits");
            assert_eq!(now.look(), fresh.look());
            assert_eq!(shown_texts(&now.document.children), texts(&list));
            assert!(changes <= was.size() + now.document.size(), "more than to render anew");
            if fewest_bytes {
                let handlers: usize = was.handlers.len();
                let full = inserted.max(36 + 8 + 4) + 16 * was.children.len() + 8 * handlers;
                assert!(len <= full, "{len} bytes, and {full} anew: {list:?}");
            }
            let gone = was.handlers.keys().filter(|id| !now.document.handlers.contains_key(id));
            assert!(gone.into_iter().all(|id| now.page.event(*id) == Event::Gone));
        } else {
            // It cannot be shown, or takes more than a page has, and the old one is what it was.
            assert_eq!(now.look(), look_of(&was, &now));
            list = old;
        }
        if bytes.0.is_empty() {
            break;
        }
    }
    assert!([0, u64::MAX].iter().all(|id| now.page.event(*id) == Event::Unknown));
}

/// A page, and the document that its batches made.
struct Browser {
    page: Box<Page<FRAMES, TEXT>>,
    document: Document,
}

impl Browser {
    fn new(fewest_bytes: bool) -> Self {
        let mut page = Box::new(Page::new(COMPONENT));
        page.set_fewest_bytes(fewest_bytes);
        Self { page, document: Document::default() }
    }

    /// Bytes of the batch, and how much it changed; an error where the page cannot be shown.
    fn show(&mut self, list: &[Item]) -> Result<(usize, usize), PageErrorKind> {
        let before = self.document.changes;
        TOOLS.with_borrow_mut(|tools| {
            let Tools { draft, table, out } = &mut **tools;
            let component = self.page.component();
            let sent = self.page.update(
                draft,
                |page| show(list, page),
                |batch| {
                    assert!(component == COMPONENT && batch.diffs[0].component == component);
                    write_into(table, batch, out)
                },
            );
            let len = match sent {
                Ok(len) => len.unwrap_or(0),
                Err(UpdateError::Page(error)) => return Err(error.kind),
                Err(error) => panic!("{error:?}"),
            };
            if len != 0 {
                self.document.apply(&out[..len]);
            }
            self.document.check_handlers();
            Ok((len, self.document.changes - before))
        })
    }

    /// What a user does to a field, which an event says.
    fn type_in(&mut self, bytes: &mut Bytes<'_>) {
        let mut ids: Vec<_> = self.document.handlers.keys().copied().collect();
        ids.sort_unstable();
        if ids.is_empty() {
            self.page.field_changed(0, Field::Text("nobody's"));
            return;
        }
        let id = ids[bytes.below(ids.len())];
        let made = self.document.handlers[&id];
        let element = find(&mut self.document.children, made).expect("it has a handler");
        // What a component says nothing of it does not set right, either.
        let is = |name: &str| element.attributes.contains_key(name);
        let (value, checked) = (is("data-value"), is("data-checked"));
        if checked && bytes.below(2) == 1 {
            let checked = bytes.below(2) == 1;
            match checked {
                true => drop(element.properties.insert("checked".to_owned(), String::new())),
                false => drop(element.properties.remove("checked")),
            }
            self.page.field_changed(id, Field::Checked(checked));
        } else if value {
            let text = bytes.text();
            element.properties.insert("value".to_owned(), text.clone());
            self.page.field_changed(id, Field::Text(&text));
        } else if matches!(element.name.as_str(), "input" | "select" | "textarea") {
            self.page.field_changed(id, Field::Text("of no field"));
        }
    }

    fn look(&self) -> String {
        look_of(&self.document, self)
    }
}

fn look_of(document: &Document, browser: &Browser) -> String {
    look(&document.children, &|id| match browser.page.event(id) {
        Event::Action(action) => action.to_string(),
        other => panic!("{other:?}"),
    })
}

fn find(nodes: &mut [Node], made: u64) -> Option<&mut Element> {
    nodes.iter_mut().find_map(|node| {
        let Kind::Element(element) = &mut node.kind else { return None };
        if node.made == made { Some(element) } else { find(&mut element.children, made) }
    })
}

fn shown_texts(nodes: &[Node]) -> Vec<String> {
    let texts = |node: &Node| match &node.kind {
        Kind::Text(text) => vec![text.clone()],
        Kind::Element(element) => shown_texts(&element.children),
        Kind::Markup(_) => Vec::new(),
    };
    nodes.iter().flat_map(texts).collect()
}

/// Decisions, a byte each; none is left where the bytes are at their end.
struct Bytes<'d>(&'d [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end
    }

    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        of[self.below(of.len())]
    }

    fn list(&mut self, depth: usize) -> Vec<Item> {
        let len = if depth > 4 { 0 } else { self.below(6) };
        (0..len).map(|_| self.item(depth)).collect()
    }

    fn item(&mut self, depth: usize) -> Item {
        match self.below(16) {
            0..=3 => Item::Text(self.value()),
            4 => Item::Markup(Value::Copied(self.pick(&HTML).to_owned())),
            5 | 6 => Item::Region(self.list(depth + 1)),
            7 => match self.below(8) {
                0 => Item::Deep(self.below(80)),
                1 => Item::Text(Value::Copied(self.text())),
                2 => {
                    let (name, attributes) = (self.pick(&BAD_NAMES), vec![self.attribute()]);
                    Item::Element { name, key: self.key(), attributes, children: Vec::new() }
                }
                _ => Item::Markup(Value::Literal(self.pick(&HTML))),
            },
            _ => {
                let name = self.pick(&NAMES);
                let attributes = (0..self.below(4)).map(|_| self.attribute()).collect();
                let key = self.key();
                let children = match name {
                    "select" => (0..self.below(4)).map(|_| self.option()).collect(),
                    _ => self.list(depth + 1),
                };
                Item::Element { name, key, attributes, children }
            }
        }
    }

    fn key(&mut self) -> Option<u64> {
        match self.below(12) {
            0..=2 => None,
            key => Some(key as u64),
        }
    }

    fn option(&mut self) -> Item {
        let attributes = vec![Attribute::Value("value", self.value())];
        let children = vec![Item::Text(self.value())];
        Item::Element { name: "option", key: self.key(), attributes, children }
    }

    fn attribute(&mut self) -> Attribute {
        match self.below(8) {
            0 | 1 => Attribute::Flag(self.pick(&FLAGS), self.below(2) == 1),
            2 | 3 => Attribute::On(self.pick(&EVENTS), self.below(4) as u32),
            4 => match self.below(8) {
                0 => Attribute::Many(self.below(40)),
                1 => Attribute::On(self.pick(&BAD_NAMES), 1),
                2 => Attribute::Value(self.pick(&BAD_NAMES), self.value()),
                _ => Attribute::Value("value", self.value()),
            },
            _ => Attribute::Value(self.pick(&VALUES), self.value()),
        }
    }

    fn value(&mut self) -> Value {
        match self.below(12) {
            0..=3 => Value::Copied(self.pick(&TEXTS).to_owned()),
            4 | 5 => Value::Literal(self.pick(&TEXTS)),
            6 => Value::Char(['a', ' ', 'ä', '字', '\u{1f600}'][self.below(5)]),
            7 | 8 => {
                // Few of them, of all lengths.
                let all = u64::from(self.byte()) * 0x0101_0101_0101_0101;
                Value::Number(all >> self.below(64), self.byte())
            }
            9 => Value::Formatted(self.below(256)),
            10 => Value::FormattedLiteral,
            _ => Value::Maybe((self.below(2) == 1).then(|| self.pick(&TEXTS))),
        }
    }

    /// A text, sometimes longer than a page has room for.
    fn text(&mut self) -> String {
        match self.below(8) {
            0 => "long text ".repeat(self.below(256)),
            _ => self.pick(&TEXTS).to_owned(),
        }
    }

    /// Changes a list, or one that is in it.
    fn change(&mut self, list: &mut Vec<Item>, depth: usize) {
        for _ in 0..1 + self.below(3) {
            if list.is_empty() {
                *list = self.list(depth);
                continue;
            }
            let (what, at) = (self.below(10), self.below(list.len()));
            match what {
                0 => *list = self.list(depth),
                1 => drop(list.remove(at)),
                2 => list.insert(at, self.item(depth)),
                3 => list.rotate_left(at),
                4 => list.swap(at, 0),
                5 => list.reverse(),
                _ => self.change_item(&mut list[at], depth),
            }
        }
    }

    fn change_item(&mut self, item: &mut Item, depth: usize) {
        match item {
            Item::Text(value) => *value = self.value(),
            Item::Markup(html) => *html = Value::Copied(self.pick(&HTML).to_owned()),
            Item::Region(inner) => self.change(inner, depth + 1),
            Item::Deep(levels) => *levels = self.below(70),
            Item::Element { name, key, attributes, children } => match self.below(8) {
                0 => *key = self.key(),
                1 => drop(attributes.pop()),
                2 => attributes.reverse(),
                3 | 4 => {
                    let at = self.below(attributes.len() + 1);
                    attributes.insert(at, self.attribute());
                }
                5 if *name != "select" => *name = self.pick(&NAMES[..4]),
                _ if *name == "select" => children.push(self.option()),
                _ => self.change(children, depth + 1),
            },
        }
    }
}
