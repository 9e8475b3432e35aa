//! Memory for code tables, given out.

use super::bits::Bits;
use super::error::{DecompressError, DecompressErrorKind};

/// The words of some tables, given out from the front.
pub(super) struct Arena<'t> {
    words: &'t mut [u16],
    used: usize,
}

impl<'t> Arena<'t> {
    pub(super) fn new(words: &'t mut [u16]) -> Self {
        Self { words, used: 0 }
    }

    /// Frees everything that was given out since `used` words were.
    pub(super) fn free_to(&mut self, used: usize) {
        self.used = used;
    }

    /// Words that are given out.
    #[cfg(feature = "brotli")]
    pub(super) fn used(&self) -> usize {
        self.used
    }

    /// Gives out `len` words, which start at the returned one.
    pub(super) fn take(&mut self, len: usize, bits: &Bits<'_>) -> Result<usize, DecompressError> {
        let start = self.used;
        // Lengths are of single tables, far from what a usize counts.
        let at_least = start.saturating_add(len);
        if at_least > self.words.len() {
            return Err(bits.error(DecompressErrorKind::TablesTooSmall { at_least }));
        }
        self.used = at_least;
        Ok(start)
    }

    /// The words from `start` on.
    #[inline(always)]
    pub(super) fn words(&self, start: usize) -> &[u16] {
        self.words.get(start..).unwrap_or_default()
    }

    /// The `len` words from `start` on; none where there are fewer.
    #[cfg(feature = "brotli")]
    #[inline(always)]
    pub(super) fn part(&self, start: usize, len: usize) -> &[u16] {
        self.words(start).get(..len).unwrap_or_default()
    }

    /// The words from `start` on that are given out.
    #[inline(always)]
    pub(super) fn given(&mut self, start: usize) -> &mut [u16] {
        self.words.get_mut(start..self.used).unwrap_or_default()
    }
}
