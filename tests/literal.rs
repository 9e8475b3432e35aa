//! Literals and templates: exact bytes, every hole, and what must not get in the way.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use core::convert::Infallible;

use hex_literal::hex;
use onewrite::error::{WriteError, WriteErrorKind};
use onewrite::literal::{HoleError, concat, hex, space_padded, total_len, zero_padded};
use onewrite::sink::{CountingSink, Sink, SliceSink};
use onewrite::{literal, template};

const NAME: &str = "naïve";
const SLICE: &[u8] = &[1, 2];
const ARRAY: &[u8; 3] = &[3, 4, 5];

const fn name(upper: bool) -> &'static str {
    if upper { "UP" } else { "low" }
}

#[test]
fn every_part_stands_in_a_const() {
    // A temporary of the macro would not live this long.
    fn forever() -> &'static [u8; 4] {
        literal!("ab", dec(1), "c")
    }
    static TABLE: [&[u8]; 2] = [literal!(), literal!("x")];
    const BYTES: &[u8; 38] = literal!(
        "a",
        b"b",
        dec(10),
        le(5u32),
        be(7u16),
        leb(300),
        NAME,
        SLICE,
        ARRAY,
        &[6u8],
        name(true),
        name(false),
        concat!("x", "y"),
        dec(NAME.len()),
        le(1.5f32),
        be(-2i16),
    );
    assert_eq!(
        BYTES[..],
        [
            b"ab10\x05\0\0\0\0\x07\xac\x02na\xc3\xafve\x01\x02\x03\x04\x05\x06UPlowxy6",
            &hex!("0000c03f fffe")[..],
        ]
        .concat()
    );
    assert_eq!(forever(), b"ab1c");
    assert_eq!(TABLE, [&b""[..], b"x"]);
}

#[test]
fn numbers_of_every_type_have_their_bytes() {
    assert_eq!(literal!(le(1u8), be(2i8)), &hex!("01 02"));
    assert_eq!(literal!(le(0x0102u16), be(0x0102u16)), &hex!("0201 0102"));
    assert_eq!(literal!(le(-2i32), be(-2i32)), &hex!("feffffff fffffffe"));
    assert_eq!(literal!(le(0x0102_0304_0506_0708u64)), &hex!("0807060504030201"));
    assert_eq!(literal!(be(0x0102_0304_0506_0708i64)), &hex!("0102030405060708"));
    assert_eq!(
        literal!(le(1u128), be(1i128)),
        &hex!("01000000000000000000000000000000 00000000000000000000000000000001")
    );
    assert_eq!(literal!(be(f64::NEG_INFINITY)), &hex!("fff0000000000000"));
    assert_eq!(
        literal!(dec(0), " ", dec(5_000_000_000), " ", dec(u64::MAX)),
        b"0 5000000000 18446744073709551615"
    );
    assert_eq!(literal!(dec(i128::MAX)), b"170141183460469231731687303715884105727");
    assert_eq!(
        literal!(leb(0), leb(127u8), leb(128), leb(u64::MAX)),
        &hex!("00 7f 8001 ffffffffffffffffff01")
    );
}

#[test]
fn concat_takes_exactly_what_fits() {
    assert_eq!(concat(&[b"ab", b"", b"c"]), Some(*b"abc"));
    assert_eq!(concat::<2>(&[b"ab", b"c"]), None);
    assert_eq!(concat::<4>(&[b"ab", b"c"]), None);
    assert_eq!(concat(&[]), Some([]));
    assert_eq!(total_len(&[b"ab", b"c"]), 3);
}

/// Copied byte by byte, the compiler would give up on this long before its end.
#[test]
fn a_megabyte_is_a_slice_copy() {
    const BODY: &[u8] = &[0x5a; 1 << 20];
    const RESPONSE: &[u8] = literal!("content-length: ", dec(BODY.len()), "\r\n\r\n", BODY, "!");
    let head = b"content-length: 1048576\r\n\r\n";
    assert_eq!(RESPONSE.len(), head.len() + BODY.len() + 1);
    assert!(RESPONSE.starts_with(head));
    assert!(RESPONSE[head.len()..].ends_with(&[0x5a, b'!']));
}

