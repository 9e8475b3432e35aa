//! Eight, four and two digits at once.
//!
//! There are two ways. A machine with words of 64 bits divides by constants, which is a
//! multiplication there, and looks pairs of digits up; flash is not what it is short of. A smaller one
//! multiplies within 32 bits and has no table. Both are built everywhere, and tested.

/// Whether words have 64 bits.
pub(super) const WIDE: bool = cfg!(target_pointer_width = "64");

/// The eight digits of a number below 10^8.
#[inline]
pub(super) const fn eight_digits(value: u32) -> [u8; 8] {
    let (above, below) =
        if WIDE { (value / 10_000, value % 10_000) } else { fours_computed(value) };
    let ([a, b, c, d], [e, f, g, h]) = (four_digits(above), four_digits(below));
    [a, b, c, d, e, f, g, h]
}

/// The four digits of a number below 10^4.
#[inline]
pub(super) const fn four_digits(value: u32) -> [u8; 4] {
    if WIDE { four_looked_up(value) } else { four_computed(value) }
}

/// The two digits of a number below 100.
#[inline]
pub(super) const fn two_digits(value: u32) -> [u8; 2] {
    if WIDE { pair(value).to_le_bytes() } else { two_computed(value) }
}

/// The eight hexadecimal digits of a number, on a machine with words of 64 bits.
#[inline]
pub(super) const fn eight_nibbles(value: u32) -> [u8; 8] {
    let halves = (value as u64 | (value as u64) << 16) & 0x0000_ffff_0000_ffff;
    let bytes = (halves | halves << 8) & 0x00ff_00ff_00ff_00ff;
    let nibbles = (bytes | bytes << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    // One in each byte from ten on: 6 more is 16 or more.
    let letters = ((nibbles + 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101;
    let letter = (b'a' - b'0' - 10) as u64;
    (nibbles + 0x3030_3030_3030_3030 + letters * letter).to_be_bytes()
}

/// The low 32 bits.
#[inline]
pub(super) const fn low_word(value: u64) -> u32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// The digits of all numbers below 100, the first one in the low byte.
const PAIRS: [u16; 100] = {
    let mut pairs = [0; 100];
    let mut rest: &mut [u16] = &mut pairs;
    let mut value = 0;
    while let Some((pair, others)) = rest.split_first_mut() {
        *pair = u16::from_le_bytes([b'0' + value / 10, b'0' + value % 10]);
        value += 1;
        rest = others;
    }
    pairs
};

/// An entry of the table. Where the compiler knows that `value` is below 100, nothing is checked.
#[inline]
const fn pair(value: u32) -> u16 {
    match PAIRS.split_at_checked(value as usize) {
        Some((_, [pair, ..])) => *pair,
        _ => 0,
    }
}

#[inline]
const fn four_looked_up(value: u32) -> [u8; 4] {
    let (above, below) = (pair(value / 100) as u32, pair(value % 100) as u32);
    (above | below << 16).to_le_bytes()
}

/// The four digits of a number below 10^8 in front, and those behind.
#[inline]
const fn fours_computed(value: u32) -> (u32, u32) {
    // floor(value / 10^4) for all of a u32.
    let above = low_word((value as u64 * 3_518_437_209) >> 45);
    (above, value - above * 10_000)
}

#[inline]
const fn four_computed(value: u32) -> [u8; 4] {
    // floor(value / 100) for all below 43,699.
    let above = (value * 5_243) >> 19;
    // Two fields of 16 bits, above + 65,536 * (value - 100 * above), and in each the same once more.
    let fields = (value << 16).wrapping_sub(above * ((100 << 16) - 1));
    let tens = ((fields * 103) >> 10) & 0x000f_000f;
    ((fields << 8) - tens * 2_559 + 0x3030_3030).to_le_bytes()
}

#[inline]
const fn two_computed(value: u32) -> [u8; 2] {
    // floor(value / 10) for all below 179.
    let tens = (value * 103) >> 10;
    // Both digits side by side, tens + 256 * (value - 10 * tens), which is two instructions less.
    let pair = (value << 8) - tens * 2_559 + 0x3030;
    let [tens_digit, units_digit, ..] = pair.to_le_bytes();
    [tens_digit, units_digit]
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::format;

    use super::*;

    #[test]
    fn both_ways_make_the_same_digits() {
        for value in 0..10_000 {
            let expected = format!("{value:04}");
            assert_eq!(four_computed(value), *expected.as_bytes(), "{value}");
            assert_eq!(four_looked_up(value), *expected.as_bytes(), "{value}");
        }
        for above in 0..10_000 {
            for below in [0, 1, 5_000, 9_999] {
                assert_eq!(fours_computed(above * 10_000 + below), (above, below));
            }
        }
        for value in 0..100 {
            let expected = format!("{value:02}");
            assert_eq!(two_computed(value), *expected.as_bytes(), "{value}");
            assert_eq!(pair(value).to_le_bytes(), *expected.as_bytes(), "{value}");
        }
    }

    #[test]
    fn eight_nibbles_are_those_of_the_standard_library() {
        for shift in 0..32 {
            for value in [0x0123_4567, 0x89ab_cdef, u32::MAX, 0xa0a0_9f9f] {
                let value = value >> shift;
                assert_eq!(eight_nibbles(value), *format!("{value:08x}").as_bytes());
            }
        }
    }
}
