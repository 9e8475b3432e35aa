//! Requests that a handler sees whole, and connections that leave HTTP.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

use std::fmt::Write as _;

use onewrite::http::{
    Conn, Exchanged, Fed, Handler, Limits, Next, NoBody, Protocol, Received, Request, Response,
    Waiting, response, routes,
};
use onewrite::sink::SliceSink;
use onewrite::websocket::{Refusal, Upgrade};

response! { static ROOT = 200, {}, b"root", etag = none }
static MIRROR: Response<'_> = Response::exchanged(600);
static SOCKET: Response<'_> = Response::exchanged(200);
static NOTHING: Response<'_> = Response::exchanged(100);

routes! {
    static SITE = { "/" => ROOT, "/mirror" => MIRROR, "/socket" => SOCKET, "/nothing" => NOTHING },
    limits = {
        let mut limits = Limits::DEFAULT;
        limits.head = 400;
        limits.body = 100;
        limits
    }
}

/// Says what it sees.
#[derive(Default)]
struct Mirror {
    calls: usize,
}

impl Mirror {
    fn text(received: &Received<'_>) -> String {
        let mut text = format!("{} {}", received.method(), received.target());
        for (name, value) in received.fields() {
            let (name, value) = (str::from_utf8(name).unwrap(), str::from_utf8(value).unwrap());
            write!(text, "|{name}={value}").unwrap();
        }
        text + "|" + str::from_utf8(received.body()).unwrap()
    }
}

impl Handler for Mirror {
    fn exchange(
        &mut self,
        received: &Received<'_>,
        output: &mut [u8],
    ) -> Result<Exchanged, NoBody> {
        self.calls += 1;
        let room = if received.route == 1 { 600 } else { output.len() };
        assert_eq!(output.len(), room);
        match received.route {
            1 => Ok(Exchanged::Response(put(output, &answer(&Self::text(received))))),
            2 => {
                let [method, target, version] =
                    [received.method(), received.target(), received.version()];
                let socket = || {
                    let (method, version) = (method.as_bytes(), version.as_bytes());
                    let mut upgrade = Upgrade::new(method, target.as_bytes(), version, &[])?;
                    received.fields().try_for_each(|(name, value)| upgrade.field(name, value))?;
                    upgrade.finish()
                };
                match socket() {
                    Ok(request) => {
                        let mut sink = SliceSink::new(output);
                        request.respond(&mut sink).map_err(|_| NoBody)?;
                        Ok(Exchanged::Switch(sink.into_written().len()))
                    }
                    // One that may ask again, and one that may not.
                    Err(Refusal::BadVersion) => Ok(Exchanged::Response(put(
                        output,
                        "HTTP/1.1 426 Version\r\ncontent-length: 0\r\n\r\n",
                    ))),
                    Err(refusal) => {
                        let bytes = str::from_utf8(refusal.response()).unwrap();
                        Ok(Exchanged::Close(put(output, bytes)))
                    }
                }
            }
            _ => Err(NoBody),
        }
    }

    fn respond(&mut self, request: Request, output: &mut [u8]) -> Result<usize, NoBody> {
        assert_eq!((request.route, request.protocol), (1, Protocol::Http2));
        // HEADERS with `:status: 204`.
        let frame = b"\0\0\x01\x01\x05\0\0\0\0\x89";
        output[..frame.len()].copy_from_slice(frame);
        Ok(frame.len())
    }
}

fn put(output: &mut [u8], text: &str) -> usize {
    output[..text.len()].copy_from_slice(text.as_bytes());
    text.len()
}

fn answer(text: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{text}", text.len())
}

/// What came of some input: the output, how much of the input was left, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Outcome {
    output: String,
    left: usize,
    next: Next,
    calls: usize,
    refused: u64,
    requests: u64,
}

