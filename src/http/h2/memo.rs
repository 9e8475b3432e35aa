//! The last header block, for a client that sends the same one again.

use crate::http::hpack::Table;
use crate::http::kept::Kept;
use crate::sink::copy;

/// A header block of at most `N` bytes, and the route that it asked for.
///
/// Only a block that left the table as it was is kept, and as long as the table stays so: the same
/// bytes then mean the same.
#[derive(Debug)]
pub(super) struct Memo<const N: usize> {
    bytes: Kept<N>,
    len: usize,
    route: u32,
    /// How often the table had changed.
    changes: u32,
}

impl<const N: usize> Memo<N> {
    pub(super) const fn new() -> Self {
        Self { bytes: Kept::NONE, len: 0, route: 0, changes: 0 }
    }

    #[inline(always)]
    pub(super) fn get(&self, block: &[u8], table: &Table) -> Option<u32> {
        if N == 0 || block.len() != self.len || self.changes != table.changes() {
            return None;
        }
        (self.bytes.as_slice().get(..self.len) == Some(block) && !block.is_empty())
            .then_some(self.route)
    }

    /// Keeps a block before which the table had changed `before` times.
    #[inline(always)]
    pub(super) fn set(&mut self, block: &[u8], route: u32, table: &Table, before: u32) {
        if N > 0
            && before == table.changes()
            && let Some(to) = self.bytes.as_mut_slice().get_mut(..block.len())
        {
            copy(to, block);
            self.len = block.len();
            self.route = route;
            self.changes = before;
        }
    }
}
