//! A connection with an owner that feeds it as it is told.

use onewrite::http::{Conn, Handler, Limits, Protocol, Routes, response, routes};

use crate::http_talk;
pub(crate) use crate::http_talk::Talk;

response! { pub(crate) static ROOT = 200, { "content-type": "text/plain" }, b"root", etag = none }
response! { pub(crate) static DATA = 200, { "content-type": "text/plain" }, b"Hello World", etag = "v1" }
response! { pub(crate) static LARGE = 200, {}, &[b'x'; 3000], etag = none }
response! { pub(crate) static SENSOR = 200, { "x-unit": [hole(UNIT = "K")] }, ["t=", hole(VALUE, 3)] }
response! { pub(crate) static COUNT = 200, { "content-type": "text/plain" }, dynamic(max = 40) }
response! { pub(crate) static NOT_HERE = 404, {}, b"no" }
pub(crate) static WRITTEN: onewrite::http::Response<'_> = onewrite::http::Response::written(200);

const LIMITS: Limits = Limits::DEFAULT;

routes! {
    pub(crate) static SITE = {
        "/" => ROOT, "/data" => DATA, "/large" => LARGE, "/sensor" => SENSOR, "/count" => COUNT,
        "/written" => WRITTEN,
    }, not_found = NOT_HERE, limits = LIMITS
}

/// Fills the holes of [`SITE`], always the same.
#[derive(Debug, Default)]
pub(crate) struct Filler;

impl Handler for Filler {
    fn fill(&mut self, request: onewrite::http::Request, hole: usize, bytes: &mut [u8]) {
        assert_eq!(Some(request.route), SITE.number("/sensor"));
        match hole {
            SENSOR::UNIT => assert_eq!(bytes, b"K"),
            SENSOR::VALUE => bytes.copy_from_slice(b"291"),
            _ => unreachable!("hole {hole}"),
        }
    }

    fn body(
        &mut self,
        request: onewrite::http::Request,
        body: &mut [u8],
    ) -> Result<usize, onewrite::http::NoBody> {
        assert_eq!(Some(request.route), SITE.number("/count"));
        assert_eq!(body.len(), 40);
        body.fill(0xa5);
        body[..12].copy_from_slice(b"twelve bytes");
        Ok(12)
    }

    fn respond(
        &mut self,
        request: onewrite::http::Request,
        output: &mut [u8],
    ) -> Result<usize, onewrite::http::NoBody> {
        assert_eq!(Some(request.route), SITE.number("/written"));
        assert_eq!((request.protocol, output.len()), (Protocol::Http1, 200));
        let bytes = b"HTTP/1.1 203 Written\r\ncontent-length: 3\r\n\r\nnow";
        output[..bytes.len()].copy_from_slice(bytes);
        Ok(bytes.len())
    }
}

/// Feeds `pieces`, one after the other, into outputs of `room` bytes.
pub(crate) fn talk<'p>(
    conn: &mut Conn,
    routes: &Routes<'_>,
    pieces: impl IntoIterator<Item = &'p [u8]>,
    room: usize,
) -> Talk {
    http_talk::talk(conn, routes, &mut Filler, pieces, room)
}

/// The same for a new connection that gets all of `input` at once.
pub(crate) fn whole(routes: &Routes<'_>, input: &[u8]) -> Talk {
    talk(&mut Conn::new(Protocol::Http1), routes, [input], 8192)
}

/// The same, and that it does not depend on where the input is cut, nor on the output's length.
pub(crate) fn always(input: &[u8]) -> Talk {
    everyhow(Protocol::Http1, &SITE, input)
}

/// The same with other routes.
pub(crate) fn always_on(routes: &Routes<'_>, input: &[u8]) -> Talk {
    everyhow(Protocol::Http1, routes, input)
}

/// The same where the connection has to find out what it speaks.
pub(crate) fn always_auto(input: &[u8]) -> Talk {
    everyhow(Protocol::Auto, &SITE, input)
}

fn everyhow(protocol: Protocol, routes: &Routes<'_>, input: &[u8]) -> Talk {
    let expected = talk(&mut Conn::new(protocol), routes, [input], 8192);
    let check = |pieces: &mut dyn Iterator<Item = &[u8]>, room: usize, how: &str| {
        let mut talk = talk(&mut Conn::new(protocol), routes, pieces, room);
        // Closed, the rest of the input is nobody's.
        if expected.closed {
            talk.left.clone_from(&expected.left);
            talk.counters.received = expected.counters.received;
        }
        assert_eq!(talk, expected, "{how}, {room} bytes of output: {}", input.escape_ascii());
    };
    let least = routes.min_output();
    for cut in 1..input.len() {
        let (front, back) = input.split_at(cut);
        let room = if cut % 2 == 0 { 8192 } else { least };
        check(&mut [front, back].into_iter(), room, &format!("cut at {cut}"));
    }
    for room in [least, least + 1, least + 40, 8192] {
        check(&mut input.chunks(1), room, "byte by byte");
        check(&mut [input].into_iter(), room, "whole");
    }
    expected
}

/// The rule, what the client sends, the answers, and whether the connection is closed then.
pub(crate) type Rule = (&'static str, &'static str, &'static [&'static str], bool);

pub(crate) const OPEN: bool = false;
pub(crate) const CLOSED: bool = true;

/// With a second request, which shows where the first one ends.
macro_rules! then {
    ($first:expr) => {
        concat!($first, "GET / HTTP/1.1\r\nhost: a\r\n\r\n")
    };
}
pub(crate) use then;

pub(crate) fn check(rules: &[Rule]) {
    for (rule, input, answers, closed) in rules {
        // A character above 0x7f stands for a byte.
        let input: Vec<u8> = input.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        let talk = always(&input);
        let said = String::from_utf8_lossy(&talk.said);
        assert_eq!(said, answers.concat(), "{rule}: {}", input.escape_ascii());
        assert_eq!(talk.closed, *closed, "{rule}: {}", input.escape_ascii());
        if !closed {
            assert!(talk.left.is_empty(), "{rule}: {} left", talk.left.escape_ascii());
        }
    }
}
