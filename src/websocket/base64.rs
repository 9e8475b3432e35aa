//! Base64 (RFC 4648 section 4) of a key and of a digest, each of one length.

/// The digits of `N` bytes, which are `DIGITS`, with `=` behind them.
#[must_use]
pub(super) const fn encode<const N: usize, const DIGITS: usize>(bytes: &[u8; N]) -> [u8; DIGITS] {
    const { assert!(DIGITS == N.div_ceil(3) * 4, "three bytes are four digits") }
    let mut digits = [b'='; DIGITS];
    let (mut to, _) = digits.as_chunks_mut::<4>();
    let mut from = bytes.as_slice();
    while let Some((four, later)) = to.split_first_mut() {
        let rest = match from {
            [a, b, c, rest @ ..] => {
                *four = quad(*a, *b, *c);
                rest
            }
            [a, b] => {
                let [first, second, third, _] = quad(*a, *b, 0);
                *four = [first, second, third, b'='];
                &[]
            }
            [a] => {
                let [first, second, ..] = quad(*a, 0, 0);
                *four = [first, second, b'=', b'='];
                &[]
            }
            [] => &[],
        };
        (to, from) = (later, rest);
    }
    digits
}

/// Whether `digits` are those of sixteen bytes.
///
/// The four bits that are left of the last digit may be anything: in the example of RFC 6455 section
/// 4.1 they are not zero.
#[must_use]
pub(super) fn is_sixteen_bytes(digits: &[u8; 24]) -> bool {
    let [front @ .., pad, last] = digits;
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    front.iter().all(is_digit) && [*pad, *last] == [b'='; 2]
}

/// The digits of three bytes.
const fn quad(a: u8, b: u8, c: u8) -> [u8; 4] {
    [digit(a >> 2), digit((a << 4) | (b >> 4)), digit((b << 2) | (c >> 6)), digit(c)]
}

/// The digit of the low six bits of `value`.
const fn digit(value: u8) -> u8 {
    match value & 63 {
        upper @ 0..26 => b'A' + upper,
        lower @ 26..52 => b'a' + (lower - 26),
        number @ 52..62 => b'0' + (number - 52),
        62 => b'+',
        _ => b'/',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4648 section 10.
    #[test]
    fn digits_are_those_of_the_rfc() {
        assert_eq!(encode(b""), *b"");
        assert_eq!(encode(b"f"), *b"Zg==");
        assert_eq!(encode(b"fo"), *b"Zm8=");
        assert_eq!(encode(b"foo"), *b"Zm9v");
        assert_eq!(encode(b"foob"), *b"Zm9vYg==");
        assert_eq!(encode(b"fooba"), *b"Zm9vYmE=");
        assert_eq!(encode(b"foobar"), *b"Zm9vYmFy");
        assert_eq!(encode(&[0xfb, 0xff, 0xbf]), *b"+/+/");
    }
}
