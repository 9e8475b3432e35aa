//! What comes in over a connection, without IO: from the bytes of a WebSocket to the parts of messages.
//!
//! ```
//! use onewrite::spacetimedb::connection::{Connection, Incoming};
//! use onewrite::spacetimedb::stream::{Event, Version};
//! use onewrite::websocket::Limits;
//!
//! let mut connection = Connection::<64>::new(Version::V2, Limits::NONE);
//! // A subscription that was refused, behind it a ping; they arrive in two pieces.
//! let mut arrived = *b"\x82\x0d\0\x03\x01\x09\0\0\0\x02\0\0\0no\x89\x00";
//! let mut seen = Vec::new();
//! for piece in arrived.chunks_mut(14) {
//!     let mut feed = connection.feed(piece);
//!     while let Some(incoming) = feed.next()? {
//!         match incoming {
//!             Incoming::Part(Event::Text { piece, .. }) => seen.push(piece.to_owned()),
//!             Incoming::Ping(_) => seen.push("ping".to_owned()), // which is to be answered
//!             _ => {}
//!         }
//!     }
//! }
//! assert_eq!(seen, ["n", "o", "ping"]);
//! # Ok::<(), onewrite::spacetimedb::connection::ConnectionError>(())
//! ```

mod error;

use core::{fmt, mem};

pub use error::{ConnectionError, ConnectionErrorKind};

use super::Payload;
use super::stream::{Event, MessageStream, Ready as StreamReady, Version};
use crate::compression::DecompressErrorKind;
use crate::sink::copy;
use crate::websocket::{self, Client, Close, Kind, Limits, Ready as Arrived, Receiver};

