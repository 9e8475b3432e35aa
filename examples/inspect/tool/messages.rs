//! The messages of SpacetimeDB's client protocol, as shapes.

use super::shape::{Format, Shape};
use Shape::{
    Bytes, Call, ConnectionId, Duration, Flags, Identity, Inflates, List, Option, Product, RowList,
    Sum, Table, Text, Timestamp, U32, U64, U128,
};

const NOTHING: Shape = Product(&[]);
const STRINGS: Shape = List(&Text);
const TABLE_ROWS: Shape = List(&Product(&[("table", Table), ("rows", RowList)]));

const QUERY_SETS: Shape = List(&Product(&[
    ("query_set_id", U32),
    (
        "tables",
        List(&Product(&[
            ("table", Table),
            (
                "rows",
                List(&Sum(
                    "TableUpdateRows",
                    &[
                        ("PersistentTable", Product(&[("inserts", RowList), ("deletes", RowList)])),
                        ("EventTable", Product(&[("events", RowList)])),
                    ],
                )),
            ),
        ])),
    ),
]));

/// What a server sends in version 2.
pub(crate) const SERVER_V2: Shape = Sum(
    "v2 ServerMessage",
    &[
        (
            "InitialConnection",
            Product(&[("identity", Identity), ("connection_id", ConnectionId), ("token", Text)]),
        ),
        (
            "SubscribeApplied",
            Product(&[("request_id", U32), ("query_set_id", U32), ("tables", TABLE_ROWS)]),
        ),
        (
            "UnsubscribeApplied",
            Product(&[("request_id", U32), ("query_set_id", U32), ("tables", Option(&TABLE_ROWS))]),
        ),
        (
            "SubscriptionError",
            Product(&[("request_id", Option(&U32)), ("query_set_id", U32), ("error", Text)]),
        ),
        ("TransactionUpdate", Product(&[("query_sets", QUERY_SETS)])),
        (
            "OneOffQueryResult",
            Product(&[
                ("request_id", U32),
                ("result", Sum("Result", &[("ok", TABLE_ROWS), ("err", Text)])),
            ]),
        ),
        (
            "ReducerResult",
            Product(&[
                ("request_id", U32),
                ("timestamp", Timestamp),
                (
                    "outcome",
                    Sum(
                        "ReducerOutcome",
                        &[
                            ("Ok", Product(&[("value", Bytes), ("query_sets", QUERY_SETS)])),
                            ("OkEmpty", NOTHING),
                            ("Err", Bytes),
                            ("InternalError", Text),
                        ],
                    ),
                ),
            ]),
        ),
        (
            "ProcedureResult",
            Product(&[
                (
                    "status",
                    Sum("v2 ProcedureStatus", &[("Returned", Bytes), ("InternalError", Text)]),
                ),
                ("timestamp", Timestamp),
                ("duration", Duration),
                ("request_id", U32),
            ]),
        ),
    ],
);

/// What a client sends in version 2.
pub(crate) const CLIENT_V2: Shape = Sum(
    "v2 ClientMessage",
    &[
        ("Subscribe", Product(&[("request_id", U32), ("query_set_id", U32), ("queries", STRINGS)])),
        (
            "Unsubscribe",
            Product(&[("request_id", U32), ("query_set_id", U32), ("flags", Flags(1))]),
        ),
        ("OneOffQuery", Product(&[("request_id", U32), ("query", Text)])),
        ("CallReducer", Product(&[("request_id", U32), ("flags", Flags(0)), ("reducer", Call)])),
        (
            "CallProcedure",
            Product(&[("request_id", U32), ("flags", Flags(0)), ("procedure", Call)]),
        ),
    ],
);

const QUERY_UPDATE: Shape = Product(&[("deletes", RowList), ("inserts", RowList)]);

const TABLE_UPDATE: Shape = Product(&[
    ("table_id", U32),
    ("table", Table),
    ("num_rows", U64),
    (
        "updates",
        List(&Sum(
            "CompressableQueryUpdate",
            &[
                ("Uncompressed", QUERY_UPDATE),
                ("Brotli", Inflates(Format::Brotli, &QUERY_UPDATE)),
                ("Gzip", Inflates(Format::Gzip, &QUERY_UPDATE)),
            ],
        )),
    ),
]);

