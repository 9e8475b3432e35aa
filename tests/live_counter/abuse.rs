//! What nobody should send. Each ends its own connection, is counted, and does nothing to another one.

use std::io::Write as _;

use onewrite::circuit::hub::Call;
use onewrite::websocket::Data;

use super::child::response;
use super::page::{Page, ask, descriptor, negotiate, start, token, upgrade};

/// How often the server says at its end that something was refused.
fn count(report: &str, what: &str) -> u64 {
    let line = format!("refused for its {what}: ");
    let count = report.lines().find_map(|text| text.strip_prefix(&line));
    count.map_or(0, |count| count.parse().unwrap())
}

#[test]
fn who_comes_from_elsewhere_is_not_let_in() {
    let Some(server) = start("") else { return };
    let host = server.address.to_string();
    let own = format!("Origin: http://{host}\r\n");
    let foreign = "Origin: http://evil.example\r\n";
    let twice = format!("{own}{foreign}");
    let mut origins = 0;
    for origin in ["", "Origin: null\r\n", foreign, &twice, "Origin: http://127.0.0.1\r\n"] {
        assert_eq!(negotiate(&server, &host, origin).0, "403", "{origin}");
        let token = token(&server);
        // Two of what may be there once are no request for a WebSocket.
        let (status, count) = if origin == twice { ("400", 1) } else { ("403", 2) };
        assert_eq!(ask(&server, &upgrade(&host, origin, &token)).0, status, "{origin}");
        origins += count;
        // The token is still good, for who it was for.
        let mut socket = server.connect();
        socket.write_all(upgrade(&host, &own, &token).as_bytes()).unwrap();
        let mut first = [0; 12];
        std::io::Read::read_exact(&mut socket, &mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 101");
    }
    // Another host, whose page says that it is of the same name.
    let evil = "evil.example";
    let same = "Origin: http://evil.example\r\n";
    assert_eq!(negotiate(&server, evil, same).0, "403");
    assert_eq!(ask(&server, &upgrade(evil, &own, &token(&server))).0, "403");
    let report = server.stop();
    assert_eq!((count(&report, "origin"), count(&report, "host")), (origins, 2), "{report}");
}

#[test]
fn a_token_is_good_once() {
    let Some(server) = start("") else { return };
    let host = server.address.to_string();
    let own = format!("Origin: http://{host}\r\n");
    let used = token(&server);
    let mut socket = server.connect();
    socket.write_all(upgrade(&host, &own, &used).as_bytes()).unwrap();
    let mut first = [0; 12];
    std::io::Read::read_exact(&mut socket, &mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 101");
    for token in [&used, "", "nope", &"A".repeat(32)] {
        assert_eq!(ask(&server, &upgrade(&host, &own, token)).0, "403", "{token}");
    }
    let good = token(&server);
    let twice = upgrade(&host, &own, &format!("{good}&id={good}"));
    assert_eq!(ask(&server, &twice).0, "403");
    // What is no request for a WebSocket.
    for (from, to, status) in [
        ("Version: 13", "Version: 8", "426"),
        ("Upgrade: websocket", "Upgrade: h2c", "426"),
        ("dGhl", "dGh", "400"),
        ("GET", "POST", "400"),
    ] {
        let request = upgrade(&host, &own, &good).replacen(from, to, 1);
        assert_eq!(ask(&server, &request).0, status, "{to}");
    }
    for (method, path) in [("GET", "negotiate"), ("GET", "disconnect"), ("PUT", "negotiate")] {
        let request = format!("{method} /_blazor/{path} HTTP/1.1\r\nHost: {host}\r\n{own}\r\n");
        assert_eq!(ask(&server, &request).0, "405", "{method} {path}");
    }
    let form = "POST /_blazor/disconnect HTTP/1.1\r\nHost: pi\r\nContent-Length: 4\r\n\r\nform";
    assert_eq!(ask(&server, form).0, "400");
    let report = server.stop();
    let counts = ["token", "request for a WebSocket", "request"].map(|what| count(&report, what));
    assert_eq!(counts, [5, 4, 4], "{report}");
}

/// The first byte of a frame, and how many bytes it says that it has; masked with a key that does nothing.
fn frame(first: u8, len: usize, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match u8::try_from(len) {
        Ok(short @ 0..126) => frame.push(0x80 | short),
        _ => match u16::try_from(len) {
            Ok(long) => {
                frame.push(0xfe);
                frame.extend(long.to_be_bytes());
            }
            Err(_) => {
                frame.push(0xff);
                frame.extend((len as u64).to_be_bytes());
            }
        },
    }
    frame.extend([0; 4]);
    frame.extend_from_slice(payload);
    frame
}

const BINARY: u8 = 0x82;
const HANDSHAKE: &str = "{\"protocol\":\"blazorpack\",\"version\":1}\x1e";

/// Each ends with this, behind what was said before.
fn ends(page: &mut Page, lines: &[&str]) {
    for line in lines {
        assert_eq!(page.next(), *line);
    }
    assert!(page.next().starts_with("gone"));
}

#[test]
fn what_nobody_should_send_ends_one_connection() {
    let Some(server) = start("") else { return };
    let mut good = Page::open(&server);
    let mut clicks = 0;
    let mut click = || {
        clicks += 1;
        good.click(clicks);
    };
    // In place of a handshake.
    for first in [
        "{\"protocol\":\"json\",\"version\":1}\x1e",
        "{\"protocol\":\"blazorpack\",\"version\":1}",
        "{\"protocol\":\"blazorpack\"}\x1e",
        "\x1e",
    ] {
        let mut page = Page::connect(&server);
        page.send(Data::Text(first));
        ends(&mut page, &["not greeted", "closed 1008"]);
        click();
    }
    // Frames: not masked, a reserved bit, a ping that is too long, an opcode, one that is too long.
    let plain = [&[0x81, u8::try_from(HANDSHAKE.len()).unwrap()], HANDSHAKE.as_bytes()].concat();
    for (bytes, code) in [
        (plain, 1002),
        (frame(0xc1, HANDSHAKE.len(), HANDSHAKE.as_bytes()), 1002),
        (frame(0x89, 126, &[0; 126]), 1002),
        (frame(0x83, 0, b""), 1002),
        (frame(0x80, 0, b""), 1002),
        (frame(0x81, 2, b"\xff\xff"), 1007),
        (frame(BINARY, 1 << 40, b""), 1009),
        (frame(BINARY, 5_000, b""), 1009),
    ] {
        let mut page = Page::connect(&server);
        page.raw(&bytes);
        ends(&mut page, &[&format!("closed {code}")]);
        click();
    }
    // Hub messages: deep, longer than the frame, with something behind it, longer than all, none.
    let deep = [&[100][..], &[0x91; 100]].concat();
    for message in [
        &deep[..],
        b"\x7f\x91\x06",
        b"\x03\x91\x06\x00",
        b"\xff\xff\xff\xff\x07",
        b"\x01\x05",
        b"\x80",
    ] {
        let mut page = Page::greeted(&server);
        page.send(Data::Binary(message));
        ends(&mut page, &["closed 1008"]);
        click();
    }
    let mut page = Page::greeted(&server);
    page.send(Data::Text("{}"));
    ends(&mut page, &["closed 1003"]);
    let report = server.stop();
    let counts = ["handshake", "websocket", "hub message", "text"].map(|what| count(&report, what));
    assert_eq!(counts, [4, 8, 6, 1], "{report}");
    assert_eq!(clicks, 18);
}

#[test]
fn what_nobody_should_ask_for_ends_one_connection() {
    let Some(server) = start("") else { return };
    let origin = format!("http://{}/", server.address);
    let mut good = Page::open(&server);
    // Before there is a circuit.
    let mut page = Page::greeted(&server);
    page.call(None, Call::OnRenderCompleted { batch: 2, error: None });
    ends(&mut page, &["error", "closed 1008"]);
    good.click(1);
    // A circuit for another page.
    for (uri, components, lines) in [
        ("http://evil.example/", "[]".to_owned(), &["error", "closed 1008"][..]),
        (&origin, marker("forged"), &["attach interop", "started", "error", "closed 1008"]),
        (&origin, marker(""), &["attach interop", "started", "error", "closed 1008"]),
        (&origin, "[{".to_owned(), &["closed 1008"]),
    ] {
        let mut page = Page::greeted(&server);
        page.start_with(uri, &components);
        let mut said = Vec::new();
        while !said.last().is_some_and(|line: &String| line.starts_with("gone")) {
            said.push(page.next());
        }
        // What it says before that is up to the circuit.
        let tail = &said[said.len() - 1 - lines.len().min(said.len() - 1)..said.len() - 1];
        assert_eq!(tail.last().map(String::as_str), lines.last().copied(), "{components} {said:?}");
        assert!(!said.iter().any(|line| line.starts_with("batch")), "{said:?}");
    }
    good.click(2);
    // A ticket is good once.
    let ticket = descriptor(&server);
    let mut first = Page::greeted(&server);
    first.start(&ticket);
    first.until("batch 2");
    let mut second = Page::greeted(&server);
    second.start(&ticket);
    second.until("closed 1008");
    first.click(1);
    // Another circuit on the same connection.
    first.start(&descriptor(&server));
    ends(&mut first, &["closed 1008"]);
    // A batch that was never sent; a handler that there never was; an event that is none.
    let mut page = Page::open(&server);
    page.call(None, Call::OnRenderCompleted { batch: 99, error: None });
    ends(&mut page, &["closed 1008"]);
    let mut page = Page::open(&server);
    page.event_of(9_999, "click", "null", "{}");
    page.until("closed 1008");
    let mut page = Page::open(&server);
    page.event_of(1, "click", "{", "{}");
    page.until("closed 1008");
    good.click(3);
    let report = server.stop();
    for (what, expected) in [
        ("not started", 1),
        ("bad address", 1),
        ("bad root", 3),
        ("started twice", 1),
        ("future batch", 1),
        ("unknown event", 1),
        ("json", 2),
    ] {
        assert_eq!(count(&report, what), expected, "{what} in {report}");
    }
}

fn marker(descriptor: &str) -> String {
    format!("[{{\"type\":\"server\",\"sequence\":0,\"descriptor\":\"{descriptor}\"}}]")
}

/// Pages, connections: who finds no place is told so, and takes none from another one.
#[test]
fn who_finds_no_place_takes_none() {
    let Some(server) = start("--circuits 1 --connections 3") else { return };
    let mut good = Page::open(&server);
    let mut page = Page::greeted(&server);
    page.start(&descriptor(&server));
    page.until("error");
    page.until("closed 1013");
    good.click(1);
    drop(page);
    let mut others = [server.connect(), server.connect()];
    for socket in &mut others {
        write!(socket, "GET /favicon.ico HTTP/1.1\r\nHost: pi\r\n\r\n").unwrap();
    }
    let mut more = server.connect();
    let mut bytes = Vec::new();
    // A reset may come behind it.
    std::io::Read::read_to_end(&mut more, &mut bytes).ok();
    assert!(bytes.starts_with(b"HTTP/1.1 503 "), "{}", bytes.escape_ascii());
    good.click(2);
    drop(others);
    // A request of HTTP is refused as in any other server.
    let mut socket = server.connect();
    socket.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    assert!(response(&mut socket).starts_with(b"HTTP/1.1 400 "));
    let report = server.stop();
    assert_eq!(count(&report, "no circuit"), 1, "{report}");
}
