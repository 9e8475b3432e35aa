//! Messages of a server, version 2, against what the vectors say is in them.

use onewrite::bsatn::{ConnectionId, Decode, Identity, RowList, TimeDuration, Timestamp};
use onewrite::spacetimedb::v2::{
    ProcedureStatus, QuerySetUpdate, ReducerOutcome, ServerMessage, TableUpdateRows,
};
use onewrite::spacetimedb::{List, TableRows};
use serde_json::Value as Json;

use crate::messages::{i64_of, returned, same, text_of, u32_of};
use crate::report::hex;
use crate::rows;

pub(crate) fn compare(message: &ServerMessage<'_>, content: &Json) -> Result<(), String> {
    let request = |id: &u32| same("request_id", id, &u32_of(&content["request_id"])?);
    let set = |id: &u32| same("query_set_id", id, &u32_of(&content["query_set_id"])?);
    let answers = content["request_id"].as_u64().map(|id| u32::try_from(id).unwrap());
    same("answers", &message.answers(), &answers)?;

    let tag = match message {
        ServerMessage::InitialConnection { identity, connection_id, token } => {
            same("identity", identity, &identity_of(&content["identity_hex_be"])?)?;
            same("connection", connection_id, &connection_of(&content["connection_id_hex_be"])?)?;
            same("token", token, &text_of(&content["token"])?)?;
            0
        }
        ServerMessage::SubscribeApplied { request_id, query_set_id, tables } => {
            request(request_id)?;
            set(query_set_id)?;
            same_tables(tables, &content["tables"])?;
            1
        }
        ServerMessage::UnsubscribeApplied { request_id, query_set_id, tables } => {
            request(request_id)?;
            set(query_set_id)?;
            match tables {
                Some(tables) => same_tables(tables, &content["tables"])?,
                None => same("tables", &content["tables"], &Json::Null)?,
            }
            2
        }
        ServerMessage::SubscriptionError { request_id: _, query_set_id, error } => {
            set(query_set_id)?;
            same("error", error, &text_of(&content["error"])?)?;
            3
        }
        ServerMessage::TransactionUpdate { query_sets } => {
            same_update(query_sets, content)?;
            4
        }
        ServerMessage::OneOffQueryResult { request_id, result } => {
            request(request_id)?;
            match result {
                Ok(tables) => same_tables(tables, &content["tables"])?,
                Err(error) => same("error", error, &text_of(&content["error"])?)?,
            }
            5
        }
        ServerMessage::ReducerResult { request_id, timestamp, outcome } => {
            request(request_id)?;
            same_time(timestamp, &content["timestamp_micros"])?;
            same_outcome(outcome, &content["outcome"])?;
            6
        }
        ServerMessage::ProcedureResult { status, timestamp, duration, request_id } => {
            request(request_id)?;
            same_time(timestamp, &content["timestamp_micros"])?;
            same_duration(duration, &content["duration_micros"])?;
            let expected = &content["status"];
            let tag = match status {
                ProcedureStatus::Returned(value) => {
                    same("value", value, &returned(&expected["returned"])?.as_slice())?;
                    0
                }
                ProcedureStatus::InternalError(error) => {
                    same("error", error, &text_of(&expected["internal_error"])?)?;
                    1
                }
                other => return Err(format!("unknown: {other:?}")),
            };
            same("status", &Some(tag), &expected["tag"].as_u64())?;
            7
        }
        other => return Err(format!("unknown: {other:?}")),
    };
    same("tag", &Some(tag), &content["tag"].as_u64())
}

