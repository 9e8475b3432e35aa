//! Frames of a WebSocket, against the crate `tungstenite`, and the handshakes in front of them.

use std::io::{Cursor, ErrorKind as IoErrorKind, Read, Write};

use onewrite::sink::SliceSink;
use onewrite::websocket::{
    Ask, Assembly, Client, ClientHandshake, CloseCode, Data, Error, ErrorKind, Event, Kind, Limits,
    Message, Receiver, Request, Role, Sender, Server,
};
use tungstenite::Message as Theirs;
use tungstenite::error::{CapacityError, Error as TheirError};
use tungstenite::protocol::{Role as TheirRole, WebSocket, WebSocketConfig};

use crate::Numbers;

const LIMITS: Limits = Limits { frame: 400, message: 700 };

/// What the other end of a WebSocket sends, be it a server or a client.
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn websocket(data: &[u8]) {
    role::<Server>(data, TheirRole::Server);
    role::<Client>(data, TheirRole::Client);
}

fn role<R: Role>(data: &[u8], role: TheirRole) {
    let mut numbers = Numbers::of(data);
    let expected = heard::<R>([data]);
    let pieces = numbers.cut(data, 20);
    for (said, error) in [heard::<R>(pieces.iter().copied()), heard::<R>(data.chunks(1))] {
        assert_eq!(error, expected.1);
        // Up to the error as much as has arrived is handed on, so more may have been with more cuts.
        match error {
            None => assert_eq!(said, expected.0),
            Some(_) => assert!(said.len() >= expected.0.len()),
        }
    }
    let whole = assembled::<R>(&[data]);
    assert_eq!(assembled::<R>(&pieces), whole, "put together");
    let (mut ours, stop, kind) = whole;
    let (mut theirs, their_stop) = peer(role, data);
    // They do not know the code that IANA added for gateways.
    if matches!(ours.last(), Some(Heard::Close(Some(1014), _))) && their_stop == Stop::Closed {
        ours.pop();
        theirs.pop();
    }
    if stop == their_stop && ours == theirs {
        return;
    }
    let Some(kind) = kind else { panic!("{ours:?} {stop:?}, {theirs:?} {their_stop:?}") };
    assert!(theirs.starts_with(&ours), "{kind:?}: {ours:?}, {theirs:?}");
    // They wait for a whole frame before they look at it, look at its length before its bits, take a
    // length in more bytes than it needs, also for a control frame, and hand on a close frame whose code
    // they refuse.
    let why = matches!(
        kind,
        ErrorKind::LengthNotMinimal | ErrorKind::ControlTooLong | ErrorKind::BadCloseCode { .. }
    );
    let when = their_stop == Stop::TooLarge || (their_stop == Stop::Waiting && theirs == ours);
    assert!(why || when, "{kind:?} {their_stop:?}");
}

/// What a receiver said, with pieces that follow on each other as one.
#[derive(Clone, Debug, PartialEq)]
enum Said {
    Begin(Kind, Option<u64>),
    Bytes(Vec<u8>),
    End,
    Other(String),
}

fn heard<'p, R: Role>(pieces: impl IntoIterator<Item = &'p [u8]>) -> (Vec<Said>, Option<Error>) {
    let mut receiver = Receiver::<R>::new(LIMITS);
    let (mut said, mut message, mut taken) = (Vec::new(), 0, 0);
    for piece in pieces {
        let mut piece = piece.to_vec();
        let mut input = piece.as_mut_slice();
        loop {
            let event = match receiver.next(&mut input) {
                Ok(Some(event)) => event,
                Ok(None) => break,
                Err(error) => {
                    assert_eq!(receiver.next(&mut [].as_mut_slice()), Err(error), "it stays");
                    return (said, Some(error));
                }
            };
            match event {
                Event::Begin { kind, len } => {
                    message = 0;
                    said.push(Said::Begin(kind, len));
                }
                Event::Piece(piece) => {
                    assert!(!piece.is_empty());
                    message += piece.len();
                    assert!(message <= 700, "more than the limit");
                    match said.last_mut() {
                        Some(Said::Bytes(bytes)) => bytes.extend(piece),
                        _ => said.push(Said::Bytes(piece.to_vec())),
                    }
                }
                Event::End => said.push(Said::End),
                control => {
                    let mut room = [0; 140];
                    let mut sink = SliceSink::new(&mut room);
                    Sender::<Server>::new().answer(&control, (), &mut sink).expect("an answer");
                    said.push(Said::Other(format!("{control:?}")));
                }
            }
        }
        assert!(input.is_empty(), "bytes were left");
        let closed = matches!(said.last(), Some(Said::Other(last)) if last.starts_with("Close"));
        assert_eq!(receiver.is_closed(), closed);
        taken += piece.len() as u64;
        assert!(closed || receiver.position() == taken);
    }
    (said, None)
}

