//! The table for little memory.

use super::{Generation, Interned, Interner, Keys, slot_shift};

/// Numbers for up to `N / 8 * 7` distinct strings, in `N` slots of 12 bytes.
///
/// A slot keeps 16 bits of the string's hash, and fetches the string itself from its key whenever
/// those agree. That makes a look-up about twice as long as in a
/// [`StringTable`](super::StringTable). `N` is a power of two from 16 to 65,536.
#[derive(Debug)]
pub struct SlimStringTable<const N: usize> {
    slots: [Slot; N],
    len: usize,
    generation: Generation,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Generation, and the lower half of the hash; the upper half chose the slot.
    tag: u32,
    number: u32,
    key: u32,
}

impl<const N: usize> SlimStringTable<N> {
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
            slots: [Slot { tag: 0, number: 0, key: 0 }; N],
            len: 0,
            generation: Generation::FIRST,
        }
    }

    #[cold]
    #[inline(never)]
    fn start_over(&mut self) {
        for slot in &mut self.slots {
            slot.tag = 0;
        }
        self.generation = Generation::FIRST;
    }
}

impl<const N: usize> Interner for SlimStringTable<N> {
    #[inline(always)]
    fn clear(&mut self) {
        self.len = 0;
        if self.generation.advance() {
            self.start_over();
        }
    }

    #[inline(always)]
    fn find<K: Keys + ?Sized>(&self, string: &str, hash: u32, keys: &K) -> Option<u32> {
        let slot = self.slots.get((hash >> Self::SHIFT) as usize & (N - 1))?;
        if slot.tag != self.generation.tag(hash & 0xffff) {
            return None;
        }
        let entered = keys.string(slot.key);
        if entered.len() == string.len() && entered.as_ptr().addr() == string.as_ptr().addr() {
            return Some(slot.number);
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
        let tag = self.generation.tag(hash & 0xffff);
        let mut at = (hash >> Self::SHIFT) as usize & (N - 1);
        // The bound is never reached, since an eighth of the slots stays free.
        for _ in 0..N {
            let Some(slot) = self.slots.get_mut(at) else { break };
            if !self.generation.owns(slot.tag) {
                if self.len >= Self::CAPACITY {
                    break;
                }
                self.len += 1;
                *slot = Slot { tag, number, key };
                return Interned::New;
            }
            if slot.tag == tag && keys.string(slot.key) == string {
                return Interned::Known(slot.number);
            }
            at = (at + 1) & (N - 1);
        }
        Interned::Full
    }

    fn len(&self) -> usize {
        self.len
    }
}

impl<const N: usize> Default for SlimStringTable<N> {
    fn default() -> Self {
        Self::new()
    }
}