const TABLES: Shape = List(&TABLE_UPDATE);

const SINGLE_APPLIED: Shape = Product(&[
    ("request_id", U32),
    ("micros", U64),
    ("query_id", U32),
    ("table_id", U32),
    ("table", Table),
    ("update", TABLE_UPDATE),
]);

const MULTI_APPLIED: Shape =
    Product(&[("request_id", U32), ("micros", U64), ("query_id", U32), ("tables", TABLES)]);

/// What a server sends in version 1.
pub(crate) const SERVER_V1: Shape = Sum(
    "v1 ServerMessage",
    &[
        (
            "InitialSubscription",
            Product(&[("tables", TABLES), ("request_id", U32), ("duration", Duration)]),
        ),
        (
            "TransactionUpdate",
            Product(&[
                (
                    "status",
                    Sum(
                        "UpdateStatus",
                        &[("Committed", TABLES), ("Failed", Text), ("OutOfEnergy", NOTHING)],
                    ),
                ),
                ("timestamp", Timestamp),
                ("caller_identity", Identity),
                ("caller_connection_id", ConnectionId),
                (
                    "call",
                    Product(&[
                        ("reducer", Text),
                        ("reducer_id", U32),
                        ("args", Bytes),
                        ("request_id", U32),
                    ]),
                ),
                ("energy", U128),
                ("duration", Duration),
            ]),
        ),
        ("TransactionUpdateLight", Product(&[("request_id", U32), ("tables", TABLES)])),
        (
            "IdentityToken",
            Product(&[("identity", Identity), ("token", Text), ("connection_id", ConnectionId)]),
        ),
        (
            "OneOffQueryResponse",
            Product(&[
                ("message_id", Bytes),
                ("error", Option(&Text)),
                ("tables", TABLE_ROWS),
                ("duration", Duration),
            ]),
        ),
        ("SubscribeApplied", SINGLE_APPLIED),
        ("UnsubscribeApplied", SINGLE_APPLIED),
        (
            "SubscriptionError",
            Product(&[
                ("micros", U64),
                ("request_id", Option(&U32)),
                ("query_id", Option(&U32)),
                ("table_id", Option(&U32)),
                ("error", Text),
            ]),
        ),
        ("SubscribeMultiApplied", MULTI_APPLIED),
        ("UnsubscribeMultiApplied", MULTI_APPLIED),
        (
            "ProcedureResult",
            Product(&[
                (
                    "status",
                    Sum(
                        "v1 ProcedureStatus",
                        &[("Returned", Bytes), ("OutOfEnergy", NOTHING), ("InternalError", Text)],
                    ),
                ),
                ("timestamp", Timestamp),
                ("duration", Duration),
                ("request_id", U32),
            ]),
        ),
    ],
);

/// What a client sends in version 1.
pub(crate) const CLIENT_V1: Shape = Sum(
    "v1 ClientMessage",
    &[
        ("CallReducer", Product(&[("reducer", Call), ("request_id", U32), ("flags", Flags(1))])),
        ("Subscribe", Product(&[("queries", STRINGS), ("request_id", U32)])),
        ("OneOffQuery", Product(&[("message_id", Bytes), ("query", Text)])),
        ("SubscribeSingle", Product(&[("query", Text), ("request_id", U32), ("query_id", U32)])),
        (
            "SubscribeMulti",
            Product(&[("queries", STRINGS), ("request_id", U32), ("query_id", U32)]),
        ),
        ("Unsubscribe", Product(&[("request_id", U32), ("query_id", U32)])),
        ("UnsubscribeMulti", Product(&[("request_id", U32), ("query_id", U32)])),
        (
            "CallProcedure",
            Product(&[("procedure", Call), ("request_id", U32), ("flags", Flags(0))]),
        ),
    ],
);
