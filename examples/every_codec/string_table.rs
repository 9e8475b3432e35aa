//! Both tables.

use core::hint::black_box;

use onewrite::string_table::{self, Interner, Keys, SlimStringTable, StringTable};

const STRINGS: [&str; 6] =
    ["", "a", "div", "content", "a name of sixteen and more bytes", "\u{3000}"];

#[inline(never)]
pub(crate) fn call() {
    black_box(<[&str] as Keys>::string(black_box(&STRINGS[..]), black_box(1)));
    let mut table = StringTable::<16>::new();
    black_box(<StringTable<16> as Default>::default());
    for string in black_box(&STRINGS) {
        let hash = string_table::hash(black_box(string));
        let keys = black_box(&STRINGS[..]);
        let table = black_box(&mut table);
        black_box(<StringTable<16> as Interner>::find(table, string, hash, keys));
        black_box(<StringTable<16> as Interner>::intern(table, string, hash, 1, 2, keys));
    }
    black_box(<StringTable<16> as Interner>::len(black_box(&table)));
    black_box(<StringTable<16> as Interner>::is_empty(black_box(&table)));
    <StringTable<16> as Interner>::clear(black_box(&mut table));
    black_box(&table);
    borrowed(&mut table);
    slim();
}

fn borrowed(mut table: &mut StringTable<16>) {
    for string in black_box(&STRINGS) {
        let hash = string_table::hash(black_box(string));
        let keys = black_box(&STRINGS[..]);
        let table = black_box(&mut table);
        black_box(<&mut StringTable<16> as Interner>::find(table, string, hash, keys));
        black_box(<&mut StringTable<16> as Interner>::intern(table, string, hash, 1, 2, keys));
    }
    black_box(<&mut StringTable<16> as Interner>::len(black_box(&table)));
    <&mut StringTable<16> as Interner>::clear(black_box(&mut table));
}

fn slim() {
    let mut table = SlimStringTable::<16>::new();
    black_box(<SlimStringTable<16> as Default>::default());
    for string in black_box(&STRINGS) {
        let hash = string_table::hash(black_box(string));
        let keys = black_box(&STRINGS[..]);
        let table = black_box(&mut table);
        black_box(<SlimStringTable<16> as Interner>::find(table, string, hash, keys));
        black_box(<SlimStringTable<16> as Interner>::intern(table, string, hash, 1, 2, keys));
    }
    black_box(<SlimStringTable<16> as Interner>::len(black_box(&table)));
    black_box(<SlimStringTable<16> as Interner>::is_empty(black_box(&table)));
    <SlimStringTable<16> as Interner>::clear(black_box(&mut table));
    black_box(&table);
}
