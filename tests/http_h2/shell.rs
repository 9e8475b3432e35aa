//! A connection whose owner feeds it as it is told, and what it said in words.

use onewrite::http::{
    Conn, Handler, NoBody, Protocol, Request, Response, Routes, response, routes,
};

use crate::http_talk;
pub(crate) use crate::http_talk::Talk;

response! { pub(crate) static ROOT = 200, { "content-type": "text/plain" }, b"root", etag = none }
response! { pub(crate) static DATA = 200, { "content-type": "text/plain" }, b"Hello World", etag = "v1" }
response! { pub(crate) static LARGE = 200, {}, &[b'x'; 40_000], etag = none }
response! { pub(crate) static EMPTY = 204, {} }
response! { pub(crate) static SENSOR = 200, { "x-unit": [hole(UNIT = "K")] }, ["t=", hole(VALUE, 3)] }
response! { pub(crate) static COUNT = 200, { "content-type": "text/plain" }, dynamic(max = 40) }
response! { pub(crate) static FAIL = 200, {}, dynamic(max = 20) }
response! { pub(crate) static NOT_HERE = 404, {}, b"no" }
pub(crate) static WRITTEN: Response<'_> = Response::written(200);

routes! {
    pub(crate) static SITE = {
        "/" => ROOT, "/data" => DATA, "/large" => LARGE, "/empty" => EMPTY, "/sensor" => SENSOR,
        "/count" => COUNT, "/written" => WRITTEN, "/fail" => FAIL,
    }, not_found = NOT_HERE
}

/// Fills the holes of [`SITE`], always the same.
#[derive(Debug, Default)]
pub(crate) struct Filler;

impl Handler for Filler {
    fn fill(&mut self, request: Request, hole: usize, bytes: &mut [u8]) {
        assert_eq!(
            (Some(request.route), request.protocol),
            (SITE.number("/sensor"), Protocol::Http2)
        );
        match hole {
            SENSOR::UNIT => assert_eq!(bytes, b"K"),
            _ => bytes.copy_from_slice(b"291"),
        }
    }

    fn body(&mut self, request: Request, body: &mut [u8]) -> Result<usize, NoBody> {
        if Some(request.route) == SITE.number("/fail") {
            return Err(NoBody);
        }
        assert_eq!((Some(request.route), body.len()), (SITE.number("/count"), 40));
        body.fill(0xa5);
        body[..12].copy_from_slice(b"twelve bytes");
        Ok(12)
    }

    fn respond(&mut self, request: Request, output: &mut [u8]) -> Result<usize, NoBody> {
        assert_eq!((Some(request.route), output.len()), (SITE.number("/written"), 200));
        let bytes = ROOT.http2();
        output[..bytes.len()].copy_from_slice(bytes);
        Ok(bytes.len())
    }
}

/// Feeds `pieces`, one after the other, into outputs of `room` bytes.
pub(crate) fn talk<'p, const STREAMS: usize, const BLOCK: usize, const MEMO: usize>(
    conn: &mut Conn<STREAMS, BLOCK, MEMO>,
    routes: &Routes<'_>,
    pieces: impl IntoIterator<Item = &'p [u8]>,
    room: usize,
) -> Talk {
    http_talk::talk(conn, routes, &mut Filler, pieces, room)
}

/// The same for a new connection that speaks only HTTP/2 and gets all of `input` at once.
pub(crate) fn whole(input: &[u8]) -> Talk {
    talk(&mut Conn::<16, 1024>::new(Protocol::Http2), &SITE, [input], 65_536)
}
