//! Random pages: the edits make the document that a full rendering makes, and change no more of it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]
#![allow(clippy::panic, clippy::cast_possible_truncation, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "page/dom.rs"]
mod dom;
#[path = "page/random.rs"]
mod random;

use dom::{Document, Kind, Node, look};
use onewrite::page::{Draft, Event, Page};
use onewrite::render_batch::{Batch, write_into};
use onewrite::string_table::StringTable;
use random::{Item, Random, show};
use std::collections::HashMap;

/// Pages that follow each other, each compared with the one before.
const PAIRS: usize = 10_000;

const FRAMES: usize = 1024;
const TEXT: usize = 8192;

/// A page, and the document that its batches made.
struct Browser {
    page: Page<FRAMES, TEXT>,
    document: Document,
}

/// What serves all browsers.
struct Tools {
    draft: Draft<FRAMES, TEXT>,
    table: StringTable<128>,
    out: Vec<u8>,
}

impl Browser {
    fn new() -> Self {
        Self { page: Page::new(0), document: Document::default() }
    }

    /// Shows `list`, and returns how long the batch was and how much it changed.
    fn show(&mut self, tools: &mut Tools, list: &[Item]) -> (usize, usize) {
        let before = self.document.changes;
        let Tools { draft, table, out } = tools;
        let send = |batch: &Batch<'_>| write_into(table, batch, out);
        let sent = self.page.update(draft, |page| show(list, page), send).unwrap();
        if let Some(len) = sent {
            self.document.apply(&out[..len]);
        }
        self.document.check_handlers();
        (sent.unwrap_or(0), self.document.changes - before)
    }

    fn look(&self) -> String {
        look(&self.document.children, &|id| match self.page.event(id) {
            Event::Action(action) => action.to_string(),
            other => panic!("{other:?}"),
        })
    }
}

/// One page after another in a browser.
struct Pair<'p> {
    number: usize,
    old: &'p [Item],
    new: &'p [Item],
    was: &'p Document,
    now: &'p Browser,
    /// Bytes of the batch, or 0 where there was none.
    len: usize,
    /// What it changed.
    changes: usize,
    /// Bytes of the batch that removes all and inserts all.
    full_len: usize,
    /// What that changes.
    full_changes: usize,
}

