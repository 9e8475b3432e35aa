//! The server's side.

use core::fmt;

use super::super::accept::{ACCEPT_LEN, KEY_LEN, accept};
use super::super::base64;
use super::super::output::write_parts;
use super::head::{self, Field, Lines, has_token, members, visible};
use crate::error::WriteError;
use crate::sink::Sink;
use crate::{literal, template};

/// A client's request for a WebSocket, in order.
///
/// Whether `host` and `origin` are welcome is up to the caller, which answers with
/// [`respond`](Self::respond), or with [`FORBIDDEN`] or a response of its own. Browsers let any page
/// open a WebSocket to any server, and only `origin` says which page it is (RFC 6455 section 10.2).
///
/// ```
/// use onewrite::sink::SliceSink;
/// use onewrite::websocket::Request;
///
/// // The example of RFC 6455 section 1.2.
/// let head = b"GET /chat HTTP/1.1\r\nHost: server.example.com\r\nUpgrade: websocket\r\n\
///     Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
///     Origin: http://example.com\r\nSec-WebSocket-Protocol: chat, superchat\r\n\
///     Sec-WebSocket-Version: 13\r\n\r\n";
/// let Some((request, len)) = Request::decode(head, &["superchat"])? else { panic!("a whole head") };
/// assert_eq!((request.target, request.origin), ("/chat", Some("http://example.com")));
/// assert_eq!((request.protocol, len), (Some("superchat"), head.len()));
///
/// let mut buffer = [0; 256];
/// let mut sink = SliceSink::new(&mut buffer);
/// request.respond(&mut sink)?;
/// assert_eq!(
///     sink.into_written(),
///     b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\
///       sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\
///       sec-websocket-protocol: superchat\r\n\r\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request<'h, 'p> {
    /// What is asked for: a path and a query, mostly.
    pub target: &'h str,
    /// What the client thinks this server is called.
    pub host: &'h str,
    /// The page that asks, if a browser does; `null` if that does not want to say.
    pub origin: Option<&'h str>,
    /// The first of the client's subprotocols that the server has.
    pub protocol: Option<&'p str>,
    /// Whether the client named any subprotocols. One that gets none of them may well close.
    pub offered: bool,
    /// What has to be proved to have been read.
    pub key: [u8; KEY_LEN],
}

impl<'h, 'p> Request<'h, 'p> {
    /// The request at the start of `input`, and its length; `None` if it is not all there.
    ///
    /// `protocols` are the subprotocols that the server has. Behind the request there may be frames already.
    /// The search for the request's end starts anew each time; how long a request may become is up to the
    /// caller's buffer, and [`TOO_LARGE`] what to say of a longer one.
    ///
    /// # Errors
    ///
    /// What is wrong with it: see [`Refusal`], which has the response.
    pub fn decode(
        input: &'h [u8],
        protocols: &'p [&'p str],
    ) -> Result<Option<(Self, usize)>, Refusal> {
        let Some(len) = head::len(input) else { return Ok(None) };
        let mut lines = Lines::new(input.get(..len).unwrap_or_default());
        let line = lines.line().unwrap_or_default();
        let mut words = line.splitn(3, |byte| *byte == b' ');
        let (Some(method), Some(target), Some(version), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(Refusal::Malformed);
        };
        let mut upgrade = Upgrade::new(method, target, version, protocols)?;
        while let Some(field) = lines.field() {
            let Field { name, value } = field.map_err(|_| Refusal::Malformed)?;
            upgrade.field(name, value)?;
        }
        Ok(Some((upgrade.finish()?, len)))
    }

    /// Writes the response after which both sides send frames.
    ///
    /// # Errors
    ///
    /// The sink's: [`Sink::write`].
    pub fn respond<S: Sink + ?Sized>(&self, sink: &mut S) -> Result<(), WriteError<S::Error>> {
        let mut head = SWITCHING::BYTES;
        // The hole takes any bytes.
        let _ = SWITCHING.fill_array(&mut head, accept(&self.key));
        let [name, value]: [&[u8]; 2] = match self.protocol {
            Some(protocol) => [b"\r\nsec-websocket-protocol: ", protocol.as_bytes()],
            None => [&[], &[]],
        };
        let parts: [&[u8]; 4] = [&head, name, value, b"\r\n\r\n"];
        write_parts(parts.into_iter(), sink)
    }
}

