//! From a delta to a changed table, in steps of which only the first can fail.

use core::hash::Hash;

use super::delta::{Change, Delta, Entry};
use super::dictionary::MultiDictionary;
use super::error::{ApplyError, Inconsistency};

/// What becomes of a delta that does not fit what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Mode {
    /// It is refused.
    Strict,
    /// It does what the C# client's release build does with it.
    Lenient,
}

/// What a delta did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Applied {
    /// Rows that are new.
    pub inserted: usize,
    /// Rows that replaced others.
    pub updated: usize,
    /// Rows that are gone.
    pub deleted: usize,
    /// Keys for which the delta did not fit what was there, and the C# client warns. None in
    /// [`Mode::Strict`].
    pub pseudo_throws: usize,
}

/// Is told what becomes of rows, each time in the order in which their keys came into the delta.
pub trait Visitor<K, V> {
    /// `row`, which is still there, will be deleted. It is the row as the delta has it.
    fn on_before_delete(&mut self, key: &K, row: &V) {
        _ = (key, row);
    }

    /// `row` is new.
    fn on_insert(&mut self, key: &K, row: &V) {
        _ = (key, row);
    }

    /// `new` has replaced `old`.
    fn on_update(&mut self, key: &K, old: &V, new: &V) {
        _ = (key, old, new);
    }

    /// `row` is gone. It is the row as the delta had it.
    fn on_delete(&mut self, key: &K, row: &V) {
        _ = (key, row);
    }
}

/// Does not want to know.
impl<K, V> Visitor<K, V> for () {}

/// What is to be done for a key; multiplicities are those afterwards.
#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    None,
    Delete,
    Insert { multiplicity: u32 },
    Recount { multiplicity: u32 },
    Update { multiplicity: u32 },
}

