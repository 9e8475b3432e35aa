//! Changes that are applied together.

use core::hash::Hash;

use super::apply::Action;
use super::dictionary::MultiDictionary;
use super::error::DeltaError;
use super::hash::hash;
use super::slots::Slots;

/// Changes to up to `M / 8 * 7` keys, in any order.
///
/// For each key it keeps up to two rows and, of each, how many more copies were added than removed.
/// `M` is a power of two from 16 to 65,536. A slot takes 8 bytes, and room for a key and two rows.
/// Rows are dropped when their room is used again.
#[derive(Debug)]
pub struct Delta<K, V, const M: usize> {
    /// Numbers of entries.
    index: Slots<M>,
    /// In the order in which their keys came.
    entries: [Option<Entry<K, V>>; M],
    len: usize,
}

#[derive(Debug)]
pub(super) struct Entry<K, V> {
    pub(super) key: K,
    pub(super) hash: u32,
    /// The row with the fewer copies of the two.
    pub(super) first: Counted<V>,
    second: Option<Counted<V>>,
    /// Whether copies of a third row were counted as the second one's.
    pub(super) third: bool,
    /// What [`prepare`](super::MultiDictionary::prepare) has found is to be done.
    pub(super) action: Action,
}

#[derive(Debug)]
pub(super) struct Counted<V> {
    pub(super) row: V,
    pub(super) copies: i32,
}

/// What an entry's copies come to.
pub(super) enum Change<'a, V> {
    Ambiguous,
    /// Copies of one row, or none of any.
    Copies(&'a Counted<V>),
    /// Copies of one row are gone and there are some of another.
    Row {
        old: &'a Counted<V>,
        new: &'a Counted<V>,
    },
}

impl<K, V, const M: usize> Delta<K, V, M> {
    /// Keys that always fit.
    pub const CAPACITY: usize = Slots::<M>::CAPACITY;
    /// Bytes that the delta occupies.
    pub const SIZE: usize = size_of::<Self>();

    /// An empty delta.
    #[must_use]
    pub const fn new() -> Self {
        Self { index: Slots::new(), entries: [const { None }; M], len: 0 }
    }

    /// Forgets every change.
    pub fn clear(&mut self) {
        self.len = 0;
        self.index.clear();
    }

    /// The key of entry `entry`, counted in the order in which keys came.
    #[must_use]
    pub fn key(&self, entry: usize) -> Option<&K> {
        let entry = self.entries.get(..self.len)?.get(entry)?.as_ref()?;
        Some(&entry.key)
    }

    /// Number of keys.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no change.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The first `len` entries, also those that were cleared and not yet replaced.
    pub(super) fn entries(&self, len: usize) -> impl Iterator<Item = &Entry<K, V>> {
        self.entries.iter().take(len).flatten()
    }

    pub(super) fn entries_mut(&mut self, len: usize) -> impl Iterator<Item = &mut Entry<K, V>> {
        self.entries.iter_mut().take(len).flatten()
    }
}

impl<K: Eq + Hash, V: PartialEq, const M: usize> Delta<K, V, M> {
    /// Counts one copy of `row` more.
    ///
    /// # Errors
    ///
    /// See [`DeltaError`]. The delta is as it was.
    pub fn add(&mut self, key: K, row: V) -> Result<(), DeltaError> {
        self.count(key, row, 1)
    }

    /// Counts one copy of `row` less.
    ///
    /// # Errors
    ///
    /// See [`DeltaError`]. The delta is as it was.
    pub fn remove(&mut self, key: K, row: V) -> Result<(), DeltaError> {
        self.count(key, row, -1)
    }

