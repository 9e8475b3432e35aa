//! Messages of a server, version 1, against what the vectors say is in them.

use onewrite::bsatn::RowList;
use onewrite::compression::{DecompressErrorKind, Tables};
use onewrite::spacetimedb::List;
use onewrite::spacetimedb::v1::{
    CompressableQueryUpdate, QueryUpdateError, ServerMessage, TableUpdate, UpdateStatus,
};
use serde_json::Value as Json;

use crate::messages::{is_built_in, same, text_of, u32_of};
use crate::report::hex;
use crate::rows;
use crate::v2_messages::{connection_of, identity_of, same_duration, same_tables, same_time};

/// Whether the rows could be seen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inner {
    Seen,
    /// They are compressed with what this build does not have.
    NotBuiltIn(&'static str),
}

pub(crate) fn compare(message: &ServerMessage<'_>, content: &Json) -> Result<Inner, String> {
    let request = |id: &u32| same("request_id", id, &u32_of(&content["request_id"])?);
    let query = |id: &u32| same("query_id", id, &u32_of(&content["query_id"])?);
    let micros = |found: &u64| same("micros", &Some(*found), &content["duration_micros"].as_u64());
    let mut inner = Inner::Seen;
    let tag = match message {
        ServerMessage::InitialSubscription { tables, request_id, duration } => {
            request(request_id)?;
            same_duration(duration, &content["duration_micros"])?;
            inner = same_update(tables, &content["update"])?;
            0
        }
        ServerMessage::TransactionUpdate {
            status,
            timestamp,
            caller_identity,
            caller_connection_id,
            call,
            energy,
            duration,
        } => {
            inner = same_status(status, &content["status"])?;
            same_time(timestamp, &content["timestamp_micros"])?;
            same("caller", caller_identity, &identity_of(&content["caller_identity_hex_be"])?)?;
            let expected = connection_of(&content["caller_connection_id_hex_be"])?;
            same("caller's connection", caller_connection_id, &expected)?;
            same("reducer", &call.reducer, &text_of(&content["reducer_name"])?)?;
            same("reducer_id", &call.reducer_id, &u32_of(&content["reducer_id"])?)?;
            same("args", &call.args, &hex(&content["args_hex"])?.as_slice())?;
            request(&call.request_id)?;
            same("energy", &energy.to_string().as_str(), &text_of(&content["energy"])?)?;
            same_duration(duration, &content["duration_micros"])?;
            // A call that could not begin is answered with the number 0.
            let failed = matches!(status, UpdateStatus::Failed(_)) && call.request_id == 0;
            same("answers", &message.answers(), &(!failed).then_some(call.request_id))?;
            1
        }
        ServerMessage::TransactionUpdateLight { request_id, tables } => {
            request(request_id)?;
            // It is the caller's number.
            same("answers", &message.answers(), &None)?;
            inner = same_update(tables, &content["update"])?;
            2
        }
        ServerMessage::IdentityToken { identity, token, connection_id } => {
            same("identity", identity, &identity_of(&content["identity_hex_be"])?)?;
            same("token", token, &text_of(&content["token"])?)?;
            same("connection", connection_id, &connection_of(&content["connection_id_hex_be"])?)?;
            3
        }
        ServerMessage::OneOffQueryResponse { message_id, error, tables, duration } => {
            same("message_id", message_id, &hex(&content["message_id_hex"])?.as_slice())?;
            same("error", error, &content["error"].as_str())?;
            same_tables(tables, &content["tables"])?;
            same_duration(duration, &content["duration_micros"])?;
            4
        }
        ServerMessage::SubscribeApplied {
            request_id,
            micros: took,
            query_id,
            table_id,
            table,
            update,
        }
        | ServerMessage::UnsubscribeApplied {
            request_id,
            micros: took,
            query_id,
            table_id,
            table,
            update,
        } => {
            request(request_id)?;
            micros(took)?;
            query(query_id)?;
            same("table_id", table_id, &u32_of(&content["rows"]["table_id"])?)?;
            same("table", table, &text_of(&content["rows"]["table"])?)?;
            inner = same_table(update, &content["rows"])?;
            if matches!(message, ServerMessage::SubscribeApplied { .. }) { 5 } else { 6 }
        }
        ServerMessage::SubscriptionError {
            micros: took,
            request_id,
            query_id,
            table_id,
            error,
        } => {
            micros(took)?;
            for (name, found) in
                [("request_id", request_id), ("query_id", query_id), ("table_id", table_id)]
            {
                same(name, &found.map(u64::from), &content[name].as_u64())?;
            }
            same("error", error, &text_of(&content["error"])?)?;
            7
        }
        ServerMessage::SubscribeMultiApplied { request_id, micros: took, query_id, tables }
        | ServerMessage::UnsubscribeMultiApplied { request_id, micros: took, query_id, tables } => {
            request(request_id)?;
            micros(took)?;
            query(query_id)?;
            inner = same_update(tables, &content["update"])?;
            if matches!(message, ServerMessage::SubscribeMultiApplied { .. }) { 8 } else { 9 }
        }
        other => return Err(format!("no vector has this: {other:?}")),
    };
    same("tag", &Some(tag), &content["tag"].as_u64())?;
    Ok(inner)
}

