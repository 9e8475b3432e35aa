//! Numbers as they are written.

/// A number, as it is written.
///
/// What a number is worth depends on who reads it (RFC 8259 section 6), so nothing is made of it before it
/// is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Number<'a> {
    /// Checked.
    pub(super) raw: &'a str,
}

impl<'a> Number<'a> {
    /// A number of digits alone.
    pub(in crate::circuit) const fn of_digits(raw: &'a str) -> Self {
        Self { raw }
    }

    /// Its digits, sign, fraction and exponent.
    #[must_use]
    pub const fn raw(&self) -> &'a str {
        self.raw
    }

    /// The number, if it is written with digits alone and fits.
    #[must_use]
    pub fn to_u64(self) -> Option<u64> {
        let mut value = 0u64;
        for byte in self.raw.bytes() {
            value = value.checked_mul(10)?.checked_add(u64::from(digit(byte)?))?;
        }
        Some(value)
    }

    /// The number, if it is written with digits, perhaps a minus in front, and fits.
    #[must_use]
    pub fn to_i64(self) -> Option<i64> {
        let (digits, sign) = match self.raw.as_bytes() {
            [b'-', digits @ ..] => (digits, -1),
            digits => (digits, 1),
        };
        let mut value = 0i64;
        for byte in digits {
            // Towards its sign from the start, so that the smallest one fits as well.
            value = value.checked_mul(10)?.checked_add(sign * i64::from(digit(*byte)?))?;
        }
        Some(value)
    }

    /// The number without its fraction, if it has no exponent and fits: a browser's coordinates.
    ///
    /// `-0.5` is 0.
    #[must_use]
    pub fn truncated(self) -> Option<i64> {
        // An exponent would move the point.
        if self.raw.bytes().any(|byte| matches!(byte, b'e' | b'E')) {
            return None;
        }
        let point = self.raw.bytes().position(|byte| byte == b'.').unwrap_or(self.raw.len());
        Self { raw: self.raw.get(..point)? }.to_i64()
    }
}

const fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        _ => None,
    }
}
