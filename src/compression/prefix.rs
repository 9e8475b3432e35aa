//! Prefix codes, as DEFLATE and brotli have them: of at most 15 bits, canonical.
//!
//! A code is a table of two levels (RFC 1951, section 3.2.2 for the numbering of codes). The next
//! `root` bits of the input index the first level; a code that is longer has there the place and the
//! size of a second level, which the bits behind those index.
//!
//! | bits of an entry | a symbol | a link, in the first level |
//! |---|---|---|
//! | 0 to 3 | bits of its code | most bits of a code behind it, above `root` |
//! | 4 to 15 | the symbol | where the second level starts in the table |

use super::arena::Arena;
use super::bits::Bits;
use super::error::DecompressError;

/// Most bits of a code.
pub(super) const MOST_BITS: usize = 15;

/// The symbol of bit patterns that no code of an incomplete table has.
pub(super) const NO_SYMBOL: u16 = 0xfff;

/// Symbols with the length of their codes, up to `N`, in ascending order.
pub(super) struct Lengths<const N: usize> {
    /// Symbol and length, laid out as a table's entry is. Symbols without a code are left out.
    entries: [u16; N],
    len: usize,
    /// How many codes of each length there are.
    counts: [u16; MOST_BITS + 1],
}

impl<const N: usize> Lengths<N> {
    pub(super) const fn new() -> Self {
        Self { entries: [0; N], len: 0, counts: [0; MOST_BITS + 1] }
    }

    /// Takes every symbol out again.
    #[cfg(feature = "brotli")]
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.counts = [0; MOST_BITS + 1];
    }

    /// Adds a symbol whose code has `length` bits, 1 to 15; or the only symbol, with a code of none.
    /// Symbols above `N` are left out.
    #[inline]
    pub(super) fn push(&mut self, symbol: u16, length: u16) {
        if let Some(entry) = self.entries.get_mut(self.len)
            && let Some(count) = self.counts.get_mut(usize::from(length))
        {
            *entry = symbol << 4 | length;
            *count += 1;
            self.len += 1;
        }
    }

    /// Whether this symbol has a code.
    #[cfg(feature = "gzip")]
    pub(super) fn has(&self, symbol: u16) -> bool {
        let entries = self.entries.get(..self.len).unwrap_or_default();
        entries.iter().any(|entry| entry >> 4 == symbol)
    }

    /// Codes of 15 bits that are free: 0 where the code is complete, below 0 where there are more
    /// symbols than codes.
    pub(super) fn free(&self) -> i32 {
        let counts = self.counts.iter().skip(1);
        counts.fold(1, |free: i32, count| 2 * free - i32::from(*count))
    }

    /// Most bits of a code.
    pub(super) fn longest(&self) -> usize {
        self.counts.iter().rposition(|count| *count != 0).unwrap_or(0)
    }

    /// Builds the table for codes of which there are not too many.
    ///
    /// Patterns that are no code get [`NO_SYMBOL`]; where there are such, no code may be longer than
    /// `most_root` bits.
    pub(super) fn build(
        &self,
        most_root: usize,
        arena: &mut Arena<'_>,
        bits: &Bits<'_>,
    ) -> Result<Code, DecompressError> {
        let longest = self.longest();
        let root = longest.min(most_root);
        let start = arena.take(1 << root, bits)?;
        let entries = self.entries.get(..self.len).unwrap_or_default();
        if longest == 0 {
            let only = entries.first().copied().unwrap_or(NO_SYMBOL << 4);
            if let Some(entry) = arena.given(start).first_mut() {
                *entry = only;
            }
            return Ok(Code { start, root: 0 });
        }
        if self.free() > 0 {
            arena.given(start).fill(NO_SYMBOL << 4 | 1);
        }
        if longest > root {
            self.link(entries, root, start, arena, bits)?;
        }
        let table = arena.given(start);
        let mut next = self.first_codes();
        for &entry in entries {
            let length = usize::from(entry & 15);
            let code = reversed(&mut next, length);
            if length <= root {
                put(table, code, 1 << length, 1 << root, entry);
            } else {
                let link = table.get(code & ((1 << root) - 1)).copied().unwrap_or_default();
                let second = usize::from(link >> 4);
                let size = 1 << usize::from(link & 15).saturating_sub(root);
                let table = table.get_mut(second..).unwrap_or_default();
                put(table, code >> root, 1 << (length - root), size, entry);
            }
        }
        #[allow(clippy::cast_possible_truncation, reason = "at most 15")]
        let root = root as u32;
        Ok(Code { start, root })
    }

    /// Takes memory for each second level and puts the links to it.
    fn link(
        &self,
        entries: &[u16],
        root: usize,
        start: usize,
        arena: &mut Arena<'_>,
        bits: &Bits<'_>,
    ) -> Result<(), DecompressError> {
        let table = arena.given(start);
        table.fill(0);
        let mut next = self.first_codes();
        for &entry in entries {
            let length = usize::from(entry & 15);
            let code = reversed(&mut next, length);
            if length > root
                && let Some(most) = table.get_mut(code & ((1 << root) - 1))
            {
                *most = (*most).max(entry & 15);
            }
        }
        for at in 0..1 << root {
            let most = arena.words(start).get(at).copied().unwrap_or_default();
            if most == 0 {
                continue;
            }
            let second = arena.take(1 << usize::from(most).saturating_sub(root), bits)? - start;
            if let Some(entry) = arena.given(start).get_mut(at) {
                // No table of an alphabet up to 1,000 symbols comes to 4,096 entries.
                #[allow(clippy::cast_possible_truncation, reason = "above")]
                let second = second as u16;
                *entry = second << 4 | most;
            }
        }
        Ok(())
    }

    /// The first code of each length.
    fn first_codes(&self) -> [u16; MOST_BITS + 1] {
        let (mut first, mut code) = ([0; MOST_BITS + 1], 0u16);
        for (first, count) in first.iter_mut().zip(self.counts).skip(1) {
            *first = code;
            code = code.wrapping_add(count).wrapping_mul(2);
        }
        first
    }
}