/// What either says of a stream.
#[derive(Debug, PartialEq)]
enum Heard {
    Text(String),
    Binary(Vec<u8>),
    Ping(Vec<u8>),
    Pong(Vec<u8>),
    Close(Option<u16>, String),
}

/// Why it stopped there.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stop {
    Waiting,
    Closed,
    Protocol,
    Utf8,
    TooLarge,
}

fn assembled<R: Role>(pieces: &[&[u8]]) -> (Vec<Heard>, Stop, Option<ErrorKind>) {
    let mut receiver = Receiver::<R>::new(LIMITS);
    let (mut little, mut more, mut most) = ([0xa5; 30], [0xa5; 200], [0xa5; 700]);
    let mut rooms = [&mut more[..], &mut most].into_iter();
    let mut assembly = Assembly::new(&mut little);
    let mut heard = Vec::new();
    for piece in pieces {
        let mut bytes = piece.to_vec();
        let mut input = bytes.as_mut_slice();
        loop {
            heard.push(match assembly.next(&mut receiver, &mut input) {
                Ok(Some(Message::Data(Data::Text(text)))) => Heard::Text(text.to_owned()),
                Ok(Some(Message::Data(Data::Binary(bytes)))) => Heard::Binary(bytes.to_vec()),
                Ok(Some(Message::Ping(payload))) => Heard::Ping(payload.to_vec()),
                Ok(Some(Message::Pong(payload))) => Heard::Pong(payload.to_vec()),
                Ok(Some(Message::Close(close))) => {
                    let code = close.code.map(CloseCode::get);
                    heard.push(Heard::Close(code, close.reason.to_owned()));
                    return (heard, Stop::Closed, None);
                }
                Ok(None) => break,
                Err(Error { kind: ErrorKind::NeedsRoom { at_least, announced }, .. }) => {
                    assert!(at_least > assembly.capacity() && announced >= at_least as u64);
                    let room = rooms.find(|room| room.len() >= at_least).expect("a limit");
                    let held = assembly.held().len();
                    let before = assembly.lend(room).expect("it is longer");
                    assert!(before.len() < assembly.capacity() && assembly.held().len() <= held);
                    continue;
                }
                Err(error) => {
                    let stop = match error.kind.close_code() {
                        CloseCode::INVALID_DATA => Stop::Utf8,
                        CloseCode::TOO_LARGE => Stop::TooLarge,
                        _ => Stop::Protocol,
                    };
                    return (heard, stop, Some(error.kind));
                }
            });
        }
    }
    (heard, Stop::Waiting, None)
}

