//! What the output of the derive macros names. Not part of the public interface.
//!
//! The output stands in modules that may have shadowed anything, so every name it uses comes from
//! here.

pub use core::marker::PhantomData;
pub use core::mem::{offset_of, size_of};
pub use core::option::Option::{self, None, Some};
pub use core::primitive::{i8, i16, i32, i64, i128, u8, u16, u32, u64, usize};
pub use core::result::Result::{self, Err, Ok};

pub use super::field::{Bounded, Endian, Field};
pub use super::layout::{Gap, Part, check, distance, distinct, end_of};
pub use super::memory::{Memory, Place};
pub use super::{ByteArray, Record};
pub use crate::error::{DecodeError, DecodeErrorKind};

/// The byte of a bool.
#[inline(always)]
#[must_use]
pub const fn bool_to(value: bool) -> [u8; 1] {
    [value as u8]
}

/// The bool of a byte.
///
/// # Errors
///
/// `InvalidBool` at byte 0.
#[inline(always)]
pub const fn bool_from([value]: [u8; 1]) -> Result<bool, DecodeError> {
    super::field::bool_from(value)
}

/// Fails to build where `T` is not a record.
pub const fn is_record<T: Record>() {}

/// Stops the build for an array of records without length.
///
/// # Panics
///
/// At compile time only.
#[track_caller]
pub const fn not_empty(len: usize) {
    assert!(len != 0, "an array of records needs a literal length to be empty: write `[T; 0]`");
}

/// The byte after a field.
#[must_use]
pub const fn after(at: usize, len: usize) -> usize {
    at.saturating_add(len)
}

/// The `W` bytes of `record` from byte `at`; the layout was checked before.
#[inline(always)]
pub const fn slot_mut<const W: usize>(record: &mut [u8], at: usize) -> Option<&mut [u8; W]> {
    match record.split_at_mut_checked(at) {
        Some((_, tail)) => tail.first_chunk_mut(),
        None => None,
    }
}

/// The `W` bytes of `record` from byte `at`; the layout was checked before.
#[inline(always)]
#[must_use]
pub const fn slot<const W: usize>(record: &[u8], at: usize) -> &[u8; W] {
    if let Some((_, tail)) = record.split_at_checked(at)
        && let Some(bytes) = tail.first_chunk()
    {
        bytes
    } else {
        const { &[0; W] }
    }
}

/// A copy of the `W` bytes of `record` from byte `at`; the layout was checked before.
#[inline(always)]
#[must_use]
pub const fn load<const W: usize>(record: &[u8], at: usize) -> [u8; W] {
    if let Some((_, tail)) = record.split_at_checked(at)
        && let Some(bytes) = tail.first_chunk()
    {
        *bytes
    } else {
        [0; W]
    }
}

/// The bytes of `record` from byte `at`; the layout was checked before.
#[inline(always)]
#[must_use]
pub const fn tail(record: &[u8], at: usize) -> &[u8] {
    match record.split_at_checked(at) {
        Some((_, tail)) => tail,
        None => &[],
    }
}

/// The bytes of `record` from byte `at`; the layout was checked before.
#[inline(always)]
#[must_use]
pub const fn tail_mut(record: &mut [u8], at: usize) -> &mut [u8] {
    match record.split_at_mut_checked(at) {
        Some((_, tail)) => tail,
        None => &mut [],
    }
}

/// Where the first byte stands that belongs to no part and is not zero.
///
/// `unused` and `gaps` say the same: a mask, which costs least in a short record, and the runs that
/// no part has, which take no memory in a long one.
#[inline(always)]
#[must_use]
pub const fn stray<const N: usize, const K: usize>(
    bytes: &[u8; N],
    unused: &[u8; N],
    gaps: &[Gap; K],
) -> Option<usize> {
    if N <= 64 { stray_by_mask(bytes, unused) } else { stray_in_gaps(bytes, gaps) }
}

#[inline(always)]
const fn stray_by_mask(mut bytes: &[u8], mut unused: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let ([byte, later @ ..], [mask, masks @ ..]) = (bytes, unused) {
        if *byte & *mask != 0 {
            return Some(at);
        }
        at += 1;
        (bytes, unused) = (later, masks);
    }
    None
}