/// Digits against the standard library's formatting.
#[test]
fn digits_are_those_of_the_standard_library() {
    fn check<const W: usize>(value: u64) {
        let zeros = format!("{value:0W$}");
        let spaces = format!("{value:W$}");
        let fits = |text: String| <[u8; W]>::try_from(text.into_bytes()).ok();
        assert_eq!(zero_padded::<W>(value), fits(zeros), "{value} in {W}");
        assert_eq!(space_padded::<W>(value), fits(spaces), "{value} in {W}");
    }
    fn check_hex<const W: usize>(value: u64) {
        let fits = <[u8; W]>::try_from(format!("{value:0W$x}").into_bytes()).ok();
        assert_eq!(hex::<W>(value), fits, "{value:x} in {W}");
    }
    fn check_all(value: u64) {
        check::<1>(value);
        check::<2>(value);
        check::<3>(value);
        check::<4>(value);
        check::<5>(value);
        check::<7>(value);
        check::<8>(value);
        check::<9>(value);
        check::<10>(value);
        check::<15>(value);
        check::<16>(value);
        check::<17>(value);
        check::<19>(value);
        check::<20>(value);
        check_hex::<1>(value);
        check_hex::<2>(value);
        check_hex::<7>(value);
        check_hex::<15>(value);
        check_hex::<16>(value);
    }
    for value in 0..=20_000 {
        check::<2>(value);
        check::<4>(value);
        check::<5>(value);
        check_hex::<4>(value);
    }
    for exponent in 0..20 {
        let power = 10u64.pow(exponent);
        for value in [power - 1, power, power + 1, power.saturating_mul(2) - 1, power / 10 * 9] {
            check_all(value);
        }
    }
    for bit in 0..64 {
        check_all(1 << bit);
        check_all((1 << bit) - 1);
    }
    check_all(u64::MAX);
    // A fixed walk through the whole range (a full-period generator: Knuth, TAOCP 3.3.4).
    let mut value: u64 = 1;
    for shift in (0..64).cycle().take(20_000) {
        value =
            value.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        check::<20>(value >> shift);
        check::<16>(value >> shift);
        check::<8>(value >> shift);
    }
}

template!(
    /// Every kind of hole.
    ALL = "z", zeros: dec(3), b"s", spaces: dec(4, space), "h", digits: hex(2),
    "l", little: le(u32), "b", big: be(i16), "f", float: le(f32), "r", raw: bytes(2), dec(1), "."
);

const ALL_FILLED: [u8; ALL::LEN] = match ALL.fill(7, 42, 0xa5, 5, -2, 1.5, *b"xy") {
    Ok(bytes) => bytes,
    Err(_) => panic!("all values fit"),
};

const ALL_EXPECTED: &[u8; 30] = b"z007s  42ha5l\x05\0\0\0b\xff\xfef\0\0\xc0\x3frxy1.";

#[test]
fn every_hole_is_filled_at_its_place() {
    assert_eq!(&ALL_FILLED, ALL_EXPECTED);
    assert_eq!(ALL::LEN, 30);
    assert_eq!(&ALL::BYTES, b"z\0\0\0s\0\0\0\0h\0\0l\0\0\0\0b\0\0f\0\0\0\0r\0\x001.");
    for fill in [0xa5, 0xee] {
        let mut array = [fill; ALL::LEN];
        assert_eq!(ALL.fill_array(&mut array, 7, 42, 0xa5, 5, -2, 1.5, *b"xy"), Ok(()));
        assert_eq!(&array, ALL_EXPECTED);
    }
}

template!(COUNT = "n=", n: dec(2), " m=", m: dec(1, space), " x=", x: hex(1));

#[test]
fn value_that_does_not_fit_names_its_hole_and_writes_nothing() {
    for (n, m, x, hole, width) in
        [(100, 0, 0, "n", 2), (99, 10, 0, "m", 1), (99, 9, 16, "x", 1), (u64::MAX, 10, 16, "n", 2)]
    {
        let error = HoleError { hole, width };
        assert_eq!(COUNT.fill(n, m, x), Err(error));
        let mut array = [0xa5; COUNT::LEN];
        assert_eq!(COUNT.fill_array(&mut array, n, m, x), Err(error));
        let mut slice = [0xa5; COUNT::LEN];
        let encode = Err(WriteError::new(0, WriteErrorKind::Encode(error)));
        assert_eq!(COUNT.fill_slice(&mut slice, n, m, x), encode);
        assert_eq!((array, slice), ([0xa5; COUNT::LEN], [0xa5; COUNT::LEN]));
        let mut sink = CountingSink::new();
        assert_eq!(COUNT.write_to(&mut sink, n, m, x), encode.map(drop));
        assert_eq!(sink.written(), 0);
        assert_eq!(
            error.to_string(),
            format!("value does not fit the {width} digits of the hole `{hole}`")
        );
    }
    assert_eq!(COUNT.fill(99, 9, 15), Ok(*b"n=99 m=9 x=f"));
    assert_eq!(COUNT.fill(0, 0, 0), Ok(*b"n=00 m=0 x=0"));
}