/// A part of what comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Incoming<'a> {
    /// Of a message.
    Part(Event<'a>),
    /// A payload has ended, and so has the last message in it.
    EndOfPayload,
    /// To be answered with a pong: [`Sender::pong`](crate::websocket::Sender::pong).
    Ping(&'a [u8]),
    /// The answer to a ping.
    Pong(&'a [u8]),
    /// The server closes: the close frame is to be answered, and nothing more will come.
    Close(Close<'a>),
}

/// Reads what a server sends behind the handshake, as it arrives.
///
/// A payload that is not compressed is handed on while it arrives, so that a message of any length
/// passes through a buffer of any length. One that is compressed has to be whole: it is put together in
/// memory that [`lend_payload`](Self::lend_payload) brings, and inflated into what
/// [`lend_body`](Self::lend_body) brings. Where either is too short the error says by how much, and the
/// connection goes on once more was lent. Servers compress what has more than 1,024 bytes, if they were
/// asked to.
///
/// | memory | for |
/// |---|---|
/// | `N` bytes | a row, or a name: the buffer of the [`MessageStream`] |
/// | `lend_payload` | a compressed payload; none otherwise |
/// | `lend_body` | what it inflates to |
/// | 12 KiB of stack | inflating, on a Cortex-A53 |
///
/// With a server's frames of 4,096 bytes and no compression, 4,096 bytes for what the socket delivers are
/// all that there is besides.
pub struct Connection<'b, const N: usize> {
    receiver: Receiver<Client>,
    stream: MessageStream<'b, N>,
    state: State,
    payload: u64,
    room: &'b mut [u8],
    /// Bytes of the compressed payload in `room`.
    gathered: usize,
    body: &'b mut [u8],
    /// Bytes of the inflated payload, and those that were read.
    body_len: usize,
    body_at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Between,
    /// In front of the first byte of a payload.
    First,
    /// In the body of a payload that is not compressed.
    Plain,
    /// In a payload that is compressed.
    Gather,
    /// Behind its end.
    Inflate,
    /// In what it inflated to.
    Body,
    Failed(ConnectionError),
}

impl<'b, const N: usize> Connection<'b, N> {
    /// A connection behind its handshake.
    ///
    /// `limits` are for payloads as they are on the wire. Where none is kept, there need not be any:
    /// [`Limits::NONE`].
    #[must_use]
    pub const fn new(version: Version, limits: Limits) -> Self {
        Self {
            receiver: Receiver::new(limits),
            stream: MessageStream::new(version),
            state: State::Between,
            payload: 0,
            room: &mut [],
            gathered: 0,
            body: &mut [],
            body_len: 0,
            body_at: 0,
        }
    }

    /// Begins to read what has arrived; to be read to its end, or the rest is lost.
    #[must_use = "nothing was read yet"]
    pub const fn feed<'c, 'i>(&'c mut self, input: &'i mut [u8]) -> Feed<'c, 'b, 'i, N> {
        Feed { connection: self, input, piece: &[], more: false }
    }

    /// Lends room for compressed payloads, and gives back the memory from before; what it held of a
    /// payload moves along.
    ///
    /// # Errors
    ///
    /// `room` itself, if it is too short for what is held.
    pub fn lend_payload(&mut self, room: &'b mut [u8]) -> Result<&'b mut [u8], &'b mut [u8]> {
        let held = self.room.get(..self.gathered).unwrap_or_default();
        if room.len() < held.len() {
            return Err(room);
        }
        copy(room, held);
        Ok(mem::replace(&mut self.room, room))
    }

    /// Lends room for what payloads inflate to, and gives back the memory from before.
    ///
    /// # Errors
    ///
    /// `body` itself, in the middle of a payload that was inflated.
    pub fn lend_body(&mut self, body: &'b mut [u8]) -> Result<&'b mut [u8], &'b mut [u8]> {
        if self.state == State::Body {
            return Err(body);
        }
        Ok(mem::replace(&mut self.body, body))
    }

    /// The stream of messages: for what is to be said when a table or a list of rows begins, and to lend
    /// it room for offsets.
    pub const fn stream(&mut self) -> &mut MessageStream<'b, N> {
        &mut self.stream
    }

    /// Whether the server has sent a close frame.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.receiver.is_closed()
    }

    /// Bytes taken, of all frames.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.receiver.position()
    }

    /// Payloads that have ended.
    #[must_use]
    pub const fn payloads(&self) -> u64 {
        self.payload
    }

    /// Whether the connection may end here: not in the middle of a payload.
    #[must_use]
    pub const fn is_between(&self) -> bool {
        matches!(self.state, State::Between)
    }

    const fn error(&self, kind: ConnectionErrorKind) -> ConnectionError {
        ConnectionError { payload: self.payload, kind }
    }

    /// Keeps the error, unless the connection can go on after it.
    #[cold]
    fn fail(&mut self, kind: ConnectionErrorKind) -> ConnectionError {
        let error = self.error(kind);
        if !error.is_resumable() {
            self.state = State::Failed(error);
        }
        error
    }

    fn end_of_payload(&mut self) -> Result<(), ConnectionError> {
        match self.stream.finish() {
            Ok(()) => {
                self.state = State::Between;
                self.payload = self.payload.wrapping_add(1);
                Ok(())
            }
            Err(error) => Err(self.fail(ConnectionErrorKind::Message(error))),
        }
    }

    /// Keeps more of a compressed payload.
    fn gather(&mut self, piece: &[u8]) -> Result<(), ConnectionError> {
        let at_least = self.gathered.saturating_add(piece.len());
        let Some(room) = self.room.get_mut(self.gathered..at_least) else {
            return Err(self.fail(ConnectionErrorKind::NeedsPayloadRoom { at_least }));
        };
        copy(room, piece);
        self.gathered = at_least;
        Ok(())
    }

    /// Inflates what was gathered.
    fn inflate(&mut self) -> Result<(), ConnectionError> {
        let gathered = self.room.get(..self.gathered).unwrap_or_default();
        // Its first byte was looked at before.
        let inflated = match Payload::new(gathered) {
            Ok(payload) => payload.decompress(self.body).map(<[u8]>::len),
            Err(_) => return Err(self.fail(ConnectionErrorKind::Empty)),
        };
        match inflated {
            Ok(len) => {
                (self.body_len, self.body_at, self.gathered) = (len, 0, 0);
                self.stream.reset();
                self.state = State::Body;
                Ok(())
            }
            Err(error) => Err(self.fail(match error.kind {
                DecompressErrorKind::NeedsBuffer { at_least } => {
                    ConnectionErrorKind::NeedsBodyRoom { at_least }
                }
                _ => ConnectionErrorKind::Inflate(error.shifted(1)),
            })),
        }
    }
}

