//! A connection with an owner that feeds it as it is told.

use onewrite::http::{
    Conn, Counters, Fed, Handler, Limits, Next, Protocol, Routes, response, routes,
};

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

/// What a connection said to what a client sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Talk {
    pub said: Vec<u8>,
    pub closed: bool,
    pub left: Vec<u8>,
    pub counters: Counters,
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
    let (mut said, mut left) = (Vec::new(), Vec::new());
    let mut output = vec![0xa5; room];
    for piece in pieces {
        left.extend_from_slice(piece);
        loop {
            let Fed { consumed, written, next } =
                conn.feed_with(routes, &mut Filler, &left, &mut output);
            said.extend_from_slice(&output[..written]);
            left.drain(..consumed);
            match next {
                Next::Read => break,
                Next::Flush { needed } => {
                    assert!(needed <= room || room < routes.min_output(), "{needed} of {room}");
                    assert!(consumed + written > 0, "no progress in {room} bytes");
                }
                Next::Close => {
                    let counters = *conn.counters();
                    return Talk { said, closed: true, left, counters };
                }
            }
        }
    }
    Talk { said, closed: false, left, counters: *conn.counters() }
}

/// The same for a new connection that gets all of `input` at once.
pub(crate) fn whole(routes: &Routes<'_>, input: &[u8]) -> Talk {
    talk(&mut Conn::new(Protocol::Http1), routes, [input], 8192)
}