/// Feeds `input` in pieces of `piece` bytes, into outputs of `room` bytes.
fn talk(input: &[u8], piece: usize, room: usize) -> Outcome {
    let (mut conn, mut handler) = (<Conn>::new(Protocol::Auto), Mirror::default());
    let (mut held, mut output, mut out) = (Vec::new(), String::new(), vec![0; room]);
    let mut next = Next::Read;
    let mut pieces = input.chunks(piece);
    loop {
        match next {
            Next::Read => match pieces.next() {
                Some(piece) => held.extend_from_slice(piece),
                None => break,
            },
            Next::Flush { needed } => assert!(needed <= room, "{needed} of {room}"),
            Next::Close | Next::Switch => break,
        }
        let fed = conn.feed_with(&SITE, &mut handler, &held, &mut out);
        held.drain(..fed.consumed);
        output += str::from_utf8(&out[..fed.written]).unwrap();
        next = fed.next;
    }
    let left = held.len() + pieces.map(<[u8]>::len).sum::<usize>();
    let counters = conn.counters();
    assert_eq!(counters.received, (input.len() - left) as u64);
    assert_eq!(counters.sent, output.len() as u64);
    let (refused, requests) = (counters.refused, counters.requests);
    Outcome { output, left, next, calls: handler.calls, refused, requests }
}

/// The same in all pieces and rooms.
fn outcome(input: &str) -> Outcome {
    let whole = talk(input.as_bytes(), usize::MAX, 4096);
    for piece in [1, 2, 3, 7, 50] {
        for room in [SITE.min_output(), SITE.min_output() + 3, 4096] {
            assert_eq!(talk(input.as_bytes(), piece, room), whole, "{piece} into {room}\n{input}");
        }
    }
    whole
}

const POST: &str = "POST /mirror?a=1&b=2 HTTP/1.1\r\nHost: pi\r\nOrigin: \t http://pi \r\nContent-Length: 5\r\n\r\nhello";

#[test]
fn a_handler_sees_all_of_a_request() {
    let seen = "POST /mirror?a=1&b=2|Host=pi|Origin=http://pi|Content-Length=5|hello";
    let one = outcome(POST);
    assert_eq!((one.output, one.left, one.next, one.calls), (answer(seen), 0, Next::Read, 1));
    assert_eq!((one.refused, one.requests), (0, 1));
}

#[test]
fn requests_around_it_are_answered_in_order() {
    let get = "GET / HTTP/1.1\r\nHost: pi\r\n\r\n";
    let root = str::from_utf8(ROOT.http1()).unwrap();
    let mirror = "GET /mirror HTTP/1.1\r\nHost: pi\r\n\r\n";
    let seen = answer("POST /mirror?a=1&b=2|Host=pi|Origin=http://pi|Content-Length=5|hello");
    let plain = answer("GET /mirror|Host=pi|");
    let all = outcome(&[get, POST, "\r\n", mirror, mirror, get, POST].concat());
    let expected = [root, &seen, &plain, &plain, root, &seen].concat();
    assert_eq!((all.output, all.left, all.calls), (expected, 0, 4));
    assert_eq!(all.requests, 6);
}

#[test]
fn every_method_but_two_is_the_handlers() {
    for method in ["GET", "POST", "PUT", "DELETE", "PATCH", "TRACE"] {
        let one = outcome(&format!("{method} /mirror HTTP/1.1\r\nHost: pi\r\n\r\n"));
        assert_eq!(one.output, answer(&format!("{method} /mirror|Host=pi|")));
    }
    let status = |method| {
        let one = outcome(&format!("{method} /mirror HTTP/1.1\r\nHost: pi\r\n\r\n"));
        assert_eq!(one.calls, 0);
        one.output[9..12].to_owned()
    };
    assert_eq!([status("OPTIONS"), status("BREW"), status("post")], ["200", "501", "501"]);
    // Its response without the body.
    let head = outcome("HEAD /mirror HTTP/1.1\r\nHost: pi\r\n\r\n");
    assert_eq!(head.output, "HTTP/1.1 200 OK\r\ncontent-length: 21\r\n\r\n");
    // For others nothing changes.
    assert_eq!(&outcome("POST / HTTP/1.1\r\nHost: pi\r\n\r\n").output[9..12], "405");
}

#[test]
fn the_last_response_says_so() {
    let one = outcome(&POST.replace("Origin", "connection: close\r\nOrigin"));
    assert!(one.output.starts_with("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: "));
    assert!(one.output.ends_with("|connection=close|Origin=http://pi|Content-Length=5|hello"));
    assert_eq!(one.next, Next::Close);
    let old = outcome("GET /mirror HTTP/1.0\r\n\r\n");
    assert!(old.output.contains("connection: close\r\n") && old.output.ends_with("GET /mirror|"));
}

