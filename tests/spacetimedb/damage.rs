//! Messages that are cut short or have a bit flipped.

use onewrite::bsatn::{Decode, RowList};
use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::spacetimedb::v2::{QuerySetUpdate, ReducerOutcome, TableUpdateRows};
use onewrite::spacetimedb::{List, TableRows, v1, v2, v3};

/// Past these lengths not every byte is tried: each attempt looks at all offsets of the rows.
const LONG: usize = 4_000;
const VERY_LONG: usize = 50_000;

/// How many items and messages there are.
type Found = Result<(usize, usize), DecodeError>;

/// Damages the body of a server's payload in every way.
pub(crate) fn server(protocol: &str, body: &[u8]) -> Result<(), String> {
    let decode = match protocol {
        "v1" => server_v1,
        "v2" => server_v2,
        _ => server_v3,
    };
    damage(body, decode, protocol == "v3")
}

/// Damages a client's message in every way.
pub(crate) fn client(protocol: &str, body: &[u8]) -> Result<(), String> {
    damage(body, if protocol == "v1" { client_v1 } else { client_v2 }, false)
}

fn damage(body: &[u8], decode: fn(&[u8]) -> Found, is_sequence: bool) -> Result<(), String> {
    let (_, messages) = decode(body).map_err(|error| format!("undamaged: {error}"))?;
    let step = match body.len() {
        VERY_LONG.. => 997,
        LONG.. => 31,
        _ => 1,
    };
    // What stops a shorter piece does not lie behind what stops a longer one.
    let mut reached = 0;
    for len in (0..body.len()).step_by(step) {
        match decode(&body[..len]) {
            // Behind a message the next need not follow.
            Ok((_, fewer)) if is_sequence && fewer < messages => {}
            Ok(_) => return Err(format!("accepted when cut after {len} bytes")),
            Err(error) if error.at > len || error.at < reached => {
                return Err(format!("cut after {len}, where less got to {reached}: {error}"));
            }
            Err(DecodeError {
                at,
                kind: DecodeErrorKind::EndOfInput { .. } | DecodeErrorKind::CountTooLarge { .. },
            }) => reached = at,
            Err(error) => return Err(format!("cut after {len}: {error}")),
        }
    }
    let mut longer = body.to_vec();
    longer.push(0xff);
    match decode(&longer) {
        Err(error) if error.at == body.len() => {}
        other => return Err(format!("with a byte more: {other:?}")),
    }

    let mut damaged = body.to_vec();
    for at in (0..body.len()).step_by(step) {
        for bit in 0..8 {
            damaged[at] ^= 1 << bit;
            match decode(&damaged) {
                // Every item takes at least a byte, so the input bounds the work.
                Ok((items, _)) if items <= body.len() => {}
                Ok((items, _)) => return Err(format!("bit {bit} of {at}: {items} items")),
                Err(error) if error.at <= body.len() => {}
                Err(error) => return Err(format!("bit {bit} of {at}: {error}")),
            }
            damaged[at] ^= 1 << bit;
        }
    }
    Ok(())
}

fn client_v1(bytes: &[u8]) -> Found {
    v1::ClientMessage::from_slice(bytes).map(|_| (0, 1))
}

fn client_v2(bytes: &[u8]) -> Found {
    v2::ClientMessage::from_slice(bytes).map(|_| (0, 1))
}

fn server_v1(bytes: &[u8]) -> Found {
    use v1::ServerMessage as Message;
    let items = match v1::ServerMessage::from_slice(bytes)? {
        Message::InitialSubscription { tables, .. }
        | Message::TransactionUpdateLight { tables, .. }
        | Message::SubscribeMultiApplied { tables, .. }
        | Message::UnsubscribeMultiApplied { tables, .. }
        | Message::TransactionUpdate { status: v1::UpdateStatus::Committed(tables), .. } => {
            tables.iter().map(|table| v1_rows(&table)).sum()
        }
        Message::SubscribeApplied { update, .. } | Message::UnsubscribeApplied { update, .. } => {
            v1_rows(&update)
        }
        Message::OneOffQueryResponse { tables, .. } => tables_of(tables),
        _ => 0,
    };
    Ok((items, 1))
}

fn v1_rows(table: &v1::TableUpdate<'_>) -> usize {
    let mut items = 1;
    for update in table.updates {
        items += 1;
        if let v1::CompressableQueryUpdate::Uncompressed(update) = update {
            items += walked(update.deletes) + walked(update.inserts);
        }
    }
    items
}

fn server_v2(bytes: &[u8]) -> Found {
    v2::ServerMessage::from_slice(bytes).map(|message| (v2_items(&message), 1))
}

fn server_v3(bytes: &[u8]) -> Found {
    let (mut items, mut messages) = (0, 0);
    for message in v3::ServerMessages::new(bytes)? {
        items += v2_items(&message?);
        messages += 1;
    }
    Ok((items, messages))
}

fn v2_items(message: &v2::ServerMessage<'_>) -> usize {
    use v2::ServerMessage as Message;
    match *message {
        Message::SubscribeApplied { tables, .. }
        | Message::UnsubscribeApplied { tables: Some(tables), .. }
        | Message::OneOffQueryResult { result: Ok(tables), .. } => tables_of(tables),
        Message::TransactionUpdate { query_sets }
        | Message::ReducerResult { outcome: ReducerOutcome::Ok { query_sets, .. }, .. } => {
            sets_of(query_sets)
        }
        _ => 0,
    }
}

fn sets_of(sets: List<'_, QuerySetUpdate<'_>>) -> usize {
    let mut items = 0;
    for set in sets {
        items += 1;
        for table in set.tables {
            items += 1;
            for rows in table.rows {
                items += 1;
                items += match rows {
                    TableUpdateRows::PersistentTable { inserts, deletes } => {
                        walked(inserts) + walked(deletes)
                    }
                    TableUpdateRows::EventTable { events } => walked(events),
                };
            }
        }
    }
    items
}

fn tables_of(tables: List<'_, TableRows<'_>>) -> usize {
    tables.iter().map(|table| 1 + walked(table.rows)).sum()
}

/// Looks at the first and the last rows, and says how many there are.
fn walked(rows: RowList<'_>) -> usize {
    let mut ends = rows.rows().take(4).chain(rows.rows().rev().take(4));
    assert!(ends.all(|row| row.len() <= rows.data().len()));
    assert_eq!(rows.rows().len(), rows.len());
    rows.len()
}