template!(
    SWITCHING = "HTTP/1.1 101 Switching Protocols\r\n\
        upgrade: websocket\r\n\
        connection: Upgrade\r\n\
        sec-websocket-accept: ", accept: bytes(ACCEPT_LEN)
);

/// A request that somebody else takes apart: the core of an HTTP server, which hands over the request
/// line and then each field.
///
/// ```
/// use onewrite::websocket::{Refusal, Upgrade};
///
/// let mut upgrade = Upgrade::new(b"GET", b"/_blazor?id=1", b"HTTP/1.1", &[])?;
/// for (name, value) in [
///     ("host", "pi.local"),
///     ("connection", "keep-alive, Upgrade"),
///     ("upgrade", "websocket"),
///     ("sec-websocket-version", "13"),
///     ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
/// ] {
///     upgrade.field(name.as_bytes(), value.as_bytes())?;
/// }
/// assert_eq!(upgrade.finish()?.host, "pi.local");
/// # Ok::<(), Refusal>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Upgrade<'h, 'p> {
    protocols: &'p [&'p str],
    target: &'h str,
    host: Option<&'h str>,
    origin: Option<&'h str>,
    protocol: Option<&'p str>,
    offered: bool,
    key: Option<[u8; KEY_LEN]>,
    /// Whether the version that the client speaks is ours, if it says.
    version: Option<bool>,
    /// Whether the tokens were there, each in its field.
    connection: bool,
    upgrade: bool,
}

impl<'h, 'p> Upgrade<'h, 'p> {
    /// A request of which only the first line is known: `GET`, its target, `HTTP/1.1`.
    ///
    /// `protocols` are the subprotocols that the server has.
    ///
    /// # Errors
    ///
    /// `NotGet`, `NotHttp11`; `Malformed` for a target that is empty or not of visible characters.
    pub fn new(
        method: &[u8],
        target: &'h [u8],
        version: &[u8],
        protocols: &'p [&'p str],
    ) -> Result<Self, Refusal> {
        if !head::is_token(method) {
            return Err(Refusal::Malformed);
        }
        let Some(target) = visible(target) else { return Err(Refusal::Malformed) };
        if method != b"GET" {
            return Err(Refusal::NotGet);
        }
        if version != b"HTTP/1.1" {
            return Err(Refusal::NotHttp11);
        }
        Ok(Self {
            protocols,
            target,
            host: None,
            origin: None,
            protocol: None,
            offered: false,
            key: None,
            version: None,
            connection: false,
            upgrade: false,
        })
    }

    /// Goes on with a field. Of those that it does not know nothing depends.
    ///
    /// # Errors
    ///
    /// `Repeated` for a second one of what may be there once; `BadHost`, `BadOrigin`, `BadKey`,
    /// `BadProtocol` for a value that is none; `Body` for a request that has one.
    pub fn field(&mut self, name: &[u8], value: &'h [u8]) -> Result<(), Refusal> {
        let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
        if is(b"host") {
            once(&mut self.host, visible(value).ok_or(Refusal::BadHost)?)?;
        } else if is(b"origin") {
            once(&mut self.origin, visible(value).ok_or(Refusal::BadOrigin)?)?;
        } else if is(b"connection") {
            self.connection |= has_token(value, b"upgrade");
        } else if is(b"upgrade") {
            self.upgrade |= has_token(value, b"websocket");
        } else if is(b"sec-websocket-version") {
            once(&mut self.version, value == b"13")?;
        } else if is(b"sec-websocket-key") {
            match value.first_chunk().filter(|_| value.len() == KEY_LEN) {
                Some(key) if base64::is_sixteen_bytes(key) => once(&mut self.key, *key)?,
                _ => return Err(Refusal::BadKey),
            }
        } else if is(b"sec-websocket-protocol") {
            for offer in members(value) {
                if !head::is_token(offer) {
                    return Err(Refusal::BadProtocol);
                }
                self.offered = true;
                let has = |own: &&&str| own.as_bytes() == offer;
                self.protocol = self.protocol.or_else(|| self.protocols.iter().find(has).copied());
            }
        } else if is(b"transfer-encoding") || (is(b"content-length") && value != b"0") {
            return Err(Refusal::Body);
        }
        Ok(())
    }

    /// The request, if all is there.
    ///
    /// # Errors
    ///
    /// `BadHost`, `NotWebSocket`, `BadVersion`, `BadKey`, in this order.
    pub fn finish(self) -> Result<Request<'h, 'p>, Refusal> {
        let Some(host) = self.host else { return Err(Refusal::BadHost) };
        if !self.connection || !self.upgrade {
            return Err(Refusal::NotWebSocket);
        }
        if self.version != Some(true) {
            return Err(Refusal::BadVersion);
        }
        let Some(key) = self.key else { return Err(Refusal::BadKey) };
        let Self { target, origin, protocol, offered, .. } = self;
        Ok(Request { target, host, origin, protocol, offered, key })
    }
}

