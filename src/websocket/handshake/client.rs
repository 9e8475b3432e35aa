//! The client's side.

use core::fmt;

use super::super::accept::{KEY_LEN, accept, key};
use super::super::output::write_parts;
use super::head::{self, Field, Lines, has_token, is_token, is_value, visible};
use crate::error::{WriteError, WriteErrorKind};
use crate::sink::Sink;
use crate::template;

/// What a client asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask<'a> {
    /// The server's name, with its port unless that is the scheme's own.
    pub host: &'a str,
    /// Path and query, with a `/` in front.
    pub target: &'a str,
    /// The page that asks, where one does.
    pub origin: Option<&'a str>,
    /// Subprotocols, the best one first.
    pub protocols: &'a [&'a str],
    /// Further fields: `authorization` and the like.
    pub fields: &'a [(&'a str, &'a str)],
}

/// A client's request for a WebSocket, and what it waits for.
///
/// ```
/// use onewrite::sink::SliceSink;
/// use onewrite::websocket::{Ask, ClientHandshake};
///
/// let ask = Ask {
///     host: "server.example.com",
///     target: "/chat",
///     origin: None,
///     protocols: &["chat", "superchat"],
///     fields: &[],
/// };
/// let handshake = ClientHandshake::new(b"the sample nonce"); // sixteen random bytes
/// let mut buffer = [0; 256];
/// let mut sink = SliceSink::new(&mut buffer);
/// handshake.request(&ask, &mut sink)?;
/// assert_eq!(
///     sink.into_written(),
///     b"GET /chat HTTP/1.1\r\nhost: server.example.com\r\nupgrade: websocket\r\n\
///       connection: Upgrade\r\nsec-websocket-version: 13\r\n\
///       sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
///       sec-websocket-protocol: chat, superchat\r\n\r\n"
/// );
///
/// // The example of RFC 6455 section 1.2.
/// let answer = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
///     Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: chat\r\n\r\n";
/// let Some(opened) = handshake.response(&ask, answer)? else { panic!("a whole head") };
/// assert_eq!((opened.protocol, opened.len), (Some("chat"), answer.len()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientHandshake {
    key: [u8; KEY_LEN],
}

impl ClientHandshake {
    /// A handshake with a key of sixteen random bytes, new for each connection.
    #[must_use]
    pub const fn new(random: &[u8; 16]) -> Self {
        Self { key: key(random) }
    }

    /// Writes the request.
    ///
    /// # Errors
    ///
    /// `Encode` with the part of `ask` that cannot stand in a request, before anything is written; else the
    /// sink's: [`Sink::write`].
    pub fn request<S: Sink + ?Sized>(
        &self,
        ask: &Ask<'_>,
        sink: &mut S,
    ) -> Result<(), WriteError<S::Error, BadField>> {
        ask.check().map_err(|error| WriteError::new(0, WriteErrorKind::Encode(error)))?;
        let mut fields = FIELDS::BYTES;
        // The hole takes any bytes.
        let _ = FIELDS.fill_array(&mut fields, self.key);
        let front: [&[u8]; 5] =
            [b"GET ", ask.target.as_bytes(), b" HTTP/1.1\r\nhost: ", ask.host.as_bytes(), &fields];
        let origin = ask.origin.into_iter().map(|origin| ["origin", origin]);
        let separators =
            core::iter::once("\r\nsec-websocket-protocol: ").chain(core::iter::repeat(", "));
        let protocols =
            ask.protocols.iter().zip(separators).flat_map(|(name, front)| [front, name]);
        let others = ask.fields.iter().map(|(name, value)| [*name, *value]);
        let others = origin.chain(others).flat_map(|[name, value]| ["\r\n", name, ": ", value]);
        let behind = protocols.chain(others).chain(["\r\n\r\n"]).map(str::as_bytes);
        write_parts(front.into_iter().chain(behind), sink)
    }

    /// What the server answers at the start of `input`; `None` if the head is not all there.
    ///
    /// Behind it there may be frames already. How long a response may become is up to the caller's
    /// buffer.
    ///
    /// # Errors
    ///
    /// Why it is no WebSocket: see [`ResponseError`]. The connection is to be closed.
    pub fn response<'h>(
        &self,
        ask: &Ask<'_>,
        input: &'h [u8],
    ) -> Result<Option<Opened<'h>>, ResponseError> {
        let Some(len) = head::len(input) else { return Ok(None) };
        let mut lines = Lines::new(input.get(..len).unwrap_or_default());
        match status(lines.line().unwrap_or_default()) {
            Some(101) => {}
            Some(code) => return Err(ResponseError::Status { code }),
            None => return Err(ResponseError::Malformed),
        }
        let (mut upgrade, mut connection) = (false, false);
        let (mut accepted, mut protocol) = (None, None);
        while let Some(field) = lines.field() {
            let Field { name, value } = field.map_err(|_| ResponseError::Malformed)?;
            let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
            if is(b"connection") {
                connection |= has_token(value, b"upgrade");
            } else if is(b"upgrade") {
                upgrade |= value.eq_ignore_ascii_case(b"websocket");
            } else if is(b"sec-websocket-accept") {
                once(&mut accepted, value == accept(&self.key))?;
            } else if is(b"sec-websocket-extensions") {
                // None was offered.
                return Err(ResponseError::Extension);
            } else if is(b"sec-websocket-protocol") {
                let offered = |name: &&str| ask.protocols.contains(name);
                let name = visible(value).filter(offered).ok_or(ResponseError::Protocol)?;
                once(&mut protocol, name)?;
            }
        }
        if !upgrade || !connection {
            return Err(ResponseError::NotUpgraded);
        }
        if accepted != Some(true) {
            return Err(ResponseError::NotAccepted);
        }
        Ok(Some(Opened { protocol, len }))
    }
}

