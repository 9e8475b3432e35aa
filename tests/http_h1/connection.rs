//! The connection itself: what it speaks, how it ends, what it counts, and how long its output is.

use onewrite::http::{
    Conn, Fed, Next, NoBody, OnlyHttp1, OnlyHttp2, Protocol, Request, Speaks, Waiting,
};

use crate::answers::*;
use crate::shell::{COUNT as COUNT_RESPONSE, Filler, SENSOR as SENSOR_RESPONSE, SITE, talk, whole};

const GET: &[u8] = b"GET / HTTP/1.1\r\nhost: a\r\n\r\n";

#[test]
fn a_connection_takes_at_most_4_kib() {
    assert!(size_of::<Conn>() <= 4096, "{}", size_of::<Conn>());
    // And one without HTTP/2's streams much less.
    assert!(size_of::<Conn<1, 0>>() <= 2600, "{}", size_of::<Conn<1, 0>>());
    assert!(size_of::<Conn<16, 1024, 0, OnlyHttp1>>() <= 200);
    assert!(size_of::<Conn<16, 1024, 0, OnlyHttp2>>() <= size_of::<Conn>());
}

#[test]
fn only_the_quick_ways_keep_a_request() {
    let [none, some] = [size_of::<Conn<16, 1024, 0>>(), size_of::<Conn<16, 1024, 512>>()];
    let kept = if cfg!(feature = "http-quick") { 512 } else { 0 };
    assert_eq!(some - none, kept);
}

#[test]
fn the_first_bytes_say_what_is_spoken() {
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    let mut output = [0; 500];
    for len in 0..preface.len() {
        let mut conn: Conn = Conn::new(Protocol::Auto);
        let fed = conn.feed(&SITE, &preface[..len], &mut output);
        assert_eq!(fed, Fed { consumed: 0, written: 0, next: Next::Read }, "{len}");
        assert_eq!(conn.protocol(), Protocol::Auto);
        assert_eq!(conn.waiting(), if len == 0 { Waiting::Idle } else { Waiting::Head });
    }
    let mut conn: Conn = Conn::new(Protocol::Auto);
    let _ = conn.feed(&SITE, preface, &mut output);
    assert_eq!(conn.protocol(), Protocol::Http2);
    let mut conn: Conn = Conn::new(Protocol::Auto);
    let _ = conn.feed(&SITE, b"G", &mut output);
    assert_eq!(conn.protocol(), Protocol::Http1);
    // Where only HTTP/1 is spoken, the preface is a bad request.
    let talk = whole(&SITE, preface);
    assert_eq!((talk.said, talk.closed), (BAD_REQUEST.into(), true));
}

/// Whatever its owner says, it is what a connection of both is that is told so.
#[test]
fn a_connection_of_one_protocol_is_one_of_both_that_speaks_it() {
    fn check<P: Speaks>(only: Protocol) {
        const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
        const REQUEST: &[u8] = b"\0\0\x08\x01\x05\0\0\0\x01\x82\x86\x44\x05/data";
        let both = || Conn::<16, 1024>::new(only);
        for told in [Protocol::Auto, Protocol::Http1, Protocol::Http2] {
            let one = || Conn::<16, 1024, 0, P>::new(told);
            assert_eq!((one().protocol(), one().waiting()), (only, Waiting::Idle));
            for input in [GET, b"", b"P", b"nonsense\r\n", PREFACE, &[PREFACE, REQUEST].concat()] {
                let (mut first, mut second) = (both(), one());
                let said = crate::http_talk::talk(&mut first, &SITE, &mut Filler, [input], 8192);
                assert_eq!(
                    crate::http_talk::talk(&mut second, &SITE, &mut Filler, [input], 8192),
                    said
                );
                assert_eq!((first.protocol(), first.waiting()), (only, second.waiting()));
                first.shutdown();
                second.shutdown();
                let said = crate::http_talk::talk(&mut first, &SITE, &mut Filler, [&b""[..]], 8192);
                assert_eq!(
                    crate::http_talk::talk(&mut second, &SITE, &mut Filler, [&b""[..]], 8192),
                    said
                );
            }
            let (mut output, mut other) = ([0; 200], [0; 200]);
            assert_eq!(one().overflow(&mut output), both().overflow(&mut other));
            assert_eq!(output, other);
            assert_eq!(one().time_out(&mut output), both().time_out(&mut other));
            assert_eq!(output, other);
        }
    }
    check::<OnlyHttp1>(Protocol::Http1);
    check::<OnlyHttp2>(Protocol::Http2);
}

