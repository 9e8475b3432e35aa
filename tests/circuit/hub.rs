//! Hub messages, both ways.

use hex_literal::hex;
use onewrite::circuit::hub::{
    AROUND_BATCH, Answer, BATCH_TAIL, Call, FromClient, FromServer, HANDSHAKE, HANDSHAKE_REPLY,
    HandshakeError, JsResult, MAX_LEN, Message, Messages, Outcome, TooLong, batch_head,
    check_handshake,
};
use onewrite::circuit::message_pack::{Head, Unpacker, Value};
use onewrite::error::{DecodeErrorKind, WriteErrorKind};
use onewrite::sink::{CountingSink, Sink, SliceSink};
use serde_json::{Value as Json, json};

use super::vectors;

/// What is written to a sink that lends, and to one that does not, and what was foretold.
macro_rules! encoded {
    ($message:expr) => {{
        let message = $message;
        let len = message.encoded_len();
        let mut memory = vec![0xa5; len + 1];
        let mut sink = SliceSink::new(&mut memory);
        message.encode(&mut sink).unwrap();
        let written = sink.into_written().to_vec();
        assert_eq!(written.len(), len);
        let mut stream = Stream(Vec::new());
        message.encode(&mut stream).unwrap();
        assert_eq!(stream.0, written);
        for room in 0..len {
            let mut sink = SliceSink::new(&mut memory[..room]);
            let error = message.encode(&mut sink).unwrap_err();
            assert_eq!(error.kind, WriteErrorKind::Full { needed: len, available: room });
            assert_eq!(sink.written(), 0);
        }
        written
    }};
}

/// A sink that lends nothing.
struct Stream(Vec<u8>);

impl Sink for Stream {
    type Error = std::convert::Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), onewrite::error::WriteError<Self::Error>> {
        self.0.extend(bytes);
        Ok(())
    }

    fn reserve(
        &mut self,
        _len: usize,
    ) -> Result<Option<&mut [u8]>, onewrite::error::WriteError<Self::Error>> {
        Ok(None)
    }
}

fn messages(payload: &[u8]) -> Vec<&[u8]> {
    Messages::new(payload).map(Result::unwrap).collect()
}

/// MessagePack as JSON, by the reader alone.
fn json(from: &mut Unpacker<'_>) -> Json {
    match from.value().unwrap() {
        Value::Nil => Json::Null,
        Value::Bool(value) => json!(value),
        Value::Unsigned(value) => json!(value),
        Value::Text(text) => json!(text),
        Value::Array(len) => (0..len).map(|_| json(from)).collect(),
        Value::Map(0) => json!({}),
        other => panic!("{other:?} is in no message of a client"),
    }
}

/// The same message with every head in its widest form.
fn widened(message: &[u8]) -> Vec<u8> {
    fn widen(from: &mut Unpacker<'_>, out: &mut Vec<u8>) {
        match from.value().unwrap() {
            Value::Unsigned(value) => out.extend([&[0xcf][..], &value.to_be_bytes()].concat()),
            Value::Text(text) => {
                out.push(0xdb);
                out.extend(u32::try_from(text.len()).unwrap().to_be_bytes());
                out.extend(text.as_bytes());
            }
            Value::Bytes(bytes) => {
                out.push(0xc6);
                out.extend(u32::try_from(bytes.len()).unwrap().to_be_bytes());
                out.extend(bytes);
            }
            Value::Array(len) => {
                out.push(0xdd);
                out.extend(len.to_be_bytes());
                (0..len).for_each(|_| widen(from, out));
            }
            Value::Map(len) => {
                out.push(0xdf);
                out.extend(len.to_be_bytes());
                (0..len * 2).for_each(|_| widen(from, out));
            }
            Value::Nil => out.push(0xc0),
            Value::Bool(value) => out.push(0xc2 + u8::from(value)),
            other => panic!("{other:?}"),
        }
    }
    let mut out = Vec::new();
    let mut from = Unpacker::new(message);
    widen(&mut from, &mut out);
    from.finish().unwrap();
    out
}

