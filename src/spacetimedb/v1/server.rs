//! What the server sends.

use super::TableUpdate;
use crate::bsatn::{ConnectionId, Decode, Identity, TimeDuration, Timestamp};
use crate::error::DecodeError;
use crate::reader::Reader;
use crate::spacetimedb::payload::unknown;
use crate::spacetimedb::{List, TableRows};

/// A message of the server, read where it lies.
///
/// | tag | variant | fields, in order |
/// |---|---|---|
/// | 0 | `InitialSubscription` | tables, request id 4, duration 8 |
/// | 1 | `TransactionUpdate` | status, timestamp 8, identity 32, connection id 16, call, energy 16, duration 8 |
/// | 2 | `TransactionUpdateLight` | request id 4, tables |
/// | 3 | `IdentityToken` | identity 32, token, connection id 16 |
/// | 4 | `OneOffQueryResponse` | message id, option of error, tables, duration 8 |
/// | 5, 6 | `SubscribeApplied`, `UnsubscribeApplied` | request id 4, micros 8, query id 4, table id 4, table, update |
/// | 7 | `SubscriptionError` | micros 8, options of request id, query id and table id, error |
/// | 8, 9 | `SubscribeMultiApplied`, `UnsubscribeMultiApplied` | request id 4, micros 8, query id 4, tables |
/// | 10 | `ProcedureResult` | status, timestamp 8, duration 8, request id 4 |
///
/// As for [version 2](crate::spacetimedb::v2::ServerMessage), nothing is copied, no row is looked
/// at, tables without rows may be missing, and tables that several queries see have several
/// updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServerMessage<'a> {
    /// The answer to [`Subscribe`](super::ClientMessage::Subscribe): all rows of its queries.
    InitialSubscription {
        /// The rows, as inserts.
        tables: List<'a, TableUpdate<'a>>,
        /// The request that is answered.
        request_id: u32,
        /// How long the server took.
        duration: TimeDuration,
    },
    /// A call of a reducer with all that is known about it: to its caller.
    TransactionUpdate {
        /// How it ended, and what it changed.
        status: UpdateStatus<'a>,
        /// When it ran.
        timestamp: Timestamp,
        /// Who called.
        caller_identity: Identity,
        /// Over which connection; zero for none.
        caller_connection_id: ConnectionId,
        /// What was called.
        call: ReducerCall<'a>,
        /// What it cost.
        energy: u128,
        /// How long it took.
        duration: TimeDuration,
    },
    /// What someone's call changed.
    TransactionUpdateLight {
        /// The *caller's* number for its request. It says nothing to anyone else, and may equal a
        /// number of one's own.
        request_id: u32,
        /// What changed.
        tables: List<'a, TableUpdate<'a>>,
    },
    /// The connection is there; always the first message.
    IdentityToken {
        /// Who the client is.
        identity: Identity,
        /// Lets the client come back as the same identity.
        token: &'a str,
        /// Which of its connections this is.
        connection_id: ConnectionId,
    },
    /// The answer to a query.
    OneOffQueryResponse {
        /// The bytes that the client has sent along.
        message_id: &'a [u8],
        /// Why there is no result, for people.
        error: Option<&'a str>,
        /// The rows.
        tables: List<'a, TableRows<'a>>,
        /// How long the server took.
        duration: TimeDuration,
    },
    /// A subscription to a single query holds from now on.
    SubscribeApplied {
        /// The request that is answered.
        request_id: u32,
        /// How many microseconds the server took.
        micros: u64,
        /// The query.
        query_id: u32,
        /// The server's number for the table.
        table_id: u32,
        /// The table's name.
        table: &'a str,
        /// The rows, as inserts.
        update: TableUpdate<'a>,
    },
    /// A subscription to a single query has ended.
    UnsubscribeApplied {
        /// The request that is answered.
        request_id: u32,
        /// How many microseconds the server took.
        micros: u64,
        /// The query.
        query_id: u32,
        /// The server's number for the table.
        table_id: u32,
        /// The table's name.
        table: &'a str,
        /// The rows that no longer match.
        update: TableUpdate<'a>,
    },
    /// A subscription was refused, or has failed since.
    SubscriptionError {
        /// How many microseconds the server took.
        micros: u64,
        /// The request that is answered; none where it failed later on.
        request_id: Option<u32>,
        /// The query, or none where all of them are gone.
        query_id: Option<u32>,
        /// The table that the query returns, where that is known.
        table_id: Option<u32>,
        /// Why, for people.
        error: &'a str,
    },
    /// A subscription to several queries holds from now on.
    SubscribeMultiApplied {
        /// The request that is answered.
        request_id: u32,
        /// How many microseconds the server took.
        micros: u64,
        /// The queries.
        query_id: u32,
        /// The rows, as inserts. A table that has none may be missing.
        tables: List<'a, TableUpdate<'a>>,
    },
    /// A subscription to several queries has ended.
    UnsubscribeMultiApplied {
        /// The request that is answered.
        request_id: u32,
        /// How many microseconds the server took.
        micros: u64,
        /// The queries.
        query_id: u32,
        /// The rows that no longer match.
        tables: List<'a, TableUpdate<'a>>,
    },
    /// What became of a call of a procedure.
    ProcedureResult {
        /// How it ended.
        status: ProcedureStatus<'a>,
        /// When it began.
        timestamp: Timestamp,
        /// How long it took.
        duration: TimeDuration,
        /// The request that is answered.
        request_id: u32,
    },
}

