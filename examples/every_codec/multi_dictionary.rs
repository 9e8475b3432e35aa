//! The tables of a client.

use core::hint::black_box;

use onewrite::spacetimedb::multi_dictionary::{
    Applied, ApplyError, Committed, Delta, Iter, Mode, MultiDictionary, Prepared, Visitor,
};

type Row = [u8; 12];

/// Counts what it is told.
struct Told(usize);

impl<K> Visitor<K, Row> for Told {
    fn on_before_delete(&mut self, _: &K, row: &Row) {
        self.0 ^= usize::from(row[0]);
    }

    fn on_insert(&mut self, _: &K, row: &Row) {
        self.0 ^= usize::from(row[1]);
    }

    fn on_update(&mut self, _: &K, old: &Row, new: &Row) {
        self.0 ^= usize::from(old[2]) ^ usize::from(new[3]);
    }

    fn on_delete(&mut self, _: &K, row: &Row) {
        self.0 ^= usize::from(row[4]);
    }
}

#[inline(never)]
pub(crate) fn call() {
    dictionary();
    multi_dictionary([0u8, 1, 2, 3]);
    multi_dictionary([0u16, 1, 2, 3]);
    multi_dictionary([0u32, 1, 2, 3]);
    multi_dictionary([0u64, 1, 2, 3]);
    multi_dictionary([0i128, 1, 2, 3]);
    multi_dictionary(["", "key", "a key of many bytes", "\0"]);
    visitor();
}

/// The methods by their paths, with one type of key.
fn dictionary() {
    let mut table = MultiDictionary::<u32, Row, 16>::new();
    black_box(<MultiDictionary<u32, Row, 16> as Default>::default());
    let mut delta = Delta::<u32, Row, 32>::new();
    black_box(<Delta<u32, Row, 32> as Default>::default());
    for key in 0..black_box(20) {
        black_box(Delta::add(black_box(&mut delta), black_box(key), black_box([7; 12]))).ok();
        black_box(Delta::remove(black_box(&mut delta), black_box(key), [8; 12])).ok();
        black_box(Delta::remove_all(black_box(&mut delta), black_box(&table))).ok();
    }
    black_box(Delta::key(black_box(&delta), black_box(7)));
    black_box(Delta::len(black_box(&delta)));
    black_box(Delta::is_empty(black_box(&delta)));
    let mut told = Told(0);
    for mode in black_box([Mode::Strict, Mode::Lenient]) {
        let applied: Result<Applied, ApplyError> =
            MultiDictionary::apply(black_box(&mut table), black_box(&mut delta), mode, &mut told);
        black_box(applied).ok();
        black_box(Delta::add(black_box(&mut delta), black_box(7), black_box([9; 12]))).ok();
        let prepared = MultiDictionary::prepare(black_box(&mut table), black_box(&mut delta), mode);
        if let Ok(prepared) = prepared {
            black_box(Prepared::dictionary(black_box(&prepared)));
            black_box(Prepared::applied(black_box(&prepared)));
            Prepared::before_delete(black_box(&prepared), &mut told);
            let committed = Prepared::commit(black_box(prepared));
            Committed::notify(black_box(&committed), &mut told);
            black_box(Committed::applied(black_box(&committed)));
        }
    }
    black_box(told.0);
    black_box(MultiDictionary::get(black_box(&table), black_box(&7)));
    black_box(MultiDictionary::len(black_box(&table)));
    black_box(MultiDictionary::is_empty(black_box(&table)));
    let mut rows = MultiDictionary::iter(black_box(&table));
    black_box(<Iter<'_, u32, Row, 16> as Iterator>::next(black_box(&mut rows)));
    black_box(<&MultiDictionary<u32, Row, 16> as IntoIterator>::into_iter(black_box(&table)));
    Delta::clear(black_box(&mut delta));
    MultiDictionary::clear(black_box(&mut table));
    black_box(&table);
}

/// All of it once for each kind of key: each has its own way through the hash.
fn multi_dictionary<K: Eq + core::hash::Hash + Clone>(keys: [K; 4]) {
    let mut table = MultiDictionary::<K, Row, 16>::new();
    let mut delta = Delta::<K, Row, 32>::new();
    for key in black_box(&keys) {
        black_box(delta.add(key.clone(), black_box([7; 12]))).ok();
        black_box(delta.remove(key.clone(), black_box([8; 12]))).ok();
    }
    let mut told = Told(0);
    black_box(table.apply(black_box(&mut delta), black_box(Mode::Lenient), &mut told)).ok();
    black_box((told.0, table.get(black_box(&keys[0]))));
}

/// A visitor that leaves out what it does not want to know.
fn visitor() {
    <() as Visitor<u32, u32>>::on_before_delete(black_box(&mut ()), &1, &2);
    <() as Visitor<u32, u32>>::on_insert(black_box(&mut ()), &1, &2);
    <() as Visitor<u32, u32>>::on_update(black_box(&mut ()), &1, &2, &3);
    <() as Visitor<u32, u32>>::on_delete(black_box(&mut ()), &1, &2);
}
