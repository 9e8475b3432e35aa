//! Frames that go out.

use core::fmt;
use core::marker::PhantomData;

use super::close::{Close, CloseCode};
use super::error::{Error, SendError};
use super::event::{Data, Event, Kind};
use super::header::{Header, HeaderBytes, MAX_CONTROL, Opcode};
use super::output::write_or_poison;
use super::{Mask, Role};
use crate::error::{WriteError, WriteErrorKind};
use crate::sink::{SCRATCH_LEN, Sink, copy};

/// Which frame of a message one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Part {
    /// The only one.
    Whole(Kind),
    /// The first of several.
    First(Kind),
    /// Neither the first nor the last.
    Middle,
    /// The last of several.
    Last,
}

/// Writes what this end of a connection sends.
///
/// It knows what may follow on what, and refuses the rest: a message inside another one, and anything
/// behind a close frame. `R` is this end; a client gives a key with each frame, that nobody can
/// foretell (section 10.3), a server `()`.
///
/// | a frame's payload is | use | writes |
/// |---|---|---|
/// | somewhere | [`message`](Self::message), [`fragment`](Self::fragment) | into memory one; into a stream one up to 256 bytes with the header, else two, or one for each 256 that are masked |
/// | in a buffer, with room in front | [`seal`](Self::seal) | the caller's, one |
/// | still to be made, its length known | [`header`](Self::header) | the caller's |
/// | made in chunks | [`Fragments`](crate::websocket::Fragments) | one a chunk |
///
/// Each method changes nothing where it fails before a byte is written.
///
/// ```
/// use onewrite::sink::SliceSink;
/// use onewrite::websocket::{CloseCode, Data, Sender, Server};
///
/// let mut buffer = [0; 64];
/// let mut sink = SliceSink::new(&mut buffer);
/// let mut sender = Sender::<Server>::new();
/// sender.message(Data::Text("Hello"), (), &mut sink)?;
/// sender.close(CloseCode::NORMAL, "", (), &mut sink)?;
/// assert_eq!(sink.into_written(), b"\x81\x05Hello\x88\x02\x03\xe8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sender<R> {
    state: State,
    role: PhantomData<R>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Between two messages.
    Ready,
    /// Behind a fragment that was not the last.
    InMessage,
    /// Behind a close frame.
    Closed,
}

impl<R: Role> Sender<R> {
    /// A sender behind a handshake.
    #[must_use]
    pub const fn new() -> Self {
        Self { state: State::Ready, role: PhantomData }
    }

    /// Writes a message in one frame.
    ///
    /// # Errors
    ///
    /// `Encode` with `Closed` or `MessageUnfinished`; else the sink's: [`Sink::write`].
    pub fn message<S: Sink + ?Sized>(
        &mut self,
        data: Data<'_>,
        key: R::Key,
        sink: &mut S,
    ) -> Result<(), WriteError<S::Error, SendError>> {
        self.fragment(Part::Whole(data.kind()), data.as_bytes(), key, sink)
    }

    /// Writes one frame of a message. That all frames of a text are UTF-8 together is up to the caller.
    ///
    /// # Errors
    ///
    /// `Encode` with `Closed`, with `MessageUnfinished` where a message is to begin inside another one,
    /// with `NoMessage` where none has begun; else the sink's: [`Sink::write`].
    pub fn fragment<S: Sink + ?Sized>(
        &mut self,
        part: Part,
        payload: &[u8],
        key: R::Key,
        sink: &mut S,
    ) -> Result<(), WriteError<S::Error, SendError>> {
        let (header, next) = self.next(part, payload.len() as u64, key).map_err(refused)?;
        write(&header, payload, sink)?;
        self.state = next;
        Ok(())
    }

