//! The rows that messages carry, by table.

use std::collections::BTreeMap;

use onewrite::bsatn::RowList;
use onewrite::spacetimedb::v1::{self, CompressableQueryUpdate, UpdateStatus};
use onewrite::spacetimedb::v2::{self, QuerySetUpdate, ReducerOutcome, TableUpdateRows};
use onewrite::spacetimedb::{List, TableRows};

/// The bytes of rows, in the order in which they came.
pub(crate) type Rows = BTreeMap<String, Vec<Vec<u8>>>;

#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) inserts: Rows,
    pub(crate) deletes: Rows,
}

impl Seen {
    pub(crate) fn v1(&mut self, message: &v1::ServerMessage<'_>) {
        use v1::ServerMessage as Message;
        match *message {
            Message::InitialSubscription { tables, .. }
            | Message::TransactionUpdateLight { tables, .. }
            | Message::SubscribeMultiApplied { tables, .. }
            | Message::UnsubscribeMultiApplied { tables, .. }
            | Message::TransactionUpdate { status: UpdateStatus::Committed(tables), .. } => {
                for table in tables {
                    self.v1_table(&table);
                }
            }
            Message::SubscribeApplied { update, .. }
            | Message::UnsubscribeApplied { update, .. } => self.v1_table(&update),
            Message::OneOffQueryResponse { tables, .. } => add_tables(&mut self.inserts, tables),
            _ => {}
        }
    }

    fn v1_table(&mut self, table: &v1::TableUpdate<'_>) {
        let mut rows = 0;
        for update in table.updates {
            let CompressableQueryUpdate::Uncompressed(update) = update else {
                panic!("compressed inside")
            };
            add(&mut self.deletes, table.table, update.deletes);
            add(&mut self.inserts, table.table, update.inserts);
            rows += update.deletes.len() + update.inserts.len();
        }
        assert_eq!(u64::try_from(rows), Ok(table.num_rows));
    }

    pub(crate) fn v2(&mut self, message: &v2::ServerMessage<'_>) {
        use v2::ServerMessage as Message;
        match *message {
            Message::SubscribeApplied { tables, .. }
            | Message::OneOffQueryResult { result: Ok(tables), .. } => {
                add_tables(&mut self.inserts, tables);
            }
            Message::UnsubscribeApplied { tables: Some(tables), .. } => {
                add_tables(&mut self.deletes, tables);
            }
            Message::TransactionUpdate { query_sets }
            | Message::ReducerResult { outcome: ReducerOutcome::Ok { query_sets, .. }, .. } => {
                self.update(query_sets);
            }
            _ => {}
        }
    }

    fn update(&mut self, sets: List<'_, QuerySetUpdate<'_>>) {
        for table in sets.iter().flat_map(|set| set.tables) {
            for rows in table.rows {
                match rows {
                    TableUpdateRows::PersistentTable { inserts, deletes } => {
                        add(&mut self.inserts, table.table, inserts);
                        add(&mut self.deletes, table.table, deletes);
                    }
                    TableUpdateRows::EventTable { events } => {
                        add(&mut self.inserts, table.table, events);
                    }
                }
            }
        }
    }
}

fn add_tables(to: &mut Rows, tables: List<'_, TableRows<'_>>) {
    for table in tables {
        add(to, table.table, table.rows);
    }
}

fn add(to: &mut Rows, table: &str, rows: RowList<'_>) {
    to.entry(table.to_owned()).or_default().extend(rows.rows().map(<[u8]>::to_vec));
}
