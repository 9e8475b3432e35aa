//! What a client asks for, whatever the version of the protocol.

use core::convert::Infallible;

use super::stream::Version;
use super::{CallArguments, MessageError, Queries, v1, v2};
use crate::error::WriteError;
use crate::sink::Sink;

/// A request, which [`write_to`](Self::write_to) makes a message of, in the version that client and
/// server have agreed on.
///
/// | request | version 1 | versions 2 and 3 |
/// |---|---|---|
/// | `Subscribe` | `SubscribeMulti` | `Subscribe` |
/// | `Unsubscribe` | `UnsubscribeMulti` | `Unsubscribe`, with the rows |
/// | `Query` | `OneOffQuery`, its message id the request id's four bytes | `OneOffQuery` |
/// | `CallReducer` | `CallReducer`, with an answer | `CallReducer` |
/// | `CallProcedure` | `CallProcedure` | `CallProcedure` |
///
/// ```
/// use onewrite::spacetimedb::stream::Version;
/// use onewrite::spacetimedb::{Queries, Request};
///
/// let queries = Queries::new(&["SELECT * FROM lamp"]);
/// let request: Request<'_> = Request::Subscribe { query_set_id: 1, queries };
/// let mut out = [0; 64];
/// let len = request.write_into(Version::V3, 7, &mut out)?;
/// assert_eq!(out[..len], *b"\0\x07\0\0\0\x01\0\0\0\x01\0\0\0\x12\0\0\0SELECT * FROM lamp");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request<'a, A = &'a [u8]> {
    /// The rows of these queries, and every change of them.
    Subscribe {
        /// What names them from then on; not one that is in use.
        query_set_id: u32,
        /// The queries.
        queries: Queries<'a>,
    },
    /// No more of that.
    Unsubscribe {
        /// The set of queries.
        query_set_id: u32,
    },
    /// The rows of a query, once.
    Query {
        /// The query, in SQL.
        query: &'a str,
    },
    /// A call of a reducer.
    CallReducer {
        /// The reducer's name.
        reducer: &'a str,
        /// Its arguments.
        args: A,
    },
    /// A call of a procedure.
    CallProcedure {
        /// The procedure's name.
        procedure: &'a str,
        /// Its arguments.
        args: A,
    },
}

impl<A: CallArguments + Copy> Request<'_, A> {
    /// Bytes of the message; `usize::MAX` where a `usize` cannot count them.
    #[must_use]
    pub fn encoded_len(&self, version: Version) -> usize {
        match version {
            Version::V1 => self.v1(0, &[0; 4]).encoded_len(),
            Version::V2 | Version::V3 => self.v2(0).encoded_len(),
        }
    }

    /// Writes the message with this number, which the answer will have; not 0.
    ///
    /// # Errors
    ///
    /// [`TooLarge`](MessageError::TooLarge), and nothing was written; or the sink's.
    pub fn write_to<S: Sink + ?Sized>(
        &self,
        version: Version,
        request_id: u32,
        sink: &mut S,
    ) -> Result<(), WriteError<S::Error, MessageError>> {
        match version {
            Version::V1 => self.v1(request_id, &request_id.to_le_bytes()).write_to(sink),
            Version::V2 | Version::V3 => self.v2(request_id).write_to(sink),
        }
    }

    /// As [`write_to`](Self::write_to), to the start of `out`; returns how many bytes it took.
    ///
    /// # Errors
    ///
    /// [`TooLarge`](MessageError::TooLarge), or `Full` where it does not fit; `out` is then unchanged.
    pub fn write_into(
        &self,
        version: Version,
        request_id: u32,
        out: &mut [u8],
    ) -> Result<usize, WriteError<Infallible, MessageError>> {
        match version {
            Version::V1 => self.v1(request_id, &request_id.to_le_bytes()).write_into(out),
            Version::V2 | Version::V3 => self.v2(request_id).write_into(out),
        }
    }

    fn v1<'m>(&'m self, request_id: u32, message_id: &'m [u8]) -> v1::ClientMessage<'m, A> {
        match *self {
            Self::Subscribe { query_set_id: query_id, queries } => {
                v1::ClientMessage::SubscribeMulti { queries, request_id, query_id }
            }
            Self::Unsubscribe { query_set_id: query_id } => {
                v1::ClientMessage::UnsubscribeMulti { request_id, query_id }
            }
            Self::Query { query } => v1::ClientMessage::OneOffQuery { message_id, query },
            Self::CallReducer { reducer, args } => v1::ClientMessage::CallReducer {
                reducer,
                args,
                request_id,
                no_success_notify: false,
            },
            Self::CallProcedure { procedure, args } => {
                v1::ClientMessage::CallProcedure { procedure, args, request_id }
            }
        }
    }

    fn v2(&self, request_id: u32) -> v2::ClientMessage<'_, A> {
        match *self {
            Self::Subscribe { query_set_id, queries } => {
                v2::ClientMessage::Subscribe { request_id, query_set_id, queries }
            }
            Self::Unsubscribe { query_set_id } => {
                v2::ClientMessage::Unsubscribe { request_id, query_set_id, send_dropped_rows: true }
            }
            Self::Query { query } => v2::ClientMessage::OneOffQuery { request_id, query },
            Self::CallReducer { reducer, args } => {
                v2::ClientMessage::CallReducer { request_id, reducer, args }
            }
            Self::CallProcedure { procedure, args } => {
                v2::ClientMessage::CallProcedure { request_id, procedure, args }
            }
        }
    }
}
