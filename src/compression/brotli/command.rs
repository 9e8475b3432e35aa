//! Commands: how many literals, and how much of what was before (RFC 7932, section 5).

use crate::compression::prefix::Based;

/// A command's numbers, without the bits that follow its symbol.
#[derive(Clone, Copy)]
pub(super) struct Command {
    pub(super) insert: Based,
    pub(super) copy: Based,
    /// Whether the copy is from the last distance, and no distance follows.
    pub(super) is_near: bool,
}

impl Command {
    /// The command of a symbol below 704.
    #[inline(always)]
    pub(super) fn new(symbol: u16) -> Self {
        // Two times three bits of a symbol number a length within a cell.
        let (insert, copy) = CELLS.get(usize::from(symbol >> 6 & 15)).copied().unwrap_or_default();
        let insert = usize::from(insert) + usize::from(symbol >> 3 & 7);
        let copy = usize::from(copy) + usize::from(symbol & 7);
        Self { insert: based(&INSERT, insert), copy: based(&COPY, copy), is_near: symbol < 128 }
    }
}

#[inline(always)]
fn based(table: &[Based; 32], at: usize) -> Based {
    table.get(at & 31).copied().unwrap_or(Based { base: 0, extra: 0 })
}

// The tables are as long as a mask makes their indexes: then no look-up needs a check.

/// The first codes for the lengths of literals and copies in each cell of section 5's figure.
#[rustfmt::skip]
static CELLS: [(u8, u8); 16] = [
    (0, 0), (0, 8), (0, 0), (0, 8), (8, 0), (8, 8), (0, 16), (16, 0), (8, 16), (16, 8), (16, 16),
    // None of these is a command's.
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
];

static INSERT: [Based; 32] =
    lengths(0, [0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 24]);

static COPY: [Based; 32] =
    lengths(2, [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 24]);

/// Lengths from `first` on, each behind all that the code before has.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
const fn lengths(first: u16, extra: [u16; 24]) -> [Based; 32] {
    let mut lengths = [Based { base: 0, extra: 0 }; 32];
    let (mut code, mut base) = (0, first);
    while code < 24 {
        lengths[code] = Based { base, extra: extra[code] };
        if code < 23 {
            base += 1 << extra[code];
        }
        code += 1;
    }
    lengths
}
