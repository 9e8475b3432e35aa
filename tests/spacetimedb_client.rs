//! The example `spacetimedb_client` against a server made of the captured connections, and against
//! servers that do what servers should not.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic"
)]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "spacetimedb_connection/captures.rs"]
mod captures;
#[path = "../examples/spacetimedb_client/client/mod.rs"]
mod client;
#[path = "spacetimedb_client/model.rs"]
mod model;
#[path = "spacetimedb_client/server.rs"]
mod server;

use std::fmt::Write as _;
use std::net::TcpListener;
use std::thread;

use onewrite::bsatn::Decode as _;
use onewrite::spacetimedb::{v1, v2};
use onewrite::websocket::CloseCode;

use captures::{Session, sessions};
use model::Model;
use server::{Cuts, Numbers, Peer, applied, greeting, listener, subscription};

const SCHEMA: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/spacetimedb_client/schema.json");

/// What the client has said, and its exit code.
#[derive(Debug)]
struct Said {
    code: u8,
    out: String,
    err: String,
}

impl Said {
    fn lines(&self, start: &str) -> Vec<&str> {
        self.out.lines().filter(|line| line.starts_with(start)).collect()
    }
}

/// Holds a command that starts the client on another machine, and hands its arguments to a shell there: ssh,
/// with the client's program as its last word. `{port}` in it stands for the server's port here, which has to
/// lead back to this machine from the same port of loopback there. Tests that read or write files of
/// this machine by name then leave out what they say about them.
const ELSEWHERE: &str = "ONEWRITE_SPACETIMEDB_CLIENT";

fn run_elsewhere(command: &str, address: &str, words: &[String]) -> Said {
    let (_, port) = address.rsplit_once(':').unwrap();
    let command = command.replace("{port}", port);
    let mut command = command.split(' ').filter(|word| !word.is_empty());
    let mut process = std::process::Command::new(command.next().unwrap());
    process.args(command);
    for word in &words[1..] {
        process.arg(format!("'{}'", word.replace('\'', "'\\''")));
    }
    let output = process.stdin(std::process::Stdio::null()).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    Said { code: u8::try_from(output.status.code().unwrap()).unwrap(), out, err }
}

/// Runs the client against what `serve` does.
fn run(words: &[&str], serve: impl FnOnce(&TcpListener)) -> Said {
    let listener = listener();
    let address = server::address(&listener).to_string();
    let words: Vec<String> = ["spacetimedb_client", "--server", &address, "--database", "a b"]
        .iter()
        .chain(words)
        .map(|word| match std::env::var("ONEWRITE_SPACETIMEDB_SCHEMA") {
            Ok(there) if *word == SCHEMA => there,
            _ => (*word).to_owned(),
        })
        .collect();
    let elsewhere = std::env::var(ELSEWHERE).ok();
    thread::scope(|scope| {
        let client = scope.spawn(move || {
            if let Some(command) = elsewhere {
                return run_elsewhere(&command, &address, &words);
            }
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let code = client::run(words.into_iter().map(Into::into), &mut out, &mut err);
            let [out, err] = [out, err].map(|bytes| String::from_utf8(bytes).unwrap());
            Said { code, out, err }
        });
        serve(&listener);
        drop(listener);
        client.join().unwrap()
    })
}

/// The arguments of a client that asks for everything with types.
const TYPED: [&str; 5] = ["--schema", SCHEMA, "--query", "SELECT * FROM tick", "--rows"];

fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// A row as the client prints it.
fn shown(table: &str, row: &[u8], typed: bool) -> String {
    if !typed {
        return format!("{table} \"{}\"", digits(row));
    }
    let id = u32::from_le_bytes(*row.first_chunk().unwrap());
    match table {
        "tick" => {
            let v = i16::from_le_bytes([row[4], row[5]]);
            format!("tick {{\"id\":{id},\"v\":{v},\"on\":{}}}", row[6] == 1)
        }
        "note" => {
            let text = <&str>::from_slice(&row[4..]).unwrap();
            format!("note {{\"id\":{id},\"text\":\"{text}\"}}")
        }
        _ => format!("{table} {{\"id\":{id},"),
    }
}

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
            let cuts =
                if typed { Cuts::Anyhow(Numbers::new(seed as u64 + 1)) } else { Cuts::Frames };
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

