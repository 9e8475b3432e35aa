//! What a receiver hands on.

use super::Close;

/// What a message is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Kind {
    /// UTF-8.
    Text,
    /// Bytes of any kind.
    Binary,
}

/// A whole message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Data<'a> {
    /// A text.
    Text(&'a str),
    /// Bytes of any kind.
    Binary(&'a [u8]),
}

impl<'a> Data<'a> {
    /// What the message is made of.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Text(_) => Kind::Text,
            Self::Binary(_) => Kind::Binary,
        }
    }

    /// Its bytes.
    #[must_use]
    pub const fn as_bytes(self) -> &'a [u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Binary(bytes) => bytes,
        }
    }
}

/// What has arrived, of messages that are handed on in pieces.
///
/// A message is `Begin`, any number of `Piece`s, `End`; control frames may come between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Event<'a> {
    /// A message begins.
    Begin {
        /// What it is made of.
        kind: Kind,
        /// How many bytes it has, if its first frame is also its last.
        len: Option<u64>,
    },
    /// The next bytes of the message, at least one. Of a text they have been checked, and may end inside
    /// of a character.
    Piece(&'a [u8]),
    /// The message ends.
    End,
    /// The peer wants these bytes back; see [`Sender::answer`](crate::websocket::Sender::answer).
    Ping(&'a [u8]),
    /// The answer to a ping, or a sign of life.
    Pong(&'a [u8]),
    /// The peer sends nothing more; see [`Sender::answer`](crate::websocket::Sender::answer).
    Close(Close<'a>),
}

/// What has arrived, of messages that are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Message<'a> {
    /// A message.
    Data(Data<'a>),
    /// As [`Event::Ping`].
    Ping(&'a [u8]),
    /// As [`Event::Pong`].
    Pong(&'a [u8]),
    /// As [`Event::Close`].
    Close(Close<'a>),
}
