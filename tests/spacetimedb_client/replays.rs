//! Captured connections, from the first byte to the last row.

use onewrite::websocket::CloseCode;

use super::captures::{Session, sessions};
use super::model::Model;
use super::numbers::Random;
use super::server::{Cuts, Peer, applied, greeting, subscription};
use super::{Said, TYPED, is_emulated, model, run, shown};

/// Sends all that the server of a captured connection has sent, and what the capture lacks in between.
fn replay(session: &Session, typed: bool, cuts: Cuts) -> (Said, Model) {
    let protocol = session.protocol.as_str();
    let compression = session.compression.as_deref().unwrap_or("Brotli");
    let mut model = Model { by_id: typed, ..Model::default() };
    let (mut payloads, mut most, mut close) = (Vec::new(), 0, None);
    for message in session.messages.iter().filter(|message| message.of_server) {
        let Some(bytes) = &message.bytes else { continue };
        if message.closes {
            close = Some(bytes.clone());
            break;
        }
        let changes = model::changes(protocol, bytes);
        let gap = model.gap(&changes);
        if !gap.is_empty() {
            payloads.push(model::payload(protocol, compression, &gap));
            model.apply(&gap);
        }
        payloads.push(bytes.clone());
        model.apply(&changes);
        most = most.max(model.rows.len());
    }
    let asked = compression.to_lowercase();
    // The largest message changes as many rows as there are room for.
    let capacity = if most > 3_000 { "28672" } else { "3584" };
    let mut words = vec!["--protocol", protocol, "--compression", &asked, "--capacity", capacity];
    words.extend(if typed { &TYPED[..] } else { &TYPED[2..] });
    let said = run(&words, |listener| {
        let mut peer = Peer::accept(listener, cuts);
        let target = format!("/v1/database/a%20b/subscribe?compression={compression}");
        assert_eq!(peer.target(), target);
        assert_eq!(peer.open(), format!("{protocol}.bsatn.spacetimedb"));
        let greets = |payload: &&Vec<u8>| payload.len() == 440 && matches!(payload[1], 0 | 3);
        if payloads.first().filter(greets).is_none() {
            peer.send(&greeting(protocol));
        } else {
            let first = payloads.remove(0);
            peer.send(&first);
        }
        let message = peer.receive().unwrap();
        let (request_id, set, queries) = subscription(protocol, &message);
        assert_eq!((set, queries), (1, vec!["SELECT * FROM tick".to_owned()]));
        peer.send(&applied(protocol, request_id, &[]));
        for payload in &payloads {
            peer.send(payload);
        }
        match &close {
            Some(bytes) => {
                let code = CloseCode::new(u16::from_be_bytes([bytes[0], bytes[1]])).unwrap();
                peer.close(code, std::str::from_utf8(&bytes[2..]).unwrap());
            }
            None => peer.close(CloseCode::NORMAL, "replayed"),
        }
        let code = close.map_or(1000, |bytes| u16::from_be_bytes([bytes[0], bytes[1]]));
        let (closed, pings, pongs) = peer.end();
        assert_eq!((closed, pings), (Some(code), pongs));
    });
    (said, model)
}

fn check(session: &Session, typed: bool, said: &Said, model: &Model) {
    let name = format!("{} {typed}", session.name);
    assert_eq!(said.code, 1, "{name}: {}{}", said.out, said.err);
    assert!(said.err.contains("server closed with 1"), "{name}: {}", said.err);
    let [inserted, updated, deleted] = model.counts;
    let rows = model.rows.len();
    let end =
        format!("ended: {rows} rows; {inserted} inserted, {updated} updated, {deleted} deleted\n");
    assert!(said.out.ends_with(&end), "{name}: {end}{}", said.out.lines().last().unwrap());
    let mut expected: Vec<String> = model
        .rows
        .iter()
        .map(|((table, _), (row, _))| format!("= {}", shown(table, row, typed)))
        .collect();
    expected.sort();
    // Results of queries, which nobody keeps, are printed with the same sign: the rows come last.
    let mut found: Vec<&str> = said.out.lines().rev().skip(1).take(expected.len()).collect();
    found.sort_unstable();
    assert_eq!(found.len(), expected.len(), "{name}");
    for (found, expected) in found.iter().zip(&expected) {
        assert!(found.starts_with(expected.as_str()), "{name}: {found}, not {expected}");
        if expected.starts_with("= sink {") {
            let row: serde_json::Value = serde_json::from_str(&found[7..]).unwrap();
            let id = row["id"].as_i64().unwrap();
            assert_eq!(row["s"], format!("sink {id} ü"));
            assert_eq!(row["a_i128"], "fffffff0000000000000000000000000");
            assert_eq!(row["every"]["Interval"]["__time_duration_micros__"], 250);
            assert_eq!(row["pair"]["second"], "pair");
        } else {
            assert_eq!(found, expected, "{name}");
        }
    }
    let count = |start| said.lines(start).len() as u64;
    assert_eq!([count("+ "), count("~ "), count("- ")], model.counts, "{name}");
}

/// Those of one version: with types and cut anyhow; shorter ones without types and in a server's frames as
/// well.
fn replay_all(protocol: &str) {
    let (mut connections, mut rows, mut changed) = (0, 0, [0; 3]);
    let of_version = sessions().into_iter().filter(|session| session.protocol == protocol);
    for (seed, session) in of_version.enumerate() {
        for typed in [true, false] {
            // Long ones once, and not where an emulator reads them.
            let is_long = rows_of_most(&session) > 3_000;
            if is_long && (!typed || is_emulated()) {
                continue;
            }
            let cuts = if typed { Cuts::Anyhow(Random::of(seed as u64 + 1)) } else { Cuts::Frames };
            let (said, model) = replay(&session, typed, cuts);
            check(&session, typed, &said, &model);
            rows += model.rows.len();
            for (sum, count) in changed.iter_mut().zip(model.counts) {
                *sum += count;
            }
        }
        connections += 1;
    }
    println!("{protocol}: {connections} connections, {rows} rows at the end, {changed:?} changes");
    assert!(connections > 8 && (rows > 10_000 || is_emulated()));
}

/// Bytes of the longest payload, as rows of the shortest table.
fn rows_of_most(session: &Session) -> usize {
    let lengths = session.messages.iter().filter_map(|message| message.bytes.as_ref());
    lengths.map(Vec::len).max().unwrap_or(0) / 7
}

#[test]
fn every_captured_connection_of_version_1_ends_with_the_right_rows() {
    replay_all("v1");
}

#[test]
fn every_captured_connection_of_version_2_ends_with_the_right_rows() {
    replay_all("v2");
}

#[test]
fn every_captured_connection_of_version_3_ends_with_the_right_rows() {
    replay_all("v3");
}
