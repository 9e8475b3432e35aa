//! What holds for every value and every input: round trips, truncations, flipped bits.
#![cfg(feature = "derive")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

use std::fmt::Debug;

use onewrite::bsatn::{
    AlgebraicType, Array, Decode, Element, Elements, Encode, I256, Identity, RowList,
    RowListWriter, ScheduleAt, Tail, TimeDuration, Timestamp, Token, TokenKind, U256, Walker,
};
use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::reader::Reader;

/// A row of every kind of column, nested where types can be.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
struct Row<'a> {
    id: u32,
    alive: bool,
    name: &'a str,
    raw: &'a [u8],
    wide: (U256, I256),
    small: [i16; 3],
    owner: Option<Identity>,
    result: Result<u64, &'a str>,
    kind: Kind<'a>,
    when: ScheduleAt,
    tags: Array<'a, &'a str>,
    grid: Array<'a, Array<'a, bool>>,
    end: f64,
}

#[derive(Clone, Debug, PartialEq, Encode, Decode)]
enum Kind<'a> {
    Nothing,
    Moved { x: i8, y: i8, fast: bool },
    Named(&'a str, u128),
}

const UNIT: AlgebraicType<'_> = AlgebraicType::Product(&[]);
const TIME: AlgebraicType<'_> =
    AlgebraicType::Product(&[Element::new("micros", AlgebraicType::I64)]);

const fn unnamed(ty: AlgebraicType<'_>) -> Element<'_> {
    Element { name: None, ty }
}

/// The same row for a tool. Option and Result have names that the errors of the library use.
const ROW: AlgebraicType<'_> = AlgebraicType::Product(&[
    Element::new("id", AlgebraicType::U32),
    Element::new("alive", AlgebraicType::Bool),
    Element::new("name", AlgebraicType::String),
    Element::new("raw", AlgebraicType::Array(&AlgebraicType::U8)),
    Element::new(
        "wide",
        AlgebraicType::Product(&[unnamed(AlgebraicType::U256), unnamed(AlgebraicType::I256)]),
    ),
    Element::new("small", AlgebraicType::Array(&AlgebraicType::I16)),
    Element::new("owner", AlgebraicType::Sum(&[unnamed(AlgebraicType::U256), unnamed(UNIT)])),
    Element::new(
        "result",
        AlgebraicType::Sum(&[unnamed(AlgebraicType::U64), unnamed(AlgebraicType::String)]),
    ),
    Element::new(
        "kind",
        AlgebraicType::Sum(&[
            unnamed(UNIT),
            unnamed(AlgebraicType::Product(&[
                unnamed(AlgebraicType::I8),
                unnamed(AlgebraicType::I8),
                unnamed(AlgebraicType::Bool),
            ])),
            unnamed(AlgebraicType::Product(&[
                unnamed(AlgebraicType::String),
                unnamed(AlgebraicType::U128),
            ])),
        ]),
    ),
    Element::new("when", AlgebraicType::Sum(&[unnamed(TIME), unnamed(TIME)])),
    Element::new("tags", AlgebraicType::Array(&AlgebraicType::String)),
    Element::new("grid", AlgebraicType::Array(&AlgebraicType::Array(&AlgebraicType::Bool))),
    Element::new("end", AlgebraicType::F64),
]);

/// splitmix64, <https://prng.di.unimi.it/splitmix64.c>.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.next().to_le_bytes()[0])
    }

    fn text(&mut self) -> &'static str {
        let texts = ["", "a", "é", "漢字", "twelve bytes", "\u{1f980} more than sixteen bytes"];
        texts[self.below(texts.len())]
    }
}

