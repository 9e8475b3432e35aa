//! HTTP over drivers that fail, and into output of any length.

use std::collections::BTreeMap;

use onewrite::http::serve::{
    Buffers, End, ServeError, embedded_io as blocking, embedded_io_async as waiting,
};
use onewrite::http::{Conn, Fed, Handler, Next, NoBody, Protocol, Request, response, routes};

use super::batches::block_on;
use super::driver::{Driver, Fault, Stop, same};

response! { static DATA = 200, { "content-type": "text/plain" }, "Hello World", etag = none }
response! { static MADE = 200, {}, dynamic(max = 30) }
response! { static LARGE = 200, {}, &[b'x'; 600], etag = none }
routes! { static SITE = { "/data" => DATA, "/made" => MADE, "/large" => LARGE } }

struct Maker;

impl Handler for Maker {
    fn body(&mut self, _: Request, body: &mut [u8]) -> Result<usize, NoBody> {
        body.fill(b'm');
        Ok(body.len() - 3)
    }
}

const HTTP1: &[u8] =
    b"GET /data HTTP/1.1\r\nHost: pi\r\n\r\nGET /made HTTP/1.1\r\nHost: pi\r\n\r\n\
    GET /large HTTP/1.1\r\nHost: pi\r\n\r\nHEAD /data HTTP/1.1\r\nHost: pi\r\n\r\n\
    GET /none HTTP/1.1\r\nHost: pi\r\nConnection: close\r\n\r\n";

/// The same questions: RFC 9113 section 3.4, then settings, then a HEADERS frame each.
fn http2() -> Vec<u8> {
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    bytes.extend([0, 0, 0, 4, 0, 0, 0, 0, 0]);
    for (number, (method, path)) in
        (0u8..).zip([(0x82, "/data"), (0x82, "/made"), (0x82, "/large"), (0x82, "/none")])
    {
        let len = u8::try_from(path.len()).unwrap();
        // :method, :scheme http, :path, :authority, none of them for the table.
        let mut block = vec![method, 0x86, 0x04, len];
        block.extend(path.bytes());
        block.extend([0x01, 2, b'p', b'i']);
        bytes.extend([0, 0, u8::try_from(block.len()).unwrap(), 1, 5, 0, 0, 0, number * 2 + 1]);
        bytes.extend(block);
    }
    bytes
}

/// A client that sends all it has to say, and then hangs up.
#[derive(Clone)]
struct Client {
    sends: Vec<u8>,
    output: Driver,
}

impl Client {
    fn give(&mut self, room: &mut [u8]) -> usize {
        let len = room.len().min(self.sends.len());
        room[..len].copy_from_slice(&self.sends[..len]);
        self.sends.drain(..len);
        len
    }
}

impl embedded_io::ErrorType for Client {
    type Error = Fault;
}

impl embedded_io::Read for Client {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, Fault> {
        Ok(self.give(room))
    }
}

