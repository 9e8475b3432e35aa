//! Messages that go out: measured, then put where the sink lends, or gathered in a scratch.

use core::fmt;
use core::mem;

use crate::circuit::message_pack::Head;
use crate::error::{WriteError, WriteErrorKind};
use crate::leb128;
use crate::sink::{SCRATCH_LEN, Sink, copy};

/// Bytes of the longest message: what SignalR's clients count with.
pub const MAX_LEN: u32 = i32::MAX.unsigned_abs();

/// A message of more than [`MAX_LEN`] bytes. Nothing of it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TooLong {
    /// Bytes that it would have; `usize::MAX` where a `usize` cannot count them.
    pub len: usize,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "message would have {} bytes, and {MAX_LEN} are the most", self.len)
    }
}

impl core::error::Error for TooLong {}

/// Takes the bytes of a message one after the other. It has no errors: what it writes to was made long
/// enough, or keeps the error for the end.
#[allow(unnameable_types, reason = "so nobody implements it")]
pub trait Output {
    /// Appends `bytes`.
    fn put(&mut self, bytes: &[u8]);

    /// Appends a head.
    #[inline]
    fn head(&mut self, head: Head) {
        self.put(head.as_slice());
    }

    /// Appends a text.
    #[inline]
    fn text(&mut self, text: &str) {
        // A longer one is in no message that is short enough.
        self.head(Head::text(u32::try_from(text.len()).unwrap_or(u32::MAX)));
        self.put(text.as_bytes());
    }

    /// Appends a text, or nil.
    fn text_or_nil(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.head(Head::NIL),
        }
    }

    /// Appends bytes with their head.
    fn bytes(&mut self, bytes: &[u8]) {
        self.head(Head::bytes(u32::try_from(bytes.len()).unwrap_or(u32::MAX)));
        self.put(bytes);
    }
}

/// What has bytes.
#[allow(unnameable_types, reason = "so nobody implements it")]
pub trait Encode {
    /// Appends them.
    fn put<O: Output>(&self, out: &mut O);
}

/// Bytes of `message`, and of its length in front.
pub(in crate::circuit) fn encoded_len<M: Encode>(message: &M) -> usize {
    let len = measure(message);
    len.saturating_add(prefix_len(len))
}

/// Writes `message` with its length in front: into memory all or nothing, into a stream through a
/// scratch.
pub(in crate::circuit) fn encode<M: Encode, S: Sink + ?Sized>(
    message: &M,
    sink: &mut S,
) -> Result<(), WriteError<S::Error, TooLong>> {
    let len = measure(message);
    let short = u32::try_from(len).ok().filter(|len| *len <= MAX_LEN);
    let Some(short) = short else {
        return Err(WriteError::new(0, WriteErrorKind::Encode(TooLong { len })));
    };
    let (prefix, prefix_len) = leb128::encode_u32(short);
    let prefix = prefix.get(..prefix_len).unwrap_or_default();
    let total = len.saturating_add(prefix_len);
    if let Some(room) = sink.reserve(total).map_err(WriteError::widen)? {
        let mut out = Fill { rest: room };
        out.put(prefix);
        message.put(&mut out);
        return Ok(());
    }
    let mut out =
        Gather { sink, scratch: [0; SCRATCH_LEN], filled: 0, begun: false, result: Ok(()) };
    out.put(prefix);
    message.put(&mut out);
    out.finish().map_err(WriteError::widen)
}

fn measure<M: Encode>(message: &M) -> usize {
    let mut count = Count { len: 0 };
    message.put(&mut count);
    count.len
}

fn prefix_len(len: usize) -> usize {
    leb128::len_u32(u32::try_from(len).unwrap_or(u32::MAX))
}

struct Count {
    len: usize,
}

impl Output for Count {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.len = self.len.saturating_add(bytes.len());
    }
}

/// Memory that has the length of the message.
struct Fill<'o> {
    rest: &'o mut [u8],
}

impl Output for Fill<'_> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        if let Some((to, rest)) = mem::take(&mut self.rest).split_at_mut_checked(bytes.len()) {
            copy(to, bytes);
            self.rest = rest;
        }
    }
}

/// A scratch in front of a stream.
struct Gather<'s, S: Sink + ?Sized> {
    sink: &'s mut S,
    scratch: [u8; SCRATCH_LEN],
    filled: usize,
    begun: bool,
    result: Result<(), WriteError<S::Error>>,
}

impl<S: Sink + ?Sized> Gather<'_, S> {
    fn finish(mut self) -> Result<(), WriteError<S::Error>> {
        self.flush();
        self.result
    }

    fn flush(&mut self) {
        let filled = self.scratch.get(..self.filled).unwrap_or_default();
        if self.result.is_err() || filled.is_empty() {
            return;
        }
        self.result = self.sink.write(filled);
        if self.result.is_err() && self.begun {
            self.sink.poison();
        }
        (self.filled, self.begun) = (0, true);
    }
}

impl<S: Sink + ?Sized> Output for Gather<'_, S> {
    fn put(&mut self, mut bytes: &[u8]) {
        while self.result.is_ok() {
            let room = self.scratch.get_mut(self.filled..).unwrap_or_default();
            let (now, later) = bytes.split_at_checked(room.len()).unwrap_or((bytes, &[]));
            copy(room, now);
            self.filled = self.filled.saturating_add(now.len());
            bytes = later;
            if self.filled < SCRATCH_LEN {
                return;
            }
            self.flush();
        }
    }
}
