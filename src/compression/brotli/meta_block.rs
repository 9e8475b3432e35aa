//! Meta-blocks (RFC 7932, section 9.2), and the commands in them (section 10).

use super::block::Blocks;
use super::code::{COMMANDS, CodeLengths, code};
use super::command::Command;
use super::context::{ContextMap, Mode};
use super::dictionary::{self, Words};
use crate::compression::arena::Arena;
use crate::compression::bits::Bits;
use crate::compression::error::DecompressError;
use crate::compression::output::Output;
use crate::compression::prefix::{Code, Table};

/// Bytes on the stack for a meta-block, without the [lengths](super::code::SIZE) of its codes: the
/// cursors twice, as the loop over commands has copies of them.
pub(super) const SIZE: usize = size_of::<Body>()
    + size_of::<Copies>()
    + size_of::<Arena<'_>>()
    + 2 * (size_of::<Bits<'_>>() + size_of::<Output<'_>>());

/// Where copies come from: what goes from one meta-block to the next.
pub(super) struct Copies {
    /// How far back they reach.
    window: u32,
    /// Where they come from beyond that.
    words: Option<Words>,
    /// The last four distances, the last one first.
    last: [u32; 4],
}

impl Copies {
    pub(super) fn new(window: u32, words: Option<Words>) -> Self {
        Self { window, words, last: [4, 11, 15, 16] }
    }

    #[inline(always)]
    fn push(&mut self, distance: u32) {
        let [first, second, third, _] = self.last;
        self.last = [distance, first, second, third];
    }
}

/// Inflates one meta-block, and returns whether it was the last.
pub(super) fn inflate(
    bits: &mut Bits<'_>,
    arena: &mut Arena<'_>,
    copies: &mut Copies,
    out: &mut Output<'_>,
) -> Result<bool, DecompressError> {
    let is_last = bits.read(1)? == 1;
    if is_last && bits.read(1)? == 1 {
        return Ok(true);
    }
    let nibbles = bits.read(2)? + 4;
    if nibbles == 7 {
        skip(bits)?;
        return Ok(is_last);
    }
    let before = bits.read(4 * nibbles)?;
    if nibbles > 4 && before >> (4 * (nibbles - 1)) == 0 {
        return Err(bits.corrupt("length of a brotli meta-block"));
    }
    let len = before + 1;
    out.check(usize::try_from(len).unwrap_or(usize::MAX), bits)?;
    if !is_last && bits.read(1)? == 1 {
        align(bits)?;
        out.extend(bits.bytes(len as usize)?);
        return Ok(false);
    }
    arena.free_to(0);
    let body = Body::read(bits, arena)?;
    let (mut local, mut bytes) = (*bits, out.local());
    let result = body.inflate(len, &mut local, arena, copies, &mut bytes);
    let len = bytes.len();
    out.set_len(len);
    *bits = local;
    result.map(|()| is_last)
}

/// Skips a block of bytes that are not inflated.
fn skip(bits: &mut Bits<'_>) -> Result<(), DecompressError> {
    if bits.read(1)? != 0 {
        return Err(bits.corrupt("reserved bit of brotli"));
    }
    let count = bits.read(2)?;
    let before = bits.read(8 * count)?;
    if count > 1 && before >> (8 * (count - 1)) == 0 {
        return Err(bits.corrupt("length of a brotli meta-block"));
    }
    align(bits)?;
    if count > 0 {
        bits.bytes(usize::try_from(before + 1).unwrap_or(usize::MAX))?;
    }
    Ok(())
}

fn align(bits: &mut Bits<'_>) -> Result<(), DecompressError> {
    if bits.align() { Ok(()) } else { Err(bits.corrupt("brotli padding")) }
}

/// What stands in front of a meta-block's commands.
struct Body {
    literals: Blocks,
    commands: Blocks,
    distances: Blocks,
    /// Bits of a distance that stand in its symbol.
    postfix: u32,
    /// Distances that have a symbol each.
    direct: u32,
    /// Where the mode of each type of literals is.
    modes: usize,
    literal_map: ContextMap,
    distance_map: ContextMap,
    literal_codes: Codes,
    command_codes: Codes,
    distance_codes: Codes,
}

