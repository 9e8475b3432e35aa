//! Dictionaries against a model, with keys that collide, and what each error leaves behind.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may stop at what is wrong"
)]
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small numbers")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "multi_dictionary/model.rs"]
mod model;

use std::rc::Rc;

use model::{Event, Events, HashesTo, Model};
use onewrite::bsatn::Identity;
use onewrite::spacetimedb::multi_dictionary::{
    Applied, ApplyError, Delta, DeltaError, Inconsistency, Mode, MultiDictionary, Prepared,
};

type Dictionary<const HOMES: u64> = MultiDictionary<HashesTo<HOMES>, u32, 16>;
type Changes<const HOMES: u64> = Delta<HashesTo<HOMES>, u32, 32>;

/// splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % u64::from(limit)) as u32
    }
}

/// Applies `turns` random deltas of `keys` keys and `rows` rows, and compares all that can be seen
/// with the model. Returns how often each kind of outcome came.
fn agrees_with_the_model<const HOMES: u64>(
    seed: u64,
    turns: usize,
    keys: u32,
    rows: u32,
) -> [usize; 4] {
    let mut random = Random(seed);
    let mut dictionary = Dictionary::<HOMES>::new();
    let mut delta = Changes::<HOMES>::new();
    let mut model = Model::default();
    let mut outcomes = [0; 4];
    for turn in 0..turns {
        let mode = [Mode::Strict, Mode::Lenient][random.below(2) as usize];
        let mut changes = Vec::new();
        for _ in 0..random.below(12) {
            let key = HashesTo(random.below(keys));
            // Mostly what fits, or little would ever be applied.
            let (add, row) = match model.rows.get(&key) {
                Some((row, _)) if random.below(4) > 0 => (random.below(2) == 0, *row),
                _ => (random.below(3) > 0, random.below(rows)),
            };
            changes.push((key, row, add));
        }
        for &(key, row, add) in &changes {
            let counted = if add { delta.add(key, row) } else { delta.remove(key, row) };
            assert_eq!(counted, Ok(()));
        }
        let keys_of_delta = delta.len();

        let expected = model.apply(&changes, mode, Dictionary::<HOMES>::CAPACITY);
        let mut events = Events::default();
        let found = dictionary.apply(&mut delta, mode, &mut events);
        match &expected {
            Ok((applied, told)) => {
                assert_eq!(found, Ok(*applied), "turn {turn}: {changes:?}");
                assert_eq!(events.0, *told, "turn {turn}: {changes:?}");
                assert!(delta.is_empty());
                outcomes[0] += 1;
            }
            Err(why) => {
                assert_eq!(found, Err(*why), "turn {turn}: {changes:?}");
                assert_eq!(events.0, [], "turn {turn}: told about nothing");
                // The delta is still what it was: it gives the same answer again.
                assert_eq!(delta.len(), keys_of_delta);
                assert_eq!(dictionary.apply(&mut delta, mode, &mut events), Err(*why));
                delta.clear();
                outcomes[match why {
                    ApplyError::Ambiguous { .. } => 1,
                    ApplyError::CapacityExceeded { .. } => 2,
                    _ => 3,
                }] += 1;
            }
        }
        same_rows(&dictionary, &model);
    }
    outcomes
}

fn same_rows<const HOMES: u64>(dictionary: &Dictionary<HOMES>, model: &Model<HashesTo<HOMES>>) {
    assert_eq!(dictionary.len(), model.rows.len());
    assert_eq!(dictionary.iter().count(), model.rows.len());
    for (key, row, multiplicity) in dictionary {
        assert_eq!(model.rows.get(key), Some(&(*row, multiplicity)));
        assert_eq!(dictionary.get(key), Some((row, multiplicity)));
        assert!(multiplicity > 0);
    }
}

#[test]
fn random_deltas_do_what_the_model_does() {
    let mut outcomes = [0; 4];
    for seed in 0..20 {
        for found in [
            agrees_with_the_model::<1>(seed, 300, 20, 3),
            agrees_with_the_model::<3>(seed, 300, 20, 2),
            agrees_with_the_model::<{ u64::MAX }>(seed, 300, 40, 4),
            agrees_with_the_model::<{ u64::MAX }>(seed, 300, 8, 2),
        ] {
            for (sum, count) in outcomes.iter_mut().zip(found) {
                *sum += count;
            }
        }
    }
    // A walk that never meets one of them would prove little about it.
    assert!(outcomes.iter().all(|count| *count > 300), "{outcomes:?}");
}