/// The encoding of a random row. Borrowed arrays come from encodings of their own.
fn random_row(random: &mut Random) -> Vec<u8> {
    let tags: Vec<&str> = (0..random.below(4)).map(|_| random.text()).collect();
    let tags = encoded(&tags.as_slice());
    let grid: Vec<Vec<bool>> =
        (0..random.below(3)).map(|_| vec![random.below(2) == 1; random.below(4)]).collect();
    let grid: Vec<&[bool]> = grid.iter().map(Vec::as_slice).collect();
    let grid = encoded(&grid.as_slice());
    let raw: [u8; 5] = random.bytes();
    let row = Row {
        id: u32::from_le_bytes(random.bytes()),
        alive: random.below(2) == 1,
        name: random.text(),
        raw: &raw[..random.below(6)],
        wide: (U256::from_le_bytes(random.bytes()), I256::from_le_bytes(random.bytes())),
        small: [1, -2, i16::from_le_bytes(random.bytes())],
        owner: (random.below(2) == 1).then(|| Identity::from_le_bytes(random.bytes())),
        result: match random.below(2) {
            0 => Ok(random.next()),
            _ => Err(random.text()),
        },
        kind: match random.below(3) {
            0 => Kind::Nothing,
            1 => Kind::Moved { x: -1, y: i8::from_le_bytes(random.bytes()), fast: true },
            _ => Kind::Named(random.text(), u128::from_le_bytes(random.bytes())),
        },
        when: match random.below(2) {
            0 => ScheduleAt::Interval(TimeDuration { micros: -5 }),
            _ => ScheduleAt::Time(Timestamp::from_le_bytes(random.bytes())),
        },
        tags: Array::from_slice(&tags).unwrap(),
        grid: Array::from_slice(&grid).unwrap(),
        end: f64::from_bits(0x7ff0_0000_0000_0001 >> random.below(12)),
    };
    let bytes = encoded(&row);
    let again = Row::from_slice(&bytes).unwrap();
    // NaNs are not equal to themselves; their bytes are.
    assert_eq!(encoded(&again), bytes);
    assert!(again == row || row.end.is_nan(), "{again:?} is not {row:?}");
    bytes
}

fn encoded<T: Encode>(value: &T) -> Vec<u8> {
    let mut bytes = vec![0xa5; value.encoded_len()];
    assert_eq!(value.encode_to_slice(&mut bytes), Ok(bytes.len()));
    bytes
}

/// Where the parts of a value start that cannot be cut in two: numbers, tags, counts, and the
/// bytes of strings.
fn atoms(bytes: &[u8]) -> Vec<usize> {
    let mut starts = Vec::new();
    for token in Walker::new(&[], ROW, Reader::new(bytes)) {
        let Token { at, kind, .. } = token.unwrap();
        match kind {
            TokenKind::Product { .. } | TokenKind::End => {}
            TokenKind::String(_) | TokenKind::Bytes(_) => starts.extend([at, at + 4]),
            _ => starts.push(at),
        }
    }
    starts.dedup();
    starts
}

/// Calls `check` with random rows.
fn rows(count: usize, mut check: impl FnMut(&[u8])) {
    let mut random = Random(1);
    for _ in 0..count {
        check(&random_row(&mut random));
    }
}

#[test]
fn what_is_encoded_is_decoded() {
    rows(300, |bytes| {
        let (row, rest) = Row::take_from(bytes).unwrap();
        assert!(rest.is_empty());
        let mut longer = bytes.to_vec();
        longer.extend([1, 2, 3]);
        assert_eq!(encoded(&Row::take_from(&longer).unwrap().0), encoded(&row));
        let extra = DecodeErrorKind::TrailingBytes { extra: 3 };
        assert_eq!(Row::from_slice(&longer).unwrap_err(), DecodeError::new(bytes.len(), extra));
        let walked = Walker::new(&[], ROW, Reader::new(&longer)).skip().unwrap();
        assert_eq!(walked.position(), bytes.len());
    });
}

/// Each cut is an error at the number, tag, count or string that it goes through. A type that knows
/// how short its elements can be says so at the count.
#[test]
fn every_truncation_is_an_error_at_its_place() {
    rows(60, |bytes| {
        let atoms = atoms(bytes);
        for len in 0..bytes.len() {
            let cut = *atoms.iter().rfind(|at| **at <= len).unwrap();
            let walked = Walker::new(&[], ROW, Reader::new(&bytes[..len])).skip().unwrap_err();
            assert_eq!(walked.at, cut, "{len} bytes: {walked}");
            let decoded = Row::from_slice(&bytes[..len]).unwrap_err();
            match decoded.kind {
                DecodeErrorKind::EndOfInput { available, .. } => {
                    assert_eq!((decoded.at, available), (cut, len - cut), "{len} bytes");
                }
                DecodeErrorKind::CountTooLarge { .. } => {
                    assert!(atoms.contains(&decoded.at) && decoded.at < cut, "{len}: {decoded}");
                }
                _ => panic!("{len} bytes: {decoded}"),
            }
        }
    });
}

