//! What a message says, from the view of the whole of it: what a stream has to say as well.

use onewrite::bsatn::{RowCut, RowList, SizeHint};
use onewrite::spacetimedb::stream::{Bytes, Change, Event, MessageKind, Outcome, Text};
use onewrite::spacetimedb::v1::{self, CompressableQueryUpdate, UpdateStatus};
use onewrite::spacetimedb::v2::{self, ReducerOutcome, TableUpdateRows};
use onewrite::spacetimedb::{List, TableRows};

use crate::cuts;

/// An event that does not borrow, with its pieces put together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Said {
    /// Everything that is whole, as its debug form.
    Event(String),
    Text(Text, String),
    Bytes(Bytes, Vec<u8>),
    /// How many rows, and their bytes.
    Rows(usize, Vec<u8>),
}

#[derive(Default)]
pub(crate) struct Whole {
    pub(crate) said: Vec<Said>,
    /// What could cut the rows of each list, in order.
    pub(crate) cuts: Vec<Option<RowCut>>,
    /// Rows of the longest list whose rows have offsets.
    pub(crate) offsets: usize,
    /// Whether an update is compressed by itself.
    pub(crate) compressed: bool,
}

impl Whole {
    fn event(&mut self, event: Event<'_>) {
        self.said.push(Said::Event(format!("{event:?}")));
    }

    fn text(&mut self, of: Text, text: &str) {
        self.said.push(Said::Text(of, text.to_owned()));
    }

    fn bytes(&mut self, of: Bytes, bytes: &[u8]) {
        self.said.push(Said::Bytes(of, bytes.to_vec()));
    }

    fn rows(&mut self, of: Change, list: RowList<'_>) {
        self.event(Event::BeginRows { of, rows: list.len() });
        if !list.is_empty() {
            self.said.push(Said::Rows(list.len(), list.data().to_vec()));
        }
        self.event(Event::EndRows);
        self.cuts.push(cuts::of(list));
        if matches!(list.hint(), SizeHint::RowOffsets(_)) {
            self.offsets = self.offsets.max(list.len());
        }
    }

    fn tables(&mut self, tables: List<'_, TableRows<'_>>) {
        for table in tables {
            self.event(Event::Table(table.table));
            self.rows(Change::Matches, table.rows);
        }
    }

    fn outcome(&mut self, outcome: Outcome) {
        self.event(Event::Outcome(outcome));
    }

    fn failed(&mut self, error: &str) {
        self.outcome(Outcome::Failed);
        self.text(Text::Error, error);
    }

