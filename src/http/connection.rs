//! One connection: bytes in, bytes out.

use super::h1::H1;
use super::h2::H2;
use super::{Handler, Routes};

/// One connection of a server, over HTTP/1.1 or HTTP/2.
///
/// `STREAMS` is how many streams of HTTP/2 may wait for a window or for the rest of a request at the
/// same time, `BLOCK` how many bytes a header block may have that comes in several frames.
#[derive(Debug)]
pub struct Conn<const STREAMS: usize = 16, const BLOCK: usize = 1024> {
    state: State<STREAMS, BLOCK>,
    counters: Counters,
}

/// Which protocol a connection speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Protocol {
    /// What the first bytes say: HTTP/2 if they are its preface (RFC 9113 section 3.4).
    #[default]
    Auto,
    /// HTTP/1.1 and 1.0.
    Http1,
    /// HTTP/2 with prior knowledge.
    Http2,
}

/// What one call of [`Conn::feed`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use]
pub struct Fed {
    /// Bytes of the input that are dealt with. The rest comes again, at the start of the next input.
    pub consumed: usize,
    /// Bytes at the start of the output that are to be sent.
    pub written: usize,
    /// What to do after that.
    pub next: Next,
}

/// What to do after a call of [`Conn::feed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Next {
    /// Read more, put it behind what was not consumed, call again.
    Read,
    /// The output was too short for all there is to say: send it, call again with what was not
    /// consumed, in an output of at least `needed` bytes.
    Flush {
        /// The length that the next output must have. At most `Conn::min_output`.
        needed: usize,
    },
    /// Send what was written, then close.
    Close,
}

/// What a connection waits for, so that its owner can set a time for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Waiting {
    /// For a request to begin.
    Idle,
    /// For the rest of a request's head.
    Head,
    /// For the rest of a request's body.
    Body,
    /// For the client to take more of a response.
    Window,
}

/// What happened on a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Counters {
    /// Requests whose response was begun, refusals included.
    pub requests: u64,
    /// Requests that were refused with a status from 400 up, other than 404 and 405.
    pub refused: u64,
    /// Streams that the client reset.
    pub resets_received: u64,
    /// Streams that we reset.
    pub resets_sent: u64,
    /// Errors that ended the connection.
    pub errors: u64,
}

#[derive(Debug)]
enum State<const STREAMS: usize, const BLOCK: usize> {
    Undecided,
    Http1(H1),
    Http2(H2<STREAMS, BLOCK>),
}

impl<const STREAMS: usize, const BLOCK: usize> Conn<STREAMS, BLOCK> {
    /// A connection on which nothing was received yet.
    #[must_use]
    pub const fn new(protocol: Protocol) -> Self {
        let state = match protocol {
            Protocol::Auto => State::Undecided,
            Protocol::Http1 => State::Http1(H1::new()),
            Protocol::Http2 => State::Http2(H2::new()),
        };
        Self {
            state,
            counters: Counters {
                requests: 0,
                refused: 0,
                resets_received: 0,
                resets_sent: 0,
                errors: 0,
            },
        }
    }

    /// Takes `input`, writes answers from `routes` to `output`.
    pub fn feed(&mut self, routes: &Routes<'_>, input: &[u8], output: &mut [u8]) -> Fed {
        self.feed_with(routes, &mut (), input, output)
    }

    /// Takes `input`, writes answers from `routes` and `handler` to `output`.
    pub fn feed_with<H: Handler + ?Sized>(
        &mut self,
        routes: &Routes<'_>,
        handler: &mut H,
        input: &[u8],
        output: &mut [u8],
    ) -> Fed {
        if let State::Undecided = self.state {
            let known = input.len().min(super::h2::PREFACE.len());
            let same = input.get(..known) == super::h2::PREFACE.get(..known);
            if same && known < super::h2::PREFACE.len() {
                return Fed { consumed: 0, written: 0, next: Next::Read };
            }
            self.state = if same { State::Http2(H2::new()) } else { State::Http1(H1::new()) };
        }
        match &mut self.state {
            State::Undecided => Fed { consumed: 0, written: 0, next: Next::Read },
            State::Http1(h1) => h1.feed(&mut self.counters, routes, handler, input, output),
            State::Http2(h2) => h2.feed(&mut self.counters, routes, handler, input, output),
        }
    }

    /// What happened so far.
    #[must_use]
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }
}