#[test]
fn shutdown_closes_an_idle_connection() {
    let mut output = [0; 500];
    for protocol in [Protocol::Auto, Protocol::Http1] {
        let mut conn: Conn = Conn::new(protocol);
        conn.shutdown();
        let fed = conn.feed(&SITE, b"", &mut output);
        assert_eq!(fed, Fed { consumed: 0, written: 0, next: Next::Close });

        let mut conn: Conn = Conn::new(protocol);
        assert_eq!(conn.feed(&SITE, GET, &mut output).next, Next::Read);
        conn.shutdown();
        assert_eq!(conn.feed(&SITE, b"\r\n", &mut output).next, Next::Close);
        assert_eq!(conn.feed(&SITE, GET, &mut output).written, 0);
    }
}

#[test]
fn shutdown_in_a_response_ends_behind_it() {
    for least in 1..ROOT.len() {
        let mut conn: Conn = Conn::new(Protocol::Http1);
        let mut output = [0; 500];
        let mut fed = conn.feed(&SITE, GET, &mut output[..least]);
        assert!(matches!(fed.next, Next::Flush { .. }), "{least}: {fed:?}");
        let mut said = output[..fed.written].to_vec();
        conn.shutdown();
        while matches!(fed.next, Next::Flush { .. }) {
            fed = conn.feed(&SITE, b"", &mut output);
            said.extend(&output[..fed.written]);
        }
        // The head may be out already.
        let expected = if said.len() == ROOT.len() { ROOT } else { ROOT_CLOSE };
        assert_eq!((said.as_slice(), fed.next), (expected.as_bytes(), Next::Close), "{least}");
    }
}

#[test]
fn shutdown_lets_a_request_be_answered() {
    for cut in 1..GET.len() {
        for protocol in [Protocol::Auto, Protocol::Http1] {
            let mut conn: Conn = Conn::new(protocol);
            let mut output = [0; 500];
            let fed = conn.feed(&SITE, &GET[..cut], &mut output);
            assert_eq!((fed.written, fed.next), (0, Next::Read));
            conn.shutdown();
            let fed = conn.feed(&SITE, &GET[fed.consumed..], &mut output);
            assert_eq!(&output[..fed.written], ROOT_CLOSE.as_bytes(), "{cut}");
            assert_eq!(fed.next, Next::Close);
        }
    }
    // A request that came before, too; and a body that is under way.
    let mut conn: Conn = Conn::new(Protocol::Http1);
    conn.shutdown();
    let closed = talk(&mut conn, &SITE, [GET, GET], 500);
    assert_eq!((closed.said, closed.closed), (ROOT_CLOSE.into(), true));
    let mut conn: Conn = Conn::new(Protocol::Http1);
    let post = b"GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nx";
    assert!(!talk(&mut conn, &SITE, [&post[..]], 500).closed);
    conn.shutdown();
    let closed = talk(&mut conn, &SITE, [&b"y"[..]], 500);
    assert_eq!((closed.said, closed.closed), (ROOT_CLOSE.into(), true));
}

#[test]
fn a_response_that_fits_goes_out_in_one_piece() {
    let input = [GET, GET, GET].concat();
    let mut conn: Conn = Conn::new(Protocol::Http1);
    let mut output = [0; 500];
    // Two fit, and the third one waits instead of being cut.
    let room = 2 * ROOT.len() + 10;
    let fed = conn.feed(&SITE, &input, &mut output[..room]);
    assert_eq!((fed.written, fed.next), (2 * ROOT.len(), Next::Flush { needed: 1 }));
    let fed = conn.feed(&SITE, &input[fed.consumed..], &mut output[..room]);
    assert_eq!((fed.written, fed.next), (ROOT.len(), Next::Read));
    assert_eq!(conn.counters().requests, 3);
    assert_eq!(conn.counters().sent, 3 * ROOT.len() as u64);
    assert_eq!(conn.counters().received, 3 * GET.len() as u64);
}

