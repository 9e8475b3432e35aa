//! Values in BSATN: exact bytes, bounds, errors and their places.
#![cfg(feature = "derive")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "bsatn/variants.rs"]
mod variants;

use std::marker::PhantomData;

use hex_literal::hex;
use onewrite::bsatn::{
    Array, ConnectionId, Decode, Elements, Encode, I256, Identity, ScheduleAt, TimeDuration,
    Timestamp, U256, Uuid, ZERO_WIDTH_LIMIT,
};
use onewrite::error::{DecodeError, DecodeErrorKind, WriteErrorKind};
use onewrite::reader::Reader;
use onewrite::record::Bounded;
use onewrite::sink::{CountingSink, Sink};

/// The bytes through every exit; they must be the same.
fn bytes<T: Encode>(value: &T) -> Vec<u8> {
    let len = value.encoded_len();
    let mut buffer = vec![0xa5; len + 3];
    assert_eq!(value.encode_to_slice(&mut buffer), Ok(len));
    assert_eq!(buffer[len..], [0xa5; 3], "bytes behind the value");
    buffer.truncate(len);

    let mut slice = vec![0xa5; len];
    let mut sink = onewrite::sink::SliceSink::new(&mut slice);
    value.encode(&mut sink).unwrap();
    assert_eq!(sink.written(), len);
    assert_eq!(slice, buffer);

    let mut stream = Writes::default();
    value.encode(&mut stream).unwrap();
    assert_eq!(stream.0.concat(), buffer);
    if T::MIN_SIZE == T::MAX_SIZE && len <= 256 {
        assert!(stream.0.len() <= 1, "{} writes of one fixed value", stream.0.len());
    }

    let mut count = CountingSink::new();
    value.encode(&mut count).unwrap();
    assert_eq!(count.written(), len);

    assert!((T::MIN_SIZE..=T::MAX_SIZE).contains(&len));
    if let Some(short) = len.checked_sub(1) {
        let mut short = vec![0xa5; short];
        let kind = WriteErrorKind::Full { needed: len, available: len - 1 };
        assert_eq!(value.encode_to_slice(&mut short).unwrap_err().kind, kind);
        assert!(short.iter().all(|byte| *byte == 0xa5), "memory changed");
    }
    buffer
}

/// A sink that is not memory, and keeps each write apart.
#[derive(Default)]
struct Writes(Vec<Vec<u8>>);

impl Sink for Writes {
    type Error = ();

    fn write(&mut self, bytes: &[u8]) -> Result<(), onewrite::error::WriteError<()>> {
        self.0.push(bytes.to_vec());
        Ok(())
    }

    fn reserve(&mut self, _: usize) -> Result<Option<&mut [u8]>, onewrite::error::WriteError<()>> {
        Ok(None)
    }
}

fn round<T: Encode + for<'a> Decode<'a> + PartialEq + std::fmt::Debug>(value: T, wire: &[u8]) {
    assert_eq!(bytes(&value), wire);
    assert_eq!(T::from_slice(wire), Ok(value));
    assert_eq!(
        (<T as Encode>::MIN_SIZE, <T as Encode>::MAX_SIZE),
        (<T as Decode<'_>>::MIN_SIZE, <T as Decode<'_>>::MAX_SIZE,)
    );
}

fn refused<'a, T: Decode<'a> + std::fmt::Debug>(input: &'a [u8]) -> (usize, DecodeErrorKind) {
    let DecodeError { at, kind } = T::from_slice(input).unwrap_err();
    (at, kind)
}

/// bsatn-01: a message ends with its input, or something follows it.
#[test]
fn exact_and_prefix_decoders() {
    let input = hex!("01020304 ff");
    assert_eq!(refused::<u32>(&input), (4, DecodeErrorKind::TrailingBytes { extra: 1 }));
    assert_eq!(u32::take_from(&input), Ok((67_305_985, &[0xff][..])));
}