#[test]
fn order_of_changes_does_not_matter() {
    let mut random = Random(7);
    for _ in 0..500 {
        // Two rows a key at most.
        let mut changes: Vec<(u32, u32, bool)> =
            (0..10).map(|_| (random.below(3), random.below(2), random.below(2) == 0)).collect();
        let outcome = |changes: &[(u32, u32, bool)]| {
            let mut dictionary = MultiDictionary::<u32, u32, 16>::new();
            let mut delta = Delta::<u32, u32, 16>::new();
            delta.add(0, 0).unwrap();
            delta.add(1, 1).unwrap();
            dictionary.apply(&mut delta, Mode::Strict, &mut ()).unwrap();
            for &(key, row, add) in changes {
                if add { delta.add(key, row) } else { delta.remove(key, row) }.unwrap();
            }
            let ok = dictionary.apply(&mut delta, Mode::Lenient, &mut ()).is_ok();
            let mut rows: Vec<_> = dictionary.iter().map(|(k, v, m)| (*k, *v, m)).collect();
            rows.sort_unstable();
            (ok, rows)
        };
        let first = outcome(&changes);
        for _ in 0..5 {
            for at in (1..changes.len()).rev() {
                changes.swap(at, random.below(at as u32 + 1) as usize);
            }
            assert_eq!(outcome(&changes), first, "{changes:?}");
        }
    }
}

/// Adds or removes the keys of `range`, each with itself for a row.
fn change<const HOMES: u64>(delta: &mut Changes<HOMES>, range: std::ops::Range<u32>, add: bool) {
    for key in range {
        let counted =
            if add { delta.add(HashesTo(key), key) } else { delta.remove(HashesTo(key), key) };
        assert_eq!(counted, Ok(()), "key {key}");
    }
}

fn capacity_is_exact<const HOMES: u64>() {
    let (mut dictionary, mut delta) = (Dictionary::<HOMES>::new(), Changes::<HOMES>::new());
    assert_eq!((Dictionary::<HOMES>::CAPACITY, Changes::<HOMES>::CAPACITY), (14, 28));
    change(&mut delta, 0..15, true);
    let refused = dictionary.apply(&mut delta, Mode::Strict, &mut ());
    assert_eq!(refused, Err(ApplyError::CapacityExceeded { needed: 15 }));
    assert!(dictionary.is_empty());
    delta.remove(HashesTo(14), 14).unwrap();
    let applied = dictionary.apply(&mut delta, Mode::Strict, &mut ()).unwrap();
    assert_eq!(applied, Applied { inserted: 14, ..Applied::default() });

    // One more than it loses.
    change(&mut delta, 100..104, true);
    change(&mut delta, 0..3, false);
    let refused = dictionary.apply(&mut delta, Mode::Lenient, &mut ());
    assert_eq!(refused, Err(ApplyError::CapacityExceeded { needed: 15 }));
    assert!((0..14).all(|key| dictionary.get(&HashesTo(key)) == Some((&key, 1))));
    delta.clear();

    // As many as it loses, and the new ones come first.
    for round in 0..50 {
        let (old, new) = (14 * round, 14 * (round + 1));
        change(&mut delta, new..new + 14, true);
        change(&mut delta, old..old + 14, false);
        let applied = dictionary.apply(&mut delta, Mode::Strict, &mut ()).unwrap();
        assert_eq!((applied.inserted, applied.deleted), (14, 14));
        assert_eq!(dictionary.len(), 14);
        for key in old..old + 14 {
            assert_eq!(dictionary.get(&HashesTo(key)), None);
            assert_eq!(dictionary.get(&HashesTo(key + 14)), Some((&(key + 14), 1)));
        }
    }
}

#[test]
fn capacity_is_exact_whatever_the_hashes_are() {
    capacity_is_exact::<1>();
    capacity_is_exact::<2>();
    capacity_is_exact::<5>();
    capacity_is_exact::<{ u64::MAX }>();
}

