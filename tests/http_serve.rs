//! Both shells on the same scripts: what a driver does, and what it does wrong, at every byte.
#![cfg(all(feature = "embedded-io-07", feature = "embedded-io-async-07"))]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "drivers/fault.rs"]
mod fault;

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use embedded_io::ErrorKind;
use fault::Fault;
use onewrite::http::serve::{Buffers, End, ServeError, embedded_io as blocking, embedded_io_async};
use onewrite::http::{
    Conn, Exchanged, Handler, NoBody, Protocol, Received, Request, Response, response, routes,
};

response! {
    static DATA = 200, { "content-type": "text/plain" }, "Hello World", etag = none
}
response! {
    static MADE = 200, {}, dynamic(max = 300)
}
response! {
    static LARGE = 200, {}, &[b'x'; 5000], etag = none
}
static LEAVE: Response<'_> = Response::exchanged(40);
routes! {
    static SITE = { "/data" => DATA, "/made" => MADE, "/large" => LARGE, "/leave" => LEAVE }
}

const DATA_BYTES: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-length: 11\r\ncontent-type: text/plain\r\n\r\nHello World";

const GET_DATA: &[u8] = b"GET /data HTTP/1.1\r\nHost: pi\r\n\r\n";
const GET_LARGE: &[u8] = b"GET /large HTTP/1.1\r\nHost: pi\r\n\r\n";
const GET_LAST: &[u8] = b"GET /data HTTP/1.1\r\nHost: pi\r\nConnection: close\r\n\r\n";

struct Maker;

const SWITCHING: &[u8] = b"HTTP/1.1 101 Switching Protocols\r\n\r\n";

impl Handler for Maker {
    fn exchange(&mut self, _: &Received<'_>, output: &mut [u8]) -> Result<Exchanged, NoBody> {
        output[..SWITCHING.len()].copy_from_slice(SWITCHING);
        Ok(Exchanged::Switch(SWITCHING.len()))
    }

    fn body(&mut self, _: Request, body: &mut [u8]) -> Result<usize, NoBody> {
        body.fill(b'm');
        Ok(body.len())
    }
}

/// What a driver does with one call.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Gives or takes at most this many bytes.
    Some(usize),
    /// Does that, and claims this many.
    Claim(usize),
    Interrupted,
    Broken(u8),
}

/// What was called, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Called {
    Read,
    Write(usize),
    Flush,
}

/// A client in memory, behind a driver that follows scripts and then does what it is asked.
#[derive(Clone, Debug, Default)]
struct Client {
    sends: Vec<u8>,
    sent: usize,
    received: Vec<u8>,
    reads: VecDeque<Step>,
    writes: VecDeque<Step>,
    flushes: VecDeque<Step>,
    calls: Vec<Called>,
}

impl Client {
    fn new(sends: &[&[u8]]) -> Self {
        Self { sends: sends.concat(), ..Self::default() }
    }

    fn read_step(&mut self, room: &mut [u8]) -> Result<usize, Fault> {
        assert!(!room.is_empty(), "a driver is never asked for nothing");
        self.calls.push(Called::Read);
        let step = self.reads.pop_front().unwrap_or(Step::Some(usize::MAX));
        let limit = match step {
            Step::Some(limit) | Step::Claim(limit) => limit,
            Step::Interrupted => return Err(Fault(ErrorKind::Interrupted, 0)),
            Step::Broken(code) => return Err(Fault(ErrorKind::TimedOut, code)),
        };
        let rest = &self.sends[self.sent..];
        let count = rest.len().min(room.len()).min(limit);
        room[..count].copy_from_slice(&rest[..count]);
        self.sent += count;
        Ok(if let Step::Claim(claimed) = step { claimed } else { count })
    }

    fn write_step(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        assert!(!bytes.is_empty(), "a driver is never offered nothing");
        self.calls.push(Called::Write(bytes.len()));
        match self.writes.pop_front().unwrap_or(Step::Some(usize::MAX)) {
            Step::Some(limit) => {
                let count = limit.min(bytes.len());
                self.received.extend_from_slice(&bytes[..count]);
                Ok(count)
            }
            Step::Claim(claimed) => Ok(claimed),
            Step::Interrupted => Err(Fault(ErrorKind::Interrupted, 0)),
            Step::Broken(code) => Err(Fault(ErrorKind::BrokenPipe, code)),
        }
    }

