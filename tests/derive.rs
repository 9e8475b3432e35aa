//! `#[derive(Record)]` on structs: exact bytes, round trips, every truncation, const use.
#![cfg(feature = "derive")]
#![allow(
    clippy::indexing_slicing,
    clippy::items_after_statements,
    clippy::large_stack_arrays,
    clippy::unwrap_used,
    reason = "a panic is how a test fails, and consts stand where they are looked at"
)]

use core::marker::PhantomData;

use hex_literal::hex;
use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::record::{Bounded, Endian, Field, write_slice};
use onewrite::{Record, buffer_for};

/// One field of each kind, without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Record)]
#[record(size = 78)]
struct All {
    a: u8,
    b: i8,
    #[record(endian = "big")]
    c: u16,
    d: i16,
    e: u32,
    #[record(endian = "big")]
    f: i32,
    g: u64,
    #[record(endian = "big")]
    h: i64,
    i: u128,
    #[record(endian = "be")]
    j: i128,
    k: bool,
    l: [u8; 3],
    m: [u16; 2],
    #[record(endian = "big")]
    n: [[u16; 1]; 2],
    o: PhantomData<u64>,
    p: [u8; 0],
    q: [bool; 4],
}

const ALL: All = All {
    a: 1,
    b: -2,
    c: 0x0304,
    d: -3,
    e: 0x0506_0708,
    f: -4,
    g: 0x0908_0706_0504_0302,
    h: -5,
    i: 0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10,
    j: -6,
    k: true,
    l: *b"abc",
    m: [0x1122, 0x3344],
    n: [[0x5566], [0x7788]],
    o: PhantomData,
    p: [],
    q: [true, false, false, true],
};

const ALL_BYTES: [u8; 78] = hex!(
    "01 fe 0304 fdff 08070605 fffffffc 0203040506070809 fffffffffffffffb"
    "100f0e0d0c0b0a090807060504030201 fffffffffffffffffffffffffffffffa"
    "01 616263 2211 4433 5566 7788 01000001"
);

#[test]
fn every_kind_of_field_has_its_bytes() {
    const ENCODED: [u8; 78] = ALL.to_bytes();
    assert_eq!(ENCODED, ALL_BYTES);
    assert_eq!(All::from_bytes(&ALL_BYTES), Ok(ALL));
    assert_eq!(All::SIZE, 78);
    assert_eq!((All::OFFSET_A, All::OFFSET_C, All::OFFSET_Q), (0, 2, 74));
    assert_eq!((All::MIN_SIZE, All::MAX_SIZE), (78, 78));
    let mut used = [0xa5; 78];
    ALL.write_at(&mut used);
    assert_eq!(used, ALL_BYTES);
}

#[test]
fn a_bad_bool_in_an_array_is_named_by_its_offset() {
    for at in [62, 74, 75, 77] {
        let mut bytes = ALL_BYTES;
        bytes[at] = 2;
        let error = DecodeError::new(at, DecodeErrorKind::InvalidBool { value: 2 });
        assert_eq!(All::from_bytes(&bytes), Err(error));
    }
}

/// core-06: too short is the same error for every prefix, whatever the bytes are.
#[test]
fn every_truncation_is_end_of_input() {
    #[derive(Debug, PartialEq, Record)]
    #[record(size = 20)]
    struct Mixed {
        tag: u8,
        #[record(endian = "big")]
        port: u16,
        id: u32,
        time: u64,
        name: [u8; 5],
    }
    let record = Mixed { tag: 9, port: 80, id: 7, time: 1, name: *b"hello" };
    let bytes = record.to_bytes();
    assert_eq!(bytes, hex!("09 0050 07000000 0100000000000000 68656c6c6f"));
    for available in 0..20 {
        let error = DecodeError::new(0, DecodeErrorKind::EndOfInput { needed: 20, available });
        assert_eq!(Mixed::from_slice(&bytes[..available]), Err(error));
        assert_eq!(Mixed::take_from(&bytes[..available]), Err(error));
    }
    assert_eq!(Mixed::from_slice(&bytes), Ok(record));
}

