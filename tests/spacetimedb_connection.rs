//! What a client of any version is made of: the address, the requests, what comes in; against every
//! captured connection.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic"
)]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "spacetimedb_connection/captures.rs"]
mod captures;

use onewrite::bsatn::{ConnectionId, Decode, StreamErrorKind};
use onewrite::compression::DecompressErrorKind;
use onewrite::error::DecodeErrorKind;
use onewrite::sink::SliceSink;
use onewrite::spacetimedb::connection::{
    Connection, ConnectionError, ConnectionErrorKind as Kind, Incoming,
};
use onewrite::spacetimedb::stream::{
    Change, Effect, Event, MessageKind, MessageStream, Outcome, Summary, Version,
};
use onewrite::spacetimedb::{
    Address, Arguments, Compression, NoRoom, Payload, Pending, Queries, Request, bearer, v1, v2,
};
use onewrite::websocket::{self, CloseCode, Limits, Part, Sender, Server};

use captures::{Session, sessions};

const VERSIONS: [Version; 3] = [Version::V1, Version::V2, Version::V3];

fn version(session: &Session) -> Version {
    Version::from_subprotocol(&format!("{}.bsatn.spacetimedb", session.protocol)).unwrap()
}

/// The frames of a payload, each of up to `len` bytes.
fn frames(payload: &[u8], len: usize) -> Vec<u8> {
    let mut sender = Sender::<Server>::new();
    let mut out = vec![0; payload.len() + 16 * (payload.len() / len + 2)];
    let mut sink = SliceSink::new(&mut out);
    let pieces: Vec<&[u8]> = match payload {
        [] => vec![&[]],
        _ => payload.chunks(len).collect(),
    };
    for (number, piece) in pieces.iter().enumerate() {
        let part = match (number, number + 1 == pieces.len()) {
            (0, true) => Part::Whole(websocket::Kind::Binary),
            (0, false) => Part::First(websocket::Kind::Binary),
            (_, true) => Part::Last,
            (_, false) => Part::Middle,
        };
        sender.fragment(part, piece, (), &mut sink).unwrap();
    }
    sink.into_written().to_vec()
}

/// What was heard, with rows one by one, and texts and values put together again.
#[derive(Debug, Default, PartialEq, Eq)]
struct Heard {
    events: Vec<String>,
    /// Of each message: what it answers, and how that ended.
    answers: Vec<(Option<u32>, Option<Outcome>)>,
    payloads: u64,
}

#[derive(Default)]
struct Listener {
    heard: Heard,
    summary: Summary,
    /// A text or a value that has not ended.
    open: Option<String>,
}

impl Listener {
    fn part(&mut self, event: &Event<'_>) {
        self.summary.note(event);
        match *event {
            Event::Rows(rows) => {
                self.heard.events.extend(rows.rows().map(|row| format!("{row:02x?}")));
            }
            Event::Text { of, piece, left } => {
                let mut text = self.open.take().unwrap_or_else(|| format!("{of:?} "));
                text.push_str(piece);
                self.put(text, left);
            }
            Event::Bytes { of, piece, left } => {
                let mut text = self.open.take().unwrap_or_else(|| format!("{of:?} "));
                for byte in piece {
                    text.push_str(&format!("{byte:02x}"));
                }
                self.put(text, left);
            }
            Event::End => {
                // As if every call were one's own: what is not, has a test of its own.
                let own = self.summary.connection_id();
                self.heard.answers.push((self.summary.answers(own), self.summary.outcome()));
                self.heard.events.push("End".to_owned());
            }
            other => self.heard.events.push(format!("{other:?}")),
        }
    }

    fn put(&mut self, text: String, left: u32) {
        if left == 0 { self.heard.events.push(text) } else { self.open = Some(text) }
    }
}

