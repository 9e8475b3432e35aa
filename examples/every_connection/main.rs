//! Calls all of `http`, with inputs that the compiler cannot see through.
//!
//! The sibling of `every_codec`, and apart from it because of its size.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[path = "../every_codec/driver.rs"]
mod driver;

use core::hint::black_box;

use onewrite::http::serve::{Buffers, embedded_io};
use onewrite::http::{
    self, Conn, Exchanged, Handler, Header, Hole, Limits, NoBody, Parts, Path, Piece, Protocol,
    Received, Request, Response, Route, Routes, RoutesError, date, response, route_huffman_len,
    routes,
};
use onewrite_boards::{Console, Failure, entry};

use crate::driver::{DRIVERS, Driver};

entry!(run);

response! {
    static HELLO = 200, { "x-a": [hole(A, 2)], "date": [hole(DATE, 29)] }, b"Hello World"
}
response! { static COUNT = 200, {}, ["n=", hole(COUNT, 3)] }
response! { static DYNAMIC = 200, {}, dynamic(max = 100) }
response! { static LONG = 200, {}, &[b'x'; 20_000], etag = none }
static WRITTEN: Response<'static> = Response::written(100);
static SEEN: Response<'static> = Response::exchanged(100);
routes! {
    static SITE = {
        "/" => HELLO, "/count" => COUNT, "/dynamic" => DYNAMIC, "/long" => LONG,
        "/written" => WRITTEN, "/seen" => SEEN,
    }
}

/// Over HTTP/1.1: each route, a body in chunks, and what is none of these.
const HTTP1: &[u8] = b"GET / HTTP/1.1\r\nhost: a\r\nif-none-match: \"x\"\r\n\r\n\
    HEAD /count?x HTTP/1.1\r\nhost: a:80\r\n\r\nGET http://a/dynamic HTTP/1.1\r\nhost: a\r\n\r\n\
    GET /written HTTP/1.1\r\nhost: a\r\n\r\nOPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n\
    POST /long HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\nexpect: 100-continue\r\n\r\n\
    3\r\nabc\r\n0\r\n\r\nGET /long HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nab\
    POST /seen?a=b HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nab\
    GET /nowhere HTTP/1.0\r\nconnection: keep-alive\r\n\r\nrest of it";

/// A request behind which another protocol is spoken.
const LEAVES: &[u8] = b"GET /seen HTTP/1.1\r\nhost: a\r\n\r\nrest of it";

/// Over HTTP/2: SETTINGS, a `WINDOW_UPDATE`, requests for all routes in plain and coded paths, one of
/// them with a body, a PING, a reset, a header block in two frames, and what is no frame.
const HTTP2: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\
    \0\0\x06\x04\0\0\0\0\0\0\x04\0\0\0\x40\
    \0\0\x04\x08\0\0\0\0\0\0\0\x40\0\
    \0\0\x03\x01\x05\0\0\0\x01\x82\x86\x84\
    \0\0\x0b\x01\x04\0\0\0\x03\x83\x86\x44\x07/count0\
    \0\0\x05\0\x09\0\0\0\x03\x01ab\0\0\
    \0\0\x0a\x01\x05\0\0\0\x05\x82\x86\x04\x06/count\
    \0\0\x0c\x01\x05\0\0\0\x07\x82\x86\x44\x08/dynamic\
    \0\0\x09\x01\x05\0\0\0\x09\x82\x86\x44\x05/long\
    \0\0\x0c\x01\x05\0\0\0\x0b\x82\x86\x44\x08/written\
    \0\0\x02\x01\x01\0\0\0\x0d\x82\x86\
    \0\0\x01\x09\x04\0\0\0\x0d\xbe\
    \0\0\x08\x06\0\0\0\0\0abcdefgh\
    \0\0\x04\x03\0\0\0\0\x09\0\0\0\x08\
    \0\0\x04\x07\0\0\0\0\0abcdrest of it";