/// core-07: exact and prefix decoding.
#[test]
fn trailing_bytes_are_an_error_or_the_rest() {
    let mut one_more = [0xff; 79];
    one_more[..78].copy_from_slice(&ALL_BYTES);
    let error = DecodeError::new(78, DecodeErrorKind::TrailingBytes { extra: 1 });
    assert_eq!(All::from_slice(&one_more), Err(error));
    assert_eq!(All::take_from(&one_more), Ok((ALL, &[0xff][..])));

    let two = [ALL_BYTES, ALL_BYTES];
    let (first, rest) = All::take_from(two.as_flattened()).unwrap();
    assert_eq!((first, All::from_slice(rest)), (ALL, Ok(ALL)));
}

/// core-14: declared offsets, not the machine's layout.
#[derive(Clone, Copy, Debug, PartialEq, Record)]
#[record(size = 16, pad(reserved = 1..8))]
#[repr(C, align(16))]
struct Aligned {
    #[record(offset = 0)]
    x: u8,
    #[record(offset = 8)]
    y: u64,
}

#[test]
fn padding_is_written_as_zero_and_read_as_zero() {
    let bytes = hex!("2a 00000000000000 0807060504030201");
    let record = Aligned { x: 42, y: 0x0102_0304_0506_0708 };
    assert_eq!(Aligned::from_bytes(&bytes), Ok(record));
    assert_eq!(record.to_bytes(), bytes);
    assert_eq!((Aligned::SIZE, Aligned::OFFSET_Y), (16, 8));
    let mut used = [0xa5; 16];
    record.write_at(&mut used);
    assert_eq!(used, bytes);
    for at in 1..8 {
        let mut bytes = bytes;
        bytes[at] = 1;
        let error = DecodeError::new(at, DecodeErrorKind::BadPadding);
        assert_eq!(Aligned::from_bytes(&bytes), Err(error));
    }
}

#[test]
fn gaps_are_zero_where_the_type_says_so() {
    #[derive(Debug, PartialEq, Record)]
    #[record(size = 8, gaps = "zero")]
    struct Gaps {
        #[record(at = 2)]
        a: u8,
        #[record(at = 6)]
        b: u8,
    }
    let mut bytes = [0xa5; 8];
    Gaps { a: 1, b: 2 }.write_at(&mut bytes);
    assert_eq!(bytes, [0, 0, 1, 0, 0, 0, 2, 0]);
    for at in [0, 1, 3, 5, 7] {
        let mut bytes = bytes;
        bytes[at] = 1;
        let error = DecodeError::new(at, DecodeErrorKind::BadPadding);
        assert_eq!(Gaps::from_bytes(&bytes), Err(error));
    }
}

#[test]
fn lenient_records_do_not_look_at_padding() {
    #[derive(Debug, PartialEq, Record)]
    #[record(size = 4, pad(a = 0..1, b = 3..4), lenient)]
    struct Lenient {
        #[record(at = 1)]
        x: u16,
    }
    assert_eq!(Lenient::from_bytes(&[9, 1, 2, 9]), Ok(Lenient { x: 0x0201 }));
    assert_eq!(Lenient { x: 0x0201 }.to_bytes(), [0, 1, 2, 0]);
}

/// core-15: floats are their bits.
#[test]
fn float_bits_survive_both_orders() {
    #[derive(Record)]
    #[record(size = 24)]
    struct Floats {
        a: f32,
        #[record(endian = "big")]
        b: f32,
        c: f64,
        #[record(endian = "big")]
        d: f64,
    }
    for a in [0x7f80_0001_u32, 0xffc1_2345, 0x8000_0000] {
        for c in [0x7ff0_0000_0000_0001_u64, 0x8000_0000_0000_0000] {
            let (b, d) = (f32::from_bits(a), f64::from_bits(c));
            let bytes = Floats { a: b, b, c: d, d }.to_bytes();
            assert_eq!(bytes[..4], a.to_le_bytes());
            assert_eq!(bytes[4..8], a.to_be_bytes());
            assert_eq!(bytes[8..16], c.to_le_bytes());
            assert_eq!(bytes[16..], c.to_be_bytes());
            let read = Floats::from_bytes(&bytes).unwrap();
            assert_eq!((read.a.to_bits(), read.b.to_bits()), (a, a));
            assert_eq!((read.c.to_bits(), read.d.to_bits()), (c, c));
        }
    }
    const SIGNALLING: [u8; 24] =
        Floats { a: f32::from_bits(0x7f80_0001), b: 0.0, c: 0.0, d: 0.0 }.to_bytes();
    assert_eq!(SIGNALLING[..4], hex!("0100807f"));
}

