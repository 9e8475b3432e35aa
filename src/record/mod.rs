//! Fixed-size records: laid out at compile time, assembled in one place, written once.
//!
//! | item | job |
//! |---|---|
//! | [`put`], [`get`] | one field, its place checked when the call is compiled |
//! | [`Scratch`] | a record assembled by hand |
//! | [`Record`], and the derive macro of that name | a type whose encoding is an array |
//! | [`Field`], [`Bounded`] | what may stand in a record with type parameters; sizes as consts |
//! | [`write_slice`] | a slice of records into memory, checked once |
//! | [`WriteRecord`] | records into any [`Sink`](crate::sink::Sink) |
//! | `CopyRecords`, `copy_slice`, `wire_bytes` (feature `zerocopy-08`) | records that lie in memory as on the wire |
//! | [`ReadRecord`] | records out of any [`Source`](crate::source::Source) |
//! | [`buffer_for!`](crate::buffer_for) | a stack buffer that fits a type |

mod bytes;
#[cfg(feature = "zerocopy-08")]
mod copy;
mod field;
mod layout;
mod memory;
#[doc(hidden)]
pub mod private;
mod read;
mod scratch;
mod slice;
mod write;

pub use bytes::ByteArray;
pub(crate) use bytes::{last_chunk, split_last_chunk, split_last_chunk_mut};
#[cfg(feature = "zerocopy-08")]
pub use copy::{CopyRecords, copy_slice, wire_bytes};
pub use field::{Bounded, Endian, Field};
pub use read::ReadRecord;
pub use scratch::Scratch;
pub use slice::write_slice;
pub use write::WriteRecord;

use crate::error::{DecodeError, DecodeErrorKind};

/// A value whose encoding is always the same number of bytes: [`SIZE`](Self::SIZE).
///
/// `#[derive(Record)]` implements it from a declared layout and adds inherent `const fn`s of the
/// same names, which is what makes records usable in a `const`. Generic code uses the trait.
///
/// Machine code: [`flat_frame`](crate::machine_code::flat_frame) of a struct,
/// [`frame_enum`](crate::machine_code::frame_enum) of an enum.
///
/// By hand it takes an array type and the two directions:
///
/// ```
/// use onewrite::error::DecodeError;
/// use onewrite::record::{Record, get, put};
///
/// /// | offset | size | type | meaning |
/// /// |---|---|---|---|
/// /// | 0 | 2 | u16 LE | celsius, in hundredths |
/// /// | 2 | 1 | u8 | sensor |
/// #[derive(Debug, PartialEq)]
/// struct Reading { centi: u16, sensor: u8 }
///
/// impl Record for Reading {
///     type Bytes = [u8; 3];
///
///     fn write_at(&self, out: &mut [u8; 3]) {
///         put::<0, 2, 3>(out, self.centi.to_le_bytes());
///         put::<2, 1, 3>(out, [self.sensor]);
///     }
///
///     fn from_bytes(bytes: &[u8; 3]) -> Result<Self, DecodeError> {
///         let [sensor] = get::<2, 1, 3>(bytes);
///         Ok(Self { centi: u16::from_le_bytes(get::<0, 2, 3>(bytes)), sensor })
///     }
/// }
///
/// let reading = Reading { centi: 2150, sensor: 7 };
/// assert_eq!(reading.to_bytes(), [0x66, 0x08, 7]);
/// assert_eq!(Reading::from_slice(&[0x66, 0x08, 7]), Ok(reading));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a record, so it has no bytes on the wire",
    label = "not a record",
    note = "derive `Record` for it, or write the primitive type or `[u8; N]` that it stands for",
    note = "a record with type or const parameters needs `#[record(size = N)]` to be an array"
)]
pub trait Record: Sized {
    /// Bytes of the encoding.
    const SIZE: usize = <Self::Bytes as ByteArray>::LEN;

    /// How a value lies in memory beside its bytes here; the derive says it.
    #[doc(hidden)]
    const MEMORY: private::Memory =
        private::Memory::unlike("is written by hand or has parameters, so it was not compared");

    /// The encoding: `[u8; SIZE]`.
    type Bytes: ByteArray;

    /// The record's bytes.
    #[inline(always)]
    #[must_use]
    fn to_bytes(&self) -> Self::Bytes {
        let mut bytes = <Self::Bytes as ByteArray>::ZERO;
        self.write_at(&mut bytes);
        bytes
    }

