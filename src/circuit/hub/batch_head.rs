//! What stands around a render batch.

use crate::literal;
use crate::template;

template!(
    /// What stands in front of a batch: the same bytes always, but for three numbers.
    ///
    /// | offset | size | type | meaning |
    /// |---|---|---|---|
    /// | 0 | 5 | varint, padded | bytes from here to the end of [`BATCH_TAIL`] |
    /// | 5 | 4 | `96 01 80 c0` | a call without headers and without a number |
    /// | 9 | 15 | text | `JS.RenderBatch` |
    /// | 24 | 1 | `92` | two arguments |
    /// | 25 | 1 + 4 | big-endian, behind `ce` | number of the batch |
    /// | 30 | 1 + 4 | big-endian, behind `c6` | bytes of the batch, which follow |
    ///
    /// The browser takes numbers that are wider than they need to be, so the length of a batch changes no
    /// length of what stands in front of it.
    pub BATCH_HEAD =
        message_len: bytes(5), b"\x96\x01\x80\xc0\xaeJS.RenderBatch\x92\xce", id: be(u32),
        b"\xc6", len: be(u32)
);

/// What stands behind a batch: no streams.
pub const BATCH_TAIL: [u8; 1] = *literal!(b"\x90");

/// Bytes that stand around a batch: 36.
pub const AROUND_BATCH: usize = BATCH_HEAD::LEN + BATCH_TAIL.len();

const _: () = assert!(AROUND_BATCH == 36, "a batch has 36 bytes around it");

/// Bytes in front of those that the message's length counts.
const PREFIX: usize = 5;

/// The head of batch number `id`, which has `len` bytes; `None` where that is more than a message has.
#[must_use]
pub fn batch_head(id: u32, len: usize) -> Option<[u8; BATCH_HEAD::LEN]> {
    let message = len.checked_add(AROUND_BATCH - PREFIX)?;
    let message = u32::try_from(message).ok().filter(|len| *len <= super::MAX_LEN)?;
    // No longer than the message.
    let len = u32::try_from(len).ok()?;
    BATCH_HEAD.fill(padded(message), id, len).ok()
}

/// `value` as a varint of five bytes.
const fn padded(value: u32) -> [u8; PREFIX] {
    let [a, ..] = value.to_le_bytes();
    let [b, ..] = (value >> 7).to_le_bytes();
    let [c, ..] = (value >> 14).to_le_bytes();
    let [d, ..] = (value >> 21).to_le_bytes();
    let [e, ..] = (value >> 28).to_le_bytes();
    [a | 0x80, b | 0x80, c | 0x80, d | 0x80, e]
}
