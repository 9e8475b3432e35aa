//! A string table in memory whose size only the caller knows.
//!
//! It is not built on `SlimStringTable`, whose capacity is a power of two known at compile time: a
//! shift finds its slot and a mask goes round, and nothing but its own `new` makes its slots. Here
//! the capacity is any number told at run time and the slots are the caller's memory, so a
//! multiplication finds the slot. A test below holds the answers of both together.

use onewrite::string_table::{Interned, Interner, Keys};

/// A place for one distinct string.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Slot {
    hash: u32,
    number: u32,
    key: u32,
}

impl Slot {
    /// No number of a string is as large.
    pub(super) const FREE: Self = Self { hash: 0, number: u32::MAX, key: 0 };

    const fn is_free(&self) -> bool {
        self.number == u32::MAX
    }
}

/// Slots for `strings` distinct strings: a fifth stays free, so that searches are short.
pub(super) const fn slots_for(strings: usize) -> usize {
    strings.saturating_add(strings / 4).saturating_add(1)
}

/// The table: `SlimStringTable` of the library, with a capacity that is told at run time.
#[derive(Debug)]
pub(super) struct StringSlots<'a> {
    slots: &'a mut [Slot],
    capacity: usize,
    len: usize,
}

impl<'a> StringSlots<'a> {
    /// A table for `capacity` strings, whose `slots` are cleared before they are used.
    pub(super) const fn new(slots: &'a mut [Slot], capacity: usize) -> Self {
        Self { slots, capacity, len: 0 }
    }

    /// Where the search for a hash begins.
    fn first(&self, hash: u32) -> usize {
        let place = u64::from(hash).wrapping_mul(self.slots.len() as u64) >> 32;
        // Below the number of slots, which is a usize.
        usize::try_from(place).unwrap_or(0)
    }
}

impl Interner for StringSlots<'_> {
    fn clear(&mut self) {
        self.slots.fill(Slot::FREE);
        self.len = 0;
    }

    #[inline]
    fn find<K: Keys + ?Sized>(&self, string: &str, hash: u32, keys: &K) -> Option<u32> {
        let slot = self.slots.get(self.first(hash))?;
        let known = !slot.is_free() && slot.hash == hash && keys.string(slot.key) == string;
        known.then_some(slot.number)
    }

    #[inline(never)]
    fn intern<K: Keys + ?Sized>(
        &mut self,
        string: &str,
        hash: u32,
        number: u32,
        key: u32,
        keys: &K,
    ) -> Interned {
        let mut at = self.first(hash);
        // The bound is never reached, since a fifth of the slots stays free.
        for _ in 0..self.slots.len() {
            let Some(slot) = self.slots.get_mut(at) else { break };
            if slot.is_free() {
                if self.len >= self.capacity {
                    break;
                }
                self.len = self.len.wrapping_add(1);
                *slot = Slot { hash, number, key };
                return Interned::New;
            }
            if slot.hash == hash && keys.string(slot.key) == string {
                return Interned::Known(slot.number);
            }
            at = at.wrapping_add(1);
            if at == self.slots.len() {
                at = 0;
            }
        }
        Interned::Full
    }

    fn len(&self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use onewrite::string_table::{StringTable, hash};

    /// Every answer is that of the library's table, whose capacity is the same.
    #[test]
    fn answers_are_those_of_the_librarys_table() {
        let names: [String; 40] = core::array::from_fn(|index| format!("name-{}", index % 23));
        let strings = names.each_ref().map(String::as_str);
        let mut theirs = StringTable::<16>::new();
        let mut slots =
            [Slot { hash: 7, number: 7, key: 7 }; slots_for(StringTable::<16>::CAPACITY)];
        let mut ours = StringSlots::new(&mut slots, StringTable::<16>::CAPACITY);
        for _ in 0..2 {
            theirs.clear();
            ours.clear();
            let mut full = 0;
            for (key, string) in (0u32..).zip(strings) {
                let number = 100 + key;
                let expected = theirs.intern(string, hash(string), number, key, &strings[..]);
                let found = ours.intern(string, hash(string), number, key, &strings[..]);
                assert_eq!(found, expected, "{string}");
                full += usize::from(found == Interned::Full);
                if let Some(number) = ours.find(string, hash(string), &strings[..]) {
                    assert_eq!(expected_number(expected, number), number);
                }
            }
            assert_eq!(ours.len(), StringTable::<16>::CAPACITY);
            assert!(full > 0);
        }
    }

    fn expected_number(interned: Interned, new: u32) -> u32 {
        if let Interned::Known(number) = interned { number } else { new }
    }

    #[test]
    fn strings_with_one_hash_are_told_apart() {
        let strings = ["a", "b", "c"];
        let mut slots = [Slot::FREE; slots_for(3)];
        let mut table = StringSlots::new(&mut slots, 3);
        table.clear();
        // The search begins at the last slot and goes round.
        for (key, string) in (0u32..).zip(strings) {
            assert_eq!(table.intern(string, u32::MAX, key, key, &strings[..]), Interned::New);
        }
        for (key, string) in (0u32..).zip(strings) {
            let known = table.intern(string, u32::MAX, 9, 9, &strings[..]);
            assert_eq!(known, Interned::Known(key));
        }
        assert_eq!(table.intern("d", u32::MAX, 9, 9, &strings[..]), Interned::Full);
    }
}