template!(
    FIELDS = "\r\nupgrade: websocket\r\n\
        connection: Upgrade\r\n\
        sec-websocket-version: 13\r\n\
        sec-websocket-key: ", key: bytes(KEY_LEN)
);

/// A connection that is a WebSocket now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Opened<'h> {
    /// The subprotocol that the server has chosen, if any. That it chose none of those offered is for the
    /// caller to judge.
    pub protocol: Option<&'h str>,
    /// Bytes of the response; the rest of the input are frames.
    pub len: usize,
}

/// Why a response opens no WebSocket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ResponseError {
    /// An extension that was not asked for.
    Extension,
    /// No head of HTTP/1.1.
    Malformed,
    /// The server does not prove that it has read the request.
    NotAccepted,
    /// The server does not say that the connection is a WebSocket now.
    NotUpgraded,
    /// A subprotocol that was not asked for.
    Protocol,
    /// A field is there twice that may be there once.
    Repeated,
    /// Another status than 101.
    Status {
        /// The status.
        code: u16,
    },
}

impl fmt::Display for ResponseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Extension => "server has an extension that was not asked for",
            Self::Malformed => "response is no HTTP",
            Self::NotAccepted => "server does not prove that it has read the request",
            Self::NotUpgraded => "server does not say that it speaks WebSocket",
            Self::Protocol => "server has a subprotocol that was not asked for",
            Self::Repeated => "field is there twice",
            Self::Status { code } => return write!(f, "server answers with status {code}"),
        })
    }
}

impl core::error::Error for ResponseError {}

/// What of an [`Ask`] cannot stand in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum BadField {
    /// The name or the value of one of `fields`.
    Field {
        /// Which one, from zero.
        index: usize,
    },
    /// The host: empty, or not of visible characters.
    Host,
    /// The origin: likewise.
    Origin,
    /// A subprotocol that is no token.
    Protocol {
        /// Which one, from zero.
        index: usize,
    },
    /// The target: without a `/` in front, or not of visible characters.
    Target,
}

impl fmt::Display for BadField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field { index } => write!(f, "field {index} cannot stand in a request"),
            Self::Host => f.write_str("host cannot stand in a request"),
            Self::Origin => f.write_str("origin cannot stand in a request"),
            Self::Protocol { index } => write!(f, "subprotocol {index} is no token"),
            Self::Target => f.write_str("target cannot stand in a request"),
        }
    }
}

impl core::error::Error for BadField {}

impl Ask<'_> {
    fn check(&self) -> Result<(), BadField> {
        let is_visible = |text: &str| visible(text.as_bytes()).is_some();
        if !self.target.starts_with('/') || !is_visible(self.target) {
            return Err(BadField::Target);
        }
        if !is_visible(self.host) {
            return Err(BadField::Host);
        }
        if !self.origin.is_none_or(is_visible) {
            return Err(BadField::Origin);
        }
        if let Some(index) = self.protocols.iter().position(|name| !is_token(name.as_bytes())) {
            return Err(BadField::Protocol { index });
        }
        let is_bad = |(name, value): &(&str, &str)| {
            !is_token(name.as_bytes()) || !is_value(value.as_bytes())
        };
        match self.fields.iter().position(is_bad) {
            Some(index) => Err(BadField::Field { index }),
            None => Ok(()),
        }
    }
}

fn once<T>(slot: &mut Option<T>, value: T) -> Result<(), ResponseError> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(ResponseError::Repeated),
    }
}

/// The status in the first line of a response over HTTP/1.1.
fn status(line: &[u8]) -> Option<u16> {
    // Not `strip_prefix`, which keeps a panic at opt-level `z`.
    let (b"HTTP/1.1 ", [a @ b'1'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9', b' ', reason @ ..]) =
        line.split_first_chunk()?
    else {
        return None;
    };
    let digit = |byte: u8| u16::from(byte - b'0');
    is_value(reason).then(|| digit(*a) * 100 + digit(*b) * 10 + digit(*c))
}