/// Reads `bytes` in pieces of up to `cut` bytes, with rooms that double when they are too short.
fn listen(
    version: Version,
    bytes: &[u8],
    cut: usize,
    first_room: usize,
) -> Result<Heard, ConnectionError> {
    let mut offsets = vec![0; 16_384];
    let mut rooms: Vec<Vec<u8>> = (0..24)
        .map(|power| vec![0; first_room << power])
        .take_while(|room| room.len() < 1 << 21)
        .collect();
    let mut bodies = rooms.clone();
    let mut connection = Connection::<512>::new(version, Limits::NONE);
    connection.stream().lend(&mut offsets);
    let (mut rooms, mut bodies) = (rooms.iter_mut(), bodies.iter_mut());
    let mut listener = Listener::default();
    let mut bytes = bytes.to_vec();
    for piece in bytes.chunks_mut(cut) {
        let mut feed = connection.feed(piece);
        loop {
            match feed.next() {
                Ok(Some(Incoming::Part(event))) => listener.part(&event),
                Ok(Some(Incoming::EndOfPayload)) => listener.heard.payloads += 1,
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => match error.kind {
                    Kind::NeedsPayloadRoom { at_least } => {
                        let room = rooms.find(|room| room.len() >= at_least).unwrap();
                        assert!(feed.connection().lend_payload(room).is_ok());
                    }
                    Kind::NeedsBodyRoom { at_least } => {
                        let room = bodies.find(|room| room.len() >= at_least).unwrap();
                        assert!(feed.connection().lend_body(room).is_ok());
                    }
                    _ => return Err(error),
                },
            }
        }
    }
    assert!(connection.is_between());
    assert_eq!(connection.payloads(), listener.heard.payloads);
    assert_eq!(connection.position(), bytes.len() as u64);
    Ok(listener.heard)
}

/// What a payload says that is read as a whole.
fn whole(version: Version, payload: &[u8]) -> (Heard, Vec<Option<u32>>) {
    let mut room = vec![0; 1 << 20];
    let body = Payload::new(payload).unwrap().decompress(&mut room).unwrap();
    let mut offsets = vec![0; 16_384];
    let mut stream = MessageStream::<512>::new(version);
    stream.lend(&mut offsets);
    let mut listener = Listener::default();
    let mut piece = body;
    while let Some(event) = stream.next(&mut piece).unwrap() {
        listener.part(&event);
    }
    stream.finish().unwrap();
    listener.heard.payloads = 1;
    let mut answers = Vec::new();
    let mut rest = body;
    while !rest.is_empty() {
        if version == Version::V1 {
            let (message, behind) = v1::ServerMessage::take_from(rest).unwrap();
            // A query's answer has no number, but the bytes that came with the question.
            answers.push(match message {
                v1::ServerMessage::OneOffQueryResponse { message_id, .. } => {
                    message_id.try_into().ok().map(u32::from_le_bytes)
                }
                _ => message.answers(),
            });
            rest = behind;
        } else {
            let (message, behind) = v2::ServerMessage::take_from(rest).unwrap();
            answers.push(message.answers());
            rest = behind;
        }
    }
    (listener.heard, answers)
}

/// The payloads of a server, where all of them are whole.
fn payloads(session: &Session) -> impl Iterator<Item = &[u8]> {
    let of_server = session.messages.iter().filter(|message| message.of_server && !message.closes);
    of_server.filter_map(|message| message.bytes.as_deref())
}

#[test]
fn every_captured_connection_says_the_same_however_it_arrives() {
    let (mut connections, mut count, mut compressed) = (0, 0, 0);
    for session in sessions() {
        let version = version(&session);
        let asked = session.compression.as_deref().unwrap_or("Brotli");
        let mut all = Vec::new();
        let mut expected = Heard::default();
        for payload in payloads(&session) {
            let (heard, answers) = whole(version, payload);
            let summed: Vec<_> = heard.answers.iter().map(|(id, _)| *id).collect();
            assert_eq!(summed, answers, "{}", session.name);
            expected.events.extend(heard.events);
            expected.answers.extend(heard.answers);
            expected.payloads += 1;
            all.extend(frames(payload, 4_096));
            // Between two payloads there may be anything that is no message.
            all.extend(*b"\x89\x02hi\x8a\x00");
            count += 1;
            compressed += usize::from(payload[0] != 0);
            let names = ["None", "Brotli", "Gzip"];
            assert!(payload[0] == 0 || names[usize::from(payload[0])] == asked, "{asked}");
        }
        connections += 1;
        for cut in [1, 7, 100, 4_096] {
            let heard = listen(version, &all, cut, 16).unwrap();
            assert!(heard == expected, "{} in pieces of {cut}", session.name);
        }
        let heard = listen(version, &all, all.len().max(1), 1 << 20).unwrap();
        assert!(heard == expected, "{} as a whole", session.name);
    }
    println!("{connections} connections, {count} payloads, {compressed} of them compressed");
    assert!(connections > 30 && count > 300 && compressed > 20);
}

