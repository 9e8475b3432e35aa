//! What went wrong in other servers.

use onewrite::http::{Conn, Next, Protocol, Waiting};

use crate::answers::*;
use crate::shell::{SITE, always, always_auto};

fn said(input: &[u8]) -> (String, bool) {
    let talk = always(input);
    (String::from_utf8(talk.said).unwrap(), talk.closed)
}

#[test]
fn http_01_a_body_that_two_servers_measure_differently() {
    let smuggled = "0\r\n\r\nGET /x HTTP/1.1\r\nHost: pi.test\r\n\r\n";
    for fields in [
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding : chunked\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Content-Length: 4\r\nContent-Length: 5\r\n",
        "Content-Length: +3\r\n",
        "Content-Length: 18446744073709551617\r\n",
        " Content-Length: 4\r\n",
        "X: y\r\n Content-Length: 4\r\n",
        "Transfer-Encoding:\x0bchunked\r\n",
        "Content-Length: 4\nX: y\r\n",
    ] {
        let input = format!("POST / HTTP/1.1\r\nHost: pi.test\r\n{fields}\r\n{smuggled}");
        assert_eq!(said(input.as_bytes()), (BAD_REQUEST.into(), true), "{fields:?}");
    }
}

#[test]
fn http_03_head_then_another_request() {
    let input =
        b"HEAD /data HTTP/1.1\r\nHost: pi.test\r\n\r\nGET /data HTTP/1.1\r\nHost: pi.test\r\n\r\n";
    assert_eq!(said(input), ([DATA_HEAD, DATA].concat(), false));
}

#[test]
fn http_05_what_is_not_there_and_not_allowed() {
    let one = |line: &str| said(format!("{line} HTTP/1.1\r\nHost: pi.test\r\n\r\n").as_bytes());
    for (line, answer) in [
        ("GET /nope", NOT_HERE),
        ("POST /data", NOT_ALLOWED),
        ("HEAD /data", DATA_HEAD),
        ("OPTIONS *", METHODS),
        ("BREW /data", UNKNOWN_METHOD),
        ("GET /data?x=1", DATA),
        ("GET http://pi.test/data", DATA),
        ("GET /DATA", NOT_HERE),
    ] {
        assert_eq!(one(line), (answer.into(), false), "{line}");
        assert!(answer.contains("content-length: "), "{line}");
    }
    assert_eq!(said(b"GET /data HTTP/1.1\r\n\r\n"), (BAD_REQUEST.into(), true));
    let two = b"GET /data HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n";
    assert_eq!(said(two), (BAD_REQUEST.into(), true));
}

