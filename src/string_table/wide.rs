//! The table for speed.

use super::{Generation, Interned, Interner, Keys, slot_shift, words};

/// Numbers for up to `N / 8 * 7` distinct strings, in `N` slots of 40 bytes (36 on 32-bit
/// machines).
///
/// A slot keeps the string's address, length, and first and last eight bytes: strings up to 16
/// bytes are told apart within the table. `N` is a power of two from 16 to 65,536.
///
/// ```
/// use onewrite::string_table::{Interned, Interner, StringTable, hash};
///
/// // Each key is the string's index here.
/// let strings = ["div", "class", "div"];
/// let mut table = StringTable::<16>::new();
/// let found = strings.map(|string| table.intern(string, hash(string), 7, 0, &strings[..]));
/// assert_eq!(found, [Interned::New, Interned::New, Interned::Known(7)]);
/// ```
#[derive(Debug)]
pub struct StringTable<const N: usize> {
    /// What nearly every look-up needs, and no more: 16 bytes a slot.
    hot: [Hot; N],
    cold: [Cold; N],
    len: usize,
    generation: Generation,
}

#[derive(Clone, Copy, Debug)]
struct Hot {
    /// Address of the string when it was entered; 0 where the length does not fit `tag`.
    address: usize,
    /// Generation and length.
    tag: u32,
    number: u32,
}

#[derive(Clone, Copy, Debug)]
struct Cold {
    first: u64,
    last: u64,
    key: u32,
}

impl<const N: usize> StringTable<N> {
    /// Distinct strings that always fit.
    pub const CAPACITY: usize = N / 8 * 7;
    /// Bytes that the table occupies.
    pub const SIZE: usize = size_of::<Self>();
    const SHIFT: u32 = slot_shift(N);

    /// An empty table.
    #[must_use]
    pub const fn new() -> Self {
        // Checks N where a table is made, not where it is first used.
        const { _ = Self::SHIFT }
        Self {
            hot: [Hot { address: 0, tag: 0, number: 0 }; N],
            cold: [Cold { first: 0, last: 0, key: 0 }; N],
            len: 0,
            generation: Generation::FIRST,
        }
    }

    #[cold]
    #[inline(never)]
    fn start_over(&mut self) {
        for slot in &mut self.hot {
            slot.tag = 0;
        }
        self.generation = Generation::FIRST;
    }

    #[inline(always)]
    const fn slot_of(hash: u32) -> usize {
        (hash >> Self::SHIFT) as usize & (N - 1)
    }
}

impl<const N: usize> Interner for StringTable<N> {
    #[inline(always)]
    fn clear(&mut self) {
        self.len = 0;
        if self.generation.advance() {
            self.start_over();
        }
    }

    #[inline(always)]
    fn find<K: Keys + ?Sized>(&self, string: &str, hash: u32, _: &K) -> Option<u32> {
        let slot = self.hot.get(Self::slot_of(hash))?;
        // In 64 bits a length that does not fit 16 bits makes a stamp that no slot carries: either
        // it overflows, or it is of a generation to come.
        if u64::from(slot.tag) != u64::from(self.generation.stamp) + string.len() as u64 {
            return None;
        }
        if slot.address == string.as_ptr().addr() {
            return Some(slot.number);
        }
        if string.len() <= 16 {
            let cold = self.cold.get(Self::slot_of(hash))?;
            if words(string.as_bytes()) == (cold.first, cold.last) {
                return Some(slot.number);
            }
        }
        None
    }

    #[inline(always)]
    fn intern<K: Keys + ?Sized>(
        &mut self,
        string: &str,
        hash: u32,
        number: u32,
        key: u32,
        keys: &K,
    ) -> Interned {
        let (first, last) = words(string.as_bytes());
        let long = string.len() >= 0xffff;
        #[allow(clippy::cast_possible_truncation, reason = "less than 0xffff where it is used")]
        let tag = self.generation.tag(if long { 0xffff } else { string.len() as u32 });
        let mut at = Self::slot_of(hash);
        // The bound is never reached, since an eighth of the slots stays free.
        for _ in 0..N {
            let (Some(hot), Some(cold)) = (self.hot.get_mut(at), self.cold.get_mut(at)) else {
                break;
            };
            if !self.generation.owns(hot.tag) {
                if self.len >= Self::CAPACITY {
                    break;
                }
                self.len += 1;
                let address = if long { 0 } else { string.as_ptr().addr() };
                *hot = Hot { address, tag, number };
                *cold = Cold { first, last, key };
                return Interned::New;
            }
            if hot.tag == tag
                && cold.first == first
                && cold.last == last
                && (string.len() <= 16 || keys.string(cold.key) == string)
            {
                return Interned::Known(hot.number);
            }
            at = (at + 1) & (N - 1);
        }
        Interned::Full
    }

    fn len(&self) -> usize {
        self.len
    }
}

impl<const N: usize> Default for StringTable<N> {
    fn default() -> Self {
        Self::new()
    }
}
