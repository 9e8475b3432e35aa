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

#[path = "spacetimedb_client/calls.rs"]
mod calls;
#[path = "spacetimedb_connection/captures.rs"]
mod captures;
#[path = "../examples/spacetimedb_client/client/mod.rs"]
mod client;
#[path = "spacetimedb_client/failures.rs"]
mod failures;
#[path = "spacetimedb_client/model.rs"]
mod model;
mod numbers;
#[path = "spacetimedb_client/replays.rs"]
mod replays;
#[path = "spacetimedb_client/server.rs"]
mod server;

use std::fmt::Write as _;
use std::net::TcpListener;
use std::thread;

use onewrite::bsatn::Decode as _;
use onewrite::websocket::CloseCode;

use server::{Cuts, Peer, applied, greeting, listener};

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

/// Whether times would be the emulator's.
fn is_emulated() -> bool {
    !onewrite_boards::label().measures_time()
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
        #[cfg(unix)]
        {
            let mode = std::fs::metadata(&file).unwrap().permissions();
            let mode = std::os::unix::fs::PermissionsExt::mode(&mode);
            assert_eq!(mode & 0o777, 0o600, "nobody else may read it");
        }
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
    let message = "no room for all that a message changes: 3584 are the most";
    for (count, message) in [(3_584, "no room for 3585 rows: 3584 are the most"), (3_585, message)]
    {
        let said = run(&[&TYPED[..], &["--protocol", "v2"]].concat(), |listener| {
            let mut peer = subscribed(listener, "v2", &rows[..count]);
            if count == 3_584 {
                peer.send(&update("v2", &[tick(9_999, 1)], &[]));
            }
            assert_eq!(peer.end().0, Some(1008));
        });
        assert_eq!(said.code, 1);
        let message = format!("spacetimedb_client: {message}, --capacity 28672 has more\n");
        assert_eq!(said.err, message);
    }
}

#[test]
fn rows_that_have_gone_need_room_when_it_comes_back() {
    let rows: Vec<[u8; 7]> = (0..3_585).map(|id| tick(id, 1)).collect();
    let words = ["--protocol", "v2", "--reconnect", "--backoff", "1"];
    let said = run(&[&TYPED[..], &words].concat(), |listener| {
        subscribed(listener, "v2", &rows[..1]).hang_up();
        let peer = subscribed(listener, "v2", &rows[1..]);
        assert_eq!(peer.end().0, Some(1008));
    });
    assert_eq!(said.code, 1);
    let message = "spacetimedb_client: no room for the rows that there are now and those that have gone \
                   meanwhile: 3584 are the most, --capacity 28672 has more\n";
    assert_eq!(said.err, message);
    // What was there is still there.
    assert_eq!(said.lines("= "), [row('=', 0, 1)]);
}

/// Clears the screen, sets a title, ends a line, writes to the left.
const COMMANDS: &str = "a\x1b[2J\u{9b}1m\u{9d}t\x07\r\n\u{202e}b\u{2028}\x7f\\";

#[test]
fn a_terminal_is_not_commanded_by_a_server() {
    let shown = r"a\u001b[2J\u009b1m\u009dt\u0007\u000d\u000a\u202eb\u2028\u007f\";
    let counted =
        |bytes: &[u8]| [&u32::try_from(bytes.len()).unwrap().to_le_bytes()[..], bytes].concat();
    let error = counted(COMMANDS.as_bytes());
    let serve = |listener: &TcpListener| {
        let mut peer = Peer::accept(listener, Cuts::Frames);
        peer.open();
        let id = peer.greet("v3", &greeting("v3"));
        let note = [&7_u32.to_le_bytes()[..], &error].concat();
        peer.send(&applied("v3", id, &[("note", vec![&note]), (COMMANDS, vec![&[1]])]));
        let message = peer.receive().unwrap();
        peer.send(&[b"\0\x06", &message[1..5], &[0; 8], b"\x02", &counted(&error)].concat());
        peer.close(CloseCode::NORMAL, COMMANDS);
        peer.end();
    };
    let words = [&TYPED[..], &["--protocol", "v3", "--call", "noop", ""]].concat();
    let said = run(&words, serve);
    assert_eq!(said.lines("called: "), [format!("called: noop: failed: {shown}")]);
    assert_eq!(said.err, format!("spacetimedb_client: server closed with 1000 {shown}\n"));
    assert_eq!(said.lines(&format!("+ {shown} ")), [format!("+ {shown} \"01\"")]);
    // A row's texts are JSON, in which a backslash is two.
    assert_eq!(said.lines("+ note "), [format!("+ note {{\"id\":7,\"text\":\"{shown}\\\"}}")]);
    // JSON has what it had.
    let said = run(&[&words[..], &["--json"]].concat(), serve);
    let texts: Vec<serde_json::Value> =
        said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(texts.iter().any(|line| line["row"]["text"] == COMMANDS), "{}", said.out);
    assert!(texts.iter().any(|line| line["table"] == COMMANDS), "{}", said.out);
    assert!(said.out.contains("\u{202e}") && said.out.contains('\u{9b}'), "{}", said.out);
}

/// Standard output that takes nothing.
struct Closed(std::io::ErrorKind);

impl std::io::Write for Closed {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn it_ends_when_nobody_reads_it_or_the_disk_is_full() {
    use std::io::ErrorKind::{BrokenPipe, StorageFull};
    for (kind, code, message) in [
        (BrokenPipe, 0, ""),
        (StorageFull, 1, "spacetimedb_client: standard output: no storage space\n"),
    ] {
        let listener = listener();
        let address = server::address(&listener).to_string();
        let words = ["spacetimedb_client", "--server", &address, "--database", "d", "--reconnect"];
        let words = words.into_iter().chain(TYPED).map(Into::into);
        let mut err = Vec::new();
        let ended = thread::scope(|scope| {
            let client = scope.spawn(|| client::run(words, Closed(kind), &mut err));
            let peer = subscribed(&listener, "v3", &[tick(1, 1)]);
            assert_eq!(peer.end().0, Some(1000));
            client.join().unwrap()
        });
        assert_eq!((ended, String::from_utf8(err).unwrap().as_str()), (code, message));
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
        #[cfg(target_os = "linux")]
        (&["--schema", "/dev/zero"], "/dev/zero: more than 16777216 bytes"),
        #[cfg(target_os = "linux")]
        (&["--token", "/dev/zero"], "/dev/zero: more than 16777216 bytes"),
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