/// Shows pages that follow each other, and compares each with a browser that renders all anew.
fn follow(seed: u64, fewest_bytes: bool, mut check: impl FnMut(&Pair<'_>)) {
    let mut random = Random(seed);
    let mut tools =
        Box::new(Tools { draft: Draft::new(), table: StringTable::new(), out: vec![0; 1 << 17] });
    let mut now = Box::new(Browser::new());
    let mut fresh = Box::new(Browser::new());
    now.page.set_fewest_bytes(fewest_bytes);
    let mut list = Vec::new();
    for number in 0..PAIRS {
        let was = now.document.clone();
        let old = list.clone();
        if random.below(10) == 0 {
            list = random.list(0);
        } else {
            random.change(&mut list, 0);
        }
        let (len, changes) = now.show(&mut tools, &list);
        fresh.page.reset();
        fresh.document = Document::default();
        let (inserted, _) = fresh.show(&mut tools, &list);
        let (old, new) = (&old, &list);
        assert_eq!(now.look(), fresh.look(), "pair {number}: {old:#?} to {new:#?}");
        let empty = 36 + 8 + 4;
        let gone = 16 * was.children.len() + 8 * was.children.iter().map(handlers).sum::<usize>();
        check(&Pair {
            number,
            old,
            new,
            was: &was,
            now: &now,
            len,
            changes,
            full_len: inserted.max(empty) + gone,
            full_changes: was.size() + now.document.size(),
        });
    }
}

/// And an element with a key is the same one before and after, wherever it stands among its siblings.
#[test]
fn edits_make_what_a_full_rendering_makes_and_change_no_more() {
    let (mut sent, mut kept, mut larger) = (0, 0, 0);
    let (mut changes, mut full_changes) = (0, 0);
    let (mut bytes, mut full_bytes) = (0, 0);
    follow(0x5eed, false, |pair| {
        assert!(pair.changes <= pair.full_changes, "pair {}", pair.number);
        changes += pair.changes;
        full_changes += pair.full_changes;
        bytes += pair.len;
        full_bytes += pair.full_len;
        sent += usize::from(pair.len != 0);
        larger += usize::from(pair.len > pair.full_len);
        kept += check_keys(pair.old, pair.new, &pair.was.children, &pair.now.document.children);
    });
    println!("{PAIRS} pairs, {sent} batches");
    println!("{changes} changes, where full renderings make {full_changes}");
    println!("{bytes} bytes instead of {full_bytes}; {larger} batches are larger");
    println!("{kept} elements with keys are kept");
    assert!(sent > PAIRS / 2 && kept > PAIRS / 4);
    assert!(changes * 2 < full_changes && bytes < full_bytes);
}

#[test]
fn fewest_bytes_are_no_more_than_those_of_a_full_rendering() {
    let mut anew = 0;
    follow(0xbeef, true, |pair| {
        assert!(pair.len <= pair.full_len, "pair {}", pair.number);
        anew += usize::from(pair.len == pair.full_len);
    });
    println!("{anew} of {PAIRS} pages are rendered anew");
    assert!(anew > 0);
}

/// A batch has white space once, however many texts are nothing else.
#[test]
fn fewest_bytes_know_that_white_space_is_shared() {
    let lengths = [false, true].map(|fewest_bytes| {
        let mut tools = Box::new(Tools {
            draft: Draft::new(),
            table: StringTable::new(),
            out: vec![0; 1 << 12],
        });
        let mut browser = Box::new(Browser::new());
        browser.page.set_fewest_bytes(fewest_bytes);
        let page = |text: &str| -> Vec<Item> {
            let paragraph = Item::Element {
                name: "p",
                key: None,
                attributes: vec![random::Attribute::Value("class", text.to_owned())],
                children: vec![Item::Text(text.to_owned())],
            };
            let space = Item::Literal("                    ");
            [vec![paragraph; 12], vec![space; 2]].concat()
        };
        browser.show(&mut tools, &page("x"));
        browser.show(&mut tools, &page("y")).0
    });
    // To render it anew is the shorter one of the two.
    assert!(lengths[1] < lengths[0], "{lengths:?}");
}

fn handlers(node: &Node) -> usize {
    match &node.kind {
        Kind::Element(e) => e.handlers.len() + e.children.iter().map(handlers).sum::<usize>(),
        _ => 0,
    }
}

/// Returns how many there are in lists without regions, where items and nodes stand side by side.
fn check_keys(old: &[Item], new: &[Item], was: &[Node], now: &[Node]) -> usize {
    let keyed = |list: &[Item], nodes: &[Node]| -> Option<HashMap<(&'static str, u64), u64>> {
        if list.len() != nodes.len() || list.iter().any(|item| matches!(item, Item::Region(_))) {
            return None;
        }
        let mut found = HashMap::new();
        let mut keys = HashMap::new();
        for (item, node) in list.iter().zip(nodes) {
            if let Item::Element { name, key: Some(key), .. } = item {
                found.insert((*name, *key), node.made);
                *keys.entry(*key).or_insert(0) += 1;
            }
        }
        // Keys that are alike are not asked for.
        found.retain(|(_, key), _| keys[key] == 1);
        Some(found)
    };
    let (Some(before), Some(after)) = (keyed(old, was), keyed(new, now)) else { return 0 };
    let mut kept = 0;
    for (key, made) in &before {
        if let Some(now) = after.get(key) {
            assert_eq!(made, now, "{key:?}");
            kept += 1;
        }
    }
    kept
}
