//! The requests of HTTP around a circuit, and the way into it.
//!
//! | request | is answered |
//! |---|---|
//! | `GET /_blazor/initializers` | [`INITIALIZERS`]: there are none |
//! | `POST /_blazor/negotiate` | with a token that is good once, and `WebSockets` as the only transport |
//! | `GET /_blazor?id=TOKEN`, for a WebSocket | with status 101, after which a [`Connection`](super::Connection) has the connection |
//! | `POST /_blazor/disconnect` | with status 200; the page with the secret in it was left |
//!
//! ```
//! use onewrite::circuit::gate::{self, Answered, Endpoint, Gate};
//! use onewrite::circuit::origin::Origin;
//! use onewrite::http::{Conn, Exchanged, Handler, NoBody, Protocol, Received, routes};
//! # use onewrite::circuit::secret::Random;
//! # struct System;
//! # impl Random for System {
//! #     type Error = ();
//! #     fn fill(&mut self, bytes: &mut [u8]) -> Result<(), ()> {
//! #         bytes.fill(0);
//! #         Ok(())
//! #     }
//! # }
//!
//! routes! {
//!     static SITE = {
//!         "/_blazor" => gate::CONNECT,
//!         "/_blazor/negotiate" => gate::NEGOTIATE,
//!         "/_blazor/disconnect" => gate::DISCONNECT,
//!         "/_blazor/initializers" => gate::INITIALIZERS,
//!     }
//! }
//! const ENDPOINTS: [Endpoint; 3] = [Endpoint::Connect, Endpoint::Negotiate, Endpoint::Disconnect];
//! const ORIGINS: &[Origin<'_>] = &[Origin::new("http://pi.local").unwrap()];
//!
//! struct Site {
//!     gate: Gate<'static, 64>,
//! }
//!
//! impl Handler for Site {
//!     fn exchange(&mut self, received: &Received<'_>, output: &mut [u8]) -> Result<Exchanged, NoBody> {
//!         let endpoint = ENDPOINTS.get(received.route).ok_or(NoBody)?;
//!         let now = 0; // of a clock that does not go back, in milliseconds
//!         match self.gate.answer(*endpoint, received, &mut System, now, output)? {
//!             Answered::Done(exchanged) => Ok(exchanged),
//!             // The owner is told of the origin, and of the secret, in some way of its own.
//!             Answered::Connected { exchanged, origin: _ } => Ok(exchanged),
//!             Answered::Left { exchanged, secret: _ } => Ok(exchanged),
//!         }
//!     }
//! }
//!
//! let mut site = Site { gate: Gate::new(ORIGINS) };
//! let request = b"POST /_blazor/negotiate?negotiateVersion=1 HTTP/1.1\r\nhost: pi.local\r\n\
//!     origin: http://evil.example\r\ncontent-length: 0\r\n\r\n";
//! let mut output = [0; 1024];
//! let _ = <Conn>::new(Protocol::Http1).feed_with(&SITE, &mut site, request, &mut output);
//! assert!(output.starts_with(b"HTTP/1.1 403 "));
//! assert_eq!(site.gate.counters().origin, 1);
//! ```
//!
//! Source: aspnetcore, `src/SignalR/docs/specs/TransportProtocols.md`.

mod marker;
mod multipart;

use super::origin::{Origin, Unwelcome};
use super::secret::{Random, Token};
use super::ticket::Tickets;
use crate::http::{Exchanged, NoBody, Received, Response, response};
use crate::sink::{SliceSink, copy};
use crate::websocket::{FORBIDDEN, Refusal, Request, Upgrade};
use crate::{literal, template};

pub use marker::{DESCRIPTOR_LEN, MARKER_BACK, SERVER_MARKER, WEB_MARKER};

response! {
    /// What answers `/_blazor/initializers`: a page without them. Without an answer the script stops.
    pub static INITIALIZERS = 200, {
        "content-type": "application/json", "cache-control": "no-store"
    }, "[]", etag = none
}

/// The route of `/_blazor`.
pub static CONNECT: Response<'_> = Response::exchanged(ANSWER_LEN);
/// The route of `/_blazor/negotiate`.
pub static NEGOTIATE: Response<'_> = Response::exchanged(ANSWER_LEN);
/// The route of `/_blazor/disconnect`.
pub static DISCONNECT: Response<'_> = Response::exchanged(ANSWER_LEN);

/// A `content-security-policy` for pages: scripts, styles and connections of their own origin alone.
///
/// The client's script needs neither `eval` nor scripts in the page. No other page can have this one in a
/// frame.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; \
    connect-src 'self'; style-src 'self'; base-uri 'self'; frame-ancestors 'none'";