/// What has arrived, while it is read.
///
/// Borrows the connection: what is to be said to it goes through [`connection`](Self::connection).
pub struct Feed<'c, 'b, 'i, const N: usize> {
    connection: &'c mut Connection<'b, N>,
    input: &'i mut [u8],
    /// Of a payload.
    piece: &'i [u8],
    /// Whether the stream may have something to say without another byte.
    more: bool,
}

/// A part, before it is known where its bytes lie.
enum Ready<'i> {
    Part(StreamReady<'i>),
    /// The next one of the inflated body.
    Inflated,
    EndOfPayload,
    Control(websocket::Opcode, websocket::Found<'i>),
}

impl<'b, 'i, const N: usize> Feed<'_, 'b, 'i, N> {
    /// The next part; `None` when all of the input was read.
    ///
    /// # Errors
    ///
    /// See [`ConnectionErrorKind`]. After one that is not
    /// [resumable](ConnectionError::is_resumable) each call returns it again: the connection is to be closed
    /// with its [`close_code`](ConnectionError::close_code). Parts that were handed on of the message stand,
    /// and the message has to be thought of as never having come.
    #[allow(clippy::should_implement_trait, reason = "what it returns borrows it")]
    pub fn next(&mut self) -> Result<Option<Incoming<'_>>, ConnectionError> {
        let ready = self.advance()?;
        let connection = &mut *self.connection;
        Ok(Some(match ready {
            None => return Ok(None),
            Some(Ready::EndOfPayload) => Incoming::EndOfPayload,
            Some(Ready::Part(ready)) => match connection.stream.event(ready) {
                Ok(event) => Incoming::Part(event),
                Err(error) => {
                    let kind = ConnectionErrorKind::Message(error);
                    let error = ConnectionError { payload: connection.payload, kind };
                    connection.state = State::Failed(error);
                    return Err(error);
                }
            },
            Some(Ready::Inflated) => return inflated(connection),
            Some(Ready::Control(opcode, found)) => {
                match connection.receiver.control(opcode, found) {
                    Ok(websocket::Event::Ping(payload)) => Incoming::Ping(payload),
                    Ok(websocket::Event::Pong(payload)) => Incoming::Pong(payload),
                    Ok(websocket::Event::Close(close)) => Incoming::Close(close),
                    // Not reached: these are the opcodes of control frames.
                    Ok(_) => return Ok(None),
                    Err(error) => {
                        let kind = ConnectionErrorKind::Frame(error);
                        let error = ConnectionError { payload: connection.payload, kind };
                        connection.state = State::Failed(error);
                        return Err(error);
                    }
                }
            }
        }))
    }

    /// The connection that is fed.
    pub const fn connection(&mut self) -> &mut Connection<'b, N> {
        self.connection
    }

    fn advance(&mut self) -> Result<Option<Ready<'i>>, ConnectionError> {
        loop {
            let connection = &mut *self.connection;
            match connection.state {
                State::Failed(error) => return Err(error),
                State::Plain if self.more => match connection.stream.ready(&mut self.piece) {
                    Ok(Some(ready)) => return Ok(Some(Ready::Part(ready))),
                    Ok(None) => self.more = false,
                    Err(error) => {
                        return Err(connection.fail(ConnectionErrorKind::Message(error)));
                    }
                },
                State::Gather if !self.piece.is_empty() => {
                    connection.gather(self.piece)?;
                    self.piece = &[];
                }
                State::Inflate => connection.inflate()?,
                State::Body => return Ok(Some(Ready::Inflated)),
                _ => match connection.receiver.advance(&mut self.input) {
                    Ok(None) => return Ok(None),
                    Ok(Some(arrived)) => {
                        if let Some(ready) = self.take(arrived)? {
                            return Ok(Some(ready));
                        }
                    }
                    Err(error) => return Err(connection.fail(ConnectionErrorKind::Frame(error))),
                },
            }
        }
    }

    /// What a part of a WebSocket message means; `None` where it is not handed on as it is.
    fn take(&mut self, arrived: Arrived<'i>) -> Result<Option<Ready<'i>>, ConnectionError> {
        let connection = &mut *self.connection;
        match (arrived, connection.state) {
            (Arrived::Control(opcode, found), _) => {
                return Ok(Some(Ready::Control(opcode, found)));
            }
            (Arrived::Begin { kind: Kind::Text, .. }, _) => {
                return Err(connection.fail(ConnectionErrorKind::Text));
            }
            (Arrived::Begin { kind: Kind::Binary, .. }, _) => connection.state = State::First,
            (Arrived::Frame, _) => {}
            (Arrived::Piece(piece), State::First) => match piece {
                [0, body @ ..] => {
                    connection.stream.reset();
                    connection.state = State::Plain;
                    (self.piece, self.more) = (body, true);
                }
                [1 | 2, ..] => {
                    connection.state = State::Gather;
                    self.piece = piece;
                }
                [tag, ..] => {
                    let kind = ConnectionErrorKind::UnknownCompression { tag: *tag };
                    return Err(connection.fail(kind));
                }
                [] => {}
            },
            (Arrived::Piece(piece), _) => (self.piece, self.more) = (piece, true),
            (Arrived::End, State::First) => {
                return Err(connection.fail(ConnectionErrorKind::Empty));
            }
            (Arrived::End, State::Gather) => connection.state = State::Inflate,
            (Arrived::End, _) => {
                connection.end_of_payload()?;
                return Ok(Some(Ready::EndOfPayload));
            }
        }
        Ok(None)
    }
}