/// What was sent to the peer; what it sends is nobody's.
struct Wire(Cursor<Vec<u8>>);

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(IoErrorKind::WouldBlock.into()),
            len => Ok(len),
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn peer(role: TheirRole, bytes: &[u8]) -> (Vec<Heard>, Stop) {
    let config = WebSocketConfig::default()
        .read_buffer_size(1024)
        .max_frame_size(Some(400))
        .max_message_size(Some(700));
    let wire = Wire(Cursor::new(bytes.to_vec()));
    let mut socket = WebSocket::from_raw_socket(wire, role, Some(config));
    let mut heard = Vec::new();
    loop {
        heard.push(match socket.read() {
            Ok(Theirs::Text(text)) => Heard::Text(text.to_string()),
            Ok(Theirs::Binary(bytes)) => Heard::Binary(bytes.to_vec()),
            Ok(Theirs::Ping(payload)) => Heard::Ping(payload.to_vec()),
            Ok(Theirs::Pong(payload)) => Heard::Pong(payload.to_vec()),
            Ok(Theirs::Close(close)) => {
                let (code, reason) = close.map_or((None, String::new()), |close| {
                    (Some(u16::from(close.code)), close.reason.to_string())
                });
                heard.push(Heard::Close(code, reason));
                return (heard, Stop::Closed);
            }
            Ok(Theirs::Frame(_)) => continue,
            Err(TheirError::Io(_)) => return (heard, Stop::Waiting),
            Err(TheirError::Utf8(_)) => return (heard, Stop::Utf8),
            Err(TheirError::Capacity(CapacityError::MessageTooLong { .. })) => {
                return (heard, Stop::TooLarge);
            }
            Err(TheirError::Protocol(_)) => return (heard, Stop::Protocol),
            Err(other) => panic!("{other}"),
        });
    }
}

/// A request for a WebSocket, or the answer to one.
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn handshake(data: &[u8]) {
    let protocols = ["v1.bsatn.spacetimedb", "chat"];
    if let Ok(Some((request, len))) = Request::decode(data, &protocols) {
        assert!(len <= data.len());
        // What stands behind it makes no difference, and without its last byte it is not there.
        assert_eq!(Request::decode(&data[..len], &protocols), Ok(Some((request, len))));
        assert_eq!(Request::decode(&data[..len - 1], &protocols), Ok(None));
        let mut room = [0; 300];
        request.respond(&mut SliceSink::new(&mut room)).expect("a response");
        let mut fields = [httparse::EMPTY_HEADER; 200];
        let theirs = httparse::Request::new(&mut fields).parse(data);
        assert!(
            matches!(theirs, Ok(httparse::Status::Complete(theirs)) if theirs == len)
                || theirs == Err(httparse::Error::TooManyHeaders),
            "{theirs:?}"
        );
    }
    asked(data);
    if let Err(refusal) = Request::decode(data, &protocols) {
        assert!(refusal.response().starts_with(b"HTTP/1.1 4"));
    }
    let ask =
        Ask { host: "pi.local", target: "/chat", origin: None, protocols: &protocols, fields: &[] };
    let client = ClientHandshake::new(b"the sample nonce");
    if let Ok(Some(opened)) = client.response(&ask, data) {
        let len = opened.len;
        assert_eq!(client.response(&ask, &data[..len]), Ok(Some(opened)));
        assert_eq!(client.response(&ask, &data[..len - 1]), Ok(None));
    }
}

/// A client asks with what the lines of `data` say: host, target, origin, a subprotocol, fields.
fn asked(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let mut lines = text.split('\n');
    let mut line = || lines.next().unwrap_or_default();
    let (host, target, origin, protocol) = (line(), line(), line(), line());
    let protocols = [protocol, "chat"];
    let fields: Vec<_> = lines.map(|line| line.split_once(':').unwrap_or((line, ""))).collect();
    let ask = Ask {
        host,
        target,
        origin: (!origin.is_empty()).then_some(origin),
        protocols: if protocol.is_empty() { &[] } else { &protocols },
        fields: &fields,
    };
    let mut room = vec![0xa5; 600 + 8 * data.len()];
    let mut sink = SliceSink::new(&mut room);
    if ClientHandshake::new(b"the sample nonce").request(&ask, &mut sink).is_err() {
        assert_eq!(sink.written(), 0, "nothing is written then");
        return;
    }
    let request = &*sink.into_written();
    let mut room = vec![httparse::EMPTY_HEADER; 10 + fields.len()];
    let theirs = httparse::Request::new(&mut room).parse(request);
    assert_eq!(theirs, Ok(httparse::Status::Complete(request.len())), "{}", request.escape_ascii());
    // Fields of the caller's may say something else.
    if fields.is_empty() {
        let (found, len) = Request::decode(request, ask.protocols).expect("ours").expect("whole");
        assert_eq!((found.protocol, len), (ask.protocols.first().copied(), request.len()));
    }
}
