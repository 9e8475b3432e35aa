//! String tables: one number a distinct string, whatever the hashes, lengths and addresses are.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may stop at what is wrong"
)]

use core::hint::black_box;
use onewrite::string_table::{Interned, Interner, Keys, SlimStringTable, StringTable, hash};
use std::collections::HashMap;

/// Looks `strings` up one after the other, each under its own index, and compares every answer
/// with a `HashMap`. Strings hash to what `hash` says.
fn agrees_with_a_map<T: Interner>(table: &mut T, strings: &[&str], hash: fn(&str) -> u32) {
    table.clear();
    let mut known = HashMap::new();
    for (key, &string) in strings.iter().enumerate() {
        let next = u32::try_from(known.len()).unwrap();
        let found = table.find(string, hash(string), strings);
        let expected = known.get(string).copied();
        assert!(found.is_none() || found == expected, "find {string:.20?}: {found:?}");
        let key = u32::try_from(key).unwrap();
        let answer = table.intern(string, hash(string), next, key, strings);
        match expected {
            Some(number) => assert_eq!(answer, Interned::Known(number), "{string:.20?}"),
            None => {
                assert_eq!(answer, Interned::New, "{string:.20?}");
                known.insert(string, next);
            }
        }
    }
    assert_eq!(table.len(), known.len());
}

fn both(strings: &[&str], hash: fn(&str) -> u32) {
    agrees_with_a_map(&mut StringTable::<64>::new(), strings, hash);
    agrees_with_a_map(&mut SlimStringTable::<64>::new(), strings, hash);
}

#[test]
fn equal_strings_share_a_number_at_any_address() {
    // Lengths around the words that the hash and the slot keep, each string at two addresses.
    let twice: Vec<String> =
        (0..40).chain(0..40).map(|len| "abcdefgh".repeat(5)[..len].into()).collect();
    let strings: Vec<&str> = twice.iter().map(String::as_str).collect();
    both(&strings, hash);
}

#[test]
fn strings_that_differ_in_one_byte_do_not_share() {
    let bases: Vec<String> = [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 24, 33]
        .iter()
        .flat_map(|&len| (0..len.min(4)).map(move |at| (len, at * (len - 1) / 3)))
        .map(|(len, at)| {
            let mut bytes = vec![b'x'; len];
            bytes[at] = b'y';
            String::from_utf8(bytes).unwrap()
        })
        .collect();
    let strings: Vec<&str> = bases.iter().chain(&bases).map(String::as_str).collect();
    both(&strings, hash);
}

#[test]
fn the_middle_of_a_long_string_counts() {
    let long: Vec<String> = (0..20).map(|n| format!("firstfirst{n:02}lastlast")).collect();
    let again = long.clone();
    let strings: Vec<&str> = long.iter().chain(&again).map(String::as_str).collect();
    both(&strings, hash);
}

#[test]
fn capacity_is_reached_when_every_hash_collides() {
    for same in [|_: &str| 0, |_: &str| u32::MAX] {
        let all: Vec<String> = (0..57).map(|n| format!("string {n} of the table")).collect();
        let strings: Vec<&str> = all.iter().map(String::as_str).collect();
        assert_eq!(StringTable::<64>::CAPACITY, 56);
        assert_eq!(SlimStringTable::<64>::CAPACITY, 56);
        both(&strings[..56], same);
        full(StringTable::<64>::new(), &strings, same);
        full(SlimStringTable::<64>::new(), &strings, same);
    }
}

/// One string more than fit is refused, and those that fit are still found.
fn full<T: Interner>(mut table: T, strings: &[&str], hash: fn(&str) -> u32) {
    let (last, fit) = strings.split_last().unwrap();
    agrees_with_a_map(&mut table, fit, hash);
    for _ in 0..2 {
        assert_eq!(table.intern(last, hash(last), 99, 56, strings), Interned::Full);
    }
    for (number, string) in fit.iter().enumerate() {
        let number = u32::try_from(number).unwrap();
        let found = table.intern(string, hash(string), 99, number, strings);
        assert_eq!(found, Interned::Known(number));
    }
}

#[test]
fn lengths_around_the_stamp_are_told_apart() {
    // All start at one address: only the length tells them apart.
    let text = "z".repeat(3 * 0x1_0000);
    let lengths = [0, 5, 0xfffe, 0xffff, 0x1_0000, 0x1_0005, 0x2_0000, 0x2_0005];
    let strings: Vec<&str> = lengths.iter().chain(&lengths).map(|&len| &text[..len]).collect();
    both(&strings, hash);
    // Each length once where the search begins.
    for first in 0..lengths.len() {
        both(&strings[first..], |_| 7);
    }
}

#[test]
fn a_cleared_table_knows_nothing_also_when_stamps_come_round() {
    wraps(StringTable::<16>::new());
    wraps(SlimStringTable::<16>::new());
}

fn wraps<T: Interner>(mut table: T) {
    let strings = ["stale", "fresh"];
    let look = |table: &mut T, string: &str| table.intern(string, 3, 0, 0, &strings[..]);
    assert_eq!(look(&mut table, "stale"), Interned::New);
    // Two rounds of 16-bit stamps, looking every time: a stamp that came round without a clearing
    // would find the string of a round before.
    for round in 0..2 * 65_536 + 3 {
        table.clear();
        assert!(table.is_empty());
        assert_eq!(table.find("stale", 3, &strings[..]), None, "round {round}");
        if round % 65_535 == 7 {
            assert_eq!(look(&mut table, "stale"), Interned::New, "round {round}");
        }
    }
}

#[test]
fn tables_take_the_memory_they_state() {
    assert_eq!(StringTable::<1024>::SIZE, size_of::<StringTable<1024>>());
    // Not constants of the test, or the compiler would decide it.
    for (size, most) in black_box([
        (StringTable::<1024>::SIZE, 42 * 1024),
        (SlimStringTable::<1024>::SIZE, 13 * 1024),
        (StringTable::<64>::SIZE, 3 * 1024 - 1),
    ]) {
        assert!(size <= most, "{size} exceeds {most}");
    }
}

#[test]
fn tables_stand_in_statics() {
    static TABLE: std::sync::Mutex<StringTable<16>> = std::sync::Mutex::new(StringTable::new());
    struct Fixed;
    impl Keys for Fixed {
        fn string(&self, _: u32) -> &str {
            "only"
        }
    }
    let mut table = TABLE.lock().unwrap();
    assert_eq!(table.intern("only", hash("only"), 5, 0, &Fixed), Interned::New);
    assert_eq!(table.find("only", hash("only"), &Fixed), Some(5));
}
