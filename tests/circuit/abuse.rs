//! What nobody should send. Each ends its own connection, is counted, and does nothing to another one.

use hex_literal::hex;
use onewrite::circuit::hub::{Call, Message};
use onewrite::circuit::{BatchStore, Next, NoStore, Options, Refusal, Store};
use onewrite::error::DecodeErrorKind;
use onewrite::websocket::{Data, ErrorKind, Header, Opcode};

use super::numbers::Random;
use super::rig::{
    Browser, Counting, START, connection, dispatch, encoded, feed, feed_in, server, started,
};

/// A frame that no sender would make.
fn frame(opcode: Opcode, last: bool, len: u64, key: Option<[u8; 4]>, payload: &[u8]) -> Vec<u8> {
    let header = Header { last, opcode, len, key }.to_bytes();
    let key = key.unwrap_or_default();
    let masked = payload.iter().zip(key.iter().cycle());
    [header.as_slice().to_vec(), masked.map(|(byte, key)| byte ^ key).collect()].concat()
}

/// Sends it behind a handshake, and behind a start if that is wanted.
fn sent(after_start: bool, bytes: &[u8]) -> (Vec<String>, Refusal, Counting<NoStore>) {
    let mut server = server::<NoStore>(2, Options::DEFAULT);
    let (mut other, mut bystander, _) = started(&mut server);
    let (mut conn, mut browser) = (connection(), Browser::new());
    let handshake = browser.handshake();
    let begin = if after_start { [handshake, browser.start()].concat() } else { handshake };
    let (out, next) = feed(&mut conn, &mut server, &begin);
    assert_eq!(next, Next::Read);
    browser.lines(out);
    let (out, next) = feed(&mut conn, &mut server, bytes);
    assert_eq!(next, Next::Close, "{:?}", browser.lines(out));
    let lines = browser.lines(out);
    conn.detach(&mut server, 0);
    let refusal = conn.refusal().unwrap();
    assert_eq!(server.counters().refused(refusal.kind()), 1);
    assert_eq!(server.counters().refused_in_all(), 1);
    let click = bystander.click(1);
    let (out, next) = feed(&mut other, &mut server, &click);
    assert_eq!(next, Next::Read);
    assert_eq!(bystander.lines(out), ["end 1 true null", "batch 3"]);
    assert_eq!(server.circuits(), (1, 1));
    (lines, refusal, server)
}

fn websocket(bytes: &[u8]) -> ErrorKind {
    let (lines, refusal, _) = sent(true, bytes);
    let Refusal::WebSocket(error) = refusal else { panic!("{refusal:?}") };
    assert_eq!(lines, [format!("closed Some({})", error.kind.close_code())]);
    error.kind
}

#[test]
fn frames_are_refused_before_anything_in_them_is_read() {
    let key = Some([1, 2, 3, 4]);
    assert_eq!(
        websocket(&frame(Opcode::Binary, true, 3, None, b"\x02\x91\x06")),
        ErrorKind::MaskMissing
    );
    let mut reserved = frame(Opcode::Binary, true, 3, key, b"\x02\x91\x06");
    reserved[0] |= 0x40;
    assert_eq!(websocket(&reserved), ErrorKind::ReservedBits);
    let long = frame(Opcode::Ping, true, 126, key, &[b'x'; 126]);
    assert_eq!(websocket(&long), ErrorKind::ControlTooLong);
    let cut = frame(Opcode::Ping, false, 1, key, b"x");
    assert_eq!(websocket(&cut), ErrorKind::ControlFragmented);
    // Only headers: nothing of what they announce has come.
    let huge = frame(Opcode::Binary, true, 1 << 40, key, b"");
    assert_eq!(websocket(&huge), ErrorKind::FrameTooLarge { len: 1 << 40, limit: 2048 });
    let more = frame(Opcode::Binary, true, 2049, key, b"");
    assert_eq!(websocket(&more), ErrorKind::FrameTooLarge { len: 2049, limit: 2048 });
    let half = frame(Opcode::Binary, false, 2000, key, &[0; 2000]);
    let rest = frame(Opcode::Continuation, true, 49, key, b"");
    let kind = websocket(&[half, rest].concat());
    assert_eq!(kind, ErrorKind::MessageTooLarge { len: 2049, limit: 2048 });
    let text = frame(Opcode::Text, true, 1, key, b"\xff");
    assert_eq!(websocket(&text), ErrorKind::InvalidUtf8);
    assert_eq!(websocket(&[0x83, 0x80, 0, 0, 0, 0]), ErrorKind::BadOpcode { opcode: 3 });
}

