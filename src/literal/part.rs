//! The parts of a literal, each as bytes.
//!
//! Constant functions cannot be called through a trait, so these are types with inherent methods of
//! one name: the macros pick the type, and the compiler the method.

use crate::leb128;

/// Something that is bytes already.
#[derive(Clone, Copy, Debug)]
pub struct Of<T: ?Sized + 'static>(pub &'static T);

impl Of<str> {
    /// The string's bytes.
    #[must_use]
    pub const fn bytes(self) -> &'static [u8] {
        self.0.as_bytes()
    }
}

impl Of<[u8]> {
    /// The bytes.
    #[must_use]
    pub const fn bytes(self) -> &'static [u8] {
        self.0
    }
}

impl<const N: usize> Of<[u8; N]> {
    /// The bytes.
    #[must_use]
    pub const fn bytes(self) -> &'static [u8] {
        self.0
    }
}

/// A number, least significant byte first.
#[derive(Clone, Copy, Debug)]
pub struct Le<T>(pub T);

/// A number, most significant byte first.
#[derive(Clone, Copy, Debug)]
pub struct Be<T>(pub T);

/// The numbers that have the same bytes on every machine, so neither `usize` nor `isize`.
macro_rules! numbers {
    ($($number:ident)*) => {$(
        impl Le<$number> {
            /// The number's bytes.
            #[must_use]
            pub const fn bytes(self) -> [u8; size_of::<$number>()] {
                self.0.to_le_bytes()
            }
        }

        impl Be<$number> {
            /// The number's bytes.
            #[must_use]
            pub const fn bytes(self) -> [u8; size_of::<$number>()] {
                self.0.to_be_bytes()
            }
        }
    )*};
}

numbers!(u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64);

/// The types of whole numbers: what `dec` and `leb` take.
#[diagnostic::on_unimplemented(
    message = "`dec` and `leb` take whole numbers, and `{Self}` is none",
    label = "not a whole number"
)]
pub trait Whole: Copy {}

macro_rules! whole {
    ($($number:ident)*) => {$(impl Whole for $number {})*};
}

whole!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

/// Builds for whole numbers only, where a cast takes a float, a bool or a char as well.
pub const fn whole<T: Whole>(_: T) {}

/// A number in decimal, without padding.
#[derive(Clone, Copy, Debug)]
pub struct Decimal {
    digits: [u8; Self::MAX_LEN],
    start: usize,
}

impl Decimal {
    /// Digits of the largest `i128`.
    const MAX_LEN: usize = 39;

    /// The digits of `value`, which the macros cast from any type of integer.
    ///
    /// `None` above the largest `i128`: there a negative number cannot be told from a positive one.
    #[must_use]
    pub const fn new(value: u128) -> Option<Self> {
        if value >> 127 != 0 {
            return None;
        }
        let mut digits = [0; Self::MAX_LEN];
        let mut start = Self::MAX_LEN;
        let mut rest = value;
        let mut front: &mut [u8] = &mut digits;
        while let Some((digit, before)) = front.split_last_mut() {
            let [low, ..] = (rest % 10).to_le_bytes();
            *digit = b'0' + low;
            start -= 1;
            rest /= 10;
            if rest == 0 {
                break;
            }
            front = before;
        }
        Some(Self { digits, start })
    }

    /// The digits.
    #[must_use]
    pub const fn bytes(&self) -> &[u8] {
        match self.digits.split_at_checked(self.start) {
            Some((_, digits)) => digits,
            None => &[],
        }
    }
}

/// A number as a varint.
#[derive(Clone, Copy, Debug)]
pub struct Leb {
    bytes: [u8; leb128::MAX_LEN_U64],
    len: usize,
}

impl Leb {
    /// The shortest form of `value`, which the macros cast from any type of integer.
    ///
    /// `None` above the largest `u64`, and so for every negative number.
    #[must_use]
    pub const fn new(value: u128) -> Option<Self> {
        let [low, high] = [value & u64::MAX as u128, value >> 64];
        if high != 0 {
            return None;
        }
        let [a, b, c, d, e, f, g, h, ..] = low.to_le_bytes();
        let (bytes, len) = leb128::encode_u64(u64::from_le_bytes([a, b, c, d, e, f, g, h]));
        Some(Self { bytes, len })
    }

    /// The varint's bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8] {
        match self.bytes.split_at_checked(self.len) {
            Some((bytes, _)) => bytes,
            None => &[],
        }
    }
}
