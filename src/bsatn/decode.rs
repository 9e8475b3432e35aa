//! Bytes to values.

use crate::error::DecodeError;
use crate::reader::Reader;

/// A value that can be read from BSATN; strings and arrays in it borrow the input.
///
/// `#[derive(Decode)]` implements it for structs and enums. By hand it takes the bounds and the
/// fields in order:
///
/// ```
/// use onewrite::bsatn::Decode;
/// use onewrite::error::DecodeError;
/// use onewrite::reader::Reader;
///
/// #[derive(Debug, PartialEq)]
/// struct Player<'a> { id: u32, name: &'a str }
///
/// impl<'de: 'a, 'a> Decode<'de> for Player<'a> {
///     const MIN_SIZE: usize = 4 + 4;
///     const MAX_SIZE: usize = usize::MAX;
///     const DEPTH: usize = 1;
///
///     fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
///         Ok(Self { id: u32::decode(reader)?, name: <&str>::decode(reader)? })
///     }
/// }
///
/// let player = Player::from_slice(b"\x07\0\0\0\x03\0\0\0ada")?;
/// assert_eq!(player, Player { id: 7, name: "ada" });
/// # Ok::<(), DecodeError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from BSATN",
    label = "not a BSATN value",
    note = "derive `onewrite::bsatn::Decode` for it; write `u32` or `u64` for `usize`, `u32` for `char`, `&str` for `String`, and `Array<'_, T>` for `Vec<T>`"
)]
pub trait Decode<'de>: Sized {
    /// Bytes of the shortest encoding. An array's count is checked against it before anything is
    /// read.
    const MIN_SIZE: usize;

    /// Bytes of the longest encoding; `usize::MAX` where the type sets no bound.
    const MAX_SIZE: usize;

    /// Whether every input of [`MIN_SIZE`](Self::MIN_SIZE) bytes, which is then also the longest,
    /// is a value. Arrays of such elements need not be looked at.
    const ALL_VALID: bool = false;

    /// Levels of types inside this one, itself included.
    ///
    /// It bounds how deep decoding recurs. A type that contains itself has no such number and does
    /// not build, since the input would decide how much stack is used:
    ///
    /// ```compile_fail
    /// use onewrite::bsatn::{Array, Decode};
    ///
    /// #[derive(Decode)]
    /// struct Tree<'a> { children: Array<'a, Tree<'a>> }
    ///
    /// Tree::from_slice(&[0; 4]).ok();
    /// ```
    const DEPTH: usize;

    /// Takes a value from the front of what `reader` has left.
    ///
    /// # Errors
    ///
    /// What the input did wrong, and where:
    ///
    /// | kind | at |
    /// |---|---|
    /// | `EndOfInput` | the number, bool, tag or count that is cut short; the first byte of a string |
    /// | `InvalidBool`, `UnknownDiscriminant` | the byte |
    /// | `InvalidUtf8` | the first byte of the string |
    /// | `CountTooLarge` | the count of an array whose elements cannot all be there |
    /// | `WrongCount` | the count of an array that has another length than its type |
    ///
    /// How much of the input was taken is then not said.
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError>;

    /// The value that `input`, to its last byte, encodes.
    ///
    /// # Errors
    ///
    /// As [`decode`](Self::decode); `TrailingBytes` at the first byte behind the value.
    #[inline]
    fn from_slice(input: &'de [u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(input);
        let value = Self::decode(&mut reader);
        if value.is_ok() {
            reader.finish()?;
        }
        // Handed on where it is: a message is large, and taking it out would copy it.
        value
    }

    /// The value at the start of `input`, and the bytes behind it.
    ///
    /// # Errors
    ///
    /// As [`decode`](Self::decode).
    #[inline]
    fn take_from(input: &'de [u8]) -> Result<(Self, &'de [u8]), DecodeError> {
        let mut reader = Reader::new(input);
        let value = Self::decode(&mut reader)?;
        Ok((value, reader.rest()))
    }
}