#[test]
fn captured_messages_come_back_byte_for_byte() {
    let (mut same, mut other) = (0, Vec::new());
    let vectors = vectors::all();
    for vector in vectors.iter().filter(|vector| vector.is_hub()) {
        let payload = &vector.bytes;
        let mut back = Vec::new();
        for message in messages(payload) {
            if vector.from_client {
                let decoded = FromClient::decode(message).unwrap();
                assert!(!matches!(decoded, Message::Invocation { call: Call::Other { .. }, .. }));
                back.extend(encoded!(decoded));
                assert_eq!(FromClient::decode(&widened(message)), Ok(decoded));
            } else {
                let decoded = FromServer::decode(message).unwrap();
                assert!(!matches!(decoded, Message::Invocation { call: Answer::Other { .. }, .. }));
                back.extend(encoded!(decoded));
                assert_eq!(FromServer::decode(&widened(message)), Ok(decoded));
            }
        }
        if back == *payload {
            same += 1;
        } else {
            other.push((vector.client.as_str(), vector.name.as_str()));
        }
        if let Some(decoded) = &vector.decoded {
            assert_eq!(json(&mut Unpacker::new(messages(payload)[0])), *decoded);
        }
    }
    // The ids of no streams, and the head of a batch that is always as long.
    let expected = [
        ("server.js 3.1", "StartCircuit"),
        ("server.js 3.1", "OnRenderCompleted"),
        ("server.js 3.1", "DispatchBrowserEvent"),
        ("server.js 3.1", "OnRenderCompleted"),
        ("server.js Nov 2024, fixed-size header", "JS.RenderBatch"),
    ];
    assert_eq!((same, other.as_slice()), (81, &expected[..]));
}

#[test]
fn cut_and_longer_messages_are_refused() {
    for vector in vectors::all().iter().filter(|vector| vector.is_hub()) {
        let whole = messages(&vector.bytes);
        let ends: Vec<usize> = {
            let mut messages = Messages::new(&vector.bytes);
            let mut ends = vec![0];
            while let Some(Ok(message)) = messages.next() {
                ends.push(messages.position() + message.len());
            }
            ends
        };
        assert_eq!(ends.last(), Some(&vector.bytes.len()));
        for cut in 0..vector.bytes.len() {
            let mut found = Messages::new(&vector.bytes[..cut]);
            let complete = found.by_ref().take_while(Result::is_ok).count();
            assert_eq!(complete, ends.iter().filter(|end| **end != 0 && **end <= cut).count());
            assert!(found.next().is_none());
            let ended = Messages::new(&vector.bytes[..cut]).all(|message| message.is_ok());
            assert_eq!(ended, ends.contains(&cut), "{cut}");
        }
        for message in whole {
            let longer = [message, b"\xc0"].concat();
            let refuse = |bytes: &[u8]| match vector.from_client {
                true => FromClient::decode(bytes).map(drop).unwrap_err(),
                false => FromServer::decode(bytes).map(drop).unwrap_err(),
            };
            let error = refuse(&longer);
            assert_eq!(error.at, message.len());
            assert_eq!(error.kind, DecodeErrorKind::TrailingBytes { extra: 1 });
            for cut in 0..message.len() {
                let error = refuse(&message[..cut]);
                assert!(error.at <= cut, "{error} in {cut}");
            }
        }
    }
}

#[test]
fn the_head_of_a_batch_is_thirty_six_bytes() {
    let vectors = vectors::with("fixed-size header");
    let vector = vectors.iter().find(|vector| vector.name == "JS.RenderBatch").unwrap();
    let message = FromServer::decode(messages(&vector.bytes)[0]).unwrap();
    let Message::Invocation { id: None, call: Answer::RenderBatch { id: 2, batch } } = message
    else {
        panic!("{message:?}")
    };
    assert_eq!(vector.bytes.len(), batch.len() + AROUND_BATCH);
    let head = batch_head(2, batch.len()).unwrap();
    assert_eq!([&head[..], batch, &BATCH_TAIL[..]].concat(), vector.bytes);
    for len in [0, 1, 92, 93, 16_288, 16_289, 1_069_403] {
        let batch = vec![7; len];
        let bytes = [&batch_head(u32::MAX, len).unwrap()[..], &batch, &BATCH_TAIL].concat();
        let id = u32::MAX.into();
        let message =
            Message::Invocation { id: None, call: Answer::RenderBatch { id, batch: &batch } };
        assert_eq!(FromServer::decode(messages(&bytes)[0]), Ok(message));
    }
    let most = MAX_LEN as usize - 31;
    assert!(batch_head(2, most).is_some());
    assert_eq!(batch_head(2, most + 1), None);
    assert_eq!(batch_head(2, usize::MAX), None);
}

