//! Replays what a real server and its clients have sent each other.
//!
//! The captures are those under `tests/data/spacetimedb_live`, or instead those under
//! `$ONEWRITE_VECTORS/spacetimedb_live` where that variable is set. Without libtest's capture, so
//! that the counts are seen in a plain `cargo test --test spacetimedb_live`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "spacetimedb_live/rows.rs"]
mod rows;
#[path = "spacetimedb_live/seen.rs"]
mod seen;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use onewrite::bsatn::Decode;
use onewrite::compression::DecompressErrorKind;
use onewrite::spacetimedb::{Payload, v1, v2, v3};
use serde_json::Value as Json;

use seen::Seen;

#[derive(Default)]
struct Counts {
    server: usize,
    client: usize,
    rows: usize,
    /// Payloads that this build cannot inflate, by the feature that it lacks.
    not_built_in: BTreeMap<&'static str, usize>,
    omitted: usize,
    rows_skipped: usize,
}

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--list") {
        println!("spacetimedb_live: test\n\n1 test, 0 benchmarks");
        return ExitCode::SUCCESS;
    }
    let folder = match std::env::var_os("ONEWRITE_VECTORS") {
        Some(folder) => PathBuf::from(folder).join("spacetimedb_live"),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/spacetimedb_live"),
    };
    let (mut counts, mut failed) = (Counts::default(), 0);
    let index = std::fs::read_to_string(folder.join("index.jsonl")).unwrap_or_default();
    // All that an exchange has carried so far; none where some of it could not be read.
    let mut exchanges: BTreeMap<(String, u64), Option<Seen>> = BTreeMap::new();
    for line in index.lines() {
        let line: Json = serde_json::from_str(line).unwrap();
        let key = (line["session"].to_string(), line["exchange"].as_u64().unwrap_or_default());
        let exchange = exchanges.entry(key).or_insert_with(|| Some(Seen::default()));
        if let Err(why) = replay(&folder, &line, exchange, &mut counts) {
            println!("test {} {} ... FAILED\n    {why}", line["session"], line["exchange"]);
            failed += 1;
        }
    }
    println!(
        "{} live messages: {} of servers, {} of clients",
        counts.server + counts.client,
        counts.server,
        counts.client
    );
    println!("{} row checks", counts.rows);
    for (feature, payloads) in &counts.not_built_in {
        println!("{payloads} payloads SKIPPED, built without the feature `{feature}`");
    }
    println!(
        "{} payloads are not in the captures; {} row checks need them or one SKIPPED",
        counts.omitted, counts.rows_skipped
    );
    if failed == 0 && counts.server > 0 && counts.client > 0 && counts.rows > 0 {
        println!(
            "\ntest result: ok. {} passed; 0 failed; 0 ignored",
            counts.server + counts.client + counts.rows
        );
        return ExitCode::SUCCESS;
    }
    println!("\ntest result: FAILED. {failed} failed; 0 ignored");
    ExitCode::FAILURE
}

fn replay(
    folder: &Path,
    line: &Json,
    exchange: &mut Option<Seen>,
    counts: &mut Counts,
) -> Result<(), String> {
    if line["what"].is_string() {
        return Ok(()); // The payload of a close, or its absence.
    }
    let bytes = if line["omitted"] == true { None } else { Some(slice(folder, line)?) };
    let protocol = line["protocol"].as_str().unwrap_or_default();
    if line["dir"] == "c2s" {
        let Some(bytes) = bytes else { return Ok(()) };
        let damaged = line["session"].as_str().is_some_and(|session| session.starts_with("err-"));
        return match reproduce(protocol, &bytes) {
            Ok(()) => {
                counts.client += 1;
                Ok(())
            }
            Err(_) if damaged => Ok(()),
            Err(why) => Err(why),
        };
    }
    match bytes {
        Some(bytes) => receive(&bytes, line, protocol, exchange, counts)?,
        None => {
            counts.omitted += 1;
            *exchange = None;
        }
    }
    for (table, expected) in line["expect"].as_object().into_iter().flatten() {
        match exchange {
            Some(seen) => {
                rows::compare(table, "inserts", seen.inserts.get(table), &expected["inserts"])?;
                rows::compare(table, "deletes", seen.deletes.get(table), &expected["deletes"])?;
                counts.rows += 1;
            }
            None => counts.rows_skipped += 1,
        }
    }
    Ok(())
}