    /// Makes a frame of the `len` bytes that stand in `buffer` behind its first
    /// [`HEAD_ROOM`](Role::HEAD_ROOM): masks them, puts a header in front of them, and returns both.
    ///
    /// ```
    /// use onewrite::websocket::{Client, Kind, Part, Role, Sender};
    ///
    /// let mut buffer = [0; 64];
    /// buffer[Client::HEAD_ROOM..][..5].copy_from_slice(b"Hello");
    /// let key = [0x37, 0xfa, 0x21, 0x3d];
    /// let mut sender = Sender::<Client>::new();
    /// let frame = sender.seal(Part::Whole(Kind::Text), &mut buffer, 5, key)?;
    /// assert_eq!(frame, b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58");
    /// # Ok::<(), onewrite::websocket::SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`fragment`](Self::fragment), and `NoRoom` where `buffer` does not have that many bytes.
    pub fn seal<'b>(
        &mut self,
        part: Part,
        buffer: &'b mut [u8],
        len: usize,
        key: R::Key,
    ) -> Result<&'b mut [u8], SendError> {
        let (header, next) = self.next(part, len as u64, key)?;
        let bytes = header.to_bytes();
        let head = bytes.as_slice();
        let (needed, available) = (R::HEAD_ROOM.saturating_add(len), buffer.len());
        let unused = R::HEAD_ROOM.saturating_sub(head.len());
        if let Some((whole, _)) = buffer.split_at_mut_checked(needed)
            && let Some((_, frame)) = whole.split_at_mut_checked(unused)
            && let Some((front, payload)) = frame.split_at_mut_checked(head.len())
        {
            copy(front, head);
            apply(header.key, payload);
            self.state = next;
            return Ok(frame);
        }
        Err(SendError::NoRoom { needed, available })
    }

    /// The header of a frame of `len` bytes, which the caller writes, and behind it the payload:
    /// exactly `len` bytes, masked with `key` where there is one, see [`Mask`].
    ///
    /// # Errors
    ///
    /// As [`fragment`](Self::fragment), and `LengthTooLarge`.
    pub fn header(&mut self, part: Part, len: u64, key: R::Key) -> Result<HeaderBytes, SendError> {
        let (header, next) = self.next(part, len, key)?;
        self.state = next;
        Ok(header.to_bytes())
    }

    /// Writes a ping; the peer sends `payload` back.
    ///
    /// # Errors
    ///
    /// `Encode` with `Closed`, or with `ControlTooLong` above 125 bytes; else the sink's:
    /// [`Sink::write`].
    pub fn ping<S: Sink + ?Sized>(
        &mut self,
        payload: &[u8],
        key: R::Key,
        sink: &mut S,
    ) -> Result<(), WriteError<S::Error, SendError>> {
        self.control(Opcode::Ping, payload, key, sink)
    }

    /// Writes a pong.
    ///
    /// # Errors
    ///
    /// As [`ping`](Self::ping).
    pub fn pong<S: Sink + ?Sized>(
        &mut self,
        payload: &[u8],
        key: R::Key,
        sink: &mut S,
    ) -> Result<(), WriteError<S::Error, SendError>> {
        self.control(Opcode::Pong, payload, key, sink)
    }

    /// Writes a close frame. Nothing can be sent after it.
    ///
    /// Inside a message as well: the peer then never sees that message's end. Who closes first waits for
    /// the peer's close frame, for a time of the caller's, and what comes before it may be read; a server
    /// then closes the connection below at once, a client waits for the server to do so (section 7.1.1).
    ///
    /// # Errors
    ///
    /// `Encode` with `Closed` where one has gone out before, or with `ControlTooLong` for a `reason` of
    /// more than 123 bytes; else the sink's: [`Sink::write`].
    pub fn close<S: Sink + ?Sized>(
        &mut self,
        code: CloseCode,
        reason: &str,
        key: R::Key,
        sink: &mut S,
    ) -> Result<(), WriteError<S::Error, SendError>> {
        let mut payload = [0; MAX_CONTROL];
        let len = reason.len().saturating_add(2);
        if let Some((front, behind)) = payload.split_first_chunk_mut() {
            *front = code.get().to_be_bytes();
            copy(behind, reason.as_bytes());
        }
        match payload.get(..len) {
            Some(payload) => self.control(Opcode::Close, payload, key, sink),
            None => Err(refused(SendError::ControlTooLong { len })),
        }
    }

    /// Writes a close frame that says nothing.
    ///
    /// # Errors
    ///
    /// As [`close`](Self::close).
    pub fn close_silently<S: Sink + ?Sized>(
        &mut self,
        key: R::Key,
        sink: &mut S,
    ) -> Result<(), WriteError<S::Error, SendError>> {
        self.control(Opcode::Close, &[], key, sink)
    }

    /// Writes what the protocol answers to `event`: a pong to a ping; to a close frame one with the same
    /// code, unless this end has closed first; to everything else nothing.
    ///
    /// # Errors
    ///
    /// The sink's: [`Sink::write`].
    pub fn answer<S: Sink + ?Sized>(
        &mut self,
        event: &Event<'_>,
        key: R::Key,
        sink: &mut S,
    ) -> Result<(), WriteError<S::Error, SendError>> {
        match *event {
            _ if self.is_closed() => Ok(()),
            Event::Ping(payload) => self.pong(payload, key, sink),
            Event::Close(Close { code: Some(code), .. }) => self.close(code, "", key, sink),
            Event::Close(Close { code: None, .. }) => self.close_silently(key, sink),
            _ => Ok(()),
        }
    }

    /// Writes the close frame that tells the peer of `error`, unless this end has closed before.
    ///
    /// # Errors
    ///
    /// The sink's: [`Sink::write`].
    pub fn fail<S: Sink + ?Sized>(
        &mut self,
        error: Error,
        key: R::Key,
        sink: &mut S,
    ) -> Result<(), WriteError<S::Error, SendError>> {
        if self.is_closed() {
            return Ok(());
        }
        self.close(error.kind.close_code(), "", key, sink)
    }

    /// Whether a close frame has gone out.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        matches!(self.state, State::Closed)
    }

    fn control<S: Sink + ?Sized>(
        &mut self,
        opcode: Opcode,
        payload: &[u8],
        key: R::Key,
        sink: &mut S,
    ) -> Result<(), WriteError<S::Error, SendError>> {
        if self.is_closed() {
            return Err(refused(SendError::Closed));
        }
        let len = payload.len();
        if len > MAX_CONTROL {
            return Err(refused(SendError::ControlTooLong { len }));
        }
        write(&Header { last: true, opcode, len: len as u64, key: R::key(key) }, payload, sink)?;
        if opcode == Opcode::Close {
            self.state = State::Closed;
        }
        Ok(())
    }

    /// The header of a message's frame, and the state behind it.
    fn next(&self, part: Part, len: u64, key: R::Key) -> Result<(Header, State), SendError> {
        let (opcode, last) = match (part, self.state) {
            (_, State::Closed) => return Err(SendError::Closed),
            (Part::Whole(_) | Part::First(_), State::InMessage) => {
                return Err(SendError::MessageUnfinished);
            }
            (Part::Middle | Part::Last, State::Ready) => return Err(SendError::NoMessage),
            (Part::Whole(kind), _) => (opcode_of(kind), true),
            (Part::First(kind), _) => (opcode_of(kind), false),
            (Part::Middle, _) => (Opcode::Continuation, false),
            (Part::Last, _) => (Opcode::Continuation, true),
        };
        if len >> 63 != 0 {
            return Err(SendError::LengthTooLarge);
        }
        let state = if last { State::Ready } else { State::InMessage };
        Ok((Header { last, opcode, len, key: R::key(key) }, state))
    }
}

