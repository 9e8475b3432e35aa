//! The checksum of gzip (RFC 1952, section 8).

/// The CRC-32 of `bytes`.
pub(super) fn of(bytes: &[u8]) -> u32 {
    let (fours, rest) = bytes.as_chunks();
    let mut crc = u32::MAX;
    for four in fours {
        let [a, b, c, d] = (crc ^ u32::from_le_bytes(*four)).to_le_bytes();
        crc = entry(3, a) ^ entry(2, b) ^ entry(1, c) ^ entry(0, d);
    }
    for &byte in rest {
        let [low, ..] = crc.to_le_bytes();
        crc = entry(0, low ^ byte) ^ (crc >> 8);
    }
    !crc
}

#[inline(always)]
fn entry(zeros: usize, byte: u8) -> u32 {
    let table = TABLES.get(zeros).and_then(|table| table.get(usize::from(byte)));
    table.copied().unwrap_or_default()
}

/// What a byte does to the checksum with 0 to 3 bytes behind it.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
static TABLES: [[u32; 256]; 4] = {
    let mut tables = [[0; 256]; 4];
    let mut byte = 0;
    while byte < 256 {
        #[allow(clippy::cast_possible_truncation, reason = "below 256")]
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 0 { crc >> 1 } else { crc >> 1 ^ 0xedb8_8320 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut zeros = 1;
    while zeros < 4 {
        let mut byte = 0;
        while byte < 256 {
            let crc = tables[zeros - 1][byte];
            tables[zeros][byte] = crc >> 8 ^ tables[0][(crc & 0xff) as usize];
            byte += 1;
        }
        zeros += 1;
    }
    tables
};

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn checksums_are_those_of_the_catalogue() {
        assert_eq!(of(b""), 0);
        assert_eq!(of(b"123456789"), 0xcbf4_3926);
        for len in 0..9 {
            let bytes = b"onewrites".get(..len).unwrap_or_default();
            let mut crc = u32::MAX;
            for byte in bytes {
                crc ^= u32::from(*byte);
                for _ in 0..8 {
                    crc = if crc & 1 == 0 { crc >> 1 } else { crc >> 1 ^ 0xedb8_8320 };
                }
            }
            assert_eq!(of(bytes), !crc, "{len} bytes");
        }
    }
}