/// Inflates a server's payload and sees what is in it.
fn receive(
    bytes: &[u8],
    line: &Json,
    protocol: &str,
    exchange: &mut Option<Seen>,
    counts: &mut Counts,
) -> Result<(), String> {
    let payload = Payload::new(bytes).map_err(|why| why.to_string())?;
    match (payload, line["compression_used"].as_str()) {
        (Payload::Plain(_), Some("none"))
        | (Payload::Brotli(_), Some("brotli"))
        | (Payload::Gzip(_), Some("gzip")) => {}
        other => return Err(format!("another compression: {other:?}")),
    }
    let body_len = line["body_len"].as_u64().and_then(|len| usize::try_from(len).ok());
    let body_len = body_len.ok_or("no body_len")?;
    let mut out = vec![0xa5; body_len];
    let body = match payload.decompress(&mut out) {
        Ok(body) => body,
        Err(error) => match error.kind {
            DecompressErrorKind::NotBuiltIn { feature: feature @ "gzip" }
                if cfg!(not(feature = "gzip")) =>
            {
                return skip(feature, exchange, counts);
            }
            DecompressErrorKind::NotBuiltIn { feature: feature @ "brotli" }
                if cfg!(not(feature = "brotli")) =>
            {
                return skip(feature, exchange, counts);
            }
            _ => return Err(error.to_string()),
        },
    };
    if body.len() != body_len {
        return Err(format!("{} bytes, and not {body_len}", body.len()));
    }
    let found = decode(protocol, body, exchange.as_mut())?;
    let expected: Vec<&str> =
        line["kinds"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    if found != expected {
        return Err(format!("{found:?}, and not {expected:?}"));
    }
    counts.server += 1;
    Ok(())
}

fn skip(
    feature: &'static str,
    exchange: &mut Option<Seen>,
    counts: &mut Counts,
) -> Result<(), String> {
    *counts.not_built_in.entry(feature).or_default() += 1;
    *exchange = None;
    Ok(())
}

fn slice(folder: &Path, line: &Json) -> Result<Vec<u8>, String> {
    let file = folder.join(line["file"].as_str().ok_or("no file")?);
    let bytes = std::fs::read(&file).map_err(|why| format!("{}: {why}", file.display()))?;
    let number = |name: &str| line[name].as_u64().and_then(|number| usize::try_from(number).ok());
    let (offset, len) = (number("offset").ok_or("no offset")?, number("len").ok_or("no len")?);
    bytes.get(offset..offset + len).map(<[u8]>::to_vec).ok_or_else(|| "not in the file".to_owned())
}

/// The kinds of the messages of a body, whose rows go to `seen`.
fn decode(protocol: &str, body: &[u8], seen: Option<&mut Seen>) -> Result<Vec<String>, String> {
    let mut unseen = Seen::default();
    let seen = seen.unwrap_or(&mut unseen);
    let refused = |error: onewrite::error::DecodeError| error.to_string();
    match protocol {
        "v1" => {
            let message = v1::ServerMessage::from_slice(body).map_err(refused)?;
            seen.v1(&message);
            Ok(vec![kind(&message)])
        }
        "v2" => {
            let message = v2::ServerMessage::from_slice(body).map_err(refused)?;
            seen.v2(&message);
            Ok(vec![kind(&message)])
        }
        _ => v3::ServerMessages::new(body)
            .map_err(refused)?
            .map(|message| {
                let message = message.map_err(refused)?;
                seen.v2(&message);
                Ok(kind(&message))
            })
            .collect(),
    }
}

/// The name of the variant.
fn kind(message: &impl std::fmt::Debug) -> String {
    let text = format!("{message:?}");
    text.split(' ').next().unwrap_or_default().to_owned()
}

/// Decodes a client's payload and writes it again.
fn reproduce(protocol: &str, bytes: &[u8]) -> Result<(), String> {
    let mut out = vec![0xa5; bytes.len()];
    let len = if protocol == "v1" {
        let message = v1::ClientMessage::from_slice(bytes).map_err(|why| why.to_string())?;
        message.write_into(&mut out).map_err(|why| why.to_string())?
    } else {
        let (mut messages, mut rest) = (Vec::new(), bytes);
        while !rest.is_empty() && (protocol == "v3" || messages.is_empty()) {
            let message;
            (message, rest) = v2::ClientMessage::take_from(rest).map_err(|why| why.to_string())?;
            messages.push(message);
        }
        v3::write_into(&messages, &mut out).map_err(|why| why.to_string())?
    };
    if out[..len] == *bytes { Ok(()) } else { Err("other bytes than the client's".to_owned()) }
}
