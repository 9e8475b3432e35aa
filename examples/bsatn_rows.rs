//! Rows of a SpacetimeDB table to bytes and back, as they are and as a row list.
//!
//! Runs on a host, on aarch64 Linux and on a Raspberry Pi Zero 2W without an operating system;
//! `bsatn_rows.out` is what all three print.
#![cfg_attr(target_os = "none", no_std, no_main)]

use core::fmt;

use onewrite::bsatn::{Decode, Encode, RowList, RowListWriter, SizeHint, Tail, Timestamp};
use onewrite_boards::{Console, Failure, entry};

/// A row whose bytes have the same length whatever is in it: 20 of them.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
struct Reading {
    id: u32,
    celsius: f32,
    valid: bool,
    line: u16,
    sensor: u8,
    at: Timestamp,
}
const _: () = assert!(<Reading as Encode>::MAX_SIZE == 20);

/// A row with a text in it, which is borrowed from the bytes when it is read.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
struct Player<'a> {
    id: u32,
    name: &'a str,
    team: Option<u8>,
    doing: Doing<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
enum Doing<'a> {
    Nothing,
    Walking { east: i16, north: i16 },
    Saying(&'a str),
}

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    let readings = [
        Reading {
            id: 1,
            celsius: -0.5,
            valid: true,
            line: 300,
            sensor: 7,
            at: Timestamp { micros: 1_700_000_000_000_001 },
        },
        Reading {
            id: 2,
            celsius: 21.25,
            valid: false,
            line: 1,
            sensor: 8,
            at: Timestamp { micros: -1 },
        },
    ];
    let players = [
        Player { id: 1, name: "ann", team: Some(3), doing: Doing::Nothing },
        Player {
            id: 2,
            name: "b\u{e9}a",
            team: None,
            doing: Doing::Walking { east: -1, north: 2 },
        },
        Player { id: 3, name: "", team: None, doing: Doing::Saying("hello") },
    ];

    writeln!(console, "rows")?;
    for reading in &readings {
        row(console, reading, &mut [0; 64])?;
    }
    for player in &players {
        row(console, player, &mut [0; 64])?;
    }

    writeln!(console, "a row list of readings")?;
    let mut out = [0; 256];
    let bytes = list(console, &readings, &mut out)?;
    let found = RowList::from_slice(bytes).map_err(|_| "the list does not decode")?;
    if !found.typed(Tail::Strict).eq(readings.iter().copied().map(Ok)) {
        return Err("readings came back as others".into());
    }
    // A table that has gained a column since this program was written.
    let ids = found.typed::<u32>(Tail::AllowTail);
    for id in ids {
        writeln!(console, "  id {}", id.map_err(|_| "a row has no id")?)?;
    }

    writeln!(console, "a row list of players")?;
    let bytes = list(console, &players, &mut out)?;
    let found = RowList::from_slice(bytes).map_err(|_| "the list does not decode")?;
    if !found.typed(Tail::Strict).eq(players.iter().copied().map(Ok)) {
        return Err("players came back as others".into());
    }
    // The last one, without those before it.
    let last = found.get(2).and_then(|row| Player::from_slice(row).ok());
    writeln!(console, "  the last one: {:?}", last.map(|player| player.doing))?;

    writeln!(console, "what is refused")?;
    let damaged = bytes.get(..bytes.len() - 1).unwrap_or_default();
    if let Err(error) = RowList::from_slice(damaged) {
        writeln!(console, "  a list that lacks its last byte: {error}")?;
    }
    if let Err(error) = Player::from_slice(b"\x01\0\0\0\x01\0\0\0\xff\x01\0") {
        writeln!(console, "  a name that is no text: {error}")?;
    }
    if let Err(error) = readings.as_slice().encode_to_slice(&mut [0; 40]) {
        writeln!(console, "  two readings and their number, into 40 bytes: {error}")?;
    }
    Ok(())
}

/// Encodes a row, prints its bytes, and shows what is read back from them.
fn row<'o, T>(console: &mut Console, value: &T, out: &'o mut [u8]) -> Result<(), Failure>
where
    T: Encode + Decode<'o> + PartialEq + fmt::Debug,
{
    let len = value.encode_to_slice(out).map_err(|_| "a row does not fit")?;
    let bytes = out.get(..len).unwrap_or_default();
    hex(console, bytes)?;
    let back = T::from_slice(bytes).map_err(|_| "a row does not decode")?;
    if back != *value {
        return Err("a row came back as another one".into());
    }
    writeln!(console, "  {back:?}")?;
    Ok(())
}

/// Writes rows as a list, prints its bytes, and how its rows are told apart.
fn list<'o, T: Encode>(
    console: &mut Console,
    rows: &[T],
    out: &'o mut [u8],
) -> Result<&'o [u8], Failure> {
    let writer = RowListWriter::new(rows);
    let len = writer.encode_to_slice(out).map_err(|_| "the list does not fit")?;
    let bytes = out.get(..len).unwrap_or_default();
    hex(console, bytes)?;
    let found = RowList::from_slice(bytes).map_err(|_| "the list does not decode")?;
    match found.hint() {
        SizeHint::FixedSize(size) => writeln!(console, "  {} rows of {size} bytes", found.len())?,
        SizeHint::RowOffsets(offsets) => {
            write!(console, "  {} rows, at", found.len())?;
            for offset in offsets {
                write!(console, " {}", u64::from_le_bytes(*offset))?;
            }
            writeln!(console)?;
        }
    }
    Ok(bytes)
}

fn hex(console: &mut Console, bytes: &[u8]) -> fmt::Result {
    for line in bytes.chunks(24) {
        write!(console, " ")?;
        for byte in line {
            write!(console, " {byte:02x}")?;
        }
        writeln!(console)?;
    }
    Ok(())
}
