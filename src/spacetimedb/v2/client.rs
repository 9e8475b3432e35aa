//! What a client sends.

use core::convert::Infallible;
use core::slice;

use crate::bsatn::{Decode, Encode, Output};
use crate::error::{DecodeError, WriteError};
use crate::reader::Reader;
use crate::sink::Sink;
use crate::spacetimedb::client::{self, flag, no_flags};
use crate::spacetimedb::payload::unknown;
use crate::spacetimedb::{CallArguments, MessageError, Queries};

/// A message of a client.
///
/// | tag | variant | fields, in order |
/// |---|---|---|
/// | 0 | `Subscribe` | request id 4, query set id 4, queries |
/// | 1 | `Unsubscribe` | request id 4, query set id 4, flags 1: 1 to send the rows dropped |
/// | 2 | `OneOffQuery` | request id 4, query |
/// | 3 | `CallReducer` | request id 4, flags 1: 0, reducer, arguments |
/// | 4 | `CallProcedure` | request id 4, flags 1: 0, procedure, arguments |
///
/// `A` are the arguments of a call: [`Arguments`](crate::spacetimedb::Arguments) of a product, or
/// `&[u8]` where they are BSATN already, as they are when a message is decoded.
///
/// ```
/// use onewrite::spacetimedb::Arguments;
/// use onewrite::spacetimedb::v2::ClientMessage;
///
/// let args = Arguments((7u32, "hi"));
/// let message = ClientMessage::CallReducer { request_id: 5, reducer: "say", args };
/// let mut out = [0; 64];
/// let len = message.write_into(&mut out)?;
/// assert_eq!(out[..len], *b"\x03\x05\0\0\0\0\x03\0\0\0say\x0a\0\0\0\x07\0\0\0\x02\0\0\0hi");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientMessage<'a, A = &'a [u8]> {
    /// Asks for the rows of these queries, and for every change of them.
    Subscribe {
        /// What the answer names.
        request_id: u32,
        /// What updates will name; not one that is in use.
        query_set_id: u32,
        /// The queries.
        queries: Queries<'a>,
    },
    /// Ends a subscription.
    Unsubscribe {
        /// What the answer names.
        request_id: u32,
        /// The set of queries.
        query_set_id: u32,
        /// Whether the answer shall have the rows that no longer match.
        send_dropped_rows: bool,
    },
    /// Asks for the rows of a query, once.
    OneOffQuery {
        /// What the answer names.
        request_id: u32,
        /// The query, in SQL.
        query: &'a str,
    },
    /// Calls a reducer.
    CallReducer {
        /// What the answer names.
        request_id: u32,
        /// The reducer's name.
        reducer: &'a str,
        /// Its arguments.
        args: A,
    },
    /// Calls a procedure.
    CallProcedure {
        /// What the answer names.
        request_id: u32,
        /// The procedure's name.
        procedure: &'a str,
        /// Its arguments.
        args: A,
    },
}

impl<A: CallArguments> ClientMessage<'_, A> {
    /// Bytes of the message; `usize::MAX` where a `usize` cannot count them.
    #[must_use]
    pub fn encoded_len(&self) -> usize {
        Wire(slice::from_ref(self)).encoded_len()
    }

    /// Writes the message: into memory in one run, into any other sink as
    /// [`Encode::encode`] does.
    ///
    /// # Errors
    ///
    /// [`TooLarge`](MessageError::TooLarge), and nothing was written; or the sink's.
    pub fn write_to<S: Sink + ?Sized>(
        &self,
        sink: &mut S,
    ) -> Result<(), WriteError<S::Error, MessageError>> {
        client::write_to(&Wire(slice::from_ref(self)), sink)
    }

    /// Writes the message to the start of `out` and returns how many bytes it took.
    ///
    /// # Errors
    ///
    /// [`TooLarge`](MessageError::TooLarge), or `Full` where it does not fit; `out` is then
    /// unchanged.
    pub fn write_into(
        &self,
        out: &mut [u8],
    ) -> Result<usize, WriteError<Infallible, MessageError>> {
        client::write_into(&Wire(slice::from_ref(self)), out)
    }
}

impl<'de: 'a, 'a> Decode<'de> for ClientMessage<'a> {
    const MIN_SIZE: usize = 1 + 4 + 4;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 1 + Queries::DEPTH;

    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        let start = *reader;
        let tag = reader.u8()?;
        if tag > 4 {
            return Err(unknown(&start, "v2 ClientMessage", tag));
        }
        let request_id = Decode::decode(reader)?;
        Ok(match tag {
            0 => Self::Subscribe {
                request_id,
                query_set_id: Decode::decode(reader)?,
                queries: Decode::decode(reader)?,
            },
            1 => Self::Unsubscribe {
                request_id,
                query_set_id: Decode::decode(reader)?,
                send_dropped_rows: flag(reader)?,
            },
            2 => Self::OneOffQuery { request_id, query: Decode::decode(reader)? },
            3 => {
                no_flags(reader)?;
                Self::CallReducer {
                    request_id,
                    reducer: Decode::decode(reader)?,
                    args: Decode::decode(reader)?,
                }
            }
            _ => {
                no_flags(reader)?;
                Self::CallProcedure {
                    request_id,
                    procedure: Decode::decode(reader)?,
                    args: Decode::decode(reader)?,
                }
            }
        })
    }
}

/// Messages back to back. Not `ClientMessage` itself, which could then be written past the limit.
pub(in crate::spacetimedb) struct Wire<'m, 'a, A>(
    pub(in crate::spacetimedb) &'m [ClientMessage<'a, A>],
);

#[doc(hidden)]
impl<A: CallArguments> Encode for Wire<'_, '_, A> {
    const MIN_SIZE: usize = 0;
    const MAX_SIZE: usize = usize::MAX;
    type Scratch = [u8; 0];

    fn encoded_len(&self) -> usize {
        let mut sum: usize = 0;
        for message in self.0 {
            let len = match message {
                ClientMessage::Subscribe { request_id, query_set_id, queries } => {
                    (0u8, request_id, query_set_id, queries).encoded_len()
                }
                ClientMessage::Unsubscribe { request_id, query_set_id, send_dropped_rows } => {
                    (1u8, request_id, query_set_id, send_dropped_rows).encoded_len()
                }
                ClientMessage::OneOffQuery { request_id, query } => {
                    (2u8, request_id, query).encoded_len()
                }
                ClientMessage::CallReducer { request_id, reducer: name, args }
                | ClientMessage::CallProcedure { request_id, procedure: name, args } => {
                    (3u8, request_id, 0u8, name, args).encoded_len()
                }
            };
            sum = sum.saturating_add(len);
        }
        sum
    }

    fn put<O: Output>(&self, out: &mut O) {
        for message in self.0 {
            match message {
                ClientMessage::Subscribe { request_id, query_set_id, queries } => {
                    (0u8, request_id, query_set_id, queries).put(out);
                }
                ClientMessage::Unsubscribe { request_id, query_set_id, send_dropped_rows } => {
                    (1u8, request_id, query_set_id, send_dropped_rows).put(out);
                }
                ClientMessage::OneOffQuery { request_id, query } => {
                    (2u8, request_id, query).put(out);
                }
                ClientMessage::CallReducer { request_id, reducer, args } => {
                    (3u8, request_id, 0u8, reducer, args).put(out);
                }
                ClientMessage::CallProcedure { request_id, procedure, args } => {
                    (4u8, request_id, 0u8, procedure, args).put(out);
                }
            }
        }
    }
}
