//! What a client has to see: rows by table and key with how often each was delivered, from whole messages
//! and without any of the code that reads them in pieces.

use std::collections::BTreeMap;
use std::io::Write as _;

use onewrite::bsatn::{Decode as _, RowList};
use onewrite::spacetimedb::v1::{self, CompressableQueryUpdate, UpdateStatus};
use onewrite::spacetimedb::v2::{self, QuerySetUpdate, ReducerOutcome, TableUpdateRows};
use onewrite::spacetimedb::{List, Payload, TableRows};

/// Of each row, by table, how many copies more there are.
pub(crate) type Changes = BTreeMap<(String, Vec<u8>), i64>;

/// The tables of a client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    /// Whether a row's key is its first four bytes, or all of it.
    pub(crate) by_id: bool,
    pub(crate) rows: BTreeMap<(String, Vec<u8>), (Vec<u8>, i64)>,
    /// Rows that were new, that replaced others, that have gone.
    pub(crate) counts: [u64; 3],
}

impl Model {
    fn key(&self, table: &str, row: &[u8]) -> (String, Vec<u8>) {
        let len = if self.by_id { 4 } else { row.len() };
        (table.to_owned(), row[..len].to_vec())
    }

    /// What has to happen before these changes can: the captures lack messages.
    pub(crate) fn gap(&self, changes: &Changes) -> Changes {
        let mut gap = Changes::new();
        for (key, (removed, added)) in self.by_key(changes) {
            let there = self.rows.get(&key);
            let fits = match (&removed, &added, there) {
                (None, None, _) => true,
                (None, Some(_), None) => true,
                (None, Some((row, _)), Some((there, _))) => there == row,
                (Some((row, copies)), None, Some((there, count))) => {
                    there == row && copies <= count
                }
                (Some((row, copies)), Some(_), Some((there, count))) => {
                    there == row && copies == count
                }
                (Some(_), _, None) => false,
            };
            if fits {
                continue;
            }
            if let Some((there, count)) = there {
                *gap.entry((key.0.clone(), there.clone())).or_default() -= count;
            }
            if let Some((row, copies)) = removed {
                *gap.entry((key.0.clone(), row)).or_default() += copies;
            }
        }
        gap.retain(|_, copies| *copies != 0);
        gap
    }

    /// Applies changes that fit.
    pub(crate) fn apply(&mut self, changes: &Changes) {
        for (key, (removed, added)) in self.by_key(changes) {
            let (there, before) = match self.rows.remove(&key) {
                Some((row, count)) => (Some(row), count),
                None => (None, 0),
            };
            let [inserted, updated, deleted] = &mut self.counts;
            match (removed, added) {
                (None, None) => {
                    if let Some(row) = there {
                        self.rows.insert(key, (row, before));
                    }
                }
                (None, Some((row, copies))) => {
                    *inserted += u64::from(there.is_none());
                    self.rows.insert(key, (row, before + copies));
                }
                (Some((row, copies)), None) if copies < before => {
                    self.rows.insert(key, (row, before - copies));
                }
                (Some(_), None) => *deleted += 1,
                (Some(_), Some((row, copies))) => {
                    *updated += 1;
                    self.rows.insert(key, (row, copies));
                }
            }
        }
    }

    /// Of each key, the row of which there are fewer copies and the one of which there are more.
    #[allow(clippy::type_complexity, reason = "it is what it says")]
    fn by_key(
        &self,
        changes: &Changes,
    ) -> BTreeMap<(String, Vec<u8>), (Option<(Vec<u8>, i64)>, Option<(Vec<u8>, i64)>)> {
        let mut keys = BTreeMap::new();
        for ((table, row), copies) in changes {
            let entry: &mut (Option<_>, Option<_>) = keys.entry(self.key(table, row)).or_default();
            match copies {
                ..0 => assert!(entry.0.replace((row.clone(), -copies)).is_none()),
                1.. => assert!(entry.1.replace((row.clone(), *copies)).is_none()),
                0 => {}
            }
        }
        keys
    }
}

/// What a server's payload changes.
pub(crate) fn changes(protocol: &str, payload: &[u8]) -> Changes {
    let mut room = vec![0; 1 << 20];
    let body = Payload::new(payload).unwrap().decompress(&mut room).unwrap();
    let mut changes = Changes::new();
    let mut rest = body;
    while !rest.is_empty() {
        if protocol == "v1" {
            let (message, behind) = v1::ServerMessage::take_from(rest).unwrap();
            of_v1(&message, &mut changes);
            rest = behind;
        } else {
            let (message, behind) = v2::ServerMessage::take_from(rest).unwrap();
            of_v2(&message, &mut changes);
            rest = behind;
        }
    }
    changes
}

fn of_v1(message: &v1::ServerMessage<'_>, changes: &mut Changes) {
    use v1::ServerMessage as Message;
    let mut take = |table: v1::TableUpdate<'_>| {
        for update in table.updates {
            let CompressableQueryUpdate::Uncompressed(update) = update else {
                panic!("compressed inside")
            };
            count(changes, table.table, update.deletes, -1);
            count(changes, table.table, update.inserts, 1);
        }
    };
    match *message {
        Message::InitialSubscription { tables, .. }
        | Message::TransactionUpdateLight { tables, .. }
        | Message::SubscribeMultiApplied { tables, .. }
        | Message::UnsubscribeMultiApplied { tables, .. }
        | Message::TransactionUpdate { status: UpdateStatus::Committed(tables), .. } => {
            tables.iter().for_each(take);
        }
        Message::SubscribeApplied { update, .. } | Message::UnsubscribeApplied { update, .. } => {
            take(update);
        }
        _ => {}
    }
}