#[test]
fn a_body_may_wait_for_a_sign() {
    let (head, body) = POST.split_at(POST.len() - 5);
    let head = head.replace("\r\n\r\n", "\r\nexpect: 100-continue\r\n\r\n");
    let one = outcome(&format!("{head}{body}"));
    let (sign, rest) = one.output.split_once("\r\n\r\n").unwrap();
    assert_eq!(sign, "HTTP/1.1 100 Continue");
    assert!(rest.ends_with("|expect=100-continue|hello"), "{rest}");
}

#[test]
fn what_is_wrong_with_a_request_is_found_before_the_handler() {
    let body = "x".repeat(101);
    for (request, status) in [
        (POST.replace("Host: pi\r\n", ""), "400"),
        (POST.replace("Origin:", "Origin :"), "400"),
        (POST.replace("Content-Length: 5", "Content-Length: 5\r\nContent-Length: 5"), "400"),
        (POST.replace("Content-Length: 5", "Transfer-Encoding: chunked"), "411"),
        (POST.replace("Length: 5", &format!("Length: 101\r\nx: {body}")), "413"),
        (POST.replace("Origin", &format!("{}Origin", format!("x: {body}\r\n").repeat(3))), "431"),
        (POST.replace("Content-Length: 5", "expect: tea"), "417"),
        (POST.replace("Content-Length: 5", "Transfer-Encoding: gzip, chunked"), "501"),
    ] {
        let one = outcome(&request);
        assert_eq!(
            (&one.output[9..12], one.calls, one.next),
            (status, 0, Next::Close),
            "{request}"
        );
        assert_eq!((one.refused, one.requests), (1, 1));
    }
}

#[test]
fn a_handler_without_an_answer_is_status_500() {
    let get = "GET / HTTP/1.1\r\nHost: pi\r\n\r\n";
    let one = outcome(&format!("{}{get}", POST.replace("/mirror", "/nothing")));
    assert!(one.output.starts_with("HTTP/1.1 500 ") && one.output.ends_with("root"));
    assert_eq!((one.calls, one.refused, one.requests, one.left), (1, 1, 2, 0));
    // A handler that does not know of such requests.
    let mut output = [0; 2048];
    let fed = <Conn>::new(Protocol::Auto).feed(&SITE, POST.as_bytes(), &mut output);
    assert!(output[..fed.written].starts_with(b"HTTP/1.1 500 "));
}

/// Nothing of it is consumed before all of it is there, and its owner may run out of memory.
#[test]
fn a_request_that_does_not_fit_its_owner_is_refused() {
    let head = POST.len() - 5;
    for (len, status, waiting) in
        [(40, "431", Waiting::Head), (head - 1, "431", Waiting::Head), (head, "413", Waiting::Body)]
    {
        let (mut conn, mut handler) = (<Conn>::new(Protocol::Auto), Mirror::default());
        let mut output = [0; 2048];
        let fed = conn.feed_with(&SITE, &mut handler, &POST.as_bytes()[..len], &mut output);
        assert_eq!(fed, Fed { consumed: 0, written: 0, next: Next::Read });
        assert_eq!(conn.waiting(), waiting);
        let fed = conn.overflow(&mut output);
        assert_eq!((&output[9..12], fed.next), (status.as_bytes(), Next::Close));
        assert_eq!(handler.calls, 0);
    }
    let (mut conn, mut output) = (<Conn>::new(Protocol::Auto), [0; 2048]);
    let _ = conn.feed_with(&SITE, &mut Mirror::default(), &POST.as_bytes()[..60], &mut output);
    let fed = conn.time_out(&mut output);
    assert_eq!((&output[9..12], fed.next), (&b"408"[..], Next::Close));
}

const SWITCH: &str = "GET /socket?id=7 HTTP/1.1\r\nHost: pi\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

#[test]
fn a_connection_leaves_http_with_what_is_behind() {
    let answer = "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\
        sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
    let one = outcome(SWITCH);
    assert_eq!((&*one.output, one.left, one.next), (answer, 0, Next::Switch));
    assert_eq!((one.refused, one.requests), (0, 1));
    // Behind other requests, with frames behind it that may look like requests.
    let get = "GET / HTTP/1.1\r\nHost: pi\r\n\r\n";
    let one = outcome(&format!("{get}{POST}{SWITCH}{get}"));
    assert!(one.output.ends_with(answer));
    assert_eq!((one.left, one.next, one.requests), (get.len(), Next::Switch, 3));
    // It keeps its line about the connection, whatever the client says about that.
    let one = outcome(&SWITCH.replace("keep-alive", "close"));
    assert_eq!((&*one.output, one.next), (answer, Next::Switch));
}

