//! Primitives in both byte orders, and what else may stand in a generic record.

use core::marker::PhantomData;

use super::{ByteArray, Record, end_of_input};
use crate::error::{DecodeError, DecodeErrorKind};

/// The order of the bytes of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Endian {
    /// Least significant byte first.
    Little,
    /// Most significant byte first, as in network protocols.
    Big,
}

/// A type whose encoding has known bounds.
///
/// Its consts size buffers: see [`buffer_for!`](crate::buffer_for).
pub trait Bounded {
    /// Bytes of the shortest encoding.
    const MIN_SIZE: usize;

    /// Bytes of the longest encoding.
    const MAX_SIZE: usize;
}

/// A value that can be a field of a record through a type parameter.
///
/// Its size is [`MAX_SIZE`](Bounded::MAX_SIZE) always, but need not be a number that an array type
/// can name, so it is written into slices. Every [`Record`] is a field; so are integers, floats,
/// `bool`, arrays of `Copy` fields with a default, and `PhantomData`, which takes no bytes.
/// Records with type or const parameters and no declared size are fields and not [`Record`]s.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a record: its encoding has no fixed size",
    label = "not a field",
    note = "add the bound `onewrite::record::Field` to a type parameter, or derive `Record`"
)]
pub trait Field: Bounded + Sized {
    /// Writes the value over the first `MAX_SIZE` bytes of `out`.
    ///
    /// `order` is that of the record around it; a nested record keeps its own. Where `out` is
    /// shorter nothing is written.
    fn put(&self, order: Endian, out: &mut [u8]);

    /// The value that the first `MAX_SIZE` bytes of `bytes` encode.
    ///
    /// # Errors
    ///
    /// `EndOfInput` where `bytes` is shorter, else as [`Record::from_bytes`].
    fn get(order: Endian, bytes: &[u8]) -> Result<Self, DecodeError>;
}

impl<R: Record> Bounded for R {
    const MIN_SIZE: usize = <R::Bytes as ByteArray>::LEN;
    const MAX_SIZE: usize = <R::Bytes as ByteArray>::LEN;
}

impl<R: Record> Field for R {
    #[inline(always)]
    fn put(&self, _: Endian, out: &mut [u8]) {
        if let Some((slot, _)) = R::Bytes::split_first_mut(out) {
            self.write_at(slot);
        }
    }

    #[inline(always)]
    fn get(_: Endian, bytes: &[u8]) -> Result<Self, DecodeError> {
        match R::Bytes::split_first(bytes) {
            Some((bytes, _)) => R::from_bytes(bytes),
            None => Err(end_of_input(Self::MAX_SIZE, bytes.len())),
        }
    }
}

macro_rules! number {
    ($($number:ty),*) => {$(
        impl Bounded for $number {
            const MIN_SIZE: usize = size_of::<$number>();
            const MAX_SIZE: usize = size_of::<$number>();
        }

        impl Field for $number {
            #[inline(always)]
            fn put(&self, order: Endian, out: &mut [u8]) {
                if let Some(slot) = out.first_chunk_mut() {
                    *slot = match order {
                        Endian::Little => self.to_le_bytes(),
                        Endian::Big => self.to_be_bytes(),
                    };
                }
            }

            #[inline(always)]
            fn get(order: Endian, bytes: &[u8]) -> Result<Self, DecodeError> {
                match (bytes.first_chunk(), order) {
                    (Some(bytes), Endian::Little) => Ok(Self::from_le_bytes(*bytes)),
                    (Some(bytes), Endian::Big) => Ok(Self::from_be_bytes(*bytes)),
                    (None, _) => Err(end_of_input(Self::MAX_SIZE, bytes.len())),
                }
            }
        }
    )*};
}

number!(u8, u16, u32, u64, u128, i8, i16, i32, i64, i128, f32, f64);

impl Bounded for bool {
    const MIN_SIZE: usize = 1;
    const MAX_SIZE: usize = 1;
}

impl Field for bool {
    #[inline(always)]
    fn put(&self, order: Endian, out: &mut [u8]) {
        u8::from(*self).put(order, out);
    }

    #[inline(always)]
    fn get(order: Endian, bytes: &[u8]) -> Result<Self, DecodeError> {
        bool_from(u8::get(order, bytes)?)
    }
}

/// The bool that `value` stands for: only 0 and 1 do.
pub(super) const fn bool_from(value: u8) -> Result<bool, DecodeError> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        value => Err(DecodeError::new(0, DecodeErrorKind::InvalidBool { value })),
    }
}

impl<T: Bounded, const N: usize> Bounded for [T; N] {
    const MIN_SIZE: usize = N * T::MIN_SIZE;
    const MAX_SIZE: usize = N * T::MAX_SIZE;
}

impl<T: Field + Copy + Default, const N: usize> Field for [T; N] {
    #[inline]
    fn put(&self, order: Endian, out: &mut [u8]) {
        let Some((mut out, _)) = out.split_at_mut_checked(Self::MAX_SIZE) else { return };
        for item in self {
            let Some((slot, rest)) = out.split_at_mut_checked(T::MAX_SIZE) else { return };
            item.put(order, slot);
            out = rest;
        }
    }

    #[inline]
    fn get(order: Endian, bytes: &[u8]) -> Result<Self, DecodeError> {
        if bytes.len() < Self::MAX_SIZE {
            return Err(end_of_input(Self::MAX_SIZE, bytes.len()));
        }
        let mut items = [T::default(); N];
        let (mut rest, mut at) = (bytes, 0);
        for item in &mut items {
            *item = T::get(order, rest).map_err(|error| error.shifted(at))?;
            rest = rest.split_at_checked(T::MAX_SIZE).map_or(&[], |(_, rest)| rest);
            at += T::MAX_SIZE;
        }
        Ok(items)
    }
}

impl<T: ?Sized> Bounded for PhantomData<T> {
    const MIN_SIZE: usize = 0;
    const MAX_SIZE: usize = 0;
}

impl<T: ?Sized> Field for PhantomData<T> {
    fn put(&self, _: Endian, _: &mut [u8]) {}

    fn get(_: Endian, _: &[u8]) -> Result<Self, DecodeError> {
        Ok(Self)
    }
}
