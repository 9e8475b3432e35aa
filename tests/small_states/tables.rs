//! String tables: every sequence of four calls on tables that are empty, nearly full and full, and every
//! pair of short strings.

use std::collections::HashMap;

use onewrite::string_table::{Interned, Interner, Keys as _, SlimStringTable, StringTable, hash};

/// Distinct strings that the smallest table holds.
const CAPACITY: usize = 14;

#[derive(Clone, Copy, Debug)]
enum Call {
    /// Looks the string at this key up, and enters it.
    Intern(usize),
    Find(usize),
    Clear,
}

/// In front: what fills a table. Behind: a short string, a long one, each again at another address, and two
/// that differ from the long one in a byte of its middle and in length.
fn strings() -> Vec<String> {
    let mut strings: Vec<_> = (0..CAPACITY).map(|number| format!("filler {number}")).collect();
    let long = "a string of thirty-two letters!!";
    strings.extend(
        ["id", long, "id", long, "a string of thirtyytwo letters!!", &long[..31]].map(Into::into),
    );
    strings
}

const CALLS: [Call; 9] = [
    Call::Intern(CAPACITY),
    Call::Intern(CAPACITY + 1),
    Call::Intern(CAPACITY + 2),
    Call::Intern(CAPACITY + 3),
    Call::Intern(CAPACITY + 4),
    Call::Intern(CAPACITY + 5),
    Call::Intern(0),
    Call::Find(CAPACITY + 3),
    Call::Clear,
];

/// A table beside a map and a capacity.
struct Pair<'k, T> {
    table: T,
    map: HashMap<&'k str, u32>,
    keys: &'k [&'k str],
    hash: fn(&str) -> u32,
}

impl<T: Interner> Pair<'_, T> {
    fn call(&mut self, call: Call, what: &dyn Fn() -> String) {
        match call {
            Call::Clear => {
                self.table.clear();
                self.map.clear();
            }
            Call::Find(key) => {
                let string = self.keys[key];
                let found = self.table.find(string, (self.hash)(string), self.keys);
                assert!(found.is_none() || found == self.map.get(string).copied(), "{}", what());
            }
            Call::Intern(key) => {
                let (string, next) = (self.keys[key], u32::try_from(self.map.len()).unwrap());
                let expected = match self.map.get(string) {
                    Some(number) => Interned::Known(*number),
                    None if self.map.len() == CAPACITY => Interned::Full,
                    None => Interned::New,
                };
                let (of_string, key) = ((self.hash)(string), u32::try_from(key).unwrap());
                let found = self.table.intern(string, of_string, next, key, self.keys);
                assert_eq!(found, expected, "{}", what());
                if found == Interned::New {
                    self.map.insert(string, next);
                }
            }
        }
        assert_eq!(self.table.len(), self.map.len(), "{}", what());
    }
}

fn agrees<T: Interner>(new: fn() -> T) {
    let strings = strings();
    let keys: Vec<&str> = strings.iter().map(String::as_str).collect();
    assert_eq!(keys[..].string(2), "filler 2");
    // As they come, all in one slot, and all at the end of the slots.
    let hashes: [fn(&str) -> u32; 3] = [hash, |_| 0, |string| !(hash(string) & 1)];
    for hash in hashes {
        let mut pair = Pair { table: new(), map: HashMap::new(), keys: &keys, hash };
        for filled in [0, CAPACITY - 2, CAPACITY - 1, CAPACITY] {
            for number in 0..CALLS.len().pow(4) {
                let calls = [1, 9, 81, 729].map(|power| CALLS[number / power % CALLS.len()]);
                let what = || format!("{calls:?} behind {filled}");
                pair.call(Call::Clear, &what);
                (0..filled).for_each(|key| pair.call(Call::Intern(key), &what));
                calls.into_iter().for_each(|call| pair.call(call, &what));
            }
        }
    }
}

#[test]
fn wide_tables_do_what_a_map_does() {
    agrees(StringTable::<16>::new);
}

#[test]
fn slim_tables_do_what_a_map_does() {
    agrees(SlimStringTable::<16>::new);
}

/// Two strings are one only if they are: all that two letters make, up to the lengths that a slot compares
/// by words of 1, 2, 4 and 8 bytes.
#[test]
fn all_strings_of_two_letters_are_told_apart() {
    fn apart<T: Interner>(table: &mut T) {
        let mut strings = vec![String::new()];
        for len in 1..=10 {
            let of_len =
                |bits: usize| (0..len).map(move |at| if bits >> at & 1 == 0 { 'a' } else { 'b' });
            strings.extend((0..1 << len).map(|bits| of_len(bits).collect::<String>()));
        }
        let keys: Vec<&str> = strings.iter().map(String::as_str).collect();
        let again = strings.clone();
        for (number, string) in (0..).zip(&keys) {
            let found = table.intern(string, hash(string), number, number, &keys[..]);
            assert_eq!(found, Interned::New, "{string}");
        }
        for (number, string) in (0..).zip(&again) {
            let found = table.intern(string, hash(string), 0, 0, &keys[..]);
            assert_eq!(found, Interned::Known(number), "{string}");
        }
    }
    apart(&mut *Box::new(StringTable::<4096>::new()));
    apart(&mut *Box::new(SlimStringTable::<4096>::new()));
}
