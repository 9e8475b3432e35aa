//! Where the bytes of a value come together.

use core::mem;

use super::encode::{Encode, fill};
use crate::error::WriteError;
use crate::record::ByteArray;
use crate::sink::{SCRATCH_LEN, Sink, copy};

mod sealed {
    #[allow(unnameable_types, reason = "seals Output")]
    pub trait Sealed {}
    impl Sealed for super::Room<'_> {}
    impl<S: super::Sink + ?Sized> Sealed for super::Chunked<'_, S> {}
}

/// What [`Encode::put`] puts bytes to: memory of just the value's size, or a stream's scratch.
///
/// Nothing here fails: the room was measured beforehand, and a stream remembers its first error.
pub trait Output: sealed::Sealed {
    /// Appends `N` bytes, as one store where the compiler can.
    fn array<const N: usize>(&mut self, bytes: [u8; N]);

    /// Appends `bytes`.
    fn bytes(&mut self, bytes: &[u8]);

    /// Appends the encodings of `items`, one after the other.
    fn items<T: Encode>(&mut self, items: &[T]);
}

/// Memory that was measured for what it will hold. What is too much for it is dropped.
#[derive(Debug)]
pub struct Room<'a> {
    rest: &'a mut [u8],
}

impl<'a> Room<'a> {
    #[inline(always)]
    pub(super) fn new(rest: &'a mut [u8]) -> Self {
        Self { rest }
    }
}

impl Output for Room<'_> {
    #[inline(always)]
    fn array<const N: usize>(&mut self, bytes: [u8; N]) {
        if let Some((slot, rest)) = mem::take(&mut self.rest).split_first_chunk_mut() {
            *slot = bytes;
            self.rest = rest;
        }
    }

    #[inline(always)]
    fn bytes(&mut self, bytes: &[u8]) {
        if let Some((slot, rest)) = mem::take(&mut self.rest).split_at_mut_checked(bytes.len()) {
            copy(slot, bytes);
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

/// A scratch in front of a sink that is not memory.
pub struct Chunked<'s, S: Sink + ?Sized> {
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
