//! What a message consists of, as it arrives.

use crate::bsatn::{ConnectionId, Identity, RowList, TimeDuration, Timestamp};

/// A part of a message. A field that a message has not, such as an option that is none, has no
/// event; fields come in the order of the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Event<'a> {
    /// A message begins.
    Begin(MessageKind),
    /// The number of the request that is answered. Of what was said of [`answers`] in version 1
    /// everything holds here too.
    ///
    /// [`answers`]: crate::spacetimedb::v1::ServerMessage::answers
    RequestId(u32),
    /// A set of queries: the one that the message is about, or the one whose changes follow.
    QuerySetId(u32),
    /// A query.
    QueryId(u32),
    /// The server's number for the table whose name follows, or that a refused query returns.
    TableId(u32),
    /// The server's number for the reducer that was called.
    ReducerId(u32),
    /// Rows in all updates of a table.
    RowCount(u64),
    /// How many microseconds the server took.
    Micros(u64),
    /// How long the server took, or a procedure.
    Duration(TimeDuration),
    /// When a reducer or a procedure ran.
    Timestamp(Timestamp),
    /// What a call cost.
    Energy(u128),
    /// Who the client is, or who has called.
    Identity(Identity),
    /// A connection of theirs.
    ConnectionId(ConnectionId),
    /// How it ended; what there is to say about it follows.
    Outcome(Outcome),
    /// The name of the table whose rows follow. This is the moment for
    /// [`skip_table`](super::MessageStream::skip_table).
    Table(&'a str),
    /// The name of the reducer that was called.
    Reducer(&'a str),
    /// The next piece of a text, cut between two characters: only where a piece of the input ends,
    /// or a character in it. An empty text is one empty piece.
    Text {
        /// Which text.
        of: Text,
        /// The piece.
        piece: &'a str,
        /// Bytes of the text that are still to come.
        left: u32,
    },
    /// The next piece of a value that the protocol does not look into.
    Bytes {
        /// Which value.
        of: Bytes,
        /// The piece.
        piece: &'a [u8],
        /// Bytes of the value that are still to come.
        left: u32,
    },
    /// A list of rows begins. This is the moment for
    /// [`cut_by`](super::MessageStream::cut_by) or [`skip`](super::MessageStream::skip).
    BeginRows {
        /// What became of the rows.
        of: Change,
        /// Rows of the list; where they have offsets, what it claims and nothing has confirmed.
        rows: usize,
    },
    /// The next rows of the list, at least one.
    Rows(RowList<'a>),
    /// The list has ended.
    EndRows,
    /// The message has ended.
    End,
}

/// The kinds of messages of both versions, under the names of their variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
#[allow(missing_docs, reason = "`v1::ServerMessage` and `v2::ServerMessage` say what they are")]
pub enum MessageKind {
    IdentityToken,
    InitialConnection,
    InitialSubscription,
    OneOffQueryResponse,
    OneOffQueryResult,
    ProcedureResult,
    ReducerResult,
    SubscribeApplied,
    SubscribeMultiApplied,
    SubscriptionError,
    TransactionUpdate,
    TransactionUpdateLight,
    UnsubscribeApplied,
    UnsubscribeMultiApplied,
}

/// How a reducer, a procedure or a query ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Outcome {
    /// Well: what it returned and changed follows.
    Ok,
    /// Well, and there is nothing to say about it.
    OkEmpty,
    /// It returned an error, which follows as [`Bytes::Error`].
    Err,
    /// It could not run to its end, or was refused: why follows as [`Text::Error`].
    Failed,
    /// There was nothing to pay it with.
    OutOfEnergy,
}

/// Which text a piece belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Text {
    /// What lets the client come back as the same identity.
    Token,
    /// What went wrong, for people. It may be long.
    Error,
}

/// Which value a piece belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Bytes {
    /// What a reducer or a procedure returned, in BSATN.
    Value,
    /// The error that a reducer returned, in BSATN.
    Error,
    /// The product of the arguments of a call, in BSATN.
    Arguments,
    /// The bytes that the client sent along with a query.
    MessageId,
}

/// What became of the rows of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Change {
    /// They match a query: the message says since when, or until when.
    Matches,
    /// They are there now.
    Inserts,
    /// They no longer are.
    Deletes,
    /// They are events of a table that keeps no rows.
    Events,
}