#[test]
fn lengths_may_be_padded_and_are_compared_first() {
    for prefix in [&hex!("02")[..], &hex!("8200"), &hex!("828000"), &hex!("8280808000")] {
        let payload = [prefix, &hex!("9106")].concat();
        assert_eq!(messages(&payload), [&hex!("9106")[..]]);
    }
    assert_eq!(messages(&[]), Vec::<&[u8]>::new());
    assert_eq!(messages(&hex!("00 02 9106")), [&[][..], &hex!("9106")]);
    let refused = |payload: &[u8]| {
        let mut messages = Messages::new(payload);
        let error = messages.find_map(Result::err).unwrap();
        assert!(messages.next().is_none(), "nothing comes behind an error");
        (error.at, error.kind)
    };
    let missing = |needed, available| DecodeErrorKind::EndOfInput { needed, available };
    assert_eq!(refused(&hex!("7f 9106")), (1, missing(127, 2)));
    assert_eq!(refused(&hex!("029106 0391")), (4, missing(3, 1)));
    let longest = MAX_LEN as usize;
    assert_eq!(refused(&hex!("ffffffff07")), (5, missing(longest, 0)));
    assert_eq!(refused(&hex!("8080808008 00")), (0, DecodeErrorKind::VarintTooLong));
    assert_eq!(refused(&hex!("828080808000 9106")), (0, DecodeErrorKind::VarintTooLong));
    assert_eq!(refused(&hex!("ff")).0, 0);
}

/// Every variant, and each of its forms.
#[test]
fn what_is_written_is_read_back() {
    let mut calls = vec![
        Call::PauseCircuit,
        Call::StartCircuit { base_uri: "a", uri: "b", components: "[]", state: None },
        Call::StartCircuit { base_uri: "a", uri: "b", components: "[]", state: Some("s") },
        Call::UpdateRootComponents { operations: "{}", state: "s" },
        Call::ConnectCircuit { secret: "s" },
        Call::ResumeCircuit { secret: "s", base_uri: "a", uri: "b", components: "[]", state: "" },
        Call::EndInvokeJsFromDotNet { handle: 300, ok: false, result: "no" },
        Call::DispatchBrowserEvent { descriptor: "{}", arguments: "[]" },
        Call::OnRenderCompleted { batch: 70_000, error: Some("no") },
        Call::ReceiveByteArray { id: 1, data: &[1, 2] },
        Call::ReceiveJsDataChunk { stream: 1, chunk: 2, data: &[3], error: None },
        Call::SendDotNetStreamToJs { stream: 7 },
        Call::Other { target: "Unheard", arguments: &hex!("92 c0 81 a161 01") },
    ];
    for text in [None, Some("t")] {
        calls.push(Call::BeginInvokeDotNetFromJs {
            call: text,
            assembly: text,
            method: "m",
            object: 1,
            arguments: "[]",
        });
        calls.push(Call::OnLocationChanged { uri: "u", state: text, intercepted: true });
        calls.push(Call::OnLocationChanging { call: 1, uri: "u", state: text, intercepted: false });
    }
    let answers = [
        Answer::AttachComponent { component: -1, selector: "0" },
        Answer::RenderBatch { id: 2, batch: &[1, 2, 3] },
        Answer::EndInvokeDotNet { call: "1", ok: true, result: "null" },
        Answer::EndUpdateRootComponents { batch: 1 },
        Answer::EndLocationChanging { call: 1, go: false },
        Answer::Error { text: "boom" },
        Answer::Other { target: "JS.RequestPause", arguments: &hex!("90") },
    ]
    .into_iter()
    .chain([JsResult::Value, JsResult::Object, JsResult::Stream, JsResult::Void].map(|result| {
        Answer::BeginInvokeJs { handle: 1, function: "f", arguments: "[]", result, object: 0 }
    }));
    for call in &calls {
        for id in [None, Some("17")] {
            round_client(Message::Invocation { id, call: *call });
        }
        round_client(Message::StreamInvocation { id: "1", call: *call });
    }
    for call in answers {
        for id in [None, Some("17")] {
            round_server(Message::Invocation { id, call });
        }
        round_server(Message::StreamInvocation { id: "1", call });
    }
    for outcome in [
        Outcome::Error("no"),
        Outcome::Void,
        Outcome::Nil,
        Outcome::Bool(true),
        Outcome::Bool(false),
        Outcome::Text("t"),
        Outcome::Other(&hex!("92 01 c0")),
        Outcome::Other(&[7]),
    ] {
        round_client(Message::Completion { id: "1", outcome });
        round_server(Message::Completion { id: "1", outcome });
    }
    for error in [None, Some("bye")] {
        for reconnect in [None, Some(false), Some(true)] {
            round_client(Message::Close { error, reconnect });
            round_server(Message::Close { error, reconnect });
        }
    }
    round_client(Message::StreamItem { id: "1", item: &hex!("93 010203") });
    round_client(Message::CancelInvocation { id: "1" });
    round_client(Message::Ping);
    round_client(Message::Acknowledge { sequence: 1 << 40 });
    round_client(Message::Sequence { sequence: 1 });
}

