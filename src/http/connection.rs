//! One connection: bytes in, bytes out.

use super::h1::{self, H1, Left};
use super::h2::{self, H2, PREFACE};
use super::speaks::private::{Place as _, Speaks as Places};
use super::{Both, Handler, Routes, Speaks};
use crate::sink;

/// One connection of a server, over HTTP/1.1 or HTTP/2.
///
/// `STREAMS` is how many streams of HTTP/2 may wait for a window or for the rest of a request at the
/// same time, `BLOCK` how many bytes a header block may have that comes in several frames, and `MEMO`
/// how many bytes of the last request are kept, so that one that has the same bytes is not read again
/// field by field: 0 keeps none, 128 holds the head that load generators send. Without the feature
/// `http-quick` nothing is kept, and `MEMO` takes no memory. `P` is [`Both`] protocols, or the only one that
/// is spoken: [`OnlyHttp1`](crate::http::OnlyHttp1) or [`OnlyHttp2`](crate::http::OnlyHttp2).
///
/// The owner has a buffer for what comes in and one for what goes out, and calls [`Conn::feed`] when
/// the client sent something, and after each [`Next::Flush`]. What goes out does not depend on how the
/// input was cut, nor on the length of the output, but for one thing: where a body over HTTP/2 does not
/// fit, other frames pass between its pieces, and it ends early if the client takes it back meanwhile.
///
/// | the owner sees | and calls |
/// |---|---|
/// | bytes from the client | [`Conn::feed`] with all that is not consumed |
/// | its buffer is full and nothing was consumed | [`Conn::overflow`], and closes |
/// | [`Conn::waiting`] stays the same for too long | [`Conn::time_out`], and closes |
/// | the server is to stop | [`Conn::shutdown`], then [`Conn::feed`] |
// What each call counts is in front, where it is reached by short offsets.
#[derive(Debug)]
#[repr(C)]
pub struct Conn<
    const STREAMS: usize = 16,
    const BLOCK: usize = 1024,
    const MEMO: usize = 0,
    P: Speaks = Both,
> {
    counters: Counters,
    state: State<STREAMS, BLOCK, MEMO, P>,
}

const _: () = assert!(size_of::<Conn>() <= 4096, "a connection takes more than 4 KiB");

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
        /// The length that the next output must have. At most [`Routes::min_output`].
        needed: usize,
    },
    /// Send what was written, then close.
    ///
    /// A client that is still sending gets a reset if its bytes are not read, and may lose the last
    /// response by it (RFC 9112 section 9.6): close for writing, read for a while, then close.
    Close,
    /// Send what was written; the connection speaks another protocol then, whose first bytes may lie
    /// behind what was consumed. This `Conn` has nothing more to say.
    ///
    /// Only [`Handler::exchange`] leads here.
    Switch,
}

/// What a connection waits for, so that its owner can set a time for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Waiting {
    /// For a request to begin. Nothing is owed.
    Idle,
    /// For the rest of a request's head.
    Head,
    /// For the rest of a request's body.
    Body,
    /// For the client to take more of a response.
    Window,
}

/// What happened on a connection. No count goes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Counters {
    /// Bytes of input that were consumed.
    pub received: u64,
    /// Bytes of output that were written.
    pub sent: u64,
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

impl Counters {
    const NONE: Self = Self {
        received: 0,
        sent: 0,
        requests: 0,
        refused: 0,
        resets_received: 0,
        resets_sent: 0,
        errors: 0,
    };

    /// Counts what one call took and gave.
    #[inline(always)]
    pub(in crate::http) const fn move_bytes(&mut self, consumed: usize, written: usize) {
        self.received = self.received.wrapping_add(consumed as u64);
        self.sent = self.sent.wrapping_add(written as u64);
    }
}

