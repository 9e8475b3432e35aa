//! Circuits: whole connections, hub messages and MessagePack, JSON against `serde_json`.

use std::cell::RefCell;
use std::convert::Infallible;

use onewrite::circuit::event::Event;
use onewrite::circuit::hub::{Answer, Call, FromClient, FromServer, HANDSHAKE, Message, Messages};
use onewrite::circuit::json::{ErrorKind, Value, View};
use onewrite::circuit::message_pack::{Unpacker, Value as Packed};
use onewrite::circuit::origin::Origin;
use onewrite::circuit::secret::CircuitSecret;
use onewrite::circuit::{
    BatchStore, Connection, Handler, Next, NoStore, Options, Refusal, Server, Slot, Store, Waiting,
};
use onewrite::error::{WriteError, WriteErrorKind};
use onewrite::sink::{Sink, SliceSink};
use serde_json::{Map, Number};

use crate::Numbers;
use crate::rig::{Counter, ORIGIN, Page, START, Table, click, encoded};

/// What a browser sends over its WebSocket. The first byte says how:
///
/// | bit | set |
/// |---|---|
/// | 0 | behind a handshake and the start of a circuit |
/// | 1 | the rest is the payload of one message, and not frames |
/// | 2 | batches are kept for a browser that comes back |
/// | 3 | functions of the browser are called |
/// | 4 | its second half comes over a new connection, which goes on with the circuit |
/// | 5 | the page does not let go of its address |
/// | 6 | the first batch is longer than what is kept |
/// | 7 | later batches cannot be |
///
/// The second byte says what the owner does at the end ([`the_end`]).
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn circuit(data: &[u8]) {
    let [how, end, rest @ ..] = data else { return };
    let mut bytes = Vec::new();
    if how & 1 != 0 {
        bytes.extend(frame(0x81, HANDSHAKE.as_bytes()));
        let start = Message::Invocation { id: Some("0"), call: START };
        bytes.extend(frame(0x82, &encoded(&start)));
    }
    let mut second = Vec::new();
    let (first, behind) = rest.split_at(if how & 16 == 0 { rest.len() } else { rest.len() / 2 });
    let parts = [(&mut bytes, first), (&mut second, behind)];
    for (bytes, part) in parts.into_iter().take(if how & 16 == 0 { 1 } else { 2 }) {
        match how & 2 {
            0 => bytes.extend(part),
            _ => bytes.extend(frame(0x82, part)),
        }
    }
    if how & 16 != 0 {
        let secret = secret();
        let connect = Call::ConnectCircuit { secret: secret.as_str() };
        let connect = encoded(&Message::Invocation { id: Some("1"), call: connect });
        let again = [frame(0x81, HANDSHAKE.as_bytes()), frame(0x82, &connect)].concat();
        second.splice(..0, again);
    }
    let rest = [&bytes[..], &second];
    let rest = if second.is_empty() { &rest[..1] } else { &rest[..] };
    if how & 4 == 0 {
        conversation::<NoStore>(*how, *end, rest);
    } else {
        conversation::<BatchStore<3, 1024>>(*how, *end, rest);
    }
}

/// That of the only circuit: the server's numbers are always the same.
pub fn secret() -> CircuitSecret {
    Counter::default().secret().expect("numbers")
}

