//! Bits of the compressed input, least significant first.

use super::error::{DecompressError, DecompressErrorKind};

/// A cursor over bits.
///
/// Past the end of the input it gives zeros, so that a loop need not ask for each symbol whether
/// there are bits for it: [`check`](Self::check) says afterwards whether there were.
///
/// What is not inlined takes it by value: a loop that has a copy of its own then keeps that in
/// registers.
#[derive(Clone, Copy)]
pub(super) struct Bits<'a> {
    /// The whole input.
    input: &'a [u8],
    /// What of it has not been loaded.
    rest: &'a [u8],
    /// Bits that have been loaded, the next one lowest. Above `count` there may be more of the
    /// input, which is loaded again to the same place.
    buffer: u64,
    /// How many bits of `buffer` count.
    count: u32,
    /// How many of its bytes, the last ones, stand for bytes that the input does not have.
    missing: u32,
}

impl<'a> Bits<'a> {
    pub(super) fn new(input: &'a [u8]) -> Self {
        Self { input, rest: input, buffer: 0, count: 0, missing: 0 }
    }

    /// Loads until at least 56 bits are there.
    #[inline(always)]
    pub(super) fn fill(&mut self) {
        if let Some(next) = self.rest.first_chunk() {
            self.buffer |= u64::from_le_bytes(*next) << self.count;
            // The whole bytes that fit: 7 or fewer.
            let loaded = (63 - self.count) / 8;
            if let Some((_, rest)) = self.rest.split_at_checked(loaded as usize) {
                self.rest = rest;
            }
            self.count |= 56;
        } else {
            *self = self.filled_near_the_end();
        }
    }

    #[cold]
    #[inline(never)]
    fn filled_near_the_end(mut self) -> Self {
        while self.count < 56 {
            if let Some((byte, rest)) = self.rest.split_first() {
                self.buffer |= u64::from(*byte) << self.count;
                self.rest = rest;
            } else {
                // Nine bytes are more than `buffer` has: once there, `is_over` stays true.
                self.missing = (self.missing + 1).min(9);
            }
            self.count += 8;
        }
        self
    }

    /// Loads unless at least `wanted` bits are there; at most 56 can be.
    #[inline(always)]
    pub(super) fn fill_to(&mut self, wanted: u32) {
        if self.count < wanted {
            self.fill();
        }
    }

    /// The next bits, of which as many count as were loaded.
    #[inline(always)]
    pub(super) fn peek(&self) -> u64 {
        self.buffer
    }

    /// Skips bits that were loaded.
    #[inline(always)]
    pub(super) fn skip(&mut self, count: u32) {
        self.buffer >>= count;
        self.count = self.count.wrapping_sub(count);
    }

    /// Takes up to 32 bits that were loaded.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "what is cut off is not asked for")]
    pub(super) fn take(&mut self, count: u32) -> u32 {
        let bits = self.buffer & !(u64::MAX << count);
        self.skip(count);
        bits as u32
    }

    /// Takes up to 32 bits and sees whether the input has them.
    pub(super) fn read(&mut self, count: u32) -> Result<u32, DecompressError> {
        self.fill_to(count);
        let bits = self.take(count);
        self.check()?;
        Ok(bits)
    }

    /// Takes up to 16 bits and sees whether the input has them.
    #[allow(clippy::cast_possible_truncation, reason = "no more is asked for")]
    pub(super) fn read_u16(&mut self, count: u32) -> Result<u16, DecompressError> {
        self.read(count).map(|bits| bits as u16)
    }

    /// Whether more bits were taken than the input has.
    #[inline(always)]
    pub(super) fn is_over(&self) -> bool {
        self.missing * 8 > self.count
    }

    /// An error if more bits were taken than the input has.
    #[inline(always)]
    pub(super) fn check(&self) -> Result<(), DecompressError> {
        if self.is_over() { Err(self.end()) } else { Ok(()) }
    }

    #[cold]
    fn end(self) -> DecompressError {
        DecompressError::new(self.input.len(), DecompressErrorKind::EndOfInput)
    }

    /// Skips to the next whole byte, and says whether what was skipped is zeros.
    pub(super) fn align(&mut self) -> bool {
        self.take(self.count % 8) == 0
    }

    /// Takes the next `len` bytes; the cursor has to be at a whole byte.
    pub(super) fn bytes(&mut self, len: usize) -> Result<&'a [u8], DecompressError> {
        let (_, next) = self.input.split_at_checked(self.position()).unwrap_or_default();
        let Some((bytes, rest)) = next.split_at_checked(len) else { return Err(self.end()) };
        (self.rest, self.buffer, self.count, self.missing) = (rest, 0, 0, 0);
        Ok(bytes)
    }

    /// What follows; the cursor has to be at a whole byte.
    pub(super) fn rest(self) -> &'a [u8] {
        self.input.get(self.position()..).unwrap_or_default()
    }

    /// Offset of the byte that has the next bit.
    pub(super) fn position(self) -> usize {
        let unread = self.count.div_ceil(8).saturating_sub(self.missing) as usize;
        self.input.len().saturating_sub(self.rest.len()).saturating_sub(unread)
    }

    /// The error of a rule that is broken here.
    #[cold]
    pub(super) fn corrupt(self, what: &'static str) -> DecompressError {
        self.error(DecompressErrorKind::Corrupt { what })
    }

    /// An error of `kind` here; where the input had already ended, that it has.
    #[cold]
    pub(super) fn error(self, kind: DecompressErrorKind) -> DecompressError {
        if self.is_over() { self.end() } else { DecompressError::new(self.position(), kind) }
    }
}
