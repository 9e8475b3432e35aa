//! Variable-length integers: exact bytes, both decoders, every truncation.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use hex_literal::hex;
use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::leb128::{
    MAX_LEN_U32, MAX_LEN_U64, decode_u32, decode_u32_lenient, decode_u64, decode_u64_lenient,
    encode_u32, encode_u64, len_u32, len_u64,
};

/// Values and their shortest forms, worked out by hand from the byte table.
const VECTORS: &[(u64, &[u8])] = &[
    (0, &hex!("00")),
    (1, &hex!("01")),
    (0x7f, &hex!("7f")),
    (0x80, &hex!("80 01")),
    (300, &hex!("ac 02")),
    (0x3fff, &hex!("ff 7f")),
    (0x4000, &hex!("80 80 01")),
    (0x1f_ffff, &hex!("ff ff 7f")),
    (0x20_0000, &hex!("80 80 80 01")),
    (0x0fff_ffff, &hex!("ff ff ff 7f")),
    (0x1000_0000, &hex!("80 80 80 80 01")),
    (0xffff_ffff, &hex!("ff ff ff ff 0f")),
    (0x1_0000_0000, &hex!("80 80 80 80 10")),
    (0x7f_ffff_ffff, &hex!("ff ff ff ff ff 0f")),
    (0x7fff_ffff_ffff_ffff, &hex!("ff ff ff ff ff ff ff ff 7f")),
    (0x8000_0000_0000_0000, &hex!("80 80 80 80 80 80 80 80 80 01")),
    (0xffff_ffff_ffff_ffff, &hex!("ff ff ff ff ff ff ff ff ff 01")),
];

fn error<T>(kind: DecodeErrorKind) -> Result<T, DecodeError> {
    Err(DecodeError::new(0, kind))
}

#[test]
fn vectors_hold_both_ways_and_end_early_at_every_byte() {
    for &(value, bytes) in VECTORS {
        let (encoded, len) = encode_u64(value);
        assert_eq!(&encoded[..len], bytes);
        assert_eq!(encoded[len..], [0; MAX_LEN_U64][len..]);
        assert_eq!(len_u64(value), len);
        let followed = [bytes, &[0xff]].concat();
        assert_eq!(decode_u64(&followed), Ok((value, len)));
        assert_eq!(decode_u64_lenient(&followed), Ok((value, len)));
        if let Ok(small) = u32::try_from(value) {
            let (encoded, len) = encode_u32(small);
            assert_eq!(&encoded[..len], bytes);
            assert_eq!(len_u32(small), len);
            assert_eq!(decode_u32(&followed), Ok((small, len)));
            assert_eq!(decode_u32_lenient(&followed), Ok((small, len)));
        } else {
            assert_eq!(decode_u32(&followed), error(DecodeErrorKind::VarintTooLong));
            assert_eq!(decode_u32_lenient(&followed), error(DecodeErrorKind::VarintTooLong));
        }
        for cut in 0..bytes.len() {
            let kind = DecodeErrorKind::EndOfInput { needed: cut + 1, available: cut };
            assert_eq!(decode_u64(&bytes[..cut]), error(kind));
            assert_eq!(decode_u64_lenient(&bytes[..cut]), error(kind));
            if cut < MAX_LEN_U32 && u32::try_from(value).is_ok() {
                assert_eq!(decode_u32(&bytes[..cut]), error(kind));
            }
        }
    }
}

#[test]
fn every_boundary_round_trips() {
    for bit in 0..64 {
        for value in [1 << bit, (1 << bit) - 1, (1u64 << bit).wrapping_neg()] {
            let (bytes, len) = encode_u64(value);
            assert_eq!(decode_u64(&bytes[..len]), Ok((value, len)));
            assert_eq!(len, len_u64(value));
            let small = u32::try_from(value & 0xffff_ffff).unwrap();
            let (bytes, len) = encode_u32(small);
            assert_eq!(decode_u32(&bytes[..len]), Ok((small, len)));
        }
    }
}

#[test]
fn only_the_lenient_decoder_takes_padding() {
    for (value, bytes) in [
        (0, &hex!("80 00")[..]),
        (0, &hex!("80 80 80 80 00")),
        (1, &hex!("81 00")),
        (300, &hex!("ac 82 00")),
        (0x7f, &hex!("ff 80 80 80 00")),
    ] {
        assert_eq!(decode_u32(bytes), error(DecodeErrorKind::OverlongVarint));
        assert_eq!(decode_u64(bytes), error(DecodeErrorKind::OverlongVarint));
        assert_eq!(decode_u32_lenient(bytes), Ok((value, bytes.len())));
        assert_eq!(decode_u64_lenient(bytes), Ok((u64::from(value), bytes.len())));
    }
    let ten = hex!("81 80 80 80 80 80 80 80 80 00");
    assert_eq!(decode_u64_lenient(&ten), Ok((1, 10)));
    assert_eq!(decode_u64(&ten), error(DecodeErrorKind::OverlongVarint));
}

#[test]
fn neither_decoder_takes_more_than_the_type_holds() {
    for bytes in [
        &hex!("ff ff ff ff 10")[..], // 33 bits
        &hex!("80 80 80 80 7f"),
        &hex!("80 80 80 80 80 00"), // a sixth byte
        &hex!("ff ff ff ff 8f"),    // a sixth byte is announced
        &hex!("ff ff ff ff ff ff"),
    ] {
        assert_eq!(decode_u32(bytes), error(DecodeErrorKind::VarintTooLong));
        assert_eq!(decode_u32_lenient(bytes), error(DecodeErrorKind::VarintTooLong));
    }
    for bytes in [
        &hex!("ff ff ff ff ff ff ff ff ff 02")[..], // 65 bits
        &hex!("80 80 80 80 80 80 80 80 80 7f"),
        &hex!("80 80 80 80 80 80 80 80 80 80 00"), // an eleventh byte
        &hex!("ff ff ff ff ff ff ff ff ff 81"),    // an eleventh byte is announced
    ] {
        assert_eq!(decode_u64(bytes), error(DecodeErrorKind::VarintTooLong));
        assert_eq!(decode_u64_lenient(bytes), error(DecodeErrorKind::VarintTooLong));
    }
}

#[test]
fn everything_stands_in_a_const() {
    const BYTES: ([u8; 5], usize) = encode_u32(624_485);
    const VALUE: Result<(u32, usize), DecodeError> = decode_u32(&BYTES.0);
    const LEN: usize = len_u64(u64::MAX);
    assert_eq!(BYTES, (hex!("e5 8e 26 00 00"), 3));
    assert_eq!(VALUE, Ok((624_485, 3)));
    assert_eq!(LEN, 10);
}