/// What a request around a circuit is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Endpoint {
    /// A WebSocket.
    Connect,
    /// To say that a page was left.
    Disconnect,
    /// A token.
    Negotiate,
}

/// Lets browsers in: `TOKENS` of them may have a token and no connection yet.
#[derive(Debug)]
pub struct Gate<'o, const TOKENS: usize> {
    origins: &'o [Origin<'o>],
    tokens: Tickets<TOKENS>,
    counters: GateCounters,
}

/// How a request was answered, and what is to be done besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered<'o, 'i> {
    /// The connection is a browser's, of a page of this origin.
    Connected {
        /// What to return from [`Handler::exchange`](crate::http::Handler::exchange).
        exchanged: Exchanged,
        /// Where the page is from.
        origin: Origin<'o>,
    },
    /// Nothing besides.
    Done(Exchanged),
    /// The page was left: [`Server::disconnect`](super::Server::disconnect).
    Left {
        /// What to return from [`Handler::exchange`](crate::http::Handler::exchange).
        exchanged: Exchanged,
        /// What its circuit is found by, if there is one.
        secret: &'i str,
    },
}

/// What was refused. No count goes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct GateCounters {
    /// Requests for another host, or for none.
    pub host: u64,
    /// Requests from pages of another origin, `null` among them, or of none.
    pub origin: u64,
    /// Tokens that were never given out, were used already, or are too old.
    pub token: u64,
    /// Requests for a WebSocket that are none.
    pub handshake: u64,
    /// Requests with another method, or with a body that is none.
    pub malformed: u64,
}

impl GateCounters {
    /// Requests that were refused, whatever for.
    #[must_use]
    pub const fn in_all(&self) -> u64 {
        let Self { host, origin, token, handshake, malformed } = *self;
        host.wrapping_add(origin)
            .wrapping_add(token)
            .wrapping_add(handshake)
            .wrapping_add(malformed)
    }
}

impl<'o, const TOKENS: usize> Gate<'o, TOKENS> {
    /// A gate for pages of `origins`: what browsers call this server, each with the host that it has in it.
    #[must_use]
    pub const fn new(origins: &'o [Origin<'o>]) -> Self {
        Self {
            origins,
            tokens: Tickets::new(TOKEN_LIFETIME_MS),
            counters: GateCounters { host: 0, origin: 0, token: 0, handshake: 0, malformed: 0 },
        }
    }

    /// Answers a request at the start of `output`, which has the room of its route.
    ///
    /// `now` is milliseconds of a clock that does not go back.
    ///
    /// # Errors
    ///
    /// [`NoBody`], status 500: there are no random numbers for a token.
    pub fn answer<'i, R: Random + ?Sized>(
        &mut self,
        endpoint: Endpoint,
        received: &Received<'i>,
        random: &mut R,
        now: u64,
        output: &mut [u8],
    ) -> Result<Answered<'o, 'i>, NoBody> {
        let method = received.method();
        match endpoint {
            Endpoint::Connect => self.connect(received, now, output),
            _ if method != "POST" => {
                add(&mut self.counters.malformed);
                close(NOT_ALLOWED, output).map(Answered::Done)
            }
            Endpoint::Disconnect => self.disconnect(received, output),
            Endpoint::Negotiate => {
                if self.admit(received).is_none() {
                    return close(FORBIDDEN, output).map(Answered::Done);
                }
                let id = Token::random(random).map_err(|_| NoBody)?;
                let token = self.tokens.issue(random, now).map_err(|_| NoBody)?;
                let mut sink = SliceSink::new(output);
                let written =
                    NEGOTIATED.write_to(&mut sink, NEGOTIATED_BODY, *id.bytes(), *token.bytes());
                written.map_err(|_| NoBody)?;
                Ok(Answered::Done(Exchanged::Response(sink.into_written().len())))
            }
        }
    }

    /// What was refused so far.
    #[must_use]
    pub const fn counters(&self) -> &GateCounters {
        &self.counters
    }

    /// Tokens that browsers have and may still connect with at `now`, in milliseconds: at most `TOKENS`.
    #[must_use]
    pub fn tokens(&self, now: u64) -> usize {
        self.tokens.len(now)
    }

    fn connect<'i>(
        &mut self,
        received: &Received<'i>,
        now: u64,
        output: &mut [u8],
    ) -> Result<Answered<'o, 'i>, NoBody> {
        let request = match upgrade(received) {
            Ok(request) => request,
            Err(refusal) => {
                add(&mut self.counters.handshake);
                return close(refusal.response(), output).map(Answered::Done);
            }
        };
        // The token last: one that comes from a foreign page stays good.
        let Some(origin) = self.admit(received) else {
            return close(FORBIDDEN, output).map(Answered::Done);
        };
        if !self.tokens.redeem(received.parameter("id").unwrap_or_default(), now) {
            add(&mut self.counters.token);
            return close(FORBIDDEN, output).map(Answered::Done);
        }
        let mut sink = SliceSink::new(output);
        request.respond(&mut sink).map_err(|_| NoBody)?;
        let exchanged = Exchanged::Switch(sink.into_written().len());
        Ok(Answered::Connected { exchanged, origin })
    }

    /// Whoever knows a secret may end its circuit: no page of another origin does.
    fn disconnect<'i>(
        &mut self,
        received: &Received<'i>,
        output: &mut [u8],
    ) -> Result<Answered<'o, 'i>, NoBody> {
        let kind = received.field("content-type").unwrap_or_default();
        match multipart::value(kind, received.body(), "circuitId") {
            Some(secret) => {
                let exchanged = put(GOOD_BYE, output).map(Exchanged::Response)?;
                Ok(Answered::Left { exchanged, secret })
            }
            None => {
                add(&mut self.counters.malformed);
                close(BAD_REQUEST, output).map(Answered::Done)
            }
        }
    }

    /// The origin of the page that a request comes from, if it is one of ours.
    fn admit(&mut self, received: &Received<'_>) -> Option<Origin<'o>> {
        let (host, page) = (received.field("host"), received.field("origin"));
        let mut unwelcome = Unwelcome::Host;
        for origin in self.origins {
            match origin.check(host, page) {
                Ok(()) => return Some(*origin),
                Err(Unwelcome::Host | Unwelcome::NoHost) => {}
                Err(error) => unwelcome = error,
            }
        }
        add(match unwelcome {
            Unwelcome::Host | Unwelcome::NoHost => &mut self.counters.host,
            Unwelcome::NoOrigin | Unwelcome::Null | Unwelcome::Origin => &mut self.counters.origin,
        });
        None
    }
}

