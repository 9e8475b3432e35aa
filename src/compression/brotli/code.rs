//! How prefix codes and small numbers are described (RFC 7932, sections 3.4, 3.5 and 9.2).

use crate::compression::arena::Arena;
use crate::compression::bits::Bits;
use crate::compression::error::DecompressError;
use crate::compression::prefix::{Code, Lengths};

/// Bits that index the first level of a table, at most.
const ROOT: usize = 8;
/// Symbols of the largest alphabet, that of commands.
pub(super) const COMMANDS: u16 = 704;

/// Lengths of any code; what stands in them means nothing from one code to the next.
pub(super) type CodeLengths = Lengths<{ COMMANDS as usize }>;

/// Bytes on the stack while codes are read.
pub(super) const SIZE: usize =
    size_of::<CodeLengths>() + size_of::<Lengths<18>>() + size_of::<[u16; 18]>();

/// A number from 1 to 256.
pub(super) fn number(bits: &mut Bits<'_>) -> Result<u16, DecompressError> {
    if bits.read(1)? == 0 {
        return Ok(1);
    }
    let extra = bits.read(3)?;
    Ok((1 << extra) + 1 + bits.read_u16(extra)?)
}

/// Reads the description of a code for `alphabet` symbols into `lengths`, and builds its table.
pub(super) fn code(
    alphabet: u16,
    lengths: &mut CodeLengths,
    arena: &mut Arena<'_>,
    bits: &mut Bits<'_>,
) -> Result<Code, DecompressError> {
    lengths.clear();
    match bits.read(2)? {
        1 => simple(alphabet, lengths, bits)?,
        skipped => complex(alphabet, skipped as usize, lengths, arena, bits)?,
    }
    lengths.build(ROOT, arena, bits)
}

/// Section 3.4: up to four symbols.
fn simple(
    alphabet: u16,
    lengths: &mut CodeLengths,
    bits: &mut Bits<'_>,
) -> Result<(), DecompressError> {
    let count = bits.read(2)? as usize + 1;
    let mut symbols = [0; 4];
    let symbols = symbols.get_mut(..count).unwrap_or_default();
    let width = u16::BITS - (alphabet - 1).leading_zeros();
    for symbol in symbols.iter_mut() {
        let read = bits.read_u16(width)?;
        if read >= alphabet {
            return Err(bits.corrupt("symbol of a brotli code"));
        }
        *symbol = read;
    }
    for (at, symbol) in symbols.iter().enumerate() {
        if symbols.iter().skip(at + 1).any(|other| other == symbol) {
            return Err(bits.corrupt("symbol of a brotli code"));
        }
    }
    let shape: [u16; 4] = match count {
        1 => [0; 4],
        2 => [1; 4],
        3 => [1, 2, 2, 0],
        _ if bits.read(1)? == 0 => [2; 4],
        _ => [1, 2, 3, 3],
    };
    // Their order counts only for the lengths; codes go by the symbols.
    let mut pairs = [(u16::MAX, 0); 4];
    for (pair, (symbol, length)) in pairs.iter_mut().zip(symbols.iter().zip(shape)) {
        *pair = (*symbol, length);
    }
    for _ in 0..count {
        if let Some(next) = pairs.iter_mut().min_by_key(|(symbol, _)| *symbol) {
            lengths.push(next.0, next.1);
            next.0 = u16::MAX;
        }
    }
    Ok(())
}

/// Section 3.5: lengths, which have a code of their own.
fn complex(
    alphabet: u16,
    skipped: usize,
    lengths: &mut CodeLengths,
    arena: &mut Arena<'_>,
    bits: &mut Bits<'_>,
) -> Result<(), DecompressError> {
    let used = arena.used();
    let table = code_of_lengths(skipped, arena, bits)?.table(arena);
    let mut local = *bits;

    // Codes of 15 bits that are free.
    let mut free = 1i32 << 15;
    let (mut symbol, mut previous) = (0, 8);
    // The length that is being repeated, and how often so far.
    let (mut repeated, mut times) = (0, 0);
    while symbol < alphabet && free > 0 {
        local.fill_to(5 + 3);
        let read = table.symbol(&mut local);
        let (length, count) = if read < 16 {
            times = 0;
            if read != 0 {
                previous = read;
            }
            (read, 1)
        } else {
            let (length, extra) = if read == 16 { (previous, 2) } else { (0, 3) };
            if length != repeated {
                times = 0;
            }
            repeated = length;
            let before = times;
            // One repetition after the other makes the digits of a larger number.
            times = if times == 0 { 0 } else { (times - 2) << extra };
            times += local.take(extra) + 3;
            (length, times - before)
        };
        // What is too much for the alphabet also stops `times` from growing out of a u32.
        if count > u32::from(alphabet - symbol) {
            return Err(local.corrupt("number of brotli code lengths"));
        }
        #[allow(clippy::cast_possible_truncation, reason = "no more than the alphabet has")]
        let end = symbol + count as u16;
        if length != 0 {
            free -= count.cast_signed() << (15 - length);
            for symbol in symbol..end {
                lengths.push(symbol, length);
            }
        }
        symbol = end;
    }
    *bits = local;
    bits.check()?;
    if free != 0 {
        return Err(bits.corrupt("brotli code"));
    }
    arena.free_to(used);
    Ok(())
}

fn code_of_lengths(
    skipped: usize,
    arena: &mut Arena<'_>,
    bits: &mut Bits<'_>,
) -> Result<Code, DecompressError> {
    let mut by_symbol = [0; 18];
    let mut free = 32;
    for &symbol in ORDER.iter().skip(skipped) {
        if free <= 0 {
            break;
        }
        bits.fill_to(4);
        let (length, width) = match bits.peek() & 15 {
            0b0111 => (1, 4),
            0b1111 => (5, 4),
            low => match low & 7 {
                0b011 => (2, 3),
                _ => match low & 3 {
                    0b00 => (0, 2),
                    0b01 => (4, 2),
                    _ => (3, 2),
                },
            },
        };
        bits.skip(width);
        if let Some(place) = by_symbol.get_mut(usize::from(symbol)) {
            *place = length;
        }
        if length != 0 {
            free -= 32 >> length;
        }
    }
    bits.check()?;

    let mut lengths = Lengths::<18>::new();
    let is_only = by_symbol.iter().filter(|length| **length != 0).count() == 1;
    for (symbol, length) in (0..).zip(by_symbol) {
        if length != 0 {
            lengths.push(symbol, if is_only { 0 } else { length });
        }
    }
    if free != 0 && !is_only {
        return Err(bits.corrupt("code of brotli code lengths"));
    }
    lengths.build(ROOT, arena, bits)
}

/// The order in which the lengths of the code for lengths come.
const ORDER: [u8; 18] = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15];