#[derive(Clone, Copy, Debug, PartialEq, Record)]
#[record(endian = "big")]
struct Point(i16, i16);

/// Records in records, and arrays of them.
#[derive(Clone, Copy, Debug, PartialEq, Record)]
struct Path {
    from: Point,
    steps: [Point; 2],
    grid: [[Point; 1]; 2],
    many: [Point; POINTS],
}

const POINTS: usize = 20;

const PATH: Path = Path {
    from: Point(1, 2),
    steps: [Point(3, 4), Point(5, 6)],
    grid: [[Point(7, 8)], [Point(9, 10)]],
    many: [Point(-1, -2); POINTS],
};

#[test]
fn nested_records_keep_their_byte_order() {
    const BYTES: [u8; 100] = PATH.to_bytes();
    assert_eq!(BYTES[..20], hex!("00010002 00030004 00050006 00070008 0009000a"));
    assert_eq!(BYTES[20..24], hex!("ffff fffe"));
    assert_eq!(BYTES[96..], hex!("ffff fffe"));
    const READ: Result<Path, DecodeError> = Path::from_bytes(&BYTES);
    assert_eq!(READ, Ok(PATH));
    assert_eq!((Path::SIZE, Path::OFFSET_MANY), (100, 20));
}

#[test]
fn nested_errors_count_from_the_outer_record() {
    #[derive(Clone, Copy, Debug, PartialEq, Record)]
    struct Inner {
        id: u16,
        on: bool,
    }
    #[derive(Debug, PartialEq, Record)]
    struct Outer {
        head: u32,
        few: [Inner; 2],
        many: [Inner; 17],
    }
    for at in [6, 9, 12, 60] {
        let mut bytes = [0; Outer::SIZE];
        bytes[at] = 7;
        let error = DecodeError::new(at, DecodeErrorKind::InvalidBool { value: 7 });
        assert_eq!(Outer::from_bytes(&bytes), Err(error));
    }
}

#[test]
fn items_of_a_short_array_need_not_be_copy() {
    #[derive(Debug, PartialEq, Record)]
    struct Unique(u16);
    #[derive(Debug, PartialEq, Record)]
    struct Pair {
        both: [Unique; 2],
        none: [Unique; 0],
    }
    let pair = Pair { both: [Unique(1), Unique(2)], none: [] };
    assert_eq!(pair.to_bytes(), [1, 0, 2, 0]);
    assert_eq!(Pair::from_bytes(&[1, 0, 2, 0]), Ok(pair));
}

/// core-13: SIZE follows from parameters that the names in the output do not clash with.
#[derive(Clone, Copy, Debug, PartialEq, Record)]
struct P<'de, W: Copy + Into<u32> = u8, const N: usize = 4>
where
    W: 'de,
{
    id: u16,
    data: [u8; N],
    tag: W,
    _m: PhantomData<&'de W>,
}

