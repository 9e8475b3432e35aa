//! What a client sends.

use core::convert::Infallible;

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
/// | 0 | `CallReducer` | reducer, arguments, request id 4, flags 1: 1 for no notice of success |
/// | 1 | `Subscribe` | queries, request id 4 |
/// | 2 | `OneOffQuery` | message id, query |
/// | 3 | `SubscribeSingle` | query, request id 4, query id 4 |
/// | 4 | `SubscribeMulti` | queries, request id 4, query id 4 |
/// | 5, 6 | `Unsubscribe`, `UnsubscribeMulti` | request id 4, query id 4 |
/// | 7 | `CallProcedure` | procedure, arguments, request id 4, flags 1: 0 |
///
/// `A` are the arguments of a call: [`Arguments`](crate::spacetimedb::Arguments) of a product, or
/// `&[u8]` where they are BSATN already, as they are when a message is decoded. Number requests
/// from 1 on: the server says 0 where it answers a call that it could not begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientMessage<'a, A = &'a [u8]> {
    /// Calls a reducer.
    CallReducer {
        /// The reducer's name.
        reducer: &'a str,
        /// Its arguments.
        args: A,
        /// What the answer names.
        request_id: u32,
        /// Whether to leave out the answer. Servers then leave out failures as well, and send
        /// changes as `TransactionUpdateLight`.
        no_success_notify: bool,
    },
    /// Asks for the rows of these queries, instead of any asked for in this way before.
    Subscribe {
        /// The queries.
        queries: Queries<'a>,
        /// What the answer names.
        request_id: u32,
    },
    /// Asks for the rows of a query, once.
    OneOffQuery {
        /// What the answer names.
        message_id: &'a [u8],
        /// The query, in SQL.
        query: &'a str,
    },
    /// Asks for the rows of a query, and for every change of them.
    SubscribeSingle {
        /// The query, in SQL.
        query: &'a str,
        /// What the answer names.
        request_id: u32,
        /// What names the query from then on.
        query_id: u32,
    },
    /// Asks for the rows of these queries, and for every change of them.
    SubscribeMulti {
        /// The queries.
        queries: Queries<'a>,
        /// What the answer names.
        request_id: u32,
        /// What names the queries from then on.
        query_id: u32,
    },
    /// Ends a `SubscribeSingle`.
    Unsubscribe {
        /// What the answer names.
        request_id: u32,
        /// The query.
        query_id: u32,
    },
    /// Ends a `SubscribeMulti`.
    UnsubscribeMulti {
        /// What the answer names.
        request_id: u32,
        /// The queries.
        query_id: u32,
    },
    /// Calls a procedure.
    CallProcedure {
        /// The procedure's name.
        procedure: &'a str,
        /// Its arguments.
        args: A,
        /// What the answer names.
        request_id: u32,
    },
}

impl<A: CallArguments> ClientMessage<'_, A> {
    /// Bytes of the message; `usize::MAX` where a `usize` cannot count them.
    #[must_use]
    pub fn encoded_len(&self) -> usize {
        Wire(self).encoded_len()
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
        client::write_to(&Wire(self), sink)
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
        client::write_into(&Wire(self), out)
    }
}

impl<'de: 'a, 'a> Decode<'de> for ClientMessage<'a> {
    const MIN_SIZE: usize = 1 + 4 + 4;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 1 + Queries::DEPTH;

    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        let start = *reader;
        Ok(match reader.u8()? {
            0 => Self::CallReducer {
                reducer: Decode::decode(reader)?,
                args: Decode::decode(reader)?,
                request_id: Decode::decode(reader)?,
                no_success_notify: flag(reader)?,
            },
            1 => Self::Subscribe {
                queries: Decode::decode(reader)?,
                request_id: Decode::decode(reader)?,
            },
            2 => Self::OneOffQuery {
                message_id: Decode::decode(reader)?,
                query: Decode::decode(reader)?,
            },
            3 => Self::SubscribeSingle {
                query: Decode::decode(reader)?,
                request_id: Decode::decode(reader)?,
                query_id: Decode::decode(reader)?,
            },
            4 => Self::SubscribeMulti {
                queries: Decode::decode(reader)?,
                request_id: Decode::decode(reader)?,
                query_id: Decode::decode(reader)?,
            },
            5 => Self::Unsubscribe {
                request_id: Decode::decode(reader)?,
                query_id: Decode::decode(reader)?,
            },
            6 => Self::UnsubscribeMulti {
                request_id: Decode::decode(reader)?,
                query_id: Decode::decode(reader)?,
            },
            7 => {
                let message = Self::CallProcedure {
                    procedure: Decode::decode(reader)?,
                    args: Decode::decode(reader)?,
                    request_id: Decode::decode(reader)?,
                };
                no_flags(reader)?;
                message
            }
            tag => return Err(unknown(&start, "v1 ClientMessage", tag)),
        })
    }
}

/// A message. Not `ClientMessage` itself, which could then be written past the limit.
struct Wire<'m, 'a, A>(&'m ClientMessage<'a, A>);

#[doc(hidden)]
impl<A: CallArguments> Encode for Wire<'_, '_, A> {
    const MIN_SIZE: usize = 1 + 4 + 4;
    const MAX_SIZE: usize = usize::MAX;
    type Scratch = [u8; 0];

    fn encoded_len(&self) -> usize {
        match self.0 {
            ClientMessage::CallReducer { reducer: name, args, .. }
            | ClientMessage::CallProcedure { procedure: name, args, .. } => {
                (0u8, name, args, 0u32, 0u8).encoded_len()
            }
            ClientMessage::Subscribe { queries, .. } => (1u8, queries, 0u32).encoded_len(),
            ClientMessage::OneOffQuery { message_id, query } => {
                (2u8, message_id, query).encoded_len()
            }
            ClientMessage::SubscribeSingle { query, .. } => (3u8, query, 0u32, 0u32).encoded_len(),
            ClientMessage::SubscribeMulti { queries, .. } => {
                (4u8, queries, 0u32, 0u32).encoded_len()
            }
            ClientMessage::Unsubscribe { .. } | ClientMessage::UnsubscribeMulti { .. } => {
                (5u8, 0u32, 0u32).encoded_len()
            }
        }
    }

    fn put<O: Output>(&self, out: &mut O) {
        match self.0 {
            ClientMessage::CallReducer { reducer, args, request_id, no_success_notify } => {
                (0u8, reducer, args, request_id, no_success_notify).put(out);
            }
            ClientMessage::Subscribe { queries, request_id } => (1u8, queries, request_id).put(out),
            ClientMessage::OneOffQuery { message_id, query } => (2u8, message_id, query).put(out),
            ClientMessage::SubscribeSingle { query, request_id, query_id } => {
                (3u8, query, request_id, query_id).put(out);
            }
            ClientMessage::SubscribeMulti { queries, request_id, query_id } => {
                (4u8, queries, request_id, query_id).put(out);
            }
            ClientMessage::Unsubscribe { request_id, query_id } => {
                (5u8, request_id, query_id).put(out);
            }
            ClientMessage::UnsubscribeMulti { request_id, query_id } => {
                (6u8, request_id, query_id).put(out);
            }
            ClientMessage::CallProcedure { procedure, args, request_id } => {
                (7u8, procedure, args, request_id, 0u8).put(out);
            }
        }
    }
}