    pub(crate) fn v2(&mut self, message: &v2::ServerMessage<'_>) {
        use v2::ServerMessage as M;
        let begin = |whole: &mut Self, kind| whole.event(Event::Begin(kind));
        match *message {
            M::InitialConnection { identity, connection_id, token } => {
                begin(self, MessageKind::InitialConnection);
                self.event(Event::Identity(identity));
                self.event(Event::ConnectionId(connection_id));
                self.text(Text::Token, token);
            }
            M::SubscribeApplied { request_id, query_set_id, tables } => {
                begin(self, MessageKind::SubscribeApplied);
                self.event(Event::RequestId(request_id));
                self.event(Event::QuerySetId(query_set_id));
                self.tables(tables);
            }
            M::UnsubscribeApplied { request_id, query_set_id, tables } => {
                begin(self, MessageKind::UnsubscribeApplied);
                self.event(Event::RequestId(request_id));
                self.event(Event::QuerySetId(query_set_id));
                self.tables(tables.unwrap_or_default());
            }
            M::SubscriptionError { request_id, query_set_id, error } => {
                begin(self, MessageKind::SubscriptionError);
                if let Some(id) = request_id {
                    self.event(Event::RequestId(id));
                }
                self.event(Event::QuerySetId(query_set_id));
                self.text(Text::Error, error);
            }
            M::TransactionUpdate { query_sets } => {
                begin(self, MessageKind::TransactionUpdate);
                self.sets(query_sets);
            }
            M::OneOffQueryResult { request_id, result } => {
                begin(self, MessageKind::OneOffQueryResult);
                self.event(Event::RequestId(request_id));
                match result {
                    Ok(tables) => {
                        self.outcome(Outcome::Ok);
                        self.tables(tables);
                    }
                    Err(error) => self.failed(error),
                }
            }
            M::ReducerResult { request_id, timestamp, outcome } => {
                begin(self, MessageKind::ReducerResult);
                self.event(Event::RequestId(request_id));
                self.event(Event::Timestamp(timestamp));
                match outcome {
                    ReducerOutcome::Ok { value, query_sets } => {
                        self.outcome(Outcome::Ok);
                        self.bytes(Bytes::Value, value);
                        self.sets(query_sets);
                    }
                    ReducerOutcome::OkEmpty => self.outcome(Outcome::OkEmpty),
                    ReducerOutcome::Err(error) => {
                        self.outcome(Outcome::Err);
                        self.bytes(Bytes::Error, error);
                    }
                    ReducerOutcome::InternalError(error) => self.failed(error),
                    _ => unreachable!(),
                }
            }
            M::ProcedureResult { status, timestamp, duration, request_id } => {
                begin(self, MessageKind::ProcedureResult);
                match status {
                    v2::ProcedureStatus::Returned(value) => {
                        self.outcome(Outcome::Ok);
                        self.bytes(Bytes::Value, value);
                    }
                    v2::ProcedureStatus::InternalError(error) => self.failed(error),
                    _ => unreachable!(),
                }
                self.event(Event::Timestamp(timestamp));
                self.event(Event::Duration(duration));
                self.event(Event::RequestId(request_id));
            }
            _ => unreachable!(),
        }
        self.event(Event::End);
    }

    fn sets(&mut self, sets: List<'_, v2::QuerySetUpdate<'_>>) {
        for set in sets {
            self.event(Event::QuerySetId(set.query_set_id));
            for table in set.tables {
                self.event(Event::Table(table.table));
                for rows in table.rows {
                    match rows {
                        TableUpdateRows::PersistentTable { inserts, deletes } => {
                            self.rows(Change::Inserts, inserts);
                            self.rows(Change::Deletes, deletes);
                        }
                        TableUpdateRows::EventTable { events } => {
                            self.rows(Change::Events, events);
                        }
                    }
                }
            }
        }
    }

