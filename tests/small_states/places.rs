//! Fields: every width at every place of every record of up to eight bytes.

use std::collections::BTreeSet;

use onewrite::record::{get, put};

/// A field of `W` bytes at `AT` of `N`, over bytes that are all different.
fn place<const AT: usize, const W: usize, const N: usize>() {
    let before: [u8; N] = std::array::from_fn(|at| 0x10 + u8::try_from(at).unwrap());
    let field: [u8; W] = std::array::from_fn(|at| 0xa0 + u8::try_from(at).unwrap());
    let mut record = before;
    put::<AT, W, N>(&mut record, field);
    for (at, byte) in record.into_iter().enumerate() {
        let expected = if (AT..AT + W).contains(&at) { field[at - AT] } else { before[at] };
        assert_eq!(byte, expected, "byte {at} of {N}, field of {W} at {AT}");
    }
    assert_eq!(get::<AT, W, N>(&record), field);
    assert_eq!(get::<AT, W, N>(&before)[..], before[AT..AT + W]);
}

macro_rules! places {
    ($($n:literal: $($at:literal [$($w:literal)*])*;)*) => {
        [$($($((place::<$at, $w, $n> as fn(), [$at, $w, $n]),)*)*)*]
    };
}

#[test]
fn a_field_is_at_its_place_and_nowhere_else() {
    let places = places! {
        0: 0 [0];
        1: 0 [0 1] 1 [0];
        2: 0 [0 1 2] 1 [0 1] 2 [0];
        3: 0 [0 1 2 3] 1 [0 1 2] 2 [0 1] 3 [0];
        4: 0 [0 1 2 3 4] 1 [0 1 2 3] 2 [0 1 2] 3 [0 1] 4 [0];
        5: 0 [0 1 2 3 4 5] 1 [0 1 2 3 4] 2 [0 1 2 3] 3 [0 1 2] 4 [0 1] 5 [0];
        6: 0 [0 1 2 3 4 5 6] 1 [0 1 2 3 4 5] 2 [0 1 2 3 4] 3 [0 1 2 3] 4 [0 1 2] 5 [0 1] 6 [0];
        7: 0 [0 1 2 3 4 5 6 7] 1 [0 1 2 3 4 5 6] 2 [0 1 2 3 4 5] 3 [0 1 2 3 4] 4 [0 1 2 3] 5 [0 1 2]
           6 [0 1] 7 [0];
        8: 0 [0 1 2 3 4 5 6 7 8] 1 [0 1 2 3 4 5 6 7] 2 [0 1 2 3 4 5 6] 3 [0 1 2 3 4 5] 4 [0 1 2 3 4]
           5 [0 1 2 3] 6 [0 1 2] 7 [0 1] 8 [0];
    };
    let all: BTreeSet<[usize; 3]> = places.iter().map(|(_, numbers)| *numbers).collect();
    let fitting = (0..=8).map(|n| (n + 1) * (n + 2) / 2).sum();
    assert_eq!(all.len(), fitting);
    places.iter().for_each(|(place, _)| place());
}

/// Integers of one byte and two, in both orders, with all their values.
#[cfg(feature = "derive")]
#[test]
fn every_value_of_a_short_field_goes_there_and_comes_back() {
    use onewrite::Record;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Record)]
    #[record(size = 8, gaps = "zero")]
    struct Short {
        #[record(at = 0)]
        byte: u8,
        #[record(at = 1)]
        signed: i8,
        #[record(at = 3)]
        little: u16,
        #[record(at = 5, endian = "big")]
        big: i16,
    }

    for value in 0..=u16::MAX {
        let [low, high] = value.to_le_bytes();
        let record = Short {
            byte: low,
            signed: high.cast_signed(),
            little: value,
            big: value.cast_signed(),
        };
        let bytes = [low, high, 0, low, high, high, low, 0];
        assert_eq!(record.to_bytes(), bytes);
        assert_eq!(Short::from_bytes(&bytes), Ok(record));
        let mut over = [0xee; 8];
        record.write_at(&mut over);
        assert_eq!(over, bytes);
    }
}
