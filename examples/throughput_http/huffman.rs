//! The Huffman code of HPACK (RFC 7541 appendix B) for text: its printable bytes, in which nearly all
//! values of header fields are.

use crate::output::Output;

/// Bits of the codes of the bytes from the space up to `~`.
#[rustfmt::skip]
const LENGTHS: [u8; 95] = [
    6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6,
    12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19,
    13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15,
    11, 14, 13,
];

const FIRST: u8 = b' ';

/// The code of each byte, and its length; a length of zero where there is none here.
static CODES: [(u32, u8); 256] = codes();

/// The code is canonical: codes of one length are consecutive, in the order of their bytes.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
const fn codes() -> [(u32, u8); 256] {
    let mut codes = [(0, 0); 256];
    let (mut length, mut next) = (1, 0);
    while length <= 19 {
        // Of all others only the zero byte has a code as short, and it is the first of its length.
        if length == 13 {
            next += 1;
        }
        let mut at = 0;
        while at < LENGTHS.len() {
            if LENGTHS[at] == length {
                codes[at + FIRST as usize] = (next, length);
                next += 1;
            }
            at += 1;
        }
        length += 1;
        next <<= 1;
    }
    codes
}

/// Bytes that a text takes; `None` if it has other bytes.
#[inline(always)]
pub(crate) fn encoded_len(text: &[u8]) -> Option<usize> {
    let (mut bits, mut all) = (0, true);
    for byte in text {
        let (_, length) = CODES.get(usize::from(*byte))?;
        bits += usize::from(*length);
        all &= *length != 0;
    }
    all.then_some(bits.div_ceil(8))
}

/// Puts a text that takes `len` bytes.
#[inline(always)]
pub(crate) fn encode(output: &mut Output<'_>, text: &[u8], len: usize) -> Option<()> {
    let (mut words, tail) = output.rest().get_mut(..len)?.as_chunks_mut::<4>();
    // At most 31 bits wait for the next code, which has at most 19.
    let (mut waiting, mut bits): (u64, u32) = (0, 0);
    for byte in text {
        let (code, length) = CODES.get(usize::from(*byte))?;
        waiting = waiting << length | u64::from(*code);
        bits += u32::from(*length);
        if bits >= 32 {
            bits -= 32;
            let [_, _, _, _, word @ ..] = (waiting >> bits).to_be_bytes();
            let (to, rest) = words.split_first_mut()?;
            *to = word;
            words = rest;
        }
    }
    // Ones up to the end of the last byte.
    let padding = 63 - bits;
    let last = ((waiting << 1 | 1) << padding | ((1 << padding) - 1)).to_be_bytes();
    let rest = words.as_flattened_mut().iter_mut().chain(tail);
    for (to, byte) in rest.zip(last) {
        *to = byte;
    }
    output.advance(len);
    Some(())
}