#[test]
fn full_delta_takes_no_new_key_and_stays_as_it_was() {
    let mut delta = Changes::<1>::new();
    change(&mut delta, 0..28, true);
    assert_eq!(delta.add(HashesTo(28), 28), Err(DeltaError::DeltaFull));
    assert_eq!(delta.remove(HashesTo(28), 28), Err(DeltaError::DeltaFull));
    assert_eq!((delta.len(), delta.key(28)), (28, None));
    assert_eq!(delta.key(27), Some(&HashesTo(27)));
    assert_eq!(delta.add(HashesTo(27), 27), Ok(()));
    let mut dictionary = MultiDictionary::<HashesTo<1>, u32, 32>::new();
    dictionary.apply(&mut delta, Mode::Strict, &mut ()).unwrap();
    assert_eq!(dictionary.get(&HashesTo(27)), Some((&27, 2)));
    assert_eq!((delta.len(), delta.key(0)), (0, None));
}

fn churns<const HOMES: u64>() {
    let (mut dictionary, mut delta) = (Dictionary::<HOMES>::new(), Changes::<HOMES>::new());
    change(&mut delta, 0..14, true);
    dictionary.apply(&mut delta, Mode::Strict, &mut ()).unwrap();
    for turn in 0..100_000 {
        change(&mut delta, turn..turn + 1, false);
        change(&mut delta, turn + 14..turn + 15, true);
        let applied = dictionary.apply(&mut delta, Mode::Strict, &mut ()).unwrap();
        assert_eq!((applied.inserted, applied.deleted), (1, 1));
        assert_eq!(dictionary.get(&HashesTo(turn)), None);
        assert_eq!(dictionary.get(&HashesTo(turn + 14)), Some((&(turn + 14), 1)));
    }
    assert_eq!(dictionary.len(), 14);
    assert!((100_000..100_014).all(|key| dictionary.get(&HashesTo(key)) == Some((&key, 1))));
}

#[test]
fn a_full_table_survives_100_000_removals_and_insertions() {
    churns::<1>();
    churns::<{ u64::MAX }>();
}

#[test]
fn strict_names_what_does_not_fit() {
    for (changes, why) in [
        (&[(1, 5, false)][..], Inconsistency::CopiesLeft),
        (&[(1, 9, false), (1, 9, false)], Inconsistency::OtherRow),
        (&[(1, 9, true)], Inconsistency::OtherRow),
        (&[(1, 5, false); 3], Inconsistency::RemovedTooOften),
        (&[(1, 5, false), (1, 6, true), (1, 7, true)], Inconsistency::ThirdRow),
        (&[(2, 5, false)], Inconsistency::UnknownKey),
        (&[(2, 5, false), (2, 6, true)], Inconsistency::UnknownKey),
    ] {
        let mut dictionary = MultiDictionary::<u32, u32, 16>::new();
        let mut delta = Delta::<u32, u32, 16>::new();
        delta.add(1, 5).unwrap();
        delta.add(1, 5).unwrap();
        dictionary.apply(&mut delta, Mode::Strict, &mut ()).unwrap();
        delta.add(3, 3).unwrap();
        for &(key, row, add) in changes {
            if add { delta.add(key, row) } else { delta.remove(key, row) }.unwrap();
        }
        if why == Inconsistency::CopiesLeft {
            delta.add(1, 6).unwrap();
        }
        let refused = dictionary.apply(&mut delta, Mode::Strict, &mut ());
        assert_eq!(refused, Err(ApplyError::Inconsistent { entry: 1, why }), "{changes:?}");
        assert_eq!((dictionary.len(), dictionary.get(&1)), (1, Some((&5, 2))));
        assert!(dictionary.apply(&mut delta, Mode::Lenient, &mut ()).is_ok(), "{changes:?}");
        assert_eq!(dictionary.get(&3), Some((&3, 1)));
    }
}