/// A frame of a client's with a mask that changes nothing.
pub fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match payload.len() {
        len @ 0..=125 => frame.push(0x80 | len as u8),
        len => {
            frame.push(0x80 | 126);
            frame.extend((len as u16).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(payload);
    frame
}

fn conversation<St: Store>(how: u8, end: u8, connections: &[&[u8]]) {
    let mut numbers = Numbers::of(connections[0]);
    let cut: Vec<Vec<_>> = connections.iter().map(|bytes| numbers.cut(bytes, 300)).collect();
    let uncut: Vec<Vec<_>> = connections.iter().map(|bytes| vec![*bytes]).collect();
    let whole = talk::<St>(how, end, &uncut, MOST_ROOM);
    for (pieces, room) in [(cut, numbers.below(900)), (uncut, 0)] {
        let cut = talk::<St>(how, end, &pieces, room);
        // What came in one input is rendered together, so there may be more batches to acknowledge, and
        // more that cannot be.
        let counts = |(refusal, _): &Ended| {
            matches!(refusal, Some(Refusal::FutureBatch | Refusal::BadBatch(_)))
        };
        if cut.iter().chain(&whole).any(counts) {
            continue;
        }
        // Whether a circuit goes on follows from what was sent and could not be kept, by the same reason.
        let all_kept = how & 4 != 0 && how & 64 == 0;
        let compared = if all_kept { whole.len() } else { 1 };
        let (cut, whole) = (&cut[..compared], &whole[..compared]);
        assert_eq!(cut, whole, "{} pieces, {room} bytes of output", pieces[0].len());
    }
}

/// Why a connection ended, and whether it did.
type Ended = (Option<Refusal>, bool);

/// Room for all that is said to most inputs.
const MOST_ROOM: usize = 1 << 14;

thread_local! {
    static OUTPUT: RefCell<Vec<u8>> = RefCell::new(vec![0xa5; MOST_ROOM]);
}

fn talk<St: Store>(how: u8, end: u8, connections: &[Vec<&[u8]>], room: usize) -> Vec<Ended> {
    let mut slots: [Slot<Page, St>; 2] = [const { Slot::new() }; 2];
    let mut strings = [0; 64];
    let options = Options { unacknowledged: 3, ..Options::DEFAULT };
    let mut counter = Counter::default();
    if how & 8 != 0 {
        counter.calls = [("a.b", true), ("c", false), ("d", true)].into();
    }
    counter.lets_go = how & 32 == 0;
    counter.padding = if how & 64 == 0 { 0 } else { 1100 };
    counter.damage = how & 128 != 0;
    let mut server =
        Server::new(counter, &mut slots, Table::new(), options).with_strings(&mut strings);
    let (mut ended, mut refused) = (Vec::new(), 0);
    for (number, pieces) in connections.iter().enumerate() {
        let mut conn = Connection::<2048>::new(Origin::new(ORIGIN).expect("an origin"));
        let mut closed = false;
        for piece in pieces {
            closed = feed(&mut conn, &mut server, piece, room);
            if closed {
                break;
            }
        }
        let refusal = conn.refusal();
        assert!(refusal.is_none() || closed, "{refusal:?}");
        assert!(conn.received() <= pieces.iter().map(|piece| piece.len() as u64).sum());
        let waiting = conn.waiting();
        assert!(refusal.is_none() || waiting == Waiting::Close, "{waiting:?}");
        ended.push((refusal, closed));
        if !closed && number + 1 == connections.len() {
            the_end(end, &mut conn, &mut server, room);
        }
        assert!(refusal.is_none() || conn.refusal() == refusal);
        refused += u64::from(conn.refusal().is_some());
        conn.detach(&mut server, 0);
    }
    assert_eq!(server.counters().refused_in_all(), refused);
    let counters = *server.counters();
    assert_eq!(counters.started - counters.closed, server.circuits().0 as u64);
    server.expire(10, 1);
    assert_eq!(server.circuits(), (0, 0));
    ended
}

/// How many ends there are.
pub const ENDS: u8 = 12;

/// What an owner may do with a connection at any time.
fn the_end<St: Store>(
    how: u8,
    conn: &mut Connection<'_>,
    server: &mut Server<'_, Counter, St, Table>,
    room: usize,
) {
    let sent = conn.sent();
    match how % ENDS {
        1 => write(room, |sink| conn.time_out(sink)),
        2 => write(room, |sink| conn.shut_down(sink)),
        3 => write(room, |sink| conn.error(server, "a text", sink)),
        4 => write(room, |sink| conn.hub_close(Some(true), sink)),
        5 => write(room, |sink| conn.hub_close(None, sink)),
        6 => write(room, |sink| conn.ping(sink)),
        7 => {
            server.disconnect(secret().as_str());
            server.for_each_page(|_, page| page.count += 1);
            write(room, |sink| conn.pump(server, sink));
        }
        8 => {
            server.for_each_page(|_, page| page.count += 1);
            write(room, |sink| conn.pump(server, sink));
            server.close_all();
            write(room, |sink| conn.pump(server, sink));
        }
        // A sink that fails: what was being sent may be half there, so that its owner gives up.
        9 | 10 => {
            server.for_each_page(|_, page| page.count += 1);
            let left = room % 300 * usize::from(how % ENDS == 9);
            let mut sink = Plain { left, fails: Some(failures(room)), written: 0 };
            let _ = conn.pump(server, &mut sink);
            let _ = conn.ping(&mut sink);
            let _ = conn.error(server, "a text", &mut sink);
            return;
        }
        // What comes for a circuit that is no more.
        11 => {
            server.close_all();
            let click = encoded(&Message::Invocation { id: None, call: click("1") });
            feed(conn, server, &frame(0x82, &click), room);
            write(room, |sink| conn.pump(server, sink));
        }
        _ => return,
    }
    assert!(conn.sent() >= sent);
    if (1..=5).contains(&(how % ENDS)) {
        assert_eq!(conn.waiting(), Waiting::Close);
    }
}

/// A sink that lends no memory, and has so many bytes of room, or fails behind them.
struct Plain {
    left: usize,
    fails: Option<WriteErrorKind<()>>,
    written: usize,
}

/// How a sink may fail that is not full.
fn failures(number: usize) -> WriteErrorKind<()> {
    match number % 4 {
        0 => WriteErrorKind::Sink(()),
        1 => WriteErrorKind::Stalled,
        2 => WriteErrorKind::Poisoned,
        _ => WriteErrorKind::Miscounted { offered: 1, claimed: 2 },
    }
}

impl Sink for Plain {
    type Error = ();

    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError<()>> {
        match self.left.checked_sub(bytes.len()) {
            Some(left) => {
                (self.left, self.written) = (left, self.written + bytes.len());
                Ok(())
            }
            None => Err(self.fails.map_or(self.full(bytes.len()), |kind| WriteError::new(0, kind))),
        }
    }

    fn reserve(&mut self, len: usize) -> Result<Option<&mut [u8]>, WriteError<()>> {
        if len > self.left && self.fails.is_none() { Err(self.full(len)) } else { Ok(None) }
    }
}

impl Plain {
    fn full(&self, needed: usize) -> WriteError<()> {
        WriteError::new(0, WriteErrorKind::Full { needed, available: self.left })
    }
}

/// Writes until there is no more to write.
fn write(
    room: usize,
    mut more: impl FnMut(&mut SliceSink<'_>) -> Result<Next, WriteError<Infallible>>,
) {
    let mut room_now = room;
    OUTPUT.with_borrow_mut(|output| {
        for _ in 0..1000 {
            match more(&mut SliceSink::new(&mut output[..room_now])).expect("memory") {
                Next::Flush { needed } => room_now = room.max(needed),
                Next::Read | Next::Close => return,
            }
        }
        panic!("no end of it");
    });
}

/// Whether it ended.
fn feed<St: Store>(
    conn: &mut Connection<'_>,
    server: &mut Server<'_, Counter, St, Table>,
    bytes: &[u8],
    room: usize,
) -> bool {
    let most = 5000 + 400 * bytes.len();
    let mut bytes = bytes.to_vec();
    let mut input = bytes.as_mut_slice();
    let (mut said, mut room_now) = (0, room);
    OUTPUT.with_borrow_mut(|output| {
        for _ in 0..100_000 {
            let next = if room % 3 == 1 {
                let mut sink = Plain { left: room_now, fails: None, written: 0 };
                let next = conn.feed(server, &mut input, &mut sink).expect("memory");
                said += sink.written;
                next
            } else {
                let mut sink = SliceSink::new(&mut output[..room_now]);
                let next = conn.feed(server, &mut input, &mut sink).expect("memory");
                said += sink.into_written().len();
                next
            };
            assert!(said < most, "much more was said than asked");
            match next {
                Next::Flush { needed } => room_now = room.max(needed),
                Next::Read => {
                    assert!(input.is_empty(), "bytes were left");
                    return false;
                }
                Next::Close => return true,
            }
        }
        panic!("no end of it");
    })
}

/// The messages in a WebSocket message, from either end, and MessagePack.
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn hub(data: &[u8]) {
    for message in Messages::new(data).flatten().chain([data]) {
        again::<Call<'_>>(message);
        again::<Answer<'_>>(message);
    }
    let mut from = Unpacker::new(data);
    match from.skip() {
        Ok(skipped) => {
            let (mut walked, mut left) = (Unpacker::new(data), 1u64);
            while left != 0 {
                left -= 1;
                left += match walked.value().expect("it was skipped") {
                    Packed::Array(len) => u64::from(len),
                    Packed::Map(len) => 2 * u64::from(len),
                    _ => 0,
                };
            }
            assert_eq!((walked.position(), skipped.len()), (from.position(), from.position()));
        }
        Err(error) => assert!(error.at <= data.len()),
    }
}

/// What one end of a connection sends. Written again and read again it is the same.
trait Sent {
    /// The message at the start of `bytes` as bytes and in words, and the length that was foretold.
    fn words(bytes: &[u8]) -> Option<(Vec<u8>, String, usize)>;
}

macro_rules! sent {
    ($call:ident, $message:ident) => {
        impl Sent for $call<'_> {
            fn words(bytes: &[u8]) -> Option<(Vec<u8>, String, usize)> {
                let message = $message::decode(bytes).ok()?;
                let mut memory = vec![0xa5; message.encoded_len()];
                let mut sink = SliceSink::new(&mut memory);
                message.encode(&mut sink).expect("as much room as it takes");
                let len = sink.into_written().len();
                Some((memory, format!("{message:?}"), len))
            }
        }
    };
}

sent!(Call, FromClient);
sent!(Answer, FromServer);

fn again<T: Sent>(bytes: &[u8]) {
    let Some((written, words, len)) = T::words(bytes) else { return };
    assert_eq!(written.len(), len);
    let mut messages = Messages::new(&written);
    let message = messages.next().expect("a message").expect("its length");
    assert!(messages.next().is_none());
    let (twice, same_words, _) = T::words(message).expect("what was written");
    assert_eq!((twice, same_words), (written, words));
}

/// A text of JSON, also as what an event is described with.
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn json(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let ours = Value::parse(text);
    match (ours, serde_json::from_str::<serde_json::Value>(text)) {
        (Ok(ours), Ok(theirs)) => assert_eq!(tree(ours), Some(theirs)),
        (Err(error), Err(_)) => assert!(error.at <= text.len()),
        // It makes a float of every number, and not every number is one.
        (Ok(_), Err(error)) if error.to_string().contains("number out of range") => {}
        (Err(error), Ok(_)) if error.kind == ErrorKind::Depth => {}
        (ours, theirs) => panic!("{ours:?} {theirs:?}"),
    }
    for event in [Event::from_call(text), Event::from_descriptor(text, text)].into_iter().flatten()
    {
        let _ = (event.arguments(), event.data());
    }
    let half = text.floor_char_boundary(text.len() / 2);
    if let Ok(event) = Event::from_descriptor(&text[..half], &text[half..]) {
        let _ = (event.arguments(), event.data());
    }
}

/// What `serde_json` would have made of a value. Of a key that is there twice the last one counts.
fn tree(value: Value<'_>) -> Option<serde_json::Value> {
    Some(match value.view() {
        View::Null => serde_json::Value::Null,
        View::Bool(value) => value.into(),
        View::Number(number) => {
            let theirs = serde_json::from_str::<Number>(number.raw()).ok()?;
            // It has no negative zero among its integers.
            if number.raw() != "-0" {
                assert_eq!(number.to_u64(), theirs.as_u64());
                assert_eq!(number.to_i64(), theirs.as_i64());
            }
            let _ = number.truncated();
            serde_json::Value::Number(theirs)
        }
        View::Text(text) => {
            let mut buffer = vec![0; text.len()];
            let plain = text.unescape(&mut buffer).expect("its length").to_owned();
            assert!(text == plain.as_str() && text.chars().eq(plain.chars()));
            plain.into()
        }
        View::Array(array) => array.into_iter().map(tree).collect::<Option<Vec<_>>>()?.into(),
        View::Object(object) => {
            let mut map = Map::new();
            for (key, value) in object {
                map.insert(key.to_string(), tree(value)?);
            }
            serde_json::Value::Object(map)
        }
    })
}