impl<K, V, const N: usize> MultiDictionary<K, V, N>
where
    K: Eq + Hash + Clone,
    V: PartialEq + Clone,
{
    /// Applies `delta`, or changes nothing; tells `visitor` what became of rows.
    ///
    /// Afterwards the delta is empty. The time it takes grows with the delta's keys and, where
    /// keys collide, with the table; never with what is in the rows.
    ///
    /// # Errors
    ///
    /// See [`ApplyError`]. Table and delta are as they were, and the visitor was not called.
    pub fn apply<const M: usize, W: Visitor<K, V> + ?Sized>(
        &mut self,
        delta: &mut Delta<K, V, M>,
        mode: Mode,
        visitor: &mut W,
    ) -> Result<Applied, ApplyError> {
        let prepared = self.prepare(delta, mode)?;
        prepared.before_delete(visitor);
        let committed = prepared.commit();
        committed.notify(visitor);
        Ok(committed.applied())
    }

    /// Finds out what `delta` does, without doing it: see [the module](super) for the steps.
    ///
    /// # Errors
    ///
    /// See [`ApplyError`].
    pub fn prepare<'a, const M: usize>(
        &'a mut self,
        delta: &'a mut Delta<K, V, M>,
        mode: Mode,
    ) -> Result<Prepared<'a, K, V, N, M>, ApplyError> {
        let mut applied = Applied::default();
        // Removals without a row: all that the C# client warns of before it can stop.
        let mut unmatched = 0;
        let len = delta.len();
        for (index, entry) in delta.entries_mut(len).enumerate() {
            let (action, doubt) = match self.decide(entry, mode) {
                Ok(decision) => decision,
                Err(Refusal::Ambiguous) => {
                    return Err(ApplyError::Ambiguous { entry: index, pseudo_throws: unmatched });
                }
                Err(Refusal::CountOverflow) => {
                    return Err(ApplyError::CountOverflow { entry: index });
                }
                Err(Refusal::Inconsistent(why)) => {
                    return Err(ApplyError::Inconsistent { entry: index, why });
                }
            };
            if let Some(why) = doubt {
                if mode == Mode::Strict {
                    return Err(ApplyError::Inconsistent { entry: index, why });
                }
                applied.pseudo_throws += 1;
                if why == Inconsistency::UnknownKey && matches!(entry.change(), Change::Copies(_)) {
                    unmatched += 1;
                }
            }
            match action {
                Action::None | Action::Recount { .. } => {}
                Action::Delete => applied.deleted += 1,
                Action::Insert { .. } => applied.inserted += 1,
                Action::Update { .. } => applied.updated += 1,
            }
            entry.action = action;
        }
        let needed = self.len().saturating_sub(applied.deleted) + applied.inserted;
        if needed > Self::CAPACITY {
            return Err(ApplyError::CapacityExceeded { needed });
        }
        Ok(Prepared { dictionary: self, delta, applied })
    }

    /// What is to be done for `entry`, and what the C# client warns of when it does it.
    fn decide(
        &self,
        entry: &Entry<K, V>,
        mode: Mode,
    ) -> Result<(Action, Option<Inconsistency>), Refusal> {
        let stored = self.find(entry.hash, &entry.key);
        let change = entry.change();
        if mode == Mode::Strict {
            self.doubt(entry, &change, stored.map(|(at, _)| at))?;
        }
        let multiplicity = stored.map(|(_, multiplicity)| multiplicity);
        Ok(match (multiplicity, change) {
            (_, Change::Ambiguous) => return Err(Refusal::Ambiguous),
            (Some(multiplicity), Change::Row { old, new }) => {
                let left = i64::from(multiplicity) + i64::from(old.copies);
                let doubt = match left {
                    ..0 => Some(Inconsistency::RemovedTooOften),
                    0 => None,
                    1.. => Some(Inconsistency::CopiesLeft),
                };
                (Action::Update { multiplicity: new.copies.unsigned_abs() }, doubt)
            }
            (Some(multiplicity), Change::Copies(change)) => {
                match i64::from(multiplicity) + i64::from(change.copies) {
                    ..0 => (Action::Delete, Some(Inconsistency::RemovedTooOften)),
                    0 => (Action::Delete, None),
                    left @ 1.. => match u32::try_from(left) {
                        Ok(multiplicity) => (Action::Recount { multiplicity }, None),
                        Err(_) => return Err(Refusal::CountOverflow),
                    },
                }
            }
            (None, Change::Row { .. }) => (Action::None, Some(Inconsistency::UnknownKey)),
            (None, Change::Copies(change)) => match change.copies {
                ..0 => (Action::None, Some(Inconsistency::UnknownKey)),
                0 => (Action::None, None),
                copies @ 1.. => (Action::Insert { multiplicity: copies.unsigned_abs() }, None),
            },
        })
    }

    /// What is wrong with the rows of `entry`: only the C# client's debug build looks at it.
    fn doubt(
        &self,
        entry: &Entry<K, V>,
        change: &Change<'_, V>,
        stored: Option<usize>,
    ) -> Result<(), Refusal> {
        if entry.third {
            return Err(Refusal::Inconsistent(Inconsistency::ThirdRow));
        }
        let expected = match change {
            Change::Ambiguous => return Ok(()),
            Change::Copies(expected) | Change::Row { old: expected, .. } => &expected.row,
        };
        match stored.and_then(|at| self.row(at)) {
            Some(row) if row != expected => Err(Refusal::Inconsistent(Inconsistency::OtherRow)),
            _ => Ok(()),
        }
    }
}

enum Refusal {
    Ambiguous,
    CountOverflow,
    Inconsistent(Inconsistency),
}

/// A delta that fits, and the table that has not changed yet.
///
/// Dropping it leaves both as they are.
#[derive(Debug)]
#[must_use = "nothing has changed yet"]
pub struct Prepared<'a, K, V, const N: usize, const M: usize> {
    dictionary: &'a mut MultiDictionary<K, V, N>,
    delta: &'a mut Delta<K, V, M>,
    applied: Applied,
}

impl<'a, K, V, const N: usize, const M: usize> Prepared<'a, K, V, N, M> {
    /// Tells `visitor` which rows will be deleted.
    pub fn before_delete<W: Visitor<K, V> + ?Sized>(&self, visitor: &mut W) {
        for entry in self.delta.entries(self.delta.len()) {
            if let (Action::Delete, Change::Copies(change)) = (entry.action, entry.change()) {
                visitor.on_before_delete(&entry.key, &change.row);
            }
        }
    }

    /// The table as it is before the delta.
    #[must_use]
    pub const fn dictionary(&self) -> &MultiDictionary<K, V, N> {
        self.dictionary
    }

    /// What the delta is going to do.
    #[must_use]
    pub const fn applied(&self) -> Applied {
        self.applied
    }
}

