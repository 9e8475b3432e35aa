//! Inputs to begin with: the vectors of `tests/data`, in the form that each target takes.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use onewrite::bsatn::{Encode, RowListWriter};
use onewrite::circuit::hub::{Call, HANDSHAKE, Message, Outcome};
use onewrite::spacetimedb::Payload;
use serde::Deserialize as _;
use serde_json::Value as Json;

use crate::circuit::{ENDS, frame};
use crate::{Numbers, transactions, vectors};

/// Seeds longer than this are left out: one of them takes as long as many short ones.
const LONGEST: usize = 1 << 14;

/// The seeds of `target`.
///
/// # Panics
///
/// Where `tests/data` is not what it was.
#[must_use]
pub fn of(target: &str) -> Vec<Vec<u8>> {
    let mut seeds = match target {
        "brotli" => brotli(),
        "bsatn" => bsatn(),
        "capi" => capi(),
        "circuit" => circuit(),
        "connection" => connections(),
        "gzip" => gzip(),
        "handshake" => HANDSHAKES.map(|text| text.as_bytes().to_vec()).into(),
        "hpack" => http2().iter().map(|input| blocks(input)).collect(),
        "http1" => http1(),
        "http2" => http2(),
        "hub" => hub().into_iter().map(|(_, bytes)| bytes).chain(calls()).collect(),
        "json" => json(),
        "message" => bodies(),
        "page" => pages(),
        "render_batch" => render_batch(),
        "row_list" => row_list(),
        "websocket" => websocket(),
        _ => Vec::new(),
    };
    seeds.retain(|seed| seed.len() <= LONGEST);
    seeds.sort();
    seeds.dedup();
    assert!(!seeds.is_empty(), "no seeds for {target}");
    seeds
}

fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data").join(path)
}

fn read(path: &str) -> Json {
    let text = fs::read_to_string(data(path)).expect(path);
    // Types that contain each other go down deep.
    let mut from = serde_json::Deserializer::from_str(&text);
    from.disable_recursion_limit();
    Json::deserialize(&mut from).expect(path)
}

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(data(folder)).expect(folder);
    entries.map(|entry| entry.expect(folder).path()).filter(|path| path.is_file()).collect()
}

fn hex(value: &Json) -> Vec<u8> {
    let text = value.as_str().unwrap_or_default();
    let pair = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("two digits");
    (0..text.len()).step_by(2).map(pair).collect()
}

const HEADS: [&str; 14] = [
    "GET / HTTP/1.1\r\nhost: a\r\n\r\n",
    "GET /data HTTP/1.1\r\nHost: 127.0.0.1:80\r\nUser-Agent: abcdefghijklm\r\nAccept: */*\r\n\r\n",
    "HEAD /data HTTP/1.1\r\nAccept: a\r\nHost: a.b:1\r\nIf-None-Match: \"v1\", W/\"x\"\r\n\r\n",
    "POST /data HTTP/1.1\r\nhost: a\r\ncontent-length: 12\r\n\r\nHello World!",
    "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\nexpect: 100-continue\r\n\r\n\
     5;x=\"y\"\r\nhello\r\n00b\r\nhello world\r\n0\r\ntrailer: x\r\n\r\n",
    "GET http://a.b/count?x HTTP/1.1\r\nHost: [::1]:80\r\nConnection: keep-alive\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nhost: a\r\nx:\t~ \r\n\r\n",
    "GET /sensor HTTP/1.1\r\nhost: a\r\n\r\nGET /written HTTP/1.1\r\nhost: a\r\n\r\n",
    "\r\nGET /nope HTTP/1.1\r\nhost: a\r\nuser-agent: x\r\n\r\n",
    "GET /large HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
    "BREW / HTTP/1.1\r\nhost: a\r\n\r\n",
    "GET / HTTP/1.0\r\n\r\n",
    "GET /empty HTTP/1.1\r\nhost: a\r\n\r\nDELETE /fail HTTP/1.1\r\nhost: a\r\n\r\n",
    "CONNECT a.b:80 HTTP/1.1\r\nhost: a.b:80\r\nte: x\r\nupgrade: h2c\r\nrange: bytes=0-1\r\n\r\n",
];

