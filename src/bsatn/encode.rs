//! Values to bytes.

use core::convert::Infallible;

use super::output::{Chunked, Output, Room};
use crate::error::{WriteError, WriteErrorKind};
use crate::record::ByteArray;
use crate::sink::Sink;

/// A value that has an encoding in BSATN.
///
/// `#[derive(Encode)]` implements it for structs and enums. By hand it takes the bounds, the length
/// beforehand, and the fields in order:
///
/// ```
/// use onewrite::bsatn::{Encode, Output};
///
/// struct Player<'a> { id: u32, name: &'a str }
///
/// impl Encode for Player<'_> {
///     const MIN_SIZE: usize = 4 + 4;
///     const MAX_SIZE: usize = usize::MAX;
///     type Scratch = [u8; 0];
///
///     fn encoded_len(&self) -> usize {
///         self.id.encoded_len().saturating_add(self.name.encoded_len())
///     }
///
///     fn put<O: Output>(&self, out: &mut O) {
///         self.id.put(out);
///         self.name.put(out);
///     }
/// }
///
/// let mut buffer = [0; 32];
/// let len = Player { id: 7, name: "ada" }.encode_to_slice(&mut buffer)?;
/// assert_eq!(buffer[..len], *b"\x07\0\0\0\x03\0\0\0ada");
/// # Ok::<(), onewrite::error::WriteError<core::convert::Infallible>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no encoding in BSATN",
    label = "not a BSATN value",
    note = "derive `onewrite::bsatn::Encode` for it; write `u32` or `u64` for `usize`, `u32` for `char`, and borrow what a `String` or `Vec` holds"
)]
pub trait Encode {
    /// Bytes of the shortest encoding.
    const MIN_SIZE: usize;

    /// Bytes of the longest encoding; `usize::MAX` where the type sets no bound.
    const MAX_SIZE: usize;

    /// `[u8; MAX_SIZE]` where every value has that many bytes, else `[u8; 0]`.
    ///
    /// Slices of such values are written in one run, with one look at the room. A type with
    /// parameters, whose array stable Rust cannot name, says `[u8; 0]` and writes value by value, and
    /// so does one of more than 1,024 bytes: the array lies on the stack while it is assembled.
    type Scratch: ByteArray;

    /// Bytes of this value; `usize::MAX` where a `usize` cannot count them, or where an array has
    /// more than `u32::MAX` elements.
    fn encoded_len(&self) -> usize;

    /// Puts the value's [`encoded_len`](Self::encoded_len) bytes to the end of `out`.
    ///
    /// For implementations of this trait; everyone else calls [`encode`](Self::encode).
    fn put<O: Output>(&self, out: &mut O);

    /// Writes the value.
    ///
    /// Memory is reserved for all of it at once, and filled in place. Any other sink gets a value
    /// of fixed size in one write, and any other in writes of up to 256 bytes, or of one long
    /// string.
    ///
    /// Machine code: [`string_write`](crate::machine_code::string_write).
    ///
    /// # Errors
    ///
    /// The sink's: see [`Sink::write`]. Memory is unchanged then; a stream that stops after the
    /// first of several writes is poisoned. A value of more than `u32::MAX` bytes, whose lengths
    /// the format may not be able to say, is [`Full`](WriteErrorKind::Full) with that length as
    /// `needed`; nothing was written then, and `written` is 0.
    #[inline]
    fn encode<S: Sink + ?Sized>(&self, sink: &mut S) -> Result<(), WriteError<S::Error>> {
        let len = self.encoded_len();
        if len == 0 {
            return Ok(());
        }
        if len > LONGEST {
            let kind = WriteErrorKind::Full { needed: len, available: LONGEST };
            return Err(WriteError::new(0, kind));
        }
        if let Some(out) = sink.reserve(len)? {
            self.put(&mut Room::new(out));
            return Ok(());
        }
        if Self::Scratch::LEN == len {
            let mut scratch = Self::Scratch::ZERO;
            self.put(&mut Room::new(scratch.as_mut_slice()));
            return sink.write(scratch.as_slice());
        }
        let mut chunks = Chunked::new(sink);
        self.put(&mut chunks);
        chunks.finish()
    }

    /// Writes the value to the start of `out` and returns how many bytes it took.
    ///
    /// Bytes of `out` behind the value stay as they are.
    ///
    /// # Errors
    ///
    /// [`Full`](WriteErrorKind::Full) where the value does not fit, or has more than `u32::MAX`
    /// bytes; `out` is then unchanged.
    #[inline]
    fn encode_to_slice(&self, out: &mut [u8]) -> Result<usize, WriteError<Infallible>> {
        let (needed, available) = (self.encoded_len(), out.len().min(LONGEST));
        let (out, _) = out.split_at_mut_checked(available).unwrap_or_default();
        match out.split_at_mut_checked(needed) {
            Some((out, _)) => {
                self.put(&mut Room::new(out));
                Ok(needed)
            }
            None => Err(WriteError::new(0, WriteErrorKind::Full { needed, available })),
        }
    }

    /// The bytes of a slice of bytes; `None` for all other elements.
    #[doc(hidden)]
    #[inline(always)]
    fn as_bytes(items: &[Self]) -> Option<&[u8]>
    where
        Self: Sized,
    {
        let _ = items;
        None
    }
}

/// Bytes of the longest value that is written: a `u32` counts every part of it, and `usize::MAX`
/// stands for a value that cannot be encoded.
const LONGEST: usize = if usize::BITS > 32 { u32::MAX as usize } else { usize::MAX - 1 };

impl<T: Encode + ?Sized> Encode for &T {
    const MIN_SIZE: usize = T::MIN_SIZE;
    const MAX_SIZE: usize = T::MAX_SIZE;
    type Scratch = T::Scratch;

    #[inline]
    fn encoded_len(&self) -> usize {
        T::encoded_len(self)
    }

    #[inline]
    fn put<O: Output>(&self, out: &mut O) {
        T::put(self, out);
    }
}

/// Writes `value` over `slot`, an array of just its size.
#[inline(always)]
pub(super) fn fill<T: Encode>(value: &T, slot: &mut T::Scratch) {
    value.put(&mut Room::new(slot.as_mut_slice()));
}