/// Whether times would be the emulator's.
fn is_emulated() -> bool {
    !onewrite_boards::label().measures_time()
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

const VERSIONS: [&str; 3] = ["v1", "v2", "v3"];

fn tick(id: u32, v: i16) -> [u8; 7] {
    let (id, v) = (id.to_le_bytes(), v.to_le_bytes());
    [id[0], id[1], id[2], id[3], v[0], v[1], 1]
}

/// Connects, and has these ticks.
fn subscribed(listener: &TcpListener, protocol: &str, ticks: &[[u8; 7]]) -> Peer {
    let mut peer = Peer::accept(listener, Cuts::Frames);
    peer.open();
    let id = peer.greet(protocol, &greeting(protocol));
    let rows = ticks.iter().map(<[u8; 7]>::as_slice).collect();
    peer.send(&applied(protocol, id, &[("tick", rows)]));
    peer
}

/// A payload in which these rows come and those go.
fn update(protocol: &str, inserts: &[[u8; 7]], deletes: &[[u8; 7]]) -> Vec<u8> {
    let rows = |rows: &[[u8; 7]], copies| {
        let key = |row: &[u8; 7]| (("tick".to_owned(), row.to_vec()), copies);
        rows.iter().map(key).collect::<Vec<_>>()
    };
    let changes = rows(inserts, 1).into_iter().chain(rows(deletes, -1)).collect();
    model::payload(protocol, "None", &changes)
}

#[test]
fn a_cut_connection_comes_back_and_says_what_has_changed() {
    for protocol in VERSIONS {
        // The second connection is cut at each byte in turn that a message may be cut at.
        for cut in [0, 1, 2, 3, 20, 40, 60, 70] {
            let words = [&TYPED[..], &["--protocol", protocol, "--reconnect=5", "--backoff", "1"]];
            let said = run(&words.concat(), |listener| {
                let mut peer =
                    subscribed(listener, protocol, &[tick(1, 10), tick(2, 20), tick(3, 30)]);
                let frames = peer.frames(&update(protocol, &[tick(4, 40)], &[tick(1, 10)]));
                peer.write(&frames[..cut.min(frames.len() - 1)]);
                peer.hang_up();
                // One that is gone before it has greeted, one that is no WebSocket for now.
                Peer::accept(listener, Cuts::Frames).hang_up();
                let mut busy = Peer::accept(listener, Cuts::Frames);
                busy.write(b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n");
                busy.hang_up();
                let now = [tick(2, 20), tick(3, 33), tick(5, 50)];
                let mut peer = subscribed(listener, protocol, &now);
                // It comes back as the same.
                assert_eq!(peer.field("authorization"), Some("Bearer token"));
                peer.send(&update(protocol, &[tick(2, 22)], &[tick(2, 20)]));
                peer.close(CloseCode::GOING_AWAY, "module exited");
                let (closed, ..) = peer.end();
                assert_eq!(closed, Some(1001));
                for _ in 0..5 {
                    Peer::accept(listener, Cuts::Frames).hang_up();
                }
            });
            let changes: Vec<&str> = said
                .out
                .lines()
                .filter(|line| line.starts_with(['+', '-', '~', '=']) || line.starts_with("sub"))
                .collect();
            let on = "\"on\":true}";
            let mut expected: Vec<String> =
                [(1, 10), (2, 20), (3, 30)].map(|(id, v)| row('+', id, v)).into();
            expected.push("subscribed: 3 rows".to_owned());
            expected.push(row('+', 5, 50));
            expected.push(format!("~ tick {{\"id\":3,\"v\":30,{on} -> {{\"id\":3,\"v\":33,{on}"));
            expected.push(row('-', 1, 10));
            expected.push("subscribed: 3 rows".to_owned());
            expected.push(format!("~ tick {{\"id\":2,\"v\":20,{on} -> {{\"id\":2,\"v\":22,{on}"));
            let (changes, rows) = changes.split_at(changes.len() - 3);
            assert_eq!(changes, expected, "{protocol} cut at {cut}");
            let mut rows = rows.to_vec();
            rows.sort_unstable();
            assert_eq!(rows, [(2, 22), (3, 33), (5, 50)].map(|(id, v)| row('=', id, v)));
            assert_eq!(said.code, 1);
            assert_eq!(said.lines("lost: ").len(), 8, "{}", said.out);
            let inside = said.out.contains("server hung up inside a message");
            assert_eq!(inside, cut >= 2, "cut at {cut}: {}", said.out);
        }
    }
}

fn row(sign: char, id: u32, v: i16) -> String {
    format!("{sign} tick {{\"id\":{id},\"v\":{v},\"on\":true}}")
}

#[test]
fn a_message_that_was_cut_has_never_come() {
    // Rows that were handed on of a message that never ended: neither there, nor in the way later.
    let words = [&TYPED[..], &["--protocol", "v2", "--reconnect=1", "--backoff", "1"]].concat();
    let said = run(&words, |listener| {
        let mut peer = subscribed(listener, "v2", &[tick(1, 1)]);
        let many: Vec<[u8; 7]> = (100..1_000).map(|id| tick(id, 5)).collect();
        let frames = peer.frames(&update("v2", &many, &[tick(1, 1)]));
        peer.write(&frames[..frames.len() - 1]);
        peer.hang_up();
        let peer = subscribed(listener, "v2", &[tick(1, 1)]);
        peer.hang_up();
        Peer::accept(listener, Cuts::Frames).hang_up();
    });
    assert!(
        said.out.ends_with("ended: 1 rows; 1 inserted, 0 updated, 0 deleted\n"),
        "{}",
        said.out
    );
}

#[test]
fn every_close_code_is_told_and_answered() {
    let codes: Vec<u16> =
        (1000..=1003).chain(1007..=1014).chain([3000, 3999, 4000, 4999]).collect();
    for code in codes {
        let close = CloseCode::new(code).unwrap();
        let said = run(&TYPED, |listener| {
            let mut peer = subscribed(listener, "v3", &[tick(1, 1)]);
            peer.close(close, "for a reason");
            let (closed, ..) = peer.end();
            assert_eq!(closed, Some(code));
        });
        assert_eq!(said.code, 1);
        let message = format!("spacetimedb_client: server closed with {code} for a reason\n");
        assert_eq!(said.err, message);
        assert!(said.out.contains("ended: 1 rows; 1 inserted"));
    }
    // One without a code, and one that may not be sent.
    for (frame, closed, message) in [
        (&b"\x88\0"[..], 1000, "server closed without a reason"),
        (b"\x88\x02\x03\xed", 1002, "close code 1005 may not be sent in the frame at byte"),
    ] {
        let said = run(&TYPED, |listener| {
            let mut peer = subscribed(listener, "v3", &[]);
            peer.write(frame);
            assert_eq!(peer.end().0, Some(closed));
        });
        assert!(said.err.contains(message), "{}", said.err);
    }
}

/// A server that answers the handshake with these bytes.
fn answered(answer: &str, words: &[&str]) -> Said {
    run(&[&TYPED[..], words].concat(), |listener| {
        let mut peer = Peer::accept(listener, Cuts::Frames);
        peer.write(answer.as_bytes());
        peer.end();
    })
}

#[test]
fn what_is_no_websocket_is_told_and_not_tried_again() {
    for code in [200, 301, 400, 401, 403, 404, 426] {
        let answer = format!("HTTP/1.1 {code} no\r\ncontent-length: 0\r\n\r\n");
        let said = answered(&answer, &["--reconnect", "--backoff", "1"]);
        assert_eq!(said.code, 1);
        assert!(
            said.err.ends_with(&format!("server answers with status {code}\n")),
            "{}",
            said.err
        );
    }
    for code in [408, 429, 500, 502, 503, 504] {
        let answer = format!("HTTP/1.1 {code} no\r\ncontent-length: 0\r\n\r\n");
        let said = answered(&answer, &["--reconnect=1", "--backoff", "1"]);
        let lost = format!("lost: server answers with status {code}; comes back in ");
        assert_eq!(said.lines(&lost).len(), 1, "{}", said.out);
        // Nobody listens any more, or has only just stopped to.
        assert!(said.err.contains("connection") || said.err.contains("hung up"), "{}", said.err);
    }
    let long = format!("HTTP/1.1 101 yes\r\nx: {}\r\n", "y".repeat(5_000));
    for (answer, message) in [
        ("SSH-2.0-OpenSSH_9.2\r\n\r\n", "response is no HTTP"),
        ("HTTP/1.1 101 yes\r\n\r\n", "server does not say that it speaks WebSocket"),
        (
            "HTTP/1.1 101 yes\r\nupgrade: websocket\r\nconnection: upgrade\r\n\
             sec-websocket-accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n",
            "server does not prove that it has read the request",
        ),
        (
            "HTTP/1.1 101 yes\r\nsec-websocket-protocol: v1.json.spacetimedb\r\n\r\n",
            "server has a subprotocol that was not asked for",
        ),
        (&long, "server's response is longer than 4096 bytes"),
    ] {
        let said = answered(answer, &["--reconnect", "--backoff", "1"]);
        assert_eq!(said.code, 1);
        assert!(said.err.contains(message), "{}, not {message}", said.err);
    }
}

#[test]
fn a_server_that_chooses_no_or_another_version_is_refused() {
    let said = run(&[&TYPED[..], &["--protocol", "v2"]].concat(), |listener| {
        let mut peer = Peer::accept(listener, Cuts::Frames);
        assert_eq!(peer.field("sec-websocket-protocol"), Some("v2.bsatn.spacetimedb"));
        // As if none had been offered.
        peer.head = peer.head.replace("sec-websocket-protocol: ", "x: ");
        peer.open_without_protocol();
        peer.end();
    });
    assert!(said.err.contains("server has chosen no subprotocol"), "{}", said.err);
    for (offered, chosen) in [("auto", "v3"), ("v1", "v1"), ("v2", "v2"), ("v3", "v3")] {
        let words = [&TYPED[..], &["--protocol", offered, "--once"]].concat();
        let said = run(&words, |listener| {
            let mut peer = Peer::accept(listener, Cuts::Frames);
            assert_eq!(peer.open(), format!("{chosen}.bsatn.spacetimedb"));
            let id = peer.greet(chosen, &greeting(chosen));
            peer.send(&applied(chosen, id, &[("tick", vec![&tick(7, 8)])]));
            assert_eq!(peer.end().0, Some(1000));
        });
        assert_eq!((said.code, said.err.as_str()), (0, ""));
        assert_eq!(said.lines("= "), [row('=', 7, 8)]);
    }
}

#[test]
fn hostile_messages_end_only_the_connection_and_have_a_place() {
    let list = |hint: &[u8]| {
        let head = b"\0\x04\x01\0\0\0\x01\0\0\0\x01\0\0\0\x04\0\0\0tick\x01\0\0\0\0";
        [head.as_slice(), hint].concat()
    };
    let bomb = model::compress("Gzip", vec![0; 4 << 20]);
    let mut claim = b"\x01\x0b\0\0\0".to_vec();
    claim.extend([0xff; 40]);
    let cases: Vec<(Vec<u8>, u16, &str)> = vec![
        // Lengths of frames, of messages, of lists and of what is in them.
        (b"\x82\x7f\xff\xff\xff\xff\xff\xff\xff\xff".into(), 1002, "length has 64 bits"),
        (b"\x82\x7e\0\x01".into(), 1002, "length takes more bytes than it needs"),
        (b"\x82\xfe".into(), 0, ""),
        (b"\x89\x7e\0\xff".into(), 1002, "control frame has more than 125 bytes"),
        (b"\x83\0".into(), 1002, "opcode 0x3 is reserved"),
        (b"\xc2\0".into(), 1002, "reserved bits are set"),
        (b"\x80\0".into(), 1002, "there is no message to go on with"),
        (b"\x81\x02hi".into(), 1003, "a text instead of bytes in payload 2"),
        (b"\x82\0".into(), 1007, "no byte at all in payload 2"),
        (frame(&[9, 9]), 1007, "unknown compression 9 in payload 2"),
        (frame(&[0]), 1007, "at byte 0 in payload 2"),
        (frame(&[0, 99]), 1007, "at byte 0 in payload 2"),
        (frame(&[0, 3, 1]), 1007, "at byte 2 in payload 2"),
        (frame(&list(b"\x02")), 1007, "at byte 26 in payload 2"),
        (frame(&list(b"\0\x07\0\x08\0\0\0aaaaaaaa")), 1007, "at byte 29 in payload 2"),
        (frame(&list(b"\0\0\0\x08\0\0\0aaaaaaaa")), 1007, "at byte 29 in payload 2"),
        (frame(&list(b"\0\xff\xff\xff\xff\0\0a")), 1009, "at byte 33 in payload 2"),
        (frame(&list(b"\x01\xff\xff\xff\xff")), 1009, "lend room for 4294967295 offsets"),
        (frame(&list(b"\x01\x01\0\0\0\x01\0\0\0\0\0\0\0")), 1007, "at byte 31 in payload 2"),
        (
            frame(b"\0\x04\x01\0\0\0\x01\0\0\0\x01\0\0\0\xff\xff\xff\xff"),
            1009,
            "at byte 17 in payload 2",
        ),
        (frame(&[&[0, 4][..], &[0xff; 4]].concat()), 1007, "in payload 2"),
        // What does not inflate, or to too much.
        (frame(b"\x02\x1f\x8b\x08\0"), 1007, "in payload 2"),
        (frame(b"\x02no gzip at all, not even near"), 1007, "at compressed byte 1 in payload 2"),
        (frame(&bomb), 1009, "inflates to 4194304 bytes or more in payload 2"),
        (frame(&claim), 1007, "in payload 2"),
        // Rows that cannot be.
        (frame(&update("v2", &[tick(1, 2)], &[])), 1008, "another row than the one that is there"),
        (frame(&update("v2", &[], &[tick(9, 9)])), 1008, "nothing there to remove or replace"),
        (frame(&list(b"\0\x03\0\x03\0\0\0abc")), 1008, "row is not of its table's type"),
    ];
    for (bytes, code, message) in &cases {
        for cuts in [Cuts::Frames, Cuts::Anyhow(Numbers::new(7))] {
            let words = ["--protocol", "v2", "--compression", "gzip", "--reconnect=1"];
            let said = run(&[&TYPED[..], &words, &["--backoff", "1"]].concat(), |listener| {
                let mut peer = subscribed(listener, "v2", &[tick(1, 1)]);
                peer.cuts = cuts;
                peer.write(bytes);
                if *code == 0 {
                    // It waits for the rest, which never comes.
                    peer.hang_up();
                } else {
                    assert_eq!(peer.end().0, Some(*code), "{}", bytes.escape_ascii());
                }
                if *code == 1009 {
                    return;
                }
                // The rows are as they were; and what is wrong may be right the next time.
                if message.contains("row is not of") {
                    return;
                }
                let peer = subscribed(listener, "v2", &[tick(1, 1), tick(2, 2)]);
                peer.hang_up();
                Peer::accept(listener, Cuts::Frames).hang_up();
            });
            let all = format!("{}{}", said.out, said.err);
            assert!(all.contains(message), "{}: {all}", bytes.escape_ascii());
            assert_eq!(said.lines("- ").len() + said.lines("~ ").len(), 0, "{all}");
            assert_eq!(said.code, 1);
        }
    }
}

fn frame(payload: &[u8]) -> Vec<u8> {
    let len = payload.len();
    let mut frame = match u16::try_from(len) {
        Ok(short @ ..126) => vec![0x82, short.to_le_bytes()[0]],
        Ok(len) => [&[0x82, 126][..], &len.to_be_bytes()].concat(),
        Err(_) => [&[0x82, 127][..], &(len as u64).to_be_bytes()].concat(),
    };
    frame.extend(payload);
    frame
}

#[test]
fn a_message_that_is_too_long_when_inflated_says_how_much_it_needs() {
    let rows: Vec<[u8; 7]> = (0..2_000).map(|id| tick(id, 1)).collect();
    let changes = rows.iter().map(|row| (("tick".to_owned(), row.to_vec()), 1)).collect();
    for (compression, name) in [("gzip", "Gzip"), ("brotli", "Brotli")] {
        let payload = model::payload("v2", name, &changes);
        let most = payload.len().to_string();
        for (max, enough) in [(most.as_str(), false), ("100", false), ("14100", true)] {
            if compression == "brotli" && max == most {
                // What is stored is longer than what it stores: it fits.
                continue;
            }
            let words = ["--compression", compression, "--max-message", max, "--protocol", "v2"];
            let said = run(&[&TYPED[..], &words].concat(), |listener| {
                let mut peer = subscribed(listener, "v2", &[]);
                peer.send(&payload);
                if enough {
                    peer.close(CloseCode::NORMAL, "");
                }
                peer.end();
            });
            if enough {
                assert_eq!(said.lines("= ").len(), 2_000);
            } else if max == "100" {
                assert!(said.err.contains("compressed payload needs room for"), "{}", said.err);
            } else {
                let message = "compressed payload inflates to 14042 bytes or more";
                assert!(said.err.contains(message), "{}", said.err);
            }
        }
    }
}

#[test]
fn calls_are_sent_with_the_arguments_and_their_ends_are_told() {
    let everything = r#"[true, -3, "00000000000000000000000000000000000000000000000000000000000000ff",
        1.5, "0102", ["a", "ü"], {"some": 7},
        "0000000000000000000000000000000000000000000000000000000000000001", {"a": 200, "b": -1}]"#;
    let bytes = [
        &b"\x01\xfd\xff"[..],
        &[0; 31],
        &1.5_f64.to_le_bytes(),
        b"\x02\0\0\0\x01\x02\x02\0\0\0\x01\0\0\0a\x02\0\0\0\xc3\xbc\0\x07\0\x01",
        &[0; 31],
        b"\xc8\xff\xff\xff\xff\xff\xff\xff\xff",
    ]
    .concat();
    let calls = [
        ["--call", "tick_insert", "[7, 3, -2]"],
        ["--call", "everything", everything],
        ["--call", "fail", "05000000776f726c64"],
        ["--call", "noop", ""],
    ];
    let expected = [
        ("tick_insert", b"\x07\0\0\0\x03\0\0\0\xfe\xff".to_vec()),
        ("everything", bytes),
        ("fail", b"\x05\0\0\0world".to_vec()),
        ("noop", Vec::new()),
    ];
    for protocol in ["v2", "v3"] {
        let words =
            [&TYPED[..], &["--protocol", protocol, "--once"], calls.as_flattened()].concat();
        let said = run(&words, |listener| {
            let mut peer = subscribed(listener, protocol, &[]);
            let mut answers = Vec::new();
            for (name, args) in &expected {
                let message = peer.receive().unwrap();
                match v2::ClientMessage::from_slice(&message).unwrap() {
                    v2::ClientMessage::CallReducer { request_id, reducer, args: found } => {
                        assert_eq!((reducer, found), (*name, args.as_slice()));
                        let id = request_id.to_le_bytes();
                        answers.push([&b"\0\x06"[..], &id, &[0; 8]].concat());
                    }
                    other => panic!("{other:?}"),
                }
            }
            // One that changes something, one that fails, one that cannot run; in another order.
            let [inserted, everything, failed, noop] = answers.try_into().unwrap();
            peer.send(&[noop, b"\x01".to_vec()].concat());
            peer.send(&[failed, b"\x02\x08\0\0\0\x04\0\0\0oh n".to_vec()].concat());
            peer.send(&[everything, b"\x03\x05\0\0\0panic".to_vec()].concat());
            let sets = update(protocol, &[tick(7, -2)], &[]);
            peer.send(&[inserted, b"\0\0\0\0\0".to_vec(), sets[2..].to_vec()].concat());
            assert_eq!(peer.end().0, Some(1000));
        });
        assert_eq!(said.code, 1, "a call has failed");
        assert_eq!(said.err, "");
        assert_eq!(
            said.lines("called: "),
            [
                "called: noop: committed",
                "called: fail: failed: oh n",
                "called: everything: could not run: panic",
                "called: tick_insert: committed",
            ]
        );
        assert_eq!(said.lines("+ "), [row('+', 7, -2)]);
    }
}

#[test]
fn calls_of_version_1_are_answered_by_ones_own_transactions_only() {
    let words = [&TYPED[..], &["--protocol", "v1", "--once"], &["--call", "noop", ""]].concat();
    for (answer, code, line) in [
        (&b"\0\0\0\0\0"[..], 0, "called: noop: committed"),
        (b"\x01\x02\0\0\0no", 1, "called: noop: could not run: no"),
        (b"\x02", 1, "called: noop: out of energy"),
        // It could not even begin: the number is 0.
        (b"\x01\x03\0\0\0who", 1, "called: noop: could not run: who"),
    ] {
        let said = run(&words, |listener| {
            let mut peer = subscribed(listener, "v1", &[]);
            let message = peer.receive().unwrap();
            let id = match v1::ClientMessage::from_slice(&message).unwrap() {
                v1::ClientMessage::CallReducer { reducer: "noop", request_id, .. } => request_id,
                other => panic!("{other:?}"),
            };
            let transaction = |status: &[u8], connection: u8, id: u32| {
                let mut body = [b"\0\x01", status, &[0; 8], &[7; 32]].concat();
                body.extend([connection; 16]);
                body.extend(b"\x04\0\0\0noop\0\0\0\0\0\0\0\0");
                body.extend(id.to_le_bytes());
                body.extend([0; 16 + 8]);
                body
            };
            // Of someone else, with the same number; and a number alone that is the caller's.
            peer.send(&transaction(b"\0\0\0\0\0", 8, id));
            peer.send(&[b"\0\x02".as_slice(), &id.to_le_bytes(), &[0; 4]].concat());
            let number = if line.ends_with("who") { 0 } else { id };
            peer.send(&transaction(answer, 9, number));
            assert_eq!(peer.end().0, Some(1000));
        });
        assert_eq!(said.lines("called: "), [line], "{}", said.err);
        assert_eq!(said.code, code);
    }
}

#[test]
fn calls_without_an_answer_are_told_and_not_sent_again() {
    let calls = ["--call", "noop", "", "--reconnect=1", "--backoff", "1", "--protocol", "v3"];
    let said = run(&[&TYPED[..], &calls].concat(), |listener| {
        let mut peer = subscribed(listener, "v3", &[]);
        peer.receive().unwrap();
        peer.hang_up();
        let mut peer = subscribed(listener, "v3", &[]);
        peer.close(CloseCode::NORMAL, "");
        assert_eq!(peer.receive(), None);
        Peer::accept(listener, Cuts::Frames).hang_up();
    });
    assert_eq!(said.lines("called: "), ["called: noop: no answer"]);
    assert_eq!(said.code, 1);
}

#[test]
fn a_subscription_that_is_refused_ends_the_client() {
    for protocol in VERSIONS {
        for later in [false, true] {
            let words = [&TYPED[..], &["--protocol", protocol, "--reconnect"]].concat();
            let said = run(&words, |listener| {
                let mut peer = Peer::accept(listener, Cuts::Frames);
                peer.open();
                let id = peer.greet(protocol, &greeting(protocol));
                let mut option = [&b"\0"[..], &id.to_le_bytes()].concat();
                if later {
                    peer.send(&applied(protocol, id, &[]));
                    option = vec![1];
                }
                let set = 1_u32.to_le_bytes();
                let body = if protocol == "v1" {
                    [&b"\x07"[..], &[0; 8], &option, &[0], &set, &[1], b"\x02\0\0\0no"].concat()
                } else {
                    [&b"\x03"[..], &option, &set, b"\x02\0\0\0no"].concat()
                };
                peer.send(&[&[0][..], &body].concat());
                assert_eq!(peer.end().0, Some(1000));
            });
            assert_eq!(said.code, 1);
            assert_eq!(said.lines("refused: "), ["refused: no"]);
            assert!(said.err.contains("the subscription was refused"));
        }
    }
}

#[test]
fn the_token_is_kept_in_a_file_and_sent_from_it() {
    if std::env::var_os(ELSEWHERE).is_some() {
        return;
    }
    let file = std::env::temp_dir().join(format!("onewrite-token-{}", std::process::id()));
    std::fs::remove_file(&file).ok();
    let words = [&TYPED[..], &["--once", "--token", file.to_str().unwrap()]].concat();
    for expected in [None, Some("Bearer token")] {
        let said = run(&words, |listener| {
            let peer = subscribed(listener, "v3", &[]);
            assert_eq!(peer.field("authorization"), expected);
            peer.end();
        });
        assert_eq!(said.code, 0, "{}", said.err);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "token");
    }
    std::fs::write(&file, "no\ntoken").unwrap();
    let said = run(&words, |listener| {
        listener.accept().unwrap();
    });
    assert!(said.err.contains("field 0 cannot stand in a request"), "{}", said.err);
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_silent_server_is_asked_and_left() {
    if is_emulated() {
        eprintln!("skipped: an emulated machine");
        return;
    }
    let words = [&TYPED[..], &["--idle", "400", "--protocol", "v3"]].concat();
    let begun = std::time::Instant::now();
    let said = run(&words, |listener| {
        let mut peer = subscribed(listener, "v3", &[]);
        // It answers a ping once, and then no more.
        assert!(peer.read_until_ping());
        let (closed, ..) = peer.end_deaf();
        assert_eq!(closed, Some(1001));
    });
    assert!(said.err.contains("server is silent"), "{}", said.err);
    assert!(begun.elapsed().as_millis() >= 600, "{:?}", begun.elapsed());
    let said = run(&["--idle", "100", "--protocol", "v3"], |listener| {
        let peer = Peer::accept(listener, Cuts::Frames);
        peer.end();
    });
    assert!(said.err.contains("server is silent"), "{}", said.err);
}

#[test]
fn it_ends_after_its_time() {
    let said = run(&[&TYPED[..], &["--for", "1", "--protocol", "v3"]].concat(), |listener| {
        let peer = subscribed(listener, "v3", &[tick(1, 1)]);
        assert_eq!(peer.end().0, Some(1000));
    });
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert_eq!(said.lines("= "), [row('=', 1, 1)]);
}

#[test]
fn more_rows_than_there_is_room_for_are_refused() {
    let rows: Vec<[u8; 7]> = (0..3_585).map(|id| tick(id, 1)).collect();
    for (count, message) in [(3_584, ""), (3_585, "no room for one more key in the delta")] {
        let said = run(&[&TYPED[..], &["--protocol", "v2"]].concat(), |listener| {
            let mut peer = subscribed(listener, "v2", &rows[..count]);
            if message.is_empty() {
                peer.send(&update("v2", &[tick(9_999, 1)], &[]));
                assert_eq!(peer.end().0, Some(1008));
            } else {
                assert_eq!(peer.end().0, Some(1008));
            }
        });
        assert_eq!(said.code, 1);
        let expected = if message.is_empty() { "no room for 3585 keys" } else { message };
        assert!(said.err.contains(expected), "{}", said.err);
    }
}

#[test]
fn json_has_an_object_a_line() {
    let words = [&TYPED[..], &["--json", "--once", "--protocol", "v3", "--call", "noop", ""]];
    let said = run(&words.concat(), |listener| {
        let mut peer = subscribed(listener, "v3", &[tick(1, 1), tick(2, 2)]);
        let message = peer.receive().unwrap();
        peer.send(&update("v3", &[tick(2, 3)], &[tick(1, 1), tick(2, 2)]));
        let id: &[u8] = &message[1..5];
        let answer = [b"\0\x06", id, &[0; 8], b"\x02\x06\0\0\0\x02\0\0\0\"\n"].concat();
        peer.send(&answer);
        peer.end();
    });
    let lines: Vec<serde_json::Value> =
        said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let events: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    let expected = "connected insert insert subscribed update delete called row ended";
    assert_eq!(events.join(" "), expected);
    assert_eq!(lines[4]["old"], serde_json::json!({"id": 2, "v": 2, "on": true}));
    assert_eq!(lines[4]["row"]["v"], 3);
    assert_eq!(lines[4]["table"], "tick");
    assert_eq!(lines[6]["text"], "noop: failed: \"\n");
}

#[test]
fn wrong_usage_is_told_before_anything_is_sent() {
    let run = |words: &[&str]| {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let words = ["spacetimedb_client"].iter().chain(words).map(|word| (*word).into());
        let code = client::run(words, &mut out, &mut err);
        (code, [out, err].map(|bytes| String::from_utf8(bytes).unwrap()).concat())
    };
    let base = ["--database", "d"];
    let cases: &[(&[&str], &str)] = &[
        (&[], "--database"),
        (&["--server", "https://pi:3000"], "there is no TLS here"),
        (&["--server", "wss://pi:3000"], "there is no TLS here"),
        (&["--server", "pi:3000/path"], "more than a host and a port"),
        (&["--server", ""], "no host"),
        (&["--call", "x"], "2 values required"),
        (&["--call", "x", "0g"], "neither a JSON array nor digits"),
        (&["--call", "x", "012"], "neither a JSON array nor digits"),
        (&["--call", "x", "[]"], "its types are not in a --schema"),
        (&["--schema", "/nowhere.json"], "/nowhere.json: "),
        (&["--capacity", "28673"], "28673"),
        (&["--query", "q"].repeat(65), "more than 64 of --query"),
        (&["--schema", SCHEMA, "--call", "tick_insert", "[1, 2]"], "has not the 3 fields needed"),
        (&["--schema", SCHEMA, "--call", "tick_insert", "[1, -2, 3]"], "-2 is no U32"),
        (&["--schema", SCHEMA, "--call", "tick_insert", "[1, 2, 40000]"], "40000 is no I16"),
        (&["--schema", SCHEMA, "--call", "noop", "[1]"], "[1] is no Product"),
        (&["--schema", SCHEMA, "--call", "fail", "[1]"], "1 is no String"),
    ];
    for (words, message) in cases {
        let words = if words.is_empty() { vec![] } else { [&base[..], words].concat() };
        let (code, said) = run(&words);
        assert_eq!(code, 2, "{words:?}: {said}");
        assert!(said.contains(message), "{words:?}: {said}");
    }
    let (code, help) = run(&["--help"]);
    assert_eq!(code, 0);
    assert!(help.contains("TLS is not in it"));
    // Nobody is there.
    let (code, said) = run(&["--database", "d", "--server", "127.0.0.1:1", "--for", "1"]);
    assert_eq!(code, 1);
    assert!(said.contains("no connection: "), "{said}");
}