fn http1() -> Vec<Vec<u8>> {
    let mut seeds: Vec<_> = HEADS.iter().map(|head| head.as_bytes().to_vec()).collect();
    seeds.extend(HEADS.windows(3).map(|heads| heads.concat().into_bytes()));
    seeds
}

fn http2() -> Vec<Vec<u8>> {
    let texts = ["http/h2/h2spec.txt", "http/h2/rules.txt"];
    let texts = texts.map(|path| fs::read_to_string(data(path)).expect(path));
    texts.iter().flat_map(|text| vectors::read(text)).map(|vector| vector.input).collect()
}

/// The header blocks in what a client sends, each behind its length.
fn blocks(input: &[u8]) -> Vec<u8> {
    let mut rest = input.get(24..).unwrap_or_default();
    let mut blocks = Vec::new();
    while let Some(([a, b, c, kind, flags, ..], behind)) = rest.split_first_chunk::<9>() {
        let len = u32::from_be_bytes([0, *a, *b, *c]) as usize;
        let Some((block, behind)) = behind.split_at_checked(len) else { break };
        if *kind == 1
            && flags & 0x28 == 0
            && let Ok(len) = u8::try_from(len)
        {
            blocks.push(len);
            blocks.extend(block);
        }
        rest = behind;
    }
    blocks
}

const HANDSHAKES: [&str; 11] = [
    "GET /chat HTTP/1.1\r\nhost: server.example.com\r\nupgrade: websocket\r\n\
     connection: keep-alive, Upgrade\r\nsec-websocket-version: 13\r\n\
     sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
     sec-websocket-protocol: x, chat, superchat\r\norigin: http://pi.local\r\n\r\n",
    "GET /_blazor?id=1 HTTP/1.1\r\nHost: pi\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
     Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\x02",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
     Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: chat\r\n\r\n",
    "HTTP/1.1 101 \r\nUpgrade: WebSocket\r\nConnection: a, upgrade\r\n\
     Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Extensions: x\r\n\r\n",
    "HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n",
    "pi.local\n/chat?x\nhttp://pi.local\nv1\nauthorization:Bearer x\nx:",
    "pi.local\n/chat",
    "pi.local\n/chat\na b\nchat",
    "pi.local\n/chat\n\na/b",
    "pi.local\n/chat\n\n\nx y:z",
    "p i\nchat",
];

fn websocket() -> Vec<Vec<u8>> {
    let long = [b'x'; 300];
    let text = "a\u{e4}\u{20ac}\u{1f600}".as_bytes();
    let frames: [(u8, &[u8]); 14] = [
        (0x81, text),
        (0x01, &text[..2]),
        (0x89, b"ping"),
        (0x00, &text[2..5]),
        (0x80, &text[5..]),
        (0x82, &long),
        (0x02, b""),
        (0x80, b"end"),
        (0x8a, b""),
        (0x88, b"\x03\xe8bye"),
        (0x88, b""),
        (0x88, b"\x03\xee"),
        (0x83, b""),
        (0xc1, b"x"),
    ];
    let mut seeds = Vec::new();
    for masked in [true, false] {
        let mut all = Vec::new();
        for (first, payload) in frames {
            let mut frame = frame(first, payload);
            if !masked {
                let head = frame.len() - payload.len();
                frame[1] &= 0x7f;
                frame.drain(head - 4..head);
            }
            all.extend_from_slice(&frame);
            seeds.push(frame);
        }
        seeds.push(all);
    }
    seeds.push(b"\x82\xff\0\0\0\0\0\0\x01\0\0\0\0\0".to_vec());
    seeds
}

/// Whether a browser sent it, and a WebSocket message.
fn hub() -> Vec<(bool, Vec<u8>)> {
    let file = read("circuit/vectors.json");
    let messages = file["messages"].as_array().expect("messages");
    messages.iter().map(|message| (message["from"] == "client", hex(&message["hex"]))).collect()
}

