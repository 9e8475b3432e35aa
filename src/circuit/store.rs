//! Batches that are kept until a browser has them.

use core::fmt;

/// Where a circuit keeps what it may have to send once more.
///
/// [`NoStore`] keeps nothing: a page whose connection was cut loads anew. [`BatchStore`] keeps batches until
/// they are acknowledged, so that a page goes on where it was.
#[allow(private_bounds, reason = "so nobody implements it")]
pub trait Store: Default + private::Sealed {
    /// Whether anything is kept.
    const KEEPS: bool;

    /// Memory for `len` bytes of the batch that comes behind the last one; `None` where there is none until
    /// more is acknowledged.
    #[doc(hidden)]
    fn reserve(&mut self, id: u32, len: usize) -> Option<&mut [u8]>;

    /// The bytes of a batch.
    #[doc(hidden)]
    fn batch(&self, id: u32) -> Option<&[u8]>;

    /// Forgets batches up to `id`.
    #[doc(hidden)]
    fn release(&mut self, id: u32);

    /// Whether nothing is kept now.
    #[doc(hidden)]
    fn is_empty(&self) -> bool;
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NoStore;

impl Store for NoStore {
    const KEEPS: bool = false;

    fn reserve(&mut self, _id: u32, _len: usize) -> Option<&mut [u8]> {
        None
    }

    fn batch(&self, _id: u32) -> Option<&[u8]> {
        None
    }

    fn release(&mut self, _id: u32) {}

    fn is_empty(&self) -> bool {
        true
    }
}

/// Keeps up to `BATCHES` batches, that have up to `BYTES` bytes together.
///
/// Each lies in one piece, so that now and then some bytes at the end stay unused. Where one finds no room,
/// rendering waits for the browser to acknowledge those before it. One that has more than `BYTES` bytes by
/// itself is sent and not kept: until the browser has it, the circuit does not outlive its connection.
#[derive(Clone)]
pub struct BatchStore<const BATCHES: usize, const BYTES: usize> {
    /// The first `len` are in use, the oldest first; their ids go up by one.
    entries: [Entry; BATCHES],
    len: usize,
    bytes: [u8; BYTES],
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    id: u32,
    start: usize,
    len: usize,
}

impl Entry {
    const fn end(self) -> usize {
        self.start.saturating_add(self.len)
    }
}

impl<const BATCHES: usize, const BYTES: usize> BatchStore<BATCHES, BYTES> {
    /// A store that has nothing in it.
    #[must_use]
    pub const fn new() -> Self {
        let entries = [Entry { id: 0, start: 0, len: 0 }; BATCHES];
        Self { entries, len: 0, bytes: [0; BYTES] }
    }

    fn entries(&self) -> &[Entry] {
        self.entries.get(..self.len).unwrap_or_default()
    }

    /// Where `len` bytes are free, in one piece.
    fn place(&self, len: usize) -> Option<usize> {
        let entries = self.entries();
        let (Some(oldest), Some(newest)) = (entries.first(), entries.last()) else {
            return (len <= BYTES).then_some(0);
        };
        let end = newest.end();
        if newest.start < oldest.start {
            // Free is what lies between the two.
            return (len <= oldest.start.saturating_sub(end)).then_some(end);
        }
        if len <= BYTES.saturating_sub(end) {
            return Some(end);
        }
        (len <= oldest.start).then_some(0)
    }
}

impl<const BATCHES: usize, const BYTES: usize> Store for BatchStore<BATCHES, BYTES> {
    const KEEPS: bool = BATCHES != 0;

    fn reserve(&mut self, id: u32, len: usize) -> Option<&mut [u8]> {
        // Nothing of no bytes, so that no two start at one place.
        let start = self.place(len).filter(|_| len != 0)?;
        let entry = self.entries.get_mut(self.len)?;
        *entry = Entry { id, start, len };
        self.len += 1;
        self.bytes.get_mut(start..)?.get_mut(..len)
    }

    fn batch(&self, id: u32) -> Option<&[u8]> {
        let entry = self.entries().iter().find(|entry| entry.id == id)?;
        self.bytes.get(entry.start..)?.get(..entry.len)
    }

    fn release(&mut self, id: u32) {
        let kept = self.entries().iter().skip_while(|entry| entry.id <= id).count();
        let gone = self.len.saturating_sub(kept);
        if gone == 0 {
            return;
        }
        for at in 0..kept {
            let entry = self.entries.get(at.saturating_add(gone)).copied().unwrap_or_default();
            if let Some(slot) = self.entries.get_mut(at) {
                *slot = entry;
            }
        }
        self.len = kept;
    }

    fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<const BATCHES: usize, const BYTES: usize> Default for BatchStore<BATCHES, BYTES> {
    fn default() -> Self {
        Self::new()
    }
}

/// How many batches there are, and not their bytes.
impl<const BATCHES: usize, const BYTES: usize> fmt::Debug for BatchStore<BATCHES, BYTES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchStore").field("entries", &self.entries()).finish_non_exhaustive()
    }
}

mod private {
    pub(super) trait Sealed {}

    impl Sealed for super::NoStore {}

    impl<const BATCHES: usize, const BYTES: usize> Sealed for super::BatchStore<BATCHES, BYTES> {}
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test may panic")]
    #![allow(clippy::std_instead_of_alloc, reason = "a test has std")]

    extern crate std;

    use std::collections::VecDeque;
    use std::vec;
    use std::vec::Vec;

    use super::*;

    /// Against a list, over every length and acknowledgement that a generator comes up with.
    #[test]
    fn batches_keep_their_bytes_until_they_are_released() {
        let mut store = BatchStore::<4, 100>::new();
        let mut kept: VecDeque<(u32, Vec<u8>)> = VecDeque::new();
        let (mut id, mut state, mut taken, mut wrapped) = (2u32, 1u64, 0, 0);
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let random = state >> 33;
            if random.is_multiple_of(3) {
                let up_to = (id - 1).saturating_sub(u32::from(random.to_le_bytes()[1] % 6));
                store.release(up_to);
                kept.retain(|(id, _)| *id > up_to);
            } else {
                let len = 1 + usize::from(random.to_le_bytes()[1] % 60);
                let room = store.reserve(id, len);
                if let Some(room) = room {
                    assert_eq!(room.len(), len);
                    let byte = id.to_le_bytes()[0];
                    room.fill(byte);
                    kept.push_back((id, vec![byte; len]));
                    (id, taken) = (id + 1, taken + 1);
                    wrapped += usize::from(store.entries().last().unwrap().start == 0);
                } else {
                    assert!(!kept.is_empty());
                }
            }
            assert!(kept.len() <= 4);
            for (id, bytes) in &kept {
                assert_eq!(store.batch(*id), Some(&bytes[..]), "{id}");
            }
            assert_eq!(store.is_empty(), kept.is_empty());
            assert_eq!(store.batch(id), None);
        }
        assert!(taken > 3_000 && wrapped > 500, "{taken} {wrapped}");
        assert_eq!(store.reserve(id, 101), None);
        assert_eq!(NoStore.reserve(1, 0), None);
        const { assert!(BatchStore::<1, 1>::KEEPS && !BatchStore::<0, 1>::KEEPS && !NoStore::KEEPS) }
    }
}
