//! The WebSocket protocol: frames and handshakes that arrive, and those that go out.

use core::hint::black_box;

use onewrite::sink::{CountingSink, Producer, Sink, SliceSink};
use onewrite::websocket::{
    self, Ask, Assembly, Client, ClientHandshake, CloseCode, Data, Error, ErrorKind, Event,
    Fragments, FrameProducer, Header, HeaderBytes, Kind, Limits, Mask, Opcode, Part, Receiver,
    Refusal, Request, Sender, Server, Upgrade,
};

/// Makes chunks of any length, also impossible ones.
struct Chunks;

impl Producer for Chunks {
    type Error = u8;

    fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, u8> {
        black_box(scratch);
        black_box(Ok(0))
    }
}

/// A masked text in two frames with a ping between, a close frame, and what may be anything.
const FRAMES: [u8; 41] =
    *b"\x01\x83\0\0\0\0abc\x89\x81\0\0\0\0?\x80\x81\0\0\0\0d\x88\x82\0\0\0\0\x03\xe8rest of it";

const REQUEST: &[u8] =
    b"GET / HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upgrade\r\n\
    sec-websocket-version: 13\r\nsec-websocket-protocol: a\r\n\
    sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

const RESPONSE: &[u8] = b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\
    connection: upgrade\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

#[inline(never)]
pub(crate) fn call() {
    for cut in [0, 3, 11, FRAMES.len()] {
        incoming(black_box(cut));
    }
    let mut buffer = [0; 256];
    server(&mut SliceSink::new(black_box(&mut buffer)));
    client(&mut SliceSink::new(black_box(&mut buffer)));
    server(&mut CountingSink::new());
    client(&mut CountingSink::new());
    headers(black_box(&FRAMES));
    sealed(black_box(&mut buffer));
    handshake(black_box(REQUEST), black_box(RESPONSE));
}

#[inline(never)]
fn incoming(cut: usize) {
    let mut frames = FRAMES;
    let mut rooms = [[0; 4], [0; 4]];
    let [small, large] = &mut rooms;
    let mut receiver = Receiver::<Server>::new(black_box(Limits::DEFAULT));
    let mut assembly = Assembly::new(black_box(small));
    let (first, second) = frames.split_at_mut_checked(cut).unwrap_or_default();
    let mut first = black_box(first);
    while let Ok(Some(message)) =
        Assembly::next(black_box(&mut assembly), black_box(&mut receiver), &mut first)
    {
        if let websocket::Message::Data(data) = message {
            black_box(Data::kind(data));
            black_box(Data::as_bytes(data));
        }
    }
    black_box(Assembly::lend(black_box(&mut assembly), black_box(large))).ok();
    black_box(Assembly::capacity(black_box(&assembly)));
    black_box(Assembly::held(black_box(&assembly)));
    let mut second = black_box(second);
    while let Ok(Some(event)) = Receiver::next(black_box(&mut receiver), &mut second) {
        black_box(event);
    }
    black_box(Receiver::is_closed(black_box(&receiver)));
    black_box(Receiver::position(black_box(&receiver)));
    let mut receiver = Receiver::<Client>::new(black_box(<Limits as Default>::default()));
    let mut input = black_box(&mut frames[..]);
    while let Ok(Some(event)) = Receiver::next(black_box(&mut receiver), &mut input) {
        black_box(event);
    }
}

