//! What stands in front of a value, or is one.

use crate::record::put;

/// The head of a value in its shortest form: its lead byte, and a length or number.
///
/// `const`, so that a message of which all is known is a literal.
///
/// ```
/// use onewrite::circuit::message_pack::Head;
///
/// assert_eq!(Head::unsigned(7).as_slice(), [7]);
/// assert_eq!(Head::text(62).as_slice(), [0xd9, 62]);
/// assert_eq!(Head::bytes(433).as_slice(), [0xc5, 0x01, 0xb1]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Head {
    bytes: [u8; Self::MAX],
    len: usize,
}

impl Head {
    /// Bytes of the longest one, a number of 64 bits.
    pub const MAX: usize = 9;

    /// `nil`, which stands for what is not there: 1 byte.
    pub const NIL: Self = Self::one(0xc0);

    /// True or false: 1 byte.
    #[must_use]
    pub const fn bool(value: bool) -> Self {
        Self::one(if value { 0xc3 } else { 0xc2 })
    }

    /// A number from zero up, in the shortest of the five forms: 1, 2, 3, 5 or 9 bytes.
    #[must_use]
    pub const fn unsigned(value: u64) -> Self {
        let [.., a, b, c, d] = value.to_be_bytes();
        if value >> 32 != 0 {
            let mut bytes = [0xcf; Self::MAX];
            put::<1, 8, { Self::MAX }>(&mut bytes, value.to_be_bytes());
            return Self { bytes, len: 9 };
        }
        match [a, b, c, d] {
            [0, 0, 0, low] if low < 0x80 => Self::one(low),
            [0, 0, 0, low] => Self::two(0xcc, low),
            [0, 0, high, low] => Self::three(0xcd, [high, low]),
            four => Self::five(0xce, four),
        }
    }

    /// A number with a sign, in the shortest form: up to 5 bytes. From zero up it is an
    /// [`unsigned`](Self::unsigned) one.
    #[must_use]
    pub const fn signed(value: i32) -> Self {
        let bytes = value.to_be_bytes();
        let [.., high, low] = bytes;
        match value {
            0.. => Self::unsigned(value.unsigned_abs() as u64),
            -32.. => Self::one(low),
            -0x80.. => Self::two(0xd0, low),
            -0x8000.. => Self::three(0xd1, [high, low]),
            _ => Self::five(0xd2, bytes),
        }
    }

    /// A text of `len` bytes, which follow.
    #[must_use]
    pub const fn text(len: u32) -> Self {
        match len.to_be_bytes() {
            [0, 0, 0, low] if low < 32 => Self::one(0xa0 | low),
            [0, 0, 0, low] => Self::two(0xd9, low),
            [0, 0, high, low] => Self::three(0xda, [high, low]),
            four => Self::five(0xdb, four),
        }
    }

    /// What comes before `len` bytes: 2, 3 or 5 bytes.
    #[must_use]
    pub const fn bytes(len: u32) -> Self {
        match len.to_be_bytes() {
            [0, 0, 0, low] => Self::two(0xc4, low),
            [0, 0, high, low] => Self::three(0xc5, [high, low]),
            four => Self::five(0xc6, four),
        }
    }

    /// An array of `len` elements, which follow.
    #[must_use]
    pub const fn array(len: u32) -> Self {
        match len.to_be_bytes() {
            [0, 0, 0, low] if low < 16 => Self::one(0x90 | low),
            [0, 0, high, low] => Self::three(0xdc, [high, low]),
            four => Self::five(0xdd, four),
        }
    }

    /// A map of `len` pairs, which follow.
    #[must_use]
    pub const fn map(len: u32) -> Self {
        match len.to_be_bytes() {
            [0, 0, 0, low] if low < 16 => Self::one(0x80 | low),
            [0, 0, high, low] => Self::three(0xde, [high, low]),
            four => Self::five(0xdf, four),
        }
    }

    /// Its bytes: 1 to 9.
    #[inline]
    #[must_use]
    pub const fn as_slice(&self) -> &[u8] {
        match self.bytes.split_at_checked(self.len) {
            Some((bytes, _)) => bytes,
            None => &[],
        }
    }

    const fn one(lead: u8) -> Self {
        Self { bytes: [lead; Self::MAX], len: 1 }
    }

    const fn two(lead: u8, byte: u8) -> Self {
        let mut bytes = [lead; Self::MAX];
        put::<1, 1, { Self::MAX }>(&mut bytes, [byte]);
        Self { bytes, len: 2 }
    }

    const fn three(lead: u8, two: [u8; 2]) -> Self {
        let mut bytes = [lead; Self::MAX];
        put::<1, 2, { Self::MAX }>(&mut bytes, two);
        Self { bytes, len: 3 }
    }

    const fn five(lead: u8, four: [u8; 4]) -> Self {
        let mut bytes = [lead; Self::MAX];
        put::<1, 4, { Self::MAX }>(&mut bytes, four);
        Self { bytes, len: 5 }
    }
}
