//! The cursor: values, offsets of errors, and that a failed read takes nothing.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use hex_literal::hex;
use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::reader::Reader;

fn error<T>(at: usize, kind: DecodeErrorKind) -> Result<T, DecodeError> {
    Err(DecodeError::new(at, kind))
}

const ORDER: [u8; 16] = hex!("01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f f0");

#[test]
fn numbers_are_read_in_both_orders_to_128_bits() {
    let read = || Reader::new(&ORDER);
    assert_eq!(read().u8(), Ok(1));
    assert_eq!(read().i8(), Ok(1));
    assert_eq!(Reader::new(&[0xff]).i8(), Ok(-1));
    assert_eq!(read().u16_le(), Ok(0x0201));
    assert_eq!(read().u16_be(), Ok(0x0102));
    assert_eq!(read().u32_le(), Ok(0x0403_0201));
    assert_eq!(read().u32_be(), Ok(0x0102_0304));
    assert_eq!(read().u64_le(), Ok(0x0807_0605_0403_0201));
    assert_eq!(read().u64_be(), Ok(0x0102_0304_0506_0708));
    assert_eq!(read().u128_le(), Ok(0xf00f_0e0d_0c0b_0a09_0807_0605_0403_0201));
    assert_eq!(read().u128_be(), Ok(0x0102_0304_0506_0708_090a_0b0c_0d0e_0ff0));
    let negative = [0xfe; 16];
    let read = || Reader::new(&negative);
    assert_eq!(read().i16_le(), Ok(-0x0102));
    assert_eq!(read().i16_be(), Ok(-0x0102));
    assert_eq!(read().i32_le(), Ok(-0x0101_0102));
    assert_eq!(read().i32_be(), Ok(-0x0101_0102));
    assert_eq!(read().i64_le(), Ok(-0x0101_0101_0101_0102));
    assert_eq!(read().i64_be(), Ok(-0x0101_0101_0101_0102));
    assert_eq!(read().i128_le(), Ok(i128::from_le_bytes(negative)));
    assert_eq!(read().i128_be(), Ok(i128::from_be_bytes(negative)));
}

#[test]
fn floats_keep_their_bits() {
    let signalling = hex!("01 00 a0 7f");
    assert_eq!(Reader::new(&signalling).f32_le().unwrap().to_bits(), 0x7fa0_0001);
    assert_eq!(Reader::new(&hex!("80 00 00 00")).f32_be().unwrap().to_bits(), 0x8000_0000);
    let bytes = hex!("01 00 00 00 00 00 f4 ff");
    assert_eq!(Reader::new(&bytes).f64_le().unwrap().to_bits(), 0xfff4_0000_0000_0001);
    assert_eq!(Reader::new(&hex!("3ff0 000000000000")).f64_be(), Ok(1.0));
}

/// core-06: a 20-byte record with a u8 tag, a u16 BE, a u32 LE, a u64 LE and five bytes.
fn record(input: &[u8]) -> Result<(u8, u16, u32, u64, [u8; 5]), DecodeError> {
    let mut reader = Reader::new(input);
    let record =
        (reader.u8()?, reader.u16_be()?, reader.u32_le()?, reader.u64_le()?, *reader.array()?);
    reader.finish()?;
    Ok(record)
}

const RECORD: [u8; 20] = hex!("01 0203 04050607 08090a0b0c0d0e0f 1011121314");

#[test]
fn truncated_record_names_the_field_at_every_byte() {
    let whole = (1, 0x0203, 0x0706_0504, 0x0f0e_0d0c_0b0a_0908, hex!("10 11 12 13 14"));
    assert_eq!(record(&RECORD), Ok(whole));
    let fields = [(0, 1), (1, 2), (3, 4), (7, 8), (15, 5)];
    for len in 0..20 {
        let &(at, needed) = fields.iter().rfind(|field| field.0 <= len).unwrap();
        let kind = DecodeErrorKind::EndOfInput { needed, available: len - at };
        assert_eq!(record(&RECORD[..len]), error(at, kind), "{len} bytes");
    }
}

