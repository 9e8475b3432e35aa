//! A cursor over input in memory that knows where it is.

use crate::error::{DecodeError, DecodeErrorKind};
use crate::leb128;

/// Takes values from the front of a slice, and counts.
///
/// Every length is checked before a byte is used, and a method that fails takes nothing. Errors
/// carry the offset of the item that is wrong, counted from the start of the outermost input: a
/// reader that was split off with [`sub`](Self::sub) counts on from where it was split off.
///
/// All methods are `const`. What is borrowed from the reader lives as long as the input.
///
/// ```
/// use onewrite::error::{DecodeError, DecodeErrorKind};
/// use onewrite::reader::Reader;
///
/// let mut reader = Reader::new(b"\x02hi\x01");
/// let len = reader.u8()?;
/// assert_eq!(reader.str(len.into())?, "hi");
/// assert_eq!(reader.u16_be().unwrap_err().at, 3);
/// assert_eq!(reader.u8()?, 1);
/// reader.finish()?;
/// # Ok::<(), DecodeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reader<'a> {
    rest: &'a [u8],
    /// Where `rest` ends, which no method changes: the position follows from what is left.
    end: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `input`.
    #[must_use]
    pub const fn new(input: &'a [u8]) -> Self {
        Self::starting_at(0, input)
    }

    /// A reader of `input` that itself starts at byte `position` of something larger.
    #[must_use]
    pub const fn starting_at(position: usize, input: &'a [u8]) -> Self {
        // Wraps where the position does not fit the memory, and back when it is asked for.
        Self { rest: input, end: position.wrapping_add(input.len()) }
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    ///
    /// `EndOfInput` if fewer are left.
    #[inline]
    pub const fn array<const N: usize>(&mut self) -> Result<&'a [u8; N], DecodeError> {
        match self.rest.split_first_chunk() {
            Some((array, rest)) => {
                self.rest = rest;
                Ok(array)
            }
            None => Err(self.too_short(N)),
        }
    }

    /// The next `n` arrays of `N` bytes.
    ///
    /// Arrays of zero bytes do not build.
    ///
    /// # Errors
    ///
    /// `EndOfInput` if fewer are left. Where `n` arrays are more bytes than a `usize` counts,
    /// `needed` is `usize::MAX`.
    #[inline]
    pub const fn arrays<const N: usize>(&mut self, n: usize) -> Result<&'a [[u8; N]], DecodeError> {
        const { assert!(N != 0, "an array to be read has at least one byte") }
        // No input has usize::MAX bytes, so a product that saturates ends early.
        match self.bytes(n.saturating_mul(N)) {
            Ok(bytes) => Ok(bytes.as_chunks().0),
            Err(error) => Err(error),
        }
    }

    /// The next `len` bytes.
    ///
    /// # Errors
    ///
    /// `EndOfInput` if fewer are left.
    #[inline]
    pub const fn bytes(&mut self, len: usize) -> Result<&'a [u8], DecodeError> {
        match self.rest.split_at_checked(len) {
            Some((bytes, rest)) => {
                self.rest = rest;
                Ok(bytes)
            }
            None => Err(self.too_short(len)),
        }
    }

    /// The next `len` bytes as a string.
    ///
    /// # Errors
    ///
    /// `EndOfInput` if fewer are left; `InvalidUtf8` if they are not UTF-8, at the first byte of
    /// the string and not at the first bad sequence in it.
    #[inline]
    pub const fn str(&mut self, len: usize) -> Result<&'a str, DecodeError> {
        let before = *self;
        let bytes = match self.bytes(len) {
            Ok(bytes) => bytes,
            Err(error) => return Err(error),
        };
        match core::str::from_utf8(bytes) {
            Ok(text) => Ok(text),
            Err(_) => {
                *self = before;
                Err(self.error(DecodeErrorKind::InvalidUtf8))
            }
        }
    }

    /// The next `len` bytes as a reader that counts on from here.
    ///
    /// # Errors
    ///
    /// `EndOfInput` if fewer are left.
    #[inline]
    pub const fn sub(&mut self, len: usize) -> Result<Self, DecodeError> {
        let position = self.position();
        match self.bytes(len) {
            Ok(bytes) => Ok(Self::starting_at(position, bytes)),
            Err(error) => Err(error),
        }
    }

    /// The next byte.
    ///
    /// # Errors
    ///
    /// `EndOfInput` if none is left.
    #[inline]
    pub const fn u8(&mut self) -> Result<u8, DecodeError> {
        match self.array::<1>() {
            Ok(&[byte]) => Ok(byte),
            Err(error) => Err(error),
        }
    }

    /// The next byte, with a sign.
    ///
    /// # Errors
    ///
    /// `EndOfInput` if none is left.
    #[inline]
    pub const fn i8(&mut self) -> Result<i8, DecodeError> {
        match self.array::<1>() {
            Ok(&byte) => Ok(i8::from_le_bytes(byte)),
            Err(error) => Err(error),
        }
    }

    /// The next byte as a bool: 0 or 1.
    ///
    /// # Errors
    ///
    /// `EndOfInput` if none is left, `InvalidBool` if it is another number.
    #[inline]
    pub const fn bool(&mut self) -> Result<bool, DecodeError> {
        let before = *self;
        match self.u8() {
            Ok(0) => Ok(false),
            Ok(1) => Ok(true),
            Ok(value) => {
                *self = before;
                Err(self.error(DecodeErrorKind::InvalidBool { value }))
            }
            Err(error) => Err(error),
        }
    }

    /// The next variable-length integer, in its shortest form; see [`leb128`].
    ///
    /// # Errors
    ///
    /// As [`leb128::decode_u32`], at the first byte of the integer.
    #[inline]
    pub const fn leb_u32(&mut self) -> Result<u32, DecodeError> {
        match leb128::decode_u32(self.rest) {
            Ok((value, len)) => {
                self.skip_checked(len);
                Ok(value)
            }
            Err(error) => Err(error.shifted(self.position())),
        }
    }

    /// The next variable-length integer, in any form; see [`leb128`].
    ///
    /// # Errors
    ///
    /// As [`leb128::decode_u32_lenient`], at the first byte of the integer.
    #[inline]
    pub const fn leb_u32_lenient(&mut self) -> Result<u32, DecodeError> {
        match leb128::decode_u32_lenient(self.rest) {
            Ok((value, len)) => {
                self.skip_checked(len);
                Ok(value)
            }
            Err(error) => Err(error.shifted(self.position())),
        }
    }

    /// The next variable-length integer, in its shortest form; see [`leb128`].
    ///
    /// # Errors
    ///
    /// As [`leb128::decode_u64`], at the first byte of the integer.
    #[inline]
    pub const fn leb_u64(&mut self) -> Result<u64, DecodeError> {
        match leb128::decode_u64(self.rest) {
            Ok((value, len)) => {
                self.skip_checked(len);
                Ok(value)
            }
            Err(error) => Err(error.shifted(self.position())),
        }
    }

    /// The next variable-length integer, in any form; see [`leb128`].
    ///
    /// # Errors
    ///
    /// As [`leb128::decode_u64_lenient`], at the first byte of the integer.
    #[inline]
    pub const fn leb_u64_lenient(&mut self) -> Result<u64, DecodeError> {
        match leb128::decode_u64_lenient(self.rest) {
            Ok((value, len)) => {
                self.skip_checked(len);
                Ok(value)
            }
            Err(error) => Err(error.shifted(self.position())),
        }
    }

    /// Ends reading.
    ///
    /// A decoder that must use up its input calls this last; one that reads the front of a longer
    /// input leaves it out and hands [`rest`](Self::rest) on.
    ///
    /// # Errors
    ///
    /// `TrailingBytes`, at the first of them, if bytes are left.
    #[inline]
    pub const fn finish(self) -> Result<(), DecodeError> {
        if self.rest.is_empty() {
            return Ok(());
        }
        Err(self.error(DecodeErrorKind::TrailingBytes { extra: self.rest.len() }))
    }

    /// Offset of the next byte, counted from the start of the outermost input.
    #[inline]
    #[must_use]
    pub const fn position(&self) -> usize {
        self.end.wrapping_sub(self.rest.len())
    }

    /// Bytes that are left.
    #[inline]
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// What is left.
    #[inline]
    #[must_use]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// An error of `kind` at the next byte.
    #[inline]
    #[must_use]
    pub const fn error(&self, kind: DecodeErrorKind) -> DecodeError {
        DecodeError::new(self.position(), kind)
    }

    #[inline]
    const fn too_short(&self, needed: usize) -> DecodeError {
        self.error(DecodeErrorKind::EndOfInput { needed, available: self.rest.len() })
    }

    /// Skips `len` bytes, which the caller knows to be there.
    #[inline]
    const fn skip_checked(&mut self, len: usize) {
        if let Some((_, rest)) = self.rest.split_at_checked(len) {
            self.rest = rest;
        }
    }
}

