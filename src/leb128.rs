//! Variable-length integers, seven bits a byte, the least significant first (LEB128).
//!
//! | byte | bits 0 to 6 | bit 7 |
//! |---|---|---|
//! | every byte but the last | the next seven bits of the value | 1 |
//! | the last | the bits that are left | 0 |
//!
//! A `u32` takes 1 to 5 bytes and a `u64` 1 to 10. The encoder writes the shortest form. The strict
//! decoder accepts only that; the lenient one also accepts padding with zero bits, up to the
//! longest form of the type. Both are `const`.
//!
//! ```
//! use onewrite::leb128::{decode_u32, encode_u32};
//!
//! const THREE_HUNDRED: ([u8; 5], usize) = encode_u32(300);
//! assert_eq!(THREE_HUNDRED, ([0xac, 0x02, 0, 0, 0], 2));
//! assert_eq!(decode_u32(&[0xac, 0x02, 0xff]), Ok((300, 2)));
//! ```

use crate::error::{DecodeError, DecodeErrorKind};

/// Bytes in the longest form of a `u32`.
pub const MAX_LEN_U32: usize = 5;

/// Bytes in the longest form of a `u64`.
pub const MAX_LEN_U64: usize = 10;

/// Bytes in the shortest form of `value`: 1 to 5.
#[inline]
#[must_use]
pub const fn len_u32(value: u32) -> usize {
    len_u64(value as u64)
}

/// Bytes in the shortest form of `value`: 1 to 10.
#[inline]
#[must_use]
pub const fn len_u64(value: u64) -> usize {
    // Zero takes a byte as well, hence the lowest bit.
    let highest = u64::BITS - 1 - (value | 1).leading_zeros();
    // floor(highest / 7) + 1 for all below 64, without a division.
    ((highest * 9 + 73) >> 6) as usize
}

/// The shortest form of `value`, zero-filled, and its length.
#[inline]
#[must_use]
pub const fn encode_u32(value: u32) -> ([u8; MAX_LEN_U32], usize) {
    let (bytes, len) = encode_u64(value as u64);
    let [a, b, c, d, e, ..] = bytes;
    ([a, b, c, d, e], len)
}

/// The shortest form of `value`, zero-filled, and its length.
#[must_use]
pub const fn encode_u64(value: u64) -> ([u8; MAX_LEN_U64], usize) {
    let mut bytes = [0; MAX_LEN_U64];
    let mut rest = value;
    let mut len = 0;
    let mut tail: &mut [u8] = &mut bytes;
    while let Some((byte, after)) = tail.split_first_mut() {
        len += 1;
        let [low, ..] = rest.to_le_bytes();
        rest >>= 7;
        if rest == 0 {
            *byte = low;
            break;
        }
        *byte = low | MORE;
        tail = after;
    }
    (bytes, len)
}

/// The value at the start of `input` and its length in bytes; the shortest form only.
///
/// # Errors
///
/// At byte 0: `EndOfInput` if `input` ends before the value does, `OverlongVarint` if the value
/// has a shorter form, `VarintTooLong` if it does not fit a `u32`.
#[inline]
pub const fn decode_u32(input: &[u8]) -> Result<(u32, usize), DecodeError> {
    match decode(input, u32::BITS, true) {
        Ok((value, len)) => Ok((truncated(value), len)),
        Err(error) => Err(error),
    }
}

/// The value at the start of `input` and its length in bytes, zero bits at its end allowed.
///
/// # Errors
///
/// At byte 0: `EndOfInput` if `input` ends before the value does, `VarintTooLong` if the value
/// does not fit a `u32` or has more than 5 bytes.
#[inline]
pub const fn decode_u32_lenient(input: &[u8]) -> Result<(u32, usize), DecodeError> {
    match decode(input, u32::BITS, false) {
        Ok((value, len)) => Ok((truncated(value), len)),
        Err(error) => Err(error),
    }
}

/// The value at the start of `input` and its length in bytes; the shortest form only.
///
/// # Errors
///
/// At byte 0: `EndOfInput` if `input` ends before the value does, `OverlongVarint` if the value
/// has a shorter form, `VarintTooLong` if it does not fit a `u64`.
#[inline]
pub const fn decode_u64(input: &[u8]) -> Result<(u64, usize), DecodeError> {
    decode(input, u64::BITS, true)
}

/// The value at the start of `input` and its length in bytes, zero bits at its end allowed.
///
/// # Errors
///
/// At byte 0: `EndOfInput` if `input` ends before the value does, `VarintTooLong` if the value
/// does not fit a `u64` or has more than 10 bytes.
#[inline]
pub const fn decode_u64_lenient(input: &[u8]) -> Result<(u64, usize), DecodeError> {
    decode(input, u64::BITS, false)
}

const fn decode(input: &[u8], bits: u32, strict: bool) -> Result<(u64, usize), DecodeError> {
    let mut value: u64 = 0;
    let mut shift: u32 = 0;
    let mut len = 0;
    let mut rest = input;
    while let Some((&byte, after)) = rest.split_first() {
        let low = (byte & !MORE) as u64;
        // The last byte of a full-length value has room for fewer than seven bits.
        let room = bits - shift;
        if room < 7 && low >> room != 0 {
            return Err(DecodeError::new(0, DecodeErrorKind::VarintTooLong));
        }
        value |= low << shift;
        shift += 7;
        len += 1;
        if byte & MORE == 0 {
            if strict && byte == 0 && len > 1 {
                return Err(DecodeError::new(0, DecodeErrorKind::OverlongVarint));
            }
            return Ok((value, len));
        }
        if shift >= bits {
            return Err(DecodeError::new(0, DecodeErrorKind::VarintTooLong));
        }
        rest = after;
    }
    // How long it would have been is not known; it takes at least one byte more.
    let kind = DecodeErrorKind::EndOfInput { needed: len + 1, available: len };
    Err(DecodeError::new(0, kind))
}

/// A value of at most 32 bits as a `u32`.
#[inline]
const fn truncated(value: u64) -> u32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// Set in every byte but the last.
const MORE: u8 = 0x80;
