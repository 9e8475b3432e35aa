//! A record assembled by hand.

use super::put;

/// `N` bytes, zero until a field is put, for a record that has no type of its own.
///
/// Places are checked when the call is compiled, so assembling cannot fail. A new scratch for each
/// record is free and leaves nothing behind from the one before.
///
/// ```
/// use onewrite::record::Scratch;
///
/// const PING: [u8; 8] = {
///     let mut ping = Scratch::<8>::new();
///     ping.put::<0, 2>(1u16.to_be_bytes());
///     ping.put::<4, 4>(*b"ping");
///     ping.into_bytes()
/// };
/// assert_eq!(PING, *b"\0\x01\0\0ping");
/// ```
///
/// ```compile_fail,E0080
/// onewrite::record::Scratch::<8>::new().put::<7, 2>([0, 0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Scratch<const N: usize> {
    bytes: [u8; N],
}

impl<const N: usize> Scratch<N> {
    /// A scratch of zeros.
    #[inline(always)]
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: [0; N] }
    }

    /// Overwrites the `W` bytes that start at byte `AT`.
    #[inline(always)]
    pub const fn put<const AT: usize, const W: usize>(&mut self, bytes: [u8; W]) {
        put::<AT, W, N>(&mut self.bytes, bytes);
    }

    /// Zeroes every byte.
    #[inline(always)]
    pub const fn clear(&mut self) {
        self.bytes = [0; N];
    }

    /// The bytes as they stand.
    #[inline(always)]
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; N] {
        &self.bytes
    }

    /// The bytes by value, for use in a `const`.
    #[inline(always)]
    #[must_use]
    pub const fn into_bytes(self) -> [u8; N] {
        self.bytes
    }
}

impl<const N: usize> Default for Scratch<N> {
    fn default() -> Self {
        Self::new()
    }
}