#[test]
fn a_connection_that_has_left_has_nothing_to_say() {
    let (mut conn, mut handler) = (<Conn>::new(Protocol::Auto), Mirror::default());
    let mut output = [0; 2048];
    let fed = conn.feed_with(&SITE, &mut handler, SWITCH.as_bytes(), &mut output);
    assert_eq!((fed.consumed, fed.next), (SWITCH.len(), Next::Switch));
    let silent = Fed { consumed: 0, written: 0, next: Next::Switch };
    assert_eq!(conn.feed_with(&SITE, &mut handler, b"GET / HTTP/1.1\r\n", &mut output), silent);
    assert_eq!(conn.waiting(), Waiting::Idle);
    assert_eq!(conn.time_out(&mut output).written, 0);
}

#[test]
fn who_does_not_switch_goes_on() {
    let one = outcome(&format!("{}{SWITCH}", SWITCH.replace("Version: 13", "Version: 8")));
    assert!(one.output.starts_with("HTTP/1.1 426 Version\r\n"));
    assert_eq!((one.next, one.calls), (Next::Switch, 2));
    let one = outcome(&format!("{}{SWITCH}", SWITCH.replace("Key: d", "Key: ")));
    assert!(one.output.starts_with("HTTP/1.1 400 Bad Request\r\n"));
    assert_eq!((one.next, one.left, one.calls), (Next::Close, SWITCH.len(), 1));
}

#[test]
fn fields_and_parameters_that_are_there_twice_are_none() {
    struct Asked;
    impl Handler for Asked {
        fn exchange(
            &mut self,
            received: &Received<'_>,
            output: &mut [u8],
        ) -> Result<Exchanged, NoBody> {
            assert_eq!(received.query(), Some("id=a%20b&x&id2=c&y=&z=1&z=1&a=b=c"));
            let parameter = |name| received.parameter(name);
            assert_eq!(parameter("id"), Some("a%20b"));
            assert_eq!((parameter("id2"), parameter("y")), (Some("c"), Some("")));
            assert_eq!((parameter("x"), parameter("z"), parameter("i")), (None, None, None));
            assert_eq!(parameter("a"), Some("b=c"));
            assert_eq!(received.field("HOST"), Some(&b"pi"[..]));
            assert_eq!((received.field("twice"), received.field("none")), (None, None));
            assert_eq!(received.field("empty"), Some(&b""[..]));
            assert_eq!((received.route, received.version()), (1, "HTTP/1.1"));
            Ok(Exchanged::Response(put(output, &answer(""))))
        }
    }
    let request = "GET http://pi/mirror?id=a%20b&x&id2=c&y=&z=1&z=1&a=b=c HTTP/1.1\r\nhost: pi\r\nTwice: 1\r\ntwice: 2\r\nempty:\r\n\r\n";
    let mut output = [0; 2048];
    let mut conn = <Conn>::new(Protocol::Http1);
    let fed = conn.feed_with(&SITE, &mut Asked, request.as_bytes(), &mut output);
    assert_eq!(&output[..fed.written], answer("").as_bytes());
}

/// Where no request is held, the handler is asked for the response alone.
#[test]
fn over_http_2_the_response_is_written_without_the_request() {
    let mut input = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0".to_vec();
    // `:method: GET`, `:scheme: http`, `:path: /mirror`.
    input.extend(b"\0\0\x0b\x01\x05\0\0\0\x01\x82\x86\x04\x07/mirror");
    let (mut conn, mut handler) = (<Conn>::new(Protocol::Auto), Mirror::default());
    let mut output = [0; 2048];
    let fed = conn.feed_with(&SITE, &mut handler, &input, &mut output);
    assert_eq!((fed.consumed, handler.calls), (input.len(), 0));
    assert!(output[..fed.written].ends_with(b"\0\0\x01\x01\x05\0\0\0\x01\x89"), "{fed:?}");
}
