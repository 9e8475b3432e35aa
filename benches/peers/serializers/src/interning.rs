//! Strings that get numbers: 512 strings, 24 of them distinct, in 64 slots.

use std::cell::RefCell;
use std::hint::black_box;

use heapless::index_map::FnvIndexMap;
use onewrite::string_table::{Interned, SlimStringTable, StringTable, hash};

use crate::row::Rows;

const WORDS: [&str; 24] = [
    "div",
    "class",
    "table-row",
    "td",
    "onclick",
    "btn btn-primary",
    "span",
    "id",
    "Hello, world!",
    "tr",
    "weather",
    "row-42",
    "Temperature in Fahrenheit",
    "href",
    "/counter",
    "li",
    "ul",
    "nav-item px-3",
    "a",
    "type",
    "button",
    "aria-hidden",
    "true",
    "card",
];
const STRINGS: usize = 512;

/// Every row writes the numbers, a byte each.
pub(crate) fn add(rows: &mut Rows) {
    // Each at an address of its own: nobody finds a string by where it stands.
    let string = |i: usize| &*WORDS[(i * 7 + i / 5) % WORDS.len()].to_owned().leak();
    let strings: Vec<&'static str> = (0..STRINGS).map(string).collect();
    let strings: &'static [&'static str] = strings.leak();
    let mut seen = Vec::new();
    let mut reference = Vec::new();
    for string in strings {
        let number = seen.iter().position(|other| other == string).unwrap_or(seen.len());
        if number == seen.len() {
            seen.push(*string);
        }
        reference.push(number as u8);
    }
    rows.begin("interning", STRINGS, reference, ["onewrite", ""]);
    ours(rows, "onewrite", StringTable::<64>::new(), strings);
    ours(rows, "onewrite-slim", SlimStringTable::<64>::new(), strings);
    rows.peers();
    let map = RefCell::new(FnvIndexMap::<&str, u8, 64>::new());
    rows.memory("heapless-fnv", move |out| {
        let map = &mut *map.borrow_mut();
        map.clear();
        for (string, out) in black_box(strings).iter().zip(&mut *out) {
            *out = match map.get(string) {
                Some(number) => *number,
                None => {
                    let number = map.len() as u8;
                    map.insert(string, number).expect("a slot is free");
                    number
                }
            };
        }
        STRINGS
    });
    rows.memory("scan", move |out| {
        let mut seen = heapless::Vec::<&str, 64>::new();
        for (string, out) in black_box(strings).iter().zip(&mut *out) {
            let number = seen.iter().position(|other| other == string).unwrap_or(seen.len());
            if number == seen.len() {
                seen.push(string).expect("a slot is free");
            }
            *out = number as u8;
        }
        STRINGS
    });
}

fn ours<T: onewrite::string_table::Interner + 'static>(
    rows: &mut Rows,
    shape: &str,
    mut table: T,
    strings: &'static [&'static str],
) {
    rows.memory(shape, move |out| {
        table.clear();
        let strings = black_box(strings);
        for ((string, out), key) in strings.iter().zip(&mut *out).zip(0..) {
            let number = table.len() as u32;
            *out = match table.intern(string, hash(string), number, key, strings) {
                Interned::Known(number) => number as u8,
                Interned::New => number as u8,
                Interned::Full => unreachable!("a slot is free"),
            };
        }
        STRINGS
    });
}
