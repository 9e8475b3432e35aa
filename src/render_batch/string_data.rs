//! Strings on the wire: a length prefix of 7 bits a byte, then UTF-8.

use crate::record::last_chunk;
use crate::sink::copy;

/// The prefix of a string of `len` bytes and how many of its bytes count, or `None` where the
/// string is too long for the wire.
pub(super) const fn prefix(len: usize) -> Option<([u8; MAX_PREFIX], usize)> {
    #[allow(clippy::cast_possible_truncation, reason = "taken byte by byte, seven bits at a time")]
    const fn low(value: u64, shift: u32) -> u8 {
        (value >> shift) as u8 & 0x7f
    }
    // Some of the bounds are more than small machines can count to.
    let len = len as u64;
    Some(match len {
        0..=0x7f => ([low(len, 0), 0, 0, 0], 1),
        0x80..=0x3fff => ([low(len, 0) | 0x80, low(len, 7), 0, 0], 2),
        0x4000..=0x1f_ffff => ([low(len, 0) | 0x80, low(len, 7) | 0x80, low(len, 14), 0], 3),
        0x20_0000..=MAX_LEN => {
            ([low(len, 0) | 0x80, low(len, 7) | 0x80, low(len, 14) | 0x80, low(len, 21)], 4)
        }
        _ => return None,
    })
}

/// Bytes of a string on the wire, with its prefix.
#[inline(always)]
pub(super) const fn string_len(prefix_len: usize, string: &str) -> u64 {
    prefix_len as u64 + string.len() as u64
}

/// Writes a string of less than [`SHORT`] bytes and its prefix over `out`, which fits both.
#[inline(always)]
pub(super) fn put_short(out: &mut [u8], string: &[u8]) {
    if let Some((prefix, data)) = out.split_first_mut() {
        #[allow(clippy::cast_possible_truncation, reason = "less than SHORT")]
        {
            *prefix = string.len() as u8;
        }
        copy_short(data, string);
    }
}

/// Copies a string of less than [`SHORT`] bytes; both slices have its length.
///
/// Up to 16 bytes are two overlapping words, which spares the call into `memcpy`: most strings of a
/// page are that short.
#[inline(always)]
fn copy_short(to: &mut [u8], from: &[u8]) {
    if to.len() != from.len() {
        return;
    }
    if from.len() > 16 {
        copy(to, from);
    } else if let (Some(first), Some(last)) = (from.first_chunk::<8>(), last_chunk::<8>(from)) {
        put_ends(to, *first, *last);
    } else if let (Some(first), Some(last)) = (from.first_chunk::<4>(), last_chunk::<4>(from)) {
        put_ends(to, *first, *last);
    } else if let (Some(first), Some(last)) = (from.first_chunk::<2>(), last_chunk::<2>(from)) {
        put_ends(to, *first, *last);
    } else if let (Some(to), Some(from)) = (to.first_mut(), from.first()) {
        *to = *from;
    }
}

#[inline(always)]
fn put_ends<const W: usize>(to: &mut [u8], first: [u8; W], last: [u8; W]) {
    if let Some(to) = to.first_chunk_mut::<W>() {
        *to = first;
    }
    if let Some((_, to)) = to.split_at_mut_checked(to.len().wrapping_sub(W)) {
        copy(to, &last);
    }
}

/// The longest string: four prefix bytes are the most that a browser reads.
pub(super) const MAX_LEN: u64 = (1 << 28) - 1;
/// Bytes of the longest prefix.
pub(super) const MAX_PREFIX: usize = 4;
/// Strings below this length have a prefix of one byte, which is the length itself.
pub(super) const SHORT: usize = 0x80;
