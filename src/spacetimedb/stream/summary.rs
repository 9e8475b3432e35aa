//! What the parts of a message say together.

use super::{Change, Event, MessageKind, Outcome};
use crate::bsatn::ConnectionId;

/// What a message has said so far, apart from rows, texts and values.
///
/// Fed with each [`Event`], it knows which request of one's own the message answers, how that ended, and what
/// is to be done with rows: the same for every version of the protocol, whatever the order of the fields.
///
/// ```
/// use onewrite::spacetimedb::stream::{MessageKind, MessageStream, Outcome, Summary, Version};
///
/// # let body = b"\x06\x07\0\0\0\0\0\0\0\0\0\0\0\x01";
/// let mut stream = MessageStream::<64>::new(Version::V2);
/// let mut summary = Summary::new();
/// let mut piece = &body[..];
/// while let Some(event) = stream.next(&mut piece)? {
///     summary.note(&event);
/// }
/// assert_eq!(summary.kind(), Some(MessageKind::ReducerResult));
/// assert_eq!((summary.answers(None), summary.outcome()), (Some(7), Some(Outcome::OkEmpty)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Summary {
    kind: Option<MessageKind>,
    request_id: Option<u32>,
    query_set_id: Option<u32>,
    outcome: Option<Outcome>,
    connection_id: Option<ConnectionId>,
    /// The start of a message id, and its length; 5 for any that is longer than 4.
    message_id: ([u8; 4], u8),
}

/// What rows of a message mean for who keeps them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Effect {
    /// There is one copy more of each.
    Added,
    /// There is one copy less of each.
    Removed,
    /// They have happened, and nobody keeps them.
    Event,
    /// They were asked for once: nobody keeps them either.
    Seen,
}

impl Summary {
    /// Nothing was said.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            kind: None,
            request_id: None,
            query_set_id: None,
            outcome: None,
            connection_id: None,
            message_id: ([0; 4], 0),
        }
    }

    /// Takes what `event` says. A message that begins forgets the one before.
    pub fn note(&mut self, event: &Event<'_>) {
        match *event {
            Event::Begin(kind) => *self = Self { kind: Some(kind), ..Self::new() },
            Event::RequestId(id) => self.request_id = Some(id),
            // Of a transaction they come several times: there it is the one that rows are of.
            Event::QuerySetId(id) | Event::QueryId(id) => self.query_set_id = Some(id),
            Event::Outcome(outcome) => self.outcome = Some(outcome),
            Event::ConnectionId(id) => self.connection_id = Some(id),
            Event::Bytes { of: super::Bytes::MessageId, piece, .. } => {
                let (bytes, len) = &mut self.message_id;
                for byte in piece {
                    if let Some(slot) = bytes.get_mut(usize::from(*len)) {
                        *slot = *byte;
                    }
                    *len = len.saturating_add(1).min(5);
                }
            }
            _ => {}
        }
    }

    /// What kind of message it is; none before the first one.
    #[must_use]
    pub const fn kind(&self) -> Option<MessageKind> {
        self.kind
    }

    /// The number of a request, as it stands in the message: whether it is one's own,
    /// [`answers`](Self::answers) knows.
    #[must_use]
    pub const fn request_id(&self) -> Option<u32> {
        self.request_id
    }

    /// The set of queries, or the query, that was named last.
    #[must_use]
    pub const fn query_set_id(&self) -> Option<u32> {
        self.query_set_id
    }

    /// How a call or a query ended.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The connection that was named: one's own in the first message, whose call it was in others.
    #[must_use]
    pub const fn connection_id(&self) -> Option<ConnectionId> {
        self.connection_id
    }

    /// Whether it tells of what another connection has called for, as version 1 does: its number is
    /// then not one's own, although all clients number from 1 on.
    ///
    /// `own` is what [`connection_id`](Self::connection_id) was of the first message. Known once the
    /// message has ended.
    #[must_use]
    pub fn is_of_another(&self, own: Option<ConnectionId>) -> bool {
        self.kind == Some(MessageKind::TransactionUpdate)
            && self.connection_id.is_some()
            && self.connection_id != own
    }

    /// The request of the connection `own` that the message answers; `None` where it answers none, is
    /// [of another](Self::is_of_another), or that cannot be told.
    ///
    /// Version 1 needs `own`: without it every call's answer is one of another connection.
    ///
    /// Known once the message has ended. Where it is not of another, it is what `answers` of
    /// [`v1::ServerMessage`](crate::spacetimedb::v1::ServerMessage::answers) and
    /// [`v2::ServerMessage`](crate::spacetimedb::v2::ServerMessage::answers) say, and further: a query of
    /// version 1 whose message id is the four bytes of a number, as
    /// [`Request`](crate::spacetimedb::Request) writes it, is answered by that number.
    #[must_use]
    pub fn answers(&self, own: Option<ConnectionId>) -> Option<u32> {
        if self.is_of_another(own) {
            return None;
        }
        match (self.kind, self.outcome, self.request_id) {
            (Some(MessageKind::TransactionUpdateLight), ..)
            | (Some(MessageKind::TransactionUpdate), Some(Outcome::Failed), Some(0)) => None,
            (Some(MessageKind::OneOffQueryResponse), ..) => match self.message_id {
                (bytes, 4) => Some(u32::from_le_bytes(bytes)),
                _ => None,
            },
            (.., id) => id,
        }
    }

    /// What rows of a list mean that [`BeginRows`](Event::BeginRows) says this of.
    #[must_use]
    pub const fn effect(&self, of: Change) -> Effect {
        match (of, self.kind) {
            (Change::Inserts, _) | (Change::Matches, Some(MessageKind::SubscribeApplied)) => {
                Effect::Added
            }
            (Change::Deletes, _) | (Change::Matches, Some(MessageKind::UnsubscribeApplied)) => {
                Effect::Removed
            }
            (Change::Events, _) => Effect::Event,
            (Change::Matches, _) => Effect::Seen,
        }
    }
}