/// Every call of a browser's, with what the circuit of `circuit` expects.
fn calls() -> Vec<Vec<u8>> {
    let secret = crate::circuit::secret();
    let secret = secret.as_str();
    let (base_uri, uri) = ("http://pi.local/", "http://pi.local/counter");
    let components = r#"[{"type":"server","sequence":0,"descriptor":"CfDJ8-demo","uniqueId":0}]"#;
    let operations = r#"{"batchId":1,"operations":[{"type":"add","ssrComponentId":1,"marker":{"type":"server","prerenderId":"x","key":{"locationHash":"a","formattedComponentKey":"b"},"sequence":0,"descriptor":"CfDJ8-demo","uniqueId":0},"newMarker":null},{"type":"update","ssrComponentId":1,"marker":{"descriptor":"CfDJ8-demo"}},{"type":"remove","ssrComponentId":1}]}"#;
    let gone = operations.replace(
        "\"type\":\"update\",\"ssrComponentId\":1,\"marker\":{\"descriptor\":\"CfDJ8-demo\"}",
        "\"type\":\"update\",\"ssrComponentId\":1,\"marker\":null",
    );
    let list = gone.strip_prefix(r#"{"batchId":1,"operations":"#).expect("that front");
    let list = list.strip_suffix('}').expect("that end");
    // As the release candidates of .NET 8 have it: a text in a list.
    let in_text = |text: &str| serde_json::to_string(&[text]).expect("JSON");
    let (list, all, long) = (in_text(list), in_text(&gone), in_text(&"x".repeat(9000)));
    let (descriptor, arguments) = (
        r#"{"browserRendererId":0,"eventHandlerId":1,"eventArgsType":"mouse","eventName":"click"}"#,
        r#"{"type":"click","detail":1}"#,
    );
    let old = descriptor.replace("\"eventHandlerId\":1", "\"eventHandlerId\":101");
    let input = r#"[{"eventHandlerId":100,"eventName":"input","eventFieldInfo":{"componentId":0,"fieldValue":"x"}},{"value":"caf\u00e9"}]"#;
    let unknown =
        r#"[{"eventHandlerId":101,"eventName":"click","eventFieldInfo":null},{"type":"click"}]"#;
    let method = |method, object, arguments| Call::BeginInvokeDotNetFromJs {
        call: Some("7"),
        assembly: None,
        method,
        object,
        arguments,
    };
    let calls = [
        Call::StartCircuit { base_uri, uri, components, state: None },
        Call::StartCircuit { base_uri, uri, components, state: Some("") },
        Call::UpdateRootComponents { operations, state: "" },
        Call::UpdateRootComponents { operations: &gone, state: "" },
        Call::ConnectCircuit { secret },
        Call::ResumeCircuit { secret, base_uri, uri, components, state: "" },
        Call::PauseCircuit,
        crate::rig::dispatch("1", input),
        crate::rig::dispatch("2", unknown),
        method("DispatchEventAsync", 2, input),
        method("OnLocationChanged", 1, r#"["http://pi.local/a",null,true]"#),
        method("UpdateRootComponents", 1, operations),
        method("UpdateRootComponents", 1, &list),
        method("UpdateRootComponents", 1, &all),
        method("UpdateRootComponents", 1, &long),
        Call::BeginInvokeDotNetFromJs {
            call: None,
            assembly: Some("An.Assembly"),
            method: "Method",
            object: 0,
            arguments: "[]",
        },
        Call::EndInvokeJsFromDotNet { handle: 1, ok: true, result: "[1,true,null]" },
        Call::EndInvokeJsFromDotNet { handle: 2, ok: false, result: "[2,false,\"why\"]" },
        Call::EndInvokeJsFromDotNet { handle: 3, ok: true, result: "[3,true,{\"a\":1}]" },
        Call::DispatchBrowserEvent { descriptor, arguments },
        Call::DispatchBrowserEvent { descriptor: &old, arguments },
        Call::OnRenderCompleted { batch: 2, error: None },
        Call::OnRenderCompleted { batch: 2, error: Some("why") },
        Call::OnRenderCompleted { batch: 3, error: None },
        Call::OnLocationChanged { uri, state: None, intercepted: true },
        Call::OnLocationChanged { uri, state: Some("s"), intercepted: false },
        Call::OnLocationChanging { call: 4, uri, state: None, intercepted: true },
        Call::OnLocationChanging { call: 4, uri, state: Some("s"), intercepted: false },
        Call::ReceiveByteArray { id: 1, data: &[7; 300] },
        Call::ReceiveJsDataChunk { stream: 1, chunk: 2, data: b"abc", error: None },
        Call::ReceiveJsDataChunk { stream: 1, chunk: 2, data: b"", error: Some("why") },
        Call::SendDotNetStreamToJs { stream: 1 << 40 },
        Call::Other { target: "Another", arguments: b"\x92\x01\xa1x" },
    ];
    let call = |(number, call)| match number % 2 {
        0 => Message::Invocation { id: None, call },
        _ => Message::Invocation { id: Some("9"), call },
    };
    let calls = calls.into_iter().enumerate().map(call);
    // What is no call, or is none that a browser makes.
    let others = [
        Message::StreamItem { id: "1", item: b"\x01" },
        Message::Completion { id: "1", outcome: Outcome::Text("x") },
        Message::Completion { id: "2", outcome: Outcome::Other(b"\x93\x01\xc0\xa1x") },
        Message::StreamInvocation { id: "1", call: Call::PauseCircuit },
        Message::CancelInvocation { id: "1" },
        Message::Ping,
        Message::Close { error: Some("why"), reconnect: Some(true) },
        Message::Acknowledge { sequence: 1 },
        Message::Sequence { sequence: 1 << 33 },
    ];
    calls.chain(others).map(|call| crate::rig::encoded(&call)).collect()
}

fn circuit() -> Vec<Vec<u8>> {
    let sent: Vec<_> = hub().into_iter().filter(|(client, _)| *client).map(|(_, b)| b).collect();
    let calls = calls();
    let mut seeds = Vec::new();
    for (index, bytes) in sent.iter().chain(&calls).enumerate() {
        let (keep, end) = (if index % 2 == 0 { 4 } else { 0 }, (index % usize::from(ENDS)) as u8);
        seeds.push([&[3 | keep, end], &bytes[..]].concat());
        seeds.push([&[1 | keep, end], &frame(0x82, bytes)[..]].concat());
        seeds.push([&[3 | keep | 8, end], &bytes[..], bytes].concat());
    }
    for (index, several) in sent.chunks(6).chain(calls.chunks(3)).enumerate() {
        let frames: Vec<_> = several.iter().map(|bytes| frame(0x82, bytes)).collect();
        let start = frame(0x81, HANDSHAKE.as_bytes());
        seeds.push([&[1, 0], &frames.concat()[..]].concat());
        seeds.push([&[4, 0], &start[..], &frames.concat()].concat());
        // Both halves, over two connections.
        for how in [16, 16 | 4 | 8, 16 | 4 | 64] {
            let end = (index % usize::from(ENDS)) as u8;
            seeds.push([&[1 | how, end], &frames.concat()[..], &frames.concat()].concat());
        }
    }
    // Without a circuit, and what is no message of a hub's.
    for call in &calls {
        let start = frame(0x81, HANDSHAKE.as_bytes());
        seeds.push([&[0, 0], &start[..], &frame(0x82, call)].concat());
    }
    seeds.push([&[1, 0], &frame(0x81, b"text")[..]].concat());
    for end in 0..ENDS {
        seeds.extend([0, 1, 5, 8 | 5].map(|how| vec![how, end]));
    }
    seeds.push([&[1, 0], &frame(0x88, b"\x03\xe8")[..]].concat());
    seeds.push([&[5, 0], &frame(0x89, b"ping")[..], &frame(0x02, b"")].concat());
    let click = r#"[{"eventHandlerId":1,"eventName":"click","eventFieldInfo":null},{"detail":1,"screenX":85,"clientX":75.25,"ctrlKey":false,"type":"click"}]"#;
    let call = crate::rig::dispatch("1", click);
    let click = crate::rig::encoded(&Message::Invocation { id: None, call });
    let completed = |batch| {
        let call = Call::OnRenderCompleted { batch, error: None };
        crate::rig::encoded(&Message::Invocation { id: None, call })
    };
    for how in [3, 7, 3 | 16, 7 | 16, 3 | 128, 7 | 16 | 64, 7 | 8 | 16] {
        seeds.push([&[how, 6], &click.repeat(3)[..]].concat());
        let acknowledged = [click.clone(), completed(2), click.clone(), completed(3)].concat();
        seeds.push([&[how, 8], &acknowledged[..]].concat());
        seeds.push([&[how, 0], &click.repeat(8)[..]].concat());
    }
    seeds
}

fn json() -> Vec<Vec<u8>> {
    fn texts(value: &Json, found: &mut Vec<Vec<u8>>) {
        match value {
            Json::String(text) if text.starts_with(['[', '{']) => found.push(text.clone().into()),
            Json::Array(array) => array.iter().for_each(|value| texts(value, found)),
            Json::Object(object) => object.values().for_each(|value| texts(value, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    texts(&read("circuit/vectors.json"), &mut found);
    for text in [
        r#" { "a" : [ ] , "b\u0000\ud83e\udd86\\" : [ true , false , null , -0.5e-7 , "é" ] } "#,
        r#"[[[[[[1],2],3],{"x":{"y":{"z":[]}}}]]]"#,
        r#"{"eventHandlerId":7,"eventName":"keydown"}{"key":"a","code":"KeyA","location":0,"repeat":false}"#,
        r#"[{"eventHandlerId":1,"eventName":"change","eventFieldInfo":{"componentId":2,"fieldValue":"x"}},{"value":"caf\u00e9"}]"#,
    ] {
        found.push(text.into());
    }
    found
}

fn bsatn() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for file in ["spacetimedb/values.json", "spacetimedb/typed.json", "spacetimedb/malformed.json"]
    {
        for (index, case) in read(file).as_array().expect(file).iter().enumerate() {
            seeds.push([&[(index % 8) as u8], &hex(&case["hex"])[..]].concat());
        }
    }
    let mut room = [0; 200];
    let mut add = |which: u8, len: usize, room: &[u8]| {
        seeds.push([&[which], &room[..len]].concat());
    };
    let len = (7u32, 8u64, -9i32, "text").encode_to_slice(&mut room).expect("room");
    add(0, len, &room);
    let len = Some(Ok::<f32, &[u8]>(1.5)).encode_to_slice(&mut room).expect("room");
    add(1, len, &room);
    let len = [(1u32, "a"), (2, "bc")][..].encode_to_slice(&mut room).expect("room");
    add(3, len, &room);
    let rows = [(true, 5i128)];
    let len = [&rows[..], &rows[..0]][..].encode_to_slice(&mut room).expect("room");
    add(2, len, &room);
    add(4, 4, b"\x05\0\0\0");
    let len = (1u8, -2i16, (1.5f64, "x")).encode_to_slice(&mut room).expect("room");
    add(5, len, &room);
    seeds
}

fn row_list() -> Vec<Vec<u8>> {
    let mut room = [0; 500];
    let mut lists = Vec::new();
    let numbers = [[1u32, 2], [3, 4], [5, 6]];
    let texts = [(1u32, "a"), (2, "bcd"), (3, "")];
    for len in 0..=3 {
        let some = RowListWriter::new(&numbers[..len]).encode_to_slice(&mut room).expect("room");
        lists.push(room[..some].to_vec());
        let some = RowListWriter::new(&texts[..len]).encode_to_slice(&mut room).expect("room");
        lists.push(room[..some].to_vec());
    }
    lists
}

/// Protocol and bytes of the messages that servers sent.
fn payloads() -> Vec<(u8, Vec<u8>)> {
    let cases = read("spacetimedb/messages.json");
    let mut found = Vec::new();
    for case in cases.as_array().expect("messages") {
        let (Some(file), true) = (case["file"].as_str(), case["direction"] != "client") else {
            continue;
        };
        let version = match case["protocol"].as_str() {
            Some("v1") => 0,
            Some("v2") => 1,
            _ => 2,
        };
        found.push((version, fs::read(data("spacetimedb").join(file)).expect(file)));
    }
    found
}

fn bodies() -> Vec<Vec<u8>> {
    let mut room = vec![0; 1 << 20];
    let mut seeds = Vec::new();
    for (version, payload) in payloads() {
        let Ok(payload) = Payload::new(&payload) else { continue };
        let Ok(body) = payload.decompress(&mut room) else { continue };
        seeds.push([&[version], body].concat());
    }
    seeds
}

/// Programs for each part of the interface.
fn capi() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for value in bsatn().iter().step_by(9) {
        let all: Vec<u8> = (0..16).map(|call| call | 0x50).collect();
        for calls in [&[5, 13, 14][..], &[0, 11 | 0x30, 12 | 0x10, 15 | 0x20], &all] {
            seeds.push([&[0, calls.len() as u8], calls, &value[1..]].concat());
        }
    }
    seeds.extend(row_list().iter().map(|list| [&[1], &list[..]].concat()));
    let calls: [[u8; 10]; 7] = [
        [0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0, 0, 0, 0, 0, 0],
        [1, 4, 1, 0, 0, 0, 5, 0, 0, 0],
        [4, 1, 1, 3, 0, 0, 0, 4, 0, 0],
        [4, 3, 3, 0, 0, 0, 0, 5, 6, 7],
        [4, 2, 2, 0, 0, 0, 0, 0, 3, 9],
        [7, 0, 0, 2, 1, 0, 0, 0, 0, 0],
    ];
    let head = [2, 0, 4, 8, 8, 8, 0];
    seeds.push([&head[..], &calls.concat()].concat());
    seeds.push([&head[..], &calls[..4].concat()].concat());
    // An edit and a frame of each kind, with strings and without, twice.
    for number in 0..48u8 {
        let (kind, strings) = (number % 12, number / 12);
        let component = [0, 0, 0, number, 0, 0, 0, 0, 0, 0];
        let edit = [1, kind, strings, 0, 0, 7, 5, 0, 0, 0];
        let frame = [4, kind, strings, number % 3, 1, 0, 7, 5, 9, 4];
        let calls = [component, edit, frame, edit, frame].concat();
        seeds.push([&[2, 0, 4, 8, 8, 8, 0], &calls[..]].concat());
    }
    for (index, batch) in render_batch().iter().enumerate() {
        seeds.push([&[3, (index % 5) as u8], &batch[..]].concat());
    }
    let site = b"/data\0\0content-type\0text/plain\0hello world\0v1";
    for sent in HEADS.map(str::as_bytes).into_iter().chain([&http2()[0][..]]) {
        seeds.push([&[4, site.len() as u8], &site[..], sent].concat());
    }
    for site in SITES {
        let site = site.replace('|', "\0");
        seeds.push([&[4, site.len() as u8], site.as_bytes(), HEADS[0].as_bytes()].concat());
    }
    let (long, sent) = (b"/long\0\0\0\0\0\0y\0\x0020", [b'x'; 1000]);
    seeds.push([&[4, long.len() as u8], &long[..], &sent].concat());
    for number in 0..=112 {
        seeds.push(vec![6, number, number, 1, 2, 3, 4]);
    }
    for number in 0..24 {
        let bytes = [0x80 | number, 0x81, 1, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1, 2, 3, 4];
        seeds.push([&[5, number % 12, number], &bytes[..]].concat());
        seeds.push([&[5, 0, 20], &bytes[usize::from(number % 12)..]].concat());
    }
    seeds
}

/// Sites whose second path is not what it may be, as the target `capi` reads them.
const SITES: [&str; 31] = [
    "/a||x|y|body||z|w|2",
    "/a||x|y|body||z|w|33",
    "/a||x|y|body||z|w||404",
    "/a||x|y|||z|w||204",
    "/a||x|y|body||z|w||304",
    "/a||x|y|body|tag|z|w||404",
    "/a||x|y|body|a b",
    "/a||x|y|body||z|w||99",
    "/a||x|y|body||z|w||100",
    "/a||x|y|body||z|w||70000",
    "/a||x|y|body||z|w|||1",
    "/a||x|y|body|tag|z|w|||1",
    "/a||x|y|body||z|w|||2",
    "/a||x|y|body||z|w||||1",
    "/a||x|y|body||z|w||||1000",
    "/a||content-length|1",
    "/a||etag|v",
    "/a||connection|close",
    "/a||X|y",
    "/a||a b|y",
    "/a||:status|y",
    "/a||x| y",
    "/a||x|\u{1}",
    "/a||content-type|a|||content-type|b|1",
    "/a||location|a|||location|b|1",
    "/a||x|y|||x|z|1",
    "/a?b||x|y",
    "/a#b||x|y",
    "/a b||x|y",
    "a||x|y",
    "/||x|y",
];

/// Payloads, and frames with what may stand between them.
fn connections() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (version, payload) in payloads() {
        seeds.push([&[version | 4], &payload[..]].concat());
        if payload.len() < 126 {
            let head = [0x82, payload.len() as u8];
            let ping = b"\x89\x02hi\x8a\x00";
            let frames = [&head, &payload[..], ping, &head, &payload[..], b"\x88\x02\x03\xe8"];
            seeds.push([&[version | 8], &frames.concat()[..]].concat());
        }
    }
    for (version, how) in [(0, 0), (0, 8), (1, 0), (1, 8), (2, 8)] {
        let sent = |payload: &Vec<u8>| crate::connection::frames(payload, 4000);
        let all = transactions::payloads(version);
        // The first ones fit the tables; each of the others may be one that does not.
        let begin: Vec<u8> = all[..7].iter().flat_map(sent).collect();
        seeds.push([&[version | how], &begin[..]].concat());
        for other in &all[7..] {
            seeds.push([&[version | how], &begin[..], &sent(other)].concat());
        }
        seeds.push([&[version | how], &all.iter().flat_map(sent).collect::<Vec<_>>()[..]].concat());
    }
    // No compression, one that there is not, and half a payload.
    seeds.extend(
        [&b"\x01\x82\0"[..], b"\x01\x82\x01\x03", b"\x01\x02\x02\0\x04"].map(<[u8]>::to_vec),
    );
    seeds.extend([&b"\x05"[..], b"\x05\x03", b"\x04\x09", b"\x06\x01"].map(<[u8]>::to_vec));
    seeds
}

/// Decisions that are like those of a random test.
fn pages() -> Vec<Vec<u8>> {
    (0..100u8)
        .map(|number| {
            let mut numbers = Numbers::of(&[number]);
            (0..40 + 4 * usize::from(number)).map(|_| numbers.below(256) as u8).collect()
        })
        .collect()
}

fn brotli() -> Vec<Vec<u8>> {
    let mut seeds: Vec<_> = files("compression")
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "br"))
        .map(|path| fs::read(path).expect("a file"))
        .collect();
    for (_, payload) in payloads() {
        if let Ok(Payload::Brotli(stream)) = Payload::new(&payload) {
            seeds.push(stream.to_vec());
        }
    }
    // The first word of four letters.
    seeds.push(vec![0x62, 0x00, 0x00, 0x00, 0x04, 0x40, 0x08, 0x12, 0x10]);
    seeds
}

fn gzip() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (_, payload) in payloads() {
        if let Ok(Payload::Gzip(member)) = Payload::new(&payload) {
            seeds.push(member.to_vec());
        }
    }
    let text = include_str!("seeds.rs").as_bytes();
    for (level, plain) in [(0, &text[..100]), (1, &text[..500]), (6, &text[..2000]), (9, text)] {
        let head = flate2::GzBuilder::new().extra(vec![1, 2, 3]).filename("a name").comment("why");
        let mut encoder = head.write(Vec::new(), flate2::Compression::new(level));
        encoder.write_all(plain).expect("memory");
        seeds.push(encoder.finish().expect("memory"));
    }
    seeds.push([&seeds[seeds.len() - 3][..], &seeds[seeds.len() - 4]].concat());
    seeds
}

fn render_batch() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for path in files("render_batch") {
        let text = fs::read_to_string(&path).expect("a file");
        let vector: Json = serde_json::from_str(&text).expect("JSON");
        seeds.push(hex(&vector["hex"]));
    }
    for case in read("render_batch/malformed/malformed.json").as_array().expect("a list") {
        seeds.push(hex(&case["hex"]));
    }
    seeds
}
