//! The scratch of a stream writer, filled from its start.

use super::layout::{INT, split_records};
use super::string_data::{SHORT, prefix, put_short};
use crate::sink::copy;

/// The scratch, filled from its start.
pub(super) struct Room<'o> {
    pub(super) out: &'o mut [u8],
    pub(super) used: usize,
}

impl Room<'_> {
    /// The bytes that are free.
    #[inline(always)]
    fn free(&mut self) -> &mut [u8] {
        self.out.get_mut(self.used..).unwrap_or_default()
    }

    /// Room for as many whole records of `W` bytes as fit, `count` at most.
    #[inline(always)]
    pub(super) fn records<const W: usize>(&mut self, count: usize) -> &mut [[u8; W]] {
        let Some(free) = self.out.get_mut(self.used..) else { return &mut [] };
        let count = count.min(free.len() / W);
        self.used += W * count;
        split_records(free, count).map_or(&mut [], |(records, _)| records)
    }

    /// Adds `K` integers as one record, or nothing.
    #[inline(always)]
    pub(super) fn ints<const K: usize>(&mut self, ints: [u32; K]) -> bool {
        if self.free().len() < INT * K {
            return false;
        }
        for (int, out) in ints.iter().zip(self.records::<INT>(K)) {
            *out = int.to_le_bytes();
        }
        true
    }

    /// Adds the items of `list` as far as they fit; returns how many.
    #[inline(always)]
    pub(super) fn list<I: Copy, const W: usize>(
        &mut self,
        list: &[I],
        to_bytes: fn(I) -> [u8; W],
    ) -> usize {
        let out = self.records::<W>(list.len());
        let len = out.len();
        let list = list.get(..len).unwrap_or_default();
        // Eight at a time go through vector registers.
        let ((blocks, rest), (block_outs, rest_out)) = (list.as_chunks(), out.as_chunks_mut());
        for (block, out) in blocks.iter().zip(block_outs) {
            *out = block.map(to_bytes) as [_; 8];
        }
        for (&item, out) in rest.iter().zip(rest_out) {
            *out = to_bytes(item);
        }
        len
    }

    /// Adds a string with a prefix of one byte, if it is one and fits.
    #[inline(always)]
    pub(super) fn short_string(&mut self, string: &str) -> bool {
        let len = string.len();
        if len < SHORT
            && let Some((out, _)) = self.free().split_at_mut_checked(len + 1)
        {
            put_short(out, string.as_bytes());
            self.used += len + 1;
            return true;
        }
        false
    }

    /// Adds as many of `bytes` as fit; returns how many.
    fn bytes(&mut self, bytes: &[u8]) -> usize {
        let free = self.free();
        let len = bytes.len().min(free.len());
        copy(free, bytes);
        self.used += len;
        len
    }
}

/// Adds what fits of a string of which `done` bytes are out; whether that was the rest.
#[inline(never)]
pub(super) fn string_piece(string: &[u8], done: &mut usize, room: &mut Room<'_>) -> bool {
    if string.len() < SHORT && *done == 0 && room.used > 0 {
        // It may fit the next scratch whole.
        return false;
    }
    let (prefix, prefix_len) = prefix(string.len()).unwrap_or_default();
    let prefix = prefix.get(..prefix_len).unwrap_or_default();
    *done += room.bytes(prefix.get(*done..).unwrap_or_default());
    if let Some(body) = done.checked_sub(prefix_len) {
        *done += room.bytes(string.get(body..).unwrap_or_default());
    }
    *done == prefix_len + string.len()
}

/// Bytes of a short string on the wire.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "less than SHORT")]
pub(super) const fn short_len(string: &str) -> u32 {
    string.len() as u32 + 1
}
