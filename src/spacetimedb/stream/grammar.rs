//! The fields of each message in their order: the tables of `v1::ServerMessage` and
//! `v2::ServerMessage`, for a machine that stops at any byte.

use super::event::{Bytes, Change, Event, MessageKind, Outcome, Text};
use crate::bsatn::{ConnectionId, Identity, TimeDuration, Timestamp};

/// A message, by its tag.
pub(super) type Messages = &'static [(MessageKind, &'static [Step])];

/// A field or more of a message.
pub(super) enum Step {
    Of4(fn(u32) -> Event<'static>),
    Of8(fn([u8; 8]) -> Event<'static>),
    Of16(fn([u8; 16]) -> Event<'static>),
    Of32(fn([u8; 32]) -> Event<'static>),
    Table,
    Reducer,
    Text(Text),
    Bytes(Bytes),
    Rows(Change),
    /// An array of what these make up.
    Each(&'static [Self]),
    Option(&'static [Self]),
    Sum(&'static Sum),
    /// What is not read in pieces.
    Compressed,
}

/// A sum: its name, and for each tag what it means and what it holds.
pub(super) struct Sum {
    pub(super) name: &'static str,
    pub(super) variants: &'static [(Option<Outcome>, &'static [Step])],
}

/// Steps inside steps, the message itself included.
pub(super) const DEPTH: usize = 7;

const REQUEST_ID: Step = Step::Of4(Event::RequestId);
const QUERY_SET_ID: Step = Step::Of4(Event::QuerySetId);
const QUERY_ID: Step = Step::Of4(Event::QueryId);
const TABLE_ID: Step = Step::Of4(Event::TableId);
const REDUCER_ID: Step = Step::Of4(Event::ReducerId);
const MICROS: Step = Step::Of8(|bytes| Event::Micros(u64::from_le_bytes(bytes)));
const ROW_COUNT: Step = Step::Of8(|bytes| Event::RowCount(u64::from_le_bytes(bytes)));
const TIMESTAMP: Step = Step::Of8(|bytes| Event::Timestamp(Timestamp::from_le_bytes(bytes)));
const DURATION: Step = Step::Of8(|bytes| Event::Duration(TimeDuration::from_le_bytes(bytes)));
const ENERGY: Step = Step::Of16(|bytes| Event::Energy(u128::from_le_bytes(bytes)));
const CONNECTION_ID: Step =
    Step::Of16(|bytes| Event::ConnectionId(ConnectionId::from_le_bytes(bytes)));
const IDENTITY: Step = Step::Of32(|bytes| Event::Identity(Identity::from_le_bytes(bytes)));
const TOKEN: Step = Step::Text(Text::Token);
const ERROR: Step = Step::Text(Text::Error);

/// `array<{table, rows}>`.
const TABLE_ROWS: Step = Step::Each(&[Step::Table, Step::Rows(Change::Matches)]);

pub(super) const V2: Messages = &[
    (MessageKind::InitialConnection, &[IDENTITY, CONNECTION_ID, TOKEN]),
    (MessageKind::SubscribeApplied, &[REQUEST_ID, QUERY_SET_ID, TABLE_ROWS]),
    (MessageKind::UnsubscribeApplied, &[REQUEST_ID, QUERY_SET_ID, Step::Option(&[TABLE_ROWS])]),
    (MessageKind::SubscriptionError, &[Step::Option(&[REQUEST_ID]), QUERY_SET_ID, ERROR]),
    (MessageKind::TransactionUpdate, &[QUERY_SETS]),
    (MessageKind::OneOffQueryResult, &[REQUEST_ID, Step::Sum(&QUERY_RESULT)]),
    (MessageKind::ReducerResult, &[REQUEST_ID, TIMESTAMP, Step::Sum(&REDUCER_OUTCOME)]),
    (
        MessageKind::ProcedureResult,
        &[Step::Sum(&PROCEDURE_STATUS_V2), TIMESTAMP, DURATION, REQUEST_ID],
    ),
];

const QUERY_SETS: Step = Step::Each(&[
    QUERY_SET_ID,
    Step::Each(&[Step::Table, Step::Each(&[Step::Sum(&TABLE_UPDATE_ROWS)])]),
]);

static TABLE_UPDATE_ROWS: Sum = Sum {
    name: "TableUpdateRows",
    variants: &[
        (None, &[Step::Rows(Change::Inserts), Step::Rows(Change::Deletes)]),
        (None, &[Step::Rows(Change::Events)]),
    ],
};

static QUERY_RESULT: Sum = Sum {
    name: "Result",
    variants: &[(Some(Outcome::Ok), &[TABLE_ROWS]), (Some(Outcome::Failed), &[ERROR])],
};

static REDUCER_OUTCOME: Sum = Sum {
    name: "ReducerOutcome",
    variants: &[
        (Some(Outcome::Ok), &[Step::Bytes(Bytes::Value), QUERY_SETS]),
        (Some(Outcome::OkEmpty), &[]),
        (Some(Outcome::Err), &[Step::Bytes(Bytes::Error)]),
        (Some(Outcome::Failed), &[ERROR]),
    ],
};

static PROCEDURE_STATUS_V2: Sum = Sum {
    name: "v2 ProcedureStatus",
    variants: &[
        (Some(Outcome::Ok), &[Step::Bytes(Bytes::Value)]),
        (Some(Outcome::Failed), &[ERROR]),
    ],
};

pub(super) const V1: Messages = &[
    (MessageKind::InitialSubscription, &[TABLE_UPDATES, REQUEST_ID, DURATION]),
    (
        MessageKind::TransactionUpdate,
        &[
            Step::Sum(&UPDATE_STATUS),
            TIMESTAMP,
            IDENTITY,
            CONNECTION_ID,
            Step::Reducer,
            REDUCER_ID,
            Step::Bytes(Bytes::Arguments),
            REQUEST_ID,
            ENERGY,
            DURATION,
        ],
    ),
    (MessageKind::TransactionUpdateLight, &[REQUEST_ID, TABLE_UPDATES]),
    (MessageKind::IdentityToken, &[IDENTITY, TOKEN, CONNECTION_ID]),
    (
        MessageKind::OneOffQueryResponse,
        &[Step::Bytes(Bytes::MessageId), Step::Option(&[ERROR]), TABLE_ROWS, DURATION],
    ),
    (MessageKind::SubscribeApplied, SINGLE),
    (MessageKind::UnsubscribeApplied, SINGLE),
    (
        MessageKind::SubscriptionError,
        &[
            MICROS,
            Step::Option(&[REQUEST_ID]),
            Step::Option(&[QUERY_ID]),
            Step::Option(&[TABLE_ID]),
            ERROR,
        ],
    ),
    (MessageKind::SubscribeMultiApplied, MULTI),
    (MessageKind::UnsubscribeMultiApplied, MULTI),
    (
        MessageKind::ProcedureResult,
        &[Step::Sum(&PROCEDURE_STATUS_V1), TIMESTAMP, DURATION, REQUEST_ID],
    ),
];

const SINGLE: &[Step] = &[
    REQUEST_ID,
    MICROS,
    QUERY_ID,
    TABLE_ID,
    Step::Table,
    TABLE_ID,
    Step::Table,
    ROW_COUNT,
    UPDATES,
];
const MULTI: &[Step] = &[REQUEST_ID, MICROS, QUERY_ID, TABLE_UPDATES];

const TABLE_UPDATES: Step = Step::Each(&[TABLE_ID, Step::Table, ROW_COUNT, UPDATES]);
const UPDATES: Step = Step::Each(&[Step::Sum(&QUERY_UPDATE)]);

static QUERY_UPDATE: Sum = Sum {
    name: "CompressableQueryUpdate",
    variants: &[
        (None, &[Step::Rows(Change::Deletes), Step::Rows(Change::Inserts)]),
        (None, &[Step::Compressed]),
        (None, &[Step::Compressed]),
    ],
};

static UPDATE_STATUS: Sum = Sum {
    name: "UpdateStatus",
    variants: &[
        (Some(Outcome::Ok), &[TABLE_UPDATES]),
        (Some(Outcome::Failed), &[ERROR]),
        (Some(Outcome::OutOfEnergy), &[]),
    ],
};

static PROCEDURE_STATUS_V1: Sum = Sum {
    name: "v1 ProcedureStatus",
    variants: &[
        (Some(Outcome::Ok), &[Step::Bytes(Bytes::Value)]),
        (Some(Outcome::OutOfEnergy), &[]),
        (Some(Outcome::Failed), &[ERROR]),
    ],
};

/// How deep steps go.
const fn depth(steps: &[Step]) -> usize {
    let (mut deepest, mut rest) = (0, steps);
    while let [step, behind @ ..] = rest {
        let below = match step {
            Step::Each(steps) | Step::Option(steps) => depth(steps),
            Step::Sum(sum) => deepest_of(sum.variants),
            _ => 0,
        };
        if below > deepest {
            deepest = below;
        }
        rest = behind;
    }
    deepest + 1
}

const fn deepest_of(variants: &[(Option<Outcome>, &[Step])]) -> usize {
    let (mut deepest, mut rest) = (0, variants);
    while let [(_, steps), behind @ ..] = rest {
        if depth(steps) > deepest {
            deepest = depth(steps);
        }
        rest = behind;
    }
    deepest
}

const fn deepest_message(messages: Messages) -> usize {
    let (mut deepest, mut rest) = (0, messages);
    while let [(_, steps), behind @ ..] = rest {
        if depth(steps) > deepest {
            deepest = depth(steps);
        }
        rest = behind;
    }
    deepest
}

const _: () = assert!(deepest_message(V1) <= DEPTH && deepest_message(V2) <= DEPTH);
