//! Messages of servers and clients, whole and damaged.

use std::collections::BTreeMap;
use std::path::Path;

use onewrite::bsatn::Decode;
use onewrite::compression::DecompressErrorKind;
use onewrite::spacetimedb::{Payload, v1, v2, v3};
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};

use crate::report::{Report, hex, load};
use crate::{client_messages, damage, rows, v1_messages, v2_messages};

/// What became of a message that passed.
enum Seen {
    /// Every field and row is what the vector says.
    Compared,
    /// It is compressed, or rows in it are, with what this build does not have: it said so.
    Skipped(&'static str),
}

/// Whether this build has what a payload or an update is compressed with.
pub(crate) fn is_built_in(feature: &str) -> bool {
    match feature {
        "gzip" => cfg!(feature = "gzip"),
        "brotli" => cfg!(feature = "brotli"),
        _ => true,
    }
}

/// Compares every message of `folder/messages.json`.
pub(crate) fn run(report: &mut Report, folder: &Path) {
    let cases = match load(&folder.join("messages.json")) {
        Ok(cases) => cases,
        Err(why) => return report.fail("messages are there", &why),
    };
    let (mut compared, mut skipped) = (0, BTreeMap::<_, usize>::new());
    for case in &cases {
        match compare(folder, case) {
            Ok(Seen::Compared) => compared += 1,
            Ok(Seen::Skipped(feature)) => *skipped.entry(feature).or_default() += 1,
            Err(why) => {
                report.fail(&format!("message {} {}", case["name"], case["compression"]), &why);
            }
        }
    }
    if compared == 0 {
        report.fail("messages are compared", "none was");
    }
    report.pass(compared);
    println!("{compared} messages");
    for (feature, skipped) in skipped {
        println!("{skipped} messages SKIPPED, built without the feature `{feature}`");
    }
}

fn compare(folder: &Path, case: &Json) -> Result<Seen, String> {
    let bytes = match case["file"].as_str() {
        Some(file) => std::fs::read(folder.join(file)).map_err(|why| format!("{file}: {why}"))?,
        None => build(&case["content"])?,
    };
    same("bytes", &(bytes.len() as u64), &case["len"].as_u64().ok_or("no length")?)?;
    let digest: Vec<u8> = Sha256::digest(&bytes).to_vec();
    same("sha256", &digest, &hex(&case["sha256"])?)?;

    let content = &case["content"];
    let protocol = case["protocol"].as_str().unwrap_or_default();
    if case["direction"] == "client" {
        match protocol {
            "v1" => client_messages::compare_v1(&bytes, content)?,
            _ => client_messages::compare_v2(&bytes, content)?,
        }
        damage::client(protocol, &bytes)?;
        return Ok(Seen::Compared);
    }

    let payload = Payload::new(&bytes).map_err(|error| error.to_string())?;
    match (payload, case["compression"].as_str()) {
        (Payload::Plain(body), Some("none"))
        | (Payload::Brotli(body), Some("brotli"))
        | (Payload::Gzip(body), Some("gzip"))
            if body == &bytes[1..] => {}
        _ => return Err("another compression".to_owned()),
    }
    let body_len = case["body_len"].as_u64().and_then(|len| usize::try_from(len).ok());
    let mut out = vec![0xa5; body_len.ok_or("no body_len")?];
    let body = match payload.decompress(&mut out) {
        Ok(body) => body,
        Err(error) => return not_built_in(error.kind).ok_or_else(|| error.to_string()),
    };
    let digest: Vec<u8> = Sha256::digest(body).to_vec();
    same("body's sha256", &digest, &hex(&case["body_sha256"])?)?;
    if let Some(claimed) = payload.decompressed_len() {
        same("foretold length", &claimed, &body.len())?;
    }

    let refused = |error: onewrite::error::DecodeError| error.to_string();
    let mut seen = Seen::Compared;
    match protocol {
        "v1" => {
            let message = v1::ServerMessage::from_slice(body).map_err(refused)?;
            if let v1_messages::Inner::NotBuiltIn(feature) =
                v1_messages::compare(&message, content)?
            {
                seen = Seen::Skipped(feature);
            }
        }
        "v2" => {
            v2_messages::compare(&v2::ServerMessage::from_slice(body).map_err(refused)?, content)?;
        }
        "v3" => {
            let expected = content["consecutive"].as_array().ok_or("no messages")?;
            let messages: Vec<_> =
                v3::ServerMessages::new(body).and_then(Iterator::collect).map_err(refused)?;
            same("messages", &messages.len(), &expected.len())?;
            for (message, expected) in messages.iter().zip(expected) {
                v2_messages::compare(message, expected)?;
            }
        }
        other => return Err(format!("no protocol {other}")),
    }
    damage::server(protocol, body)?;
    Ok(seen)
}

/// The feature that is missing, where that is what an error is about.
fn not_built_in(kind: DecompressErrorKind) -> Option<Seen> {
    match kind {
        DecompressErrorKind::NotBuiltIn { feature } if !is_built_in(feature) => {
            Some(Seen::Skipped(feature))
        }
        _ => None,
    }
}

/// The payload of a message of version 2 whose bytes were too many to keep, from what it holds.
fn build(content: &Json) -> Result<Vec<u8>, String> {
    let mut out = vec![0];
    match content["tag"].as_u64() {
        Some(4) => {
            out.push(4);
            out.extend(build_update(content)?);
        }
        Some(6) if content["outcome"]["tag"] == 0 => {
            out.push(6);
            out.extend(u32_of(&content["request_id"])?.to_le_bytes());
            out.extend(i64_of(&content["timestamp_micros"])?.to_le_bytes());
            out.push(0);
            let value = hex(&content["outcome"]["ret_value_hex"])?;
            out.extend(rows::bytes(&value.as_slice()));
            out.extend(build_update(&content["outcome"])?);
        }
        Some(7) => {
            out.extend([7, 0]);
            out.extend(rows::bytes(&returned(&content["status"]["returned"])?.as_slice()));
            out.extend(i64_of(&content["timestamp_micros"])?.to_le_bytes());
            out.extend(i64_of(&content["duration_micros"])?.to_le_bytes());
            out.extend(u32_of(&content["request_id"])?.to_le_bytes());
        }
        _ => return Err("no file, and not made here".to_owned()),
    }
    Ok(out)
}

/// One set of one table of one entry of inserts.
fn build_update(content: &Json) -> Result<Vec<u8>, String> {
    let table = content["table"].as_str().ok_or("no table")?;
    let id = u32_of(&content["query_set_id"])?;
    let mut out = rows::bytes(&(1u32, id, 1u32, table, 1u32, 0u8));
    out.extend(rows::encode(&content["rows"])?);
    out.extend(rows::bytes(&onewrite::bsatn::RowList::default()));
    Ok(out)
}

/// What a procedure of the vectors returns: a list of ids from 0 on.
pub(crate) fn returned(of: &Json) -> Result<Vec<u8>, String> {
    let count = u32_of(&of["array_of_product_u32_seq"])?;
    Ok(rows::bytes(&rows::sequence(count).as_slice()))
}

pub(crate) fn u32_of(json: &Json) -> Result<u32, String> {
    let value = json.as_u64().and_then(|value| value.try_into().ok());
    value.ok_or_else(|| format!("{json} is no u32"))
}

pub(crate) fn i64_of(json: &Json) -> Result<i64, String> {
    json.as_i64().ok_or_else(|| format!("{json} is no i64"))
}

pub(crate) fn text_of(json: &Json) -> Result<&str, String> {
    json.as_str().ok_or_else(|| format!("{json} is no text"))
}

/// Whether a field is what it should be.
pub(crate) fn same<T: PartialEq + std::fmt::Debug>(
    field: &str,
    found: &T,
    expected: &T,
) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{field} is {found:?}, and not {expected:?}"))
}
