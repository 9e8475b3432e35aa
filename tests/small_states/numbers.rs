//! Variable-length integers: every form of up to six bytes, as far as its bytes differ in what they mean.

use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::leb128::{
    decode_u32, decode_u32_lenient, decode_u64, decode_u64_lenient, encode_u32, encode_u64,
    len_u32, len_u64,
};

/// What stands at the start of `input`, by the table of bytes alone: seven bits each, until one that says
/// that it is the last.
fn model(input: &[u8], bits: u32, strict: bool) -> Result<(u64, usize), DecodeError> {
    let refused = |kind| Err(DecodeError::new(0, kind));
    let longest = usize::try_from(bits.div_ceil(7)).unwrap();
    let mut value: u128 = 0;
    for (at, byte) in input.iter().enumerate() {
        value |= u128::from(byte & 0x7f) << (7 * at);
        if value >> bits != 0 {
            return refused(DecodeErrorKind::VarintTooLong);
        }
        let is_last = byte & 0x80 == 0;
        if is_last && strict && at != 0 && *byte == 0 {
            return refused(DecodeErrorKind::OverlongVarint);
        }
        if is_last {
            return Ok((u64::try_from(value).unwrap(), at + 1));
        }
        if at + 1 == longest {
            return refused(DecodeErrorKind::VarintTooLong);
        }
    }
    let (needed, available) = (input.len() + 1, input.len());
    refused(DecodeErrorKind::EndOfInput { needed, available })
}

fn agree(input: &[u8]) {
    let wide = |result: Result<(u32, usize), DecodeError>| result.map(|(v, len)| (v.into(), len));
    assert_eq!(wide(decode_u32(input)), model(input, 32, true), "{input:02x?}");
    assert_eq!(wide(decode_u32_lenient(input)), model(input, 32, false), "{input:02x?}");
    assert_eq!(decode_u64(input), model(input, 64, true), "{input:02x?}");
    assert_eq!(decode_u64_lenient(input), model(input, 64, false), "{input:02x?}");
}

#[test]
fn all_forms_of_two_bytes() {
    agree(&[]);
    for first in 0..=u8::MAX {
        agree(&[first]);
        for second in 0..=u8::MAX {
            agree(&[first, second]);
        }
    }
}

/// No bits, the lowest, those that the fifth byte of 32 bits has room for, one more, and all; each with
/// and without a byte behind it.
const CLASSES: [u8; 10] = [0, 1, 0x0f, 0x10, 0x7f, 0x80, 0x81, 0x8f, 0x90, 0xff];

#[test]
fn all_forms_of_six_bytes_by_what_their_bits_mean() {
    /// `len` bytes stand; what may follow on them.
    fn follow(input: &mut [u8; 6], len: usize) {
        agree(&input[..len]);
        // Behind a last byte nothing is looked at, and one byte shows it.
        let is_over = len > 1 && input[len - 2] & 0x80 == 0;
        if len == input.len() || is_over {
            return;
        }
        for class in CLASSES {
            input[len] = class;
            follow(input, len + 1);
        }
    }
    follow(&mut [0; 6], 0);
}

/// The ends of 64 bits, behind bytes that are all alike.
#[test]
fn all_ends_of_long_forms_by_what_their_bits_mean() {
    for front in [0x80, 0x81, 0xff] {
        for len in 4..9 {
            let mut input = vec![front; len];
            for second in CLASSES {
                for last in CLASSES {
                    for behind in CLASSES {
                        input.extend([second, last, behind]);
                        agree(&input);
                        input.truncate(len);
                    }
                }
            }
        }
    }
}

#[test]
fn all_numbers_of_three_bytes_and_around_every_bit() {
    let around = |bit: u32| {
        let power = 1u64 << bit;
        (power.saturating_sub(70)..power).chain(power..power.saturating_add(70))
    };
    for value in (0..1 << 16).chain((16..64).flat_map(around)).chain([u64::MAX]) {
        let (bytes, len) = encode_u64(value);
        let shortest = (1..10).find(|len| value >> (7 * len) == 0).unwrap_or(10);
        assert_eq!((len, len_u64(value)), (shortest, shortest), "{value:#x}");
        assert_eq!(model(&bytes[..len], 64, true), Ok((value, len)));
        assert!(bytes[len..].iter().all(|byte| *byte == 0), "{value:#x}");
        if let Ok(small) = u32::try_from(value) {
            let (short, short_len) = encode_u32(small);
            assert_eq!((&short[..], short_len, len_u32(small)), (&bytes[..5], len, len));
        }
    }
}
