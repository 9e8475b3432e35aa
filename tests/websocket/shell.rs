//! What the tests put around the library: frames made by hand, and an end that echoes.

use onewrite::sink::SliceSink;
use onewrite::websocket::{
    Assembly, Close, Error, ErrorKind, Event, Header, Kind, Limits, Message, Receiver, Role,
    Sender, Server,
};

use super::numbers::Random;

/// The key of RFC 6455 section 5.7.
pub(crate) const KEY: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];

/// A frame with any first byte, as a client sends it; none of our own code made it.
pub(crate) fn masked(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = head(first, 0x80, payload.len());
    frame.extend(KEY);
    frame.extend(payload.iter().zip(KEY.iter().cycle()).map(|(byte, key)| byte ^ key));
    frame
}

/// The same as a server sends it.
pub(crate) fn plain(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = head(first, 0, payload.len());
    frame.extend(payload);
    frame
}

fn head(first: u8, mask: u8, len: usize) -> Vec<u8> {
    let mut head = vec![first];
    match len {
        0..=125 => head.push(mask | u8::try_from(len).unwrap()),
        126..=0xffff => {
            head.push(mask | 126);
            head.extend(u16::try_from(len).unwrap().to_be_bytes());
        }
        _ => {
            head.push(mask | 127);
            head.extend((len as u64).to_be_bytes());
        }
    }
    head
}

/// What a receiver said, with pieces that follow on each other as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Begin(Kind, Option<u64>),
    Bytes(Vec<u8>),
    End,
    Ping(Vec<u8>),
    Pong(Vec<u8>),
    Close(Option<u16>, String),
}

impl Said {
    pub(crate) fn push(said: &mut Vec<Self>, event: Event<'_>) {
        let next = match event {
            Event::Begin { kind, len } => Self::Begin(kind, len),
            Event::Piece(piece) => {
                assert!(!piece.is_empty());
                if let Some(Self::Bytes(bytes)) = said.last_mut() {
                    bytes.extend(piece);
                    return;
                }
                Self::Bytes(piece.to_vec())
            }
            Event::End => Self::End,
            Event::Ping(payload) => Self::Ping(payload.to_vec()),
            Event::Pong(payload) => Self::Pong(payload.to_vec()),
            Event::Close(Close { code, reason }) => {
                Self::Close(code.map(onewrite::websocket::CloseCode::get), reason.to_owned())
            }
        };
        said.push(next);
    }
}

/// What a receiver says of `input` in `pieces`, and the error at its end.
pub(crate) fn heard<'p, R: Role>(
    limits: Limits,
    pieces: impl IntoIterator<Item = &'p [u8]>,
) -> (Vec<Said>, Option<Error>) {
    let mut receiver = Receiver::<R>::new(limits);
    let mut said = Vec::new();
    for piece in pieces {
        let mut piece = piece.to_vec();
        let mut input = piece.as_mut_slice();
        loop {
            match receiver.next(&mut input) {
                Ok(Some(event)) => Said::push(&mut said, event),
                Ok(None) => break,
                Err(error) => {
                    // It stays.
                    assert_eq!(receiver.next(&mut [].as_mut_slice()), Err(error));
                    return (said, Some(error));
                }
            }
        }
        assert!(input.is_empty(), "bytes were left");
    }
    (said, None)
}

/// A server that sends back every message, in memory that grows as it has to.
pub(crate) struct Echo {
    receiver: Receiver<Server>,
    assembly: Assembly<'static>,
    sender: Sender<Server>,
    pub(crate) output: Vec<u8>,
    pub(crate) error: Option<Error>,
    /// How often memory was lent.
    pub(crate) lent: usize,
}

impl Echo {
    pub(crate) fn new() -> Self {
        Self {
            receiver: Receiver::new(Limits { frame: 16 << 20, message: 16 << 20 }),
            assembly: Assembly::new(room(64)),
            sender: Sender::new(),
            output: Vec::new(),
            error: None,
            lent: 0,
        }
    }

    /// Whether the connection goes on.
    pub(crate) fn feed(&mut self, mut input: &mut [u8]) -> bool {
        loop {
            let mut buffer = vec![0; 2 * self.assembly.capacity() + input.len() + 200];
            let mut sink = SliceSink::new(&mut buffer);
            let going = match self.assembly.next(&mut self.receiver, &mut input) {
                Ok(Some(Message::Data(data))) => {
                    self.sender.message(data, (), &mut sink).unwrap();
                    true
                }
                Ok(Some(Message::Ping(payload))) => {
                    self.sender.answer(&Event::Ping(payload), (), &mut sink).unwrap();
                    true
                }
                Ok(Some(Message::Close(close))) => {
                    self.sender.answer(&Event::Close(close), (), &mut sink).unwrap();
                    true
                }
                Ok(Some(Message::Pong(_))) => true,
                Ok(None) => return !self.receiver.is_closed(),
                Err(Error { kind: ErrorKind::NeedsRoom { at_least, .. }, .. }) => {
                    let larger = room(at_least.max(2 * self.assembly.capacity()));
                    self.assembly.lend(larger).unwrap();
                    self.lent += 1;
                    true
                }
                Err(error) => {
                    self.sender.fail(error, (), &mut sink).unwrap();
                    self.error = Some(error);
                    false
                }
            };
            self.output.extend_from_slice(sink.into_written());
            if !going {
                return false;
            }
        }
    }
}

fn room(len: usize) -> &'static mut [u8] {
    Box::leak(vec![0xa5; len].into_boxed_slice())
}

/// The frames of a server, as first byte and payload.
pub(crate) fn frames(mut bytes: &[u8]) -> Vec<(u8, Vec<u8>)> {
    let mut frames = Vec::new();
    while !bytes.is_empty() {
        let (header, len) = Header::decode(bytes).unwrap().unwrap();
        assert_eq!(header.key, None);
        let end = len + usize::try_from(header.len).unwrap();
        frames.push((bytes[0], bytes[len..end].to_vec()));
        bytes = &bytes[end..];
    }
    frames
}

impl Random {
    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next().to_le_bytes()[3]).collect()
    }
}
