//! A batch of more bytes than 16 bits count, on machines that have no room for it.
//!
//! It leaves through 64 bytes of scratch, and its positions are those of the wire whatever a `usize`
//! holds: `long_batch.out` is what every machine prints, an AVR with 8 KiB of RAM among them. Numbers
//! are put into text here, since `core::fmt` with arguments relies on an alignment of the stack that
//! LLVM does not give on AVR (llvm/llvm-project#169190).
#![cfg_attr(target_os = "none", no_std, no_main)]

use core::fmt::{self, Write as _};

use onewrite::render_batch::{
    Batch, BatchError, BatchProducer, Diff, Edit, Frame, Value, write_into,
};
use onewrite::sink::Producer as _;
use onewrite::string_table::SlimStringTable;
use onewrite_boards::{Console, Failure, entry};

/// Components that changed, all in the same way.
const COMPONENTS: usize = 100;
/// Edits of each: 16 bytes on the wire, behind 8 in front of them.
const EDITS: usize = 50;
/// Bytes of the five positions that end a batch.
const TRAILER: usize = 20;

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    let mut edits = [Edit::step_out(); EDITS];
    for (sibling, edit) in (0..).zip(&mut edits) {
        *edit = Edit::remove_frame(sibling);
    }
    let [.., before, last] = &mut edits;
    *before = Edit::remove_attribute(7, "aria-hidden");
    *last = Edit::prepend_frame(0, 0);
    let mut diffs = [Diff { component: 0, edits: &edits }; COMPONENTS];
    for (component, diff) in (1..).zip(&mut diffs) {
        diff.component = component;
    }
    let frames = [
        Frame::element("p", 3),
        Frame::attribute("class", Value::Str("note")),
        Frame::text("the same for all of them"),
    ];
    let batch = Batch { diffs: &diffs, frames: &frames, ..Batch::default() };

    let mut table = SlimStringTable::<16>::new();
    let mut scratch = [0; 64];
    if write_into(&mut table, &batch, &mut scratch).is_ok() {
        return Err("80,000 bytes do not fit 64".into());
    }
    let sent = send(&mut table, &batch, &mut scratch).map_err(|_| "the batch is refused")?;

    number(console, "bytes", sent.bytes)?;
    number(console, "chunks", sent.chunks)?;
    number(console, "checksum", sent.checksum)?;
    let names = ["diffs", "frames", "disposed components", "disposed events", "string table"];
    for (name, position) in names.iter().zip(sent.last.as_chunks().0) {
        number(console, name, u32::from_le_bytes(*position))?;
    }
    console.write_str("in bytes")?;
    for byte in sent.last {
        hex(console, byte)?;
    }
    console.write_str("\n")?;
    Ok(())
}

/// What went out.
struct Sent {
    bytes: u32,
    chunks: u32,
    /// 32-bit FNV-1a.
    checksum: u32,
    /// The last bytes.
    last: [u8; TRAILER],
}

fn send(
    table: &mut SlimStringTable<16>,
    batch: &Batch<'_>,
    scratch: &mut [u8],
) -> Result<Sent, BatchError> {
    let mut strings = [0; 8];
    let mut producer = BatchProducer::new(table, &mut strings, batch)?;
    let mut sent = Sent { bytes: 0, chunks: 0, checksum: 0x811c_9dc5, last: [0; TRAILER] };
    loop {
        let len = producer.next_chunk(scratch)?;
        if len == 0 {
            return Ok(sent);
        }
        sent.chunks += 1;
        for &byte in scratch.get(..len).unwrap_or_default() {
            sent.bytes += 1;
            sent.checksum = (sent.checksum ^ u32::from(byte)).wrapping_mul(0x0100_0193);
            sent.last.rotate_left(1);
            if let Some(last) = sent.last.last_mut() {
                *last = byte;
            }
        }
    }
}

/// A line with a number.
fn number(console: &mut Console, name: &str, mut number: u32) -> fmt::Result {
    let mut digits = [b'0'; 10];
    let mut count = 0;
    for digit in digits.iter_mut().rev() {
        if let Some(last) = char::from_digit(number % 10, 10) {
            *digit = last as u8;
        }
        count += 1;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    let digits = digits.get(digits.len() - count..).unwrap_or_default();
    console.write_str(name)?;
    console.write_str(": ")?;
    console.write_str(str::from_utf8(digits).unwrap_or_default())?;
    console.write_str("\n")
}

fn hex(console: &mut Console, byte: u8) -> fmt::Result {
    console.write_str(" ")?;
    for digit in [byte >> 4, byte & 15] {
        console.write_char(char::from_digit(digit.into(), 16).unwrap_or('?'))?;
    }
    Ok(())
}
