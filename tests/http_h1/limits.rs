//! What a client may send before it is refused, to the byte.

use onewrite::http::{Conn, Limits, Next, Protocol, Routes};

use crate::answers::*;
use crate::shell::{SITE, Talk, always, always_on, whole};

fn padded(head: &str, len: usize) -> Vec<u8> {
    let mut input = head.replace("...", "").into_bytes();
    let at = head.find("...").unwrap();
    let missing = len - input.len();
    input.splice(at..at, core::iter::repeat_n(b'x', missing));
    input
}

fn answers(talk: &Talk) -> String {
    String::from_utf8(talk.said.clone()).unwrap()
}

#[test]
fn a_head_may_have_8192_bytes() {
    for head in [
        "GET / HTTP/1.1\r\nhost: a\r\naccept: ...\r\n\r\n",
        "GET / HTTP/1.1\r\nhost: a\r\nx-...: y\r\n\r\n",
        "GET / HTTP/1.1\r\nhost: a\r\ncookie: ...\r\n\r\n",
        "GET / HTTP/1.1\r\nconnection: ...\r\nhost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nhost: ...\r\n\r\n",
    ] {
        assert_eq!(answers(&whole(&SITE, &padded(head, 8192))), ROOT, "{head}");
        let talk = whole(&SITE, &padded(head, 8193));
        assert_eq!((answers(&talk).as_str(), talk.closed), (FIELDS_TOO_LARGE, true), "{head}");
        let mut conn = Conn::new(Protocol::Http1);
        for (room, len) in [(8192, 8192), (700, 8193)] {
            let input = padded(head, len);
            let bytewise = crate::shell::talk(&mut conn, &SITE, input.chunks(1), room);
            assert_eq!(answers(&bytewise), answers(&whole(&SITE, &input)), "{head}");
        }
    }
}

#[test]
fn the_first_byte_that_is_wrong_decides() {
    const HEAD: &str = "GET / HTTP/1.1\r\nhost: a\r\nx: ...";
    // One byte in front of the limit is a mistake; behind it, it is never looked at.
    for (at, answer) in [(8191, BAD_REQUEST), (8192, FIELDS_TOO_LARGE)] {
        for wrong in [b"\n", b"\0", b"\x7f"] {
            let mut input = padded(HEAD, at);
            input.extend_from_slice(wrong);
            input.extend_from_slice(b"y\r\n\r\n");
            assert_eq!(answers(&whole(&SITE, &input)), answer, "{at}");
            let mut conn = Conn::new(Protocol::Http1);
            let talk = crate::shell::talk(&mut conn, &SITE, input.chunks(1), 8192);
            assert_eq!(answers(&talk), answer, "{at}");
        }
    }
}

#[test]
fn a_target_may_have_4096_bytes() {
    let input = |len: usize| format!("GET /{} HTTP/1.1\r\nhost: a\r\n\r\n", "x".repeat(len - 1));
    assert_eq!(answers(&whole(&SITE, input(4096).as_bytes())), NOT_HERE);
    let talk = whole(&SITE, input(4097).as_bytes());
    assert_eq!((answers(&talk).as_str(), talk.closed), (TARGET_TOO_LONG, true));
    assert_eq!(talk.counters.refused, 1);
}

fn small() -> Routes<'static> {
    let mut limits = Limits::DEFAULT;
    (limits.head, limits.target, limits.fields, limits.body) = (100, 5, 3, 10);
    SITE.limits(limits)
}

#[test]
fn limits_hold_however_the_input_is_cut() {
    let field = "x: y\r\n";
    let cases: [(String, &[&str]); 16] = [
        (format!("GET / HTTP/1.1\r\nhost: a\r\n{field}{field}\r\n"), &[ROOT]),
        (format!("GET / HTTP/1.1\r\nhost: a\r\n{field}{field}{field}\r\n"), &[FIELDS_TOO_LARGE]),
        (
            format!("GET / HTTP/1.1\r\nhost: a\r\n{field}accept: a\r\nuser-agent: b\r\n\r\n"),
            &[FIELDS_TOO_LARGE],
        ),
        ("GET / HTTP/1.1\r\nhost: a\r\naccept: b\r\naccept: c\r\n\r\n".into(), &[ROOT]),
        (
            "GET / HTTP/1.1\r\nhost: a\r\naccept: b\r\naccept: c\r\naccept: d\r\n\r\n".into(),
            &[FIELDS_TOO_LARGE],
        ),
        ("GET /data HTTP/1.1\r\nhost: a\r\n\r\n".into(), &[DATA]),
        ("GET /data? HTTP/1.1\r\nhost: a\r\n\r\n".into(), &[TARGET_TOO_LONG]),
        ("GET /count HTTP/1.1\r\nhost: a\r\n\r\n".into(), &[TARGET_TOO_LONG]),
        (format!("GET / HTTP/1.1\r\nhost: a\r\nuser-agent: {}\r\n\r\n", "u".repeat(59)), &[ROOT]),
        (
            format!("GET / HTTP/1.1\r\nhost: a\r\nuser-agent: {}\r\n\r\n", "u".repeat(60)),
            &[FIELDS_TOO_LARGE],
        ),
        (format!("{} / HTTP/1.1\r\nhost: a\r\n\r\n", "M".repeat(101)), &[BAD_REQUEST]),
        (format!("GET / HTTP/{}\r\nhost: a\r\n\r\n", "1".repeat(101)), &[TARGET_TOO_LONG]),
        ("GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n0123456789".into(), &[ROOT]),
        ("GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 11\r\n\r\n".into(), &[TOO_LARGE]),
        // Extensions and trailers count as parts of the head, whose 54 bytes are used up.
        (
            format!(
                "GET / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n0;{}\r\n\r\n",
                "e".repeat(60)
            ),
            &[TOO_LARGE],
        ),
        (
            format!(
                "GET / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n0\r\nt: {}\r\n\r\n",
                "t".repeat(60)
            ),
            &[FIELDS_TOO_LARGE],
        ),
    ];
    for (input, expected) in cases {
        let talk = always_on(&small(), input.as_bytes());
        assert_eq!(answers(&talk), expected.concat(), "{input}");
    }
}