impl<const STREAMS: usize, const BLOCK: usize, const MEMO: usize, P: Speaks>
    Conn<STREAMS, BLOCK, MEMO, P>
{
    /// A connection on which nothing was received yet.
    ///
    /// Where `P` has only one protocol, it is spoken whatever `protocol` is.
    #[must_use]
    pub const fn new(protocol: Protocol) -> Self {
        let protocol = match P::ONLY {
            Some(only) => only,
            None => protocol,
        };
        let state = State::Fresh { protocol, begun: false, shutdown: false };
        Self { state, counters: Counters::NONE }
    }

    /// Takes `input`, writes answers from `routes` to `output`.
    pub fn feed(&mut self, routes: &Routes<'_>, input: &[u8], output: &mut [u8]) -> Fed {
        self.feed_with(routes, &mut (), input, output)
    }

    /// Takes `input`, writes answers from `routes` and `handler` to `output`.
    ///
    /// `routes` are the same in all calls. `output` may have any length; if it has less than
    /// [`Routes::min_output`], the connection may stop at a [`Next::Flush`] that writes nothing.
    #[inline]
    pub fn feed_with<H: Handler + ?Sized>(
        &mut self,
        routes: &Routes<'_>,
        handler: &mut H,
        input: &[u8],
        output: &mut [u8],
    ) -> Fed {
        // Each with the same arguments, so that nothing is kept here while it runs.
        match self.state {
            State::Fresh { .. } => self.feed_first(routes, handler, input, output),
            State::Http1(_) => self.feed_http1(routes, handler, input, output),
            State::Http2(_) => self.feed_http2(routes, handler, input, output),
        }
    }

    /// Refuses what the client is sending, because the owner's buffer is full and holds no part of it
    /// that can be consumed.
    ///
    /// Over HTTP/1.1 that is status 431, or 414 in the middle of a request line; over HTTP/2 it is a
    /// GOAWAY with `ENHANCE_YOUR_CALM`. The answer is [`Next::Close`], or [`Next::Flush`] if the output
    /// is too short for it: then this is called again.
    pub fn overflow(&mut self, output: &mut [u8]) -> Fed {
        self.begin();
        let fed = match &mut self.state {
            State::Fresh { .. } => None,
            State::Http1(h1) => h1.get_mut().map(|h1| h1.overflow(&mut self.counters, output)),
            State::Http2(h2) => h2.get_mut().map(|h2| h2.overflow(&mut self.counters, output)),
        };
        self.count(fed.unwrap_or(Fed::NOTHING))
    }

    /// Says good-bye to a client that took too long.
    ///
    /// Over HTTP/1.1 that is status 408 if a request has begun (RFC 9110 section 15.5.9), and nothing if
    /// none has, or if a response is under way; over HTTP/2 a GOAWAY with `NO_ERROR`. As with
    /// [`Conn::overflow`], it is called again after [`Next::Flush`].
    pub fn time_out(&mut self, output: &mut [u8]) -> Fed {
        self.begin();
        let fed = match &mut self.state {
            State::Fresh { .. } => None,
            State::Http1(h1) => h1.get_mut().map(|h1| h1.time_out(&mut self.counters, output)),
            State::Http2(h2) => h2.get_mut().map(|h2| h2.time_out(&mut self.counters, output)),
        };
        self.count(fed.unwrap_or(Fed::NOTHING))
    }

    /// Lets the connection end as soon as what was begun is answered.
    ///
    /// The next [`Conn::feed`], which may have an empty input, closes a connection that has nothing
    /// under way. Otherwise the next response over HTTP/1.1 says `connection: close`; over HTTP/2 a
    /// GOAWAY with `NO_ERROR` goes out, and the streams that are open are answered.
    pub fn shutdown(&mut self) {
        match &mut self.state {
            State::Fresh { shutdown, .. } => *shutdown = true,
            State::Http1(h1) => h1.get_mut().map_or((), H1::shutdown),
            State::Http2(h2) => h2.get_mut().map_or((), H2::shutdown),
        }
    }

    /// What the client has to do next.
    ///
    /// The owner sets a time for each: one since when it is [`Waiting::Idle`] or [`Waiting::Head`],
    /// whatever arrives meanwhile; for [`Waiting::Body`] and [`Waiting::Window`] one since when
    /// [`Counters::received`] and [`Counters::sent`] grew. A request that is held until it is whole
    /// ([`Response::exchanged`](crate::http::Response::exchanged)) counts as received only then, so its body
    /// has that time altogether.
    #[must_use]
    pub fn waiting(&self) -> Waiting {
        match &self.state {
            State::Fresh { begun: false, .. } => Waiting::Idle,
            State::Fresh { begun: true, .. } => Waiting::Head,
            State::Http1(h1) => h1.get().map_or(Waiting::Idle, H1::waiting),
            State::Http2(h2) => h2.get().map_or(Waiting::Idle, H2::waiting),
        }
    }

    /// What the connection speaks: [`Protocol::Auto`] as long as that is not known.
    #[must_use]
    pub const fn protocol(&self) -> Protocol {
        match self.state {
            State::Fresh { protocol, .. } => protocol,
            State::Http1(_) => Protocol::Http1,
            State::Http2(_) => Protocol::Http2,
        }
    }

    /// What happened so far.
    #[must_use]
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    #[cold]
    #[inline(never)]
    fn feed_first<H: Handler + ?Sized>(
        &mut self,
        routes: &Routes<'_>,
        handler: &mut H,
        input: &[u8],
        output: &mut [u8],
    ) -> Fed {
        match self.decide(input) {
            Some(fed) => fed,
            None if matches!(self.state, State::Http1(_)) => {
                self.feed_http1(routes, handler, input, output)
            }
            None => self.feed_http2(routes, handler, input, output),
        }
    }

    #[inline(never)]
    fn feed_http1<H: Handler + ?Sized>(
        &mut self,
        routes: &Routes<'_>,
        handler: &mut H,
        input: &[u8],
        output: &mut [u8],
    ) -> Fed {
        let State::Http1(h1) = &mut self.state else { return Fed::NOTHING };
        let Some(h1) = h1.get_mut() else { return Fed::NOTHING };
        match h1.quick(routes, input, output) {
            Ok((response, to)) => {
                let fed = Fed { consumed: input.len(), written: to.len(), next: Next::Read };
                self.counters.requests += 1;
                self.counters.move_bytes(fed.consumed, fed.written);
                // Last, so that nothing has to be kept meanwhile.
                sink::copy(to, response);
                fed
            }
            Err(Left::All) => self.feed_http1_all(routes, handler, input, output),
            Err(Left::Nothing) => self.feed_http1_behind(routes, handler, input, output),
        }
    }

    #[cold]
    #[inline(never)]
    fn feed_http1_all<H: Handler + ?Sized>(
        &mut self,
        routes: &Routes<'_>,
        handler: &mut H,
        input: &[u8],
        output: &mut [u8],
    ) -> Fed {
        let State::Http1(h1) = &mut self.state else { return Fed::NOTHING };
        let Some(h1) = h1.get_mut() else { return Fed::NOTHING };
        let fed = h1.feed(&mut self.counters, routes, handler, input, output);
        self.count(fed)
    }

    /// The same behind an input that was read.
    #[cold]
    #[inline(never)]
    fn feed_http1_behind<H: Handler + ?Sized>(
        &mut self,
        routes: &Routes<'_>,
        handler: &mut H,
        input: &[u8],
        output: &mut [u8],
    ) -> Fed {
        let State::Http1(h1) = &mut self.state else { return Fed::NOTHING };
        let Some(h1) = h1.get_mut() else { return Fed::NOTHING };
        let fed = h1.feed(&mut self.counters, routes, handler, &[], output);
        self.count(Fed { consumed: input.len(), ..fed })
    }

    #[inline(never)]
    fn feed_http2<H: Handler + ?Sized>(
        &mut self,
        routes: &Routes<'_>,
        handler: &mut H,
        input: &[u8],
        output: &mut [u8],
    ) -> Fed {
        let State::Http2(h2) = &mut self.state else { return Fed::NOTHING };
        let Some(h2) = h2.get_mut() else { return Fed::NOTHING };
        h2.feed(&mut self.counters, routes, handler, input, output)
    }

    /// Finds the protocol; what to answer if it cannot be known yet.
    #[cold]
    #[inline(never)]
    fn decide(&mut self, input: &[u8]) -> Option<Fed> {
        let State::Fresh { protocol, begun, shutdown } = &mut self.state else { return None };
        let shutdown = *shutdown;
        let http2 = match P::ONLY.unwrap_or(*protocol) {
            Protocol::Http1 => false,
            Protocol::Http2 => true,
            Protocol::Auto => {
                let preface = input.iter().zip(&PREFACE).all(|(byte, expected)| byte == expected);
                if preface && input.len() < PREFACE.len() {
                    *begun = !input.is_empty();
                    if shutdown && input.is_empty() {
                        self.state = State::Http1(P::Http1::begin());
                        if let Some(h1) = self.http1() {
                            h1.close();
                        }
                        return Some(Fed { next: Next::Close, ..Fed::NOTHING });
                    }
                    return Some(Fed::NOTHING);
                }
                preface
            }
        };
        self.begin_as(http2);
        if shutdown {
            self.shutdown();
        }
        None
    }

    fn begin_as(&mut self, http2: bool) {
        self.state =
            if http2 { State::Http2(P::Http2::begin()) } else { State::Http1(P::Http1::begin()) };
    }

    /// Who is refused before it is known what it speaks is told in HTTP/1.1.
    fn begin(&mut self) {
        if let State::Fresh { protocol, begun, .. } = self.state {
            self.begin_as(P::ONLY.unwrap_or(protocol) == Protocol::Http2);
            if begun && let Some(h1) = self.http1() {
                h1.begin();
            }
        }
    }

    fn http1(&mut self) -> Option<&mut H1<MEMO>> {
        match &mut self.state {
            State::Http1(h1) => h1.get_mut(),
            _ => None,
        }
    }

    const fn count(&mut self, fed: Fed) -> Fed {
        self.counters.move_bytes(fed.consumed, fed.written);
        fed
    }
}

impl Routes<'_> {
    /// Length of the shortest output that [`Conn::feed`] can always do something with.
    ///
    /// A response that is all literal goes out in as many pieces as it takes; one with holes, and one
    /// that a [`Handler`] writes, goes out whole.
    #[must_use]
    pub const fn min_output(&self) -> usize {
        let (h1, h2) = (h1::min_output(self), h2::min_output(self));
        if h1 > h2 { h1 } else { h2 }
    }
}

impl Fed {
    pub(in crate::http) const NOTHING: Self = Self { consumed: 0, written: 0, next: Next::Read };
}

// With a tag of its own, which is read with each call.
#[derive(Debug)]
#[repr(u8)]
#[allow(clippy::large_enum_variant, reason = "whoever has one port for both needs room for both")]
enum State<const STREAMS: usize, const BLOCK: usize, const MEMO: usize, P: Places> {
    /// Nothing was consumed.
    Fresh {
        protocol: Protocol,
        begun: bool,
        shutdown: bool,
    },
    Http1(P::Http1<H1<MEMO>>),
    Http2(P::Http2<H2<STREAMS, BLOCK, MEMO>>),
}