/// The request for a WebSocket.
fn upgrade<'i>(received: &Received<'i>) -> Result<Request<'i, 'static>, Refusal> {
    let [method, version] = [received.method().as_bytes(), received.version().as_bytes()];
    let mut upgrade = Upgrade::new(method, received.target().as_bytes(), version, &[])?;
    for (name, value) in received.fields() {
        upgrade.field(name, value)?;
    }
    upgrade.finish()
}

/// Writes the last answer of a connection.
fn close(answer: &[u8], output: &mut [u8]) -> Result<Exchanged, NoBody> {
    put(answer, output).map(Exchanged::Close)
}

fn put(answer: &[u8], output: &mut [u8]) -> Result<usize, NoBody> {
    copy(output.get_mut(..answer.len()).ok_or(NoBody)?, answer);
    Ok(answer.len())
}

const fn add(counter: &mut u64) {
    *counter = counter.wrapping_add(1);
}

/// A browser uses its token at once; ASP.NET Core gives it 15 seconds as well.
const TOKEN_LIFETIME_MS: u64 = 15_000;

/// The longest answer: that to `negotiate`.
const ANSWER_LEN: usize = NEGOTIATED::LEN;

const _: () = assert!(FORBIDDEN.len() <= ANSWER_LEN && NOT_ALLOWED.len() <= ANSWER_LEN);
const _: () = assert!(BAD_REQUEST.len() <= ANSWER_LEN && GOOD_BYE.len() <= ANSWER_LEN);

template!(
    NEGOTIATED = "HTTP/1.1 200 OK\r\n\
        content-type: application/json\r\n\
        cache-control: no-store\r\n\
        content-length: ", length: dec(3), "\r\n\r\n\
        {\"negotiateVersion\":1,\"connectionId\":\"", id: bytes(Token::CHARS),
        "\",\"connectionToken\":\"", token: bytes(Token::CHARS),
        "\",\"availableTransports\":[{\"transport\":\"WebSockets\",\
        \"transferFormats\":[\"Text\",\"Binary\"]}]}"
);

/// Bytes of its body.
const NEGOTIATED_BODY: u64 = {
    let (head, mut bytes) = (NEGOTIATED::BYTES, 0);
    let mut rest: &[u8] = &head;
    while let [byte, behind @ ..] = rest {
        if *byte == b'{' {
            bytes = rest.len() as u64;
            break;
        }
        rest = behind;
    }
    bytes
};

const GOOD_BYE: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
const BAD_REQUEST: &[u8] = literal!("HTTP/1.1 400 Bad Request\r\n", END);
const NOT_ALLOWED: &[u8] = literal!("HTTP/1.1 405 Method Not Allowed\r\nallow: POST\r\n", END);
const END: &str = "content-length: 0\r\nconnection: close\r\n\r\n";
