//! What the server sends.

use super::QuerySetUpdate;
use crate::bsatn::{ConnectionId, Decode, Identity, TimeDuration, Timestamp};
use crate::error::DecodeError;
use crate::reader::Reader;
use crate::spacetimedb::payload::unknown;
use crate::spacetimedb::{List, TableRows};

/// A message of the server, read where it lies.
///
/// | tag | variant | fields, in order |
/// |---|---|---|
/// | 0 | `InitialConnection` | identity 32, connection id 16, token |
/// | 1 | `SubscribeApplied` | request id 4, query set id 4, tables |
/// | 2 | `UnsubscribeApplied` | request id 4, query set id 4, option of tables |
/// | 3 | `SubscriptionError` | option of request id, query set id 4, error |
/// | 4 | `TransactionUpdate` | query sets |
/// | 5 | `OneOffQueryResult` | request id 4, result of tables or error |
/// | 6 | `ReducerResult` | request id 4, timestamp 8, outcome |
/// | 7 | `ProcedureResult` | status, timestamp 8, duration 8, request id 4 |
///
/// [`from_slice`](Decode::from_slice) takes a whole body and refuses bytes behind the message;
/// every length, tag and string is checked, and no row is looked at: its time does not depend on
/// the number of rows but where they differ in length and each has an offset. All that a message
/// refers to stays where it was received.
///
/// Take nothing for granted about tables: one without rows is left out of `SubscribeApplied`, and
/// one that several queries see comes several times, each time with all their rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServerMessage<'a> {
    /// The connection is there; always the first message.
    InitialConnection {
        /// Who the client is.
        identity: Identity,
        /// Which of its connections this is.
        connection_id: ConnectionId,
        /// Lets the client come back as the same identity.
        token: &'a str,
    },
    /// A subscription holds from now on.
    SubscribeApplied {
        /// The request that is answered.
        request_id: u32,
        /// The set of queries.
        query_set_id: u32,
        /// The rows that match. A table that has none may be missing.
        tables: List<'a, TableRows<'a>>,
    },
    /// A subscription has ended.
    UnsubscribeApplied {
        /// The request that is answered.
        request_id: u32,
        /// The set of queries.
        query_set_id: u32,
        /// The rows that no longer match, where they were asked for.
        tables: Option<List<'a, TableRows<'a>>>,
    },
    /// A subscription was refused, or has failed since.
    SubscriptionError {
        /// The request that is answered; none where it failed later on.
        request_id: Option<u32>,
        /// The set of queries, which no longer exists.
        query_set_id: u32,
        /// Why, for people.
        error: &'a str,
    },
    /// A transaction that this client has not asked for.
    TransactionUpdate {
        /// What changed, for each set of queries that sees it.
        query_sets: List<'a, QuerySetUpdate<'a>>,
    },
    /// The answer to a query.
    OneOffQueryResult {
        /// The request that is answered.
        request_id: u32,
        /// The rows, or why there are none, for people.
        result: Result<List<'a, TableRows<'a>>, &'a str>,
    },
    /// What became of a call of a reducer.
    ReducerResult {
        /// The request that is answered.
        request_id: u32,
        /// When it ran.
        timestamp: Timestamp,
        /// How it ended.
        outcome: ReducerOutcome<'a>,
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
    /// The id of the request that this message answers; `None` where it answers none.
    #[must_use]
    pub const fn answers(&self) -> Option<u32> {
        match *self {
            Self::SubscribeApplied { request_id, .. }
            | Self::UnsubscribeApplied { request_id, .. }
            | Self::OneOffQueryResult { request_id, .. }
            | Self::ReducerResult { request_id, .. }
            | Self::ProcedureResult { request_id, .. } => Some(request_id),
            Self::SubscriptionError { request_id, .. } => request_id,
            Self::InitialConnection { .. } | Self::TransactionUpdate { .. } => None,
        }
    }
}

