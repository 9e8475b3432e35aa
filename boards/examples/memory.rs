//! Copies, fills and compares bytes at every length and many alignments, and looks at each byte.
//!
//! On bare metal these are our own `memcpy`, `memmove`, `memset` and `memcmp`; elsewhere the
//! machine's.
#![cfg_attr(target_os = "none", no_std, no_main)]

use core::{cmp::Ordering, hint::black_box};

use onewrite_boards::{Console, Failure, entry};

/// Past the lengths at which the code takes another way, and past three turns of its loops.
const LENGTHS: usize = 330;
const STARTS: [usize; 6] = [0, 1, 7, 8, 15, 16];
const ROOM: usize = LENGTHS + 2 * MARGIN;
/// Bytes on both sides that have to stay as they are.
const MARGIN: usize = 80;

type Room = [u8; ROOM];

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    let mut from = [0; ROOM];
    reset(&mut from);
    let mut count = 0_u32;
    for len in 0..LENGTHS {
        for start in STARTS {
            for source in STARTS {
                copy(&from, len, MARGIN + start, MARGIN + source)?;
                count += 1;
            }
            // Overlaps in both directions, by less and by more than one turn.
            for distance in [0, 1, 3, 8, 15, 16, 17, 33, 63, 64, 65] {
                shift(len, start, start + distance)?;
                shift(len, start + distance, start)?;
                count += 2;
            }
            fill(len, MARGIN + start)?;
            compare(&from, len, MARGIN + start)?;
            count += 2;
        }
    }
    writeln!(console, "{count} calls touched what they should")?;
    Ok(())
}

/// A byte that its neighbours cannot be mistaken for.
fn pattern(at: usize) -> u8 {
    at.wrapping_mul(151).to_le_bytes()[0] ^ 0x5a
}

fn reset(room: &mut Room) {
    for (at, byte) in room.iter_mut().enumerate() {
        // Hidden, so that the loop does not become one of the calls that are tested.
        *byte = black_box(pattern(at));
    }
}

/// Whether each byte of `room` is what `wanted` says.
fn all(room: &Room, wanted: impl Fn(usize) -> u8) -> bool {
    room.iter().enumerate().all(|(at, &byte)| black_box(byte) == wanted(at))
}

fn part(room: &Room, start: usize, len: usize) -> &[u8] {
    room.get(start..).and_then(|room| room.get(..len)).unwrap_or_default()
}

fn part_mut(room: &mut Room, start: usize, len: usize) -> &mut [u8] {
    room.get_mut(start..).and_then(|room| room.get_mut(..len)).unwrap_or_default()
}

fn copy(from: &Room, len: usize, start: usize, source: usize) -> Result<(), Failure> {
    let mut to = [0; ROOM];
    part_mut(&mut to, start, black_box(len)).copy_from_slice(part(from, source, black_box(len)));
    let inside = |at: usize| at >= start && at - start < len;
    let right = all(&to, |at| if inside(at) { pattern(at - start + source) } else { 0 });
    if right { Ok(()) } else { Err("a copy is wrong".into()) }
}

fn shift(len: usize, start: usize, source: usize) -> Result<(), Failure> {
    let mut room = [0; ROOM];
    reset(&mut room);
    room.copy_within(source..source + black_box(len), start);
    let inside = |at: usize| at >= start && at - start < len;
    let right = all(&room, |at| pattern(if inside(at) { at - start + source } else { at }));
    if right { Ok(()) } else { Err("a copy within is wrong".into()) }
}

fn fill(len: usize, start: usize) -> Result<(), Failure> {
    let mut room = [0; ROOM];
    reset(&mut room);
    part_mut(&mut room, start, black_box(len)).fill(black_box(0xe7));
    let inside = |at: usize| at >= start && at - start < len;
    let right = all(&room, |at| if inside(at) { 0xe7 } else { pattern(at) });
    if right { Ok(()) } else { Err("a fill is wrong".into()) }
}

/// Equal parts, and parts with one byte more or less at the first, a middle and the last place.
fn compare(from: &Room, len: usize, start: usize) -> Result<(), Failure> {
    let mut other = [0; ROOM];
    reset(&mut other);
    // What is outside must not count.
    for at in [start.wrapping_sub(1), start + len] {
        if let Some(byte) = other.get_mut(at) {
            *byte ^= 0xff;
        }
    }
    let order = |other: &Room| {
        let (left, right) = (part(from, start, black_box(len)), part(other, start, black_box(len)));
        ((left == right), left.cmp(right))
    };
    let mut right = order(&other) == (true, Ordering::Equal);
    for at in [0, len / 3, len / 2, len.saturating_sub(1)] {
        if at >= len {
            continue;
        }
        let old = pattern(start + at);
        for new in [old.wrapping_add(1), old.wrapping_sub(1), old ^ 0x80] {
            part_mut(&mut other, start + at, 1).fill(new);
            right &= order(&other) == (false, old.cmp(&new));
        }
        part_mut(&mut other, start + at, 1).fill(old);
    }
    if right { Ok(()) } else { Err("a comparison is wrong".into()) }
}
