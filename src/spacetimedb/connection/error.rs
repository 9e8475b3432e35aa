//! What ends a connection, or stops it until there is more memory.

use core::fmt;

use crate::bsatn::{StreamError, StreamErrorKind};
use crate::compression::{DecompressError, DecompressErrorKind};
use crate::websocket::{self, CloseCode};

/// What cannot be read any further, and in which payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ConnectionError {
    /// Number of the payload that it was, or would have been, in: the first one is 0.
    pub payload: u64,
    /// Why.
    pub kind: ConnectionErrorKind,
}

/// Why a connection cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ConnectionErrorKind {
    /// A frame is wrong. Its offset counts from the first byte behind the handshake.
    Frame(websocket::Error),
    /// A payload has not even the byte that says how it is compressed.
    Empty,
    /// A payload is a text, which no server sends in these versions of the protocol.
    Text,
    /// A payload is compressed in a way that nobody knows.
    UnknownCompression {
        /// Its first byte.
        tag: u8,
    },
    /// A payload does not inflate. The offset counts from the payload's first byte.
    Inflate(DecompressError),
    /// A message is wrong, or needs something: see [`MessageStream`](crate::spacetimedb::stream::MessageStream).
    /// The offset counts from the first byte of the payload's body, inflated.
    Message(StreamError),
    /// There is no room for the payload, which has to be whole to be inflated. Lend more, and go on.
    NeedsPayloadRoom {
        /// Bytes that it has at the least, from what has arrived.
        at_least: usize,
    },
    /// There is no room for the payload's body. Lend more, and go on; it is inflated from its start then.
    NeedsBodyRoom {
        /// Bytes that it has at the least, as far as is known. Of brotli it is a claim of up to 16 MiB: see
        /// [`DecompressErrorKind::NeedsBuffer`].
        at_least: usize,
    },
}

impl ConnectionError {
    /// Whether the connection goes on, once it has what it needs.
    #[must_use]
    pub const fn is_resumable(&self) -> bool {
        match self.kind {
            ConnectionErrorKind::NeedsPayloadRoom { .. }
            | ConnectionErrorKind::NeedsBodyRoom { .. } => true,
            ConnectionErrorKind::Message(error) => {
                matches!(error.kind, StreamErrorKind::NeedsOffsets { .. })
            }
            _ => false,
        }
    }

    /// The code to close with.
    #[must_use]
    pub const fn close_code(&self) -> CloseCode {
        match self.kind {
            ConnectionErrorKind::Frame(error) => error.kind.close_code(),
            ConnectionErrorKind::Text => CloseCode::UNSUPPORTED_DATA,
            ConnectionErrorKind::NeedsPayloadRoom { .. }
            | ConnectionErrorKind::NeedsBodyRoom { .. } => CloseCode::TOO_LARGE,
            ConnectionErrorKind::Message(error) => match error.kind {
                StreamErrorKind::NeedsBuffer { .. } | StreamErrorKind::NeedsOffsets { .. } => {
                    CloseCode::TOO_LARGE
                }
                _ => CloseCode::INVALID_DATA,
            },
            ConnectionErrorKind::Inflate(error) => match error.kind {
                DecompressErrorKind::TablesTooSmall { .. } => CloseCode::TOO_LARGE,
                DecompressErrorKind::NotBuiltIn { .. } | DecompressErrorKind::NeedsDictionary => {
                    CloseCode::UNSUPPORTED_DATA
                }
                _ => CloseCode::INVALID_DATA,
            },
            ConnectionErrorKind::Empty | ConnectionErrorKind::UnknownCompression { .. } => {
                CloseCode::INVALID_DATA
            }
        }
    }
}

impl fmt::Display for ConnectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in payload {}", self.kind, self.payload)
    }
}

impl core::error::Error for ConnectionError {}

impl fmt::Display for ConnectionErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Frame(error) => error.fmt(f),
            Self::Empty => f.write_str("no byte at all"),
            Self::Text => f.write_str("a text instead of bytes"),
            Self::UnknownCompression { tag } => write!(f, "unknown compression {tag}"),
            Self::Inflate(error) => error.fmt(f),
            Self::Message(error) => error.fmt(f),
            Self::NeedsPayloadRoom { at_least } => {
                write!(f, "compressed payload needs room for {at_least} bytes or more")
            }
            Self::NeedsBodyRoom { at_least } => {
                write!(f, "compressed payload inflates to {at_least} bytes or more")
            }
        }
    }
}
