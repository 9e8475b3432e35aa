//! 100,000 bytes as numbered lines of hexadecimal, and a checksum of them: nothing may be lost.
//!
//! Case pi-03: a driver that does not wait for room in the UART's FIFO loses text here.
#![cfg_attr(target_os = "none", no_std, no_main)]

use onewrite_boards::{Console, Failure, entry};

const BYTES: u32 = 100_000;
const BYTES_A_LINE: u32 = 32;

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    let mut checksum = !0;
    for line in 0..BYTES / BYTES_A_LINE {
        write!(console, "{line:04}")?;
        for byte in 0..BYTES_A_LINE {
            let [byte, ..] = (line * BYTES_A_LINE + byte).to_le_bytes();
            write!(console, " {byte:02x}")?;
            checksum = crc32(checksum, byte);
        }
        writeln!(console)?;
    }
    writeln!(console, "crc32 {:08x}", !checksum)?;
    Ok(())
}

/// One byte of the CRC of zlib and Ethernet, reflected.
fn crc32(checksum: u32, byte: u8) -> u32 {
    let mut checksum = checksum ^ u32::from(byte);
    for _ in 0..8 {
        let mask = if checksum & 1 == 1 { 0xedb8_8320 } else { 0 };
        checksum = checksum >> 1 ^ mask;
    }
    checksum
}