/// Where it stands, and not what it reads.
#[cfg(feature = "defmt")]
impl defmt::Format for Reader<'_> {
    fn format(&self, f: defmt::Formatter<'_>) {
        let (at, left) = (self.position(), self.rest.len());
        defmt::write!(f, "Reader {{ position: {=usize}, remaining: {=usize} }}", at, left);
    }
}

/// Readers of a number in both byte orders.
macro_rules! numbers {
    ($($number:ident $le:ident $be:ident;)*) => {
        impl Reader<'_> {
            $(
                #[doc = concat!(
                    "The next `", stringify!($number), "`, least significant byte first."
                )]
                ///
                /// # Errors
                ///
                /// `EndOfInput` if too few bytes are left.
                #[inline]
                pub const fn $le(&mut self) -> Result<$number, DecodeError> {
                    match self.array() {
                        Ok(bytes) => Ok($number::from_le_bytes(*bytes)),
                        Err(error) => Err(error),
                    }
                }

                #[doc = concat!(
                    "The next `", stringify!($number), "`, most significant byte first."
                )]
                ///
                /// # Errors
                ///
                /// `EndOfInput` if too few bytes are left.
                #[inline]
                pub const fn $be(&mut self) -> Result<$number, DecodeError> {
                    match self.array() {
                        Ok(bytes) => Ok($number::from_be_bytes(*bytes)),
                        Err(error) => Err(error),
                    }
                }
            )*
        }
    };
}

numbers! {
    u16 u16_le u16_be;
    u32 u32_le u32_be;
    u64 u64_le u64_be;
    u128 u128_le u128_be;
    i16 i16_le i16_be;
    i32 i32_le i32_be;
    i64 i64_le i64_be;
    i128 i128_le i128_be;
    f32 f32_le f32_be;
    f64 f64_le f64_be;
}