/// A text that lies whole in the input is refused for what it would be refused for in pieces.
#[test]
fn half_a_character_is_no_text_however_it_comes() {
    let text = frame(Opcode::Text, true, 3, Some([1, 2, 3, 4]), b"a \xe2");
    assert_eq!(websocket(&text), ErrorKind::InvalidUtf8);
    for cut in 0..text.len() {
        let mut server = server::<NoStore>(1, Options::DEFAULT);
        let (mut conn, ..) = started(&mut server);
        feed(&mut conn, &mut server, &text[..cut]);
        feed(&mut conn, &mut server, &text[cut..]);
        let Some(Refusal::WebSocket(error)) = conn.refusal() else { panic!("{cut}") };
        assert_eq!(error.kind, ErrorKind::InvalidUtf8);
    }
}

#[test]
fn handshakes_of_other_protocols_are_answered_and_refused() {
    for (text, kind) in [
        ("{\"protocol\":\"json\",\"version\":1}\x1e", "Protocol"),
        ("{\"protocol\":\"blazorpack\",\"version\":1}", "NotClosed"),
        ("GET / HTTP/1.1", "NotClosed"),
        ("{{{{{{{{\x1e", "NotJson"),
    ] {
        let mut server = server::<NoStore>(1, Options::DEFAULT);
        let (mut conn, mut browser) = (connection(), Browser::new());
        let bytes = browser.frame(Data::Text(text));
        let (out, next) = feed(&mut conn, &mut server, &bytes);
        let refused = "{\"error\":\"only blazorpack, version 1, is spoken here\"}";
        assert_eq!(browser.lines(out), [refused, "closed Some(1008)"]);
        assert_eq!(next, Next::Close);
        let Some(Refusal::Handshake(error)) = conn.refusal() else { panic!() };
        assert_eq!(format!("{error:?}"), kind);
    }
}

#[test]
fn hub_messages_are_refused_with_their_offset() {
    let mut browser = Browser::new();
    let mut hub = |payload: &[u8]| {
        let (lines, refusal, _) = sent(true, &browser.binary(payload));
        assert_eq!(lines, ["closed Some(1008)"]);
        let Refusal::Hub(error) = refusal else { panic!("{refusal:?}") };
        (error.at, error.kind)
    };
    let end = |needed, available| DecodeErrorKind::EndOfInput { needed, available };
    assert_eq!(hub(&hex!("7f 9106")), (1, end(127, 2)));
    assert_eq!(hub(&hex!("ffffffff07")), (5, end(0x7fff_ffff, 0)));
    assert_eq!(hub(&hex!("ffffffff0f")).1, DecodeErrorKind::VarintTooLong);
    assert_eq!(hub(&hex!("03 9106 00")), (3, DecodeErrorKind::TrailingBytes { extra: 1 }));
    // Behind one that is right.
    assert_eq!(hub(&hex!("02 9106 03 9106 00")), (6, DecodeErrorKind::TrailingBytes { extra: 1 }));
    assert_eq!(hub(&hex!("00")), (1, end(1, 0)));
    let deep = [&hex!("64")[..], &[0x91; 100]].concat();
    assert!(matches!(hub(&deep), (2, DecodeErrorKind::UnknownDiscriminant { .. })));
    let deep = [&hex!("6f 95 01 80 c0 a3 466f6f")[..], &[0x91; 103]].concat();
    assert!(matches!(hub(&deep).1, DecodeErrorKind::DepthLimit { .. }));
    assert!(matches!(
        hub(&hex!("08 95 01 80 c0 a1 41 dd ff")).1,
        DecodeErrorKind::EndOfInput { .. }
    ));
    assert!(matches!(hub(&hex!("01 c1")).1, DecodeErrorKind::UnknownDiscriminant { .. }));
}

