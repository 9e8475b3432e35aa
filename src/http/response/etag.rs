//! Entity tags (RFC 9110 section 8.8.3).

/// The entity tag of a response.
#[derive(Clone, Copy, Debug)]
pub(super) enum Etag<'a> {
    None,
    /// Of the body, as hexadecimal digits.
    Hash([u8; 16]),
    /// Given, without the quotes.
    Text(&'a str),
}

impl Etag<'_> {
    /// What stands between the quotes; `None` if there is no tag.
    pub(super) const fn text(&self) -> Option<&[u8]> {
        match self {
            Self::None => None,
            Self::Hash(digits) => Some(digits),
            Self::Text(text) => Some(text.as_bytes()),
        }
    }

    /// Whether all bytes can stand between quotes.
    pub(super) const fn is_valid(&self) -> bool {
        let Some(mut text) = self.text() else {
            return true;
        };
        while let [byte, rest @ ..] = text {
            if !matches!(*byte, 0x21 | 0x23..=0x7e | 0x80..) {
                return false;
            }
            text = rest;
        }
        true
    }
}

/// The longest body whose tag is made from it.
///
/// The compiler gives up on what takes it longer than some two million steps; this is a tenth of that.
pub(super) const LONGEST: u64 = 65_536;

/// 64 bits of a body: two versions of one file differ in them, but for one time in 2^64.
///
/// It is no defence against somebody who wants them to be equal: who writes the body already says what
/// clients see.
pub(in crate::http) const fn hash(body: &[u8]) -> u64 {
    // Odd, and without a pattern: the digits of the golden ratio.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = FACTOR ^ body.len() as u64;
    let (mut words, rest) = body.as_chunks::<8>();
    while let [word, later @ ..] = words {
        state = mix(state ^ u64::from_le_bytes(*word), FACTOR);
        words = later;
    }
    let mut last: u64 = 0;
    let mut rest = rest;
    while let [before @ .., byte] = rest {
        last = last << 8 | *byte as u64;
        rest = before;
    }
    mix(mix(state ^ last, FACTOR), FACTOR)
}

/// A permutation: what differs before differs after, so a change of one word alone is always seen.
const fn mix(state: u64, factor: u64) -> u64 {
    let product = state.wrapping_mul(factor);
    product ^ product >> 29
}
