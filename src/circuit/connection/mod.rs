//! One connection of a browser's: bytes in, bytes out.

mod dispatch;
mod link;
mod outlet;
mod session;

use core::fmt;

use session::{Session, State};

use self::link::Put;
use super::handler::Handler;
use super::origin::Origin;
use super::slot::Slot;
use super::store::{NoStore, Store};
use super::{Refusal, Server};
use crate::error::WriteError;
use crate::sink::{Sink, copy};
use crate::string_table::Interner;
use crate::websocket::{self, CloseCode, Event, Kind, Limits, Receiver};

/// Bytes that a connection and its circuit take, on this machine: with the shortest room for messages that is
/// of use, without the page's own state, and without a store.
pub const CIRCUIT_LEN: usize = size_of::<Connection<'static>>() + size_of::<Slot<(), NoStore>>();

const _: () = assert!(CIRCUIT_LEN <= 4096, "a circuit takes more than 4 KiB");

/// A connection of a browser's, behind the handshake of its WebSocket.
///
/// Frames, messages, calls and batches, in memory of a fixed length: a message of the browser's has at most
/// `ROOM` bytes, and a header that announces more ends the connection before anything is read. 2,048 bytes
/// are a click and what a page says of it, a few times over; what somebody types travels twice in a
/// message.
///
/// It has no clock and no socket. The owner has a buffer for what comes in, that may serve all connections,
/// and a sink for what goes out.
///
/// | the owner sees | and calls |
/// |---|---|
/// | bytes from the browser | [`feed`](Self::feed) |
/// | that pages have changed, or that the sink has room again | [`pump`](Self::pump) |
/// | that nothing went out for 15 seconds | [`ping`](Self::ping) |
/// | that [`received`](Self::received) stays the same for 30 seconds, or [`waiting`](Self::waiting) for 15 for more than the browser | [`time_out`](Self::time_out), and closes |
/// | that the server is to stop | [`shut_down`](Self::shut_down), and closes |
/// | that the socket is gone, or goes, for whatever reason | [`detach`](Self::detach), once |
pub struct Connection<'o, const ROOM: usize = 2048> {
    session: Session<'o>,
    receiver: Receiver<websocket::Server>,
    /// Of the message that comes in.
    kind: Kind,
    /// Its length, if it has one frame only.
    announced: Option<u64>,
    /// Whether it lay whole in the input and has been looked at.
    looked_at: bool,
    /// Bytes of `room` in use, and how many of them have been dealt with.
    held: usize,
    handled: usize,
    /// Whether what is held are messages to deal with, and not a part of one.
    complete: bool,
    room: [u8; ROOM],
}

/// What to do after a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Next {
    /// Read more: all of the input was taken.
    Read,
    /// Send what was written, then call again with what is left of the input, and a sink that has `needed`
    /// bytes free. One that never has as many cannot go on: close.
    Flush {
        /// Bytes of what is next to go out.
        needed: usize,
    },
    /// Send what was written, then close the socket.
    Close,
}

/// What a connection waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Waiting {
    /// For the first message. ASP.NET Core gives it 15 seconds.
    Handshake,
    /// For a circuit.
    Circuit,
    /// For whatever the browser says. A script says something every 15 seconds.
    Browser,
    /// For its owner, to close it.
    Close,
}

impl<'o, const ROOM: usize> Connection<'o, ROOM> {
    /// A connection behind a handshake that was asked for by a page of `origin`.
    #[must_use]
    pub const fn new(origin: Origin<'o>) -> Self {
        const { assert!(ROOM >= 256, "no message of a browser fits") }
        let limit = ROOM as u64;
        Self {
            session: Session::new(origin),
            receiver: Receiver::new(Limits { frame: limit, message: limit }),
            kind: Kind::Binary,
            announced: None,
            looked_at: false,
            held: 0,
            handled: 0,
            complete: false,
            room: [0; ROOM],
        }
    }