#[test]
fn calls_out_of_turn_are_refused() {
    let mut browser = Browser::new();
    let no_circuit = ["error There is no circuit.", "closed Some(1008)"];
    for call in [
        Call::OnRenderCompleted { batch: 2, error: None },
        dispatch("1", "[]"),
        Call::PauseCircuit,
        Call::OnLocationChanged { uri: "http://pi.local/", state: None, intercepted: false },
        Call::Other { target: "Foo", arguments: &[0x90] },
    ] {
        let (lines, refusal, _) = sent(false, &browser.call(call));
        assert_eq!(
            (lines.as_slice(), refusal),
            (&no_circuit.map(String::from)[..], Refusal::NotStarted)
        );
    }
    for call in [START, Call::ConnectCircuit { secret: "x" }] {
        let (lines, refusal, _) = sent(true, &browser.ask("1", call));
        assert_eq!((lines, refusal), (vec!["closed Some(1008)".into()], Refusal::StartedTwice));
    }
    for batch in [3, 99, u64::from(u32::MAX) + 3, u64::MAX] {
        let (lines, refusal, _) = sent(true, &browser.acknowledge(batch));
        assert_eq!((lines, refusal), (vec!["closed Some(1008)".into()], Refusal::FutureBatch));
    }
    let (_, refusal, _) = sent(true, &browser.frame(Data::Text("hello")));
    assert_eq!(refusal, Refusal::Text);
    let unknown =
        r#"[{"eventHandlerId":7,"eventName":"click","eventFieldInfo":null},{"detail":1}]"#;
    let (_, refusal, _) = sent(true, &browser.call(dispatch("1", unknown)));
    assert_eq!(refusal, Refusal::UnknownEvent);
    for json in ["", "[]", "[{}]", "[{},{}]", "{}", "[{\"eventHandlerId\":1}", "nope"] {
        let (_, refusal, _) = sent(true, &browser.call(dispatch("1", json)));
        assert!(matches!(refusal, Refusal::Json(_)), "{json}: {refusal:?}");
    }
}

#[test]
fn starts_are_refused_before_they_are_answered() {
    let mut browser = Browser::new();
    let Call::StartCircuit { base_uri, uri, components, state } = START else { panic!() };
    let forged = r#"[{"type":"server","sequence":0,"descriptor":"evil"}]"#;
    let nine = format!("[{}]", [&components[1..components.len() - 1]; 9].join(","));
    for (base_uri, uri, components, expected) in [
        ("http://evil.example/", "http://evil.example/", "[]", Refusal::BadAddress),
        ("http://pi.local.evil.example/", uri, "[]", Refusal::BadAddress),
        (base_uri, "http://evil.example/", "[]", Refusal::BadAddress),
        ("", "", "[]", Refusal::BadAddress),
        (base_uri, uri, forged, Refusal::BadRoot),
        (base_uri, uri, nine.as_str(), Refusal::BadRoot),
    ] {
        let call = Call::StartCircuit { base_uri, uri, components, state };
        let (lines, refusal, server) = sent(false, &browser.ask("0", call));
        assert_eq!(refusal, expected);
        assert!(lines[0].starts_with("error") && lines[1].starts_with("closed"), "{lines:?}");
        assert_eq!(server.counters().started, 1, "the bystander's");
        let closes = server.handler().log.iter().filter(|line| *line == "closed 0 Error").count();
        assert_eq!(closes, usize::from(expected == Refusal::BadRoot), "a page that was opened");
    }
    for components in ["", "{}", "[{}]", "[1]", "[{\"type\":\"webassembly\"}]"] {
        let call = Call::StartCircuit { base_uri, uri, components, state };
        let (_, refusal, _) = sent(false, &browser.ask("0", call));
        assert!(matches!(refusal, Refusal::Json(_)), "{components}");
    }
    for (random, opens, expected) in
        [(None, true, Refusal::NoSecret), (Some(1), false, Refusal::NotOpened)]
    {
        let mut server = server::<NoStore>(1, Options::DEFAULT);
        (server.handler_mut().random, server.handler_mut().opens) = (random, opens);
        let (mut conn, mut browser) = (connection(), Browser::new());
        let bytes = [browser.handshake(), browser.start()].concat();
        let (out, next) = feed(&mut conn, &mut server, &bytes);
        let lines = browser.lines(out);
        assert_eq!(lines[1..], ["error The server cannot show the page.", "closed Some(1011)"]);
        assert_eq!(
            (conn.refusal(), next, server.circuits()),
            (Some(expected), Next::Close, (0, 0))
        );
    }
}

#[test]
fn pages_that_went_wrong_are_over() {
    let mut browser = Browser::new();
    let call = Call::OnRenderCompleted { batch: 2, error: Some("TypeError") };
    let (lines, refusal, server) = sent(true, &browser.call(call));
    assert_eq!(lines, ["error The page could not be changed.", "closed Some(1008)"]);
    assert_eq!(refusal, Refusal::RenderFailed);
    assert!(server.handler().log.contains(&"closed 0 Error".into()));
    // A batch that cannot be.
    let mut server = super::rig::server::<BatchStore<4, 4096>>(1, Options::DEFAULT);
    let (mut conn, mut browser, _) = started(&mut server);
    server.handler_mut().damage = true;
    let click = browser.click(1);
    let (out, next) = feed(&mut conn, &mut server, &click);
    let lines = browser.lines(out);
    assert_eq!(lines[1..], ["error The page could not be changed.", "closed Some(1011)"]);
    assert!(matches!(conn.refusal(), Some(Refusal::BadBatch(_))) && next == Next::Close);
    assert_eq!(server.circuits(), (0, 0));
}

