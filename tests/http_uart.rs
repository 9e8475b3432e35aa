//! The board's side of `http_uart`, over lines in memory: frames, turns, and what a relay does that
//! does not know where its board stands.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "../examples/http_uart/board.rs"]
mod board;
#[path = "../examples/http_uart/link.rs"]
mod link;
#[path = "../examples/http_relay/relay/board.rs"]
#[allow(dead_code, reason = "the relay does more with it")]
mod relay;
#[path = "../examples/http_uart/site.rs"]
mod site;

use std::sync::mpsc;
use std::time::Duration;
use std::{io, thread};

use board::Board;
use link::{CHANNELS, HEAD, Head, Kind, PAYLOAD};
use onewrite_boards::embedded_io::{ErrorKind, ErrorType, Read, Write};

/// A line that brings some bytes, at most `step` at a time, and keeps what it gets.
struct Memory {
    input: Vec<u8>,
    at: usize,
    step: usize,
    output: Vec<u8>,
}

impl ErrorType for Memory {
    type Error = ErrorKind;
}

impl Read for Memory {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, ErrorKind> {
        let count = bytes.len().min(self.step).min(self.input.len() - self.at);
        bytes[..count].copy_from_slice(&self.input[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        let count = bytes.len().min(self.step);
        self.output.extend(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

/// The same line, which takes nothing.
struct Deaf<'l>(&'l mut Memory);

impl ErrorType for Deaf<'_> {
    type Error = ErrorKind;
}

impl Read for Deaf<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, ErrorKind> {
        self.0.read(bytes)
    }
}

impl Write for Deaf<'_> {
    fn write(&mut self, _: &[u8]) -> Result<usize, ErrorKind> {
        Ok(0)
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

fn frame(kind: Kind, channel: usize, bytes: &[u8]) -> Vec<u8> {
    [&Head { kind, channel, len: bytes.len() }.to_bytes(), bytes].concat()
}

/// What the board answers to some bytes of the line, frame by frame.
fn answers(board: &mut Board, input: &[u8], step: usize) -> Vec<(Kind, usize, Vec<u8>)> {
    let mut line = Memory { input: input.to_vec(), at: 0, step, output: Vec::new() };
    assert_eq!(board.serve(&mut line), Ok(()));
    let (mut rest, mut frames) = (line.output.as_slice(), Vec::new());
    while let Some((bytes, after)) = rest.split_first_chunk::<HEAD>() {
        let head = Head::from_bytes(*bytes).unwrap();
        let (bytes, after) = after.split_at(head.len);
        frames.push((head.kind, head.channel, bytes.to_vec()));
        rest = after;
    }
    assert_eq!(rest, b"");
    frames
}

const READY: (Kind, usize, Vec<u8>) = (Kind::Ready, 0, Vec::new());
const GET: &[u8] = b"GET /data HTTP/1.1\r\nHost: pi\r\n\r\n";

fn body(answer: &(Kind, usize, Vec<u8>)) -> bool {
    answer.0 == Kind::Data && answer.2.ends_with(b"\r\n\r\nHello World")
}

#[test]
fn heads_read_back_and_nothing_else_is_one() {
    for kind in [Kind::Hello, Kind::Open, Kind::Data, Kind::Close, Kind::Quit, Kind::Ready] {
        for (channel, len) in [(0, 0), (CHANNELS - 1, PAYLOAD), (1, 258)] {
            let head = Head { kind, channel, len };
            assert_eq!(Head::from_bytes(head.to_bytes()), Some(head));
        }
    }
    for bytes in [*b"\0\0\0\0", *b"D\x04\0\0", *b"D\0\x01\x02", *b"X\0\0\0", [0xff; 4]] {
        assert_eq!(Head::from_bytes(bytes), None, "{bytes:?}");
    }
}

#[test]
fn each_frame_has_one_turn_whatever_the_line_cuts() {
    let input = [
        frame(Kind::Hello, 0, b""),
        frame(Kind::Open, 2, b""),
        frame(Kind::Data, 2, &GET[..7]),
        frame(Kind::Data, 2, &GET[7..]),
        frame(Kind::Close, 2, b""),
    ]
    .concat();
    let whole = answers(&mut Board::new(), &input, usize::MAX);
    assert_eq!(whole.len(), 6);
    assert!(body(&whole[3]) && whole[3].1 == 2, "{whole:?}");
    assert_eq!(whole.iter().filter(|answer| **answer == READY).count(), 5);
    for step in [1, 2, 3, 100] {
        assert_eq!(answers(&mut Board::new(), &input, step), whole, "{step}");
    }
}

/// A line that is something else's may say something for ever.
#[test]
fn a_line_that_only_babbles_is_given_up() {
    let (done, outcome) = mpsc::channel();
    thread::spawn(move || {
        let timeout = Duration::from_millis(200);
        done.send(relay::Board::new(io::sink(), io::repeat(0), timeout).begin())
    });
    let outcome = outcome.recv_timeout(Duration::from_secs(60));
    assert_eq!(outcome, Ok(Err("the board does not answer".to_owned())));
}

#[test]
fn a_connection_knows_nothing_of_the_one_before() {
    for end in [Kind::Close, Kind::Open, Kind::Hello] {
        let mut board = Board::new();
        let again = if end == Kind::Open { Vec::new() } else { frame(Kind::Open, 0, b"") };
        let input = [
            frame(Kind::Open, 0, b""),
            frame(Kind::Data, 0, b"GET /environment HTT"),
            frame(end, 0, b""),
            again,
            frame(Kind::Data, 0, GET),
        ]
        .concat();
        let answers = answers(&mut board, &input, usize::MAX);
        let data: Vec<_> = answers.iter().filter(|answer| **answer != READY).collect();
        assert!(data.len() == 1 && body(data[0]), "{end:?}: {answers:?}");
        assert_eq!(board.requests(), 1);
    }
}

#[test]
fn a_relay_that_begins_anew_is_understood_from_any_place() {
    let begun =
        [frame(Kind::Open, 1, b""), frame(Kind::Data, 1, b"GET /data HTTP/1.1\r\n")].concat();
    for cut in 0..begun.len() {
        let input = [
            &begun[..cut],
            &[0; HEAD + PAYLOAD],
            &frame(Kind::Hello, 0, b""),
            &frame(Kind::Open, 1, b""),
            &frame(Kind::Data, 1, GET),
        ]
        .concat();
        let answers = answers(&mut Board::new(), &input, usize::MAX);
        let (last, before) = answers.split_last().unwrap();
        assert_eq!(*last, READY, "cut at {cut}");
        assert!(body(before.last().unwrap()), "cut at {cut}: {answers:?}");
    }
}

#[test]
fn bytes_for_nobody_are_dropped() {
    let input = [
        b"\xff\x00junk".to_vec(),
        frame(Kind::Data, 3, GET),
        frame(Kind::Ready, 0, b""),
        frame(Kind::Open, 3, b""),
        frame(Kind::Data, 3, b"GET /data HTTP/1.1\r\nHost: pi\r\nConnection: close\r\n\r\n"),
        frame(Kind::Data, 3, GET),
        frame(Kind::Quit, 0, b""),
        frame(Kind::Open, 3, b""),
    ]
    .concat();
    let answers = answers(&mut Board::new(), &input, usize::MAX);
    let kinds: Vec<_> = answers.iter().map(|answer| answer.0).collect();
    // The one answer is followed by its end. To quit is answered like all else, and nothing behind it.
    let mut expected = vec![Kind::Ready; 3];
    expected.extend([Kind::Data, Kind::Close, Kind::Ready, Kind::Ready, Kind::Ready]);
    assert_eq!(kinds, expected);
}

#[test]
fn requests_for_more_than_a_frame_are_answered_in_several() {
    let input = [frame(Kind::Open, 0, b""), frame(Kind::Data, 0, &GET.repeat(16))].concat();
    let answers = answers(&mut Board::new(), &input, usize::MAX);
    let all: Vec<u8> = answers.iter().flat_map(|answer| answer.2.clone()).collect();
    assert!(answers.iter().all(|answer| answer.2.len() <= PAYLOAD));
    assert_eq!(all.windows(11).filter(|part| part == b"Hello World").count(), 16);
    // A target that no buffer of the board holds.
    let part = frame(Kind::Data, 0, &[b'x'; PAYLOAD]);
    let input =
        [frame(Kind::Open, 0, b""), frame(Kind::Data, 0, b"GET /"), part.repeat(8)].concat();
    let answers = crate::answers(&mut Board::new(), &input, usize::MAX);
    let data = answers.iter().find(|answer| answer.0 == Kind::Data).unwrap();
    assert!(data.2.starts_with(b"HTTP/1.1 414 "), "{}", data.2.escape_ascii());
    assert_eq!(answers.iter().filter(|answer| answer.0 == Kind::Close).count(), 1);
}

#[test]
fn a_hello_closes_every_channel() {
    let input =
        [frame(Kind::Open, 1, b""), frame(Kind::Hello, 0, b""), frame(Kind::Data, 1, GET)].concat();
    let answers = answers(&mut Board::new(), &input, usize::MAX);
    assert_eq!(answers, [READY, READY, READY]);
}

#[test]
fn a_frame_that_the_buffer_has_no_room_for_yet_is_taken_in_parts() {
    let long = [b"GET /data?".as_slice(), &[b'q'; 900], b" HTTP/1.1\r\nHost: pi\r\n\r\n"];
    let all = [long.concat(), GET.repeat(5)].concat();
    // 812 bytes wait for the end of their line when the last 512 come, in a buffer of 1,024.
    let (first, rest) = all.split_at(PAYLOAD);
    let (second, last) = rest.split_at(300);
    assert!(last.len() < PAYLOAD && first.len() + second.len() + last.len() > 1024);
    let mut input = frame(Kind::Open, 0, b"");
    for part in [first, second, last] {
        input.extend(frame(Kind::Data, 0, part));
    }
    let answers = answers(&mut Board::new(), &input, usize::MAX);
    let all: Vec<u8> = answers.iter().flat_map(|answer| answer.2.clone()).collect();
    assert_eq!(all.windows(11).filter(|part| part == b"Hello World").count(), 6);
}

#[test]
fn a_line_that_takes_nothing_ends_the_program() {
    let input = frame(Kind::Open, 0, b"");
    let mut line = Memory { input, at: 0, step: usize::MAX, output: Vec::new() };
    let mut deaf = Deaf(&mut line);
    assert_eq!(Board::new().serve(&mut deaf), Err(()));
}