impl ServerMessage<'_> {
    /// The id of the request that this message answers; `None` where that cannot be told.
    ///
    /// That is so for every `TransactionUpdateLight`, which has the number of whoever called, and
    /// for a call that `Failed` with the number 0: so the server answers calls that it could not
    /// even begin, such as those of a reducer that does not exist. Number requests from 1 on. A
    /// query is answered with its own bytes as `message_id`, not with a number.
    ///
    /// A server may tell others about a call as well: where `caller_connection_id` is not one's
    /// own, this number is not either.
    #[must_use]
    pub const fn answers(&self) -> Option<u32> {
        match *self {
            Self::TransactionUpdate { status: UpdateStatus::Failed(_), call, .. }
                if call.request_id == 0 =>
            {
                None
            }
            Self::TransactionUpdate { call, .. } => Some(call.request_id),
            Self::InitialSubscription { request_id, .. }
            | Self::SubscribeApplied { request_id, .. }
            | Self::UnsubscribeApplied { request_id, .. }
            | Self::SubscribeMultiApplied { request_id, .. }
            | Self::UnsubscribeMultiApplied { request_id, .. }
            | Self::ProcedureResult { request_id, .. } => Some(request_id),
            Self::SubscriptionError { request_id, .. } => request_id,
            Self::TransactionUpdateLight { .. }
            | Self::IdentityToken { .. }
            | Self::OneOffQueryResponse { .. } => None,
        }
    }
}

impl<'de: 'a, 'a> Decode<'de> for ServerMessage<'a> {
    const MIN_SIZE: usize = 1 + 4 + 4;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 2 + List::<'_, TableUpdate<'_>>::DEPTH;

    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        let start = *reader;
        Ok(match reader.u8()? {
            0 => Self::InitialSubscription {
                tables: Decode::decode(reader)?,
                request_id: Decode::decode(reader)?,
                duration: Decode::decode(reader)?,
            },
            1 => Self::TransactionUpdate {
                status: Decode::decode(reader)?,
                timestamp: Decode::decode(reader)?,
                caller_identity: Decode::decode(reader)?,
                caller_connection_id: Decode::decode(reader)?,
                call: Decode::decode(reader)?,
                energy: Decode::decode(reader)?,
                duration: Decode::decode(reader)?,
            },
            2 => Self::TransactionUpdateLight {
                request_id: Decode::decode(reader)?,
                tables: Decode::decode(reader)?,
            },
            3 => Self::IdentityToken {
                identity: Decode::decode(reader)?,
                token: Decode::decode(reader)?,
                connection_id: Decode::decode(reader)?,
            },
            4 => Self::OneOffQueryResponse {
                message_id: Decode::decode(reader)?,
                error: Decode::decode(reader)?,
                tables: Decode::decode(reader)?,
                duration: Decode::decode(reader)?,
            },
            5 => Self::SubscribeApplied {
                request_id: Decode::decode(reader)?,
                micros: Decode::decode(reader)?,
                query_id: Decode::decode(reader)?,
                table_id: Decode::decode(reader)?,
                table: Decode::decode(reader)?,
                update: Decode::decode(reader)?,
            },
            6 => Self::UnsubscribeApplied {
                request_id: Decode::decode(reader)?,
                micros: Decode::decode(reader)?,
                query_id: Decode::decode(reader)?,
                table_id: Decode::decode(reader)?,
                table: Decode::decode(reader)?,
                update: Decode::decode(reader)?,
            },
            7 => Self::SubscriptionError {
                micros: Decode::decode(reader)?,
                request_id: Decode::decode(reader)?,
                query_id: Decode::decode(reader)?,
                table_id: Decode::decode(reader)?,
                error: Decode::decode(reader)?,
            },
            8 => Self::SubscribeMultiApplied {
                request_id: Decode::decode(reader)?,
                micros: Decode::decode(reader)?,
                query_id: Decode::decode(reader)?,
                tables: Decode::decode(reader)?,
            },
            9 => Self::UnsubscribeMultiApplied {
                request_id: Decode::decode(reader)?,
                micros: Decode::decode(reader)?,
                query_id: Decode::decode(reader)?,
                tables: Decode::decode(reader)?,
            },
            10 => Self::ProcedureResult {
                status: Decode::decode(reader)?,
                timestamp: Decode::decode(reader)?,
                duration: Decode::decode(reader)?,
                request_id: Decode::decode(reader)?,
            },
            tag => return Err(unknown(&start, "v1 ServerMessage", tag)),
        })
    }
}