/// As many answers as a message of that length can ask for, with hardly any room.
#[test]
fn a_message_full_of_questions_is_answered_in_bounded_memory() {
    let ask = encoded(&Message::Invocation { id: Some("3"), call: Call::PauseCircuit });
    let mut payload = ask.repeat(2048 / ask.len());
    payload.extend([0x02, 0x91, 0x06].repeat((2048 - payload.len()) / 3));
    let mut server = server::<NoStore>(1, Options::DEFAULT);
    let (mut conn, mut browser, _) = started(&mut server);
    let bytes = browser.binary(&payload);
    let (out, next) = feed_in(&mut conn, &mut server, &bytes, 0);
    assert_eq!(next, Next::Read);
    assert_eq!(browser.lines(out).len(), 2048 / ask.len());
}

/// What is wrong in a message lies where it lies, however often the answers before it had to wait for room.
#[test]
fn offsets_do_not_depend_on_the_room_for_answers() {
    let ask = encoded(&Message::Invocation { id: Some("3"), call: Call::PauseCircuit });
    let payload = [ask.repeat(20), b"\x01\xc1".to_vec()].concat();
    let bytes = Browser::new().binary(&payload);
    for (room, size) in [(1 << 16, bytes.len()), (0, bytes.len()), (0, 7), (300, 50)] {
        let mut server = server::<NoStore>(1, Options::DEFAULT);
        let (mut conn, ..) = started(&mut server);
        bytes.chunks(size).for_each(|piece| drop(feed_in(&mut conn, &mut server, piece, room)));
        let Some(Refusal::Hub(error)) = conn.refusal() else { panic!("{room} {size}") };
        assert_eq!(error.at, payload.len() - 1, "{room} {size}");
    }
}

/// Streams of a real conversation, damaged at random, cut at random, into sinks of random room.
#[test]
fn damaged_conversations_end_or_go_on_and_harm_nobody() {
    fn run<St: Store + 'static>(seed: u64, ends: &mut [usize; 3]) {
        let mut random = Random(seed);
        let mut server = server::<St>(3, Options { unacknowledged: 3, ..Options::DEFAULT });
        let (mut other, mut bystander, _) = started(&mut server);
        let mut browser = Browser::new();
        let mut messages = vec![browser.handshake(), browser.start()];
        for _ in 0..8 {
            messages.push(match random.below(8) {
                0 => browser.acknowledge(2),
                1..=3 => browser.click(1),
                4 => browser.message(&Message::Ping),
                5 => browser.message(&Message::CancelInvocation { id: "1" }),
                6 => browser.ask("2", Call::PauseCircuit),
                _ => browser.call(Call::EndInvokeJsFromDotNet { handle: 1, ok: true, result: "" }),
            });
        }
        let mut bytes = messages.concat();
        // Masks are the same all through, so what is changed in a frame is changed in the message.
        for _ in 0..random.below(4) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] ^= 1 << (random.below(8)),
                1 => bytes[at] = random.next().to_le_bytes()[3],
                2 => drop(bytes.drain(at..(at + random.below(9)).min(bytes.len()))),
                _ => drop(bytes.splice(at..at, vec![7; random.below(9)])),
            }
        }
        let mut conn = connection();
        let mut rest = bytes.as_slice();
        let end = loop {
            let cut = random.below(700).min(rest.len());
            let (piece, later) = rest.split_at(cut);
            let (out, next) = feed_in(&mut conn, &mut server, piece, random.below(900));
            assert!(out.len() < 10_000, "{}", out.len());
            browser.hear(out);
            rest = later;
            if next == Next::Close || rest.is_empty() {
                break next;
            }
        };
        let refused = conn.refusal().is_some();
        assert!(!refused || end == Next::Close);
        assert_eq!(server.counters().refused_in_all(), u64::from(refused));
        ends[if refused { 0 } else { usize::from(end == Next::Close) + 1 }] += 1;
        conn.detach(&mut server, 0);
        let counters = *server.counters();
        assert_eq!(counters.started - counters.closed, server.circuits().0 as u64);
        let click = bystander.click(1);
        let (out, next) = feed(&mut other, &mut server, &click);
        assert_eq!(next, Next::Read);
        assert_eq!(bystander.lines(out), ["end 1 true null", "batch 3"]);
    }
    let mut ends = [0; 3];
    for seed in 1..=1_500 {
        run::<NoStore>(seed, &mut ends);
        run::<BatchStore<3, 1024>>(seed << 20, &mut ends);
    }
    println!("refused, ran on, closed: {ends:?}");
    assert!(ends[0] > 500 && ends[1] > 500, "{ends:?}");
}
