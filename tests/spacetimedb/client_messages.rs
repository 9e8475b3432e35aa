//! Messages of a client: written from what the vectors say is in them, and read again.

use onewrite::bsatn::Decode;
use onewrite::spacetimedb::{CallArguments, Queries, v1, v2, v3};
use serde_json::Value as Json;

use crate::messages::{same, text_of, u32_of};
use crate::report::hex;

pub(crate) fn compare_v1(wire: &[u8], content: &Json) -> Result<(), String> {
    use v1::ClientMessage as Message;
    let args = bytes_of(&content["args_hex"])?;
    let message_id = bytes_of(&content["message_id_hex"])?;
    let texts = texts_of(&content["queries"])?;
    let queries = Queries::new(&texts);
    let request_id = || u32_of(&content["request_id"]);
    let query_id = || u32_of(&content["query_id"]);
    let query = || text_of(&content["query"]);
    let message = match content["tag"].as_u64() {
        Some(0) => Message::CallReducer {
            reducer: text_of(&content["reducer"])?,
            args: args.as_slice(),
            request_id: request_id()?,
            no_success_notify: flag_of(&content["flags"])?,
        },
        Some(1) => Message::Subscribe { queries, request_id: request_id()? },
        Some(2) => Message::OneOffQuery { message_id: &message_id, query: query()? },
        Some(3) => Message::SubscribeSingle {
            query: query()?,
            request_id: request_id()?,
            query_id: query_id()?,
        },
        Some(4) => {
            Message::SubscribeMulti { queries, request_id: request_id()?, query_id: query_id()? }
        }
        Some(5) => Message::Unsubscribe { request_id: request_id()?, query_id: query_id()? },
        Some(6) => Message::UnsubscribeMulti { request_id: request_id()?, query_id: query_id()? },
        Some(7) => Message::CallProcedure {
            procedure: text_of(&content["procedure"])?,
            args: args.as_slice(),
            request_id: request_id()?,
        },
        other => return Err(format!("no message {other:?}")),
    };
    same_v1(&message, wire)?;
    let decoded = Message::from_slice(wire).map_err(|error| error.to_string())?;
    same("decoded", &decoded, &message)?;
    same_v1(&decoded, wire)
}

fn same_v1<A: CallArguments>(
    message: &v1::ClientMessage<'_, A>,
    wire: &[u8],
) -> Result<(), String> {
    same("length", &message.encoded_len(), &wire.len())?;
    let mut out = vec![0; wire.len()];
    message.write_into(&mut out).map_err(|error| error.to_string())?;
    same("bytes", &out.as_slice(), &wire)
}

pub(crate) fn compare_v2(wire: &[u8], content: &Json) -> Result<(), String> {
    use v2::ClientMessage as Message;
    let args = bytes_of(&content["args_hex"])?;
    let texts = texts_of(&content["queries"])?;
    let request_id = u32_of(&content["request_id"])?;
    let query_set_id = || u32_of(&content["query_set_id"]);
    let message = match content["tag"].as_u64() {
        Some(0) => Message::Subscribe {
            request_id,
            query_set_id: query_set_id()?,
            queries: Queries::new(&texts),
        },
        Some(1) => Message::Unsubscribe {
            request_id,
            query_set_id: query_set_id()?,
            send_dropped_rows: flag_of(&content["flags"])?,
        },
        Some(2) => Message::OneOffQuery { request_id, query: text_of(&content["query"])? },
        Some(3) => Message::CallReducer {
            request_id,
            reducer: text_of(&content["reducer"])?,
            args: args.as_slice(),
        },
        Some(4) => Message::CallProcedure {
            request_id,
            procedure: text_of(&content["procedure"])?,
            args: args.as_slice(),
        },
        other => return Err(format!("no message {other:?}")),
    };
    same_v2(&message, wire)?;
    let decoded = Message::from_slice(wire).map_err(|error| error.to_string())?;
    same("decoded", &decoded, &message)?;
    same_v2(&decoded, wire)?;

    // Version 3 is the same, one behind the other.
    let mut out = vec![0; 2 * wire.len()];
    let len = v3::write_into(&[message, decoded], &mut out).map_err(|error| error.to_string())?;
    same("length", &len, &out.len())?;
    same("both", &out.chunks(wire.len()).collect(), &vec![wire, wire])
}

fn same_v2<A: CallArguments>(
    message: &v2::ClientMessage<'_, A>,
    wire: &[u8],
) -> Result<(), String> {
    same("length", &message.encoded_len(), &wire.len())?;
    let mut out = vec![0; wire.len()];
    message.write_into(&mut out).map_err(|error| error.to_string())?;
    same("bytes", &out.as_slice(), &wire)
}

fn bytes_of(json: &Json) -> Result<Vec<u8>, String> {
    if json.is_null() { Ok(Vec::new()) } else { hex(json) }
}

fn texts_of(json: &Json) -> Result<Vec<&str>, String> {
    json.as_array().map_or(Ok(Vec::new()), |texts| texts.iter().map(text_of).collect())
}

fn flag_of(json: &Json) -> Result<bool, String> {
    match json.as_u64() {
        Some(0) => Ok(false),
        Some(1) => Ok(true),
        _ => Err(format!("{json} is no flag")),
    }
}
