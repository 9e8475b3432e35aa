//! One client of each protocol, from memory: what the board answers is printed.

use onewrite_boards::embedded_io::{ErrorKind, ErrorType, Read, Write};
use onewrite_boards::{Console, Failure};

use crate::board::Board;
use crate::link::{HEAD, Head, Kind};

const HTTP1: &[u8] = b"GET /data HTTP/1.1\r\nHost: board\r\nConnection: close\r\n\r\n";

/// Preface, SETTINGS, and GET /data as .NET's client sends it.
const HTTP2: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0\
    \0\0\x10\x01\x05\0\0\0\x01\x82\x86\x01\x05board\x04\x05/data";

/// Bytes that the line holds in each direction.
const LINE_BYTES: usize = 512;

/// A line whose other end is memory.
struct Line {
    input: [u8; LINE_BYTES],
    filled: usize,
    read: usize,
    output: [u8; LINE_BYTES],
    written: usize,
}

pub(crate) fn run(board: &mut Board, console: &mut Console) -> Result<(), Failure> {
    for (channel, request) in [HTTP1, HTTP2].into_iter().enumerate() {
        let mut line = Line::new();
        line.put(Head { kind: Kind::Open, channel, len: 0 }, &[]);
        line.put(Head { kind: Kind::Data, channel, len: request.len() }, request);
        line.put(Head { kind: Kind::Close, channel, len: 0 }, &[]);
        board.serve(&mut line).map_err(|()| "the line is lost")?;
        line.show(console)?;
    }
    writeln!(console, "served {} requests", board.requests())?;
    Ok(())
}

impl Line {
    const fn new() -> Self {
        Self { input: [0; LINE_BYTES], filled: 0, read: 0, output: [0; LINE_BYTES], written: 0 }
    }

    fn put(&mut self, head: Head, bytes: &[u8]) {
        for part in [&head.to_bytes(), bytes] {
            if let Some(place) = self.input.get_mut(self.filled..self.filled + part.len()) {
                place.copy_from_slice(part);
                self.filled += part.len();
            }
        }
    }

    /// Prints the frames that the board has sent.
    fn show(&self, console: &mut Console) -> core::fmt::Result {
        let mut rest = self.output.get(..self.written).unwrap_or_default();
        while let Some((bytes, after)) = rest.split_first_chunk::<HEAD>() {
            let Some(head) = Head::from_bytes(*bytes) else { break };
            let (bytes, after) = after.split_at_checked(head.len).unwrap_or((after, &[]));
            rest = after;
            writeln!(console, "{:?} {} \"{}\"", head.kind, head.channel, bytes.escape_ascii())?;
        }
        writeln!(console)
    }
}

impl ErrorType for Line {
    type Error = ErrorKind;
}

impl Read for Line {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, ErrorKind> {
        let rest = self.input.get(self.read..self.filled).unwrap_or_default();
        let count = rest.len().min(bytes.len());
        for (to, from) in bytes.iter_mut().zip(rest) {
            *to = *from;
        }
        self.read += count;
        Ok(count)
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        let room = self.output.get_mut(self.written..).unwrap_or_default();
        let count = room.len().min(bytes.len());
        for (to, from) in room.iter_mut().zip(bytes) {
            *to = *from;
        }
        self.written += count;
        if count == 0 { Err(ErrorKind::OutOfMemory) } else { Ok(count) }
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}