impl embedded_io::Write for Client {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        self.output.take(bytes)
    }

    fn flush(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

impl embedded_io_async::Read for Client {
    async fn read(&mut self, room: &mut [u8]) -> Result<usize, Fault> {
        Ok(self.give(room))
    }
}

impl embedded_io_async::Write for Client {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        self.output.take(bytes)
    }

    async fn flush(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

const INPUT: usize = 600;
const OUTPUT: usize = 700;

/// What both shells come to, with the same bytes.
fn serve(sends: &[u8], output: Driver) -> (Vec<u8>, Result<End, ServeError<Fault>>) {
    let client = Client { sends: sends.to_vec(), output };
    let (mut one, mut other) = (client.clone(), client);
    let (mut input, mut out) = ([0xa5; INPUT], [0xa5; OUTPUT]);
    let buffers = Buffers { input: &mut input, output: &mut out };
    let mut conn = Conn::<4, 600, 0>::new(Protocol::Auto);
    let end = blocking::serve(&mut one, &mut conn, &SITE, &mut Maker, buffers);

    let (mut input, mut out) = ([0xa5; INPUT], [0xa5; OUTPUT]);
    let buffers = Buffers { input: &mut input, output: &mut out };
    let mut conn = Conn::<4, 600, 0>::new(Protocol::Auto);
    let again = block_on(waiting::serve(&mut other, &mut conn, &SITE, &mut Maker, buffers));
    assert_eq!(again, end);
    same(&other.output.taken, &one.output.taken, "async");
    (one.output.taken, end)
}

fn fails_at_any_byte(sends: &[u8], ends: End) {
    let (whole, end) = serve(sends, Driver::taking(usize::MAX));
    assert_eq!(end, Ok(ends));
    assert!(whole.len() > 700, "{}", whole.len());
    for until in 0..whole.len() {
        for (stop, at_once) in [
            (Stop::Breaks, usize::MAX),
            (Stop::Breaks, 7),
            (Stop::Stalls, 100),
            (Stop::Claims, 100),
        ] {
            let what = format!("{stop:?} at {until}");
            let (taken, end) = serve(sends, Driver::failing(until, stop, 1, at_once));
            same(&taken, &whole[..taken.len()], &what);
            match (stop, end.unwrap_err()) {
                (Stop::Breaks, ServeError::Io(Fault(7))) | (Stop::Stalls, ServeError::Stalled) => {
                    assert_eq!(taken.len(), until, "{what}");
                }
                (Stop::Claims, ServeError::Miscounted { offered, claimed }) => {
                    assert_eq!((until + offered, offered + 1), (taken.len(), claimed), "{what}");
                }
                (_, error) => panic!("{what}: {error:?}"),
            }
        }
    }
    for at_once in (1..40).chain((40..whole.len()).step_by(17)) {
        let (taken, end) = serve(sends, Driver::taking(at_once));
        same(&taken, &whole, &format!("{at_once} at once"));
        assert_eq!(end, Ok(ends));
    }
}

#[test]
fn http1_over_drivers_that_fail_at_any_byte() {
    fails_at_any_byte(HTTP1, End::Server);
}

#[test]
fn http2_over_drivers_that_fail_at_any_byte() {
    fails_at_any_byte(&http2(), End::Client);
}

/// What the owner has a connection say when it has answered everything.
type LastWords = fn(&mut Conn<4, 600, 0>, &mut [u8]) -> Fed;

/// All that a connection says into output of `len` bytes, or of as many as it then asks for.
fn said(sends: &[u8], len: usize, end: LastWords) -> Vec<u8> {
    let mut conn = Conn::<4, 600, 0>::new(Protocol::Auto);
    let (mut said, mut rest, mut room) = (Vec::new(), sends, len);
    let mut ends = false;
    loop {
        let mut output = vec![0x5a; room];
        let fed = if ends {
            end(&mut conn, &mut output)
        } else {
            conn.feed_with(&SITE, &mut Maker, rest, &mut output)
        };
        said.extend_from_slice(&output[..fed.written]);
        rest = &rest[fed.consumed..];
        match fed.next {
            Next::Flush { needed } => {
                assert!(
                    needed > room || fed.written != 0 || fed.consumed != 0,
                    "{needed} of {room}"
                );
                room = if fed.written == 0 && fed.consumed == 0 { needed } else { len };
            }
            Next::Read if ends => return said,
            Next::Read => (ends, room) = (true, len),
            Next::Close => return said,
            Next::Switch => panic!("to what?"),
        }
    }
}

/// What goes out on each stream, and whether that ends: frames of header fields as they are, and the bytes
/// of all frames of data. Nothing is in the middle of anything else.
fn streams(mut bytes: &[u8]) -> BTreeMap<u8, (Vec<u8>, Vec<u8>, bool)> {
    let mut streams = BTreeMap::<_, (Vec<u8>, Vec<u8>, bool)>::new();
    while let Some(([high, middle, low, kind, flags, .., number], rest)) =
        bytes.split_first_chunk::<9>()
    {
        let len = usize::from(*high) << 16 | usize::from(*middle) << 8 | usize::from(*low);
        let (payload, rest) = rest.split_at(len);
        let (others, data, ends) = streams.entry(*number).or_default();
        assert!(*number == 0 || !*ends, "stream {number} has ended");
        match kind {
            0 => data.extend(payload),
            _ => others.extend([&[*kind], payload].concat()),
        }
        *ends = flags & 1 != 0;
        bytes = rest;
    }
    assert_eq!(bytes, [0; 0]);
    streams
}

#[test]
fn output_that_is_too_short_by_any_number_of_bytes() {
    let head = b"GET /data HTTP/1.1\r\nHost: pi\r\n\r\nGET /da";
    let asked = http2();
    let cases: [(&[u8], LastWords); 5] = [
        (HTTP1, |_, _| panic!("it was asked to close")),
        (&head[..], |conn, output| conn.time_out(output)),
        (&head[..], |conn, output| conn.overflow(output)),
        (&asked, |conn, output| conn.time_out(output)),
        (&asked, |conn, output| conn.overflow(output)),
    ];
    for (sends, end) in cases {
        let whole = said(sends, 2000, end);
        for len in 0..whole.len() {
            let what = format!("{len} bytes at once");
            let pieces = said(sends, len, end);
            // Of a body of HTTP/2 that does not fit, more pieces are made.
            match sends.starts_with(b"PRI") {
                true => assert_eq!(streams(&pieces), streams(&whole), "{what}"),
                false => same(&pieces, &whole, &what),
            }
        }
    }
}