/// Does what a handler may do, also what it may not.
struct Clock;

impl Handler for Clock {
    fn fill(&mut self, request: Request, hole: usize, bytes: &mut [u8]) {
        black_box((request, hole, bytes));
    }

    fn body(&mut self, request: Request, body: &mut [u8]) -> Result<usize, NoBody> {
        black_box((request, body));
        black_box(Ok(7))
    }

    fn respond(&mut self, request: Request, output: &mut [u8]) -> Result<usize, NoBody> {
        let parts = Parts::new(200).body(black_box(b"body"));
        let len = match request.protocol {
            Protocol::Http2 => Parts::http2_in(black_box(&parts), output),
            _ => Parts::http1_in(black_box(&parts), output),
        };
        black_box(len.map_err(|_| NoBody))
    }

    fn exchange(
        &mut self,
        received: &Received<'_>,
        output: &mut [u8],
    ) -> Result<Exchanged, NoBody> {
        black_box((received.route, Received::method(received), Received::target(received)));
        black_box((Received::version(received), Received::query(received)));
        black_box(Received::parameter(received, black_box("a")));
        Received::fields(received).for_each(|field| {
            black_box(field);
        });
        black_box(Received::field(received, black_box("host")));
        black_box((Received::body(received), output));
        black_box(Ok(Exchanged::Switch(7)))
    }
}

fn run(console: &mut Console) -> Result<(), Failure> {
    call();
    writeln!(console, "every connection was served")?;
    Ok(())
}

#[inline(never)]
fn call() {
    black_box(date(black_box(784_111_777)));
    for status in [200, 204, 302, 404, 777] {
        make(black_box(status), black_box("x-a"), black_box("value"), black_box(b"body"));
    }
    for input in [HTTP1, LEAVES, HTTP2] {
        for protocol in [Protocol::Auto, Protocol::Http1, Protocol::Http2] {
            talk(black_box(protocol), black_box(&SITE), black_box(input), black_box(&mut Clock));
            let handler: &mut dyn Handler = &mut Clock;
            talk(black_box(protocol), black_box(&SITE), black_box(input), black_box(handler));
        }
    }
    for driver in DRIVERS {
        serve(black_box(driver));
    }
    received(black_box(&mut Seer));
    handlers(black_box(Request { route: 7, method: http::Method::Get, protocol: Protocol::Http1 }));
}

#[inline(never)]
fn make(status: u16, name: &str, value: &str, body: &[u8]) {
    let mut bytes = [0; 512];
    let bytes = black_box(&mut bytes[..]);
    let pieces = [Piece::Bytes(value.as_bytes()), Piece::Hole(body)];
    let headers = [Header::new(name, value), Header::pieces(name, &pieces)];
    let parts = Parts::headers(Parts::new(status), &headers);
    for parts in [
        Parts::etag_of_body(Parts::body(parts, body)),
        Parts::etag(Parts::body_pieces(parts, &pieces), value),
        Parts::body_dynamic(parts, body.len()),
    ] {
        let parts = black_box(parts);
        black_box(Parts::check(&parts)).ok();
        black_box((Parts::len(&parts), Parts::hole_count(&parts)));
        black_box(Parts::not_modified(parts));
        black_box(Parts::http1_in(&parts, bytes)).ok();
        black_box(Parts::http2_in(&parts, bytes)).ok();
        let literal = Parts::literal::<64, 1>(&parts);
        if let Ok(literal) = black_box(&literal) {
            black_box(http::Literal::response(literal));
        }
        let mut holes = [Hole::NONE; 2];
        match Parts::response_in(&parts, bytes, &mut holes) {
            Ok(response) => {
                let response = Response::with_not_modified(response, black_box(&HELLO));
                black_box((Response::http1(&response), Response::http2(&response)));
                black_box((Response::etag(&response), Response::not_modified(&response)));
                site(name, black_box(&response));
            }
            Err(error) => {
                black_box(http::PartsError::message(&error));
            }
        }
    }
}

