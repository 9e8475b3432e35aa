//! Names of header fields that are spelled out.

use super::string::Text;
use super::token::Kind;
use super::{Wrong, huffman};

/// No name that is known is longer.
const LONGEST: usize = 32;

/// What a name means, and its length.
///
/// # Errors
///
/// [`Wrong`] if the Huffman code is.
pub(super) fn classify(text: Text<'_>) -> Result<(Kind, usize), Wrong> {
    if text.huffman { coded(text.bytes) } else { Ok((name(text.bytes), text.bytes.len())) }
}

#[inline(never)]
fn coded(bytes: &[u8]) -> Result<(Kind, usize), Wrong> {
    let mut start = [0; LONGEST];
    let mut slots = start.iter_mut();
    let mut allowed = true;
    let len = huffman::decode(bytes, |byte| match slots.next() {
        Some(slot) => *slot = byte,
        None => allowed &= is_allowed(byte),
    })?;
    let name = name(start.get(..len).unwrap_or(&start));
    Ok((if allowed { name } else { Kind::WRONG }, len))
}

/// Names that mean something; those of RFC 9113 section 8.2.2, and the empty one, cannot be.
static KNOWN: [(&[u8], Kind); 13] = [
    (b":method", Kind::METHOD),
    (b":path", Kind::PATH),
    (b":scheme", Kind::SCHEME),
    (b":authority", Kind::AUTHORITY),
    (b"content-length", Kind::CONTENT_LENGTH),
    (b"if-none-match", Kind::IF_NONE_MATCH),
    (b"te", Kind::TE),
    (b"connection", Kind::WRONG),
    (b"keep-alive", Kind::WRONG),
    (b"proxy-connection", Kind::WRONG),
    (b"transfer-encoding", Kind::WRONG),
    (b"upgrade", Kind::WRONG),
    (b"", Kind::WRONG),
];

/// What a name means that is not coded.
pub(super) fn name(name: &[u8]) -> Kind {
    match KNOWN.iter().find(|(known, _)| *known == name) {
        Some((_, kind)) => *kind,
        None if name.iter().all(|byte| is_allowed(*byte)) => Kind::OTHER,
        None => Kind::WRONG,
    }
}

/// Whether a name may have this byte (RFC 9113 section 8.2.1). A colon begins only pseudo-headers.
fn is_allowed(byte: u8) -> bool {
    byte > b' ' && byte < 0x7f && !byte.is_ascii_uppercase() && byte != b':'
}