#[test]
fn a_full_buffer_is_told_so() {
    for (input, answer) in [
        ("GET /012345", TARGET_TOO_LONG),
        ("GET / HTTP/1.", TARGET_TOO_LONG),
        ("GET / HTTP/1.1\r\nhost: abc", FIELDS_TOO_LARGE),
        ("POST", BAD_REQUEST),
        ("", BAD_REQUEST),
    ] {
        for room in [1, 7, 500] {
            let mut conn: Conn = Conn::new(Protocol::Auto);
            let mut output = [0; 500];
            let fed = conn.feed(&SITE, input.as_bytes(), &mut output);
            assert_eq!((fed.written, fed.next), (0, Next::Read));
            let mut said = String::new();
            for _ in 0..500 {
                let fed = conn.overflow(&mut output[..room]);
                said.push_str(core::str::from_utf8(&output[..fed.written]).unwrap());
                match fed.next {
                    Next::Flush { .. } => {}
                    next => {
                        assert_eq!(next, Next::Close);
                        break;
                    }
                }
            }
            // Nothing was there to overflow the buffer of someone who sent nothing.
            assert_eq!(said, if input.is_empty() { "" } else { answer }, "{input}");
            assert_eq!(conn.feed(&SITE, b"GET / HTTP/1.1\r\n", &mut output).next, Next::Close);
        }
    }
}

#[test]
fn values_of_other_fields_need_no_buffer() {
    let input = padded("GET / HTTP/1.1\r\nhost: a\r\ncookie: ...\r\n\r\n", 8000);
    let mut conn: Conn = Conn::new(Protocol::Http1);
    let (mut left, mut most, mut output) = (Vec::new(), 0, [0; 500]);
    let mut said = Vec::new();
    for byte in input.chunks(64) {
        left.extend_from_slice(byte);
        most = most.max(left.len());
        let fed = conn.feed(&SITE, &left, &mut output);
        left.drain(..fed.consumed);
        said.extend_from_slice(&output[..fed.written]);
    }
    assert_eq!(said, ROOT.as_bytes());
    assert!(most <= 128, "{most}");
}

#[test]
fn a_line_in_pieces_is_not_read_again() {
    // Quadratic work would be two thousand million steps and more.
    let mut limits = Limits::DEFAULT;
    (limits.head, limits.target) = (70_000, 70_000);
    let site = SITE.limits(limits);
    let name = format!("GET / HTTP/1.1\r\nhost: a\r\n{}: b\r\n\r\n", "n".repeat(65_000));
    let target = format!("GET /?{} HTTP/1.1\r\nhost: a\r\n\r\n", "n".repeat(65_000));
    for input in [name, target] {
        let input = input.as_bytes();
        let mut conn: Conn = Conn::new(Protocol::Http1);
        let (mut from, mut output) = (0, [0; 100]);
        let mut written = 0;
        let begun = std::time::Instant::now();
        for to in 1..=input.len() {
            let fed = conn.feed(&site, &input[from..to], &mut output);
            from += fed.consumed;
            written += fed.written;
        }
        assert_eq!(written, ROOT.len());
        assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    }
}

#[test]
fn http_11_long_heads_and_targets() {
    let cookie = format!("GET / HTTP/1.1\r\nhost: a\r\ncookie: {}\r\n\r\n", "c".repeat(8192));
    assert_eq!(answers(&whole(&SITE, cookie.as_bytes())), FIELDS_TOO_LARGE);
    let lines = format!("GET / HTTP/1.1\r\nhost: a\r\n{}\r\n", "a: b\r\n".repeat(100));
    assert_eq!(answers(&always(lines.as_bytes())), FIELDS_TOO_LARGE);
    let target = format!("GET /{} HTTP/1.1\r\nhost: a\r\n\r\n", "p".repeat(5000));
    assert_eq!(answers(&whole(&SITE, target.as_bytes())), TARGET_TOO_LONG);
}