fn round_client(message: FromClient<'_>) {
    let bytes = encoded!(message);
    assert_eq!(FromClient::decode(messages(&bytes)[0]), Ok(message));
}

fn round_server(message: FromServer<'_>) {
    let bytes = encoded!(message);
    assert_eq!(FromServer::decode(messages(&bytes)[0]), Ok(message));
}

/// Forms that clients of other versions have.
#[test]
fn messages_of_other_clients_are_read() {
    // .NET 6 has no state of an address.
    let six = hex!("95 01 80 c0 b1 4f6e4c6f636174696f6e4368616e676564 92 a175 c3");
    let call = Call::OnLocationChanged { uri: "u", state: None, intercepted: true };
    assert_eq!(FromClient::decode(&six), Ok(Message::Invocation { id: None, call }));
    // Headers are gone past.
    let headers = hex!("95 01 82 a161 a162 a163 91 c0 c0 ac 506175736543697263756974 90");
    let pause = Message::Invocation { id: None, call: Call::PauseCircuit };
    assert_eq!(FromClient::decode(&headers), Ok(pause));
    // So are streams.
    let streams = hex!("96 01 80 c0 ac 506175736543697263756974 90 92 a131 a132");
    assert_eq!(FromClient::decode(&streams), Ok(pause));
    // What is asked for is not looked at before it is known.
    let unknown = hex!("95 01 80 a137 a3 466f6f 93 01 80 c4 01 ff");
    let call = Call::Other { target: "Foo", arguments: &hex!("93 01 80 c4 01 ff") };
    assert_eq!(FromClient::decode(&unknown), Ok(Message::Invocation { id: Some("7"), call }));
}

