//! Bytes that are written one behind the other.

use core::fmt;

/// Where they go.
#[derive(Debug)]
pub(crate) struct Output<'o> {
    bytes: &'o mut [u8],
    at: usize,
}

impl<'o> Output<'o> {
    pub(crate) const fn new(bytes: &'o mut [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Bytes that were written.
    pub(crate) const fn len(&self) -> usize {
        self.at
    }

    /// The bytes that were written.
    pub(crate) fn written(&self) -> &[u8] {
        self.bytes.get(..self.at).unwrap_or_default()
    }

    /// Everything that was written and that can be.
    pub(crate) fn all(&mut self) -> &mut [u8] {
        self.bytes
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, part: &[u8]) -> Option<()> {
        self.bytes.get_mut(self.at..)?.get_mut(..part.len())?.copy_from_slice(part);
        self.at += part.len();
        Some(())
    }

    #[inline(always)]
    pub(crate) fn byte(&mut self, byte: u8) -> Option<()> {
        *self.bytes.get_mut(self.at)? = byte;
        self.at += 1;
        Some(())
    }

    /// The bytes that are not written yet.
    #[inline(always)]
    pub(crate) fn rest(&mut self) -> &mut [u8] {
        self.bytes.get_mut(self.at..).unwrap_or_default()
    }

    /// Takes the first `len` bytes of [`Self::rest`] as written.
    #[inline(always)]
    pub(crate) const fn advance(&mut self, len: usize) {
        self.at += len;
    }
}

impl fmt::Write for Output<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.put(part.as_bytes()).ok_or(fmt::Error)
    }
}

/// A number in digits.
#[derive(Debug)]
pub(crate) struct Decimal {
    digits: [u8; 10],
    at: usize,
}

impl Decimal {
    #[inline(always)]
    pub(crate) fn new(mut number: u32) -> Self {
        let mut decimal = Self { digits: [b'0'; 10], at: 10 };
        for (at, digit) in decimal.digits.iter_mut().enumerate().rev() {
            let [low, ..] = (number % 10).to_le_bytes();
            *digit = b'0' + low;
            number /= 10;
            decimal.at = at;
            if number == 0 {
                break;
            }
        }
        decimal
    }

    #[inline(always)]
    pub(crate) fn text(&self) -> &[u8] {
        self.digits.get(self.at..).unwrap_or_default()
    }
}
