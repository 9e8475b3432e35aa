//! A client and a server that speak WebSocket with each other, in memory, and what goes between them.
//!
//! Runs on a host, on aarch64 Linux and on a Raspberry Pi Zero 2W without an operating system;
//! `websocket.out` is what all three print. What is a wire here is a socket elsewhere: the two ends
//! see bytes in pieces of sixteen.
#![cfg_attr(target_os = "none", no_std, no_main)]

use onewrite::sink::SliceSink;
use onewrite::websocket::{
    Ask, Assembly, Client, ClientHandshake, CloseCode, Data, Event, Kind, Limits, Message, Part,
    Receiver, Request, SendError, Sender, Server,
};
use onewrite_boards::{Console, Failure, entry};

/// What the two ends read at a time.
const PIECE: usize = 16;

/// A client's numbers are to be such that nobody can foretell them; these are the RFC's.
const RANDOM: &[u8; 16] = b"the sample nonce";
const KEY: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    let (mut up, mut down) = ([0; 512], [0; 512]);
    let ask = Ask {
        host: "pi.local",
        target: "/sensors",
        origin: None,
        protocols: &["readings"],
        fields: &[],
    };
    let handshake = ClientHandshake::new(RANDOM);
    let mut wire = SliceSink::new(&mut up);
    handshake.request(&ask, &mut wire).map_err(|_| "the request is too long")?;
    let head = wire.into_written();
    let request = Request::decode(head, &["readings"]).map_err(|_| "the request is none")?;
    let Some((request, _)) = request else { return Err("the request is cut short".into()) };
    writeln!(console, "server: {} asks for {}", request.host, request.target)?;

    let mut wire = SliceSink::new(&mut down);
    request.respond(&mut wire).map_err(|_| "the response is too long")?;
    let opened = handshake.response(&ask, wire.into_written());
    let Ok(Some(opened)) = opened else { return Err("the response is none".into()) };
    writeln!(console, "client: the server speaks {}", opened.protocol.unwrap_or("anything"))?;

    let mut wire = SliceSink::new(&mut up);
    send(&mut wire).map_err(|_| "the frames are too long")?;
    let mut answers = SliceSink::new(&mut down);
    // Enough for a message that comes in pieces.
    let mut memory = [0; 64];
    let mut server = Echo {
        receiver: Receiver::new(Limits { frame: 64, message: 64 }),
        assembly: Assembly::new(&mut memory),
        sender: Sender::new(),
    };
    for piece in wire.into_written().chunks_mut(PIECE) {
        show(console, "up  ", piece)?;
        server.feed(piece, &mut answers).map_err(|_| "the answers are too long")?;
    }
    let mut receiver = Receiver::<Client>::new(Limits::DEFAULT);
    for piece in answers.into_written().chunks_mut(PIECE) {
        show(console, "down", piece)?;
        let mut input = piece;
        while let Some(event) = receiver.next(&mut input).map_err(|_| "the server is wrong")? {
            match event {
                Event::Begin { kind, .. } => writeln!(console, "client: {kind:?} begins")?,
                Event::Piece(piece) => writeln!(console, "client: {} bytes more", piece.len())?,
                other => writeln!(console, "client: {other:?}")?,
            }
        }
    }
    Ok(())
}

/// A text in two frames with a ping between, a binary message, a close frame.
fn send(wire: &mut SliceSink<'_>) -> Result<(), Full> {
    let mut sender = Sender::<Client>::new();
    sender.fragment(Part::First(Kind::Text), "21.5 °C and ".as_bytes(), KEY, wire)?;
    sender.ping(b"still there?", KEY, wire)?;
    sender.fragment(Part::Last, b"rising", KEY, wire)?;
    sender.message(Data::Binary(&[0x08, 0x66]), KEY, wire)?;
    sender.close(CloseCode::NORMAL, "enough", KEY, wire)
}

/// A server that sends back what it gets.
struct Echo<'m> {
    receiver: Receiver<Server>,
    assembly: Assembly<'m>,
    sender: Sender<Server>,
}

impl Echo<'_> {
    fn feed(&mut self, mut input: &mut [u8], output: &mut SliceSink<'_>) -> Result<(), Full> {
        loop {
            match self.assembly.next(&mut self.receiver, &mut input) {
                Ok(Some(Message::Data(data))) => self.sender.message(data, (), output)?,
                Ok(Some(Message::Ping(payload))) => self.sender.pong(payload, (), output)?,
                Ok(Some(Message::Close(close))) => {
                    self.sender.answer(&Event::Close(close), (), output)?;
                }
                Ok(Some(Message::Pong(_))) => {}
                Ok(None) => return Ok(()),
                Err(error) => return self.sender.fail(error, (), output),
            }
        }
    }
}

/// The output has no room.
type Full = onewrite::error::WriteError<core::convert::Infallible, SendError>;

fn show(console: &mut Console, what: &str, bytes: &[u8]) -> core::fmt::Result {
    write!(console, "{what}")?;
    for byte in bytes {
        write!(console, " {byte:02x}")?;
    }
    writeln!(console)
}
