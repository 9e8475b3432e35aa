//! Memory for code tables.

#[cfg(any(feature = "gzip", feature = "brotli"))]
use super::arena::Arena;

/// Words of [`Tables`] where no other number is asked for: 8 KiB.
///
/// Enough for any gzip member, and for whatever brotli makes with one code each for literals,
/// commands and distances, as SpacetimeDB's servers have it do.
pub const DEFAULT_WORDS: usize = 4096;

/// Memory that a decoder builds its code tables in, 2 bytes a word.
///
/// What stands in it means nothing from one call to the next, so that one serves all connections;
/// keep it in a `static` where the stack is small. See [`gzip`](super::gzip) and
/// [`brotli`](super::brotli) for how many words they want.
#[derive(Clone, Debug)]
pub struct Tables<const WORDS: usize = DEFAULT_WORDS> {
    #[cfg_attr(not(any(feature = "gzip", feature = "brotli")), expect(dead_code))]
    words: [u16; WORDS],
}

impl<const WORDS: usize> Tables<WORDS> {
    /// Bytes that the tables occupy.
    pub const SIZE: usize = size_of::<Self>();

    /// Tables for one call after the other.
    #[must_use]
    pub const fn new() -> Self {
        Self { words: [0; WORDS] }
    }

    /// All of it, free.
    #[cfg(any(feature = "gzip", feature = "brotli"))]
    pub(super) fn arena(&mut self) -> Arena<'_> {
        Arena::new(&mut self.words)
    }
}

impl<const WORDS: usize> Default for Tables<WORDS> {
    fn default() -> Self {
        Self::new()
    }
}