/// A flipped bit gives a value of the same length, another value, or an error inside the input;
/// and what is a value is encoded as it was found.
#[test]
fn every_flipped_bit_is_a_value_or_an_error() {
    let mut outcomes = [0, 0];
    rows(25, |bytes| {
        let mut damaged = bytes.to_vec();
        for bit in 0..bytes.len() * 8 {
            damaged[bit / 8] ^= 1 << (bit % 8);
            let decoded = Row::from_slice(&damaged);
            let mut tokens = 0;
            let mut walker = Walker::new(&[], ROW, Reader::new(&damaged));
            let walked = walker.by_ref().inspect(|_| tokens += 1).find_map(Result::err);
            // No more than a token for each byte, and those of the products and sums around them.
            assert!(tokens <= 2 * bytes.len() + 64, "{tokens} tokens of {} bytes", bytes.len());
            match decoded {
                Ok(row) => {
                    assert_eq!(encoded(&row), damaged);
                    assert_eq!(walked, None);
                    outcomes[0] += 1;
                }
                Err(error) => {
                    assert!(error.at <= damaged.len(), "{error}");
                    let whole = walked.is_none() && walker.into_reader().remaining() == 0;
                    // The type of three elements takes no other count.
                    let wrong = matches!(error.kind, DecodeErrorKind::WrongCount { .. });
                    assert!(!whole || wrong, "walked in spite of {error}");
                    outcomes[1] += 1;
                }
            }
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
    });
    assert!(outcomes.iter().all(|count| *count > 1000), "{outcomes:?}");
}

/// Whatever the bytes, nothing panics, and nothing takes more time than they are long.
#[test]
fn any_bytes_are_a_value_or_an_error() {
    fn try_all<'a, T: Decode<'a> + Encode + Debug>(bytes: &'a [u8]) {
        if let Ok((value, rest)) = T::take_from(bytes) {
            assert_eq!(encoded(&value), bytes[..bytes.len() - rest.len()]);
        }
    }
    let mut random = Random(2);
    for _ in 0..20_000 {
        let mut bytes: [u8; 48] = random.bytes();
        // Small numbers are more often tags and counts.
        for byte in &mut bytes {
            if random.below(4) != 0 {
                *byte = u8::try_from(random.below(3)).unwrap();
            }
        }
        let bytes = &bytes[..random.below(49)];
        try_all::<Row<'_>>(bytes);
        try_all::<Kind<'_>>(bytes);
        try_all::<Array<'_, Kind<'_>>>(bytes);
        try_all::<Array<'_, Array<'_, Option<()>>>>(bytes);
        try_all::<Array<'_, ((), u8)>>(bytes);
        try_all::<RowList<'_>>(bytes);
        try_all::<Result<&str, ScheduleAt>>(bytes);
        if let Ok((list, _)) = RowList::take_from(bytes) {
            let lens: usize = list.rows().map(<[u8]>::len).sum();
            assert_eq!(lens, list.data().len());
            assert_eq!(list.typed::<Kind<'_>>(Tail::AllowTail).count(), list.len());
        }
        if let Ok(elements) = Elements::<Kind<'_>>::new(Reader::new(bytes)) {
            assert!(elements.count() <= bytes.len());
        }
        let meta = AlgebraicType::META_TYPES;
        Walker::new(meta, AlgebraicType::Ref(0), Reader::new(bytes)).skip().ok();
    }
}

/// Row lists of random rows, and each bit of one flipped.
#[test]
fn row_lists_hold_what_was_written() {
    let mut random = Random(3);
    for count in 0..12 {
        let encodings: Vec<Vec<u8>> = (0..count).map(|_| random_row(&mut random)).collect();
        let rows: Vec<Row<'_>> =
            encodings.iter().map(|bytes| Row::from_slice(bytes).unwrap()).collect();
        let bytes = encoded(&RowListWriter::new(&rows));
        let list = RowList::from_slice(&bytes).unwrap();
        assert!(list.rows().eq(encodings.iter().map(Vec::as_slice)));
        assert!(list.typed::<Row<'_>>(Tail::Strict).all(|row| row.is_ok()));
        for len in 0..bytes.len() {
            assert!(RowList::from_slice(&bytes[..len]).is_err(), "{len}");
        }
        let mut damaged = bytes.clone();
        for bit in 0..bytes.len().min(200) * 8 {
            damaged[bit / 8] ^= 1 << (bit % 8);
            if let Ok(list) = RowList::from_slice(&damaged) {
                assert_eq!(encoded(&list), damaged);
                let errors = list.typed::<Row<'_>>(Tail::AllowTail).filter_map(Result::err);
                for error in errors {
                    assert!(error.at <= damaged.len(), "{error}");
                }
            }
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
    }
}
