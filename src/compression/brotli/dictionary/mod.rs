//! References to the format's dictionary (RFC 7932, section 8).

#[cfg(all(feature = "brotli-dictionary", not(target_pointer_width = "16")))]
mod words;
#[cfg(all(feature = "brotli-dictionary", target_pointer_width = "16"))]
const _: () = panic!(
    "the feature `brotli-dictionary` has 122,784 bytes in one piece, which 16-bit pointers do not \
     reach: build without it, and `brotli` still reads what SpacetimeDB's servers send"
);

use crate::compression::bits::Bits;
use crate::compression::error::{DecompressError, DecompressErrorKind};
use crate::compression::output::Output;

/// Adds a word of some length and index, changed in one of the ways, to the output, and returns how
/// long it has become there; none where there is no room.
pub(super) type Words = fn(&mut Output<'_>, usize, usize, usize) -> Option<u32>;

/// The words, if this build has them.
#[cfg(all(feature = "brotli-dictionary", not(target_pointer_width = "16")))]
pub(super) const BUILT_IN: Option<Words> = Some(words::add);
#[cfg(not(all(feature = "brotli-dictionary", not(target_pointer_width = "16"))))]
pub(super) const BUILT_IN: Option<Words> = None;

/// Of each length, how many bits number the words.
const BITS: [u8; LONGEST + 1] =
    [0, 0, 0, 0, 10, 10, 11, 11, 10, 10, 10, 10, 10, 9, 9, 8, 7, 7, 8, 7, 7, 6, 6, 5, 5];
const LONGEST: usize = 24;
/// What can become of a word.
const CHANGES: usize = 121;

/// Adds word `number` of length `len` to `out`, and returns how long it has become.
#[cold]
#[inline(never)]
pub(super) fn add(
    words: Option<Words>,
    len: u32,
    number: u32,
    bits: Bits<'_>,
    out: &mut Output<'_>,
) -> Result<u32, DecompressError> {
    let index_bits = BITS.get(len as usize).copied().unwrap_or_default();
    let change = usize::try_from(number >> index_bits).unwrap_or(usize::MAX);
    if index_bits == 0 || change >= CHANGES {
        return Err(bits.corrupt("brotli distance"));
    }
    let index = number as usize & ((1 << index_bits) - 1);
    let Some(words) = words else {
        return Err(bits.error(DecompressErrorKind::NeedsDictionary));
    };
    words(out, len as usize, index, change).ok_or_else(|| bits.corrupt("length of a brotli copy"))
}
