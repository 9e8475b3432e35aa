//! Pages: what one rendering becomes by an update is what the other one is when it is rendered anew.

use std::cell::RefCell;

use onewrite::page::{Draft, Event, Page, PageErrorKind, UpdateError};
use onewrite::render_batch::write_into;
use onewrite::string_table::StringTable;

use crate::page_dom::{Document, look};
use crate::page_items::{Attribute, Item, show};

const FRAMES: usize = 128;
const TEXT: usize = 1024;

const NAMES: [&str; 8] = ["div", "p", "ul", "input", "select", "textarea", "svg", "x-y"];
const VALUES: [&str; 6] = ["class", "title", "value", "style", "max", "name"];
const FLAGS: [&str; 4] = ["disabled", "checked", "hidden", "value"];
const EVENTS: [&str; 4] = ["onclick", "oninput", "onchange", "onkeydown"];
const TEXTS: [&str; 6] = ["", " ", "\n  ", "a text", "zwölf 字", "<b>&amp;\"'"];
const HTML: [&str; 4] = ["<i>a</i>", "<i>a</i><b title=\"b\">c</b>", "text", ""];

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
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn page(data: &[u8]) {
    let mut bytes = Bytes(data);
    let fewest_bytes = bytes.below(2) == 1;
    let mut now = Browser::new(fewest_bytes);
    let mut list = Vec::new();
    // Each page is rendered anew as well, so the time would be the square of the length.
    for _ in 0..12 {
        let was = now.document.clone();
        bytes.change(&mut list, 0);
        let (Ok((len, changes)), mut fresh) = (now.show(&list), Browser::new(fewest_bytes)) else {
            // It takes more than a page has, and the old one is what it was.
            assert_eq!(now.look(), look_of(&was, &now));
            return;
        };
        let (inserted, _) = fresh.show(&list).expect("it fits");
        assert_eq!(now.look(), fresh.look());
        assert!(changes <= was.size() + now.document.size(), "more than to render anew");
        if fewest_bytes {
            let handlers: usize = was.handlers.len();
            let full = inserted.max(36 + 8 + 4) + 16 * was.children.len() + 8 * handlers;
            assert!(len <= full, "{len} bytes, and {full} anew: {list:?}");
        }
        if bytes.0.is_empty() {
            return;
        }
    }
}

/// A page, and the document that its batches made.
struct Browser {
    page: Box<Page<FRAMES, TEXT>>,
    document: Document,
}

impl Browser {
    fn new(fewest_bytes: bool) -> Self {
        let mut page = Box::new(Page::new(0));
        page.set_fewest_bytes(fewest_bytes);
        Self { page, document: Document::default() }
    }

    /// Bytes of the batch, and how much it changed; an error where the page has not so much room.
    fn show(&mut self, list: &[Item]) -> Result<(usize, usize), PageErrorKind> {
        let before = self.document.changes;
        TOOLS.with_borrow_mut(|tools| {
            let Tools { draft, table, out } = &mut **tools;
            let sent = self.page.update(
                draft,
                |page| show(list, page),
                |batch| write_into(table, batch, out),
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

/// Decisions, a byte each; none is left where the bytes are at their end.
struct Bytes<'d>(&'d [u8]);

impl Bytes<'_> {
    fn below(&mut self, end: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first) % end
    }

    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        of[self.below(of.len())]
    }

    fn list(&mut self, depth: usize) -> Vec<Item> {
        let len = if depth > 4 { 0 } else { self.below(6) };
        (0..len).map(|_| self.item(depth)).collect()
    }

    fn item(&mut self, depth: usize) -> Item {
        match self.below(8) {
            0 => Item::Literal(self.pick(&TEXTS)),
            1 => Item::Text(self.pick(&TEXTS).to_owned()),
            2 => Item::Markup(self.pick(&HTML).to_owned()),
            3 => Item::Region(self.list(depth + 1)),
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
        let attributes = vec![Attribute::Value("value", self.pick(&TEXTS).to_owned())];
        let children = vec![Item::Text(self.pick(&TEXTS).to_owned())];
        Item::Element { name: "option", key: self.key(), attributes, children }
    }

    fn attribute(&mut self) -> Attribute {
        match self.below(4) {
            0 => Attribute::Flag(self.pick(&FLAGS), self.below(2) == 1),
            1 => Attribute::On(self.pick(&EVENTS), self.below(4) as u32),
            _ => Attribute::Value(self.pick(&VALUES), self.pick(&TEXTS).to_owned()),
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
            Item::Text(text) => *text = self.pick(&TEXTS).to_owned(),
            Item::Literal(text) => *text = self.pick(&TEXTS),
            Item::Markup(html) => *html = self.pick(&HTML).to_owned(),
            Item::Region(inner) => self.change(inner, depth + 1),
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
