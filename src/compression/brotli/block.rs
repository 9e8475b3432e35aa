//! Blocks of literals, commands and distances (RFC 7932, section 6).

use super::code::{CodeLengths, code, number};
use crate::compression::arena::Arena;
use crate::compression::bits::Bits;
use crate::compression::error::DecompressError;
use crate::compression::prefix::Code;

/// The blocks of one category in a meta-block: which type it is now, and how much is left of it.
pub(super) struct Blocks {
    /// Number of types, 1 to 256.
    pub(super) types: u16,
    /// The type of the block.
    pub(super) current: u16,
    /// That of the block before.
    previous: u16,
    /// Items that are left of the block.
    pub(super) left: u32,
    of_types: Code,
    of_counts: Code,
}

impl Blocks {
    /// Reads how many types there are and, for more than one, their codes and the first length.
    pub(super) fn read(
        lengths: &mut CodeLengths,
        arena: &mut Arena<'_>,
        bits: &mut Bits<'_>,
    ) -> Result<Self, DecompressError> {
        let types = number(bits)?;
        let mut blocks = Self {
            types,
            current: 0,
            previous: 1,
            // More than a meta-block has.
            left: u32::MAX,
            of_types: Code::default(),
            of_counts: Code::default(),
        };
        if types > 1 {
            blocks.of_types = code(types + 2, lengths, arena, bits)?;
            blocks.of_counts = code(COUNTS, lengths, arena, bits)?;
            blocks.left = blocks.count(arena, bits);
            bits.check()?;
        }
        Ok(blocks)
    }

    /// Goes on to the next block. With one type there is none, and the meta-block ends before.
    #[cold]
    #[inline(never)]
    pub(super) fn switch<'a>(&mut self, arena: &Arena<'_>, mut bits: Bits<'a>) -> Bits<'a> {
        bits.fill_to(15);
        let next = match self.of_types.table(arena).symbol(&mut bits) {
            0 => self.previous,
            1 if self.current + 1 == self.types => 0,
            1 => self.current + 1,
            code => code - 2,
        };
        (self.previous, self.current) = (self.current, next);
        self.left = self.count(arena, &mut bits);
        bits
    }

    fn count(&self, arena: &Arena<'_>, bits: &mut Bits<'_>) -> u32 {
        bits.fill_to(15 + 24);
        let symbol = usize::from(self.of_counts.table(arena).symbol(bits));
        let (base, extra) = COUNT.get(symbol).copied().unwrap_or((1, 0));
        u32::from(base) + bits.take(extra.into())
    }
}

/// Symbols of the code for lengths.
const COUNTS: u16 = 26;

/// Shortest length and extra bits of each symbol.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
static COUNT: [(u16, u8); COUNTS as usize] = {
    let extra = [2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 24];
    let mut count = [(0, 0); COUNTS as usize];
    let (mut symbol, mut base) = (0, 1);
    while symbol < extra.len() {
        count[symbol] = (base, extra[symbol]);
        if symbol + 1 < extra.len() {
            base += 1 << extra[symbol];
        }
        symbol += 1;
    }
    count
};
