//! Strings of HPACK (RFC 7541 section 5.2).

use super::Stop;
use super::integer::integer;

/// A string as it stands in a header block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Text<'a> {
    /// Whether the bytes are Huffman coded.
    pub(super) huffman: bool,
    pub(super) bytes: &'a [u8],
}

/// Reads a string, and returns it with what stands behind it.
///
/// # Errors
///
/// [`Stop::Incomplete`] if the bytes end within the string, [`Stop::Wrong`] if its length is none.
#[cfg_attr(feature = "http-quick", inline(always))]
pub(super) fn string(bytes: &[u8]) -> Result<(Text<'_>, &[u8]), Stop> {
    let huffman = bytes.first().is_some_and(|first| first & 0x80 != 0);
    let (len, rest) = integer(bytes, 7)?;
    let Some((bytes, rest)) = rest.split_at_checked(len) else { return Err(Stop::Incomplete) };
    Ok((Text { huffman, bytes }, rest))
}