impl<'de: 'a, 'a> Decode<'de> for ServerMessage<'a> {
    const MIN_SIZE: usize = 1 + 4;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 2 + List::<'_, QuerySetUpdate<'_>>::DEPTH;

    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        let start = *reader;
        Ok(match reader.u8()? {
            0 => Self::InitialConnection {
                identity: Decode::decode(reader)?,
                connection_id: Decode::decode(reader)?,
                token: Decode::decode(reader)?,
            },
            1 => Self::SubscribeApplied {
                request_id: Decode::decode(reader)?,
                query_set_id: Decode::decode(reader)?,
                tables: Decode::decode(reader)?,
            },
            2 => Self::UnsubscribeApplied {
                request_id: Decode::decode(reader)?,
                query_set_id: Decode::decode(reader)?,
                tables: Decode::decode(reader)?,
            },
            3 => Self::SubscriptionError {
                request_id: Decode::decode(reader)?,
                query_set_id: Decode::decode(reader)?,
                error: Decode::decode(reader)?,
            },
            4 => Self::TransactionUpdate { query_sets: Decode::decode(reader)? },
            5 => Self::OneOffQueryResult {
                request_id: Decode::decode(reader)?,
                result: Decode::decode(reader)?,
            },
            6 => Self::ReducerResult {
                request_id: Decode::decode(reader)?,
                timestamp: Decode::decode(reader)?,
                outcome: Decode::decode(reader)?,
            },
            7 => Self::ProcedureResult {
                status: Decode::decode(reader)?,
                timestamp: Decode::decode(reader)?,
                duration: Decode::decode(reader)?,
                request_id: Decode::decode(reader)?,
            },
            tag => return Err(unknown(&start, "v2 ServerMessage", tag)),
        })
    }
}

/// How a reducer ended.
///
/// | tag | variant | fields |
/// |---|---|---|
/// | 0 | `Ok` | return value, query sets |
/// | 1 | `OkEmpty` | none |
/// | 2 | `Err` | bytes |
/// | 3 | `InternalError` | string |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReducerOutcome<'a> {
    /// It has committed.
    Ok {
        /// What it returned, in BSATN.
        value: &'a [u8],
        /// What it changed, for each set of queries that sees it; also empty.
        query_sets: List<'a, QuerySetUpdate<'a>>,
    },
    /// It has committed, returned nothing, and changed nothing that the client sees. Servers may
    /// also say [`Ok`](Self::Ok) then.
    OkEmpty,
    /// It returned an error: BSATN of the reducer's error type, most often a string.
    Err(&'a [u8]),
    /// It could not run to its end. The text is for people, and may be long.
    InternalError(&'a str),
}

impl<'de: 'a, 'a> Decode<'de> for ReducerOutcome<'a> {
    const MIN_SIZE: usize = 1;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 1 + List::<'_, QuerySetUpdate<'_>>::DEPTH;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        let start = *reader;
        match reader.u8()? {
            0 => {
                Ok(Self::Ok { value: Decode::decode(reader)?, query_sets: Decode::decode(reader)? })
            }
            1 => Ok(Self::OkEmpty),
            2 => Decode::decode(reader).map(Self::Err),
            3 => Decode::decode(reader).map(Self::InternalError),
            tag => Err(unknown(&start, "ReducerOutcome", tag)),
        }
    }
}

/// How a procedure ended.
///
/// | tag | variant | fields |
/// |---|---|---|
/// | 0 | `Returned` | bytes |
/// | 1 | `InternalError` | string |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProcedureStatus<'a> {
    /// It returned this value, in BSATN.
    Returned(&'a [u8]),
    /// It could not run to its end. The text is for people, and may be long.
    InternalError(&'a str),
}

impl<'de: 'a, 'a> Decode<'de> for ProcedureStatus<'a> {
    const MIN_SIZE: usize = 1 + 4;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 2;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        let start = *reader;
        match reader.u8()? {
            0 => Decode::decode(reader).map(Self::Returned),
            1 => Decode::decode(reader).map(Self::InternalError),
            tag => Err(unknown(&start, "v2 ProcedureStatus", tag)),
        }
    }
}