    pub(crate) fn v1(&mut self, message: &v1::ServerMessage<'_>) {
        use v1::ServerMessage as M;
        let begin = |whole: &mut Self, kind| whole.event(Event::Begin(kind));
        match *message {
            M::InitialSubscription { tables, request_id, duration } => {
                begin(self, MessageKind::InitialSubscription);
                self.updates(tables);
                self.event(Event::RequestId(request_id));
                self.event(Event::Duration(duration));
            }
            M::TransactionUpdate {
                status,
                timestamp,
                caller_identity,
                caller_connection_id,
                call,
                energy,
                duration,
            } => {
                begin(self, MessageKind::TransactionUpdate);
                match status {
                    UpdateStatus::Committed(tables) => {
                        self.outcome(Outcome::Ok);
                        self.updates(tables);
                    }
                    UpdateStatus::Failed(error) => self.failed(error),
                    UpdateStatus::OutOfEnergy => self.outcome(Outcome::OutOfEnergy),
                    _ => unreachable!(),
                }
                self.event(Event::Timestamp(timestamp));
                self.event(Event::Identity(caller_identity));
                self.event(Event::ConnectionId(caller_connection_id));
                self.event(Event::Reducer(call.reducer));
                self.event(Event::ReducerId(call.reducer_id));
                self.bytes(Bytes::Arguments, call.args);
                self.event(Event::RequestId(call.request_id));
                self.event(Event::Energy(energy));
                self.event(Event::Duration(duration));
            }
            M::TransactionUpdateLight { request_id, tables } => {
                begin(self, MessageKind::TransactionUpdateLight);
                self.event(Event::RequestId(request_id));
                self.updates(tables);
            }
            M::IdentityToken { identity, token, connection_id } => {
                begin(self, MessageKind::IdentityToken);
                self.event(Event::Identity(identity));
                self.text(Text::Token, token);
                self.event(Event::ConnectionId(connection_id));
            }
            M::OneOffQueryResponse { message_id, error, tables, duration } => {
                begin(self, MessageKind::OneOffQueryResponse);
                self.bytes(Bytes::MessageId, message_id);
                if let Some(error) = error {
                    self.text(Text::Error, error);
                }
                self.tables(tables);
                self.event(Event::Duration(duration));
            }
            M::SubscribeApplied { request_id, micros, query_id, table_id, table, update } => {
                begin(self, MessageKind::SubscribeApplied);
                self.answered(request_id, micros, query_id);
                self.event(Event::TableId(table_id));
                self.event(Event::Table(table));
                self.update(update);
            }
            M::UnsubscribeApplied { request_id, micros, query_id, table_id, table, update } => {
                begin(self, MessageKind::UnsubscribeApplied);
                self.answered(request_id, micros, query_id);
                self.event(Event::TableId(table_id));
                self.event(Event::Table(table));
                self.update(update);
            }
            M::SubscriptionError { micros, request_id, query_id, table_id, error } => {
                begin(self, MessageKind::SubscriptionError);
                self.event(Event::Micros(micros));
                let ids = [
                    request_id.map(Event::RequestId),
                    query_id.map(Event::QueryId),
                    table_id.map(Event::TableId),
                ];
                ids.into_iter().flatten().for_each(|id| self.event(id));
                self.text(Text::Error, error);
            }
            M::SubscribeMultiApplied { request_id, micros, query_id, tables } => {
                begin(self, MessageKind::SubscribeMultiApplied);
                self.answered(request_id, micros, query_id);
                self.updates(tables);
            }
            M::UnsubscribeMultiApplied { request_id, micros, query_id, tables } => {
                begin(self, MessageKind::UnsubscribeMultiApplied);
                self.answered(request_id, micros, query_id);
                self.updates(tables);
            }
            M::ProcedureResult { status, timestamp, duration, request_id } => {
                begin(self, MessageKind::ProcedureResult);
                match status {
                    v1::ProcedureStatus::Returned(value) => {
                        self.outcome(Outcome::Ok);
                        self.bytes(Bytes::Value, value);
                    }
                    v1::ProcedureStatus::OutOfEnergy => self.outcome(Outcome::OutOfEnergy),
                    v1::ProcedureStatus::InternalError(error) => self.failed(error),
                    _ => unreachable!(),
                }
                self.event(Event::Timestamp(timestamp));
                self.event(Event::Duration(duration));
                self.event(Event::RequestId(request_id));
            }
            _ => unreachable!(),
        }
        self.event(Event::End);
    }

    fn answered(&mut self, request_id: u32, micros: u64, query_id: u32) {
        self.event(Event::RequestId(request_id));
        self.event(Event::Micros(micros));
        self.event(Event::QueryId(query_id));
    }

    fn updates(&mut self, tables: List<'_, v1::TableUpdate<'_>>) {
        tables.into_iter().for_each(|table| self.update(table));
    }

    fn update(&mut self, table: v1::TableUpdate<'_>) {
        self.event(Event::TableId(table.table_id));
        self.event(Event::Table(table.table));
        self.event(Event::RowCount(table.num_rows));
        for update in table.updates {
            match update {
                CompressableQueryUpdate::Uncompressed(update) => {
                    self.rows(Change::Deletes, update.deletes);
                    self.rows(Change::Inserts, update.inserts);
                }
                _ => self.compressed = true,
            }
        }
    }
}