    /// Overwrites all of `out` with the record, padding included.
    fn write_at(&self, out: &mut Self::Bytes);

    /// The record that `bytes` encodes.
    ///
    /// # Errors
    ///
    /// What the field at [`DecodeError::at`] did wrong: an unknown discriminant, a bool that is
    /// neither 0 nor 1, or padding that is not zero.
    fn from_bytes(bytes: &Self::Bytes) -> Result<Self, DecodeError>;

    /// The record that `input`, to its last byte, encodes.
    ///
    /// Use [`take_from`](Self::take_from) where something follows the record.
    ///
    /// # Errors
    ///
    /// `EndOfInput { needed: SIZE, available }` at byte 0 for a short input, whatever its bytes;
    /// `TrailingBytes` at byte `SIZE` for a long one; else as [`from_bytes`](Self::from_bytes).
    #[inline]
    fn from_slice(input: &[u8]) -> Result<Self, DecodeError> {
        let (record, rest) = Self::take_from(input)?;
        if rest.is_empty() {
            Ok(record)
        } else {
            let extra = rest.len();
            Err(DecodeError::new(Self::Bytes::LEN, DecodeErrorKind::TrailingBytes { extra }))
        }
    }

    /// The record at the start of `input`, and the bytes after it.
    ///
    /// # Errors
    ///
    /// As [`from_slice`](Self::from_slice), except that bytes may follow. On an error nothing was
    /// consumed: the caller still has `input`.
    #[inline]
    fn take_from(input: &[u8]) -> Result<(Self, &[u8]), DecodeError> {
        match Self::Bytes::split_first(input) {
            Some((bytes, rest)) => Ok((Self::from_bytes(bytes)?, rest)),
            None => Err(end_of_input(Self::Bytes::LEN, input.len())),
        }
    }
}

/// The error of an input that ends before its record does.
const fn end_of_input(needed: usize, available: usize) -> DecodeError {
    DecodeError::new(0, DecodeErrorKind::EndOfInput { needed, available })
}

/// Overwrites the `W` bytes of `record` that start at byte `AT`.
///
/// The place is checked when the call is compiled: a field that reaches past the record does not
/// build. What is left at run time is one store.
///
/// ```
/// use onewrite::record::put;
///
/// let mut record = [0; 8];
/// put::<2, 4, 8>(&mut record, 7u32.to_le_bytes());
/// assert_eq!(record, [0, 0, 7, 0, 0, 0, 0, 0]);
/// ```
///
/// ```compile_fail,E0080
/// let mut record = [0; 8];
/// onewrite::record::put::<6, 4, 8>(&mut record, 7u32.to_le_bytes());
/// ```
#[inline(always)]
pub const fn put<const AT: usize, const W: usize, const N: usize>(
    record: &mut [u8; N],
    bytes: [u8; W],
) {
    const { assert!(AT <= N && W <= N - AT, "field reaches past the record") }
    // Checked splits fold away and leave no panic path behind, also at opt-level 1.
    if let Some((_, tail)) = record.split_at_mut_checked(AT)
        && let Some(field) = tail.first_chunk_mut::<W>()
    {
        *field = bytes;
    }
}

/// The `W` bytes of `record` that start at byte `AT`; the mirror of [`put`].
#[inline(always)]
#[must_use]
pub const fn get<const AT: usize, const W: usize, const N: usize>(record: &[u8; N]) -> [u8; W] {
    const { assert!(AT <= N && W <= N - AT, "field reaches past the record") }
    if let Some((_, tail)) = record.split_at_checked(AT)
        && let Some(field) = tail.first_chunk::<W>()
    {
        *field
    } else {
        [0; W]
    }
}

/// A zeroed stack buffer that holds the longest encoding of a type.
///
/// The type must be concrete: the length is part of the array's type. For a [`Record`] the buffer
/// fits exactly.
///
/// ```
/// use onewrite::buffer_for;
/// use onewrite::record::{Bounded, write_slice};
/// use onewrite::render_batch::FrameRecord;
///
/// let mut buffer = buffer_for!(FrameRecord);
/// assert_eq!(buffer.len(), FrameRecord::MAX_SIZE);
/// write_slice(&[FrameRecord::element(2, 0)], &mut buffer).unwrap();
/// assert_eq!(buffer[..4], [1, 0, 0, 0]);
/// ```
#[macro_export]
macro_rules! buffer_for {
    ($type:ty) => {
        [0u8; <$type as $crate::record::Bounded>::MAX_SIZE]
    };
}
