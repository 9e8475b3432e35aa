//! Replays a connection to a real SpacetimeDB server, from its subscription to its last update, into
//! tables with room for so many rows.
//!
//! Each message of the client is decoded and encoded again, and has to have the same bytes. Each
//! payload of the server is inflated where it is compressed, read where it lies, and applied. There
//! is no socket: what a WebSocket would deliver is part of the program.
//!
//! Runs on a host, on aarch64 Linux and on a Raspberry Pi Zero 2W without an operating system;
//! `live_replay.out` is what all three print.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod capture;
mod tables;

use onewrite::bsatn::Decode;
use onewrite::spacetimedb::Payload;
use onewrite::spacetimedb::v2::{ClientMessage, ProcedureStatus, ReducerOutcome, ServerMessage};
use onewrite_boards::{Console, Failure, entry};
use static_cell::{ConstStaticCell, StaticCell};

use crate::capture::{Exchange, exchanges};
use crate::tables::Tables;

/// A message's body is no longer than this, or it is refused.
const BODY: usize = 8 * 1024;

static TABLES: StaticCell<Tables> = StaticCell::new();
static BUFFER: ConstStaticCell<[u8; BODY]> = ConstStaticCell::new([0; BODY]);

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    let tables = TABLES.try_init_with(Tables::new).ok_or("the tables are in use")?;
    let buffer = BUFFER.try_take().ok_or("the buffer is in use")?;
    for exchange in exchanges() {
        let Exchange { sent, received } = exchange.ok_or("the capture is cut short")?;
        send(console, sent)?;
        receive(console, received, tables, buffer)?;
    }
    let (ticks, notes) = tables.len();
    writeln!(console, "at the end: {ticks} rows of tick, {notes} rows of note")?;
    Ok(())
}

/// Encodes what the client has sent, and prints what it is.
fn send(console: &mut Console, captured: &[u8]) -> Result<(), Failure> {
    let message =
        ClientMessage::from_slice(captured).map_err(|_| "the client sent what is no message")?;
    let mut out = [0; 128];
    let len = message.write_into(&mut out).map_err(|_| "a message is too long")?;
    if out.get(..len) != Some(captured) {
        return Err("a message of the client is encoded in another way".into());
    }
    write!(console, "> {len} bytes: ")?;
    match message {
        ClientMessage::Subscribe { queries, .. } => {
            write!(console, "subscribe")?;
            for query in queries.iter() {
                write!(console, " [{query}]")?;
            }
        }
        ClientMessage::Unsubscribe { query_set_id, .. } => {
            write!(console, "unsubscribe set {query_set_id}")?;
        }
        ClientMessage::OneOffQuery { query, .. } => write!(console, "query [{query}]")?,
        ClientMessage::CallReducer { reducer, args, .. } => {
            write!(console, "call {reducer}, {} bytes of arguments", args.len())?;
        }
        ClientMessage::CallProcedure { procedure, args, .. } => {
            write!(console, "call procedure {procedure}, {} bytes of arguments", args.len())?;
        }
    }
    writeln!(console)?;
    Ok(())
}

/// Reads what the server has sent, applies it, and prints what it did.
fn receive(
    console: &mut Console,
    captured: &[u8],
    tables: &mut Tables,
    buffer: &mut [u8],
) -> Result<(), Failure> {
    let undecodable = |_| "the server sent what is no message";
    let payload = Payload::new(captured).map_err(undecodable)?;
    write!(console, "< {} bytes", captured.len())?;
    if let Payload::Brotli(_) = payload {
        write!(console, ", brotli")?;
    }
    let body = payload.decompress(buffer).map_err(|_| "a message does not inflate")?;
    if let Payload::Brotli(_) = payload {
        write!(console, " of {}", body.len())?;
    }
    write!(console, ": ")?;
    match ServerMessage::from_slice(body).map_err(undecodable)? {
        ServerMessage::InitialConnection { .. } => write!(console, "connected")?,
        ServerMessage::SubscribeApplied { query_set_id, tables: rows, .. } => {
            let changed = tables.insert(rows)?;
            write!(console, "set {query_set_id} subscribed{changed}")?;
        }
        ServerMessage::UnsubscribeApplied { query_set_id, tables: rows, .. } => {
            let changed = tables.remove(rows.unwrap_or_default())?;
            write!(console, "set {query_set_id} unsubscribed{changed}")?;
        }
        ServerMessage::SubscriptionError { query_set_id, error, .. } => {
            write!(console, "set {query_set_id} refused: {error}")?;
        }
        ServerMessage::TransactionUpdate { query_sets } => {
            let changed = tables.update(query_sets)?;
            write!(console, "somebody's transaction{changed}")?;
        }
        ServerMessage::OneOffQueryResult { result: Ok(rows), .. } => {
            let rows: usize = rows.iter().map(|table| table.rows.len()).sum();
            write!(console, "result, rows: {rows}")?;
        }
        ServerMessage::OneOffQueryResult { result: Err(error), .. } => {
            write!(console, "no result: {error}")?;
        }
        ServerMessage::ReducerResult { outcome, .. } => match outcome {
            ReducerOutcome::Ok { query_sets, .. } => {
                let changed = tables.update(query_sets)?;
                write!(console, "committed{changed}")?;
            }
            ReducerOutcome::OkEmpty => write!(console, "committed")?,
            ReducerOutcome::Err(error) => {
                let error = <&str>::from_slice(error).unwrap_or("not a text");
                write!(console, "failed: {error}")?;
            }
            ReducerOutcome::InternalError(error) => write!(console, "could not run: {error}")?,
            _ => return Err("a reducer ended in a new way".into()),
        },
        ServerMessage::ProcedureResult { status, .. } => match status {
            ProcedureStatus::Returned(value) => {
                write!(console, "returned {} bytes", value.len())?;
            }
            ProcedureStatus::InternalError(error) => write!(console, "could not run: {error}")?,
            _ => return Err("a procedure ended in a new way".into()),
        },
        _ => return Err("the message is of a new kind".into()),
    }
    writeln!(console)?;
    Ok(())
}