/// core-07: trailing bytes. `finish` is for the exact decoder, `rest` for the prefix decoder.
#[test]
fn trailing_bytes_are_an_error_or_handed_on() {
    let followed = [&RECORD[..], &[0xff]].concat();
    assert_eq!(record(&followed), error(20, DecodeErrorKind::TrailingBytes { extra: 1 }));
    let twice = [RECORD, RECORD].concat();
    assert_eq!(record(&twice), error(20, DecodeErrorKind::TrailingBytes { extra: 20 }));
    for (input, rest) in [(&followed, &[0xff][..]), (&twice, &RECORD)] {
        let mut reader = Reader::new(input);
        assert_eq!(reader.array(), Ok(&RECORD));
        assert_eq!(reader.rest(), rest);
    }
}

/// A reader that counts from 100, so that an offset from its own start would show.
fn at_hundred(input: &[u8]) -> Reader<'_> {
    Reader::starting_at(100, input)
}

/// Every method on every input that is too short for it: right offset, nothing taken.
#[test]
fn failed_reads_say_what_is_missing_and_take_nothing() {
    type Method = fn(&mut Reader<'_>) -> Result<(), DecodeError>;
    let methods: &[(usize, Method)] = &[
        (1, |r| r.u8().map(drop)),
        (1, |r| r.i8().map(drop)),
        (1, |r| r.bool().map(drop)),
        (2, |r| r.u16_le().map(drop)),
        (2, |r| r.u16_be().map(drop)),
        (2, |r| r.i16_le().map(drop)),
        (2, |r| r.i16_be().map(drop)),
        (4, |r| r.u32_le().map(drop)),
        (4, |r| r.u32_be().map(drop)),
        (4, |r| r.i32_le().map(drop)),
        (4, |r| r.i32_be().map(drop)),
        (4, |r| r.f32_le().map(drop)),
        (4, |r| r.f32_be().map(drop)),
        (8, |r| r.u64_le().map(drop)),
        (8, |r| r.u64_be().map(drop)),
        (8, |r| r.i64_le().map(drop)),
        (8, |r| r.i64_be().map(drop)),
        (8, |r| r.f64_le().map(drop)),
        (8, |r| r.f64_be().map(drop)),
        (16, |r| r.u128_le().map(drop)),
        (16, |r| r.u128_be().map(drop)),
        (16, |r| r.i128_le().map(drop)),
        (16, |r| r.i128_be().map(drop)),
        (5, |r| r.array::<5>().map(drop)),
        (6, |r| r.arrays::<2>(3).map(drop)),
        (7, |r| r.bytes(7).map(drop)),
        (7, |r| r.str(7).map(drop)),
        (7, |r| r.sub(7).map(drop)),
    ];
    for &(needed, method) in methods {
        for available in 0..needed {
            let input = &[1; 16][..available];
            let mut reader = at_hundred(input);
            let kind = DecodeErrorKind::EndOfInput { needed, available };
            assert_eq!(method(&mut reader), error(100, kind));
            assert_eq!(reader, at_hundred(input));
        }
        let mut reader = at_hundred(&[1; 20]);
        assert_eq!(method(&mut reader), Ok(()));
        assert_eq!((reader.position(), reader.remaining()), (100 + needed, 20 - needed));
    }
}

#[test]
fn huge_lengths_are_refused_before_use() {
    for len in [5, usize::MAX / 2, usize::MAX] {
        let mut reader = Reader::new(&[0; 4]);
        let kind = DecodeErrorKind::EndOfInput { needed: len, available: 4 };
        assert_eq!(reader.bytes(len), error(0, kind));
        assert_eq!(reader.str(len), error(0, kind));
        assert_eq!(reader.sub(len), error(0, kind));
    }
    let kind = DecodeErrorKind::EndOfInput { needed: usize::MAX, available: 4 };
    // Four-byte items whose total would wrap to zero.
    let n = 1 << (usize::BITS - 2);
    assert_eq!(Reader::new(&[0; 4]).arrays::<4>(n), error(0, kind));
    assert_eq!(Reader::new(&[0; 4]).arrays::<4>(0), Ok(&[][..]));
}

#[test]
fn bad_content_is_reported_at_its_first_byte_and_not_taken() {
    let mut reader = at_hundred(&[2, 0, 1]);
    assert_eq!(reader.bool(), error(100, DecodeErrorKind::InvalidBool { value: 2 }));
    assert_eq!(reader.u8(), Ok(2));
    assert_eq!((reader.bool(), reader.bool()), (Ok(false), Ok(true)));

    let mut reader = at_hundred(b"ab\xffc");
    assert_eq!(reader.str(2), Ok("ab"));
    assert_eq!(reader.str(2), error(102, DecodeErrorKind::InvalidUtf8));
    assert_eq!(reader.rest(), b"\xffc");
    // At the string's first byte, wherever it goes wrong.
    let mut reader = at_hundred(b"abc\xff");
    assert_eq!(reader.str(4), error(100, DecodeErrorKind::InvalidUtf8));
    // Cut inside a character.
    assert_eq!(Reader::new("ü".as_bytes()).str(1), error(0, DecodeErrorKind::InvalidUtf8));
}

#[test]
fn varints_count_from_the_outermost_input() {
    let mut reader = at_hundred(&hex!("ac02 8000 ffffffff7f ac"));
    assert_eq!(reader.leb_u32(), Ok(300));
    assert_eq!(reader.leb_u32(), error(102, DecodeErrorKind::OverlongVarint));
    assert_eq!(reader.leb_u64(), error(102, DecodeErrorKind::OverlongVarint));
    assert_eq!(reader.leb_u32_lenient(), Ok(0));
    assert_eq!(reader.leb_u32(), error(104, DecodeErrorKind::VarintTooLong));
    assert_eq!(reader.leb_u32_lenient(), error(104, DecodeErrorKind::VarintTooLong));
    assert_eq!(reader.leb_u64(), Ok(0x7_ffff_ffff));
    let kind = DecodeErrorKind::EndOfInput { needed: 2, available: 1 };
    assert_eq!(reader.leb_u32(), error(109, kind));
    assert_eq!(reader.leb_u64_lenient(), error(109, kind));
    assert_eq!(reader.rest(), [0xac]);
}

#[test]
fn sub_reader_keeps_absolute_offsets() {
    let mut outer = Reader::new(&ORDER);
    outer.u32_le().unwrap();
    let mut inner = outer.sub(6).unwrap();
    assert_eq!((inner.position(), inner.remaining()), (4, 6));
    assert_eq!((outer.position(), outer.remaining()), (10, 6));
    inner.u8().unwrap();
    let mut innermost = inner.sub(2).unwrap();
    assert_eq!(innermost.u16_be(), Ok(0x0607));
    let kind = DecodeErrorKind::EndOfInput { needed: 1, available: 0 };
    assert_eq!(innermost.u8(), error(7, kind));
    assert_eq!(innermost.finish(), Ok(()));
    assert_eq!(inner.finish(), error(7, DecodeErrorKind::TrailingBytes { extra: 3 }));
}

#[test]
fn borrowed_items_outlive_the_reader() {
    let input = *b"hi there";
    let (text, bytes, pairs, array) = {
        let mut reader = Reader::new(&input);
        (
            reader.str(2).unwrap(),
            reader.bytes(1).unwrap(),
            reader.arrays::<2>(2).unwrap(),
            reader.array::<1>().unwrap(),
        )
    };
    assert_eq!((text, bytes, pairs, array), ("hi", &b" "[..], &[*b"th", *b"er"][..], b"e"));
}

#[test]
fn everything_stands_in_a_const() {
    const PARSED: Result<(u16, &str, u32), DecodeError> = {
        let mut reader = Reader::new(b"\x01\x02hi\xac\x02");
        match (reader.u16_be(), reader.str(2), reader.leb_u32()) {
            (Ok(number), Ok(text), Ok(varint)) => Ok((number, text, varint)),
            (Err(error), ..) | (_, Err(error), _) | (.., Err(error)) => Err(error),
        }
    };
    assert_eq!(PARSED, Ok((0x0102, "hi", 300)));
}