impl<R: Role> Default for Sender<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R> fmt::Debug for Sender<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").field("state", &self.state).finish_non_exhaustive()
    }
}

const fn opcode_of(kind: Kind) -> Opcode {
    match kind {
        Kind::Text => Opcode::Text,
        Kind::Binary => Opcode::Binary,
    }
}

/// Writes a frame: into memory in one run, into a stream through a scratch where that saves a write.
fn write<S: Sink + ?Sized>(
    header: &Header,
    payload: &[u8],
    sink: &mut S,
) -> Result<(), WriteError<S::Error, SendError>> {
    let bytes = header.to_bytes();
    let head = bytes.as_slice();
    let total = head.len().saturating_add(payload.len());
    if let Some(room) = sink.reserve(total).map_err(WriteError::widen)? {
        if let Some((front, behind)) = room.split_at_mut_checked(head.len()) {
            copy(front, head);
            copy(behind, payload);
            apply(header.key, behind);
        }
        return Ok(());
    }
    let mut scratch = [0; SCRATCH_LEN];
    let mut mask = header.key.map(Mask::new);
    let (mut at, mut rest, mut begun) = (head.len(), payload, false);
    copy(&mut scratch, head);
    loop {
        let room = scratch.get_mut(at..).unwrap_or_default();
        let (now, later) = rest.split_at_checked(room.len()).unwrap_or((rest, &[]));
        copy(room, now);
        if let (Some(mask), Some(filled)) = (&mut mask, room.get_mut(..now.len())) {
            mask.apply(filled);
        }
        let filled = scratch.get(..at + now.len()).unwrap_or_default();
        write_or_poison(filled, begun, sink)?;
        (at, rest, begun) = (0, later, true);
        if rest.is_empty() {
            return Ok(());
        }
        if mask.is_none() {
            return write_or_poison(rest, begun, sink);
        }
    }
}

pub(super) fn apply(key: Option<[u8; 4]>, payload: &mut [u8]) {
    if let Some(key) = key {
        Mask::new(key).apply(payload);
    }
}

/// What was refused before anything was written.
const fn refused<E>(error: SendError) -> WriteError<E, SendError> {
    WriteError::new(0, WriteErrorKind::Encode(error))
}
