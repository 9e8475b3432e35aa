//! Where the bytes of a value come together.

use core::mem;

use super::encode::{Encode, fill};
use crate::error::WriteError;
use crate::record::{ByteArray, last_chunk, split_last_chunk_mut};
use crate::sink::{SCRATCH_LEN, Sink, copy};

mod sealed {
    #[allow(unnameable_types, reason = "seals Output")]
    pub trait Sealed {}
    impl Sealed for super::Room<'_> {}
    impl<S: super::Sink + ?Sized> Sealed for super::Chunked<'_, S> {}
    #[cfg(feature = "serde")]
    impl Sealed for super::Count {}
}

/// What [`Encode::put`] puts bytes to: memory of just the value's size, or a stream's scratch.
///
/// Nothing here fails: the room was measured beforehand, and a stream remembers its first error.
pub trait Output: sealed::Sealed {
    /// Appends `N` bytes, as one store where the compiler can.
    fn array<const N: usize>(&mut self, bytes: [u8; N]);

    /// Appends `N` bytes and `body`.
    #[inline(always)]
    fn headed<const N: usize>(&mut self, head: [u8; N], body: &[u8]) {
        self.array(head);
        self.bytes(body);
    }

    /// Appends `bytes`.
    fn bytes(&mut self, bytes: &[u8]);

    /// Appends the encodings of `items`, one after the other.
    fn items<T: Encode>(&mut self, items: &[T]);
}

/// Memory that was measured for what it will hold. What is too much for it is dropped.
#[derive(Debug)]
pub(super) struct Room<'a> {
    rest: &'a mut [u8],
}

impl<'a> Room<'a> {
    #[inline(always)]
    pub(super) fn new(rest: &'a mut [u8]) -> Self {
        Self { rest }
    }
}

#[doc(hidden)]
impl Output for Room<'_> {
    #[inline(always)]
    fn array<const N: usize>(&mut self, bytes: [u8; N]) {
        if let Some((slot, rest)) = mem::take(&mut self.rest).split_first_chunk_mut() {
            *slot = bytes;
            self.rest = rest;
        }
    }

    #[inline(always)]
    fn headed<const N: usize>(&mut self, head: [u8; N], body: &[u8]) {
        if let Some(len) = body.len().checked_add(N)
            && let Some((slot, rest)) = mem::take(&mut self.rest).split_at_mut_checked(len)
        {
            if let Some((slot, to)) = slot.split_first_chunk_mut() {
                *slot = head;
                copy_short(to, body);
            }
            self.rest = rest;
        }
    }

    #[inline(always)]
    fn bytes(&mut self, bytes: &[u8]) {
        if let Some((slot, rest)) = mem::take(&mut self.rest).split_at_mut_checked(bytes.len()) {
            copy_short(slot, bytes);
            self.rest = rest;
        }
    }

    #[inline]
    fn items<T: Encode>(&mut self, items: &[T]) {
        if T::Scratch::LEN == 0 {
            for item in items {
                item.put(self);
            }
            return;
        }
        let len = items.len().saturating_mul(T::Scratch::LEN);
        if let Some((slots, rest)) = mem::take(&mut self.rest).split_at_mut_checked(len) {
            let (slots, _) = T::Scratch::chunks_mut(slots);
            for (item, slot) in items.iter().zip(slots) {
                fill(item, slot);
            }
            self.rest = rest;
        }
    }
}

/// Copies where both lengths are equal: as most strings in a table are short, without a call of
/// `memcpy` up to 16 bytes. The first and the last chunk of a run overlap where it needs both.
#[inline(always)]
fn copy_short(to: &mut [u8], from: &[u8]) {
    if from.len() > 16 {
        copy(to, from);
    } else if !copy_chunks::<8>(to, from) && !copy_chunks::<4>(to, from) {
        if let (Some(to), [from, ..]) = (to.first_mut(), from) {
            *to = *from;
        }
        copy_chunks::<2>(to, from);
    }
}

