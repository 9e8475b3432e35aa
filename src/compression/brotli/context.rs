//! Contexts: which code a literal or a distance has (RFC 7932, section 7).

use super::code::{CodeLengths, code, number};
use crate::compression::arena::Arena;
use crate::compression::bits::Bits;
use crate::compression::error::DecompressError;

/// How the two bytes in front of a literal make one of 64 contexts.
#[derive(Clone, Copy)]
pub(super) struct Mode(u16);

impl Mode {
    /// The mode of two bits.
    pub(super) fn new(bits: u16) -> Self {
        Self(bits)
    }

    /// What the byte in front and the one before that make.
    #[inline(always)]
    pub(super) fn context(self, last: u8, second: u8) -> usize {
        usize::from(match self.0 {
            0 => last & 0x3f,
            1 => last >> 2,
            2 => of(&UTF8_LAST, last) | of(&UTF8_SECOND, second),
            _ => of(&SIGNED, last) << 3 | of(&SIGNED, second),
        })
    }
}

#[inline(always)]
fn of(table: &[u8; 256], byte: u8) -> u8 {
    table.get(usize::from(byte)).copied().unwrap_or_default()
}

/// Which of several codes each context has, in the arena.
#[derive(Clone, Copy)]
pub(super) struct ContextMap {
    /// Number of codes, 1 to 256.
    pub(super) codes: u16,
    /// Where the map is; there is none for a single code.
    pub(super) start: usize,
}

impl ContextMap {
    /// Reads the map for `contexts` contexts (section 7.3).
    pub(super) fn read(
        contexts: usize,
        lengths: &mut CodeLengths,
        arena: &mut Arena<'_>,
        bits: &mut Bits<'_>,
    ) -> Result<Self, DecompressError> {
        let codes = number(bits)?;
        if codes == 1 {
            return Ok(Self { codes, start: 0 });
        }
        let start = arena.take(contexts, bits)?;
        let used = arena.used();
        let most_run = if bits.read(1)? == 0 { 0 } else { bits.read_u16(4)? + 1 };
        let of_map = code(codes + most_run, lengths, arena, bits)?;

        let mut at = 0;
        while at < contexts {
            bits.fill_to(15 + 16);
            let symbol = of_map.table(arena).symbol(bits);
            let (code, count) = if symbol == 0 {
                (0, 1)
            } else if symbol <= most_run {
                // Up to 2^17 - 1, which is more than a usize of 16 bits holds.
                let run = (1u32 << symbol) + bits.take(symbol.into());
                (0, usize::try_from(run).unwrap_or(usize::MAX))
            } else {
                (symbol - most_run, 1)
            };
            let map = arena.given(start).get_mut(at..used - start).unwrap_or_default();
            let Some(places) = map.get_mut(..count) else {
                return Err(bits.corrupt("brotli context map"));
            };
            places.fill(code);
            at += count;
        }
        if bits.read(1)? == 1 {
            let map = arena.given(start).get_mut(..contexts).unwrap_or_default();
            move_to_front(map);
        }
        arena.free_to(used);
        Ok(Self { codes, start })
    }
}

/// Undoes the transform of section 7.3.
fn move_to_front(map: &mut [u16]) {
    let mut front = [0u8; 256];
    for (value, place) in (0..=u8::MAX).zip(&mut front) {
        *place = value;
    }
    for entry in map {
        let at = usize::from(*entry);
        // An entry may have taken no bit of the input, so this has to be one move of bytes.
        let Some(passed) = front.get_mut(..=at) else { continue };
        let Some(moved) = passed.last().copied() else { continue };
        passed.copy_within(..passed.len() - 1, 1);
        if let Some(first) = passed.first_mut() {
            *first = moved;
        }
        *entry = moved.into();
    }
}

/// `Lut0` of section 7.1.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
static UTF8_LAST: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        #[allow(clippy::cast_possible_truncation, reason = "below 256")]
        let char = byte as u8;
        table[byte] = match char {
            b'\t' | b'\n' | b'\r' => 4,
            0..=31 | 127 => 0,
            b' ' => 8,
            b'"' | b'\'' => 16,
            b'%' => 20,
            b'(' | b'<' | b'[' | b'{' => 24,
            b')' | b'>' | b']' | b'}' => 28,
            b',' | b':' | b';' => 32,
            b'.' => 36,
            b'=' => 40,
            b'0'..=b'9' => 44,
            b'A' | b'E' | b'I' | b'O' | b'U' => 48,
            b'A'..=b'Z' => 52,
            b'a' | b'e' | b'i' | b'o' | b'u' => 56,
            b'a'..=b'z' => 60,
            128..=191 => char & 1,
            192.. => 2 | char & 1,
            _ => 12,
        };
        byte += 1;
    }
    table
};

/// `Lut1`.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
static UTF8_SECOND: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        #[allow(clippy::cast_possible_truncation, reason = "below 256")]
        let char = byte as u8;
        table[byte] = match char {
            0..=b' ' | 127..=223 => 0,
            b'0'..=b'9' | b'A'..=b'Z' | 224.. => 2,
            b'a'..=b'z' => 3,
            _ => 1,
        };
        byte += 1;
    }
    table
};

/// `Lut2`.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
static SIGNED: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte {
            0 => 0,
            1..16 => 1,
            16..64 => 2,
            64..128 => 3,
            128..192 => 4,
            192..240 => 5,
            240..255 => 6,
            _ => 7,
        };
        byte += 1;
    }
    table
};