#[test]
fn other_shapes_are_refused_where_they_begin() {
    let refused = |bytes: &[u8]| {
        let error = FromClient::decode(bytes).unwrap_err();
        (error.at, error.kind)
    };
    let unknown = |name, value| DecodeErrorKind::UnknownDiscriminant { name, value };
    let count = |expected, count| DecodeErrorKind::WrongCount { expected, count };
    assert_eq!(refused(&hex!("91 0a")), (1, unknown("hub message", 10)));
    assert_eq!(refused(&hex!("91 00")), (1, unknown("hub message", 0)));
    assert_eq!(refused(&hex!("80")), (0, unknown("array", 0x80)));
    assert_eq!(refused(&hex!("92 06 c0")), (0, count(1, 2)));
    assert_eq!(refused(&hex!("94 01 80 c0 a0")), (0, count(5, 4)));
    assert_eq!(refused(&hex!("97 01 80 c0 a0 90 90 90")), (0, count(5, 7)));
    assert_eq!(refused(&hex!("95 01 c0 c0 a0 90")), (2, unknown("map", 0xc0)));
    assert_eq!(refused(&hex!("95 01 80 01 a0 90")), (3, unknown("text or nil", 1)));
    assert_eq!(refused(&hex!("95 03 80 a130 02 c0")), (0, count(4, 5)));
    assert_eq!(refused(&hex!("94 03 80 a130 03")), (0, count(5, 4)));
    assert_eq!(refused(&hex!("94 03 80 a130 04")), (5, unknown("outcome", 4)));
    let pause = hex!("95 01 80 c0 ac 506175736543697263756974 91 c0");
    assert_eq!(refused(&pause), (17, count(0, 1)));
    // As deep as they like, of bounded work.
    let deep = [&hex!("95 01 80 c0 a3 466f6f")[..], &[0x91; 5_000]].concat();
    assert!(matches!(refused(&deep).1, DecodeErrorKind::DepthLimit { .. }));
    assert_eq!(refused(&[0x91; 100]), (1, unknown("number from zero up", 0x91)));
    let kind = hex!("96 01 80 c0 b0 4a532e426567696e496e766f6b654a53 95 00 a0 a0 04 00 90");
    let error = FromServer::decode(&kind).unwrap_err();
    assert_eq!((error.at, error.kind), (25, unknown("kind of result", 4)));
}

/// Not more than SignalR's clients take. The text claims its length and has none of it in memory.
#[test]
fn what_is_too_long_is_not_written() {
    let text = "x".repeat(1 << 20);
    let texts: Vec<u8> =
        Head::text(1 << 20).as_slice().iter().chain(text.as_bytes()).copied().collect();
    let arguments: Vec<u8> = [Head::array(1).as_slice(), &texts].concat();
    let message = FromServer::Invocation {
        id: None,
        call: Answer::Other { target: "t", arguments: &arguments },
    };
    let mut sink = CountingSink::new();
    message.encode(&mut sink).unwrap();
    assert_eq!(sink.written(), message.encoded_len());
    assert_eq!(
        TooLong { len: 7 }.to_string(),
        "message would have 7 bytes, and 2147483647 are the most"
    );
}

#[test]
fn handshakes_are_looked_at() {
    for vector in vectors::all().iter().filter(|vector| vector.name.starts_with("handshake")) {
        match vector.from_client {
            true => {
                assert_eq!(vector.bytes, HANDSHAKE.as_bytes());
                assert_eq!(check_handshake(&vector.bytes), Ok(()));
            }
            false => assert_eq!(vector.bytes, HANDSHAKE_REPLY.as_bytes()),
        }
    }
    let checked = |text: &str| check_handshake(text.as_bytes());
    assert_eq!(checked("{ \"version\": 1, \"protocol\": \"blazorpack\" }\x1e"), Ok(()));
    assert_eq!(checked("{\"protocol\":\"blazorpack\",\"version\":2}\x1e"), Ok(()));
    for (text, error) in [
        ("", HandshakeError::NotClosed),
        ("{}", HandshakeError::NotClosed),
        ("\x1e", HandshakeError::NotJson),
        ("[]\x1e", HandshakeError::NotJson),
        ("{}\x1e", HandshakeError::NotJson),
        ("{\"protocol\":\"blazorpack\",\"version\":1}{}\x1e", HandshakeError::NotJson),
        ("{\"protocol\":\"blazorpack\"}\x1e", HandshakeError::NotJson),
        ("{\"protocol\":\"json\",\"version\":1}\x1e", HandshakeError::Protocol),
        ("{\"protocol\":\"blazorpack\",\"version\":3}\x1e", HandshakeError::Version),
        ("{\"protocol\":\"blazorpack\",\"version\":\"1\"}\x1e", HandshakeError::NotJson),
    ] {
        assert_eq!(checked(text), Err(error), "{text:?}");
    }
    for cut in 0..HANDSHAKE.len() {
        assert!(checked(&HANDSHAKE[..cut]).is_err());
    }
    assert_eq!(check_handshake(b"\xff\x1e"), Err(HandshakeError::NotClosed));
}
