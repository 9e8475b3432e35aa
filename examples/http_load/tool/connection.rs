//! One connection of a client: requests out, answers in.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use super::http1::Http1;
use super::http2::Http2;

/// What the client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    Http1,
    Http2,
}

impl Protocol {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Http1 => "http/1.1",
            Self::Http2 => "http/2",
        }
    }
}

/// A response that is complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Which request it answers: what [`Connection::queue`] returned for it.
    pub(crate) request: u64,
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

/// The bytes of one protocol.
#[derive(Debug)]
enum Wire {
    Http1(Http1),
    Http2(Http2),
}

/// A connection that is open.
#[derive(Debug)]
pub(crate) struct Connection {
    socket: TcpStream,
    wire: Wire,
    /// What is to be sent.
    output: Vec<u8>,
    /// What came; the part from `start` on has not been understood yet.
    input: Vec<u8>,
    start: usize,
    received: u64,
}

/// Room for one read.
const READ: usize = 64 * 1024;

impl Connection {
    /// Connects, and says nothing yet.
    pub(crate) fn open(
        address: SocketAddr,
        authority: &str,
        protocol: Protocol,
        timeout: Duration,
    ) -> Result<Self, String> {
        let connect = || {
            let socket = TcpStream::connect_timeout(&address, timeout)?;
            // A request is one write, and waits for nothing.
            socket.set_nodelay(true)?;
            socket.set_read_timeout(Some(timeout))?;
            socket.set_write_timeout(Some(timeout))?;
            Ok(socket)
        };
        let socket = connect().map_err(|error: std::io::Error| format!("connect: {error}"))?;
        let mut output = Vec::new();
        let wire = match protocol {
            Protocol::Http1 => Wire::Http1(Http1::new(authority)),
            Protocol::Http2 => Wire::Http2(Http2::new(authority, &mut output)),
        };
        Ok(Self { socket, wire, output, input: Vec::new(), start: 0, received: 0 })
    }

    /// Puts a request for `path` behind what is to be sent; returns its number.
    pub(crate) fn queue(&mut self, path: &str) -> u64 {
        match &mut self.wire {
            Wire::Http1(wire) => wire.request(path, &mut self.output),
            Wire::Http2(wire) => wire.request(path, &mut self.output),
        }
    }

    /// Sends everything that is queued, in one write if the socket takes it.
    pub(crate) fn flush(&mut self) -> Result<(), String> {
        if !self.output.is_empty() {
            self.socket.write_all(&self.output).map_err(|error| format!("send: {error}"))?;
            self.output.clear();
        }
        Ok(())
    }

    /// Waits for the next answer.
    pub(crate) fn answer(&mut self) -> Result<Answer, String> {
        loop {
            if let Some(answer) = self.ready()? {
                return Ok(answer);
            }
            self.flush()?;
            self.read()?;
        }
    }

    /// The next answer, if it has come.
    pub(crate) fn ready(&mut self) -> Result<Option<Answer>, String> {
        let input = self.input.get(self.start..).unwrap_or_default();
        let (used, answer) = match &mut self.wire {
            Wire::Http1(wire) => wire.understand(input)?,
            Wire::Http2(wire) => wire.understand(input, &mut self.output)?,
        };
        self.start += used;
        Ok(answer)
    }

    /// Whether the server takes another request when `in_flight` are not answered.
    pub(crate) fn takes_another(&self, in_flight: usize) -> bool {
        match &self.wire {
            Wire::Http1(wire) => !wire.is_closing(),
            Wire::Http2(wire) => wire.takes_another(in_flight),
        }
    }

    /// Bytes that came so far.
    pub(crate) const fn received(&self) -> u64 {
        self.received
    }

    fn read(&mut self) -> Result<(), String> {
        self.input.drain(..self.start);
        self.start = 0;
        let kept = self.input.len();
        self.input.resize(kept + READ, 0);
        let room = self.input.get_mut(kept..).unwrap_or_default();
        let count = match self.socket.read(room) {
            Ok(0) => Err("the server closed the connection".to_owned()),
            Ok(count) => Ok(count),
            Err(error) => Err(format!("receive: {error}")),
        };
        self.input.truncate(kept + *count.as_ref().unwrap_or(&0));
        self.received += u64::try_from(count?).unwrap_or(0);
        Ok(())
    }
}
