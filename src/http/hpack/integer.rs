//! Numbers of HPACK (RFC 7541 section 5.1).

use super::Stop;

/// Bytes of a number behind its first one; more would be above 2^28, which nothing here can be.
const LONGEST: u32 = 4;

/// Reads the number that begins in the lowest `bits` bits of the first byte, 1 to 7 of them.
///
/// Returns it with what stands behind it.
///
/// # Errors
///
/// [`Stop::Incomplete`] if the bytes end within the number, [`Stop::Wrong`] if it is too long.
#[cfg_attr(feature = "http-quick", inline(always))]
pub(super) fn integer(bytes: &[u8], bits: u32) -> Result<(usize, &[u8]), Stop> {
    let Some((first, rest)) = bytes.split_first() else { return Err(Stop::Incomplete) };
    let most = 0xff_u8.wrapping_shr(8 - bits);
    let value = first & most;
    if value < most {
        return Ok((usize::from(value), rest));
    }
    let (value, rest) = long(u32::from(most), rest)?;
    Ok((usize::try_from(value).unwrap_or(usize::MAX), rest))
}

/// The same in 32 bits, which hold it where an address has 16 as well.
#[cold]
#[inline(never)]
fn long(mut value: u32, mut bytes: &[u8]) -> Result<(u32, &[u8]), Stop> {
    let mut at = 0;
    while let Some((byte, rest)) = bytes.split_first() {
        if at == LONGEST {
            return Err(Stop::Wrong);
        }
        value = value.saturating_add(u32::from(byte & 0x7f) << (7 * at));
        bytes = rest;
        at += 1;
        if byte & 0x80 == 0 {
            return Ok((value, bytes));
        }
    }
    Err(if at == LONGEST { Stop::Wrong } else { Stop::Incomplete })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 7541 appendix C.1.
    #[test]
    fn numbers_of_the_rfc() {
        assert_eq!(integer(&[0b1110_1010, 7], 5), Ok((10, &[7][..])));
        assert_eq!(integer(&[0b0001_1111, 0b1001_1010, 0b0000_1010, 7], 5), Ok((1337, &[7][..])));
        assert_eq!(integer(&[42], 7), Ok((42, &[][..])));
    }

    #[test]
    fn cut_numbers_are_incomplete_and_long_ones_wrong() {
        assert_eq!(integer(&[], 5), Err(Stop::Incomplete));
        assert_eq!(integer(&[0x1f], 5), Err(Stop::Incomplete));
        assert_eq!(integer(&[0x1f, 0x80, 0x80, 0x80], 5), Err(Stop::Incomplete));
        assert_eq!(integer(&[0x1f, 0x80, 0x80, 0x80, 0x80], 5), Err(Stop::Wrong));
        assert_eq!(integer(&[0x1f, 0x80, 0x80, 0x80, 0x80, 0], 5), Err(Stop::Wrong));
        // The longest forms that are taken: zeros behind, and the highest number.
        assert_eq!(integer(&[0x1f, 0x80, 0x80, 0x80, 0], 5), Ok((31, &[][..])));
        assert_eq!(integer(&[0x7f, 0xff, 0xff, 0xff, 0x7f], 7), Ok((127 + 0x0fff_ffff, &[][..])));
    }
}