impl Body {
    fn read(bits: &mut Bits<'_>, arena: &mut Arena<'_>) -> Result<Self, DecompressError> {
        // One for all: a code of one symbol takes 12 bits, and would have all of it zeroed.
        let mut lengths = CodeLengths::new();
        let lengths = &mut lengths;
        let literals = Blocks::read(lengths, arena, bits)?;
        let commands = Blocks::read(lengths, arena, bits)?;
        let distances = Blocks::read(lengths, arena, bits)?;
        let postfix = bits.read(2)?;
        let direct = bits.read(4)? << postfix;
        let modes = arena.take(literals.types.into(), bits)?;
        for mode in 0..usize::from(literals.types) {
            let read = bits.read_u16(2)?;
            if let Some(place) = arena.given(modes).get_mut(mode) {
                *place = read;
            }
        }
        let literal_map = ContextMap::read(64 * usize::from(literals.types), lengths, arena, bits)?;
        let distance_map =
            ContextMap::read(4 * usize::from(distances.types), lengths, arena, bits)?;
        #[allow(clippy::cast_possible_truncation, reason = "at most 16 + 120 + 384")]
        let symbols = (16 + direct + (48 << postfix)) as u16;
        let literal_codes = Codes::read(literal_map.codes, 256, lengths, arena, bits)?;
        let command_codes = Codes::read(commands.types, COMMANDS, lengths, arena, bits)?;
        let distance_codes = Codes::read(distance_map.codes, symbols, lengths, arena, bits)?;
        Ok(Self {
            literals,
            commands,
            distances,
            postfix,
            direct,
            modes,
            literal_map,
            distance_map,
            literal_codes,
            command_codes,
            distance_codes,
        })
    }

    /// Does the commands that make `len` bytes, for which there is room.
    #[inline(always)]
    fn inflate(
        mut self,
        len: u32,
        bits: &mut Bits<'_>,
        arena: &Arena<'_>,
        copies: &mut Copies,
        out: &mut Output<'_>,
    ) -> Result<(), DecompressError> {
        let mut left = len;
        let mut command_table = self.command_codes.table(0, arena);
        let mut literal_code = self.literal_code(arena);
        // A command takes a bit or makes a byte, so this ends: a word of which nothing is left is
        // farther away than a distance without extra bits gets.
        loop {
            if self.commands.left == 0 {
                *bits = self.commands.switch(arena, *bits);
                command_table = self.command_codes.table(self.commands.current, arena);
            }
            self.commands.left -= 1;
            bits.fill_to(15 + 24);
            let Command { insert, copy, is_near } = Command::new(command_table.symbol(bits));
            let insert = insert.value(bits);
            bits.fill_to(24);
            let copy = copy.value(bits);

            let Some(rest) = left.checked_sub(insert) else {
                return Err(bits.corrupt("number of brotli literals"));
            };
            left = rest;
            let mut inserted = insert;
            while inserted != 0 {
                if self.literals.left == 0 {
                    *bits = self.literals.switch(arena, *bits);
                    literal_code = self.literal_code(arena);
                }
                let run = inserted.min(self.literals.left);
                self.literals.left -= run;
                inserted -= run;
                match literal_code {
                    LiteralCode::One(table) => literals(table, run as usize, bits, out),
                    LiteralCode::Mapped(mode, map) => {
                        let last = out.last_two();
                        let codes = self.literal_codes;
                        let places = out.next(run as usize);
                        *bits = mapped_literals(codes, mode, map, *bits, arena, last, places);
                    }
                }
            }
            bits.check()?;
            if left == 0 {
                return Ok(());
            }

            let symbol = if is_near { 0 } else { self.distance_symbol(copy, bits, arena) };
            let Some(distance) = self.distance(symbol, bits, copies) else {
                return Err(bits.corrupt("brotli distance"));
            };
            // What is farther than there are bytes is a word of the dictionary.
            let farthest = copies.window.min(u32::try_from(out.len()).unwrap_or(u32::MAX));
            let copied = if distance <= farthest {
                if copy > left || !out.repeat(distance as usize, copy as usize) {
                    return Err(bits.corrupt("length of a brotli copy"));
                }
                if symbol != 0 {
                    copies.push(distance);
                }
                copy
            } else {
                let (number, mut local) = (distance - farthest - 1, out.local());
                let len = dictionary::add(copies.words, copy, number, *bits, &mut local)?;
                let inflated = local.len();
                out.set_len(inflated);
                len
            };
            let Some(rest) = left.checked_sub(copied) else {
                return Err(bits.corrupt("length of a brotli copy"));
            };
            left = rest;
            bits.check()?;
            if left == 0 {
                return Ok(());
            }
        }
    }

    /// What the current type of literals is decoded with.
    fn literal_code<'t>(&self, arena: &'t Arena<'_>) -> LiteralCode<'t> {
        let of_type = usize::from(self.literals.current);
        if self.literal_map.codes == 1 {
            return LiteralCode::One(self.literal_codes.table(0, arena));
        }
        let map = arena.part(self.literal_map.start + 64 * of_type, 64);
        if let Some((first, others)) = map.split_first()
            && others.iter().all(|other| other == first)
        {
            return LiteralCode::One(self.literal_codes.table(*first, arena));
        }
        let mode = arena.words(self.modes + of_type).first().copied().unwrap_or_default();
        LiteralCode::Mapped(Mode::new(mode), map)
    }