#[test]
fn a_large_response_goes_out_in_pieces() {
    let input = b"GET /large HTTP/1.1\r\nhost: a\r\n\r\nHEAD /large HTTP/1.1\r\nhost: a\r\n\r\n";
    let expected = whole(&SITE, input);
    assert!(expected.said.len() > 3000);
    for room in 1..300 {
        let mut conn: Conn = Conn::new(Protocol::Http1);
        let mut output = vec![0; room];
        let (mut said, mut from) = (Vec::new(), 0);
        loop {
            let fed = conn.feed(&SITE, &input[from..], &mut output);
            said.extend_from_slice(&output[..fed.written]);
            from += fed.consumed;
            if fed.next == Next::Read {
                break;
            }
            assert_eq!(fed.next, Next::Flush { needed: 1 });
        }
        assert_eq!((said, from), (expected.said.clone(), input.len()), "{room}");
    }
}

#[test]
fn what_goes_out_whole_says_how_much_room_it_needs() {
    for (path, len) in [
        ("/sensor", SENSOR_RESPONSE.http1().len()),
        ("/count", COUNT_RESPONSE.http1().len() + 40),
        ("/written", 200),
    ] {
        for close in [false, true] {
            let line = if close { "connection: close\r\n" } else { "" };
            let input = format!("GET {path} HTTP/1.1\r\nhost: a\r\n{line}\r\n");
            let needed = len + line.len();
            assert!(needed <= SITE.min_output());
            let mut conn: Conn = Conn::new(Protocol::Http1);
            let mut output = vec![0; needed];
            let short = &mut output[..needed - 1];
            let fed = conn.feed_with(&SITE, &mut Filler, input.as_bytes(), short);
            let expected = Fed { consumed: input.len(), written: 0, next: Next::Flush { needed } };
            assert_eq!(fed, expected, "{path}");
            assert_eq!(conn.waiting(), Waiting::Window);
            let fed = conn.feed_with(&SITE, &mut Filler, b"", &mut output);
            let next = if close { Next::Close } else { Next::Read };
            assert!(fed.written > 0);
            assert_eq!(fed.next, next, "{path}");
            assert_eq!(conn.counters().requests, 1);
        }
    }
}

struct Broken;

impl onewrite::http::Handler for Broken {
    fn body(&mut self, _: Request, _: &mut [u8]) -> Result<usize, NoBody> {
        // Longer than allowed.
        Ok(41)
    }

    fn respond(&mut self, _: Request, _: &mut [u8]) -> Result<usize, NoBody> {
        Ok(201)
    }
}

#[test]
fn a_handler_without_a_body_is_an_error_of_the_server() {
    const ERROR: &str = "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n";
    let input = b"GET /count HTTP/1.1\r\nhost: a\r\n\r\nHEAD /written HTTP/1.1\r\nhost: a\r\n\r\n";
    let mut output = [0; 1000];
    let mut conn: Conn = Conn::new(Protocol::Http1);
    let fed = conn.feed(&SITE, input, &mut output);
    assert_eq!(&output[..fed.written], [ERROR, ERROR].concat().as_bytes());
    assert_eq!((fed.next, conn.counters().refused), (Next::Read, 2));
    assert_eq!((conn.counters().requests, conn.counters().errors), (2, 0));
    for path in ["/count", "/written"] {
        let input = format!("GET {path} HTTP/1.1\r\nhost: a\r\n\r\n");
        let fed = conn.feed_with(&SITE, &mut Broken, input.as_bytes(), &mut output);
        assert_eq!(&output[..fed.written], ERROR.as_bytes(), "{path}");
    }
}

#[test]
fn half_a_preface_is_a_request_that_has_begun() {
    let mut output = [0; 500];
    let mut conn: Conn = Conn::new(Protocol::Auto);
    assert_eq!(conn.feed(&SITE, b"PRI * H", &mut output).next, Next::Read);
    let fed = conn.time_out(&mut output);
    assert_eq!(&output[..fed.written], TIMED_OUT.as_bytes());
    let mut conn: Conn = Conn::new(Protocol::Auto);
    assert_eq!(conn.feed(&SITE, b"PRI * H", &mut output).next, Next::Read);
    let fed = conn.overflow(&mut output);
    assert_eq!(&output[..fed.written], BAD_REQUEST.as_bytes());
}