const fn stray_in_gaps(bytes: &[u8], mut gaps: &[Gap]) -> Option<usize> {
    while let [gap, later @ ..] = gaps {
        let mut at = gap.at;
        let mut rest = tail(bytes, at);
        while let [byte, after @ ..] = rest
            && at < gap.end
        {
            if *byte != 0 {
                return Some(at);
            }
            at += 1;
            rest = after;
        }
        gaps = later;
    }
    None
}

/// [`stray`] where the length of the record is not known to its type.
#[must_use]
pub fn stray_outside(bytes: &[u8], parts: &[Part]) -> Option<usize> {
    (0..).zip(bytes).find_map(|(at, byte)| {
        let used = parts.iter().any(|part| part.at <= at && at - part.at < part.len);
        (*byte != 0 && !used).then_some(at)
    })
}

/// The first `len` bytes of `out`, if there are so many.
#[inline(always)]
#[must_use]
pub fn prefix_mut(out: &mut [u8], len: usize) -> Option<&mut [u8]> {
    out.split_at_mut_checked(len).map(|(prefix, _)| prefix)
}

/// The first `len` bytes of `bytes`.
///
/// # Errors
///
/// `EndOfInput` at byte 0 where there are fewer.
#[inline(always)]
pub fn prefix(bytes: &[u8], len: usize) -> Result<&[u8], DecodeError> {
    match bytes.split_at_checked(len) {
        Some((prefix, _)) => Ok(prefix),
        None => Err(super::end_of_input(len, bytes.len())),
    }
}

/// The bits of a tag as a number of 64 bits.
#[must_use]
pub const fn widen<const W: usize>(tag: [u8; W]) -> u64 {
    let mut bits = 0;
    let mut bytes: &[u8] = &tag;
    while let [rest @ .., byte] = bytes {
        bits = bits << 8 | *byte as u64;
        bytes = rest;
    }
    bits
}

/// A mask of the bytes that belong to no part: `0xff` there, 0 elsewhere.
#[must_use]
pub const fn unused<const N: usize>(mut parts: &[Part]) -> [u8; N] {
    let mut mask = [0xff; N];
    let zeros = [0; N];
    while let [part, rest @ ..] = parts {
        // Whole slices: a loop over the bytes of a long record takes the compiler too long.
        if let Some((_, mask)) = mask.split_at_mut_checked(part.at)
            && let Some((mask, _)) = mask.split_at_mut_checked(part.len)
            && let Some((zeros, _)) = zeros.split_at_checked(part.len)
        {
            mask.copy_from_slice(zeros);
        }
        parts = rest;
    }
    mask
}

/// The runs of a record of `size` bytes that belong to no part; `K` is one more than `parts`.
#[must_use]
pub const fn gaps<const K: usize>(parts: &[Part], size: usize) -> [Gap; K] {
    let mut gaps = [Gap { at: 0, end: 0 }; K];
    let mut rest: &mut [Gap] = &mut gaps;
    let mut at = 0;
    while let Some((gap, later)) = { rest }.split_first_mut() {
        let next = super::layout::next(at, size, parts);
        *gap = Gap { at, end: next.at };
        at = after(next.at, next.len);
        rest = later;
    }
    gaps
}

/// The error of padding that is not zero.
#[must_use]
pub const fn bad_padding(at: usize) -> DecodeError {
    DecodeError::new(at, DecodeErrorKind::BadPadding)
}

/// The error of a byte that a tagged enum's variant does not use and that is not zero.
#[must_use]
pub const fn unused_not_zero(at: usize) -> DecodeError {
    DecodeError::new(at, DecodeErrorKind::UnusedNotZero)
}

/// The error of a discriminant that no variant has.
#[must_use]
pub const fn unknown_discriminant(at: usize, name: &'static str, value: u64) -> DecodeError {
    DecodeError::new(at, DecodeErrorKind::UnknownDiscriminant { name, value })
}
