//! A fixed-capacity table that gives each distinct string one number.
//!
//! The table holds no string and no lifetime: a slot keeps the string's address, length, first and
//! last eight bytes, and a *key*, the caller's own number for where the string stands. So a table
//! can live in a `static` and serve one batch after another. Strings up to 16 bytes are compared
//! by what the slot holds; only longer ones are fetched again through [`Keys`].
//!
//! Slots are stamped with a generation, so starting anew costs nothing: small batches are the real
//! traffic, and clearing a table for each would cost more than writing them. Capacity and probing
//! are exact: [`CAPACITY`](StringTable::CAPACITY) distinct strings fit whatever their hashes are,
//! and one more is an error, never a second number for the same string.

/// Finds a string again from the key under which it was entered.
pub trait Keys {
    /// The string that stands at `key`.
    fn string(&self, key: u32) -> &str;
}

/// Numbers for up to `N / 8 * 7` distinct strings, in `N` slots of 40 bytes (32 on 32-bit
/// machines).
///
/// `N` is a power of two from 16 to 65,536.
#[derive(Debug)]
pub struct StringTable<const N: usize> {
    /// What nearly every look-up needs, and no more: 16 bytes a slot.
    hot: [Hot; N],
    cold: [Cold; N],
    len: usize,
    /// Generation in the upper 16 bits; the lower ones are zero. A slot of another generation is
    /// free.
    generation: u32,
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

/// What [`StringTable::intern`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interned {
    /// The string was there; this is its number.
    Known(u32),
    /// The string is new and now has the number that was offered.
    New,
    /// The string is new and there is no room for it.
    Full,
}

impl<const N: usize> StringTable<N> {
    /// Distinct strings that always fit.
    pub const CAPACITY: usize = N / 8 * 7;
    /// Bytes that the table occupies.
    pub const SIZE: usize = size_of::<Self>();
    /// How far to shift a hash so that its top bits number a slot.
    const SHIFT: u32 = 32 - N.trailing_zeros();

    /// An empty table.
    #[must_use]
    pub const fn new() -> Self {
        const {
            assert!(
                N.is_power_of_two() && N >= 16 && N <= 1 << 16,
                "a string table has 16, 32, 64 ... 65536 slots"
            );
        }
        Self {
            hot: [Hot { address: 0, tag: 0, number: 0 }; N],
            cold: [Cold { first: 0, last: 0, key: 0 }; N],
            len: 0,
            generation: 1 << 16,
        }
    }

    /// Forgets every string.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
        self.generation = self.generation.wrapping_add(1 << 16);
        if self.generation == 0 {
            self.wrap();
        }
    }

    /// Stamps have come round, once in 65,535 generations: old ones must not look new.
    #[cold]
    #[inline(never)]
    fn wrap(&mut self) {
        for slot in &mut self.hot {
            slot.tag = 0;
        }
        self.generation = 1 << 16;
    }

    /// Number of strings in the table.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the table holds no string.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of `string`, if its slot tells without a search.
    ///
    /// `hash` is [`hash(string)`](hash). `None` says nothing: call [`intern`](Self::intern).
    #[inline(always)]
    #[must_use]
    pub fn find(&self, string: &str, hash: u32) -> Option<u32> {
        let slot = self.hot.get(Self::slot_of(hash))?;
        // In 64 bits a length that does not fit 16 bits makes a stamp that no slot carries: either
        // it overflows, or it is of a generation to come.
        if u64::from(slot.tag) != u64::from(self.generation) + string.len() as u64 {
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

    /// The number of `string`, entering it as `number` where it is new.
    ///
    /// `hash` is [`hash(string)`](hash); `keys` gives `string` back for `key` for as long as the
    /// table is not cleared. At most [`CAPACITY`](Self::CAPACITY) slots are looked at.
    #[inline(always)]
    pub fn intern<K: Keys + ?Sized>(
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
        let tag = self.generation | if long { 0xffff } else { string.len() as u32 };
        let mut at = Self::slot_of(hash);
        // The bound is never reached, since an eighth of the slots stays free.
        for _ in 0..N {
            let (Some(hot), Some(cold)) = (self.hot.get_mut(at), self.cold.get_mut(at)) else {
                break;
            };
            if hot.tag ^ self.generation > 0xffff {
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

    #[inline(always)]
    const fn slot_of(hash: u32) -> usize {
        (hash >> Self::SHIFT) as usize & (N - 1)
    }
}

impl<const N: usize> Default for StringTable<N> {
    fn default() -> Self {
        Self::new()
    }
}

/// The first and last word of a string, overlapping where it is short.
///
/// With the length, the pair is the exact content of every string up to 16 bytes.
#[inline(always)]
const fn words(bytes: &[u8]) -> (u64, u64) {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (u64::from_le_bytes(*first), u64::from_le_bytes(*last))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (u32::from_le_bytes(*first) as u64, u32::from_le_bytes(*last) as u64)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<2>(), bytes.last_chunk::<2>()) {
        (u16::from_le_bytes(*first) as u64, u16::from_le_bytes(*last) as u64)
    } else if let Some(only) = bytes.first() {
        (*only as u64, 0)
    } else {
        (0, 0)
    }
}

/// The hash by which strings are looked up: one multiply over the string's first eight bytes, last
/// eight bytes and length.
///
/// Chosen for speed on names. Strings made to collide slow the table down to a linear search; they
/// cannot make it fail.
#[inline(always)]
#[must_use]
pub const fn hash(string: &str) -> u32 {
    let (first, last) = words(string.as_bytes());
    let mixed = first ^ last.rotate_left(29) ^ (string.len() as u64) << 59;
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}