fn of_v2(message: &v2::ServerMessage<'_>, changes: &mut Changes) {
    use v2::ServerMessage as Message;
    let mut tables = |tables: List<'_, TableRows<'_>>, copies| {
        for table in tables {
            count(changes, table.table, table.rows, copies);
        }
    };
    match *message {
        Message::SubscribeApplied { tables: rows, .. } => tables(rows, 1),
        Message::UnsubscribeApplied { tables: Some(rows), .. } => tables(rows, -1),
        Message::TransactionUpdate { query_sets }
        | Message::ReducerResult { outcome: ReducerOutcome::Ok { query_sets, .. }, .. } => {
            of_sets(query_sets, changes);
        }
        _ => {}
    }
}

fn of_sets(sets: List<'_, QuerySetUpdate<'_>>, changes: &mut Changes) {
    for table in sets.iter().flat_map(|set| set.tables) {
        for rows in table.rows {
            if let TableUpdateRows::PersistentTable { inserts, deletes } = rows {
                count(changes, table.table, inserts, 1);
                count(changes, table.table, deletes, -1);
            }
        }
    }
}

fn count(changes: &mut Changes, table: &str, rows: RowList<'_>, copies: i64) {
    for row in rows.rows() {
        *changes.entry((table.to_owned(), row.to_vec())).or_default() += copies;
    }
}

/// A payload that says these changes, compressed as a server would.
pub(crate) fn payload(protocol: &str, compression: &str, changes: &Changes) -> Vec<u8> {
    let mut tables: BTreeMap<&str, [Vec<&[u8]>; 2]> = BTreeMap::new();
    for ((table, row), copies) in changes {
        let [inserts, deletes] = tables.entry(table).or_default();
        let list = if *copies > 0 { inserts } else { deletes };
        list.extend((0..copies.unsigned_abs()).map(|_| row.as_slice()));
    }
    let mut body = Vec::new();
    if protocol == "v1" {
        body.extend(b"\x02\x07\0\0\0");
    } else {
        body.extend(b"\x04\x01\0\0\0\x01\0\0\0");
    }
    body.extend(len(tables.len()));
    for (name, [inserts, deletes]) in tables {
        if protocol == "v1" {
            body.extend(b"\x63\0\0\0");
        }
        body.extend(len(name.len()));
        body.extend(name.as_bytes());
        if protocol == "v1" {
            body.extend((inserts.len() as u64 + deletes.len() as u64).to_le_bytes());
        }
        body.extend(b"\x01\0\0\0\0");
        let lists = [row_list(&inserts), row_list(&deletes)];
        let [first, second] = lists;
        // The two versions have them in different orders.
        body.extend(if protocol == "v1" { [second, first] } else { [first, second] }.concat());
    }
    compress(compression, body)
}

/// Rows as a server would send them.
pub(crate) fn row_list(rows: &[&[u8]]) -> Vec<u8> {
    let mut list = Vec::new();
    match rows {
        [first, rest @ ..]
            if !first.is_empty() && rest.iter().all(|row| row.len() == first.len()) =>
        {
            list.push(0);
            list.extend(u16::try_from(first.len()).unwrap().to_le_bytes());
        }
        _ => {
            list.push(1);
            list.extend(len(rows.len()));
            let mut offset = 0;
            for row in rows {
                list.extend((offset as u64).to_le_bytes());
                offset += row.len();
            }
        }
    }
    let data = rows.concat();
    list.extend(len(data.len()));
    list.extend(data);
    list
}

fn len(len: usize) -> [u8; 4] {
    u32::try_from(len).unwrap().to_le_bytes()
}

/// A payload of this body, compressed from 1,025 bytes on.
pub(crate) fn compress(compression: &str, body: Vec<u8>) -> Vec<u8> {
    let mut payload = Vec::new();
    match compression {
        "Gzip" if body.len() > 1_024 => {
            payload.push(2);
            let fast = flate2::Compression::fast();
            let mut encoder = flate2::write::GzEncoder::new(&mut payload, fast);
            encoder.write_all(&body).unwrap();
            encoder.finish().unwrap();
        }
        "Brotli" if body.len() > 1_024 => {
            payload.push(1);
            // Blocks that are stored: RFC 7932 section 9.2. A window of 22 bits, which is 1011, stands in
            // front of the first.
            for (number, block) in body.chunks(1 << 16).enumerate() {
                let stored = u32::try_from(block.len() - 1).unwrap() << 3 | 1 << 19;
                let head = if number == 0 { stored << 4 | 0b1011 } else { stored };
                payload.extend(&head.to_le_bytes()[..3]);
                payload.extend(block);
            }
            payload.push(3);
        }
        _ => {
            payload.push(0);
            payload.extend(body);
        }
    }
    payload
}
