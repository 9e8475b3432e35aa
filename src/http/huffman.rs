//! The Huffman code of HPACK (RFC 7541 section 5.2 and appendix B).
//!
//! The code is canonical: codes of one length are consecutive, in the order of their symbols, and the
//! lengths are all that has to be written down.

use super::output::Output;

/// Bits of the code of each byte, and of the end of a string.
#[rustfmt::skip]
pub(super) const LENGTHS: [u8; 257] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5,
    6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
    6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23,
    23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20,
    22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22,
    22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26,
    27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25,
    25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
];

/// The code of each symbol, in its lowest bits.
pub(super) const CODES: [u32; 257] = codes();

#[allow(clippy::indexing_slicing, reason = "at compile time")]
const fn codes() -> [u32; 257] {
    let mut codes = [0; 257];
    let (mut length, mut next) = (1, 0);
    while length <= 30 {
        let mut symbol = 0;
        while symbol < 257 {
            if LENGTHS[symbol] == length {
                codes[symbol] = next;
                next += 1;
            }
            symbol += 1;
        }
        length += 1;
        next <<= 1;
    }
    codes
}

/// Bytes that the coded text takes, which comes in parts.
pub(super) const fn encoded_len(mut parts: &[&[u8]]) -> usize {
    let mut bits: usize = 0;
    while let [part, others @ ..] = parts {
        let mut text = *part;
        while let [byte, rest @ ..] = text {
            bits = bits.saturating_add(of(&LENGTHS, *byte) as usize);
            text = rest;
        }
        parts = others;
    }
    bits.div_ceil(8)
}

/// Puts a text, which comes in parts, coded, and ones up to the end of the last byte.
pub(super) const fn encode(output: &mut Output<'_>, mut parts: &[&[u8]]) {
    // At most 7 bits wait for the next code, which has at most 30.
    let (mut waiting, mut bits): (u64, u32) = (0, 0);
    while let [part, others @ ..] = parts {
        let mut text = *part;
        while let [byte, rest @ ..] = text {
            let length = of(&LENGTHS, *byte) as u32;
            waiting = waiting << length | of(&CODES, *byte) as u64;
            bits += length;
            while bits >= 8 {
                bits -= 8;
                let [.., low] = (waiting >> bits).to_be_bytes();
                output.byte(low);
            }
            text = rest;
        }
        parts = others;
    }
    if bits > 0 {
        let [.., low] = (waiting << (8 - bits) | 0xff >> bits).to_be_bytes();
        output.byte(low);
    }
}

/// What `table` has for `byte`. There are fewer bytes than symbols, so it has something.
const fn of<T: Copy>(table: &[T; 257], byte: u8) -> T {
    match table.split_at_checked(byte as usize) {
        Some((_, [entry, ..])) => *entry,
        _ => {
            let [entry, ..] = table;
            *entry
        }
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    use hex_literal::hex;

    use super::{CODES, LENGTHS, Output, encode, encoded_len};

    /// RFC 7541 appendix C.4 and C.6.
    #[test]
    fn strings_of_the_appendix_are_coded_as_there() {
        check("www.example.com", &hex!("f1e3c2e5 f23a6ba0 ab90f4ff"));
        check("no-cache", &hex!("a8eb1064 9cbf"));
        check("custom-key", &hex!("25a849e9 5ba97d7f"));
        check("custom-value", &hex!("25a849e9 5bb8e8b4 bf"));
        check("302", &hex!("6402"));
        check("private", &hex!("aec3771a 4b"));
        check(
            "Mon, 21 Oct 2013 20:13:21 GMT",
            &hex!("d07abe94 1054d444 a8200595 040b8166 e082a62d 1bff"),
        );
        check("https://www.example.com", &hex!("9d29ad17 1863c78f 0b97c8e9 ae82ae43 d3"));
        check("307", &hex!("640eff"));
        check("gzip", &hex!("9bd9ab"));
        check(
            "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
            &hex!(
                "94e7821d d7f2e6c7 b335dfdf cd5b3960 d5af2708 7f3672c1 ab270fb5"
                "291f9587 316065c0 03ed4ee5 b1063d50 07"
            ),
        );
        check("", &[]);
    }

    /// Each code of appendix B begins where the one in front of it ends: none is the start of another,
    /// and none is left over.
    #[test]
    fn the_code_is_complete() {
        let mut codes = [(0_u64, 0_u64); 257];
        for (place, (code, bits)) in codes.iter_mut().zip(CODES.iter().zip(LENGTHS)) {
            *place = (u64::from(*code) << (30 - bits), 1 << (30 - bits));
        }
        codes.sort_unstable();
        let mut next = 0;
        for (start, width) in codes {
            assert_eq!(start, next);
            next += width;
        }
        assert_eq!(next, 1 << 30);
        // The end of a string, which is never sent: all ones, as is what fills the last byte.
        assert_eq!((CODES[256], LENGTHS[256]), (0x3fff_ffff, 30));
    }

    fn check(text: &str, coded: &[u8]) {
        // In one part and in two.
        for at in 0..=text.len() {
            let (a, b) = text.as_bytes().split_at(at);
            let mut bytes = [0xa5; 64];
            let mut output = Output::new(&mut bytes);
            encode(&mut output, &[a, b]);
            let len = output.len();
            assert_eq!(bytes[..len], *coded, "{text}");
            assert_eq!(encoded_len(&[a, b]), len, "{text}");
        }
    }
}