fn once<T>(slot: &mut Option<T>, value: T) -> Result<(), Refusal> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(Refusal::Repeated),
    }
}

/// Why a request is none for a WebSocket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Refusal {
    /// No host, or one that is none (RFC 9112 section 3.2).
    BadHost,
    /// No key, or one that is not sixteen bytes in base64.
    BadKey,
    /// An origin that is none.
    BadOrigin,
    /// A subprotocol that is no token.
    BadProtocol,
    /// No version, or another one than 13.
    BadVersion,
    /// A request with a body.
    Body,
    /// No head of HTTP/1.
    Malformed,
    /// Another method than GET.
    NotGet,
    /// Another version of HTTP than 1.1.
    NotHttp11,
    /// A request for something else: it does not ask for an upgrade to a WebSocket.
    NotWebSocket,
    /// A field is there twice that may be there once.
    Repeated,
}

impl Refusal {
    /// What to answer, before the connection is closed: status 426 where another request would do, else
    /// 400.
    #[must_use]
    pub const fn response(self) -> &'static [u8] {
        match self {
            Self::NotWebSocket | Self::BadVersion => UPGRADE_REQUIRED,
            _ => BAD_REQUEST,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BadHost => "request names no host",
            Self::BadKey => "key is not sixteen bytes in base64",
            Self::BadOrigin => "origin is none",
            Self::BadProtocol => "subprotocol is no token",
            Self::BadVersion => "version is not 13",
            Self::Body => "request has a body",
            Self::Malformed => "request is no HTTP",
            Self::NotGet => "method is not GET",
            Self::NotHttp11 => "request is not HTTP/1.1",
            Self::NotWebSocket => "request does not ask for a WebSocket",
            Self::Repeated => "field is there twice",
        })
    }
}

impl core::error::Error for Refusal {}

const BAD_REQUEST: &[u8] = literal!("HTTP/1.1 400 Bad Request\r\n", END);
const UPGRADE_REQUIRED: &[u8] = literal!(
    "HTTP/1.1 426 Upgrade Required\r\n\
     upgrade: websocket\r\n\
     sec-websocket-version: 13\r\n\
     content-length: 0\r\n\
     connection: Upgrade, close\r\n\r\n"
);

/// What to answer to a host or an origin that is not welcome (status 403), before the connection is
/// closed.
pub const FORBIDDEN: &[u8] = literal!("HTTP/1.1 403 Forbidden\r\n", END);

/// What to answer to a request that is longer than the caller's buffer (status 431), before the
/// connection is closed.
pub const TOO_LARGE: &[u8] = literal!("HTTP/1.1 431 Request Header Fields Too Large\r\n", END);

const END: &str = "content-length: 0\r\nconnection: close\r\n\r\n";