/// bsatn-02
#[test]
fn bools_and_tags_are_exact() {
    assert_eq!(refused::<bool>(&[2]), (0, DecodeErrorKind::InvalidBool { value: 2 }));
    let end = DecodeErrorKind::EndOfInput { needed: 1, available: 0 };
    assert_eq!(refused::<bool>(&[]), (0, end));
    let unknown = DecodeErrorKind::UnknownDiscriminant { name: "Option", value: 2 };
    assert_eq!(refused::<Option<u32>>(&hex!("02 00000000")), (0, unknown));
    round(None::<u32>, &[1]);
    round(Some(7u32), &hex!("00 07000000"));
    round(Ok::<u8, u16>(1), &hex!("00 01"));
    round(Err::<u8, u16>(2), &hex!("01 0200"));
    let unknown = DecodeErrorKind::UnknownDiscriminant { name: "Result", value: 3 };
    assert_eq!(refused::<Result<u8, u16>>(&hex!("03 00")), (0, unknown));
}

/// bsatn-12: wide integers and times.
#[test]
fn wide_integers_and_times() {
    round(9_007_199_254_740_993u64, &hex!("0100000000002000"));
    round(u64::MAX, &[0xff; 8]);
    round(i128::MIN, &hex!("000000000000000000000000000000 80"));
    let mut one = [0; 32];
    one[0] = 1;
    round(U256::from(1), &one);
    round(I256::from(-1), &[0xff; 32]);
    round(Timestamp { micros: -1 }, &[0xff; 8]);
    round(TimeDuration { micros: 1 }, &hex!("0100000000000000"));
    assert!(U256::from(u128::MAX) < U256::from_be_bytes([1; 32]));
    assert!(U256::from(1) < U256::from(256));
    assert!(I256::from(-1) < I256::from(0));
    assert!(I256::from(i128::MIN) < I256::from(-1));
    assert_eq!(U256::from(0x0102).to_be_bytes()[30..], [1, 2]);
    assert_eq!(I256::from_be_bytes(I256::from(-5).to_be_bytes()), I256::from(-5));
}