/// The next code of a length, its first bit lowest.
#[inline]
fn reversed(next: &mut [u16; MOST_BITS + 1], length: usize) -> usize {
    let Some(next) = next.get_mut(length) else { return 0 };
    let code = *next;
    *next = code.wrapping_add(1);
    usize::from(code.reverse_bits()) >> (16 - length)
}

/// Puts an entry to `first` and to each `step`-th behind it, below `end`.
#[inline]
fn put(table: &mut [u16], first: usize, step: usize, end: usize, entry: u16) {
    let mut at = first;
    let table = table.get_mut(..end).unwrap_or_default();
    while let Some(place) = table.get_mut(at) {
        *place = entry;
        at += step;
    }
}

/// A number in two parts: a symbol's, and the bits behind it that are added.
#[derive(Clone, Copy)]
pub(super) struct Based {
    pub(super) base: u16,
    pub(super) extra: u16,
}

impl Based {
    /// Takes those bits, which have to be loaded.
    #[inline(always)]
    pub(super) fn value(self, bits: &mut Bits<'_>) -> u32 {
        u32::from(self.base) + bits.take(self.extra.into())
    }
}

/// Where in an [`Arena`] a code's table is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Code {
    pub(super) start: usize,
    /// Bits that index its first level.
    pub(super) root: u32,
}

impl Code {
    #[inline(always)]
    pub(super) fn table<'t>(self, arena: &'t Arena<'_>) -> Table<'t> {
        Table::new(arena.words(self.start), self.root)
    }
}

/// A code's table, to be read.
#[derive(Clone, Copy)]
pub(super) struct Table<'t> {
    entries: &'t [u16],
    root: u32,
}

impl<'t> Table<'t> {
    #[inline(always)]
    pub(super) fn new(entries: &'t [u16], root: u32) -> Self {
        Self { entries, root }
    }

    /// Takes the next symbol of the 15 bits that have to be loaded.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "only the lowest bits are asked for")]
    pub(super) fn symbol(self, bits: &mut Bits<'_>) -> u16 {
        let next = bits.peek();
        let at = next as usize & ((1 << self.root) - 1);
        let mut entry = self.entries.get(at).copied().unwrap_or_default();
        let mut length = u32::from(entry & 15);
        if length > self.root {
            let size = 1 << (length - self.root);
            let at = usize::from(entry >> 4) + ((next >> self.root) as usize & (size - 1));
            entry = self.entries.get(at).copied().unwrap_or_default();
            length = u32::from(entry & 15);
        }
        bits.skip(length);
        entry >> 4
    }
}
