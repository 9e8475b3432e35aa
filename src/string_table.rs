//! A fixed-capacity table that gives each distinct string one number.

/// The first and last word of a string, overlapping where it is short.
///
/// With the length, the pair is the exact content of every string up to 16 bytes.
#[inline(always)]
pub(crate) const fn words(bytes: &[u8]) -> (u64, u64) {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (u64::from_le_bytes(*first), u64::from_le_bytes(*last))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (u32::from_le_bytes(*first) as u64, u32::from_le_bytes(*last) as u64)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<2>(), bytes.last_chunk::<2>()) {
        (u16::from_le_bytes(*first) as u64, u16::from_le_bytes(*last) as u64)
    } else if let Some(only) = bytes.first() {
        (*only as u64, 0)
    } else {
        (0, 0)
    }
}

/// The hash by which strings are looked up: one multiply over [`words`] and the length.
#[inline(always)]
#[must_use]
pub const fn hash(string: &str) -> u32 {
    let (first, last) = words(string.as_bytes());
    let mixed = first ^ last.rotate_left(29) ^ (string.len() as u64) << 59;
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}
