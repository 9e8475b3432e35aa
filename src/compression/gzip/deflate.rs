//! DEFLATE (RFC 1951).

use crate::compression::arena::Arena;
use crate::compression::bits::Bits;
use crate::compression::error::{DecompressError, DecompressErrorKind};
use crate::compression::output::Output;
use crate::compression::prefix::{Based, Lengths, Table};

/// Bits that index the first level of a table, at most.
const LITERAL_ROOT: usize = 10;
const DISTANCE_ROOT: usize = 8;
const LENGTH_ROOT: usize = 7;

/// Words of the largest tables there are: 1,332 for 286 symbols with a first level of 10 bits, 400 for
/// 30 with one of 8. A search of all codes, as zlib's `enough` has it, finds them.
pub(super) const MOST_WORDS: usize = 1332 + 400;

/// Symbols of literals, lengths and the end of a block (section 3.2.5).
const LITERALS: usize = 286;
const DISTANCES: usize = 30;
const END_OF_BLOCK: u16 = 256;

/// Bytes on the stack while the codes of a block are read, which is where they are most: lengths of
/// three codes, and the cursors that the callers have. Registers that are saved come on top.
pub(super) const SIZE: usize = size_of::<Lengths<LITERALS>>()
    + size_of::<Lengths<DISTANCES>>()
    + size_of::<Lengths<19>>()
    + size_of::<[u16; 19]>()
    + size_of::<Arena<'_>>()
    + size_of::<Output<'_>>()
    + size_of::<Bits<'_>>();

/// Inflates blocks up to the last one, and leaves `bits` at the byte behind it.
pub(super) fn inflate(
    bits: &mut Bits<'_>,
    arena: &mut Arena<'_>,
    out: &mut Output<'_>,
) -> Result<(), DecompressError> {
    loop {
        let head = bits.read(3)?;
        match head >> 1 {
            0 => stored(bits, out)?,
            1 => {
                let (literals, distances) = (&FIXED_LITERALS, &FIXED_DISTANCES);
                compressed(Table::new(literals, 9), Table::new(distances, 5), bits, out)?;
            }
            2 => {
                arena.free_to(0);
                let (literals, distances) = dynamic(bits, arena)?;
                compressed(literals, distances, bits, out)?;
            }
            _ => return Err(bits.corrupt("DEFLATE block type")),
        }
        if head & 1 != 0 {
            bits.align();
            return bits.check();
        }
    }
}

/// Section 3.2.4.
fn stored(bits: &mut Bits<'_>, out: &mut Output<'_>) -> Result<(), DecompressError> {
    bits.align();
    let (len, complement) = (bits.read(16)?, bits.read(16)?);
    if len ^ complement != 0xffff {
        return Err(bits.corrupt("length of a stored DEFLATE block"));
    }
    let len = len as usize;
    out.check(len, bits)?;
    out.extend(bits.bytes(len)?);
    Ok(())
}

/// The codes of a block (section 3.2.7).
fn dynamic<'t>(
    bits: &mut Bits<'_>,
    arena: &'t mut Arena<'_>,
) -> Result<(Table<'t>, Table<'t>), DecompressError> {
    let literals = bits.read(5)? as usize + 257;
    let distances = bits.read(5)? as usize + 1;
    let lengths = bits.read(4)? as usize + 4;
    if literals > LITERALS || distances > DISTANCES {
        return Err(bits.corrupt("number of DEFLATE codes"));
    }

    let mut by_symbol = [0; 19];
    for &symbol in ORDER.get(..lengths).unwrap_or(&ORDER) {
        if let Some(length) = by_symbol.get_mut(usize::from(symbol)) {
            *length = bits.read_u16(3)?;
        }
    }
    let mut of_lengths = Lengths::<19>::new();
    for (symbol, length) in (0..).zip(by_symbol) {
        if length != 0 {
            of_lengths.push(symbol, length);
        }
    }
    if of_lengths.free() != 0 {
        return Err(bits.corrupt("code of DEFLATE code lengths"));
    }

    let code = of_lengths.build(LENGTH_ROOT, arena, bits)?;
    let table = code.table(arena);
    let mut of_literals = Lengths::<LITERALS>::new();
    let mut of_distances = Lengths::<DISTANCES>::new();
    let (mut symbol, mut previous) = (0, None);
    while symbol < literals + distances {
        bits.fill_to(7 + 7);
        let (length, times) = match table.symbol(bits) {
            16 => {
                let Some(length) = previous else {
                    return Err(bits.corrupt("repetition of no DEFLATE code length"));
                };
                (length, 3 + bits.take(2))
            }
            17 => (0, 3 + bits.take(3)),
            18 => (0, 11 + bits.take(7)),
            length => (length, 1),
        };
        let end = symbol + times as usize;
        if end > literals + distances {
            return Err(bits.corrupt("number of DEFLATE code lengths"));
        }
        if length != 0 {
            for symbol in symbol..end {
                #[allow(clippy::cast_possible_truncation, reason = "below 316")]
                match symbol.checked_sub(literals) {
                    None => of_literals.push(symbol as u16, length),
                    Some(distance) => of_distances.push(distance as u16, length),
                }
            }
        }
        (symbol, previous) = (end, Some(length));
    }
    bits.check()?;

    let has_end = of_literals.has(END_OF_BLOCK);
    if !has_end || !is_code(&of_literals) || !is_code(&of_distances) {
        return Err(bits.corrupt("DEFLATE code"));
    }
    arena.free_to(0);
    let literals = of_literals.build(LITERAL_ROOT, arena, bits)?;
    let distances = of_distances.build(DISTANCE_ROOT, arena, bits)?;
    Ok((literals.table(arena), distances.table(arena)))
}

