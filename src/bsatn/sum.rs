//! Option and Result: sums that Rust has.

use super::{Decode, Encode, Output};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::reader::Reader;

/// | offset | size | meaning |
/// |---|---|---|
/// | 0 | 1 | 0 for `Some`, 1 for `None` |
/// | 1 | | the value of `Some` |
impl<T: Encode> Encode for Option<T> {
    const MIN_SIZE: usize = 1;
    const MAX_SIZE: usize = T::MAX_SIZE.saturating_add(1);
    type Scratch = [u8; 0];

    #[inline]
    fn encoded_len(&self) -> usize {
        match self {
            Some(value) => value.encoded_len().saturating_add(1),
            None => 1,
        }
    }

    #[inline]
    fn put<O: Output>(&self, out: &mut O) {
        match self {
            Some(value) => {
                out.array([0]);
                value.put(out);
            }
            None => out.array([1]),
        }
    }
}

impl<'de, T: Decode<'de>> Decode<'de> for Option<T> {
    const MIN_SIZE: usize = 1;
    const MAX_SIZE: usize = T::MAX_SIZE.saturating_add(1);
    const DEPTH: usize = 1 + T::DEPTH;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        let before = *reader;
        match reader.u8()? {
            0 => T::decode(reader).map(Some),
            1 => Ok(None),
            tag => Err(unknown_tag(&before, "Option", tag)),
        }
    }
}

/// | offset | size | meaning |
/// |---|---|---|
/// | 0 | 1 | 0 for `Ok`, 1 for `Err` |
/// | 1 | | the value |
impl<T: Encode, E: Encode> Encode for Result<T, E> {
    const MIN_SIZE: usize = smaller(T::MIN_SIZE, E::MIN_SIZE).saturating_add(1);
    const MAX_SIZE: usize = larger(T::MAX_SIZE, E::MAX_SIZE).saturating_add(1);
    type Scratch = [u8; 0];

    #[inline]
    fn encoded_len(&self) -> usize {
        match self {
            Ok(value) => value.encoded_len().saturating_add(1),
            Err(error) => error.encoded_len().saturating_add(1),
        }
    }

    #[inline]
    fn put<O: Output>(&self, out: &mut O) {
        match self {
            Ok(value) => {
                out.array([0]);
                value.put(out);
            }
            Err(error) => {
                out.array([1]);
                error.put(out);
            }
        }
    }
}

impl<'de, T: Decode<'de>, E: Decode<'de>> Decode<'de> for Result<T, E> {
    const MIN_SIZE: usize = smaller(T::MIN_SIZE, E::MIN_SIZE).saturating_add(1);
    const MAX_SIZE: usize = larger(T::MAX_SIZE, E::MAX_SIZE).saturating_add(1);
    const DEPTH: usize = 1 + larger(T::DEPTH, E::DEPTH);

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        let before = *reader;
        match reader.u8()? {
            0 => T::decode(reader).map(Ok),
            1 => E::decode(reader).map(Err),
            tag => Err(unknown_tag(&before, "Result", tag)),
        }
    }
}

/// The error of a tag that no variant of `name` has; `before` stands in front of it.
#[cold]
pub(super) fn unknown_tag(before: &Reader<'_>, name: &'static str, tag: u8) -> DecodeError {
    before.error(DecodeErrorKind::UnknownDiscriminant { name, value: tag.into() })
}

/// The smaller of two sizes.
#[must_use]
pub(super) const fn smaller(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

/// The larger of two sizes.
#[must_use]
pub(super) const fn larger(a: usize, b: usize) -> usize {
    if a < b { b } else { a }
}