    /// Takes the symbol of a distance, of which up to 24 bits may follow.
    #[inline(always)]
    fn distance_symbol(&mut self, copy: u32, bits: &mut Bits<'_>, arena: &Arena<'_>) -> u32 {
        if self.distances.left == 0 {
            *bits = self.distances.switch(arena, *bits);
        }
        self.distances.left -= 1;
        let code = if self.distance_map.codes == 1 {
            0
        } else {
            let context = copy.saturating_sub(2).min(3) as usize;
            let at = self.distance_map.start + 4 * usize::from(self.distances.current) + context;
            arena.words(at).first().copied().unwrap_or_default()
        };
        bits.fill_to(15 + 24);
        self.distance_codes.table(code, arena).symbol(bits).into()
    }

    /// The distance of a symbol (section 4); none where it would be below one.
    #[inline(always)]
    fn distance(&self, symbol: u32, bits: &mut Bits<'_>, copies: &Copies) -> Option<u32> {
        let [first, second, third, fourth] = copies.last;
        Some(match symbol {
            0 => first,
            1 => second,
            2 => third,
            3 => fourth,
            4..10 => near(first, symbol - 4)?,
            10..16 => near(second, symbol - 10)?,
            _ => match (symbol - 16).checked_sub(self.direct) {
                None => symbol - 15,
                Some(far) => {
                    let extra = 1 + (far >> (self.postfix + 1));
                    let half = far >> self.postfix & 1;
                    let offset = ((2 + half) << extra) - 4;
                    let postfix = far & ((1 << self.postfix) - 1);
                    ((offset + bits.take(extra)) << self.postfix) + postfix + self.direct + 1
                }
            },
        })
    }
}

/// One, two and three less and more than a distance, in turns.
#[inline(always)]
fn near(distance: u32, at: u32) -> Option<u32> {
    let by = at / 2 + 1;
    let near =
        if at.is_multiple_of(2) { distance.checked_sub(by) } else { distance.checked_add(by) };
    near.filter(|near| *near != 0)
}

/// Takes literals to `places`, each with the code of its context, behind the last two bytes.
fn mapped_literals<'a>(
    codes: Codes,
    mode: Mode,
    map: &[u16],
    mut bits: Bits<'a>,
    arena: &Arena<'_>,
    [mut second, mut last]: [u8; 2],
    places: &mut [u8],
) -> Bits<'a> {
    for place in places {
        let code = map.get(mode.context(last, second)).copied().unwrap_or_default();
        bits.fill_to(15);
        let [literal, _] = codes.table(code, arena).symbol(&mut bits).to_le_bytes();
        *place = literal;
        (last, second) = (literal, last);
    }
    bits
}

/// Takes `len` literals of one code.
#[inline(always)]
fn literals(table: Table<'_>, len: usize, bits: &mut Bits<'_>, out: &mut Output<'_>) {
    for place in out.next(len) {
        bits.fill_to(15);
        let [literal, _] = table.symbol(bits).to_le_bytes();
        *place = literal;
    }
}

/// What literals are decoded with.
#[derive(Clone, Copy)]
enum LiteralCode<'t> {
    /// One code, whatever is in front.
    One(Table<'t>),
    /// By context, which code.
    Mapped(Mode, &'t [u16]),
}

/// Codes of one category, by number: two words each in an [`Arena`].
#[derive(Clone, Copy)]
struct Codes {
    start: usize,
}

impl Codes {
    /// Reads `count` codes for `alphabet` symbols.
    fn read(
        count: u16,
        alphabet: u16,
        lengths: &mut CodeLengths,
        arena: &mut Arena<'_>,
        bits: &mut Bits<'_>,
    ) -> Result<Self, DecompressError> {
        let start = arena.take(2 * usize::from(count), bits)?;
        for number in 0..usize::from(count) {
            let Code { start: at, root } = code(alphabet, lengths, arena, bits)?;
            let words = arena.given(start).get_mut(2 * number..).unwrap_or_default();
            if let Some(words) = words.first_chunk_mut() {
                // No tables of one meta-block come near 2^28 words.
                #[allow(clippy::cast_possible_truncation, reason = "above")]
                let (low, high) = ((at << 4) as u16 | root as u16, (at >> 12) as u16);
                *words = [low, high];
            }
        }
        Ok(Self { start })
    }

    /// The table of one of them.
    #[inline(always)]
    fn table<'t>(self, number: u16, arena: &'t Arena<'_>) -> Table<'t> {
        let words = arena.words(self.start + 2 * usize::from(number));
        let [low, high] = words.first_chunk().copied().unwrap_or_default();
        let packed = u32::from(high) << 16 | u32::from(low);
        Code { start: (packed >> 4) as usize, root: packed & 15 }.table(arena)
    }
}