fn same_outcome(outcome: &ReducerOutcome<'_>, content: &Json) -> Result<(), String> {
    let tag = match outcome {
        ReducerOutcome::Ok { value, query_sets } => {
            same("value", value, &hex(&content["ret_value_hex"])?.as_slice())?;
            same_update(query_sets, content)?;
            0
        }
        ReducerOutcome::OkEmpty => 1,
        ReducerOutcome::Err(error) => {
            let text = <&str>::from_slice(error).map_err(|error| error.to_string())?;
            same("error", &text, &text_of(&content["err_bsatn_string"])?)?;
            2
        }
        ReducerOutcome::InternalError(error) => {
            same("error", error, &text_of(&content["internal_error"])?)?;
            3
        }
        other => return Err(format!("unknown: {other:?}")),
    };
    same("outcome", &Some(tag), &content["tag"].as_u64())
}

/// A transaction is described in whole, or by its one table of which rows came or went.
fn same_update(sets: &List<'_, QuerySetUpdate<'_>>, content: &Json) -> Result<(), String> {
    let Some(expected) = content["query_sets"].as_array() else {
        let [set] = sets.iter().collect::<Vec<_>>()[..] else { return Err("not one set".into()) };
        same("query_set_id", &set.query_set_id, &u32_of(&content["query_set_id"])?)?;
        let [table] = set.tables.iter().collect::<Vec<_>>()[..] else {
            return Err("not one table".into());
        };
        same("table", &table.table, &text_of(&content["table"])?)?;
        let [TableUpdateRows::PersistentTable { inserts, deletes }] =
            table.rows.iter().collect::<Vec<_>>()[..]
        else {
            return Err("not one entry of rows".into());
        };
        let (some, none) = match text_of(&content["rows"]["part"])? {
            "inserts" => (inserts, deletes),
            "deletes" => (deletes, inserts),
            part => return Err(format!("no part {part}")),
        };
        same("other rows", &none, &RowList::default())?;
        return rows::same(&some, &content["rows"]);
    };
    same("sets", &sets.len(), &expected.len())?;
    for (set, expected) in sets.iter().zip(expected) {
        same("set", &set.query_set_id, &u32_of(&expected["id"])?)?;
        let expected = expected["tables"].as_array().ok_or("no tables")?;
        same("tables", &set.tables.len(), &expected.len())?;
        for (table, expected) in set.tables.iter().zip(expected) {
            same("table", &table.table, &text_of(&expected["name"])?)?;
            let expected = expected["rows"].as_array().ok_or("no rows")?;
            same("entries", &table.rows.len(), &expected.len())?;
            for (entry, expected) in table.rows.iter().zip(expected) {
                match entry {
                    TableUpdateRows::PersistentTable { inserts, deletes } => {
                        rows::same(&inserts, &expected["persistent"]["inserts"])?;
                        rows::same(&deletes, &expected["persistent"]["deletes"])?;
                    }
                    TableUpdateRows::EventTable { events } => {
                        rows::same(&events, &expected["event"])?;
                    }
                }
            }
        }
    }
    Ok(())
}

pub(crate) fn same_tables(tables: &List<'_, TableRows<'_>>, content: &Json) -> Result<(), String> {
    let expected = content.as_array().ok_or("no tables")?;
    same("tables", &tables.len(), &expected.len())?;
    for (table, expected) in tables.iter().zip(expected) {
        same("table", &table.table, &text_of(&expected["name"])?)?;
        rows::same(&table.rows, expected)?;
    }
    Ok(())
}

pub(crate) fn same_time(time: &Timestamp, content: &Json) -> Result<(), String> {
    same("timestamp", &time.micros, &i64_of(content)?)
}

pub(crate) fn same_duration(duration: &TimeDuration, content: &Json) -> Result<(), String> {
    same("duration", &duration.micros, &i64_of(content)?)
}

pub(crate) fn identity_of(json: &Json) -> Result<Identity, String> {
    let bytes = hex(json)?.try_into().map_err(|_| format!("{json} is no identity"))?;
    Ok(Identity::from_be_bytes(bytes))
}

pub(crate) fn connection_of(json: &Json) -> Result<ConnectionId, String> {
    let bytes = hex(json)?.try_into().map_err(|_| format!("{json} is no connection"))?;
    Ok(ConnectionId::from_be_bytes(bytes))
}
