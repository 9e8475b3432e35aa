//! A server of the test's own: the library's WebSocket, and what the test lets it say.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use onewrite::bsatn::Decode as _;
use onewrite::sink::SliceSink;
use onewrite::spacetimedb::{v1, v2};
use onewrite::websocket::{
    Assembly, CloseCode, Data, Event, Kind, Limits, Message, Part, Receiver, Request, Sender,
    Server,
};

use super::numbers::Random;

/// Longer than anything should take, also on a machine that is busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

const PROTOCOLS: [&str; 3] =
    ["v1.bsatn.spacetimedb", "v2.bsatn.spacetimedb", "v3.bsatn.spacetimedb"];

impl Random {
    /// One that has little to do with those of other small seeds.
    pub(crate) fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
}

/// How payloads are cut.
#[derive(Clone, Debug)]
pub(crate) enum Cuts {
    /// As a server does: frames of up to 4,096 bytes.
    Frames,
    /// Frames and writes of any length, with pings between the frames.
    Anyhow(Random),
}

pub(crate) fn listener() -> TcpListener {
    TcpListener::bind(("127.0.0.1", 0)).unwrap()
}

/// A client that has connected.
#[derive(Debug)]
pub(crate) struct Peer {
    socket: TcpStream,
    pub(crate) head: String,
    /// Bytes behind the head.
    unread: Vec<u8>,
    receiver: Receiver<Server>,
    sender: Sender<Server>,
    pub(crate) cuts: Cuts,
    /// Messages that have arrived.
    messages: std::collections::VecDeque<Vec<u8>>,
    /// The code of a close frame, or 0 of one without; and how many pongs came.
    pub(crate) closed: Option<u16>,
    pub(crate) pongs: usize,
    pub(crate) pings: usize,
    /// Pings that were answered, and whether no more are.
    answered: usize,
    deaf: bool,
}

impl Peer {
    /// The next client, and its request.
    pub(crate) fn accept(listener: &TcpListener, cuts: Cuts) -> Self {
        let (mut socket, _) = listener.accept().unwrap();
        socket.set_nodelay(true).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            assert_eq!(socket.read(&mut byte).unwrap(), 1, "{}", head.escape_ascii());
            head.extend(byte);
        }
        Self {
            socket,
            head: String::from_utf8(head).unwrap(),
            unread: Vec::new(),
            receiver: Receiver::new(Limits::NONE),
            sender: Sender::new(),
            cuts,
            messages: std::collections::VecDeque::new(),
            closed: None,
            pongs: 0,
            pings: 0,
            answered: 0,
            deaf: false,
        }
    }

    pub(crate) fn target(&self) -> &str {
        self.head.split(' ').nth(1).unwrap()
    }

    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// Becomes a WebSocket, of the first version that the client names.
    pub(crate) fn open(&mut self) -> String {
        let mut out = [0; 512];
        let mut sink = SliceSink::new(&mut out);
        let (request, _) = Request::decode(self.head.as_bytes(), &PROTOCOLS).unwrap().unwrap();
        request.respond(&mut sink).unwrap();
        let protocol = request.protocol.unwrap().to_owned();
        let head = sink.into_written().to_vec();
        self.write(&head);
        protocol
    }

    /// The same, of no version.
    pub(crate) fn open_without_protocol(&mut self) {
        let mut out = [0; 512];
        let mut sink = SliceSink::new(&mut out);
        let (request, _) = Request::decode(self.head.as_bytes(), &[]).unwrap().unwrap();
        request.respond(&mut sink).unwrap();
        let head = sink.into_written().to_vec();
        self.write(&head);
    }

    /// Reads until a ping has come, and answers it; whether one has.
    pub(crate) fn read_until_ping(&mut self) -> bool {
        while self.answered == 0 {
            if !self.read() {
                return false;
            }
        }
        true
    }

    /// Reads until the client is gone, and answers nothing.
    pub(crate) fn end_deaf(mut self) -> (Option<u16>, usize, usize) {
        self.deaf = true;
        self.end()
    }

    /// Bytes as they are.
    pub(crate) fn write(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let len = match &mut self.cuts {
                Cuts::Frames => bytes.len(),
                Cuts::Anyhow(numbers) => match numbers.below(4) {
                    0 => numbers.below(8) + 1,
                    1 => numbers.below(300) + 1,
                    _ => numbers.below(9_000) + 1,
                },
            };
            let (now, rest) = bytes.split_at(len.min(bytes.len()));
            // The client may be gone: what it says about that is up to the test.
            if self.socket.write_all(now).is_err() {
                return;
            }
            bytes = rest;
        }
    }

    /// The frames of a payload.
    pub(crate) fn frames(&mut self, payload: &[u8]) -> Vec<u8> {
        let mut out = vec![0; 32 * payload.len() + 4_096];
        let mut sink = SliceSink::new(&mut out);
        let (mut rest, mut first) = (payload, true);
        loop {
            let len = match &mut self.cuts {
                Cuts::Frames => 4_096,
                Cuts::Anyhow(numbers) => match numbers.below(3) {
                    0 => numbers.below(4),
                    1 => numbers.below(200),
                    _ => numbers.below(4_097),
                },
            };
            let (now, behind) = rest.split_at(len.min(rest.len()));
            rest = behind;
            let part = match (first, rest.is_empty()) {
                (true, true) => Part::Whole(Kind::Binary),
                (true, false) => Part::First(Kind::Binary),
                (false, false) => Part::Middle,
                (false, true) => Part::Last,
            };
            first = false;
            self.sender.fragment(part, now, (), &mut sink).unwrap();
            if let Cuts::Anyhow(numbers) = &mut self.cuts
                && numbers.below(16) == 0
            {
                self.sender.ping(b"still there?", (), &mut sink).unwrap();
                self.pings += 1;
            }
            if rest.is_empty() {
                return sink.into_written().to_vec();
            }
        }
    }

    pub(crate) fn send(&mut self, payload: &[u8]) {
        let frames = self.frames(payload);
        self.write(&frames);
    }

    pub(crate) fn close(&mut self, code: CloseCode, reason: &str) {
        let mut out = [0; 256];
        let mut sink = SliceSink::new(&mut out);
        self.sender.close(code, reason, (), &mut sink).unwrap();
        let frame = sink.into_written().to_vec();
        self.write(&frame);
    }

    /// Reads once; whether there was anything.
    fn read(&mut self) -> bool {
        let mut buffer = vec![0; 65_536];
        let len = match self.socket.read(&mut buffer) {
            Ok(len) => len,
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => 0,
            Err(error) => panic!("{error}"),
        };
        self.unread.extend(&buffer[..len]);
        let mut input = std::mem::take(&mut self.unread);
        let mut input = input.as_mut_slice();
        let mut out = [0; 512];
        let mut sink = SliceSink::new(&mut out);
        let mut room = vec![0; 1 << 17];
        let mut assembly = Assembly::new(&mut room);
        // A message lies whole in what one read brings, or the assembly would forget it: the client sends
        // no more than this at a time.
        while let Some(message) = assembly.next(&mut self.receiver, &mut input).unwrap() {
            match message {
                Message::Data(Data::Binary(bytes)) => self.messages.push_back(bytes.to_vec()),
                Message::Data(Data::Text(text)) => panic!("{text}"),
                Message::Ping(_) if self.deaf => {}
                Message::Ping(payload) => {
                    self.answered += 1;
                    self.sender.answer(&Event::Ping(payload), (), &mut sink).unwrap();
                }
                Message::Pong(_) => self.pongs += 1,
                Message::Close(close) => {
                    self.closed = Some(close.code.map_or(0, CloseCode::get));
                    self.sender.answer(&Event::Close(close), (), &mut sink).unwrap();
                }
            }
        }
        let answer = sink.into_written().to_vec();
        self.write(&answer);
        len != 0
    }

    /// The next message of the client; `None` where it closes.
    pub(crate) fn receive(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Some(message) = self.messages.pop_front() {
                return Some(message);
            }
            if self.closed.is_some() || !self.read() {
                return None;
            }
        }
    }

    /// Reads until the client is gone; the code that it closed with, if it did.
    pub(crate) fn end(mut self) -> (Option<u16>, usize, usize) {
        while self.closed.is_none() && self.read() {}
        self.socket.shutdown(Shutdown::Both).ok();
        (self.closed, self.pings, self.pongs)
    }

    /// Goes away without a word.
    pub(crate) fn hang_up(self) {
        self.socket.shutdown(Shutdown::Both).ok();
    }

    /// Greets, and takes the subscription; its request id.
    pub(crate) fn greet(&mut self, protocol: &str, payload: &[u8]) -> u32 {
        self.send(payload);
        let message = self.receive().expect("a subscription");
        subscription(protocol, &message).0
    }
}

