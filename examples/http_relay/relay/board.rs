//! The board's side of the relay.

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::link::{HEAD, Head, Kind, PAYLOAD};

/// A frame, with the bytes that belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) head: Head,
    pub(crate) bytes: Vec<u8>,
}

impl Frame {
    pub(crate) const fn empty(kind: Kind, channel: usize) -> Self {
        Self { head: Head { kind, channel, len: 0 }, bytes: Vec::new() }
    }
}

/// The line to a board.
#[derive(Debug)]
pub(crate) struct Board {
    line: Box<dyn Line>,
    /// What comes from the board, read by a thread: a device has no timeout of its own.
    incoming: Receiver<Vec<u8>>,
    /// What came and was not understood yet.
    input: Vec<u8>,
    timeout: Duration,
}

/// What is written to.
trait Line: Write + std::fmt::Debug {}

impl<W: Write + std::fmt::Debug> Line for W {}

impl Board {
    pub(crate) fn new(
        line: impl Write + std::fmt::Debug + 'static,
        mut from: impl Read + Send + 'static,
        timeout: Duration,
    ) -> Self {
        // A board that says more than is asked waits.
        let (sender, incoming) = sync_channel(16);
        thread::spawn(move || {
            let mut buffer = vec![0; 4096];
            while let Ok(count @ 1..) = from.read(&mut buffer) {
                let bytes = buffer.get(..count).unwrap_or_default().to_vec();
                if sender.send(bytes).is_err() {
                    return;
                }
            }
        });
        Self { line: Box::new(line), incoming, input: Vec::new(), timeout }
    }

    /// Has the board forget what was, wherever it stands, and waits until it is ready.
    pub(crate) fn begin(&mut self) -> Result<(), String> {
        // Whatever frame it is in the middle of ends in these.
        self.send(&[0; HEAD + PAYLOAD])?;
        self.send(&Head { kind: Kind::Hello, channel: 0, len: 0 }.to_bytes())?;
        let limit = Instant::now() + self.timeout;
        // The end of an earlier turn may come first, and what the board says as it starts.
        loop {
            let ready = Head { kind: Kind::Ready, channel: 0, len: 0 }.to_bytes();
            if let Some(at) = self.input.windows(HEAD).position(|bytes| bytes == ready) {
                self.input.drain(..at + HEAD);
                if self.input.is_empty() && self.incoming.try_recv().is_err() {
                    return Ok(());
                }
                continue;
            }
            // What it ends in may be a start.
            self.input.drain(..self.input.len().saturating_sub(HEAD - 1));
            self.receive(limit)?;
        }
    }

    /// Sends a frame, and returns what the board answers before it is ready again.
    pub(crate) fn turn(&mut self, head: Head, bytes: &[u8]) -> Result<Vec<Frame>, String> {
        self.send(&[head.to_bytes().as_slice(), bytes].concat())?;
        let limit = Instant::now() + self.timeout;
        let mut answers = Vec::new();
        loop {
            let Some(bytes) = self.input.first_chunk() else {
                self.receive(limit)?;
                continue;
            };
            let Some(head) = Head::from_bytes(*bytes) else {
                return Err("the board sends something else than frames".to_owned());
            };
            let Some(bytes) = self.input.get(HEAD..HEAD + head.len) else {
                self.receive(limit)?;
                continue;
            };
            let bytes = bytes.to_vec();
            self.input.drain(..HEAD + head.len);
            if head.kind == Kind::Ready {
                return Ok(answers);
            }
            answers.push(Frame { head, bytes });
        }
    }

    /// Ends the board's program.
    ///
    /// Its answer is waited for: whoever stands between may drop what is on its way when the line is
    /// closed, as an emulator does.
    pub(crate) fn quit(&mut self) -> Result<(), String> {
        self.turn(Head { kind: Kind::Quit, channel: 0, len: 0 }, &[]).map(drop)
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        let sent = self.line.write_all(bytes).and_then(|()| self.line.flush());
        sent.map_err(|error| format!("the line to the board: {error}"))
    }

    fn receive(&mut self, limit: Instant) -> Result<(), String> {
        let left = limit.saturating_duration_since(Instant::now());
        match self.incoming.recv_timeout(left) {
            // What comes too late, or without an end, is no answer.
            Ok(bytes) if !left.is_zero() => {
                self.input.extend(bytes);
                Ok(())
            }
            _ => Err("the board does not answer".to_owned()),
        }
    }
}