/// Codes have to be complete, except one that has a single symbol, of one bit, or none at all.
fn is_code<const N: usize>(lengths: &Lengths<N>) -> bool {
    let free = lengths.free();
    free == 0 || (free > 0 && lengths.longest() <= 1)
}

/// The order in which the lengths of the code for lengths come.
const ORDER: [u8; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// The symbols of a block (section 3.2.3).
fn compressed(
    literals: Table<'_>,
    distances: Table<'_>,
    bits: &mut Bits<'_>,
    out: &mut Output<'_>,
) -> Result<(), DecompressError> {
    let (mut local, mut bytes) = (*bits, out.local());
    let result = symbols(literals, distances, &mut local, &mut bytes);
    let len = bytes.len();
    out.set_len(len);
    *bits = local;
    result
}

#[inline(always)]
fn symbols(
    literals: Table<'_>,
    distances: Table<'_>,
    bits: &mut Bits<'_>,
    out: &mut Output<'_>,
) -> Result<(), DecompressError> {
    loop {
        bits.fill_to(15);
        let symbol = literals.symbol(bits);
        if symbol < END_OF_BLOCK {
            let [literal, _] = symbol.to_le_bytes();
            if !out.push(literal) {
                return Err(full(1, *bits, out.len()));
            }
            continue;
        }
        let Some(length) = LENGTHS.get(usize::from(symbol - END_OF_BLOCK)) else {
            return Err(bits.corrupt("DEFLATE literal or length"));
        };
        if length.base == 0 {
            return bits.check();
        }
        // Five bits of the length, 15 and 13 of the distance.
        bits.fill_to(33);
        let length = length.value(bits) as usize;
        let Some(distance) = BACK.get(usize::from(distances.symbol(bits))) else {
            return Err(bits.corrupt("DEFLATE distance"));
        };
        let distance = distance.value(bits) as usize;
        if !out.repeat(distance, length) {
            if distance > out.reach() {
                return Err(bits.corrupt("DEFLATE distance"));
            }
            return Err(full(length, *bits, out.len()));
        }
        if bits.is_over() {
            return bits.check();
        }
    }
}

/// The error of `len` bytes more than there is room for.
#[cold]
fn full(len: usize, bits: Bits<'_>, inflated: usize) -> DecompressError {
    let at_least = inflated.saturating_add(len);
    bits.error(DecompressErrorKind::NeedsBuffer { at_least })
}

/// The lengths of symbols from 256 on (section 3.2.5): that is the end of a block, which has no length.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
static LENGTHS: [Based; 30] = {
    let mut lengths = [Based { base: 0, extra: 0 }; 30];
    let (mut symbol, mut base) = (1u16, 3);
    while symbol < 29 {
        let extra = if symbol < 9 { 0 } else { (symbol - 5) / 4 };
        lengths[symbol as usize] = Based { base, extra };
        base += 1 << extra;
        symbol += 1;
    }
    lengths[29] = Based { base: 258, extra: 0 };
    lengths
};

#[allow(clippy::indexing_slicing, reason = "at compile time")]
static BACK: [Based; DISTANCES] = {
    let mut distances = [Based { base: 0, extra: 0 }; DISTANCES];
    let (mut symbol, mut base) = (0u16, 1);
    while symbol < 30 {
        let extra = if symbol < 4 { 0 } else { (symbol - 2) / 2 };
        distances[symbol as usize] = Based { base, extra };
        base += 1 << extra;
        symbol += 1;
    }
    distances
};

/// The code of literals that needs no description (section 3.2.6), as a table of one level.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
static FIXED_LITERALS: [u16; 512] = {
    let mut table = [0; 512];
    let mut symbol: u16 = 0;
    while symbol < 288 {
        let (code, length): (u16, u16) = match symbol {
            0..144 => (0x30 + symbol, 8),
            144..256 => (0x190 + symbol - 144, 9),
            256..280 => (symbol - 256, 7),
            _ => (0xc0 + symbol - 280, 8),
        };
        let mut at = (code.reverse_bits() >> (16 - length)) as usize;
        while at < 512 {
            table[at] = symbol << 4 | length;
            at += 1 << length;
        }
        symbol += 1;
    }
    table
};

#[allow(clippy::indexing_slicing, reason = "at compile time")]
static FIXED_DISTANCES: [u16; 32] = {
    let mut table = [0; 32];
    let mut symbol: u16 = 0;
    while symbol < 32 {
        table[(symbol.reverse_bits() >> 11) as usize] = symbol << 4 | 5;
        symbol += 1;
    }
    table
};
