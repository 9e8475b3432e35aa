//! Version 3 of the protocol, `v3.bsatn.spacetimedb`: messages of version 2 back to back.
//!
//! A payload has no count and no lengths: messages follow one another until it ends. It has at
//! least one. A server packs what waits, so that the number differs from one payload to the next.

use core::convert::Infallible;
use core::iter::FusedIterator;

use super::client::{self, CallArguments, MessageError};
use super::v2::{ClientMessage, ServerMessage, Wire};
use crate::bsatn::{Decode, Encode};
use crate::error::{DecodeError, WriteError, WriteErrorKind};
use crate::reader::Reader;
use crate::sink::Sink;

/// The messages of a server's payload, each decoded as it is reached.
///
/// A message that is wrong is an error and the last one: where the next would begin is not known.
/// Those in front of it have been handed out by then.
///
/// ```
/// use onewrite::spacetimedb::v3::ServerMessages;
///
/// let body = b"\x04\0\0\0\0\x06\x07\0\0\0\0\0\0\0\0\0\0\0\x01";
/// let mut messages = ServerMessages::new(body)?;
/// assert_eq!(messages.next().transpose()?.and_then(|message| message.answers()), None);
/// assert_eq!(messages.next().transpose()?.and_then(|message| message.answers()), Some(7));
/// assert!(messages.next().is_none());
/// # Ok::<(), onewrite::error::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ServerMessages<'a> {
    rest: Reader<'a>,
}

impl<'a> ServerMessages<'a> {
    /// The messages of `body`.
    ///
    /// # Errors
    ///
    /// `EndOfInput` where there is none.
    pub fn new(body: &'a [u8]) -> Result<Self, DecodeError> {
        let rest = Reader::new(body);
        let mut first = rest;
        first.u8()?;
        Ok(Self { rest })
    }
}

impl<'a> Iterator for ServerMessages<'a> {
    type Item = Result<ServerMessage<'a>, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.remaining() == 0 {
            return None;
        }
        let message = ServerMessage::decode(&mut self.rest);
        if message.is_err() {
            self.rest = Reader::new(&[]);
        }
        Some(message)
    }
}

impl FusedIterator for ServerMessages<'_> {}

/// Bytes of the messages in one payload; `usize::MAX` where a `usize` cannot count them.
#[must_use]
pub fn encoded_len<A: CallArguments>(messages: &[ClientMessage<'_, A>]) -> usize {
    Wire(messages).encoded_len()
}

/// Writes the messages as one payload.
///
/// # Errors
///
/// [`NoMessages`](MessageError::NoMessages) or [`TooLarge`](MessageError::TooLarge), and nothing
/// was written; or the sink's.
pub fn write_to<A: CallArguments, S: Sink + ?Sized>(
    messages: &[ClientMessage<'_, A>],
    sink: &mut S,
) -> Result<(), WriteError<S::Error, MessageError>> {
    check(messages)?;
    client::write_to(&Wire(messages), sink)
}

/// Writes the messages as one payload to the start of `out` and returns how many bytes it took.
///
/// # Errors
///
/// [`NoMessages`](MessageError::NoMessages), [`TooLarge`](MessageError::TooLarge), or `Full` where
/// they do not fit; `out` is then unchanged.
pub fn write_into<A: CallArguments>(
    messages: &[ClientMessage<'_, A>],
    out: &mut [u8],
) -> Result<usize, WriteError<Infallible, MessageError>> {
    check(messages)?;
    client::write_into(&Wire(messages), out)
}

fn check<A, E>(messages: &[ClientMessage<'_, A>]) -> Result<(), WriteError<E, MessageError>> {
    if messages.is_empty() {
        return Err(WriteError::new(0, WriteErrorKind::Encode(MessageError::NoMessages)));
    }
    Ok(())
}