#[test]
fn ids_are_reversed_on_the_wire() {
    let uuid = 0x0123_4567_89ab_7def_8123_4567_89ab_cdef_u128.to_be_bytes();
    round(Uuid::from_be_bytes(uuid), &hex!("efcdab8967452381ef7dab8967452301"));
    let mut people = [0; 32];
    people[31] = 7;
    round(Identity::from_be_bytes(people), &{
        let mut wire = [0; 32];
        wire[0] = 7;
        wire
    });
    let id = ConnectionId::from_le_bytes([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    assert_eq!(id.to_be_bytes()[0], 16);
    round(id, &id.to_le_bytes());
    round(ScheduleAt::Interval(TimeDuration { micros: 1000 }), &hex!("00 e803000000000000"));
    round(ScheduleAt::Time(Timestamp { micros: 77 }), &hex!("01 4d00000000000000"));
    let unknown = DecodeErrorKind::UnknownDiscriminant { name: "ScheduleAt", value: 2 };
    assert_eq!(refused::<ScheduleAt>(&[2, 0, 0, 0, 0, 0, 0, 0, 0]), (0, unknown));
}

#[test]
fn floats_keep_their_bits() {
    for bits in [0, 1, 0x7fc0_0000, 0x7f80_0001, 0xffff_ffff, 0x8000_0000_u32] {
        let value = f32::from_bits(bits);
        assert_eq!(bytes(&value), bits.to_le_bytes());
        assert_eq!(f32::from_slice(&bits.to_le_bytes()).unwrap().to_bits(), bits);
    }
    let bits = 0x7ff0_0000_0000_0001_u64;
    assert_eq!(f64::from_slice(&bytes(&f64::from_bits(bits))).unwrap().to_bits(), bits);
}

#[test]
fn strings_and_bytes_borrow() {
    assert_eq!(bytes(&"aé"), hex!("03000000 61 c3a9"));
    let input = hex!("03000000 61 c3a9");
    assert_eq!(<&str>::from_slice(&input), Ok("aé"));
    assert_eq!(<&[u8]>::from_slice(&input), Ok(&input[4..]));
    assert_eq!(bytes(&[1u8, 2].as_slice()), hex!("02000000 01 02"));
    assert_eq!(refused::<&str>(&hex!("02000000 61 ff")), (4, DecodeErrorKind::InvalidUtf8));
    let end = DecodeErrorKind::EndOfInput { needed: 3, available: 2 };
    assert_eq!(refused::<&str>(&hex!("03000000 61 62")), (4, end));
    assert_eq!(refused::<&[u8]>(&hex!("03000000 61 62")), (4, end));
    let end = DecodeErrorKind::EndOfInput { needed: 4, available: 3 };
    assert_eq!(refused::<&str>(&hex!("030000")), (0, end));
    let long = "x".repeat(1000);
    assert_eq!(bytes(&long.as_str()).len(), 1004);
}

#[test]
fn arrays_have_a_count() {
    assert_eq!(bytes(&[1u32, 2].as_slice()), hex!("02000000 01000000 02000000"));
    round([1u8, 2, 3, 4], &hex!("04000000 01020304"));
    let wrong = DecodeErrorKind::WrongCount { expected: 4, count: 3 };
    assert_eq!(refused::<[u8; 4]>(&hex!("03000000 010203")), (0, wrong));
    let end = DecodeErrorKind::EndOfInput { needed: 2, available: 1 };
    assert_eq!(refused::<[u16; 2]>(&hex!("02000000 0100 02")), (6, end));
    assert_eq!((<[u16; 3] as Encode>::MIN_SIZE, <[u16; 3] as Encode>::MAX_SIZE), (10, 10));

    let input = hex!("03000000 0100 0200 0300");
    let array = Array::<u16>::from_slice(&input).unwrap();
    assert_eq!((array.len(), array.get(2), array.get(3)), (3, Some(3), None));
    assert_eq!(array.iter().len(), 3);
    assert!(array.into_iter().eq([1, 2, 3]));
    assert_eq!(bytes(&array), input);
    assert_eq!(array.as_bytes(), &input[4..]);

    let input = hex!("02000000 01000000 61 02000000 6263");
    let array = Array::<&str>::from_slice(&input).unwrap();
    assert_eq!((array.get(0), array.get(1), array.get(2)), (Some("a"), Some("bc"), None));
    assert_eq!(bytes(&array), input);
    assert_eq!(format!("{array:?}"), "[\"a\", \"bc\"]");
    assert!(Array::<u8>::default().is_empty());

    let nested = Array::<Array<'_, u8>>::from_slice(&[1, 0, 0, 0, 1, 0, 0, 0, 7]).unwrap();
    assert_eq!(nested.get(0).unwrap().get(0), Some(7));
}

#[test]
fn counts_are_checked_before_anything_is_read() {
    for count in [2u32, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff] {
        let mut input = count.to_le_bytes().to_vec();
        input.extend([1, 0, 0, 0, 9, 9]);
        let large = DecodeErrorKind::CountTooLarge { table: "array", count: count.into() };
        assert_eq!(refused::<Array<'_, u32>>(&input), (0, large));
        assert_eq!(refused::<Array<'_, &str>>(&input), (0, large));
    }
    // Where all of them could be there, the first that is not says so.
    let end = DecodeErrorKind::EndOfInput { needed: 9, available: 4 };
    let input = hex!("02000000 09000000 00000000");
    assert_eq!(refused::<Array<'_, &str>>(&input), (8, end));
}

/// Four bytes that claim 2^32 - 1 elements of no bytes.
#[test]
fn elements_without_bytes_are_limited() {
    let large = DecodeErrorKind::CountTooLarge { table: "array", count: 0xffff_ffff };
    assert_eq!(refused::<Array<'_, ()>>(&[0xff; 4]), (0, large));
    assert_eq!(refused::<Array<'_, PhantomData<u8>>>(&[0xff; 4]), (0, large));
    assert_eq!(refused::<Array<'_, ((), ())>>(&[0xff; 4]), (0, large));
    let most = u32::try_from(ZERO_WIDTH_LIMIT).unwrap();
    assert_eq!(Array::<()>::from_slice(&most.to_le_bytes()).unwrap().iter().count(), 4096);
    let more = (most + 1).to_le_bytes();
    assert!(Array::<()>::from_slice(&more).is_err());
    assert_eq!(bytes(&[(); 3].as_slice()), hex!("03000000"));
}

#[test]
fn elements_are_decoded_as_they_are_reached() {
    let input = hex!("03000000 01 00 02 ff");
    let mut elements = Elements::<bool>::new(Reader::new(&input)).unwrap();
    assert_eq!(elements.next(), Some(Ok(true)));
    assert_eq!(elements.next(), Some(Ok(false)));
    let kind = DecodeErrorKind::InvalidBool { value: 2 };
    assert_eq!(elements.next(), Some(Err(DecodeError::new(6, kind))));
    assert_eq!(elements.next(), None);
}

#[test]
fn products_are_their_fields() {
    round((), &[]);
    round((7u8,), &[7]);
    round((1u8, 2u16, 3u32), &hex!("01 0200 03000000"));
    round((1u8, (), true, (2u8, 3u8)), &hex!("01 01 02 03"));
    round(PhantomData::<String>, &[]);
    assert_eq!(<(u8, u64) as Encode>::MAX_SIZE, 9);
    assert_eq!(<(u8, &str) as Encode>::MAX_SIZE, usize::MAX);
}

#[test]
fn a_stream_is_poisoned_between_two_writes() {
    struct Failing {
        left: usize,
        poisoned: bool,
    }
    impl Sink for Failing {
        type Error = ();

        fn write(&mut self, _: &[u8]) -> Result<(), onewrite::error::WriteError<()>> {
            if self.left == 0 {
                return Err(onewrite::error::WriteError::new(0, WriteErrorKind::Sink(())));
            }
            self.left -= 1;
            Ok(())
        }

        fn reserve(
            &mut self,
            _: usize,
        ) -> Result<Option<&mut [u8]>, onewrite::error::WriteError<()>> {
            Ok(None)
        }

        fn poison(&mut self) {
            self.poisoned = true;
        }
    }

    let long = ["x"; 200];
    for (left, poisoned) in [(0, false), (1, true)] {
        let mut sink = Failing { left, poisoned: false };
        assert!(long.encode(&mut sink).is_err());
        assert_eq!((sink.left, sink.poisoned), (0, poisoned));
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
struct Fixed {
    id: u32,
    hp: i32,
    x: f32,
    y: f32,
    score: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
struct Mixed<'a> {
    id: u32,
    score: u64,
    delta: i32,
    name: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
enum Event<'a> {
    Joined(Fixed),
    Said { id: u32, loud: bool, text: &'a str, raw: &'a [u8] },
    Closed,
    Times(Option<Timestamp>, [u16; 2]),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Encode, Decode)]
enum Team {
    #[default]
    Red = 0,
    Blue,
}

#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
struct Nested<'a, T, U: Copy, const N: usize>
where
    T: Default,
{
    team: Team,
    list: [T; N],
    both: (U, Team),
    owner: PhantomData<&'a T>,
    rest: Array<'a, Team>,
}

#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
struct Unit;

#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
struct Wide(U256, bool, Team, Unit);

#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
enum Never {}

#[test]
fn fixed_rows_are_arrays() {
    const ROW: Fixed = Fixed { id: 1, hp: -2, x: 0.5, y: -0.5, score: 3 };
    const BYTES: [u8; 24] = ROW.to_bytes();
    const TEAM: [u8; 1] = Team::Blue.to_bytes();
    assert_eq!(BYTES, hex!("01000000 feffffff 0000003f 000000bf 0300000000000000"));
    round(ROW, &BYTES);
    assert_eq!((<Fixed as Bounded>::MIN_SIZE, Fixed::MAX_SIZE_OF), (24, 24));
    assert_eq!(size_of::<<Fixed as Encode>::Scratch>(), 24);
    assert_eq!(bytes(&[ROW; 3].as_slice()).len(), 4 + 72);
    const { assert!(<Fixed as Decode<'_>>::ALL_VALID && !<Team as Decode<'_>>::ALL_VALID) };
    round(Team::Blue, &TEAM);
    assert_eq!(size_of::<<Wide as Encode>::Scratch>(), 34);
    let mut wide = [0; 34];
    (wide[0], wide[32], wide[33]) = (5, 1, 1);
    round(Wide(U256::from(5), true, Team::Blue, Unit), &wide);
    round(Unit, &[]);
}

/// A row of a fixed size is one write, also where it is longer than the scratch of a stream.
#[test]
fn long_fixed_rows_are_one_write() {
    #[derive(Debug, PartialEq, Encode, Decode)]
    struct Long {
        id: u32,
        text: [u8; 300],
    }

    let row = Long { id: 7, text: [1; 300] };
    let mut stream = Writes::default();
    row.encode(&mut stream).unwrap();
    assert_eq!(stream.0.iter().map(Vec::len).collect::<Vec<_>>(), [308]);
    round(row, &stream.0.concat());
}

impl Fixed {
    const MAX_SIZE_OF: usize = onewrite::buffer_for!(Self).len();
}

#[test]
fn mixed_rows_borrow_their_strings() {
    let row = Mixed { id: 1, score: 2, delta: -1, name: "abc" };
    let wire = hex!("01000000 0200000000000000 ffffffff 03000000 616263");
    assert_eq!(bytes(&row), wire);
    assert_eq!(Mixed::from_slice(&wire), Ok(row));
    assert_eq!(<Mixed<'_> as Encode>::MAX_SIZE, usize::MAX);
    assert_eq!(size_of::<<Mixed<'_> as Encode>::Scratch>(), 0);
    // Each cut names the field that it goes through.
    for len in 0..wire.len() {
        let (at, needed) = match len {
            0..4 => (0, 4),
            4..12 => (4, 8),
            12..16 => (12, 4),
            16..20 => (16, 4),
            _ => (20, 3),
        };
        let end = DecodeErrorKind::EndOfInput { needed, available: len - at };
        assert_eq!(refused::<Mixed<'_>>(&wire[..len]), (at, end), "{len} bytes");
    }
}

#[test]
fn sums_have_a_tag() {
    let fixed = Fixed { id: 1, hp: 2, x: 0.0, y: 0.0, score: 3 };
    let events = [
        (Event::Joined(fixed), [&[0][..], &fixed.to_bytes()].concat()),
        (
            Event::Said { id: 7, loud: true, text: "hi", raw: b"x" },
            hex!("01 07000000 01 02000000 6869 01000000 78").to_vec(),
        ),
        (Event::Closed, vec![2]),
        (Event::Times(None, [1, 2]), hex!("03 01 02000000 0100 0200").to_vec()),
    ];
    for (event, wire) in &events {
        assert_eq!(bytes(event), *wire);
        assert_eq!(Event::from_slice(wire).as_ref(), Ok(event));
    }
    let unknown = DecodeErrorKind::UnknownDiscriminant { name: "Event", value: 4 };
    assert_eq!(refused::<(u8, Event<'_>)>(&[9, 4]), (1, unknown));
    let bad = DecodeErrorKind::InvalidBool { value: 2 };
    let input = hex!("01 07000000 02 00000000 00000000");
    assert_eq!(refused::<Event<'_>>(&input), (5, bad));
    assert_eq!((<Event<'_> as Encode>::MIN_SIZE, <Team as Encode>::MAX_SIZE), (1, 1));
    assert!(Never::from_slice(&[0]).is_err());
}

/// bsatn-08: the 257th is refused, see `tests/ui/bsatn_variants.rs`.
#[test]
fn a_sum_has_at_most_256_variants() {
    use variants::Most;
    const LAST: [u8; 1] = Most::V255.to_bytes();
    assert_eq!(LAST, [0xff]);
    round(Most::V255, &LAST);
    round(Most::V0, &[0]);
    for tag in 0..=255 {
        assert_eq!(bytes(&Most::from_slice(&[tag]).unwrap()), [tag]);
    }
}

#[test]
fn parameters_and_lifetimes() {
    let rest = hex!("02000000 01 00");
    let rest = Array::from_slice(&rest).unwrap();
    let value = Nested {
        team: Team::Blue,
        list: [1u16, 2],
        both: (Some(5u8), Team::Red),
        owner: PhantomData,
        rest,
    };
    let wire = hex!("01 02000000 0100 0200 00 05 00 02000000 01 00");
    assert_eq!(bytes(&value), wire);
    assert_eq!(Nested::from_slice(&wire), Ok(value));
}
