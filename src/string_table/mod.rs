//! Fixed-capacity tables that give each distinct string one number.
//!
//! A table holds no string and no lifetime: a slot keeps a *key*, the caller's own number for where
//! the string stands, and finds it again through [`Keys`]. So a table can live in a `static` and
//! serve one batch after another.
//!
//! Slots are stamped with a generation, so starting anew costs nothing: small batches are the real
//! traffic, and clearing a table for each would cost more than writing them. Capacity and
//! comparison are exact: the stated number of distinct strings fits whatever their hashes are, and
//! one more is an error, never a second number for the same string.
//!
//! | table | bytes a slot | a look-up |
//! |---|---|---|
//! | [`StringTable`] | 40 | compares up to 16 bytes within the slot |
//! | [`SlimStringTable`] | 12 | fetches the string that stands at the slot's key |

mod slim;
mod wide;

pub use slim::SlimStringTable;
pub use wide::StringTable;

use crate::record::last_chunk;

/// Gives each distinct string one number.
///
/// Implemented by the tables of this module; a protocol's writer takes any of them.
pub trait Interner {
    /// Forgets every string.
    fn clear(&mut self);

    /// The number of `string`, if the first look tells.
    ///
    /// `hash` is [`hash(string)`](hash). `None` says nothing: call [`intern`](Self::intern).
    fn find<K: Keys + ?Sized>(&self, string: &str, hash: u32, keys: &K) -> Option<u32>;

    /// The number of `string`, entering it as `number` where it is new.
    ///
    /// `hash` is [`hash(string)`](hash); `keys` gives `string` back for `key` until the table is
    /// cleared. Looks at each slot once at most.
    fn intern<K: Keys + ?Sized>(
        &mut self,
        string: &str,
        hash: u32,
        number: u32,
        key: u32,
        keys: &K,
    ) -> Interned;

    /// Number of strings in the table.
    fn len(&self) -> usize;

    /// Whether the table holds no string.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: Interner + ?Sized> Interner for &mut T {
    #[inline(always)]
    fn clear(&mut self) {
        (**self).clear();
    }

    #[inline(always)]
    fn find<K: Keys + ?Sized>(&self, string: &str, hash: u32, keys: &K) -> Option<u32> {
        (**self).find(string, hash, keys)
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
        (**self).intern(string, hash, number, key, keys)
    }

    fn len(&self) -> usize {
        (**self).len()
    }
}

/// Finds a string again from the key under which it was entered.
pub trait Keys {
    /// The string that stands at `key`.
    ///
    /// It must stay the same, at the same address, until the table is cleared: a look-up that finds
    /// the address of a known string takes it for that string.
    fn string(&self, key: u32) -> &str;
}

impl Keys for [&str] {
    /// The string at index `key`; the empty string where there is none.
    fn string(&self, key: u32) -> &str {
        self.get(key as usize).copied().unwrap_or_default()
    }
}

/// What [`Interner::intern`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Interned {
    /// The string was there; this is its number.
    Known(u32),
    /// The string is new and now has the number that was offered.
    New,
    /// The string is new and there is no room for it.
    Full,
}

/// The first and last word of a string, overlapping where it is short.
///
/// With the length, the pair is the exact content of every string up to 16 bytes.
#[inline(always)]
const fn words(bytes: &[u8]) -> (u64, u64) {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), last_chunk::<8>(bytes)) {
        (u64::from_le_bytes(*first), u64::from_le_bytes(*last))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), last_chunk::<4>(bytes)) {
        (u32::from_le_bytes(*first) as u64, u32::from_le_bytes(*last) as u64)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<2>(), last_chunk::<2>(bytes)) {
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

/// Which slots are in use: those that carry the current stamp.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Generation {
    /// The stamp in the upper 16 bits, 0 for no slot in use; the lower ones are zero.
    stamp: u32,
}

impl Generation {
    pub(crate) const FIRST: Self = Self { stamp: 1 << 16 };

    /// Goes on to the next stamp. True once in 65,535 times: stamps have come round, and the table
    /// must give every slot the stamp 0, or old ones would look new, and start at
    /// [`FIRST`](Self::FIRST).
    ///
    /// Not here: a stamp that the compiler can tell stays in a register throughout a writer's loop,
    /// where it costs more than a load from the table.
    #[inline(always)]
    pub(crate) const fn advance(&mut self) -> bool {
        self.stamp = self.stamp.wrapping_add(1 << 16);
        self.stamp == 0
    }

    /// The tag of a slot in use; `low` has 16 bits.
    #[inline(always)]
    pub(crate) const fn tag(self, low: u32) -> u32 {
        self.stamp | low
    }

    /// Whether a slot with `tag` is in use.
    #[inline(always)]
    pub(crate) const fn owns(self, tag: u32) -> bool {
        tag ^ self.stamp <= 0xffff
    }
}

/// How far to shift a hash so that its top bits number one of `slots` slots.
const fn slot_shift(slots: usize) -> u32 {
    assert!(
        slots.is_power_of_two() && slots >= 16 && slots.trailing_zeros() <= 16,
        "a string table has 16, 32, 64 ... 65536 slots"
    );
    32 - slots.trailing_zeros()
}