/// The next part of a body that was inflated.
fn inflated<'e, const N: usize>(
    connection: &'e mut Connection<'_, N>,
) -> Result<Option<Incoming<'e>>, ConnectionError> {
    let Connection { stream, state, payload, body, body_len, body_at, .. } = &mut *connection;
    let mut rest = body.get(*body_at..*body_len).unwrap_or_default();
    let ready = stream.ready(&mut rest);
    *body_at = body_len.saturating_sub(rest.len());
    let part = match ready {
        Ok(Some(ready)) => stream.event(ready).map(Incoming::Part),
        Ok(None) => match stream.finish() {
            Ok(()) => {
                (*state, *payload) = (State::Between, payload.wrapping_add(1));
                return Ok(Some(Incoming::EndOfPayload));
            }
            Err(error) => Err(error),
        },
        Err(error) => Err(error),
    };
    match part {
        Ok(part) => Ok(Some(part)),
        Err(error) => {
            let kind = ConnectionErrorKind::Message(error);
            let error = ConnectionError { payload: *payload, kind };
            if !error.is_resumable() {
                *state = State::Failed(error);
            }
            Err(error)
        }
    }
}

impl<const N: usize> fmt::Debug for Connection<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("state", &self.state)
            .field("payload", &self.payload)
            .field("receiver", &self.receiver)
            .field("stream", &self.stream)
            .finish_non_exhaustive()
    }
}

impl<const N: usize> fmt::Debug for Feed<'_, '_, '_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feed")
            .field("connection", &self.connection)
            .field("unread", &self.input.len())
            .finish_non_exhaustive()
    }
}
