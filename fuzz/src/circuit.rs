//! Circuits: whole connections, hub messages and MessagePack, JSON against `serde_json`.

use onewrite::circuit::event::Event;
use onewrite::circuit::hub::{Answer, Call, FromClient, FromServer, HANDSHAKE, Message, Messages};
use onewrite::circuit::json::{ErrorKind, Value, View};
use onewrite::circuit::message_pack::{Unpacker, Value as Packed};
use onewrite::circuit::origin::Origin;
use onewrite::circuit::{
    BatchStore, Connection, Next, NoStore, Options, Refusal, Server, Slot, Store,
};
use onewrite::sink::SliceSink;
use serde_json::{Map, Number};

use crate::Numbers;
use crate::rig::{Counter, ORIGIN, Page, START, Table, encoded};

/// What a browser sends over its WebSocket. The first byte says how:
///
/// | bit | set |
/// |---|---|
/// | 0 | behind a handshake and the start of a circuit |
/// | 1 | the rest is the payload of one message, and not frames |
/// | 2 | batches are kept for a browser that comes back |
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn circuit(data: &[u8]) {
    let Some((how, rest)) = data.split_first() else { return };
    let mut bytes = Vec::new();
    if how & 1 != 0 {
        bytes.extend(frame(0x81, HANDSHAKE.as_bytes()));
        let start = Message::Invocation { id: Some("0"), call: START };
        bytes.extend(frame(0x82, &encoded(&start)));
    }
    match how & 2 {
        0 => bytes.extend(rest),
        _ => bytes.extend(frame(0x82, rest)),
    }
    if how & 4 == 0 {
        conversation::<NoStore>(&bytes);
    } else {
        conversation::<BatchStore<3, 1024>>(&bytes);
    }
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

fn conversation<St: Store>(bytes: &[u8]) {
    let mut numbers = Numbers::of(bytes);
    let whole = talk::<St>(&[bytes], 1 << 16);
    let pieces = numbers.cut(bytes, 300);
    for (pieces, room) in [(&pieces[..], numbers.below(900)), (&[bytes], 0)] {
        let cut = talk::<St>(pieces, room);
        // What came in one input is rendered together, so there may be more batches to acknowledge.
        let future = |refusal| refusal == Some(Refusal::FutureBatch);
        if future(cut.0) || future(whole.0) {
            continue;
        }
        assert_eq!(cut, whole, "{} pieces, {room} bytes of output", pieces.len());
    }
}

/// Why a conversation ended, and whether it did.
fn talk<St: Store>(pieces: &[&[u8]], room: usize) -> (Option<Refusal>, bool) {
    let mut slots: [Slot<Page, St>; 2] = [const { Slot::new() }; 2];
    let mut strings = [0; 64];
    let options = Options { unacknowledged: 3, ..Options::DEFAULT };
    let mut server = Server::new(Counter::default(), &mut slots, Table::new(), options)
        .with_strings(&mut strings);
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
    assert_eq!(server.counters().refused_in_all(), u64::from(refusal.is_some()));
    conn.detach(&mut server, 0);
    let counters = *server.counters();
    assert_eq!(counters.started - counters.closed, server.circuits().0 as u64);
    server.expire(10, 1);
    assert_eq!(server.circuits(), (0, 0));
    (refusal, closed)
}

/// Whether it ended.
fn feed<St: Store>(
    conn: &mut Connection<'_>,
    server: &mut Server<'_, Counter, St, Table>,
    bytes: &[u8],
    room: usize,
) -> bool {
    let most = 2000 + 400 * bytes.len();
    let mut bytes = bytes.to_vec();
    let mut input = bytes.as_mut_slice();
    let (mut said, mut room_now) = (0, room);
    for _ in 0..100_000 {
        let mut memory = vec![0xa5; room_now];
        let mut sink = SliceSink::new(&mut memory);
        let next = conn.feed(server, &mut input, &mut sink).expect("memory");
        said += sink.into_written().len();
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