#[test]
fn every_split_of_a_payload_says_the_same() {
    let mut splits = 0;
    for session in sessions() {
        let version = version(&session);
        let short = |payload: &[u8]| payload.len() < if payload[0] == 0 { 200 } else { 1_200 };
        let mut tried = [0; 3];
        for payload in payloads(&session).filter(|payload| short(payload)) {
            let tried = &mut tried[usize::from(payload[0])];
            *tried += 1;
            if *tried > 2 {
                continue;
            }
            let (expected, _) = whole(version, payload);
            let bytes = frames(payload, 90);
            for at in 0..=bytes.len() {
                let mut cut = bytes.clone();
                let (front, behind) = cut.split_at_mut(at);
                let mut listener = Listener::default();
                let (mut room, mut body) = (vec![0; 2_048], vec![0; 8_192]);
                let mut offsets = vec![0; 1_024];
                let mut connection = Connection::<512>::new(version, Limits::NONE);
                connection.stream().lend(&mut offsets);
                connection.lend_payload(&mut room).unwrap();
                connection.lend_body(&mut body).unwrap();
                for piece in [front, behind] {
                    let mut feed = connection.feed(piece);
                    while let Some(incoming) = feed.next().unwrap() {
                        match incoming {
                            Incoming::Part(event) => listener.part(&event),
                            Incoming::EndOfPayload => listener.heard.payloads += 1,
                            other => panic!("{other:?}"),
                        }
                    }
                }
                assert_eq!(listener.heard, expected, "{} cut at {at}", session.name);
                splits += 1;
            }
        }
    }
    println!("{splits} splits");
    assert!(splits > 5_000);
}

#[test]
fn every_captured_request_is_written_by_a_request() {
    let mut counts = [0; 4];
    for session in sessions().iter().filter(|session| !session.name.starts_with("err-")) {
        let version = version(session);
        for message in session.messages.iter().filter(|message| !message.of_server) {
            let Some(bytes) = &message.bytes else { continue };
            let mut rest = bytes.as_slice();
            let mut written = Vec::new();
            while !rest.is_empty() {
                let behind = if version == Version::V1 {
                    let (message, behind) = v1::ClientMessage::take_from(rest).unwrap();
                    match of_v1(&message) {
                        Some((id, request)) => write(version, id, &request, &mut written),
                        None => {
                            // There is another message for it, which nobody needs.
                            counts[3] += 1;
                            written.extend(&rest[..rest.len() - behind.len()]);
                        }
                    }
                    behind
                } else {
                    let (message, behind) = v2::ClientMessage::take_from(rest).unwrap();
                    match of_v2(&message) {
                        Some((id, request)) => write(version, id, &request, &mut written),
                        None => {
                            counts[3] += 1;
                            written.extend(&rest[..rest.len() - behind.len()]);
                        }
                    }
                    behind
                };
                counts[match version {
                    Version::V1 => 0,
                    Version::V2 => 1,
                    _ => 2,
                }] += 1;
                rest = behind;
            }
            assert_eq!(&written, bytes, "{}", session.name);
        }
    }
    println!("{counts:?} requests of versions 1, 2, 3, and those that have no need to be");
    assert!(counts[..3].iter().all(|count| *count > 50));
}

fn write(version: Version, id: u32, request: &Request<'_>, to: &mut Vec<u8>) {
    let mut out = vec![0xa5; request.encoded_len(version) + 1];
    let len = request.write_into(version, id, &mut out).unwrap();
    assert_eq!(len + 1, out.len());
    assert_eq!(out[len], 0xa5);
    let mut again = vec![0; len];
    let mut sink = SliceSink::new(&mut again);
    request.write_to(version, id, &mut sink).unwrap();
    assert_eq!(sink.into_written(), &out[..len]);
    to.extend(&out[..len]);
}

