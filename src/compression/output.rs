//! The caller's slice, which is also the window that copies come from.

use super::bits::Bits;
use super::error::{DecompressError, DecompressErrorKind};

/// Bytes that have been inflated, and room for more.
pub(super) struct Output<'o> {
    bytes: &'o mut [u8],
    /// Bytes inflated; never more than there are.
    len: usize,
    /// Bytes inflated, the first ones, that no copy reaches.
    floor: usize,
}

impl<'o> Output<'o> {
    pub(super) fn new(bytes: &'o mut [u8]) -> Self {
        Self { bytes, len: 0, floor: 0 }
    }

    /// The same output, for a loop to have in registers; [`set_len`](Self::set_len) takes back how
    /// far that came.
    #[inline(always)]
    pub(super) fn local(&mut self) -> Output<'_> {
        Output { bytes: self.bytes, len: self.len, floor: self.floor }
    }

    /// Takes over how many bytes have been inflated.
    #[inline(always)]
    pub(super) fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    /// Begins something independent: no copy reaches what has been inflated so far.
    #[cfg(feature = "gzip")]
    pub(super) fn begin(&mut self) {
        self.floor = self.len;
    }

    /// Bytes that a copy can reach.
    #[inline(always)]
    pub(super) fn reach(&self) -> usize {
        self.len.saturating_sub(self.floor)
    }

    /// Bytes inflated.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// What has been inflated.
    #[inline(always)]
    pub(super) fn written(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// The last two bytes, or zeros in front of the first.
    #[cfg(feature = "brotli")]
    #[inline(always)]
    pub(super) fn last_two(&self) -> [u8; 2] {
        match self.written() {
            [.., second, last] => [*second, *last],
            [last] => [0, *last],
            [] => [0, 0],
        }
    }

    /// What has been inflated, with the lifetime of the slice.
    pub(super) fn into_written(self) -> &'o [u8] {
        let Self { bytes, len, .. } = self;
        bytes.get(..len).unwrap_or_default()
    }

    /// An error unless there is room for `len` bytes more.
    #[inline]
    pub(super) fn check(&self, len: usize, bits: &Bits<'_>) -> Result<(), DecompressError> {
        let at_least = self.len.saturating_add(len);
        if at_least <= self.bytes.len() {
            return Ok(());
        }
        Err(bits.error(DecompressErrorKind::NeedsBuffer { at_least }))
    }

    /// Adds a byte; false where there is no room.
    #[cfg(feature = "gzip")]
    #[inline(always)]
    pub(super) fn push(&mut self, byte: u8) -> bool {
        match self.bytes.get_mut(self.len) {
            Some(place) => {
                *place = byte;
                self.len += 1;
                true
            }
            None => false,
        }
    }

    /// The next `len` bytes, to be filled; none where there is no room for them all.
    #[inline(always)]
    pub(super) fn next(&mut self, len: usize) -> &mut [u8] {
        let start = self.len;
        match self.bytes.get_mut(start..).and_then(|room| room.get_mut(..len)) {
            Some(next) => {
                self.len = start + len;
                next
            }
            None => &mut [],
        }
    }

    /// Adds bytes; false where there is no room for them all.
    pub(super) fn extend(&mut self, bytes: &[u8]) -> bool {
        let next = self.next(bytes.len());
        next.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        next.len() == bytes.len()
    }

    /// Repeats the `len` bytes that start `distance` back, each as it stands by then; false where
    /// that is out of [`reach`](Self::reach), or where there is no room.
    ///
    /// Bytes behind the copy may be overwritten: they are room.
    #[inline(always)]
    pub(super) fn repeat(&mut self, distance: usize, len: usize) -> bool {
        if distance > self.reach() {
            return false;
        }
        let Some(start) = self.len.checked_sub(distance) else { return false };
        // Byte i goes to byte i + distance.
        let Some(window) = self.bytes.get_mut(start..) else { return false };
        if distance >= STEP
            && len <= STEP
            && let Some((from, room)) = window.split_at_mut_checked(distance)
            && let (Some(from), Some(to)) = (from.first_chunk::<STEP>(), room.first_chunk_mut())
        {
            // Most copies are short, and from farther away than they are long.
            *to = *from;
            self.len += len;
            return true;
        }
        let is_done = repeat(window, distance, len);
        self.len += if is_done { len } else { 0 };
        is_done
    }
}

/// Bytes that are copied at once.
const STEP: usize = 16;

/// Copies byte i of `window` to byte i + `distance`, `len` times; false where it is too short.
#[inline(never)]
fn repeat(window: &mut [u8], distance: usize, len: usize) -> bool {
    let end = distance.saturating_add(len);
    if distance == 0 || window.len() < end {
        return false;
    }
    if window.len() - end < STEP {
        return each(window, distance, end);
    }
    // Whole steps need a distance of at least one: of a short one, some multiple.
    let mut far = distance;
    if distance < STEP {
        while far < STEP {
            far += distance;
        }
        if !each(window, distance, far.min(end)) {
            return false;
        }
    }
    let mut to = far;
    while to < end {
        let Some(from) = window.get(to - far..).and_then(|rest| rest.first_chunk::<STEP>()) else {
            return false;
        };
        let from = *from;
        let Some(place) = window.get_mut(to..).and_then(|room| room.first_chunk_mut()) else {
            return false;
        };
        *place = from;
        to += STEP;
    }
    true
}

/// Copies byte by byte, up to byte `end` of `window`.
fn each(window: &mut [u8], distance: usize, end: usize) -> bool {
    for to in distance..end {
        let Some(byte) = window.get(to - distance).copied() else { return false };
        let Some(place) = window.get_mut(to) else { return false };
        *place = byte;
    }
    true
}
