//! Integers of 256 bits.

use super::{Decode, Encode, Output};
use crate::error::DecodeError;
use crate::reader::Reader;
use crate::record::Bounded;

/// An unsigned integer of 256 bits: 32 bytes, least significant first.
///
/// It is kept as its bytes; there is no arithmetic. Order is that of the numbers.
///
/// ```
/// use onewrite::bsatn::U256;
///
/// assert_eq!(U256::from(1u128).to_le_bytes()[..2], [1, 0]);
/// assert!(U256::from_be_bytes([1; 32]) > U256::from(u128::MAX));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct U256([u8; 32]);

impl U256 {
    /// The number with these bytes, least significant first, as on the wire.
    #[must_use]
    pub const fn from_le_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The number with these bytes, most significant first, as people write it.
    #[must_use]
    pub const fn from_be_bytes(bytes: [u8; 32]) -> Self {
        Self(reversed(bytes))
    }

    /// The bytes, least significant first.
    #[must_use]
    pub const fn to_le_bytes(self) -> [u8; 32] {
        self.0
    }

    /// The bytes, most significant first.
    #[must_use]
    pub const fn to_be_bytes(self) -> [u8; 32] {
        reversed(self.0)
    }
}

impl From<u128> for U256 {
    fn from(value: u128) -> Self {
        Self(extended(value.to_le_bytes(), 0))
    }
}

impl Ord for U256 {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl PartialOrd for U256 {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// A signed integer of 256 bits: 32 bytes in two's complement, least significant first.
///
/// It is kept as its bytes; there is no arithmetic. Order is that of the numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct I256([u8; 32]);

impl I256 {
    /// The number with these bytes, least significant first, as on the wire.
    #[must_use]
    pub const fn from_le_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The number with these bytes, most significant first.
    #[must_use]
    pub const fn from_be_bytes(bytes: [u8; 32]) -> Self {
        Self(reversed(bytes))
    }

    /// The bytes, least significant first.
    #[must_use]
    pub const fn to_le_bytes(self) -> [u8; 32] {
        self.0
    }

    /// The bytes, most significant first.
    #[must_use]
    pub const fn to_be_bytes(self) -> [u8; 32] {
        reversed(self.0)
    }

    /// Whether the number is less than zero.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        let [.., last] = self.0;
        last >= 0x80
    }
}

impl From<i128> for I256 {
    fn from(value: i128) -> Self {
        Self(extended(value.to_le_bytes(), if value < 0 { 0xff } else { 0 }))
    }
}

impl Ord for I256 {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        // In two's complement numbers of one sign have the order of their bits.
        let by_sign = other.is_negative().cmp(&self.is_negative());
        by_sign.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl PartialOrd for I256 {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Sixteen bytes, and sixteen more that are all `above`.
fn extended(low: [u8; 16], above: u8) -> [u8; 32] {
    let mut bytes = [above; 32];
    if let Some(slot) = bytes.first_chunk_mut() {
        *slot = low;
    }
    bytes
}

/// The bytes in the opposite order.
pub(super) const fn reversed<const N: usize>(bytes: [u8; N]) -> [u8; N] {
    let mut out = [0; N];
    let (mut from, mut to): (&[u8], &mut [u8]) = (&bytes, &mut out);
    while let ([byte, later @ ..], [front @ .., slot]) = (from, to) {
        *slot = *byte;
        (from, to) = (later, front);
    }
    out
}

/// Values that are arrays of bytes on the wire, as they are in memory.
macro_rules! array_of_bytes {
    ($($name:ident $size:literal)*) => {$(
        impl Bounded for $name {
            const MIN_SIZE: usize = $size;
            const MAX_SIZE: usize = $size;
        }

        impl Encode for $name {
            const MIN_SIZE: usize = $size;
            const MAX_SIZE: usize = $size;
            type Scratch = [u8; $size];

            #[inline(always)]
            fn encoded_len(&self) -> usize {
                $size
            }

            #[inline(always)]
            fn put<O: Output>(&self, out: &mut O) {
                out.array(self.to_le_bytes());
            }
        }

        impl Decode<'_> for $name {
            const MIN_SIZE: usize = $size;
            const MAX_SIZE: usize = $size;
            const ALL_VALID: bool = true;
            const DEPTH: usize = 1;

            #[inline(always)]
            fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
                match reader.array() {
                    Ok(bytes) => Ok(Self::from_le_bytes(*bytes)),
                    Err(error) => Err(error),
                }
            }
        }
    )*};
}

array_of_bytes!(U256 32 I256 32);