fn same_status(status: &UpdateStatus<'_>, content: &Json) -> Result<Inner, String> {
    let mut inner = Inner::Seen;
    let tag = match status {
        UpdateStatus::Committed(tables) => {
            inner = same_update(tables, &content["update"])?;
            0
        }
        UpdateStatus::Failed(error) => {
            same("error", error, &text_of(&content["failed"])?)?;
            1
        }
        _ => 2,
    };
    same("status", &Some(tag), &content["tag"].as_u64())?;
    Ok(inner)
}

/// A transaction is described by its one table of which rows came or went.
fn same_update(tables: &List<'_, TableUpdate<'_>>, content: &Json) -> Result<Inner, String> {
    let [table] = tables.iter().collect::<Vec<_>>()[..] else {
        return Err("not one table".to_owned());
    };
    same_table(&table, content)
}

fn same_table(table: &TableUpdate<'_>, content: &Json) -> Result<Inner, String> {
    same("table_id", &table.table_id, &u32_of(&content["table_id"])?)?;
    same("table", &table.table, &text_of(&content["table"])?)?;
    same("num_rows", &Some(table.num_rows), &content["num_rows"].as_u64())?;
    let [update] = table.updates.iter().collect::<Vec<_>>()[..] else {
        return Err("not one update".to_owned());
    };
    let found = match update {
        CompressableQueryUpdate::Uncompressed(_) => "none",
        CompressableQueryUpdate::Brotli(_) => "brotli",
        CompressableQueryUpdate::Gzip(_) => "gzip",
    };
    same("compression", &found, &text_of(&content["inner_compression"])?)?;
    let (mut tables, mut out) = (Tables::<3000>::new(), vec![0xa5; 1024 * 1024]);
    let update = match update.decompress_with(&mut tables, &mut out) {
        Ok(update) => update,
        Err(QueryUpdateError::Decompress(error)) => match error.kind {
            DecompressErrorKind::NotBuiltIn { feature } if !is_built_in(feature) => {
                return Ok(Inner::NotBuiltIn(feature));
            }
            _ => return Err(error.to_string()),
        },
        Err(error) => return Err(error.to_string()),
    };
    let (some, none) = match text_of(&content["rows"]["part"])? {
        "inserts" => (update.inserts, update.deletes),
        "deletes" => (update.deletes, update.inserts),
        part => return Err(format!("no part {part}")),
    };
    same("other rows", &none, &RowList::default())?;
    rows::same(&some, &content["rows"])?;
    Ok(Inner::Seen)
}
