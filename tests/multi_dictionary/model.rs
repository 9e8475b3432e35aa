//! The same with a `HashMap`, written from what the C# client does.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use onewrite::spacetimedb::multi_dictionary::{Applied, ApplyError, Inconsistency, Mode, Visitor};

/// A key with one of `HOMES` hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HashesTo<const HOMES: u64>(pub(crate) u32);

impl<const HOMES: u64> Hash for HashesTo<HOMES> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(u64::from(self.0) % HOMES);
    }
}

impl<const HOMES: u64> From<HashesTo<HOMES>> for u32 {
    fn from(key: HashesTo<HOMES>) -> Self {
        key.0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    BeforeDelete(u32, u32),
    Insert(u32, u32),
    Update(u32, u32, u32),
    Delete(u32, u32),
}

#[derive(Default)]
pub(crate) struct Events(pub(crate) Vec<Event>);

impl<K: Copy + Into<u32>> Visitor<K, u32> for Events {
    fn on_before_delete(&mut self, key: &K, row: &u32) {
        self.0.push(Event::BeforeDelete((*key).into(), *row));
    }

    fn on_insert(&mut self, key: &K, row: &u32) {
        self.0.push(Event::Insert((*key).into(), *row));
    }

    fn on_update(&mut self, key: &K, old: &u32, new: &u32) {
        self.0.push(Event::Update((*key).into(), *old, *new));
    }

    fn on_delete(&mut self, key: &K, row: &u32) {
        self.0.push(Event::Delete((*key).into(), *row));
    }
}

pub(crate) struct Model<K> {
    /// Row and multiplicity.
    pub(crate) rows: HashMap<K, (u32, u32)>,
}

impl<K> Default for Model<K> {
    fn default() -> Self {
        Self { rows: HashMap::new() }
    }
}

impl<K: Copy + Eq + Hash + Into<u32>> Model<K> {
    /// What `changes` (key, row, whether it is added) do, or why nothing is done.
    pub(crate) fn apply(
        &mut self,
        changes: &[(K, u32, bool)],
        mode: Mode,
        capacity: usize,
    ) -> Result<(Applied, Vec<Event>), ApplyError> {
        let mut rows = self.rows.clone();
        let (mut before, mut inserts, mut updates, mut deletes) = (vec![], vec![], vec![], vec![]);
        let (mut pseudo_throws, mut warnings) = (0, 0);
        for (entry, (key, counts, third)) in by_key(changes).into_iter().enumerate() {
            let refuse = |why| Err(ApplyError::Inconsistent { entry, why });
            let strict = mode == Mode::Strict;
            if strict && third {
                return refuse(Inconsistency::ThirdRow);
            }
            let stored = rows.get(&key).copied();
            let replaced = counts.iter().find(|count| count.1 < 0);
            let by = counts.iter().find(|count| count.1 > 0);
            let changed: Vec<_> = counts.iter().filter(|count| count.1 != 0).collect();
            let (old, new) = match (replaced, by, &changed[..], &counts[..]) {
                (Some(old), Some(new), ..) => (*old, Some(*new)),
                (_, _, [only], _) => (**only, None),
                (.., [only]) => (*only, None),
                _ => return Err(ApplyError::Ambiguous { entry, pseudo_throws: warnings }),
            };
            if strict && stored.is_some_and(|(row, _)| row != old.0) {
                return refuse(Inconsistency::OtherRow);
            }
            let (row, copies) = old;
            let why = match (stored, new) {
                (Some((stored, multiplicity)), Some((new, copies))) => {
                    updates.push(Event::Update(key.into(), stored, new));
                    rows.insert(key, (new, copies as u32));
                    match i64::from(multiplicity) + old.1 {
                        0 => None,
                        1.. => Some(Inconsistency::CopiesLeft),
                        _ => Some(Inconsistency::RemovedTooOften),
                    }
                }
                (Some((stored, multiplicity)), None) => {
                    let left = i64::from(multiplicity) + copies;
                    if left > 0 {
                        rows.insert(key, (stored, left as u32));
                    } else {
                        before.push(Event::BeforeDelete(key.into(), row));
                        deletes.push(Event::Delete(key.into(), row));
                        rows.remove(&key);
                    }
                    (left < 0).then_some(Inconsistency::RemovedTooOften)
                }
                (None, None) if copies > 0 => {
                    inserts.push(Event::Insert(key.into(), row));
                    rows.insert(key, (row, copies as u32));
                    None
                }
                (None, None) if copies == 0 => None,
                (None, new) => {
                    warnings += usize::from(new.is_none());
                    Some(Inconsistency::UnknownKey)
                }
            };
            match why {
                Some(why) if strict => return refuse(why),
                Some(_) => pseudo_throws += 1,
                None => {}
            }
        }
        if rows.len() > capacity {
            return Err(ApplyError::CapacityExceeded { needed: rows.len() });
        }
        self.rows = rows;
        let (inserted, updated, deleted) = (inserts.len(), updates.len(), deletes.len());
        let events = [before, inserts, updates, deletes].concat();
        Ok((Applied { inserted, updated, deleted, pseudo_throws }, events))
    }
}

/// A key, its rows with the copies of each, and whether there was a third row.
type OfKey<K> = (K, Vec<(u32, i64)>, bool);

/// The keys in the order in which they come.
fn by_key<K: Copy + Eq>(changes: &[(K, u32, bool)]) -> Vec<OfKey<K>> {
    let mut keys: Vec<OfKey<K>> = Vec::new();
    for &(key, row, add) in changes {
        let copies = if add { 1 } else { -1 };
        let at = keys.iter().position(|of| of.0 == key).unwrap_or_else(|| {
            keys.push((key, Vec::new(), false));
            keys.len() - 1
        });
        let (_, counts, third) = &mut keys[at];
        match counts.iter().position(|count| count.0 == row) {
            Some(at) => counts[at].1 += copies,
            None if counts.len() < 2 => counts.push((row, copies)),
            None => {
                // Counted as the row with the more copies.
                counts[1].1 += copies;
                *third = true;
            }
        }
        counts.sort_by_key(|count| count.1);
    }
    keys
}