/// Copies the first `N` bytes and the last; or nothing, and says so, where there are fewer.
#[inline(always)]
fn copy_chunks<const N: usize>(to: &mut [u8], from: &[u8]) -> bool {
    if let (Some(first), Some(last)) = (from.first_chunk::<N>(), last_chunk::<N>(from)) {
        if let Some(to) = to.first_chunk_mut() {
            *to = *first;
        }
        if let Some((_, to)) = split_last_chunk_mut(to) {
            *to = *last;
        }
        return true;
    }
    false
}

/// A scratch in front of a sink that is not memory.
pub(super) struct Chunked<'s, S: Sink + ?Sized> {
    sink: &'s mut S,
    scratch: [u8; SCRATCH_LEN],
    /// Bytes of `scratch` that wait.
    used: usize,
    /// Whether the sink has bytes of this value.
    begun: bool,
    /// The first error; nothing is written after it.
    failed: Option<WriteError<S::Error>>,
}

impl<'s, S: Sink + ?Sized> Chunked<'s, S> {
    pub(super) fn new(sink: &'s mut S) -> Self {
        Self { sink, scratch: [0; SCRATCH_LEN], used: 0, begun: false, failed: None }
    }

    /// Writes what waits.
    pub(super) fn finish(mut self) -> Result<(), WriteError<S::Error>> {
        self.flush();
        self.failed.map_or(Ok(()), Err)
    }

    #[inline(never)]
    fn flush(&mut self) {
        let used = mem::take(&mut self.used);
        if let Some((waiting, _)) = self.scratch.split_at_checked(used) {
            send(self.sink, waiting, &mut self.begun, &mut self.failed);
        }
    }
}

/// Writes `bytes` unless an earlier write failed.
fn send<S: Sink + ?Sized>(
    sink: &mut S,
    bytes: &[u8],
    begun: &mut bool,
    failed: &mut Option<WriteError<S::Error>>,
) {
    if bytes.is_empty() || failed.is_some() {
        return;
    }
    match sink.write(bytes) {
        Ok(()) => *begun = true,
        Err(error) => {
            // The receiver would take whatever came next for the rest of this value.
            if *begun {
                sink.poison();
            }
            *failed = Some(error);
        }
    }
}

#[doc(hidden)]
impl<S: Sink + ?Sized> Output for Chunked<'_, S> {
    #[inline]
    fn array<const N: usize>(&mut self, bytes: [u8; N]) {
        self.bytes(&bytes);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        if bytes.len() > SCRATCH_LEN.saturating_sub(self.used) {
            self.flush();
        }
        if bytes.len() > SCRATCH_LEN {
            send(self.sink, bytes, &mut self.begun, &mut self.failed);
            return;
        }
        if let Some((_, free)) = self.scratch.split_at_mut_checked(self.used) {
            copy(free, bytes);
            self.used = self.used.saturating_add(bytes.len());
        }
    }

    #[inline]
    fn items<T: Encode>(&mut self, items: &[T]) {
        for item in items {
            item.put(self);
        }
    }
}

/// Keeps no bytes.
#[cfg(feature = "serde")]
#[derive(Debug, Default)]
pub(super) struct Count {
    len: usize,
}

#[cfg(feature = "serde")]
impl Count {
    /// Bytes that were put; `usize::MAX` where they were more.
    pub(super) const fn len(&self) -> usize {
        self.len
    }
}

#[cfg(feature = "serde")]
#[doc(hidden)]
impl Output for Count {
    #[inline]
    fn array<const N: usize>(&mut self, _: [u8; N]) {
        self.len = self.len.saturating_add(N);
    }

    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        self.len = self.len.saturating_add(bytes.len());
    }

    #[inline]
    fn items<T: Encode>(&mut self, items: &[T]) {
        for item in items {
            self.len = self.len.saturating_add(item.encoded_len());
        }
    }
}
