//! Numbers as a fixed width of digits.

use super::groups::{WIDE, eight_digits, eight_nibbles, four_digits, low_word, two_digits};
use crate::record::{last_chunk, put};

/// `value` in `W` decimal digits, zeros in front; `None` if it has more digits.
///
/// `W` is 1 to 20. Machines with words of 64 bits look two digits up at a time, in a table of 200 bytes;
/// smaller ones compute them, without a division that they would call a function for.
///
/// ```
/// use onewrite::literal::zero_padded;
///
/// assert_eq!(zero_padded(42), Some(*b"0042"));
/// assert_eq!(zero_padded::<1>(42), None);
/// ```
///
/// ```compile_fail,E0080
/// let _ = onewrite::literal::zero_padded::<21>(42);
/// ```
#[inline]
#[must_use]
pub const fn zero_padded<const W: usize>(value: u64) -> Option<[u8; W]> {
    const { assert!(1 <= W && W <= MAX_DIGITS, "a decimal number is 1 to 20 digits wide") }
    if W < MAX_DIGITS && value >= const { if W < MAX_DIGITS { power_of_ten(W) } else { 0 } } {
        return None;
    }
    let mut digits = [b'0'; MAX_DIGITS];
    if W <= 2 {
        put::<18, 2, MAX_DIGITS>(&mut digits, two_digits(low_word(value)));
    } else if W <= 4 {
        put::<16, 4, MAX_DIGITS>(&mut digits, four_digits(low_word(value)));
    } else if W <= 8 {
        put::<12, 8, MAX_DIGITS>(&mut digits, eight_digits(low_word(value)));
    } else {
        let (above, group) = split_group(value);
        put::<12, 8, MAX_DIGITS>(&mut digits, eight_digits(group));
        if W <= 16 {
            put::<4, 8, MAX_DIGITS>(&mut digits, eight_digits(low_word(above)));
        } else {
            let (above, group) = split_group(above);
            put::<4, 8, MAX_DIGITS>(&mut digits, eight_digits(group));
            put::<0, 4, MAX_DIGITS>(&mut digits, four_digits(low_word(above)));
        }
    }
    match last_chunk(&digits) {
        Some(digits) => Some(*digits),
        None => None,
    }
}

/// `value` in `W` decimal digits, spaces in front; `None` if it has more digits.
///
/// `W` is 1 to 20; zero is one digit.
///
/// ```
/// use onewrite::literal::space_padded;
///
/// assert_eq!(space_padded(42), Some(*b"  42"));
/// assert_eq!(space_padded(0), Some(*b"   0"));
/// ```
#[inline]
#[must_use]
pub const fn space_padded<const W: usize>(value: u64) -> Option<[u8; W]> {
    let Some(mut digits) = zero_padded::<W>(value) else {
        return None;
    };
    let mut front: &mut [u8] = &mut digits;
    // The last digit stays also where it is zero.
    while let [digit @ b'0', rest @ ..] = front
        && !rest.is_empty()
    {
        *digit = b' ';
        front = rest;
    }
    Some(digits)
}

/// `value` in `W` lower-case hexadecimal digits, zeros in front; `None` if it has more digits.
///
/// `W` is 1 to 16.
///
/// ```
/// use onewrite::literal::hex;
///
/// assert_eq!(hex(0xbeef), Some(*b"00beef"));
/// ```
///
/// ```compile_fail,E0080
/// let _ = onewrite::literal::hex::<17>(42);
/// ```
#[inline]
#[must_use]
pub const fn hex<const W: usize>(value: u64) -> Option<[u8; W]> {
    const { assert!(1 <= W && W <= MAX_NIBBLES, "a hexadecimal number is 1 to 16 digits wide") }
    if W < MAX_NIBBLES && value >> (W * 4) != 0 {
        return None;
    }
    if WIDE {
        let mut digits = [b'0'; MAX_NIBBLES];
        put::<8, 8, MAX_NIBBLES>(&mut digits, eight_nibbles(low_word(value)));
        if W > 8 {
            put::<0, 8, MAX_NIBBLES>(&mut digits, eight_nibbles(low_word(value >> 32)));
        }
        return match last_chunk(&digits) {
            Some(digits) => Some(*digits),
            None => None,
        };
    }
    Some(nibbles_one_by_one(value))
}

/// 10 to the power of `exponent`, which is 19 at most.
const fn power_of_ten(exponent: usize) -> u64 {
    let mut power = 1;
    let mut n = 0;
    while n < exponent {
        power *= 10;
        n += 1;
    }
    power
}

/// The last `W` hexadecimal digits.
#[inline]
const fn nibbles_one_by_one<const W: usize>(value: u64) -> [u8; W] {
    let mut digits = [0; W];
    let mut front: &mut [u8] = &mut digits;
    let mut rest = value;
    while let Some((digit, before)) = front.split_last_mut() {
        let [low, ..] = rest.to_le_bytes();
        let nibble = low & 0x0f;
        *digit = if nibble < 10 { b'0' + nibble } else { b'a' - 10 + nibble };
        rest >>= 4;
        front = before;
    }
    digits
}

/// The last eight decimal digits of `value`, and what is in front of them.
#[inline]
const fn split_group(value: u64) -> (u64, u32) {
    // 2^90 / 10^8, rounded up, is exact for the whole range: floor(v * m / 2^90) = floor(v / 10^8).
    const RECIPROCAL: u128 = (1 << 90) / 100_000_000 + 1;
    let above = low_half((value as u128 * RECIPROCAL) >> 90);
    (above, low_word(value - above * 100_000_000))
}

#[inline]
const fn low_half(value: u128) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = value.to_le_bytes();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

/// Digits of the largest `u64`.
const MAX_DIGITS: usize = 20;
/// The same in hexadecimal.
const MAX_NIBBLES: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_by_one_they_are_the_same_nibbles() {
        for shift in 0..64 {
            let value = 0x0123_4567_89ab_cdef_u64.rotate_left(shift);
            assert_eq!(Some(nibbles_one_by_one(value)), hex::<16>(value));
        }
    }
}