    /// Counts every copy of every row of `table` less.
    ///
    /// With all rows that there are now added behind it, the delta says what has changed in the meantime:
    /// so a client that was away for a while finds out what it missed, and rows that have gone are
    /// deleted. The delta needs room for the keys of both.
    ///
    /// ```
    /// use onewrite::spacetimedb::multi_dictionary::{Applied, Delta, Mode, MultiDictionary};
    ///
    /// let mut lamps = MultiDictionary::<u32, u16, 16>::new();
    /// let mut delta = Delta::<u32, u16, 16>::new();
    /// for (id, level) in [(1, 10), (2, 20), (3, 30)] {
    ///     delta.add(id, level)?;
    /// }
    /// lamps.apply(&mut delta, Mode::Strict, &mut ())?;
    ///
    /// // The connection was lost, and this is what the next one begins with.
    /// delta.remove_all(&lamps)?;
    /// for (id, level) in [(1, 10), (2, 25), (4, 40)] {
    ///     delta.add(id, level)?;
    /// }
    /// let Applied { inserted, updated, deleted, .. } =
    ///     lamps.apply(&mut delta, Mode::Strict, &mut ())?;
    /// assert_eq!((inserted, updated, deleted), (1, 1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`DeltaError`]. The delta may have taken some of the rows by then: [`clear`](Self::clear) it.
    pub fn remove_all<const N: usize>(
        &mut self,
        table: &MultiDictionary<K, V, N>,
    ) -> Result<(), DeltaError>
    where
        K: Clone,
        V: Clone,
    {
        for (key, row, multiplicity) in table {
            let copies = i32::try_from(multiplicity).map_err(|_| DeltaError::CountOverflow)?;
            self.count(key.clone(), row.clone(), copies.wrapping_neg())?;
        }
        Ok(())
    }

    fn count(&mut self, key: K, row: V, copies: i32) -> Result<(), DeltaError> {
        let hash = hash(&key);
        for (_, number) in self.index.candidates(hash) {
            if let Some(Some(entry)) = self.entries.get_mut(number as usize)
                && entry.key == key
            {
                return entry.count(row, copies);
            }
        }
        if self.len >= Self::CAPACITY {
            return Err(DeltaError::DeltaFull);
        }
        let Some(room) = self.entries.get_mut(self.len) else {
            return Err(DeltaError::DeltaFull);
        };
        #[allow(clippy::cast_possible_truncation, reason = "less than 65,536")]
        let entered = self.index.enter(hash, self.len as u32);
        if entered.is_none() {
            return Err(DeltaError::DeltaFull);
        }
        let first = Counted { row, copies };
        *room = Some(Entry { key, hash, first, second: None, third: false, action: Action::None });
        self.len += 1;
        Ok(())
    }
}

impl<K, V: PartialEq> Entry<K, V> {
    fn count(&mut self, row: V, copies: i32) -> Result<(), DeltaError> {
        if self.first.row == row {
            self.first.count(copies)?;
        } else if let Some(second) = &mut self.second {
            let third = second.row != row;
            second.count(copies)?;
            self.third |= third;
        } else {
            self.second = Some(Counted { row, copies });
        }
        if let Some(second) = &mut self.second
            && self.first.copies > second.copies
        {
            core::mem::swap(&mut self.first, second);
        }
        Ok(())
    }
}

impl<K, V> Entry<K, V> {
    pub(super) const fn change(&self) -> Change<'_, V> {
        let first = &self.first;
        let Some(second) = &self.second else { return Change::Copies(first) };
        match (first.copies, second.copies) {
            (..0, 1..) => Change::Row { old: first, new: second },
            (..0, 0) => Change::Copies(first),
            (0, 1..) => Change::Copies(second),
            _ => Change::Ambiguous,
        }
    }
}

impl<V> Counted<V> {
    fn count(&mut self, copies: i32) -> Result<(), DeltaError> {
        self.copies = self.copies.checked_add(copies).ok_or(DeltaError::CountOverflow)?;
        Ok(())
    }
}

impl<K, V, const M: usize> Default for Delta<K, V, M> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_that_overflow_are_refused() {
        let mut delta = Delta::<u32, u32, 16>::new();
        assert_eq!(delta.add(1, 7), Ok(()));
        assert_eq!(delta.add(1, 8), Ok(()));
        for (copies, step) in [(i32::MAX, 1), (i32::MIN, -1)] {
            for row in [7, 8, 9] {
                for entry in delta.entries_mut(1) {
                    entry.first = Counted { row: 7, copies };
                    entry.second = Some(Counted { row: 8, copies });
                    entry.third = false;
                }
                assert_eq!(delta.count(1, row, step), Err(DeltaError::CountOverflow), "{row}");
                for entry in delta.entries(1) {
                    assert_eq!((entry.first.row, entry.first.copies), (7, copies));
                    assert!(entry.second.as_ref().is_some_and(|it| it.copies == copies));
                    assert!(!entry.third, "{row}");
                }
            }
        }
    }
}