#[test]
fn a_memo_changes_no_answer() {
    let heads = [
        "GET /data HTTP/1.1\r\nhost: a\r\n\r\n",
        "GET /data HTTP/1.1\r\nhost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nhost: a\r\n\r\n",
        "HEAD /data HTTP/1.1\r\nhost: a\r\n\r\n",
        "HEAD /data HTTP/1.1\r\nhost: a\r\n\r\n",
        "GET /sensor HTTP/1.1\r\nhost: a\r\n\r\n",
        "GET /sensor HTTP/1.1\r\nhost: a\r\n\r\n",
        "GET /data HTTP/1.1\r\nhost: a\r\nuser-agent: longer than the memo\r\n\r\n",
        "GET /data HTTP/1.1\r\nhost: a\r\nif-none-match: \"v1\"\r\n\r\n",
        "GET /data HTTP/1.1\r\nhost: a\r\n\r\nGET / HTTP/1.1\r\nhost: a\r\n\r\n",
        "GET /data HTTP/1.1\r\nhost: b\r\n\r\n",
        "GET /data HTTP/1.1\r\nhost: ?\r\n\r\n",
    ];
    let mut with = Conn::<16, 1024, 40>::new(Protocol::Http1);
    let mut without = Conn::<16, 1024, 0>::new(Protocol::Http1);
    let (mut output, mut expected) = ([0; 500], [0; 500]);
    for head in heads {
        let fed = with.feed_with(&SITE, &mut Filler, head.as_bytes(), &mut output);
        let due = without.feed_with(&SITE, &mut Filler, head.as_bytes(), &mut expected);
        assert_eq!(fed, due, "{head}");
        assert_eq!(output[..fed.written], expected[..due.written], "{head}");
        assert!(fed.written > 0);
    }
    assert_eq!(with.counters(), without.counters());
}

#[test]
fn refusals_are_counted() {
    let counters = |input: &[u8]| {
        let counters = whole(&SITE, input).counters;
        (counters.requests, counters.refused, counters.errors)
    };
    assert_eq!(counters(GET), (1, 0, 0));
    assert_eq!(counters(b"GET /no HTTP/1.1\r\nhost: a\r\n\r\n"), (1, 0, 0));
    assert_eq!(counters(b"PUT / HTTP/1.1\r\nhost: a\r\n\r\n"), (1, 0, 0));
    assert_eq!(counters(b"BREW / HTTP/1.1\r\nhost: a\r\n\r\n"), (1, 1, 0));
    assert_eq!(counters(b"GET / HTTP/1.1\r\n\r\n"), (1, 1, 1));
    assert_eq!(counters(&[GET, b"\n"].concat()), (2, 1, 1));
}

/// Heads that lie whole in the input are read by words: each byte, wherever it stands in one.
#[test]
fn no_byte_is_taken_that_may_not_stand_in_a_host_or_a_value() {
    let is_good = |input: &[u8]| {
        let mut conn = Conn::<16, 1024>::new(Protocol::Http1);
        let _ = conn.feed(&SITE, b"GET /data HTTP/1.1\r\nHost: a\r\n\r\n", &mut [0; 512]);
        let mut output = [0; 512];
        let fed = conn.feed(&SITE, input, &mut output);
        output[..fed.written].starts_with(b"HTTP/1.1 200")
    };
    for byte in 0..=255u8 {
        for at in 0..14 {
            let mut host = *b"127.0.0.1:8080";
            host[at] = byte;
            let input =
                [b"GET /data HTTP/1.1\r\nHost: ", &host[..], b"\r\naccept: */*\r\n\r\n"].concat();
            // A colon is in front of the port, and digits behind it.
            let name = byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte);
            let good = match at {
                0..9 => name,
                9 => name || byte == b':',
                _ => byte.is_ascii_digit(),
            };
            // Blanks around it do not belong to it, and `%27` and `%80` are bytes.
            let good = good || matches!((at, byte), (0 | 13, b' ' | b'\t') | (0 | 9, b'%'));
            assert_eq!(is_good(&input), good, "{}", input.escape_ascii());
        }
        for (name, at) in [("accept:", 0), ("accept:", 3), ("user-agent:", 0), ("user-agent:", 9)] {
            let mut value = *b" some/value";
            value[at] = byte;
            let head = b"GET /data HTTP/1.1\r\nHost: a\r\n";
            let input = [head, name.as_bytes(), &value, b"\r\n\r\n"].concat();
            let good = byte == b'\t' || byte >= b' ' && byte != 0x7f;
            assert_eq!(is_good(&input), good, "{}", input.escape_ascii());
        }
    }
}