    fn flush_step(&mut self) -> Result<(), Fault> {
        self.calls.push(Called::Flush);
        match self.flushes.pop_front() {
            None | Some(Step::Some(_) | Step::Claim(_)) => Ok(()),
            Some(Step::Interrupted) => Err(Fault(ErrorKind::Interrupted, 0)),
            Some(Step::Broken(code)) => Err(Fault(ErrorKind::BrokenPipe, code)),
        }
    }
}

impl embedded_io::ErrorType for Client {
    type Error = Fault;
}

impl embedded_io::Read for Client {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, Fault> {
        self.read_step(room)
    }
}

impl embedded_io::Write for Client {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        self.write_step(bytes)
    }

    fn flush(&mut self) -> Result<(), Fault> {
        self.flush_step()
    }
}

/// The same client, which lets its server wait once before each call.
struct Waiting(Client);

async fn wait_once() {
    let mut waited = false;
    poll_fn(|context| {
        context.waker().wake_by_ref();
        if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

impl embedded_io::ErrorType for Waiting {
    type Error = Fault;
}

impl ::embedded_io_async::Read for Waiting {
    async fn read(&mut self, room: &mut [u8]) -> Result<usize, Fault> {
        wait_once().await;
        self.0.read_step(room)
    }
}

impl ::embedded_io_async::Write for Waiting {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        wait_once().await;
        self.0.write_step(bytes)
    }

    async fn flush(&mut self) -> Result<(), Fault> {
        wait_once().await;
        self.0.flush_step()
    }
}

type Outcome = Result<End, ServeError<Fault>>;

/// Serves a client over both shells; they have to make the same calls and come to the same end.
fn serve(client: &Client, input: usize, output: usize) -> (Client, Outcome) {
    let (one, outcome) = serve_blocking(client, Protocol::Auto, input, output);
    let mut waiting = Waiting(client.clone());
    let (mut input, mut output) = (vec![0xa5; input], vec![0xa5; output]);
    let mut conn: Conn = Conn::new(Protocol::Auto);
    let buffers = Buffers { input: &mut input, output: &mut output };
    let other = {
        let maker = &mut Maker;
        let mut future =
            pin!(embedded_io_async::serve(&mut waiting, &mut conn, &SITE, maker, buffers));
        let mut context = Context::from_waker(Waker::noop());
        loop {
            if let Poll::Ready(outcome) = future.as_mut().poll(&mut context) {
                break outcome;
            }
        }
    };
    assert_eq!(other, outcome);
    assert_eq!(waiting.0.calls, one.calls);
    assert_eq!(waiting.0.received, one.received);
    (one, outcome)
}

fn serve_blocking(
    client: &Client,
    protocol: Protocol,
    input: usize,
    output: usize,
) -> (Client, Outcome) {
    let mut client = client.clone();
    let (mut input, mut output) = (vec![0xa5; input], vec![0xa5; output]);
    let mut conn: Conn = Conn::new(protocol);
    let buffers = Buffers { input: &mut input, output: &mut output };
    let outcome = blocking::serve(&mut client, &mut conn, &SITE, &mut Maker, buffers);
    (client, outcome)
}

const INPUT: usize = 16_393;
const OUTPUT: usize = 8192;

/// What two requests for /data and one for /large are answered.
fn answers() -> Vec<u8> {
    let mut all = [DATA_BYTES, LARGE.http1()].concat();
    let mut last = DATA_BYTES.to_vec();
    last.splice(17..17, *b"connection: close\r\n");
    all.extend(last);
    all
}

#[test]
fn requests_that_come_together_are_one_read_and_one_write() {
    let (client, outcome) = serve(&Client::new(&[GET_DATA, GET_DATA, GET_DATA]), INPUT, OUTPUT);
    assert_eq!(outcome, Ok(End::Client));
    assert_eq!(client.received, DATA_BYTES.repeat(3));
    let write = Called::Write(3 * DATA_BYTES.len());
    assert_eq!(client.calls, [Called::Read, write, Called::Flush, Called::Read]);
}

#[test]
fn the_server_closes_when_it_is_asked_to() {
    let (client, outcome) = serve(&Client::new(&[GET_DATA, GET_LAST, GET_DATA]), INPUT, OUTPUT);
    assert_eq!(outcome, Ok(End::Server));
    assert!(client.received.starts_with(DATA_BYTES));
    assert!(client.received.ends_with(b"Hello World"));
    assert_eq!(client.received.len(), 2 * DATA_BYTES.len() + b"connection: close\r\n".len());
    // What it wrote is flushed before it says so.
    assert_eq!(client.calls.last(), Some(&Called::Flush));
}

#[test]
fn every_cut_of_the_input_gives_the_same_bytes() {
    let all = [GET_DATA, GET_LARGE, GET_LAST];
    let wanted = answers();
    for cut in 1..all.concat().len() {
        let reads = [Step::Some(cut)].into();
        let (client, outcome) = serve(&Client { reads, ..Client::new(&all) }, INPUT, OUTPUT);
        assert_eq!((outcome, client.received == wanted), (Ok(End::Server), true), "cut at {cut}");
    }
    let reads = std::iter::repeat_n(Step::Some(1), 200).collect();
    let (client, outcome) = serve(&Client { reads, ..Client::new(&all) }, 64, OUTPUT);
    assert_eq!((outcome, client.received == wanted), (Ok(End::Server), true));
}

#[test]
fn every_output_and_every_short_write_gives_the_same_bytes() {
    let all = [GET_DATA, GET_LARGE, GET_LAST];
    let wanted = answers();
    let shortest = SITE.min_output();
    for output in (shortest..shortest + 40).chain([1000, 4999, 5000, 5001, 6000]) {
        let (client, outcome) = serve(&Client::new(&all), INPUT, output);
        assert_eq!((outcome, client.received == wanted), (Ok(End::Server), true), "{output}");
        assert!(
            client.calls.iter().all(|call| !matches!(call, Called::Write(len) if *len > output))
        );
    }
    for short in [1, 2, 7, 100] {
        let writes = std::iter::repeat_n(Step::Some(short), 10_000).collect();
        let (client, outcome) = serve(&Client { writes, ..Client::new(&all) }, INPUT, OUTPUT);
        assert_eq!((outcome, client.received == wanted), (Ok(End::Server), true), "{short}");
    }
}

#[test]
fn an_interrupted_call_is_made_again() {
    let all = [GET_DATA, GET_LAST];
    let (calm, _) = serve(&Client::new(&all), INPUT, OUTPUT);
    let steps = || VecDeque::from([Step::Interrupted; 999]);
    for client in [
        Client { reads: steps(), ..Client::new(&all) },
        Client { writes: steps(), ..Client::new(&all) },
        Client { flushes: steps(), ..Client::new(&all) },
    ] {
        let (client, outcome) = serve(&client, INPUT, OUTPUT);
        assert_eq!((outcome, &client.received), (Ok(End::Server), &calm.received));
        assert_eq!(client.calls.len(), calm.calls.len() + 999);
    }
    let steps = || VecDeque::from([Step::Interrupted; 1000]);
    for client in [
        Client { reads: steps(), ..Client::new(&all) },
        Client { writes: steps(), ..Client::new(&all) },
        Client { flushes: steps(), ..Client::new(&all) },
    ] {
        assert_eq!(serve(&client, INPUT, OUTPUT).1, Err(ServeError::Stalled));
    }
}

#[test]
fn interruptions_count_from_the_last_call_that_did_something() {
    let mut reads = VecDeque::new();
    for _ in 0..5 {
        reads.extend([Step::Interrupted; 999]);
        reads.push_back(Step::Some(1));
    }
    let (_, outcome) = serve(&Client { reads, ..Client::new(&[GET_LAST]) }, INPUT, OUTPUT);
    assert_eq!(outcome, Ok(End::Server));
}

#[test]
fn the_drivers_error_comes_back_untouched() {
    for at in 0..3 {
        let mut reads: VecDeque<_> = std::iter::repeat_n(Step::Some(GET_DATA.len()), at).collect();
        reads.push_back(Step::Broken(7));
        let client = Client { reads, ..Client::new(&[GET_DATA, GET_DATA, GET_DATA]) };
        let (client, outcome) = serve(&client, INPUT, OUTPUT);
        assert_eq!(outcome, Err(ServeError::Io(Fault(ErrorKind::TimedOut, 7))));
        assert_eq!(client.received, DATA_BYTES.repeat(at));
    }
    for taken in 0..DATA_BYTES.len() {
        let writes = if taken == 0 {
            [Step::Broken(8)].into()
        } else {
            [Step::Some(taken), Step::Broken(8)].into()
        };
        let (client, outcome) =
            serve(&Client { writes, ..Client::new(&[GET_DATA]) }, INPUT, OUTPUT);
        assert_eq!(outcome, Err(ServeError::Io(Fault(ErrorKind::BrokenPipe, 8))));
        assert_eq!(client.received, DATA_BYTES[..taken]);
    }
    let flushes = [Step::Broken(9)].into();
    let (_, outcome) = serve(&Client { flushes, ..Client::new(&[GET_DATA]) }, INPUT, OUTPUT);
    assert_eq!(outcome, Err(ServeError::Io(Fault(ErrorKind::BrokenPipe, 9))));
}

#[test]
fn a_driver_that_does_not_keep_its_contract_is_found_out() {
    let client = Client { writes: [Step::Some(0)].into(), ..Client::new(&[GET_DATA]) };
    assert_eq!(serve(&client, INPUT, OUTPUT).1, Err(ServeError::Stalled));
    let offered = DATA_BYTES.len();
    let claimed = offered + 1;
    let client = Client { writes: [Step::Claim(claimed)].into(), ..Client::new(&[GET_DATA]) };
    assert_eq!(serve(&client, INPUT, OUTPUT).1, Err(ServeError::Miscounted { offered, claimed }));
    let (offered, claimed) = (INPUT, INPUT + 1);
    let client = Client { reads: [Step::Claim(claimed)].into(), ..Client::new(&[GET_DATA]) };
    assert_eq!(serve(&client, INPUT, OUTPUT).1, Err(ServeError::Miscounted { offered, claimed }));
}

#[test]
fn a_target_longer_than_the_buffer_is_refused_and_a_longer_head_is_not() {
    let head = [b"GET /data HTTP/1.1\r\nHost: pi\r\n".as_slice(), &b"x-a: b\r\n".repeat(50)];
    let (client, outcome) = serve(&Client::new(&[&head.concat(), b"\r\n"]), 40, OUTPUT);
    assert_eq!((outcome, client.received.as_slice()), (Ok(End::Client), DATA_BYTES));
    let line = [b"GET /".as_slice(), &[b'x'; 100]].concat();
    let (client, outcome) = serve(&Client::new(&[&line]), 40, OUTPUT);
    assert_eq!(outcome, Ok(End::Server));
    assert!(client.received.starts_with(b"HTTP/1.1 414 "), "{}", client.received.escape_ascii());
    // No buffer at all ends as well.
    assert_eq!(serve(&Client::new(&[GET_DATA]), 0, OUTPUT).1, Ok(End::Server));
}

#[test]
fn an_output_that_is_too_short_is_an_error_and_no_loop() {
    let get = b"GET /made HTTP/1.1\r\nHost: pi\r\n\r\n";
    let (client, outcome) = serve(&Client::new(&[get]), INPUT, SITE.min_output());
    assert_eq!(outcome, Ok(End::Client));
    assert!(client.received.ends_with(&[b'm'; 300]));
    let (client, outcome) = serve(&Client::new(&[GET_DATA, get]), INPUT, 300);
    assert!(
        matches!(
            outcome,
            Err(ServeError::OutputTooShort { needed, available: 300 })
                if needed > 300 && needed <= SITE.min_output()
        ),
        "{outcome:?}"
    );
    // What could be said was said.
    assert_eq!(client.received, DATA_BYTES);
}

#[test]
fn a_connection_that_leaves_http_says_what_is_not_its_own() {
    let request = b"GET /leave HTTP/1.1\r\nHost: pi\r\n\r\n";
    let (client, outcome) = serve(&Client::new(&[GET_DATA, request, b"frames"]), INPUT, OUTPUT);
    assert_eq!(outcome, Ok(End::Switched { unread: 6 }));
    assert_eq!(client.received, [DATA_BYTES, SWITCHING].concat());
    let (_, outcome) = serve(&Client::new(&[request]), INPUT, OUTPUT);
    assert_eq!(outcome, Ok(End::Switched { unread: 0 }));
}

#[test]
fn a_connection_that_is_shut_down_ends_without_a_read() {
    let mut client = Client::new(&[GET_DATA]);
    let (mut input, mut output) = ([0; 100], [0; 100]);
    let mut conn: Conn = Conn::new(Protocol::Auto);
    conn.shutdown();
    let buffers = Buffers { input: &mut input, output: &mut output };
    let outcome = blocking::serve(&mut client, &mut conn, &SITE, &mut Maker, buffers);
    assert_eq!((outcome, client.calls.as_slice()), (Ok(End::Server), [].as_slice()));
}

#[test]
fn errors_say_what_happened() {
    for (error, text) in [
        (ServeError::Io(Fault(ErrorKind::Other, 3)), "fault 3"),
        (ServeError::Stalled, "driver takes no bytes"),
        (ServeError::Miscounted { offered: 1, claimed: 2 }, "2 bytes claimed of 1"),
        (
            ServeError::OutputTooShort { needed: 2, available: 1 },
            "output buffer is too short: 2 bytes needed, 1 there",
        ),
    ] {
        assert_eq!(error.to_string(), text);
    }
}