    /// Takes bytes that the browser has sent, from the start of `input`, and writes what there is to answer.
    ///
    /// The input is overwritten. What goes out does not depend on how it was cut, nor on the room that the
    /// sink has, but for one thing: what came in one input is rendered together, in one batch.
    ///
    /// # Errors
    ///
    /// The sink's; but one without room is no error, it is [`Next::Flush`]. What the browser did wrong is
    /// none either: it is [`Next::Close`], and [`refusal`](Self::refusal).
    ///
    /// What was done before the sink failed is not done again, and its answer is still to go out: with a sink
    /// that works again, and with what is left of the input, nothing is lost. Where it stopped inside a
    /// frame, for want of room as well if it lends no memory, it is poisoned, and so is the connection: all
    /// there is to do is [`detach`](Self::detach).
    pub fn feed<H: Handler, St: Store, T: Interner, S: Sink + ?Sized>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        input: &mut &mut [u8],
        sink: &mut S,
    ) -> Result<Next, WriteError<S::Error>> {
        loop {
            if let Some(next) = self.settle(server, sink)? {
                return Ok(next);
            }
            let event = match self.receiver.next(input) {
                Ok(Some(event)) => event,
                Ok(None) => return self.pump(server, sink),
                Err(error) => {
                    self.session.refuse(server, Refusal::WebSocket(error));
                    continue;
                }
            };
            match event {
                Event::Begin { kind, len } => {
                    (self.kind, self.announced) = (kind, len);
                    (self.looked_at, self.held, self.handled) = (false, 0, 0);
                }
                // Of a text it is known at its end only whether that is one.
                Event::Piece(piece)
                    if self.announced == Some(piece.len() as u64) && self.kind == Kind::Binary =>
                {
                    self.looked_at = true;
                    let (done, sent) = self.session.message(server, self.kind, piece, 0, sink);
                    if done < piece.len() {
                        // Where it would lie had it come in pieces, so that offsets stay what they are.
                        let rest = piece.get(done..).unwrap_or_default();
                        copy(self.room.get_mut(done..).unwrap_or_default(), rest);
                        (self.handled, self.held, self.complete) = (done, piece.len(), true);
                    }
                    sent?;
                }
                Event::Piece(piece) => {
                    copy(self.room.get_mut(self.held..).unwrap_or_default(), piece);
                    self.held = self.held.saturating_add(piece.len());
                }
                Event::End => self.complete = !self.looked_at,
                Event::Ping(_) => self.session.link.answer(&event),
                Event::Pong(_) => {}
                Event::Close(close) => {
                    self.session.link.answer(&event);
                    self.session.left(server, close.code);
                }
            }
        }
    }

    /// Sends what is ready: answers, calls of functions, and what has changed in the page.
    ///
    /// # Errors
    ///
    /// As [`feed`](Self::feed).
    pub fn pump<H: Handler, St: Store, T: Interner, S: Sink + ?Sized>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        sink: &mut S,
    ) -> Result<Next, WriteError<S::Error>> {
        loop {
            if let Some(next) = self.settle(server, sink)? {
                return Ok(next);
            }
            if let Put::Full(needed) = self.session.link.flush(sink)? {
                return Ok(Next::Flush { needed });
            }
            // `None` is a session that is over, whose last words are ready now.
            if let Some(next) = self.session.update(server, sink)? {
                return Ok(next);
            }
        }
    }

    /// Says that the server is there. Scripts hang up after 30 seconds in which it says nothing.
    ///
    /// # Errors
    ///
    /// As [`feed`](Self::feed).
    pub fn ping<S: Sink + ?Sized>(&mut self, sink: &mut S) -> Result<Next, WriteError<S::Error>> {
        use super::hub::{FromServer, Message};
        match self.session.state {
            State::Handshake | State::Over(_) => {}
            State::Open | State::Running(_) => {
                let ping: FromServer<'_> = Message::Ping;
                if let Some(Put::Full(needed)) = self.session.link.send(&ping, sink)? {
                    return Ok(Next::Flush { needed });
                }
            }
        }
        Ok(Next::Read)
    }

    /// Ends the connection because the browser took too long. Its circuit goes on if it can.
    ///
    /// # Errors
    ///
    /// As [`feed`](Self::feed).
    pub fn time_out<S: Sink + ?Sized>(
        &mut self,
        sink: &mut S,
    ) -> Result<Next, WriteError<S::Error>> {
        self.end(CloseCode::POLICY_VIOLATION, sink)
    }

    /// Ends the connection because the server stops. The browser tries to connect again.
    ///
    /// # Errors
    ///
    /// As [`feed`](Self::feed).
    pub fn shut_down<S: Sink + ?Sized>(
        &mut self,
        sink: &mut S,
    ) -> Result<Next, WriteError<S::Error>> {
        self.end(CloseCode::GOING_AWAY, sink)
    }

    /// Ends circuit and connection with an error that the page shows. The browser does not connect again.
    ///
    /// # Errors
    ///
    /// As [`feed`](Self::feed).
    pub fn error<H: Handler, St: Store, T: Interner, S: Sink + ?Sized>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        text: &str,
        sink: &mut S,
    ) -> Result<Next, WriteError<S::Error>> {
        use super::hub::{Answer, Message};
        if !matches!(self.session.state, State::Over(_) | State::Handshake) {
            let call = Answer::Error { text };
            let message = Message::Invocation { id: None, call };
            if let Some(Put::Full(needed)) = self.session.link.send(&message, sink)? {
                return Ok(Next::Flush { needed });
            }
        }
        self.session.close_circuit(server, super::Closed::Error);
        self.end(CloseCode::INTERNAL_ERROR, sink)
    }

    /// Ends the connection with a hub message that says so. The browser connects again in any case.
    ///
    /// # Errors
    ///
    /// As [`feed`](Self::feed).
    pub fn hub_close<S: Sink + ?Sized>(
        &mut self,
        reconnect: Option<bool>,
        sink: &mut S,
    ) -> Result<Next, WriteError<S::Error>> {
        use super::hub::{FromServer, Message};
        if !matches!(self.session.state, State::Over(_) | State::Handshake) {
            let message: FromServer<'_> = Message::Close { error: None, reconnect };
            if let Some(Put::Full(needed)) = self.session.link.send(&message, sink)? {
                return Ok(Next::Flush { needed });
            }
        }
        self.end(CloseCode::NORMAL, sink)
    }

    /// Lets go of the circuit: it waits for another connection if it can go on on one, else it is over.
    ///
    /// To be called once the socket is gone, whyever. `now` has the unit of [`Server::expire`].
    pub fn detach<H: Handler, St: Store, T: Interner>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        now: u64,
    ) {
        self.session.detach(server, now);
    }

    /// What comes next, so that its owner can set a time for it.
    #[must_use]
    pub const fn waiting(&self) -> Waiting {
        match self.session.state {
            State::Handshake => Waiting::Handshake,
            State::Open => Waiting::Circuit,
            State::Running(_) => Waiting::Browser,
            State::Over(_) => Waiting::Close,
        }
    }

    /// Bytes that came in, headers of frames among them, and nothing of HTTP.
    #[must_use]
    pub const fn received(&self) -> u64 {
        self.receiver.position()
    }

    /// Bytes that went to the sink.
    #[must_use]
    pub const fn sent(&self) -> u64 {
        self.session.link.sent
    }

    /// What the browser did wrong, if that has ended the connection.
    #[must_use]
    pub const fn refusal(&self) -> Option<Refusal> {
        self.session.refusal
    }

    /// Makes room for another answer, and deals with messages that were waiting for it.
    #[inline]
    fn settle<H: Handler, St: Store, T: Interner, S: Sink + ?Sized>(
        &mut self,
        server: &mut Server<'_, H, St, T>,
        sink: &mut S,
    ) -> Result<Option<Next>, WriteError<S::Error>> {
        loop {
            let over = matches!(self.session.state, State::Over(_));
            if (over || !self.session.link.has_room())
                && let Put::Full(needed) = self.session.link.flush(sink)?
            {
                return Ok(Some(Next::Flush { needed }));
            }
            if over {
                return Ok(Some(Next::Close));
            }
            if !self.complete {
                return Ok(None);
            }
            let held = self.room.get(self.handled..self.held).unwrap_or_default();
            let (done, sent) = self.session.message(server, self.kind, held, self.handled, sink);
            self.handled = self.handled.saturating_add(done);
            if self.handled >= self.held {
                (self.complete, self.held, self.handled) = (false, 0, 0);
            }
            sent?;
        }
    }

    fn end<S: Sink + ?Sized>(
        &mut self,
        code: CloseCode,
        sink: &mut S,
    ) -> Result<Next, WriteError<S::Error>> {
        self.session.end(code);
        Ok(match self.session.link.flush(sink)? {
            Put::Done => Next::Close,
            Put::Full(needed) => Next::Flush { needed },
        })
    }
}

impl<const ROOM: usize> fmt::Debug for Connection<'_, ROOM> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("waiting", &self.waiting())
            .field("refusal", &self.session.refusal)
            .field("received", &self.received())
            .field("sent", &self.sent())
            .field("held", &self.held)
            .finish_non_exhaustive()
    }
}