fn of_v1<'a>(message: &v1::ClientMessage<'a>) -> Option<(u32, Request<'a>)> {
    use v1::ClientMessage as Message;
    Some(match *message {
        Message::SubscribeMulti { queries, request_id, query_id } => {
            (request_id, Request::Subscribe { query_set_id: query_id, queries })
        }
        Message::UnsubscribeMulti { request_id, query_id } => {
            (request_id, Request::Unsubscribe { query_set_id: query_id })
        }
        Message::OneOffQuery { message_id, query } => {
            let id = message_id.try_into().ok()?;
            (u32::from_le_bytes(id), Request::Query { query })
        }
        Message::CallReducer { reducer, args, request_id, no_success_notify: false } => {
            (request_id, Request::CallReducer { reducer, args })
        }
        Message::CallProcedure { procedure, args, request_id } => {
            (request_id, Request::CallProcedure { procedure, args })
        }
        _ => return None,
    })
}

fn of_v2<'a>(message: &v2::ClientMessage<'a>) -> Option<(u32, Request<'a>)> {
    use v2::ClientMessage as Message;
    Some(match *message {
        Message::Subscribe { request_id, query_set_id, queries } => {
            (request_id, Request::Subscribe { query_set_id, queries })
        }
        Message::Unsubscribe { request_id, query_set_id, send_dropped_rows: true } => {
            (request_id, Request::Unsubscribe { query_set_id })
        }
        Message::OneOffQuery { request_id, query } => (request_id, Request::Query { query }),
        Message::CallReducer { request_id, reducer, args } => {
            (request_id, Request::CallReducer { reducer, args })
        }
        Message::CallProcedure { request_id, procedure, args } => {
            (request_id, Request::CallProcedure { procedure, args })
        }
        Message::Unsubscribe { .. } => return None,
    })
}

#[test]
fn address_has_what_was_asked_for() {
    let all = Address {
        database: "a/b ü~-._%",
        compression: Compression::Brotli,
        confirmed: Some(true),
        light: true,
        connection_id: Some(ConnectionId::from_be_bytes([
            0x0f, 0xa0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255,
        ])),
    };
    let expected = "/v1/database/a%2fb%20%c3%bc~-._%25/subscribe?compression=Brotli\
        &confirmed=true&light=true&connection_id=0fa002030405060708090a0b0c0d0eff";
    let mut out = [0; 256];
    assert_eq!(all.target(&mut out), Ok(expected));
    for len in 0..expected.len() {
        let error = NoRoom { needed: expected.len(), available: len };
        assert_eq!(all.target(&mut out[..len]), Err(error));
    }
    assert_eq!(all.target(&mut out[..expected.len()]), Ok(expected));
    let gzip =
        Address { compression: Compression::Gzip, confirmed: Some(false), ..Address::of("x") };
    let expected = "/v1/database/x/subscribe?compression=Gzip&confirmed=false";
    assert_eq!(gzip.target(&mut out), Ok(expected));
    assert_eq!(bearer("t", &mut out), Ok("Bearer t"));
    assert_eq!(bearer("token", &mut out[..11]), Err(NoRoom { needed: 12, available: 11 }));
    for version in VERSIONS {
        assert_eq!(Version::from_subprotocol(version.subprotocol()), Some(version));
    }
    assert_eq!(Version::from_subprotocol("v1.json.spacetimedb"), None);
}

#[test]
fn numbers_of_requests_leave_out_zero_and_those_that_wait() {
    let mut pending = Pending::<char, 3>::after(u32::MAX - 1);
    assert_eq!(pending.begin('a'), Ok(u32::MAX));
    assert_eq!(pending.begin('b'), Ok(1));
    assert_eq!(pending.begin('c'), Ok(2));
    assert_eq!(pending.begin('d').unwrap_err().limit, 3);
    assert_eq!(pending.end(0), None);
    assert_eq!(pending.end(2), Some('c'));
    let mut again = Pending::<char, 3>::after(0);
    assert_eq!(again.begin('a'), Ok(1));
    // All the way round, to one that still waits.
    let mut round = Pending::<char, 3>::after(u32::MAX);
    assert_eq!(round.begin('a'), Ok(1));
    assert_eq!(
        pending.iter().map(|(id, what)| (id, *what)).collect::<Vec<_>>(),
        [(u32::MAX, 'a'), (1, 'b')]
    );
    pending.clear();
    assert!(pending.is_empty());
    assert_eq!(pending.begin('e'), Ok(3));
    assert!(Pending::<char, 0>::new().begin('a').is_err());
}