impl<'a, K, V, const N: usize, const M: usize> Prepared<'a, K, V, N, M>
where
    K: Eq + Hash + Clone,
    V: Clone,
{
    /// Changes the table and empties the delta.
    #[allow(clippy::must_use_candidate, reason = "not everyone wants to be told")]
    pub fn commit(self) -> Committed<'a, K, V, M> {
        let Self { dictionary, delta, applied } = self;
        let len = delta.len();
        for entry in delta.entries(len) {
            if let Action::Delete = entry.action {
                dictionary.remove(entry.hash, &entry.key);
            }
        }
        for entry in delta.entries_mut(len) {
            match entry.action {
                Action::Recount { multiplicity } => {
                    dictionary.recount(entry.hash, &entry.key, multiplicity);
                }
                Action::Update { multiplicity } => {
                    if let Change::Row { new, .. } = entry.change() {
                        // The row that was there takes the place of the one that the delta had.
                        entry.first.row = new.row.clone();
                        let row = &mut entry.first.row;
                        dictionary.replace(entry.hash, &entry.key, row, multiplicity);
                    }
                }
                _ => {}
            }
        }
        for entry in delta.entries(len) {
            if let Action::Insert { multiplicity } = entry.action
                && let Change::Copies(change) = entry.change()
            {
                let (key, row) = (entry.key.clone(), change.row.clone());
                dictionary.enter(entry.hash, key, row, multiplicity);
            }
        }
        delta.clear();
        Committed { delta, len, applied }
    }
}

/// What a delta has done, until its room is used again.
#[derive(Debug)]
pub struct Committed<'a, K, V, const M: usize> {
    /// Empty, but its entries are still in their places.
    delta: &'a Delta<K, V, M>,
    len: usize,
    applied: Applied,
}

impl<K, V, const M: usize> Committed<'_, K, V, M> {
    /// Tells `visitor` about new rows, then about replaced ones, then about deleted ones.
    pub fn notify<W: Visitor<K, V> + ?Sized>(&self, visitor: &mut W) {
        for entry in self.delta.entries(self.len) {
            if let (Action::Insert { .. }, Change::Copies(change)) = (entry.action, entry.change())
            {
                visitor.on_insert(&entry.key, &change.row);
            }
        }
        for entry in self.delta.entries(self.len) {
            if let (Action::Update { .. }, Change::Row { old, new }) =
                (entry.action, entry.change())
            {
                visitor.on_update(&entry.key, &old.row, &new.row);
            }
        }
        for entry in self.delta.entries(self.len) {
            if let (Action::Delete, Change::Copies(change)) = (entry.action, entry.change()) {
                visitor.on_delete(&entry.key, &change.row);
            }
        }
    }

    /// What the delta has done.
    #[must_use]
    pub const fn applied(&self) -> Applied {
        self.applied
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies `copies` copies of row 7 to key 1.
    fn apply(
        dictionary: &mut MultiDictionary<u32, u32, 16>,
        copies: i32,
    ) -> Result<Applied, ApplyError> {
        let mut delta = Delta::<u32, u32, 16>::new();
        assert_eq!(delta.add(1, 7), Ok(()));
        for entry in delta.entries_mut(1) {
            entry.first.copies = copies;
        }
        dictionary.apply(&mut delta, Mode::Lenient, &mut ())
    }

    #[test]
    fn multiplicity_that_overflows_is_refused() {
        let mut dictionary = MultiDictionary::new();
        for copies in [i32::MAX, i32::MAX] {
            assert!(apply(&mut dictionary, copies).is_ok());
        }
        assert_eq!(dictionary.get(&1), Some((&7, u32::MAX - 1)));
        assert_eq!(apply(&mut dictionary, 2), Err(ApplyError::CountOverflow { entry: 0 }));
        assert_eq!(dictionary.get(&1), Some((&7, u32::MAX - 1)));
        assert!(apply(&mut dictionary, 1).is_ok());
        assert_eq!(dictionary.get(&1), Some((&7, u32::MAX)));
    }

    #[test]
    fn every_copy_can_go_at_once() {
        let mut dictionary = MultiDictionary::new();
        assert!(apply(&mut dictionary, i32::MAX).is_ok());
        let gone = apply(&mut dictionary, i32::MIN);
        assert_eq!(gone, Ok(Applied { deleted: 1, pseudo_throws: 1, ..Applied::default() }));
        assert!(dictionary.is_empty());
    }
}