#[inline(never)]
fn server<S: Sink>(sink: &mut S) {
    let mut sender = Sender::<Server>::new();
    let text = black_box(Data::Text("text"));
    black_box(Sender::message(black_box(&mut sender), text, (), sink)).ok();
    let part = black_box(Part::First(Kind::Binary));
    black_box(Sender::fragment(black_box(&mut sender), part, b"bytes", (), sink)).ok();
    black_box(Sender::header(black_box(&mut sender), part, black_box(7), ())).ok();
    black_box(Sender::ping(black_box(&mut sender), b"ping", (), sink)).ok();
    black_box(Sender::pong(black_box(&mut sender), b"pong", (), sink)).ok();
    let event = black_box(Event::Ping(b"ping"));
    black_box(Sender::answer(black_box(&mut sender), &event, (), sink)).ok();
    black_box(Sender::is_closed(black_box(&sender)));
    let keys = core::iter::repeat(());
    let mut fragments = Fragments::new(black_box(Kind::Text), Chunks, keys.clone());
    let mut scratch = [0; 64];
    let scratch = black_box(&mut scratch[..]);
    black_box(Fragments::next_frame(black_box(&mut fragments), &mut sender, scratch)).ok();
    let fragments = Fragments::new(black_box(Kind::Text), Chunks, keys);
    let mut producer = Fragments::with(fragments, &mut sender);
    black_box(<FrameProducer<'_, _, _, _> as Producer>::next_chunk(&mut producer, scratch)).ok();
    let error = black_box(Error { at: 7, kind: ErrorKind::NoMessage });
    black_box(ErrorKind::close_code(error.kind));
    black_box(Sender::fail(black_box(&mut sender), error, (), sink)).ok();
}

#[inline(never)]
fn client<S: Sink>(sink: &mut S) {
    let key = black_box([1, 2, 3, 4]);
    let mut sender = <Sender<Client> as Default>::default();
    let data = black_box(Data::Binary(&[0; 300]));
    black_box(Sender::message(black_box(&mut sender), data, key, sink)).ok();
    let event = black_box(Event::Ping(b"ping"));
    black_box(Sender::answer(black_box(&mut sender), &event, key, sink)).ok();
    let code = black_box(CloseCode::NORMAL);
    black_box(Sender::close(black_box(&mut sender), code, black_box("bye"), key, sink)).ok();
    black_box(Sender::close_silently(black_box(&mut sender), key, sink)).ok();
}

#[inline(never)]
fn sealed(buffer: &mut [u8]) {
    let part = black_box(Part::Whole(Kind::Text));
    let mut sender = Sender::<Server>::new();
    black_box(Sender::seal(black_box(&mut sender), part, buffer, black_box(7), ())).ok();
    let mut sender = Sender::<Client>::new();
    black_box(Sender::seal(black_box(&mut sender), part, buffer, black_box(7), [7; 4])).ok();
    let mut mask = Mask::new(black_box([1, 2, 3, 4]));
    Mask::apply(black_box(&mut mask), buffer);
    Mask::skip(black_box(&mut mask), black_box(7));
}

#[inline(never)]
fn headers(input: &[u8]) {
    for len in [7, 300, 70_000] {
        for key in [None, Some([1, 2, 3, 4])] {
            let header = black_box(Header { last: true, opcode: Opcode::Text, len, key });
            let bytes = Header::to_bytes(&header);
            black_box(HeaderBytes::as_slice(black_box(&bytes)));
            black_box(Opcode::is_control(header.opcode));
        }
    }
    black_box(Header::decode(input)).ok();
    if let Some(code) = CloseCode::new(black_box(1000)) {
        black_box(CloseCode::get(black_box(code)));
    }
}

#[inline(never)]
fn handshake(request: &[u8], response: &[u8]) {
    let mut buffer = [0; 256];
    let mut sink = SliceSink::new(black_box(&mut buffer));
    if let Ok(Some((request, _))) = Request::decode(request, black_box(&["a"])) {
        black_box(Request::respond(black_box(&request), &mut sink)).ok();
        black_box(Request::respond(black_box(&request), &mut CountingSink::new())).ok();
    }
    if let Ok(mut upgrade) = Upgrade::new(black_box(b"GET"), b"/", b"HTTP/1.1", &[]) {
        black_box(Upgrade::field(black_box(&mut upgrade), black_box(b"host"), b"a")).ok();
        black_box(Upgrade::finish(black_box(upgrade))).ok();
    }
    black_box(Refusal::response(black_box(Refusal::BadKey)));
    let random = black_box([7; 16]);
    black_box(websocket::accept(&websocket::key(&random)));
    let ask = black_box(Ask {
        host: "a",
        target: "/",
        origin: Some("http://a"),
        protocols: &["a", "b"],
        fields: &[("authorization", "x")],
    });
    let handshake = ClientHandshake::new(&random);
    black_box(ClientHandshake::request(&handshake, &ask, &mut CountingSink::new())).ok();
    black_box(ClientHandshake::request(&handshake, &ask, &mut sink)).ok();
    black_box(ClientHandshake::response(&handshake, &ask, response)).ok();
}