#[test]
fn parameters_make_the_size() {
    const SIZES: (usize, usize, usize) =
        (P::<'_, u8, 0>::SIZE, P::<'_, u8, 4>::SIZE, P::<'_, u16, 300>::SIZE);
    assert_eq!(SIZES, (3, 7, 304));
    let value = P::<u16, 2> { id: 1, data: [2, 3], tag: 0x0405, _m: PhantomData };
    let mut buffer = buffer_for!(P<'static, u16, 2>);
    value.put(Endian::Big, &mut buffer);
    // The record's own order, not that of a record around it.
    assert_eq!(buffer, hex!("0100 02 03 0504"));
    assert_eq!(P::get(Endian::Big, &buffer), Ok(value));
    let error = DecodeError::new(0, DecodeErrorKind::EndOfInput { needed: 6, available: 5 });
    assert_eq!(P::<u16, 2>::get(Endian::Little, &buffer[..5]), Err(error));
}

#[test]
fn a_declared_size_makes_a_generic_record_an_array() {
    #[derive(Debug, PartialEq, Record)]
    #[record(size = 8, endian = "big", pad(end = 6..8))]
    struct Tagged<T> {
        tag: u16,
        value: T,
    }
    let tagged = Tagged { tag: 1, value: 2u32 };
    assert_eq!(tagged.to_bytes(), hex!("0001 00000002 0000"));
    assert_eq!(Tagged::from_bytes(&tagged.to_bytes()), Ok(tagged));
    let error = DecodeError::new(7, DecodeErrorKind::BadPadding);
    assert_eq!(Tagged::<u32>::from_bytes(&hex!("0001 00000002 0001")), Err(error));
    let error = DecodeError::new(4, DecodeErrorKind::InvalidBool { value: 4 });
    let bytes = hex!("0001 0000 04 00 0000");
    assert_eq!(Tagged::<[bool; 4]>::from_bytes(&bytes), Err(error));
}

#[test]
fn lifetimes_leave_everything_const() {
    #[derive(Debug, PartialEq, Record)]
    struct Of<'a, 'b: 'a> {
        id: u16,
        owner: PhantomData<&'a &'b str>,
    }
    #[derive(Debug, PartialEq, Record)]
    struct Around<'a> {
        inner: Of<'a, 'static>,
        last: u8,
    }
    const BYTES: [u8; 3] = Around { inner: Of { id: 7, owner: PhantomData }, last: 1 }.to_bytes();
    assert_eq!(BYTES, [7, 0, 1]);
}

/// core-17: constants in flash.
#[test]
fn records_stand_in_consts() {
    #[derive(Clone, Copy, PartialEq, Eq, Record)]
    #[record(size = 20, pad(reserved = 4..20))]
    struct Hello {
        id: u32,
    }
    const HELLO: [u8; 20] = Hello { id: 7 }.to_bytes();
    static TABLE: [[u8; 20]; 3] = [HELLO, Hello { id: 8 }.to_bytes(), Hello { id: 9 }.to_bytes()];
    const NINE: Hello = Hello { id: 9 };
    assert_eq!(TABLE.map(|record| record[0]), [7, 8, 9]);
    match Hello::from_bytes(&TABLE[2]) {
        Ok(NINE) => {}
        _ => unreachable!("a const record is a pattern"),
    }
}

/// core-18: zero-length and long fields.
#[test]
fn sizes_are_exact_from_nothing_to_64_kib() {
    macro_rules! sized {
        ($($len:literal $size:literal),*) => {$({
            #[derive(Record)]
            struct Sized {
                before: u32,
                long: [u8; $len],
                after: u32,
            }
            assert_eq!(Sized::SIZE, $size);
            let record = Sized { before: 1, long: [7; $len], after: 0x0203_0405 };
            let bytes = record.to_bytes();
            assert_eq!(bytes[..4], [1, 0, 0, 0]);
            assert!(bytes[4..$size - 4].iter().all(|byte| *byte == 7));
            assert_eq!(bytes[$size - 4..], [5, 4, 3, 2]);
            let read = Sized::from_bytes(&bytes).unwrap();
            assert_eq!((read.before, read.long, read.after), (1, [7; $len], 0x0203_0405));
        })*};
    }
    sized!(0 8, 255 263, 256 264, 65535 65543, 65536 65544);
}

#[test]
fn records_without_fields_have_no_bytes() {
    #[derive(Clone, Copy, Debug, PartialEq, Record)]
    struct E {}
    #[derive(Clone, Copy, Debug, PartialEq, Record)]
    struct Unit;
    #[derive(Debug, PartialEq, Record)]
    struct Holds([E; 3], Unit, [[u8; 0]; 2]);
    assert_eq!((E::SIZE, Unit::SIZE, Holds::SIZE), (0, 0, 0));
    assert_eq!(E {}.to_bytes(), []);
    assert_eq!(E::from_slice(&[]), Ok(E {}));
    assert_eq!(write_slice(&[E {}; 5], &mut []), Ok(0));
    assert_eq!(Holds::from_bytes(&[]), Ok(Holds([E {}; 3], Unit, [[]; 2])));
}