#[inline(never)]
fn site(path: &str, response: &Response<'_>) {
    black_box(route_huffman_len(path));
    let written = Response::written(black_box(7));
    black_box(Response::exchanged(black_box(7)));
    let Some(coded) = black_box(Path::<'_, 4>::new(path)) else { return };
    let routes = [Path::route(&coded, response), Route::new(path, &written)];
    match Routes::new(black_box(&routes)) {
        Ok(routes) => {
            let routes = Routes::not_found(routes, response);
            let routes = black_box(Routes::limits(routes, <Limits as Default>::default()));
            black_box((Routes::number(&routes, path), Routes::max_response(&routes)));
            black_box(Routes::min_output(&routes));
        }
        Err(error) => {
            black_box(RoutesError::message(&error));
        }
    }
}

#[inline(never)]
fn talk<H: Handler + ?Sized>(protocol: Protocol, site: &Routes<'_>, input: &[u8], handler: &mut H) {
    let mut output = [0; 300];
    for cut in [7, 40, input.len()] {
        let output = black_box(&mut output[..]);
        let mut conn = Conn::<2, 64, 128>::new(protocol);
        let mut rest = input;
        // Long enough for all that goes out, and not for ever.
        for call in 0..200 {
            let now = rest.get(..cut).unwrap_or(rest);
            let fed = Conn::feed_with(black_box(&mut conn), site, handler, black_box(now), output);
            rest = rest.get(fed.consumed..).unwrap_or_default();
            if fed.next == http::Next::Close || (call > 100 && rest.is_empty()) {
                break;
            }
        }
        black_box((Conn::waiting(&conn), Conn::protocol(&conn), Conn::counters(&conn)));
        Conn::shutdown(black_box(&mut conn));
        let _ = black_box(Conn::feed(black_box(&mut conn), site, black_box(b""), output));
        let _ = black_box(Conn::time_out(black_box(&mut conn), output));
        let _ = black_box(Conn::overflow(black_box(&mut conn), output));
    }
}

#[inline(never)]
fn serve(mut driver: Driver) {
    let (mut input, mut output) = ([0; 64], [0; 300]);
    let buffers = Buffers { input: black_box(&mut input), output: black_box(&mut output) };
    let mut conn = <Conn>::new(black_box(Protocol::Auto));
    black_box(embedded_io::serve(&mut driver, &mut conn, &SITE, &mut Clock, buffers)).ok();
}

/// Shows `handler` a request, and those that show it to others.
struct Seer;

impl Handler for Seer {
    fn exchange(
        &mut self,
        received: &Received<'_>,
        output: &mut [u8],
    ) -> Result<Exchanged, NoBody> {
        black_box(<() as Handler>::exchange(&mut (), received, output)).ok();
        let mut clock = &mut Clock;
        black_box(<&mut Clock as Handler>::exchange(&mut clock, received, output))
    }
}

#[inline(never)]
fn received(handler: &mut Seer) {
    let mut output = [0; 300];
    let mut conn = <Conn>::new(black_box(Protocol::Http1));
    let _ = black_box(conn.feed_with(&SITE, handler, black_box(LEAVES), &mut output));
}

#[inline(never)]
fn handlers(request: Request) {
    let mut bytes = [0; 16];
    let bytes = black_box(&mut bytes[..]);
    <() as Handler>::fill(&mut (), request, black_box(7), bytes);
    black_box(<() as Handler>::body(&mut (), request, bytes)).ok();
    black_box(<() as Handler>::respond(&mut (), request, bytes)).ok();
    let mut clock = &mut Clock;
    <&mut Clock as Handler>::fill(&mut clock, request, black_box(7), bytes);
    black_box(<&mut Clock as Handler>::body(&mut clock, request, bytes)).ok();
    black_box(<&mut Clock as Handler>::respond(&mut clock, request, bytes)).ok();
}
