//! The envelope of a message, which both ends share.

use super::output::{self, Encode, Output, TooLong};
use super::{Answer, Call};
use crate::circuit::message_pack::{Head, Unpacker};
use crate::error::{DecodeError, DecodeErrorKind, WriteError};
use crate::sink::Sink;

/// What a browser sends.
pub type FromClient<'a> = Message<'a, Call<'a>>;

/// What a server sends.
pub type FromServer<'a> = Message<'a, Answer<'a>>;

/// A hub message.
///
/// | elements | variant |
/// |---|---|
/// | `[1, {}, id or nil, target, arguments, stream ids]` | `Invocation` |
/// | `[2, {}, id, item]` | `StreamItem` |
/// | `[3, {}, id, 1, text]`, `[3, {}, id, 2]`, `[3, {}, id, 3, value]` | `Completion` |
/// | `[4, {}, id, target, arguments, stream ids]` | `StreamInvocation` |
/// | `[5, {}, id]` | `CancelInvocation` |
/// | `[6]` | `Ping` |
/// | `[7, text or nil, reconnect]` | `Close` |
/// | `[8, number]`, `[9, number]` | `Acknowledge`, `Sequence`: only where a client asks to go on with a connection that was cut |
///
/// Headers and stream ids are gone past. The ids of streams may be left out, and so may `reconnect`.
/// Source: SignalR's `HubProtocol.md`, "MessagePack encoding".
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Message<'a, T> {
    /// A call.
    Invocation {
        /// What its completion names; `None` if none is wanted.
        id: Option<&'a str>,
        /// Whom it is to, and with what.
        call: T,
    },
    /// An item of a stream.
    StreamItem {
        /// The stream.
        id: &'a str,
        /// The item, as MessagePack.
        item: &'a [u8],
    },
    /// The answer to a call.
    Completion {
        /// The call.
        id: &'a str,
        /// What came of it.
        outcome: Outcome<'a>,
    },
    /// A call that a stream answers.
    StreamInvocation {
        /// The stream.
        id: &'a str,
        /// Whom it is to, and with what.
        call: T,
    },
    /// No more items of a stream are wanted.
    CancelInvocation {
        /// The stream.
        id: &'a str,
    },
    /// A sign of life.
    Ping,
    /// Nothing comes after it.
    Close {
        /// What went wrong.
        error: Option<&'a str>,
        /// Whether the other end may connect again; `None` where it is left out.
        reconnect: Option<bool>,
    },
    /// Messages up to this number have come.
    Acknowledge {
        /// The number.
        sequence: u64,
    },
    /// The next message has this number.
    Sequence {
        /// The number.
        sequence: u64,
    },
}

