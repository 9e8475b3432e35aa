//! The same bytes to ours and to `tungstenite`, both ways.

use std::io::{Cursor, Error as IoError, ErrorKind as IoErrorKind, Read, Write};

use onewrite::sink::SliceSink;
use onewrite::websocket::{
    Assembly, Client, CloseCode, Data, ErrorKind, Event, Kind, Limits, Message, Part, Receiver,
    Sender, Server,
};
use tungstenite::Message as Theirs;
use tungstenite::error::{CapacityError, Error as TheirError};
use tungstenite::protocol::{Role, WebSocket, WebSocketConfig};

use super::damage::stream;
use super::numbers::Random;

/// What was sent to it, and what it sends.
struct Wire {
    input: Cursor<Vec<u8>>,
    output: Vec<u8>,
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, IoError> {
        match self.input.read(buffer)? {
            0 => Err(IoErrorKind::WouldBlock.into()),
            len => Ok(len),
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, IoError> {
        self.output.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), IoError> {
        Ok(())
    }
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

const LIMITS: Limits = Limits { frame: 400, message: 700 };

fn theirs(role: Role, bytes: &[u8]) -> (Vec<Heard>, Stop) {
    let wire = Wire { input: Cursor::new(bytes.to_vec()), output: Vec::new() };
    let config = WebSocketConfig::default().max_frame_size(Some(400)).max_message_size(Some(700));
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

fn ours(bytes: &[u8]) -> (Vec<Heard>, Stop, Option<ErrorKind>) {
    let mut receiver = Receiver::<Server>::new(LIMITS);
    let mut room = [0; 700];
    let mut assembly = Assembly::new(&mut room);
    let mut bytes = bytes.to_vec();
    let mut input = bytes.as_mut_slice();
    let mut heard = Vec::new();
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
            Ok(None) => return (heard, Stop::Waiting, None),
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

/// Streams in order, and with damage: both hear the same messages. Where one of them stops early, that is
/// ours, and for a reason that is written down here.
#[test]
fn both_hear_the_same() {
    let mut random = Random(0x7065_6572);
    let (mut same, mut stopped, mut stricter) = (0, 0, 0);
    for round in 0..6000 {
        let mut bytes = stream(&mut random);
        for _ in 0..if round % 2 == 0 { 0 } else { 1 + random.below(3) } {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        let (ours, our_stop, kind) = ours(&bytes);
        let (theirs, their_stop) = theirs(Role::Server, &bytes);
        if our_stop == their_stop && ours == theirs {
            same += 1;
            stopped += usize::from(our_stop != Stop::Waiting);
            continue;
        }
        let Some(kind) = kind else { panic!("{ours:?} {our_stop:?}, {theirs:?} {their_stop:?}") };
        assert_eq!(ours[..], theirs[..ours.len()], "{kind:?} {their_stop:?}");
        // They wait for a whole frame before they look at it, look at its length before its bits, take a
        // length in more bytes than it needs, and hand on a close frame whose code they refuse.
        let why = matches!(kind, ErrorKind::LengthNotMinimal | ErrorKind::BadCloseCode { .. });
        let when = matches!(their_stop, Stop::Waiting | Stop::TooLarge);
        assert!(why || when, "{kind:?} {their_stop:?}: {bytes:02x?}");
        stricter += 1;
    }
    assert!(same > 5000 && stopped > 2000 && stricter < 100, "{same} {stopped} {stricter}");
}

/// What we send, they read: every length of header, with and without a mask, in fragments.
#[test]
fn they_hear_what_we_send() {
    let mut random = Random(0xface);
    for len in [0, 1, 125, 126, 127, 1000, 65_535, 65_536, 70_000] {
        let payload = random.bytes(len);
        let text: String = std::iter::repeat_n('\u{20ac}', len / 3).collect();
        let mut buffer = vec![0; 4 * len + 200];
        let mut sink = SliceSink::new(&mut buffer);
        let mut sender = Sender::<Client>::new();
        let mut key = || random.next().to_le_bytes()[..4].try_into().unwrap();
        sender.message(Data::Binary(&payload), key(), &mut sink).unwrap();
        sender.message(Data::Text(&text), key(), &mut sink).unwrap();
        sender.ping(b"ping", key(), &mut sink).unwrap();
        let (front, behind) = payload.split_at(len / 2);
        sender.fragment(Part::First(Kind::Binary), front, key(), &mut sink).unwrap();
        sender.pong(b"pong", key(), &mut sink).unwrap();
        sender.fragment(Part::Last, behind, key(), &mut sink).unwrap();
        sender.close(CloseCode::GOING_AWAY, "bye", key(), &mut sink).unwrap();
        let wire = Wire { input: Cursor::new(sink.into_written().to_vec()), output: Vec::new() };
        let mut socket = WebSocket::from_raw_socket(wire, Role::Server, None);
        assert_eq!(socket.read().unwrap(), Theirs::binary(payload.clone()));
        assert_eq!(socket.read().unwrap(), Theirs::text(text));
        assert_eq!(socket.read().unwrap(), Theirs::Ping(b"ping".to_vec().into()));
        assert_eq!(socket.read().unwrap(), Theirs::Pong(b"pong".to_vec().into()));
        assert_eq!(socket.read().unwrap(), Theirs::binary(payload));
        let Theirs::Close(Some(close)) = socket.read().unwrap() else { panic!("no close frame") };
        assert_eq!((u16::from(close.code), close.reason.as_str()), (1001, "bye"));
    }
}

/// What they send, we read, as a client and as a server.
#[test]
fn we_hear_what_they_send() {
    for len in [0, 1, 125, 126, 127, 1000, 65_535, 65_536, 70_000] {
        let text = "t".repeat(len);
        let send = |role| {
            let wire = Wire { input: Cursor::new(Vec::new()), output: Vec::new() };
            let mut socket = WebSocket::from_raw_socket(wire, role, None);
            socket.send(Theirs::text(text.clone())).unwrap();
            socket.send(Theirs::Ping(b"ping".to_vec().into())).unwrap();
            socket.close(None).unwrap();
            socket.flush().unwrap();
            socket.get_ref().output.clone()
        };
        let mut from_server = send(Role::Server);
        let mut from_client = send(Role::Client);
        let limits = Limits::NONE;
        let (mut client, mut server) =
            (Receiver::<Client>::new(limits), Receiver::<Server>::new(limits));
        let mut room = vec![0; 70_000];
        let mut input = from_server.as_mut_slice();
        let mut assembly = Assembly::new(&mut room);
        let message = assembly.next(&mut client, &mut input).unwrap();
        assert_eq!(message, Some(Message::Data(Data::Text(&text))));
        assert_eq!(assembly.next(&mut client, &mut input), Ok(Some(Message::Ping(b"ping"))));
        assert!(matches!(assembly.next(&mut client, &mut input), Ok(Some(Message::Close(_)))));
        let mut input = from_client.as_mut_slice();
        let message = assembly.next(&mut server, &mut input).unwrap();
        assert_eq!(message, Some(Message::Data(Data::Text(&text))));
        assert_eq!(server.next(&mut input), Ok(Some(Event::Ping(b"ping"))));
        assert!(matches!(server.next(&mut input), Ok(Some(Event::Close(_)))));
    }
}
