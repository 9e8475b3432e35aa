//! BSATN of types that derive serde's traits, with no derive of ours.
//!
//! | serde | BSATN |
//! |---|---|
//! | bool, integers, floats, strings | the same |
//! | bytes, sequences | array |
//! | tuples, structs, `[T; N]` | product; an array of a fixed length has **no count** here |
//! | units | the product of no fields |
//! | enums | sum, with the index of the variant as the tag: at most 256 variants |
//! | `Option` | sum: some = 0, none = 1 |
//! | newtypes | what is inside |
//! | maps | array of products of key and value |
//! | `char`, and whatever asks the input for its type | refused |
//!
//! A value is measured before it is written, so it goes out whole or not at all, as through
//! [`Encode`]. Attributes that leave fields out or make a type describe itself (`skip`, `flatten`,
//! `untagged`) do not fit a format that does not say what follows.
//!
//! ```
//! use onewrite::bsatn::serde::{from_slice, to_slice};
//!
//! let mut buffer = [0; 16];
//! let len = to_slice(&(7u16, Some("hi")), &mut buffer)?;
//! assert_eq!(buffer[..len], *b"\x07\0\x00\x02\0\0\0hi");
//! assert_eq!(from_slice(&buffer[..len]), Ok((7u16, Some("hi"))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod de;
mod ser;

use core::convert::Infallible;
use core::fmt;

use ::serde::{Deserialize, Serialize};

use self::de::Source;
use self::ser::Writer;
use super::output::Count;
use super::{Encode, Output};
use crate::error::{DecodeError, WriteError, WriteErrorKind};
use crate::sink::Sink;

/// Writes `value` to the start of `out` and returns how many bytes it took.
///
/// # Errors
///
/// `Full` where it does not fit, `Encode` where it has no encoding; `out` is then unchanged.
pub fn to_slice<T: Serialize + ?Sized>(
    value: &T,
    out: &mut [u8],
) -> Result<usize, WriteError<Infallible, ValueError>> {
    match measure(value) {
        Ok(value) => value.encode_to_slice(out).map_err(WriteError::widen),
        Err(error) => Err(WriteError::new(0, WriteErrorKind::Encode(error))),
    }
}

/// Writes `value` to a sink and returns how many bytes it took.
///
/// # Errors
///
/// As [`Encode::encode`]; `Encode` where the value has no encoding, and nothing was written.
pub fn to_sink<T: Serialize + ?Sized, S: Sink + ?Sized>(
    value: &T,
    sink: &mut S,
) -> Result<usize, WriteError<S::Error, ValueError>> {
    match measure(value) {
        Ok(value) => {
            value.encode(sink).map_err(WriteError::widen)?;
            Ok(value.len)
        }
        Err(error) => Err(WriteError::new(0, WriteErrorKind::Encode(error))),
    }
}

/// The value that `input`, to its last byte, encodes.
///
/// # Errors
///
/// As [`Decode::from_slice`](super::Decode::from_slice). `Refused` where the type itself refuses
/// what it was given, at the byte that the decoder had come to; `DepthLimit` below 128 levels.
pub fn from_slice<'de, T: Deserialize<'de>>(input: &'de [u8]) -> Result<T, DecodeError> {
    let mut source = Source::new(input);
    let value = source.value()?;
    source.reader().finish()?;
    Ok(value)
}

/// The value at the start of `input`, and the bytes behind it.
///
/// # Errors
///
/// As [`from_slice`], except that bytes may follow.
pub fn take_from<'de, T: Deserialize<'de>>(
    input: &'de [u8],
) -> Result<(T, &'de [u8]), DecodeError> {
    let mut source = Source::new(input);
    let value = source.value()?;
    Ok((value, source.reader().rest()))
}

/// A value that has no encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ValueError {
    /// BSATN has no `char`: write a `u32`.
    Char,
    /// The value's own code refuses.
    Refused,
    /// A tag is a u8, and this variant's index is larger.
    TooManyVariants {
        /// The index.
        index: u32,
    },
    /// A sequence or map does not know its length beforehand.
    UnknownLength,
    /// A sequence or map has more or fewer elements than it said.
    WrongLength,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Char => f.write_str("char has no encoding"),
            Self::Refused => f.write_str("value refuses to be encoded"),
            Self::TooManyVariants { index } => write!(f, "variant {index} has no tag of 8 bits"),
            Self::UnknownLength => f.write_str("sequence of unknown length"),
            Self::WrongLength => f.write_str("sequence is not as long as it said"),
        }
    }
}

impl core::error::Error for ValueError {}

#[doc(hidden)]
impl ::serde::ser::Error for ValueError {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::Refused
    }
}

/// A value that can be encoded, and its length.
struct Measured<'v, T: ?Sized> {
    value: &'v T,
    len: usize,
}

fn measure<T: Serialize + ?Sized>(value: &T) -> Result<Measured<'_, T>, ValueError> {
    let mut count = Count::default();
    value.serialize(Writer(&mut count))?;
    Ok(Measured { value, len: count.len() })
}

#[doc(hidden)]
impl<T: Serialize + ?Sized> Encode for Measured<'_, T> {
    const MIN_SIZE: usize = 0;
    const MAX_SIZE: usize = usize::MAX;
    type Scratch = [u8; 0];

    fn encoded_len(&self) -> usize {
        self.len
    }

    fn put<O: Output>(&self, out: &mut O) {
        // What it had to say against itself was heard when it was measured.
        self.value.serialize(Writer(out)).ok();
    }
}