/// What came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Outcome<'a> {
    /// It failed.
    Error(&'a str),
    /// It has no result.
    Void,
    /// Its result is nothing.
    Nil,
    /// Its result is true or false.
    Bool(bool),
    /// Its result is a text.
    Text(&'a str),
    /// Its result is anything else, as MessagePack.
    Other(&'a [u8]),
}

impl<'a, T: Target<'a>> Message<'a, T> {
    /// The message that `input` is, without the length in front.
    ///
    /// # Errors
    ///
    /// What [`Unpacker`] finds, at its offset in `input`; `WrongCount` where a message or the arguments of
    /// a call have more or fewer elements; `TrailingBytes`; `UnknownDiscriminant` for a kind of message that
    /// there is not. A target that is not known is none of them.
    pub fn decode(input: &'a [u8]) -> Result<Self, DecodeError> {
        let mut from = Unpacker::new(input);
        let start = from;
        let count = from.array()?;
        let kind_at = from;
        let kind = from.unsigned()?;
        let (least, most) = match kind {
            1 | 4 => (5, 6),
            2 => (4, 4),
            3 => (4, 5),
            5 => (3, 3),
            6 => (1, 1),
            7 => (2, 3),
            8 | 9 => (2, 2),
            value => {
                let name = "hub message";
                return Err(kind_at.error(DecodeErrorKind::UnknownDiscriminant { name, value }));
            }
        };
        if count < least || count > most {
            return Err(wrong_count(&start, least, count));
        }
        if matches!(kind, 1..=5) {
            let headers = from;
            // Nearly always an empty map.
            match from.map()? {
                0 => {}
                _ => {
                    from = headers;
                    from.skip()?;
                }
            }
        }
        let message = match kind {
            1 => {
                let id = from.text_or_nil()?;
                Self::Invocation { id, call: Self::call(&mut from, count)? }
            }
            2 => Self::StreamItem { id: from.text()?, item: from.skip()? },
            3 => {
                let id = from.text()?;
                Self::Completion { id, outcome: Outcome::decode(&mut from, &start, count)? }
            }
            4 => {
                let id = from.text()?;
                Self::StreamInvocation { id, call: Self::call(&mut from, count)? }
            }
            5 => Self::CancelInvocation { id: from.text()? },
            6 => Self::Ping,
            7 => {
                let error = from.text_or_nil()?;
                let reconnect = if count == 3 { Some(from.bool()?) } else { None };
                Self::Close { error, reconnect }
            }
            8 => Self::Acknowledge { sequence: from.unsigned()? },
            _ => Self::Sequence { sequence: from.unsigned()? },
        };
        from.finish()?;
        Ok(message)
    }

    /// Bytes that it takes, those of its length included.
    #[must_use]
    pub fn encoded_len(&self) -> usize {
        output::encoded_len(self)
    }

    /// Writes it, with its length in front.
    ///
    /// # Errors
    ///
    /// `Encode` with [`TooLong`]; else the sink's: [`Sink::write`].
    pub fn encode<S: Sink + ?Sized>(
        &self,
        sink: &mut S,
    ) -> Result<(), WriteError<S::Error, TooLong>> {
        output::encode(self, sink)
    }

    fn call(from: &mut Unpacker<'a>, count: u32) -> Result<T, DecodeError> {
        let call = T::decode(from)?;
        if count == 6 {
            from.skip()?;
        }
        Ok(call)
    }
}

impl<'a> Outcome<'a> {
    fn decode(
        from: &mut Unpacker<'a>,
        start: &Unpacker<'a>,
        count: u32,
    ) -> Result<Self, DecodeError> {
        use crate::circuit::message_pack::Value;
        let kind_at = *from;
        match (from.unsigned()?, count) {
            (1, 5) => Ok(Self::Error(from.text()?)),
            (2, 4) => Ok(Self::Void),
            (3, 5) => {
                let value_at = *from;
                Ok(match from.value()? {
                    Value::Nil => Self::Nil,
                    Value::Bool(value) => Self::Bool(value),
                    Value::Text(text) => Self::Text(text),
                    _ => {
                        *from = value_at;
                        Self::Other(from.skip()?)
                    }
                })
            }
            (1 | 3, _) => Err(wrong_count(start, 5, count)),
            (2, _) => Err(wrong_count(start, 4, count)),
            (value, _) => {
                let name = "outcome";
                Err(kind_at.error(DecodeErrorKind::UnknownDiscriminant { name, value }))
            }
        }
    }
}

impl<'a, T: Target<'a>> Encode for Message<'a, T> {
    fn put<O: Output>(&self, out: &mut O) {
        match *self {
            Self::Invocation { id, ref call } => {
                out.put(if T::STREAMS { b"\x96\x01\x80" } else { b"\x95\x01\x80" });
                out.text_or_nil(id);
                call.put(out);
                if T::STREAMS {
                    out.put(&[0x90]);
                }
            }
            Self::StreamItem { id, item } => {
                out.put(b"\x94\x02\x80");
                out.text(id);
                out.put(item);
            }
            Self::Completion { id, outcome } => {
                let void = matches!(outcome, Outcome::Void);
                out.put(if void { b"\x94\x03\x80" } else { b"\x95\x03\x80" });
                out.text(id);
                match outcome {
                    Outcome::Error(text) => {
                        out.put(&[1]);
                        out.text(text);
                    }
                    Outcome::Void => out.put(&[2]),
                    Outcome::Nil => out.put(b"\x03\xc0"),
                    Outcome::Bool(value) => out.put(if value { b"\x03\xc3" } else { b"\x03\xc2" }),
                    Outcome::Text(text) => {
                        out.put(&[3]);
                        out.text(text);
                    }
                    Outcome::Other(value) => {
                        out.put(&[3]);
                        out.put(value);
                    }
                }
            }
            Self::StreamInvocation { id, ref call } => {
                out.put(if T::STREAMS { b"\x96\x04\x80" } else { b"\x95\x04\x80" });
                out.text(id);
                call.put(out);
                if T::STREAMS {
                    out.put(&[0x90]);
                }
            }
            Self::CancelInvocation { id } => {
                out.put(b"\x93\x05\x80");
                out.text(id);
            }
            Self::Ping => out.put(b"\x91\x06"),
            Self::Close { error, reconnect } => {
                out.put(if reconnect.is_some() { b"\x93\x07" } else { b"\x92\x07" });
                out.text_or_nil(error);
                if let Some(reconnect) = reconnect {
                    out.head(Head::bool(reconnect));
                }
            }
            Self::Acknowledge { sequence } => {
                out.put(b"\x92\x08");
                out.head(Head::unsigned(sequence));
            }
            Self::Sequence { sequence } => {
                out.put(b"\x92\x09");
                out.head(Head::unsigned(sequence));
            }
        }
    }
}

/// What is called: [`Call`] or [`Answer`].
#[allow(unnameable_types, reason = "so nobody implements it")]
pub trait Target<'a>: Encode + Sized {
    /// Whether the ids of streams are written, of which there are none: ASP.NET Core's server does so, and
    /// its clients since 5.0 do not.
    const STREAMS: bool;

    /// The target that comes next, with its arguments.
    ///
    /// # Errors
    ///
    /// As [`Message::decode`].
    fn decode(from: &mut Unpacker<'a>) -> Result<Self, DecodeError>;
}

/// Whose arguments are an array of `least` elements.
#[inline]
pub(super) fn arguments(from: &mut Unpacker<'_>, expected: u32) -> Result<(), DecodeError> {
    arguments_up_to(from, expected, expected).map(|_| ())
}

/// Whose arguments are an array of `least` to `most` elements; how many there are.
pub(super) fn arguments_up_to(
    from: &mut Unpacker<'_>,
    least: u32,
    most: u32,
) -> Result<u32, DecodeError> {
    let start = *from;
    let count = from.array()?;
    if count < least || count > most {
        return Err(wrong_count(&start, least, count));
    }
    Ok(count)
}

#[cold]
fn wrong_count(at: &Unpacker<'_>, expected: u32, count: u32) -> DecodeError {
    let expected = usize::try_from(expected).unwrap_or(usize::MAX);
    at.error(DecodeErrorKind::WrongCount { expected, count })
}