#[test]
fn slices_and_sinks_take_a_template_whole_or_not() {
    const LEN: usize = COUNT::LEN;
    let expected = *b"n=07 m=8 x=9";
    for len in 0..LEN {
        let full = |written| WriteErrorKind::Full { needed: LEN, available: len - written };
        let mut buffer = [0xee; LEN];
        let error = COUNT.fill_slice(&mut buffer[..len], 7, 8, 9).unwrap_err();
        assert_eq!(error, WriteError::new(0, full(0)));
        let error = COUNT.write_to(&mut SliceSink::new(&mut buffer[..len]), 7, 8, 9).unwrap_err();
        assert_eq!(error, WriteError::new(0, full(0)));
        assert_eq!(buffer, [0xee; LEN]);
    }
    let mut buffer = [0xee; LEN + 1];
    assert_eq!(COUNT.fill_slice(&mut buffer, 7, 8, 9), Ok(LEN));
    assert_eq!((&buffer[..LEN], buffer[LEN]), (&expected[..], 0xee));

    let mut vec = heapless::Vec::<u8, 30>::new();
    COUNT.write_to(&mut vec, 7, 8, 9).unwrap();
    COUNT.write_to(&mut vec as &mut dyn Sink<Error = Infallible>, 7, 8, 9).unwrap();
    assert_eq!(vec, *[expected, expected].as_flattened());
    let mut count = CountingSink::new();
    COUNT.write_to(&mut count, 7, 8, 9).unwrap();
    assert_eq!(count.written(), LEN);
}

/// Notes the calls, and lends memory or not.
#[derive(Default)]
struct Caller {
    memory: Option<[u8; COUNT::LEN]>,
    calls: Vec<(&'static str, usize)>,
    written: Vec<u8>,
}

impl Sink for Caller {
    type Error = Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError<Infallible>> {
        self.calls.push(("write", bytes.len()));
        self.written.extend_from_slice(bytes);
        Ok(())
    }

    fn reserve(&mut self, len: usize) -> Result<Option<&mut [u8]>, WriteError<Infallible>> {
        self.calls.push(("reserve", len));
        Ok(self.memory.as_mut().map(|memory| &mut memory[..len]))
    }
}

#[test]
fn sink_is_called_once_for_all_and_only_for_what_fits() {
    const LEN: usize = COUNT::LEN;
    let mut memory = Caller { memory: Some([0xa5; LEN]), ..Caller::default() };
    assert!(COUNT.write_to(&mut memory, 7, 8, 16).is_err());
    assert!(memory.calls.is_empty());
    assert_eq!(memory.memory, Some([0xa5; LEN]));
    COUNT.write_to(&mut memory, 7, 8, 9).unwrap();
    assert_eq!(memory.calls, [("reserve", LEN)]);
    assert_eq!(memory.memory, Some(*b"n=07 m=8 x=9"));

    let mut stream = Caller::default();
    assert!(COUNT.write_to(&mut stream, 100, 8, 9).is_err());
    assert!(stream.calls.is_empty());
    COUNT.write_to(&mut stream, 7, 8, 9).unwrap();
    assert_eq!(stream.calls, [("reserve", LEN), ("write", LEN)]);
    assert_eq!(stream.written, b"n=07 m=8 x=9");
}

/// A field of the same name as anything the macros make, and none of the usual names in sight.
mod without_prelude {
    #![no_implicit_prelude]
    #![allow(dead_code, non_camel_case_types, non_upper_case_globals, reason = "names in the way")]

    struct u8;
    struct u64;
    struct u128;
    struct usize;
    struct Option;
    struct Result;
    struct Some;
    struct Ok;
    mod core {}
    const N: &str = "n";
    const LEN: &[::core::primitive::u8] = b"len";
    const BYTES: &str = "bytes";
    const record: &str = "constants that a binding would run into";
    const error: &str = record;
    const digits: &str = record;
    const kind: &str = record;
    const sink: &str = record;
    const slice: &str = record;
    const available: &str = record;
    const bytes: &str = "lower";

    pub(crate) const LITERAL: &[::core::primitive::u8] =
        ::onewrite::literal!(N, LEN, BYTES, bytes, dec(10), le(1u16), be(1u16), leb(300), "é");

    ::onewrite::template!(
        pub(crate) AROUND = N, a: dec(1), LEN, b: dec(2, space), BYTES, c: hex(1),
        bytes, d: le(u16_), N, e: bytes(1),
    );

    type u16_ = ::core::primitive::u16;

    pub(crate) fn inside_a_function() -> &'static [::core::primitive::u8] {
        ::onewrite::template!(LOCAL = "l=", l: dec(1));
        const FILLED: [::core::primitive::u8; 3] = match LOCAL.fill(4) {
            ::core::result::Result::Ok(filled) => filled,
            ::core::result::Result::Err(_) => [0; 3],
        };
        &FILLED
    }
}

#[test]
fn macros_work_among_names_that_get_in_the_way() {
    assert_eq!(without_prelude::LITERAL, b"nlenbyteslower10\x01\0\0\x01\xac\x02\xc3\xa9");
    assert_eq!(without_prelude::AROUND.fill(1, 2, 3, 4, *b"!"), Ok(*b"n1len 2bytes3lower\x04\0n!"));
    assert_eq!(without_prelude::inside_a_function(), b"l=4");
    template!(NO_HOLE = "fixed");
    assert_eq!(NO_HOLE.fill(), Ok(*b"fixed"));
    // Holes side by side, at the start and at the end.
    template!(ONLY = a: dec(1), b: dec(1));
    assert_eq!(ONLY.fill(1, 2), Ok(*b"12"));
}