/// How a reducer ended.
///
/// | tag | variant | fields |
/// |---|---|---|
/// | 0 | `Committed` | tables |
/// | 1 | `Failed` | string |
/// | 2 | `OutOfEnergy` | none |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UpdateStatus<'a> {
    /// It has committed: what it changed.
    Committed(List<'a, TableUpdate<'a>>),
    /// It has changed nothing: why, for people.
    Failed(&'a str),
    /// It has changed nothing, since there was nothing to pay it with.
    OutOfEnergy,
}

impl<'de: 'a, 'a> Decode<'de> for UpdateStatus<'a> {
    const MIN_SIZE: usize = 1;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 1 + List::<'_, TableUpdate<'_>>::DEPTH;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        let start = *reader;
        match reader.u8()? {
            0 => Decode::decode(reader).map(Self::Committed),
            1 => Decode::decode(reader).map(Self::Failed),
            2 => Ok(Self::OutOfEnergy),
            tag => Err(unknown(&start, "UpdateStatus", tag)),
        }
    }
}

/// A call of a reducer, as its caller has made it.
///
/// | field | bytes | meaning |
/// |---|---|---|
/// | `reducer` | 4 + | its name |
/// | `reducer_id` | 4 | the server's number for it |
/// | `args` | 4 + | the product of the arguments, in BSATN |
/// | `request_id` | 4 | the caller's number for the request |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReducerCall<'a> {
    /// The reducer's name.
    pub reducer: &'a str,
    /// The server's number for it; `u32::MAX` where there is no such reducer.
    pub reducer_id: u32,
    /// The product of the arguments, in BSATN.
    pub args: &'a [u8],
    /// The caller's number for the request; 0 where the server could not begin the call.
    pub request_id: u32,
}

impl<'de: 'a, 'a> Decode<'de> for ReducerCall<'a> {
    const MIN_SIZE: usize = 4 + 4 + 4 + 4;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 2;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        Ok(Self {
            reducer: Decode::decode(reader)?,
            reducer_id: Decode::decode(reader)?,
            args: Decode::decode(reader)?,
            request_id: Decode::decode(reader)?,
        })
    }
}

/// How a procedure ended.
///
/// | tag | variant | fields |
/// |---|---|---|
/// | 0 | `Returned` | bytes |
/// | 1 | `OutOfEnergy` | none |
/// | 2 | `InternalError` | string |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProcedureStatus<'a> {
    /// It returned this value, in BSATN.
    Returned(&'a [u8]),
    /// There was nothing to pay it with.
    OutOfEnergy,
    /// It could not run to its end. The text is for people, and may be long.
    InternalError(&'a str),
}

impl<'de: 'a, 'a> Decode<'de> for ProcedureStatus<'a> {
    const MIN_SIZE: usize = 1;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 2;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        let start = *reader;
        match reader.u8()? {
            0 => Decode::decode(reader).map(Self::Returned),
            1 => Ok(Self::OutOfEnergy),
            2 => Decode::decode(reader).map(Self::InternalError),
            tag => Err(unknown(&start, "v1 ProcedureStatus", tag)),
        }
    }
}
