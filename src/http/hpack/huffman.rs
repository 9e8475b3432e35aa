//! The Huffman code, read (RFC 7541 section 5.2).
//!
//! Codes of up to 8 bits, which is every letter and digit, come from one table of 256 entries. Longer
//! ones, and all of them without `http-quick`, are found by their length: the code is canonical, so below
//! a bound that belongs to its length a code is a place in the list of symbols.

use super::Wrong;
use crate::http::QUICK;
use crate::http::huffman::{CODES, LENGTHS};

/// Bits in a code of the table; the next longer ones have 10.
const SHORT: usize = 8;
/// Bits of the shortest code that is found by its length.
const SHORTEST: u32 = if QUICK { 10 } else { 5 };
const LONGEST: u32 = 30;
const LENGTHS_HERE: usize = (LONGEST + 1 - SHORTEST) as usize;

/// For each byte that bits may begin with: length of the code in the upper byte and its symbol in the
/// lower one, or zero if the code is longer.
const SHORT_CODES: [u16; 256] = short_codes();

#[allow(clippy::indexing_slicing, reason = "at compile time")]
const fn short_codes() -> [u16; 256] {
    let mut table = [0; 256];
    let mut symbol = 0_u8;
    loop {
        let length = LENGTHS[symbol as usize];
        if length as usize <= SHORT {
            let spare = SHORT - length as usize;
            let first = (CODES[symbol as usize] as usize) << spare;
            let mut at = first;
            while at < first + (1 << spare) {
                table[at] = u16::from_be_bytes([length, symbol]);
                at += 1;
            }
        }
        if symbol == u8::MAX {
            return table;
        }
        symbol += 1;
    }
}

/// Codes of one length.
#[derive(Clone, Copy)]
struct Codes {
    /// The first code of a greater length, in the upper bits.
    bound: u32,
    /// What has to be added to a code for its place among the symbols, without a carry.
    base: u32,
}

/// The codes with [`SHORTEST`] bits, one more and so on.
const LONG_CODES: [Codes; LENGTHS_HERE] = long_codes();

#[allow(clippy::indexing_slicing, reason = "at compile time")]
const fn long_codes() -> [Codes; LENGTHS_HERE] {
    let mut table = [Codes { bound: 0, base: 0 }; LENGTHS_HERE];
    let (mut length, mut code, mut place): (u32, u32, u32) = (1, 0, 0);
    while length <= LONGEST {
        let base = place.wrapping_sub(code);
        let mut symbol = 0;
        // Without the end of a string, which is the last.
        while symbol < 256 {
            if LENGTHS[symbol] as u32 == length {
                code += 1;
                place += 1;
            }
            symbol += 1;
        }
        if length >= SHORTEST {
            table[(length - SHORTEST) as usize] = Codes { bound: code << (32 - length), base };
        }
        code <<= 1;
        length += 1;
    }
    table
}

/// The bytes in the order of their codes. The end of a string would be the last, and is none.
const SYMBOLS: [u8; 256] = symbols();

#[allow(clippy::indexing_slicing, reason = "at compile time")]
const fn symbols() -> [u8; 256] {
    let mut symbols = [0; 256];
    let (mut length, mut place) = (1, 0);
    while length <= LONGEST {
        let mut symbol = 0_u8;
        loop {
            if LENGTHS[symbol as usize] as u32 == length {
                symbols[place] = symbol;
                place += 1;
            }
            if symbol == u8::MAX {
                break;
            }
            symbol += 1;
        }
        length += 1;
    }
    symbols
}

/// Gives each byte of the string to `take`, and returns how many there are.
///
/// # Errors
///
/// [`Wrong`] if the code of the end is in it, or if what fills up the last byte is longer than 7 bits or
/// has a zero. What was taken before stands.
pub(super) fn decode(mut bytes: &[u8], mut take: impl FnMut(u8)) -> Result<usize, Wrong> {
    // The bits that wait are the upper ones of `window`; zeros follow.
    let (mut window, mut bits): (u64, u32) = (0, 0);
    let mut len = 0;
    loop {
        while bits <= 56
            && let Some((byte, rest)) = bytes.split_first()
        {
            window |= u64::from(*byte) << (56 - bits);
            bits += 8;
            bytes = rest;
        }
        let short = if QUICK { SHORT_CODES.get((window >> 56) as usize) } else { None };
        let [length, symbol] = short.copied().unwrap_or_default().to_be_bytes();
        let (length, symbol) = if length == 0 {
            // All of it is in the upper half.
            long((window >> 32) as u32)?
        } else {
            (u32::from(length), symbol)
        };
        if length > bits {
            // Not a whole code: up to 7 ones.
            let filled = bits < 8 && window == !(u64::MAX.checked_shr(bits).unwrap_or_default());
            return if filled { Ok(len) } else { Err(Wrong) };
        }
        take(symbol);
        len += 1;
        window <<= length;
        bits -= length;
    }
}

/// Length and symbol of the code in the upper ones of 32 bits.
#[cold]
fn long(bits: u32) -> Result<(u32, u8), Wrong> {
    for (length, codes) in (SHORTEST..).zip(&LONG_CODES) {
        if bits < codes.bound {
            let place = (bits >> (32 - length)).wrapping_add(codes.base) as usize;
            return SYMBOLS.get(place).map(|symbol| (length, *symbol)).ok_or(Wrong);
        }
    }
    Err(Wrong)
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Result<([u8; 64], usize), Wrong> {
        let mut text = [0; 64];
        let mut at = 0;
        let len = decode(bytes, |byte| {
            text[at] = byte;
            at += 1;
        })?;
        assert_eq!(len, at);
        Ok((text, len))
    }

    #[test]
    fn every_byte_is_read_back_alone_and_between_others() {
        for byte in 0..=255 {
            for text in [&[byte][..], &[b'a', byte, 0xf9, byte, byte, b'/']] {
                let mut coded = [0; 64];
                let mut output = crate::http::output::Output::new(&mut coded);
                crate::http::huffman::encode(&mut output, &[text]);
                let len = output.len();
                let (read, count) = decoded(&coded[..len]).unwrap();
                assert_eq!(&read[..count], text, "{byte}");
            }
        }
    }

    #[test]
    fn bits_behind_the_last_code_are_up_to_seven_ones() {
        // "a" is 00011.
        assert!(decoded(&[0b0001_1111]).is_ok());
        assert_eq!(decoded(&[0b0001_1110]), Err(Wrong));
        assert_eq!(decoded(&[0b0001_1000]), Err(Wrong));
        assert_eq!(decoded(&[0b0001_1111, 0xff]), Err(Wrong), "11 bits");
        assert_eq!(decoded(&[0xff]), Err(Wrong), "8 bits");
        assert_eq!(decoded(&[0xff, 0xff, 0xff, 0xff]), Err(Wrong), "the end");
        assert_eq!(decoded(&[0xff, 0xff, 0xff, 0xfc]), Err(Wrong), "the end, then 00");
        assert_eq!(decoded(&[]).unwrap().1, 0);
    }
}