#[test]
fn http_06_the_owner_can_keep_time() {
    let mut output = [0; 500];
    let mut say = |conn: &mut Conn, input: &[u8]| {
        let fed = conn.feed(&SITE, input, &mut output);
        (fed.consumed, fed.next)
    };
    // Says nothing: nothing is owed.
    let mut silent: Conn = Conn::new(Protocol::Auto);
    assert_eq!(say(&mut silent, b""), (0, Next::Read));
    assert_eq!(silent.waiting(), Waiting::Idle);
    let mut room = [0; 200];
    let fed = silent.time_out(&mut room);
    assert_eq!((fed.written, fed.next), (0, Next::Close));

    // A byte now and then does not change what is waited for.
    for protocol in [Protocol::Auto, Protocol::Http1] {
        let mut slow: Conn = Conn::new(protocol);
        let request = b"GET / HTTP/1.1\r\nhost: a\r\nx: y\r\n\r";
        let mut from = 0;
        for to in 1..=request.len() {
            let (consumed, next) = say(&mut slow, &request[from..to]);
            from += consumed;
            assert_eq!((next, slow.waiting()), (Next::Read, Waiting::Head), "{to}");
        }
        assert_eq!(slow.counters().requests, 0);
        let fed = slow.time_out(&mut room);
        assert_eq!(&room[..fed.written], TIMED_OUT.as_bytes());
        assert_eq!((fed.next, slow.counters().refused), (Next::Close, 1));
    }

    // Empty lines are no request.
    let mut lines: Conn = Conn::new(Protocol::Http1);
    assert_eq!(say(&mut lines, b"\r\n\r\n"), (4, Next::Read));
    assert_eq!(lines.waiting(), Waiting::Idle);

    // A body is one thing, its end another.
    let mut body: Conn = Conn::new(Protocol::Http1);
    let head = b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\n\r\n";
    assert_eq!(say(&mut body, head), (head.len(), Next::Read));
    assert_eq!(body.waiting(), Waiting::Body);
    let received = body.counters().received;
    assert_eq!(say(&mut body, b"ab"), (2, Next::Read));
    assert_eq!((body.waiting(), body.counters().received), (Waiting::Body, received + 2));
    assert_eq!(say(&mut body, b"c"), (1, Next::Read));
    assert_eq!((body.waiting(), body.counters().requests), (Waiting::Idle, 1));

    let mut chunks: Conn = Conn::new(Protocol::Http1);
    let head = b"POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n";
    for (piece, waiting) in [
        (&head[..], Waiting::Body),
        (b"1", Waiting::Body),
        (b"\r\nx\r\n0\r\n", Waiting::Body),
        (b"x: y\r\n", Waiting::Body),
        (b"\r\n", Waiting::Idle),
    ] {
        assert_eq!(say(&mut chunks, piece), (piece.len(), Next::Read));
        assert_eq!(chunks.waiting(), waiting);
    }

    // Never reads the answer.
    let mut deaf: Conn = Conn::new(Protocol::Http1);
    let fed = deaf.feed(&SITE, b"GET /large HTTP/1.1\r\nhost: a\r\n\r\n", &mut room);
    assert_eq!((fed.written, fed.next), (200, Next::Flush { needed: 1 }));
    assert_eq!((deaf.waiting(), deaf.counters().sent), (Waiting::Window, 200));
    let fed = deaf.time_out(&mut room);
    assert_eq!((fed.written, fed.next), (0, Next::Close));
    assert_eq!(deaf.feed(&SITE, b"", &mut room).next, Next::Close);
}

#[test]
fn http_07_who_keeps_the_connection() {
    let two = |version: &str, fields: &str| {
        let first = format!("GET /data {version}\r\nHost: a\r\n{fields}\r\n");
        said(format!("{first}{first}").as_bytes())
    };
    assert_eq!(two("HTTP/1.1", ""), ([DATA, DATA].concat(), false));
    assert_eq!(two("HTTP/1.1", "connection: CLOSE\r\n"), (DATA_CLOSE.into(), true));
    assert_eq!(two("HTTP/1.1", "Connection: keep-alive, close\r\n"), (DATA_CLOSE.into(), true));
    assert_eq!(two("HTTP/1.1", "Connection: keep-alive\r\n"), ([DATA, DATA].concat(), false));
    assert_eq!(two("HTTP/1.0", ""), (DATA_CLOSE.into(), true));
    // Documented: version 1.0 is not kept.
    assert_eq!(two("HTTP/1.0", "Connection: Keep-Alive\r\n"), (DATA_CLOSE.into(), true));
    assert_eq!(two("HTTP/1.2", ""), (VERSION.into(), true));
    assert_eq!(said(b"GET /\r\nGET /\r\n"), (BAD_REQUEST.into(), true));
}

#[test]
fn http_08_an_upgrade_to_h2c_is_ignored() {
    let input = b"GET /data HTTP/1.1\r\nHost: pi.test\r\nConnection: Upgrade, HTTP2-Settings\r\n\
        Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n";
    assert_eq!(said(input), (DATA.into(), false));
}

#[test]
fn http_08_nearly_the_preface_is_no_http2() {
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    for at in 0..preface.len() {
        let mut input = preface.to_vec();
        input[at] ^= 1;
        let talk = always_auto(&input);
        assert!(talk.closed, "{at}");
        let status = &talk.said[9..12];
        // A digit of the version that is another makes it another version.
        let other_version = at == 11 || at == 13;
        let unknown = at < 3 && !input[..3].starts_with(b"PRI");
        let expected: &[u8] = if other_version || unknown { b"505" } else { b"400" };
        assert_eq!(status.escape_ascii().to_string(), expected.escape_ascii().to_string(), "{at}");
    }
}