#[test]
fn a_call_of_another_connection_answers_nothing() {
    let [own, other] = [1u128, 2].map(|id| ConnectionId::from_le_bytes(id.to_le_bytes()));
    for (kind, of, answered) in [
        (MessageKind::TransactionUpdate, own, Some(7)),
        (MessageKind::TransactionUpdate, other, None),
        // Which connection it is, is what this one says.
        (MessageKind::IdentityToken, other, Some(7)),
    ] {
        let mut summary = Summary::new();
        for event in [Event::Begin(kind), Event::ConnectionId(of), Event::RequestId(7)] {
            summary.note(&event);
        }
        assert_eq!(summary.answers(Some(own)), answered, "{kind:?}");
        assert_eq!(summary.is_of_another(Some(own)), answered.is_none());
    }
}

/// The error behind `bytes`, which are what a server sends behind the handshake.
fn refused(version: Version, bytes: &[u8]) -> ConnectionError {
    let by_byte = listen(version, bytes, 1, 64).unwrap_err();
    let whole = listen(version, bytes, bytes.len(), 64).unwrap_err();
    assert_eq!(by_byte.kind.to_string(), whole.kind.to_string());
    assert_eq!(by_byte.payload, whole.payload);
    whole
}

#[test]
fn what_a_server_does_wrong_has_a_place_and_a_close_code() {
    let good = b"\x82\x0d\0\x03\x01\x09\0\0\0\x02\0\0\0no";
    let cases: &[(&[u8], Kind, CloseCode)] = &[
        (b"\x82\0", Kind::Empty, CloseCode::INVALID_DATA),
        (b"\x81\x01a", Kind::Text, CloseCode::UNSUPPORTED_DATA),
        (b"\x82\x01\x03", Kind::UnknownCompression { tag: 3 }, CloseCode::INVALID_DATA),
        (
            b"\x82\x05\0\x08abc",
            Kind::Message(onewrite::bsatn::StreamError {
                at: 0,
                kind: StreamErrorKind::Decode(DecodeErrorKind::UnknownDiscriminant {
                    name: "v2 ServerMessage",
                    value: 8,
                }),
            }),
            CloseCode::INVALID_DATA,
        ),
        (
            b"\x82\x03\0\x03\x01",
            Kind::Message(onewrite::bsatn::StreamError {
                at: 2,
                kind: StreamErrorKind::Decode(DecodeErrorKind::EndOfInput {
                    needed: 4,
                    available: 0,
                }),
            }),
            CloseCode::INVALID_DATA,
        ),
        (
            b"\x82\x01\0",
            Kind::Message(onewrite::bsatn::StreamError {
                at: 0,
                kind: StreamErrorKind::Decode(DecodeErrorKind::EndOfInput {
                    needed: 1,
                    available: 0,
                }),
            }),
            CloseCode::INVALID_DATA,
        ),
        (
            b"\x82\x80aaaa",
            Kind::Frame(websocket::Error { at: 15, kind: websocket::ErrorKind::MaskUnexpected }),
            CloseCode::PROTOCOL_ERROR,
        ),
        (
            b"\x88\x02\x03\xed",
            Kind::Frame(websocket::Error {
                at: 15,
                kind: websocket::ErrorKind::BadCloseCode { code: 1005 },
            }),
            CloseCode::PROTOCOL_ERROR,
        ),
        (
            b"\x82\x03\x02\x1f\x8b",
            Kind::Inflate(onewrite::compression::DecompressError {
                at: 3,
                kind: DecompressErrorKind::EndOfInput,
            }),
            CloseCode::INVALID_DATA,
        ),
    ];
    for (bad, kind, code) in cases {
        // Behind a good payload, so that places count from where they should.
        let error = refused(Version::V2, &[good, *bad].concat());
        assert_eq!(error, ConnectionError { payload: 1, kind: *kind });
        assert_eq!(error.close_code(), *code, "{error}");
        assert!(!error.is_resumable());
    }
}

#[test]
fn an_error_stays_and_nothing_more_is_read() {
    let mut bytes = *b"\x82\x01\x07\x82\x0d\0\x03\x01\x09\0\0\0\x02\0\0\0no";
    let mut connection = Connection::<64>::new(Version::V2, Limits::NONE);
    let error = connection.feed(&mut bytes).next().unwrap_err();
    assert_eq!(error.kind, Kind::UnknownCompression { tag: 7 });
    let mut more = *b"\x89\0";
    assert_eq!(connection.feed(&mut more).next(), Err(error));
    assert!(!connection.is_between());
}

