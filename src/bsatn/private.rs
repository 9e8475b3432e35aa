//! What the output of the derive macros names. Not part of the public interface.

pub use core::primitive::{bool, str};

pub use super::array::count_bytes;
pub use super::{Decode, Encode, Output};
pub use crate::reader::Reader;
pub use crate::record::private::*;
pub use crate::record::{get, put};

/// The sum of sizes; `usize::MAX` where one of them is, or where they are too many.
#[must_use]
pub const fn sum(mut sizes: &[usize]) -> usize {
    let mut sum: usize = 0;
    while let [size, rest @ ..] = sizes {
        sum = sum.saturating_add(*size);
        sizes = rest;
    }
    sum
}

/// The smallest of these sizes, or 0.
#[must_use]
pub const fn smallest(sizes: &[usize]) -> usize {
    let [first, rest @ ..] = sizes else { return 0 };
    let (mut smallest, mut rest): (usize, &[usize]) = (*first, rest);
    while let [size, later @ ..] = rest {
        smallest = super::sum::smaller(smallest, *size);
        rest = later;
    }
    smallest
}

/// The largest of these sizes, or 0.
#[must_use]
pub const fn largest(mut sizes: &[usize]) -> usize {
    let mut largest = 0;
    while let [size, rest @ ..] = sizes {
        largest = super::sum::larger(largest, *size);
        sizes = rest;
    }
    largest
}

/// Whether all of these hold.
#[must_use]
pub const fn all(mut facts: &[bool]) -> bool {
    while let [fact, rest @ ..] = facts {
        if !*fact {
            return false;
        }
        facts = rest;
    }
    true
}

/// The length of the array that holds any value; 0 where values differ in size, or are too long to
/// lie on a small machine's stack.
#[must_use]
pub const fn fixed(min: usize, max: usize) -> usize {
    if min == max && min <= 1024 { min } else { 0 }
}

/// The sum of two lengths; `usize::MAX` where one of them is.
#[inline(always)]
#[must_use]
pub const fn add(a: usize, b: usize) -> usize {
    a.saturating_add(b)
}

/// Bytes of a few fields and of what is counted behind them.
#[inline(always)]
#[must_use]
pub const fn with_body(known: usize, body: usize) -> usize {
    // Does not wrap: nothing in memory has more than isize::MAX bytes.
    known.wrapping_add(body)
}

/// The next `len` bytes, which a count stood for, as a string.
///
/// # Errors
///
/// `EndOfInput` or `InvalidUtf8`.
#[inline(always)]
pub fn take_str<'de>(reader: &mut Reader<'de>, count: [u8; 4]) -> Result<&'de str, DecodeError> {
    reader.str(len_of(count))
}

/// The next `len` bytes, which a count stood for.
///
/// # Errors
///
/// `EndOfInput`.
#[inline(always)]
pub fn take_bytes<'de>(reader: &mut Reader<'de>, count: [u8; 4]) -> Result<&'de [u8], DecodeError> {
    reader.bytes(len_of(count))
}

#[inline(always)]
fn len_of(count: [u8; 4]) -> usize {
    usize::try_from(u32::from_le_bytes(count)).unwrap_or(usize::MAX)
}

/// The error of a tag that no variant of `name` has, and that was just taken.
#[cold]
#[must_use]
pub fn unknown_tag(reader: &Reader<'_>, name: &'static str, tag: u8) -> DecodeError {
    let at = reader.position().saturating_sub(1);
    DecodeError::new(at, DecodeErrorKind::UnknownDiscriminant { name, value: tag.into() })
}

/// The error of a bool that stands `back` bytes before what is left.
#[cold]
#[must_use]
pub fn invalid_bool(reader: &Reader<'_>, back: usize, error: DecodeError) -> DecodeError {
    error.shifted(reader.position().saturating_sub(back))
}

/// The error of fields of these sizes of which the last ones are not there.
#[cold]
#[must_use]
pub fn cut(reader: &Reader<'_>, sizes: &[usize]) -> DecodeError {
    let mut reader = *reader;
    for size in sizes {
        if let Err(error) = reader.bytes(*size) {
            return error;
        }
    }
    reader.error(DecodeErrorKind::EndOfInput { needed: 0, available: 0 })
}
