//! The table itself.

use core::hash::Hash;

use super::hash::hash;
use super::slots::Slots;

/// Up to `N / 8 * 7` keys, each with its row and the row's multiplicity, in `N` slots.
///
/// A slot takes 8 bytes, which is all that most of a look-up touches, and an `Option<(K, V)>`. `N`
/// is a power of two from 16 to 65,536. The stated number of keys fits whatever their hashes are;
/// keys made to collide slow a look-up down to a search through all slots. A key's `Hash` must be
/// the same for equal keys and stay the same.
///
/// A table changes only as a whole: see [the module](super).
#[derive(Debug)]
pub struct MultiDictionary<K, V, const N: usize> {
    /// Where keys stand, with the multiplicities: 8 bytes a slot.
    hot: Slots<N>,
    cold: [Option<(K, V)>; N],
    len: usize,
}

impl<K, V, const N: usize> MultiDictionary<K, V, N> {
    /// Keys that always fit.
    pub const CAPACITY: usize = Slots::<N>::CAPACITY;
    /// Bytes that the table occupies.
    pub const SIZE: usize = size_of::<Self>();

    /// An empty table.
    #[must_use]
    pub const fn new() -> Self {
        Self { hot: Slots::new(), cold: [const { None }; N], len: 0 }
    }

    /// Forgets every row, in a time that does not depend on their number unless they need to be
    /// dropped.
    pub fn clear(&mut self) {
        self.len = 0;
        self.hot.clear();
        if core::mem::needs_drop::<(K, V)>() {
            for slot in &mut self.cold {
                *slot = None;
            }
        }
    }

    /// Every key with its row and multiplicity, in no order that means anything.
    #[must_use]
    pub const fn iter(&self) -> Iter<'_, K, V, N> {
        Iter { dictionary: self, at: 0 }
    }

    /// Number of keys.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no row.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<K: Eq + Hash, V, const N: usize> MultiDictionary<K, V, N> {
    /// The row of `key`, and its multiplicity.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<(&V, u32)> {
        let (at, multiplicity) = self.find(hash(key), key)?;
        let (_, row) = self.cold.get(at)?.as_ref()?;
        Some((row, multiplicity))
    }

    /// The slot of `key`, and the multiplicity of its row.
    #[inline(always)]
    pub(super) fn find(&self, hash: u32, key: &K) -> Option<(usize, u32)> {
        for (at, multiplicity) in self.hot.candidates(hash) {
            if let Some(Some((found, _))) = self.cold.get(at)
                && found == key
            {
                return Some((at, multiplicity));
            }
        }
        None
    }

    /// The row in slot `at`.
    #[inline(always)]
    pub(super) fn row(&self, at: usize) -> Option<&V> {
        self.cold.get(at)?.as_ref().map(|(_, row)| row)
    }

    /// Enters `key`, which is not there.
    pub(super) fn enter(&mut self, hash: u32, key: K, row: V, multiplicity: u32) {
        if let Some(at) = self.hot.enter(hash, multiplicity)
            && let Some(cold) = self.cold.get_mut(at)
        {
            *cold = Some((key, row));
            self.len += 1;
        }
    }

    /// Changes the multiplicity of `key`.
    pub(super) fn recount(&mut self, hash: u32, key: &K, multiplicity: u32) {
        if let Some((at, _)) = self.find(hash, key) {
            self.hot.set(at, multiplicity);
        }
    }

    /// Puts `row` in place of the row of `key`, which it becomes.
    pub(super) fn replace(&mut self, hash: u32, key: &K, row: &mut V, multiplicity: u32) {
        if let Some((at, _)) = self.find(hash, key)
            && let Some(Some((_, old))) = self.cold.get_mut(at)
        {
            self.hot.set(at, multiplicity);
            core::mem::swap(old, row);
        }
    }

    /// Forgets `key`, and moves what stands behind it closer to where it belongs.
    pub(super) fn remove(&mut self, hash: u32, key: &K) {
        let Some((mut hole, _)) = self.find(hash, key) else { return };
        self.len = self.len.saturating_sub(1);
        while let Some(from) = self.hot.fill(hole) {
            self.cold.swap(hole, from);
            hole = from;
        }
        if let Some(cold) = self.cold.get_mut(hole) {
            *cold = None;
        }
    }
}

impl<K, V, const N: usize> Default for MultiDictionary<K, V, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a, K, V, const N: usize> IntoIterator for &'a MultiDictionary<K, V, N> {
    type Item = (&'a K, &'a V, u32);
    type IntoIter = Iter<'a, K, V, N>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The rows of a [`MultiDictionary`].
#[derive(Debug)]
pub struct Iter<'a, K, V, const N: usize> {
    dictionary: &'a MultiDictionary<K, V, N>,
    at: usize,
}

impl<'a, K, V, const N: usize> Iterator for Iter<'a, K, V, N> {
    /// A key, its row and the row's multiplicity.
    type Item = (&'a K, &'a V, u32);

    fn next(&mut self) -> Option<Self::Item> {
        while self.at < N {
            let at = self.at;
            self.at += 1;
            if let Some(multiplicity) = self.dictionary.hot.number(at)
                && let Some(Some((key, row))) = self.dictionary.cold.get(at)
            {
                return Some((key, row, multiplicity));
            }
        }
        None
    }
}