#[test]
fn an_alias_says_what_it_stands_for() {
    type ComponentId = i32;
    #[derive(Debug, PartialEq, Record)]
    struct Update {
        #[record(as = i32)]
        id: ComponentId,
        #[record(as = [u16; 2], endian = "big")]
        pair: [u16; 2],
    }
    let update = Update { id: -2, pair: [1, 2] };
    assert_eq!(update.to_bytes(), hex!("feffffff 0001 0002"));
    assert_eq!(Update::from_bytes(&update.to_bytes()), Ok(update));
}

#[test]
fn packed_structs_have_the_same_bytes() {
    #[derive(Clone, Copy, Record)]
    #[repr(C, packed)]
    struct Packed {
        a: u8,
        b: u32,
        c: [u8; 3],
    }
    assert_eq!(Packed { a: 1, b: 2, c: [3, 4, 5] }.to_bytes(), hex!("01 02000000 030405"));
}

#[test]
fn offsets_may_be_consts_and_out_of_order() {
    const SECOND: usize = 2;
    #[derive(Debug, PartialEq, Record)]
    #[record(size = SECOND * 2)]
    struct Swapped {
        #[record(at = SECOND)]
        b: u16,
        #[record(at = SECOND - 2)]
        a: u16,
    }
    assert_eq!(Swapped { b: 2, a: 1 }.to_bytes(), [1, 0, 2, 0]);
    assert_eq!(Swapped::from_bytes(&[1, 0, 2, 0]), Ok(Swapped { b: 2, a: 1 }));
}

#[test]
fn records_with_parameters_stand_in_records_that_are_not_const() {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Record)]
    struct Id<T>(T);
    #[derive(Debug, PartialEq, Record)]
    #[record(not_const, endian = "big", pad(last = 9..10))]
    struct Around<'a> {
        one: Id<u16>,
        many: [Id<u8>; 3],
        #[record(endian = "little")]
        plain: u16,
        seven: [u8; 2],
        owner: PhantomData<&'a str>,
    }
    let around = Around {
        one: Id(1),
        many: [Id(2), Id(3), Id(4)],
        plain: 5,
        seven: [7; 2],
        owner: PhantomData,
    };
    assert_eq!(around.to_bytes(), hex!("0100 020304 0500 0707 00"));
    assert_eq!(Around::from_bytes(&around.to_bytes()), Ok(around));
    assert_eq!((Around::SIZE, <Around<'_> as Record>::SIZE), (10, 10));
}

#[test]
fn gaps_of_long_records_are_read_as_zero() {
    #[derive(Debug, PartialEq, Record)]
    #[record(size = 300, gaps = "zero")]
    struct Long {
        #[record(at = 290)]
        b: u16,
        #[record(at = 2)]
        a: [u8; 3],
    }
    let bytes = Long { a: *b"abc", b: 0x0102 }.to_bytes();
    assert_eq!(Long::from_bytes(&bytes), Ok(Long { a: *b"abc", b: 0x0102 }));
    for at in [0, 1, 5, 6, 289, 292, 299] {
        let mut bytes = bytes;
        bytes[at] = 1;
        assert_eq!(
            Long::from_bytes(&bytes),
            Err(DecodeError::new(at, DecodeErrorKind::BadPadding))
        );
    }
}

#[test]
fn a_megabyte_is_laid_out_in_no_time() {
    #[derive(Record)]
    #[record(size = 1_048_576, gaps = "zero")]
    struct Huge {
        #[record(at = 9)]
        a: u8,
        #[record(at = 1000)]
        b: [u8; 1_000_000],
    }
    static HUGE: [u8; Huge::SIZE] = Huge { a: 1, b: [2; 1_000_000] }.to_bytes();
    assert_eq!((HUGE[8..11].to_vec(), HUGE[999], HUGE[1000]), (vec![0, 1, 0], 0, 2));
}

#[test]
fn a_const_parameter_may_be_the_size() {
    #[derive(Debug, PartialEq, Record)]
    #[record(size = N)]
    struct Block<const N: usize> {
        data: [u8; N],
    }
    assert_eq!(Block { data: *b"abc" }.to_bytes(), *b"abc");
    assert_eq!(Block::<3>::from_slice(b"abc"), Ok(Block { data: *b"abc" }));
    let error = DecodeError::new(0, DecodeErrorKind::EndOfInput { needed: 4, available: 3 });
    assert_eq!(Block::<4>::from_slice(b"abc"), Err(error));
}
