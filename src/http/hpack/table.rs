//! The dynamic table (RFC 7541 section 2.3.2), as tokens.

use super::static_table::FIELDS;
use super::token::{Mark, Token};

/// Bytes that the table of a peer may have, as section 4.1 counts them.
///
/// What a peer may use before it has seen our settings, and all that we allow.
pub(in crate::http) const MAX_SIZE: usize = 4096;

/// An entry counts 32 bytes at least, so there are no more than this.
const SLOTS: usize = MAX_SIZE / 32;

/// The fields that a peer put into its table, newest first.
///
/// A field is kept as what it means to a server, in 12 bytes: its text is of no further use. Sizes are
/// exact, so entries leave when they leave at the peer.
#[derive(Debug)]
pub(in crate::http) struct Table {
    marks: [u64; SLOTS],
    values: [u32; SLOTS],
    /// Where the newest entry is. Older ones follow, round the end.
    newest: usize,
    count: usize,
    size: usize,
    max: usize,
    /// How often it changed.
    changes: u32,
}

/// Entries that have an index below 127.
const ONE_BYTE: usize = 0x7f - 1 - FIELDS.len();

/// Some of the newest entries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entries<'t> {
    marks: &'t [u64; SLOTS],
    newest: usize,
    count: usize,
}

impl Entries<'_> {
    /// The mark of the entry with `index`, counted from zero.
    #[inline(always)]
    pub(super) fn mark(&self, index: usize) -> Option<u64> {
        if index >= self.count {
            return None;
        }
        self.marks.get((self.newest + index) % SLOTS).copied()
    }
}

impl Table {
    pub(in crate::http) const fn new() -> Self {
        Self {
            marks: [0; SLOTS],
            values: [0; SLOTS],
            newest: 0,
            count: 0,
            size: 0,
            max: MAX_SIZE,
            changes: 0,
        }
    }

    /// Adds an entry, in front of which older ones make room (section 4.4).
    pub(super) fn insert(&mut self, token: Token) {
        self.changes = self.changes.wrapping_add(1);
        let size = usize::from(token.mark.size());
        if size > self.max {
            self.count = 0;
            self.size = 0;
            return;
        }
        self.evict(self.max - size);
        self.size += size;
        self.count += 1;
        self.newest = self.newest.wrapping_sub(1) % SLOTS;
        if let (Some(mark), Some(value)) =
            (self.marks.get_mut(self.newest), self.values.get_mut(self.newest))
        {
            (*mark, *value) = (token.mark.bits(), token.value);
        }
    }

    /// Sets the size that the peer wants to use (section 6.3), which is at most [`MAX_SIZE`].
    pub(super) fn resize(&mut self, max: usize) {
        self.changes = self.changes.wrapping_add(1);
        self.max = max;
        self.evict(max);
    }

    /// A number that is another one after each change.
    pub(in crate::http) const fn changes(&self) -> u32 {
        self.changes
    }

    /// The entry with `index`, counted from zero.
    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> Option<Token> {
        if index >= self.count {
            return None;
        }
        let at = (self.newest + index) % SLOTS;
        let (mark, value) = (self.marks.get(at)?, self.values.get(at)?);
        Some(Token { mark: Mark::from_bits(*mark), value: *value })
    }

    /// The entries whose index is one byte.
    #[inline(always)]
    pub(super) fn one_byte_entries(&self) -> Entries<'_> {
        Entries { marks: &self.marks, newest: self.newest, count: self.count.min(ONE_BYTE) }
    }

    /// Drops the oldest until at most `size` bytes are left.
    fn evict(&mut self, size: usize) {
        while self.size > size && self.count > 0 {
            self.count -= 1;
            let oldest = self.marks.get((self.newest + self.count) % SLOTS);
            let oldest = oldest.map_or(0, |mark| usize::from(Mark::from_bits(*mark).size()));
            self.size = self.size.saturating_sub(oldest);
        }
    }

    #[cfg(test)]
    pub(super) fn count_and_size(&self) -> (usize, usize) {
        (self.count, self.size)
    }
}