#[test]
fn tables_of_one_message_change_together_or_not_at_all() {
    let mut tables = [const { MultiDictionary::<u32, u32, 16>::new() }; 2];
    let mut deltas = [const { Delta::<u32, u32, 16>::new() }; 2];
    let [first, second] = &mut tables;
    let [of_first, of_second] = &mut deltas;
    of_first.add(1, 1).unwrap();
    of_second.remove(2, 2).unwrap();
    let prepared = first.prepare(of_first, Mode::Strict).unwrap();
    let why = ApplyError::Inconsistent { entry: 0, why: Inconsistency::UnknownKey };
    assert_eq!(second.prepare(of_second, Mode::Strict).map(|it| it.applied()).err(), Some(why));
    assert_eq!(prepared.applied().inserted, 1);
    assert!(prepared.dictionary().is_empty());
    drop(prepared);
    assert!(first.is_empty());
    assert_eq!(of_first.len(), 1);

    of_second.clear();
    of_second.add(2, 2).unwrap();
    let prepared = [
        first.prepare(of_first, Mode::Strict).unwrap(),
        second.prepare(of_second, Mode::Strict).unwrap(),
    ];
    let mut events = Events::default();
    for prepared in &prepared {
        prepared.before_delete(&mut events);
    }
    let committed = prepared.map(Prepared::commit);
    for committed in &committed {
        committed.notify(&mut events);
    }
    assert_eq!(events.0, [Event::Insert(1, 1), Event::Insert(2, 2)]);
    assert_eq!(tables.each_ref().map(MultiDictionary::len), [1, 1]);
    assert!(deltas.iter().all(Delta::is_empty));
}

#[test]
fn a_cleared_table_holds_nothing_through_all_generations() {
    let mut dictionary = MultiDictionary::<u32, u32, 16>::new();
    let mut delta = Delta::<u32, u32, 16>::new();
    for turn in 0..140_000 {
        // Most turns use no slot, so that slots keep stamps until they come round.
        if turn % 1_000 < 3 {
            delta.add(turn % 5, turn).unwrap();
            dictionary.apply(&mut delta, Mode::Strict, &mut ()).unwrap();
            assert_eq!(dictionary.len(), 1);
        }
        dictionary.clear();
        delta.clear();
        assert!(dictionary.is_empty());
        assert!(dictionary.iter().next().is_none(), "turn {turn}");
        assert!((0..5).all(|key| dictionary.get(&key).is_none()), "turn {turn}");
    }
}

#[test]
fn rows_are_dropped_when_they_are_gone() {
    let row = Rc::new(7);
    let mut dictionary = MultiDictionary::<u32, Rc<i32>, 16>::new();
    let put = |dictionary: &mut MultiDictionary<u32, Rc<i32>, 16>| {
        let mut delta = Delta::<u32, Rc<i32>, 16>::new();
        for key in 0..10 {
            delta.add(key, row.clone()).unwrap();
        }
        dictionary.apply(&mut delta, Mode::Strict, &mut ()).unwrap();
    };
    put(&mut dictionary);
    assert_eq!(Rc::strong_count(&row), 11);
    let mut delta = Delta::<u32, Rc<i32>, 16>::new();
    delta.remove(4, row.clone()).unwrap();
    dictionary.apply(&mut delta, Mode::Strict, &mut ()).unwrap();
    drop(delta);
    assert_eq!(Rc::strong_count(&row), 10);
    dictionary.clear();
    assert_eq!(Rc::strong_count(&row), 1);
}

#[test]
fn keys_may_be_numbers_strings_and_bytes() {
    fn all<K: Eq + std::hash::Hash + Clone + std::fmt::Debug>(keys: &[K]) {
        let mut dictionary = MultiDictionary::<K, usize, 64>::new();
        let mut delta = Delta::<K, usize, 64>::new();
        for (row, key) in keys.iter().enumerate() {
            delta.add(key.clone(), row).unwrap();
        }
        dictionary.apply(&mut delta, Mode::Strict, &mut ()).unwrap();
        for (row, key) in keys.iter().enumerate() {
            assert_eq!(dictionary.get(key), Some((&row, 1)), "{key:?}");
        }
    }
    let numbers: Vec<u64> = (0..56_u64).map(|number| number.rotate_right(6)).collect();
    all(&numbers[..56]);
    all(&(0..56_u128).map(|number| number << 100).collect::<Vec<_>>());
    all(&(0..56_u8).map(|number| Identity::from_le_bytes([number; 32])).collect::<Vec<_>>());
    all(&["", "a", "ab", "abcdefgh", "abcdefgh\0", "abcdefghi", "\0"]);
    all(&[&[][..], &[0], &[0, 0], &[0; 8], &[0; 9]]);
    all(&[(1_u8, -1_i16, true), (1, -1, false), (1, 1, true)]);
}