/// Request id, number of the set, and queries.
pub(crate) fn subscription(protocol: &str, message: &[u8]) -> (u32, u32, Vec<String>) {
    let (request_id, set, queries) = if protocol.starts_with("v1") {
        match v1::ClientMessage::from_slice(message).unwrap() {
            v1::ClientMessage::SubscribeMulti { queries, request_id, query_id } => {
                (request_id, query_id, queries)
            }
            other => panic!("{other:?}"),
        }
    } else {
        match v2::ClientMessage::from_slice(message).unwrap() {
            v2::ClientMessage::Subscribe { request_id, query_set_id, queries } => {
                (request_id, query_set_id, queries)
            }
            other => panic!("{other:?}"),
        }
    };
    (request_id, set, queries.iter().map(str::to_owned).collect())
}

/// What a server says first.
pub(crate) fn greeting(protocol: &str) -> Vec<u8> {
    let (identity, connection, token) = ([7; 32], [9; 16], b"\x05\0\0\0token");
    if protocol.starts_with("v1") {
        [&b"\0\x03"[..], &identity, token, &connection].concat()
    } else {
        [&b"\0\0"[..], &identity, &connection, token].concat()
    }
}

/// The answer to a subscription, with the rows of these tables.
pub(crate) fn applied(protocol: &str, request_id: u32, tables: &[(&str, Vec<&[u8]>)]) -> Vec<u8> {
    let id = request_id.to_le_bytes();
    let count = u32::try_from(tables.len()).unwrap().to_le_bytes();
    let mut body = if protocol.starts_with("v1") {
        [&b"\x08"[..], &id, &[0; 8], &1_u32.to_le_bytes(), &count].concat()
    } else {
        [&b"\x01"[..], &id, &1_u32.to_le_bytes(), &count].concat()
    };
    for (name, rows) in tables {
        let name = [&u32::try_from(name.len()).unwrap().to_le_bytes(), name.as_bytes()].concat();
        let list = super::model::row_list(rows);
        if protocol.starts_with("v1") {
            body.extend([5, 0, 0, 0]);
            body.extend(name);
            body.extend((rows.len() as u64).to_le_bytes());
            body.extend(b"\x01\0\0\0\0");
            body.extend(super::model::row_list(&[]));
        } else {
            body.extend(name);
        }
        body.extend(list);
    }
    [&[0][..], &body].concat()
}

pub(crate) fn address(listener: &TcpListener) -> SocketAddr {
    listener.local_addr().unwrap()
}
