//! Defines a record, encodes it at compile time and at run time, and shows the bytes.
//!
//! Runs on a host, on aarch64 Linux and on a Raspberry Pi Zero 2W without an operating system;
//! `record.out` is what all three print.
#![cfg_attr(target_os = "none", no_std, no_main)]

use onewrite::{
    Record,
    record::WriteRecord,
    sink::{Sink, SliceSink},
};
use onewrite_boards::{Console, Failure, entry};

/// What a sensor sends, in the order of its bytes.
///
/// | offset | size | type | meaning |
/// |---|---|---|---|
/// | 0 | 1 | u8 | sensor |
/// | 1 | 1 | bool | calibrated |
/// | 2 | 2 | zero | reserved |
/// | 4 | 4 | i32 BE | temperature in hundredths of a degree |
/// | 8 | 4 | u32 LE | number of the reading |
/// | 12 | 8 | u64 LE | microseconds since the start |
#[derive(Clone, Copy, Debug, PartialEq, Record)]
#[record(size = 20, pad(reserved = 2..4))]
struct Reading {
    sensor: u8,
    calibrated: bool,
    #[record(endian = "big", at = 4)]
    centidegrees: i32,
    number: u32,
    time_us: u64,
}

/// Laid out by the compiler: at run time these are 20 bytes of the program.
const GREETING: [u8; Reading::SIZE] =
    Reading { sensor: 7, calibrated: true, centidegrees: -40, number: 0, time_us: 0 }.to_bytes();

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    show(console, "const", &GREETING)?;

    let mut reading = Reading::from_bytes(&GREETING).map_err(|_| "the record does not decode")?;
    let mut page = [0; 2 * Reading::SIZE];
    let mut sink = SliceSink::new(&mut page);
    for number in 1..=2 {
        reading.number = number;
        reading.time_us += 1_000_000;
        reading.centidegrees += 2150;
        sink.write_record(&reading).map_err(|_| "the page is full")?;
    }
    if sink.write(&GREETING).is_ok() {
        return Err("the page took more than it has room for".into());
    }
    for record in page.chunks(Reading::SIZE) {
        show(console, "written", record)?;
    }
    Ok(())
}

fn show(console: &mut Console, what: &str, bytes: &[u8]) -> core::fmt::Result {
    write!(console, "{what:7}")?;
    for byte in bytes {
        write!(console, " {byte:02x}")?;
    }
    writeln!(console)
}
