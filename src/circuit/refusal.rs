//! Why a connection was ended from this side.

use core::fmt;

use super::hub::HandshakeError;
use super::json;
use crate::error::DecodeError;
use crate::render_batch::BatchError;
use crate::websocket::{self, CloseCode};

/// What ended a connection. Nothing happened to any other.
///
/// | | tells the browser | circuit |
/// |---|---|---|
/// | `WebSocket` | close, the code of its kind | goes on on another connection |
/// | `Hub`, `Json`, `Text`, `IdTooLong`, `UnknownEvent`, `FutureBatch`, `StartedTwice` | close, 1008 | goes on on another connection |
/// | `Handshake` | what is spoken here, close | there is none |
/// | `NotStarted`, `BadAddress`, `BadRoot`, `NoCircuit`, `NoSecret`, `NotOpened` | `JS.Error`, close | there is none, or it is over |
/// | `RenderFailed`, `BadBatch`, `TooManyBatches`, `CallTooLong` | `JS.Error`, close | is over |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Refusal {
    /// A frame.
    WebSocket(websocket::Error),
    /// The first message.
    Handshake(HandshakeError),
    /// A hub message; the offset counts from the start of the WebSocket message.
    Hub(DecodeError),
    /// JSON in a message; the offset counts from the JSON's start.
    Json(json::Error),
    /// A text behind the handshake.
    Text,
    /// The number of a call has more characters than are kept.
    IdTooLong,
    /// Something that takes a circuit, before there is one.
    NotStarted,
    /// A circuit on a connection that has one.
    StartedTwice,
    /// An address of another origin.
    BadAddress,
    /// A descriptor that the handler does not know, or too many roots.
    BadRoot,
    /// All places are taken.
    NoCircuit,
    /// There are no random numbers.
    NoSecret,
    /// The handler has no page.
    NotOpened,
    /// An event for a handler that there never was.
    UnknownEvent,
    /// A batch is acknowledged that was not sent.
    FutureBatch,
    /// The browser could not apply a batch.
    RenderFailed,
    /// A batch cannot be written.
    BadBatch(BatchError),
    /// The batches' numbers are used up.
    TooManyBatches,
    /// A call of a function of the browser's has more than [`MAX_LEN`](super::hub::MAX_LEN) bytes.
    CallTooLong,
}

impl Refusal {
    /// How many kinds there are.
    pub const KINDS: usize = 19;

    /// The number of its kind, below [`KINDS`](Self::KINDS).
    #[must_use]
    pub const fn kind(self) -> usize {
        match self {
            Self::WebSocket(_) => 0,
            Self::Handshake(_) => 1,
            Self::Hub(_) => 2,
            Self::Json(_) => 3,
            Self::Text => 4,
            Self::IdTooLong => 5,
            Self::NotStarted => 6,
            Self::StartedTwice => 7,
            Self::BadAddress => 8,
            Self::BadRoot => 9,
            Self::NoCircuit => 10,
            Self::NoSecret => 11,
            Self::NotOpened => 12,
            Self::UnknownEvent => 13,
            Self::FutureBatch => 14,
            Self::RenderFailed => 15,
            Self::BadBatch(_) => 16,
            Self::TooManyBatches => 17,
            Self::CallTooLong => 18,
        }
    }

    /// A name of its kind, for a list of counts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::WebSocket(_) => "websocket",
            Self::Handshake(_) => "handshake",
            Self::Hub(_) => "hub message",
            Self::Json(_) => "json",
            Self::Text => "text",
            Self::IdTooLong => "id too long",
            Self::NotStarted => "not started",
            Self::StartedTwice => "started twice",
            Self::BadAddress => "bad address",
            Self::BadRoot => "bad root",
            Self::NoCircuit => "no circuit",
            Self::NoSecret => "no secret",
            Self::NotOpened => "not opened",
            Self::UnknownEvent => "unknown event",
            Self::FutureBatch => "future batch",
            Self::RenderFailed => "render failed",
            Self::BadBatch(_) => "bad batch",
            Self::TooManyBatches => "too many batches",
            Self::CallTooLong => "call too long",
        }
    }

    /// What the browser shows, and after which it does not connect again.
    pub(super) const fn text(self) -> Option<&'static str> {
        match self {
            Self::NotStarted => Some("There is no circuit."),
            Self::BadAddress => Some("The address is not one of this server."),
            Self::BadRoot => Some("The page is too old. Load it again."),
            Self::NoCircuit => Some("The server has no room for another page."),
            Self::NoSecret | Self::NotOpened => Some("The server cannot show the page."),
            Self::RenderFailed | Self::BadBatch(_) | Self::TooManyBatches => {
                Some("The page could not be changed.")
            }
            Self::CallTooLong => Some("The page could not be told everything."),
            _ => None,
        }
    }

    /// What the connection is closed with.
    pub(super) const fn close_code(self) -> CloseCode {
        match self {
            Self::WebSocket(error) => error.kind.close_code(),
            Self::Text => CloseCode::UNSUPPORTED_DATA,
            Self::NoCircuit => CloseCode::TRY_AGAIN_LATER,
            Self::NoSecret
            | Self::NotOpened
            | Self::BadBatch(_)
            | Self::TooManyBatches
            | Self::CallTooLong => CloseCode::INTERNAL_ERROR,
            _ => CloseCode::POLICY_VIOLATION,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WebSocket(error) => error.fmt(f),
            Self::Handshake(error) => error.fmt(f),
            Self::Hub(error) => error.fmt(f),
            Self::Json(error) => error.fmt(f),
            Self::BadBatch(error) => error.fmt(f),
            other => f.write_str(other.name()),
        }
    }
}

impl core::error::Error for Refusal {}