#[test]
fn limits_hold_before_a_byte_of_the_payload() {
    let limits = Limits { frame: 10, message: 12 };
    let mut connection = Connection::<64>::new(Version::V2, limits);
    let mut header = *b"\x82\x0b";
    let error = connection.feed(&mut header).next().unwrap_err();
    let kind = websocket::ErrorKind::FrameTooLarge { len: 11, limit: 10 };
    assert_eq!(error.kind, Kind::Frame(websocket::Error { at: 0, kind }));
    assert_eq!(error.close_code(), CloseCode::TOO_LARGE);
}

#[test]
fn room_that_is_too_short_is_named_and_can_be_lent() {
    let session = sessions().into_iter().find(|session| session.name == "v2-gzip").unwrap();
    let payload = payloads(&session).find(|payload| payload[0] == 2).unwrap();
    let (expected, _) = whole(Version::V2, payload);
    let mut bytes = frames(payload, 4_096);
    let (mut small, mut room) = ([0; 10], vec![0; payload.len()]);
    let (mut short, mut body) = ([0; 100], vec![0; 8_192]);
    let mut connection = Connection::<512>::new(Version::V2, Limits::NONE);
    let mut listener = Listener::default();
    // Three bytes first, which are held when more memory comes.
    connection.lend_payload(&mut small).unwrap();
    let (front, behind) = bytes.split_at_mut(4 + 3);
    assert_eq!(connection.feed(front).next(), Ok(None));
    let mut feed = connection.feed(behind);
    let needed = Kind::NeedsPayloadRoom { at_least: payload.len() };
    let error = feed.next().unwrap_err();
    assert_eq!((error.kind, error.is_resumable()), (needed, true));
    assert_eq!(error.close_code(), CloseCode::TOO_LARGE);
    assert_eq!(feed.next().unwrap_err().kind, needed);
    let mut two = [0; 2];
    assert_eq!(feed.connection().lend_payload(&mut two).unwrap_err().len(), 2);
    assert_eq!(feed.connection().lend_payload(&mut room).unwrap().len(), 10);
    let error = feed.next().unwrap_err();
    assert!(matches!(error.kind, Kind::NeedsBodyRoom { at_least } if at_least > 0));
    assert!(error.is_resumable());
    assert!(feed.connection().lend_body(&mut short).unwrap().is_empty());
    let error = feed.next().unwrap_err();
    assert!(matches!(error.kind, Kind::NeedsBodyRoom { at_least } if at_least > 100));
    assert_eq!(feed.connection().lend_body(&mut body).unwrap().len(), 100);
    let mut third = [0; 9];
    while let Some(incoming) = feed.next().unwrap() {
        match incoming {
            Incoming::Part(event) => listener.part(&event),
            Incoming::EndOfPayload => listener.heard.payloads += 1,
            other => panic!("{other:?}"),
        }
        if listener.heard.events.len() == 1 {
            // Not while it is read.
            assert!(feed.connection().lend_body(&mut third).is_err());
            break;
        }
    }
    while let Some(incoming) = feed.next().unwrap() {
        match incoming {
            Incoming::Part(event) => listener.part(&event),
            Incoming::EndOfPayload => listener.heard.payloads += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(listener.heard, expected);
}

#[test]
fn ten_thousand_rows_pass_through_a_buffer_of_4096_bytes() {
    // A transaction with 10,000 rows that differ in length: their offsets are lent room for.
    let mut body = b"\0\x04\x01\0\0\0\x01\0\0\0\x01\0\0\0\x04\0\0\0note\x01\0\0\0\0".to_vec();
    let (mut offsets, mut data) = (Vec::new(), Vec::new());
    for id in 0..10_000_u32 {
        offsets.extend((data.len() as u64).to_le_bytes());
        data.extend(id.to_le_bytes());
        data.extend(vec![b'x'; (id % 7) as usize]);
    }
    body.push(1);
    body.extend(10_000_u32.to_le_bytes());
    body.extend(offsets);
    body.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
    body.extend(data);
    body.extend(b"\x01\0\0\0\0\0\0\0\0");
    let mut bytes = frames(&body, 4_096);
    let mut room = vec![0; 10_000];
    let mut connection = Connection::<512>::new(Version::V3, Limits::NONE);
    let size = size_of_val(&connection);
    assert!(size <= 1_360, "{size} bytes");
    connection.stream().lend(&mut room);
    let mut next = 0_u32;
    for piece in bytes.chunks_mut(4_096) {
        let mut feed = connection.feed(piece);
        while let Some(incoming) = feed.next().unwrap() {
            if let Incoming::Part(Event::Rows(rows)) = incoming {
                for row in rows.rows() {
                    assert_eq!(u32::from_le_bytes(*row.first_chunk().unwrap()), next);
                    assert_eq!(row.len(), 4 + (next % 7) as usize);
                    next += 1;
                }
            }
        }
    }
    assert_eq!((next, connection.payloads()), (10_000, 1));
}

#[test]
fn rows_without_room_for_their_offsets_wait_for_it() {
    let list = b"\x01\x02\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x03\0\0\0abc";
    let head = b"\0\x01\x07\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\0\0t";
    let payload = [head.as_slice(), list].concat();
    let mut bytes = frames(&payload, 4_096);
    let mut room = [0; 2];
    let mut connection = Connection::<64>::new(Version::V2, Limits::NONE);
    let mut rows = Vec::new();
    let mut feed = connection.feed(&mut bytes);
    let error = loop {
        match feed.next() {
            Ok(Some(_)) => {}
            Ok(None) => panic!("it has no room"),
            Err(error) => break error,
        }
    };
    let Kind::Message(inner) = error.kind else { panic!("{error}") };
    assert_eq!(inner.kind, StreamErrorKind::NeedsOffsets { rows: 2 });
    assert!(error.is_resumable());
    assert_eq!(error.close_code(), CloseCode::TOO_LARGE);
    feed.connection().stream().lend(&mut room);
    while let Some(incoming) = feed.next().unwrap() {
        if let Incoming::Part(Event::Rows(list)) = incoming {
            rows.extend(list.rows().map(<[u8]>::to_vec));
        }
    }
    assert_eq!(rows, [b"a".to_vec(), b"bc".to_vec()]);
}

#[test]
fn effects_of_rows_are_those_of_their_message() {
    let mut summary = Summary::new();
    assert_eq!(summary.effect(Change::Matches), Effect::Seen);
    for (kind, matches) in [
        (MessageKind::SubscribeApplied, Effect::Added),
        (MessageKind::UnsubscribeApplied, Effect::Removed),
        (MessageKind::OneOffQueryResult, Effect::Seen),
        (MessageKind::OneOffQueryResponse, Effect::Seen),
        (MessageKind::TransactionUpdate, Effect::Seen),
    ] {
        summary.note(&Event::Begin(kind));
        assert_eq!(summary.effect(Change::Matches), matches, "{kind:?}");
        assert_eq!(summary.effect(Change::Inserts), Effect::Added);
        assert_eq!(summary.effect(Change::Deletes), Effect::Removed);
        assert_eq!(summary.effect(Change::Events), Effect::Event);
    }
    // What one message has said is not said by the next.
    summary.note(&Event::RequestId(7));
    summary.note(&Event::Outcome(Outcome::Failed));
    summary.note(&Event::QuerySetId(9));
    assert_eq!((summary.answers(None), summary.query_set_id()), (Some(7), Some(9)));
    summary.note(&Event::Begin(MessageKind::ReducerResult));
    assert_eq!((summary.answers(None), summary.outcome()), (None, None));
    assert_eq!((summary.query_set_id(), summary.request_id()), (None, None));
}

#[test]
fn requests_of_typed_arguments_are_written_in_every_version() {
    let queries = ["SELECT * FROM lamp"];
    let subscribe: Request<'_> =
        Request::Subscribe { query_set_id: 3, queries: Queries::new(&queries) };
    let mut out = [0; 64];
    let len = subscribe.write_into(Version::V1, 7, &mut out).unwrap();
    let v1 = b"\x04\x01\0\0\0\x12\0\0\0SELECT * FROM lamp\x07\0\0\0\x03\0\0\0";
    assert_eq!(out[..len], *v1);
    let call = Request::CallReducer { reducer: "say", args: Arguments((7_u32, "hi")) };
    for version in VERSIONS {
        let len = call.write_into(version, 5, &mut out).unwrap();
        assert_eq!(len, call.encoded_len(version));
        assert!(call.write_into(version, 5, &mut out[..len - 1]).is_err());
    }
}
