//! Circuits from their start to their end, as real clients have them.

use onewrite::circuit::hub::{Answer, Call, FromClient, FromServer, Message, Messages};
use onewrite::circuit::origin::Origin;
use onewrite::circuit::{
    BatchStore, CIRCUIT_LEN, Connection, Next, NoStore, Options, Refusal, Renderer, Store, Waiting,
};
use onewrite::error::{WriteError, WriteErrorKind};
use onewrite::sink::{Sink, SliceSink};
use onewrite::websocket::CloseCode;

use super::rig::{
    Browser, Conn, Counting, Heard, START, click, connection, dispatch, encoded, feed, feed_in,
    server, started, stream,
};
use super::vectors;

const DEFAULT: Options = Options::DEFAULT;

fn said<St: Store>(
    conn: &mut Conn,
    server: &mut Counting<St>,
    browser: &mut Browser,
    bytes: &[u8],
) -> Vec<String> {
    let (out, next) = feed(conn, server, bytes);
    let mut lines = browser.lines(out);
    match next {
        Next::Read => {}
        next => lines.push(format!("{next:?}")),
    }
    lines
}

const STARTED: [&str; 5] = [
    "{}",
    "call 0 Blazor._internal.attachWebRendererInterop [1,{\"__dotNetObject\":1},{},{}]",
    "completion 0 Text(\"SECRET\")",
    "attach 0 at 0",
    "batch 2",
];

#[test]
fn a_click_comes_back_as_a_batch() {
    let mut server = server::<NoStore>(1, DEFAULT);
    let (mut conn, mut browser, lines) = started(&mut server);
    assert_eq!(lines, STARTED);
    assert_eq!(browser.secret.len(), 64);
    assert_eq!(conn.waiting(), Waiting::Browser);
    let acknowledged = browser.acknowledge(2);
    assert!(said(&mut conn, &mut server, &mut browser, &acknowledged).is_empty());
    for number in 1..=5 {
        let bytes = browser.click(number);
        let lines = said(&mut conn, &mut server, &mut browser, &bytes);
        assert_eq!(lines, [format!("end {number} true null"), format!("batch {}", number + 2)]);
    }
    let counters = *server.counters();
    assert_eq!((counters.started, counters.events, counters.batches), (1, 5, 6));
    assert_eq!((counters.acknowledged, counters.refused_in_all()), (1, 0));
    assert_eq!(server.circuits(), (1, 1));
    assert!(conn.received() > 5 * 365 && conn.sent() > 5 * 148);
}

/// The client's own bytes, with the address that it had.
#[test]
fn captured_clients_get_their_pages() {
    let legacy = |lines: &[&str]| lines.iter().filter(|line| !line.starts_with("call")).count();
    for (client, origin, renderer, batches) in [
        ("server.js Nov 2024", "http://127.0.0.1:41605", Renderer::One, 3),
        ("server.js 6.0", "http://127.0.0.1:41757", Renderer::Zero, 3),
        ("server.js 5.0", "http://127.0.0.1:43005", Renderer::One, 2),
        ("server.js 3.1", "http://127.0.0.1:34595", Renderer::One, 2),
        ("web.js 10.0.7", "http://127.0.0.1:33671", Renderer::One, 1),
    ] {
        let mut server = server::<NoStore>(1, Options { renderer, ..DEFAULT });
        let mut conn: Conn = Connection::new(Origin::new(origin).unwrap());
        let mut browser = Browser::new();
        let handshake = browser.handshake();
        let mut lines = said(&mut conn, &mut server, &mut browser, &handshake);
        let vectors = vectors::with(client);
        for vector in vectors.iter().filter(|vector| vector.client == client) {
            if vector.from_client && vector.is_hub() && vector.name != "EndInvokeJSFromDotNet" {
                let bytes = browser.binary(&vector.bytes);
                lines.extend(said(&mut conn, &mut server, &mut browser, &bytes));
            }
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let count = lines.iter().filter(|line| line.starts_with("batch")).count();
        assert_eq!(count, batches, "{client}: {lines:#?}");
        assert_eq!(server.counters().refused_in_all(), 0, "{client}: {:?}", conn.refusal());
        match client {
            "server.js 5.0" | "server.js 3.1" => assert_eq!(legacy(&lines), lines.len()),
            "server.js 6.0" => assert!(lines[1].contains("[0,"), "{lines:#?}"),
            "web.js 10.0.7" => {
                assert_eq!(lines[3..], ["attach 0 at 1", "updated 1", "batch 2"], "{lines:#?}");
            }
            _ => assert_eq!(lines[..5], STARTED),
        }
    }
}

/// Our own, but for the number of the call, which asks for no answer.
#[test]
fn the_script_is_told_of_its_renderer_as_it_is_by_asp_net_core() {
    for (client, renderer) in
        [("server.js Nov 2024", Renderer::One), ("server.js 6.0", Renderer::Zero)]
    {
        let vectors = vectors::with(client);
        let is = |vector: &&vectors::Vector| vector.name == "JS.BeginInvokeJS";
        let captured = vectors.iter().find(is).unwrap();
        let mut server = server::<NoStore>(1, Options { renderer, ..DEFAULT });
        let (mut conn, mut browser) = (connection(), Browser::new());
        let bytes = [browser.handshake(), browser.start()].concat();
        let (out, _) = feed(&mut conn, &mut server, &bytes);
        let Heard::Hub(ours) = &browser.hear(out)[1] else { panic!("no call") };
        let mut expected = Messages::new(&captured.bytes).next().unwrap().unwrap().to_vec();
        let Ok(Message::Invocation { call: Answer::BeginInvokeJs { handle, .. }, .. }) =
            FromServer::decode(&expected)
        else {
            panic!("another call")
        };
        assert_eq!(handle, 1);
        let at = 4 + 17 + 1;
        assert_eq!(expected[at], 1);
        expected[at] = 0;
        assert_eq!(*ours, expected);
    }
}

#[test]
fn release_candidates_update_roots_through_a_method() {
    let operations = r#"[{"type":"add","selectorId":3,"marker":{"type":"server","sequence":0,"descriptor":"CfDJ8-demo"}}]"#;
    let json = serde_json::to_string(&[operations]).unwrap();
    let whole = format!("{{\"batchId\":4,\"operations\":{operations}}}");
    let none = (r#"["[]"]"#.to_owned(), false);
    for (arguments, adds) in [(json, true), (serde_json::to_string(&[whole]).unwrap(), true), none]
    {
        let mut server = server::<NoStore>(1, DEFAULT);
        let (mut conn, mut browser) = (connection(), Browser::new());
        let Call::StartCircuit { base_uri, uri, state, .. } = START else { panic!() };
        let start = Call::StartCircuit { base_uri, uri, state, components: "[]" };
        let update = Call::BeginInvokeDotNetFromJs {
            call: Some("1"),
            assembly: None,
            method: "UpdateRootComponents",
            object: 1,
            arguments: &arguments,
        };
        let bytes = [browser.handshake(), browser.ask("0", start), browser.call(update)].concat();
        let lines = said(&mut conn, &mut server, &mut browser, &bytes);
        let expected = ["attach 0 at 3", "end 1 true null", "batch 2"];
        assert_eq!(
            lines[3..],
            expected[usize::from(!adds)..][..1 + 2 * usize::from(adds)],
            "{lines:#?}"
        );
    }
}

#[test]
fn roots_come_and_go() {
    let mut server = server::<NoStore>(1, DEFAULT);
    let (mut conn, mut browser, _) = started(&mut server);
    let operations = |list: &str| format!("{{\"batchId\":7,\"operations\":[{list}]}}");
    let add = |selector: u32| {
        format!(
            r#"{{"type":"add","ssrComponentId":{selector},"marker":{{"type":"server","sequence":0,"descriptor":"CfDJ8-demo"}}}}"#
        )
    };
    let remove = |selector: u32| format!(r#"{{"type":"remove","ssrComponentId":{selector}}}"#);
    let mut update = |conn: &mut Conn, server: &mut Counting<NoStore>, list: &str| {
        let operations = operations(list);
        let call = Call::UpdateRootComponents { operations: &operations, state: "" };
        let bytes = browser.call(call);
        said(conn, server, &mut browser, &bytes)
    };
    let two = [add(4), add(4_294_967_295)].join(",");
    let lines = update(&mut conn, &mut server, &two);
    assert_eq!(lines, ["attach 1 at 4", "attach 2 at 4294967295", "updated 7"]);
    assert_eq!(update(&mut conn, &mut server, &remove(4)), ["updated 7"]);
    assert_eq!(update(&mut conn, &mut server, &remove(4)), ["updated 7"]);
    assert_eq!(server.handler().log.iter().filter(|line| *line == "removed 1").count(), 1);
    // A place that is free is used again, under a new number.
    let six: Vec<String> = (10..16).map(add).collect();
    let lines = update(&mut conn, &mut server, &six.join(","));
    assert_eq!((lines[0].as_str(), lines.len()), ("attach 3 at 10", 7));
    let lines = update(&mut conn, &mut server, &add(17));
    assert_eq!(lines, ["error The page is too old. Load it again.", "closed Some(1008)", "Close"]);
    assert_eq!(conn.refusal(), Some(Refusal::BadRoot));
}

#[test]
fn rendering_waits_for_acknowledgements_and_goes_on_with_all_at_once() {
    let mut server = server::<NoStore>(1, Options { unacknowledged: 3, ..DEFAULT });
    let (mut conn, mut browser, _) = started(&mut server);
    let mut batches = Vec::new();
    for number in 1..=10 {
        let bytes = browser.click(number);
        let lines = said(&mut conn, &mut server, &mut browser, &bytes);
        assert_eq!(lines[0], format!("end {number} true null"));
        batches.extend(lines[1..].to_vec());
    }
    assert_eq!(batches, ["batch 3", "batch 4"]);
    let bytes = browser.acknowledge(2);
    assert_eq!(said(&mut conn, &mut server, &mut browser, &bytes), ["batch 5"]);
    let bytes = browser.acknowledge(2);
    assert!(said(&mut conn, &mut server, &mut browser, &bytes).is_empty());
    let bytes = browser.acknowledge(5);
    assert!(said(&mut conn, &mut server, &mut browser, &bytes).is_empty(), "nothing has changed");
    assert_eq!(server.counters().acknowledged, 4);
    server.for_each_page(|_, page| {
        assert_eq!(page.count, 10);
        page.count = 77;
    });
    let mut memory = [0; 4096];
    let mut sink = SliceSink::new(&mut memory);
    assert_eq!(conn.pump(&mut server, &mut sink), Ok(Next::Read));
    assert_eq!(browser.lines(sink.into_written().to_vec()), ["batch 6"]);
}

#[test]
fn events_of_old_clients_and_gone_handlers() {
    let mut server = server::<NoStore>(1, DEFAULT);
    let (mut conn, mut browser, _) = started(&mut server);
    let call = Call::DispatchBrowserEvent {
        descriptor: r#"{"browserRendererId":0,"eventHandlerId":1,"eventArgsType":"mouse","eventFieldInfo":null}"#,
        arguments: r#"{"type":"click","detail":1}"#,
    };
    let bytes = browser.call(call);
    assert_eq!(said(&mut conn, &mut server, &mut browser, &bytes), ["batch 3"]);
    let gone =
        r#"[{"eventHandlerId":101,"eventName":"keydown","eventFieldInfo":null},{"key":"h"}]"#;
    let bytes = browser.call(dispatch("4", gone));
    assert_eq!(said(&mut conn, &mut server, &mut browser, &bytes), ["end 4 true null"]);
    assert_eq!((server.counters().events, server.counters().gone_events), (1, 1));
    // A call without a number wants no answer.
    let Call::BeginInvokeDotNetFromJs { assembly, method, object, arguments, .. } = click("1")
    else {
        panic!()
    };
    let call = Call::BeginInvokeDotNetFromJs { call: None, assembly, method, object, arguments };
    let bytes = browser.call(call);
    assert_eq!(said(&mut conn, &mut server, &mut browser, &bytes), ["batch 4"]);
    // The longest number that is kept comes back whole.
    let longest = "7".repeat(32);
    let bytes = browser.call(click(&longest));
    let lines = said(&mut conn, &mut server, &mut browser, &bytes);
    assert_eq!(lines, [format!("end {longest} true null"), "batch 5".into()]);
    let other = Call::BeginInvokeDotNetFromJs {
        call: Some("9"),
        assembly: Some("System"),
        method,
        object: 0,
        arguments: "[]",
    };
    let bytes = browser.call(other);
    let lines = said(&mut conn, &mut server, &mut browser, &bytes);
    assert_eq!(lines, ["end 9 false no such method"]);
}

#[test]
fn functions_of_the_page_are_called_and_answer() {
    let mut server = server::<NoStore>(1, DEFAULT);
    let (mut conn, mut browser, _) = started(&mut server);
    server.handler_mut().calls.extend([("a", true), ("b", false), ("c", true), ("d", true)]);
    server.handler_mut().calls.extend([("e", true), ("f", true)]);
    let ping = browser.message(&Message::Ping);
    let lines = said(&mut conn, &mut server, &mut browser, &ping);
    // Four answers are waited for at a time.
    assert_eq!(
        lines,
        ["call 1 a [1]", "call 0 b [1]", "call 2 c [1]", "call 3 d [1]", "call 4 e [1]"]
    );
    server.handler_mut().log.clear();
    let answer = |handle, ok| Call::EndInvokeJsFromDotNet { handle, ok, result: "[2,true,7]" };
    let bytes = browser.call(answer(2, true));
    assert_eq!(said(&mut conn, &mut server, &mut browser, &bytes), ["call 5 f [1]"]);
    for handle in [2, 0, 99, u64::MAX] {
        let bytes = browser.call(answer(handle, true));
        assert!(said(&mut conn, &mut server, &mut browser, &bytes).is_empty());
    }
    let bytes = browser.call(answer(5, false));
    said(&mut conn, &mut server, &mut browser, &bytes);
    assert_eq!(
        server.handler().log,
        ["answer 2 Ok(\"[2,true,7]\")", "called f 5", "answer 5 Err(\"[2,true,7]\")"]
    );
    assert_eq!(server.counters().unasked, 4);
}

#[cfg(target_pointer_width = "64")]
#[test]
fn a_call_longer_than_a_message_is_an_error_and_was_not_made() {
    use onewrite::circuit::hub::MAX_LEN;

    if !onewrite_boards::label().measures_time() {
        eprintln!("skipped: an emulated machine would look at a GiB for long");
        return;
    }
    let mut server = server::<NoStore>(1, DEFAULT);
    let (mut conn, mut browser, _) = started(&mut server);
    // Pages of zeros that nobody has written to are one page. It is there twice: as the name and as the
    // arguments.
    let text = String::from_utf8(vec![0; (MAX_LEN / 2 + 1) as usize]).unwrap();
    let text: &'static str = text.leak();
    let handler = server.handler_mut();
    handler.arguments = text;
    handler.calls.extend([("a", true), (text, true)]);
    handler.log.clear();
    let ping = browser.message(&Message::Ping);
    let mut bytes = ping.clone();
    let mut memory = [0; 1 << 8];
    let mut sink = SliceSink::new(&mut memory);
    // The first one is not too long, and could have gone out.
    let next = conn.feed(&mut server, &mut bytes.as_mut_slice(), &mut sink).unwrap();
    assert!(matches!(next, Next::Flush { needed } if needed > text.len()), "{next:?}");
    server.handler_mut().calls.pop_front();
    let lines = said(&mut conn, &mut server, &mut browser, &ping);
    let told = "error The page could not be told everything.";
    assert_eq!(lines, [told, "closed Some(1011)", "Close"]);
    assert_eq!(conn.refusal(), Some(Refusal::CallTooLong));
    assert_eq!(server.counters().refused(Refusal::CallTooLong.kind()), 1);
    assert_eq!(server.handler().log, ["closed 0 Error"]);
    assert_eq!(server.handler().calls.len(), 1);
}

#[test]
fn addresses_are_told_and_asked_for() {
    let mut server = server::<NoStore>(1, DEFAULT);
    let (mut conn, mut browser, _) = started(&mut server);
    let uri = "http://pi.local/other";
    let call = Call::OnLocationChanged { uri, state: Some("s"), intercepted: true };
    let bytes = browser.call(call);
    assert!(said(&mut conn, &mut server, &mut browser, &bytes).is_empty());
    let call = Call::OnLocationChanging { call: 4, uri, state: None, intercepted: false };
    let bytes = browser.call(call);
    assert_eq!(said(&mut conn, &mut server, &mut browser, &bytes), ["go 4 true"]);
    server.handler_mut().lets_go = false;
    let bytes = browser.ask("5", call);
    let lines = said(&mut conn, &mut server, &mut browser, &bytes);
    assert_eq!(lines, ["go 4 false", "completion 5 Void"]);
    let log = &server.handler().log;
    assert!(log.contains(&format!("at {uri} Some(\"s\") true")), "{log:?}");
    let call =
        Call::OnLocationChanged { uri: "http://evil.example/", state: None, intercepted: false };
    let bytes = browser.call(call);
    let lines = said(&mut conn, &mut server, &mut browser, &bytes);
    assert_eq!(lines[0], "error The address is not one of this server.");
    assert_eq!(conn.refusal(), Some(Refusal::BadAddress));
}

#[test]
fn what_is_not_there_is_answered_and_does_no_harm() {
    let mut server = server::<NoStore>(1, DEFAULT);
    let (mut conn, mut browser, _) = started(&mut server);
    let mut ask = |message: FromClient<'_>| {
        let bytes = browser.message(&message);
        said(&mut conn, &mut server, &mut browser, &bytes)
    };
    let invoke = |id, call| Message::Invocation { id, call };
    assert_eq!(ask(invoke(Some("7"), Call::PauseCircuit)), ["completion 7 Bool(false)"]);
    let other = Call::Other { target: "Unheard", arguments: &[0x90] };
    assert_eq!(ask(invoke(Some("8"), other)), ["completion 8 Error(\"no such method\")"]);
    let none: [&str; 0] = [];
    assert_eq!(ask(invoke(None, other)), none);
    let stream = Call::SendDotNetStreamToJs { stream: 1 };
    let message = Message::StreamInvocation { id: "9", call: stream };
    assert_eq!(ask(message), ["completion 9 Error(\"no such stream\")"]);
    assert_eq!(ask(Message::CancelInvocation { id: "9" }), none);
    assert_eq!(ask(Message::Acknowledge { sequence: 1 }), none);
    assert_eq!(ask(Message::Sequence { sequence: 1 }), none);
    assert_eq!(ask(Message::StreamItem { id: "9", item: &[0xc0] }), none);
    assert_eq!(ask(Message::Ping), none);
    let longest = "1".repeat(32);
    assert_eq!(ask(invoke(Some(&longest), other)).len(), 1);
    let longer = "1".repeat(33);
    assert_eq!(ask(invoke(Some(&longer), other)), ["closed Some(1008)", "Close"]);
    assert_eq!(conn.refusal(), Some(Refusal::IdTooLong));
}

#[test]
fn who_leaves_takes_the_circuit_along_and_who_is_cut_off_does_not() {
    type Kept = BatchStore<10, 4096>;
    for (how, closed, lines) in [
        (Some(Some(CloseCode::GOING_AWAY)), true, vec!["closed Some(1001)", "Close"]),
        (Some(None), false, vec!["closed None", "Close"]),
        (None, true, vec!["closed Some(1000)", "Close"]),
    ] {
        let mut server = server::<Kept>(1, DEFAULT);
        let (mut conn, mut browser, _) = started(&mut server);
        let bytes = match how {
            Some(code) => browser.close(code),
            None => browser.message(&Message::Close { error: None, reconnect: None }),
        };
        assert_eq!(said(&mut conn, &mut server, &mut browser, &bytes), lines);
        assert_eq!(conn.waiting(), Waiting::Close);
        conn.detach(&mut server, 7);
        conn.detach(&mut server, 8);
        assert_eq!(server.circuits(), (usize::from(!closed), 0));
        assert_eq!(conn.refusal(), None);
        assert_eq!(server.handler().log.contains(&"closed 0 Left".into()), closed);
    }
}

#[test]
fn the_beacon_ends_a_circuit_and_its_connection() {
    let mut server = server::<NoStore>(2, DEFAULT);
    let (mut conn, mut browser, _) = started(&mut server);
    let (mut other, mut other_browser, _) = started(&mut server);
    assert!(!server.disconnect("nobody's"));
    assert!(server.disconnect(&browser.secret));
    assert!(!server.disconnect(&browser.secret));
    let bytes = browser.click(1);
    let lines = said(&mut conn, &mut server, &mut browser, &bytes);
    assert_eq!(lines, ["closed Some(1000)", "Close"]);
    conn.detach(&mut server, 0);
    let bytes = other_browser.click(1);
    let lines = said(&mut other, &mut server, &mut other_browser, &bytes);
    assert_eq!(lines, ["end 1 true null", "batch 3"]);
    assert_eq!(server.circuits(), (1, 1));
}

#[test]
fn the_owner_ends_a_connection_in_four_ways() {
    let mut memory = [0; 512];
    let sink = || SliceSink::new(Box::leak(Box::new([0; 512])));
    let mut server = server::<BatchStore<4, 4096>>(4, DEFAULT);
    let mut ends = |at: usize| {
        let (mut conn, mut browser, _) = started(&mut server);
        let mut sink = sink();
        let next = match at {
            0 => conn.time_out(&mut sink),
            1 => conn.shut_down(&mut sink),
            2 => conn.error(&mut server, "boom", &mut sink),
            _ => conn.hub_close(Some(true), &mut sink),
        };
        assert_eq!(next, Ok(Next::Close));
        conn.detach(&mut server, 0);
        (browser.lines(sink.into_written().to_vec()), server.circuits().0)
    };
    assert_eq!(ends(0), (vec!["closed Some(1008)".into()], 1));
    assert_eq!(ends(1), (vec!["closed Some(1001)".into()], 2));
    assert_eq!(ends(2), (vec!["error boom".into(), "closed Some(1011)".into()], 2));
    let close = "hub close None Some(true)".to_owned();
    assert_eq!(ends(3), (vec![close, "closed Some(1000)".into()], 3));
    // Before there is anything to say.
    let mut conn = connection();
    let mut sink = SliceSink::new(&mut memory);
    assert_eq!(conn.ping(&mut sink), Ok(Next::Read));
    assert_eq!(sink.written(), 0);
    let (mut conn, mut browser, _) = started(&mut server);
    assert_eq!(conn.ping(&mut sink), Ok(Next::Read));
    assert_eq!(browser.lines(sink.into_written().to_vec()), ["ping"]);
    let mut none = SliceSink::new(&mut []);
    assert_eq!(conn.ping(&mut none), Ok(Next::Flush { needed: 5 }));
}

/// Wherever a message is cut, and however little room the sink has.
#[test]
fn cuts_and_small_sinks_change_nothing() {
    let mut browser = Browser::new();
    let input = r#"[{"eventHandlerId":100,"eventName":"input","eventFieldInfo":{"componentId":0,"fieldValue":"h"}},{"value":"h"}]"#;
    // Several messages in one frame, some with answers.
    let lump: Vec<u8> = (0..30)
        .flat_map(|_| encoded(&Message::Invocation { id: Some("3"), call: Call::PauseCircuit }))
        .collect();
    let messages = [
        browser.handshake(),
        browser.start(),
        browser.acknowledge(2),
        browser.click(1),
        browser.call(dispatch("2", input)),
        browser.binary(&lump),
        browser.message(&Message::Ping),
        browser.close(Some(CloseCode::GOING_AWAY)),
    ];
    let talk = |cut_in: usize, cut: usize, room: usize, streams: bool| {
        let mut server = server::<NoStore>(1, DEFAULT);
        let mut conn = connection();
        let mut out = Vec::new();
        for (at, message) in messages.iter().enumerate() {
            let (first, second) = message.split_at(if at == cut_in { cut } else { 0 });
            for piece in [first, second] {
                let (bytes, _) = match streams {
                    true => stream(&mut conn, &mut server, piece),
                    false => feed_in(&mut conn, &mut server, piece, room),
                };
                out.extend(bytes);
            }
        }
        out
    };
    let expected = talk(99, 0, 1 << 16, false);
    let lines = Browser::new().lines(expected.clone());
    assert_eq!(lines.len(), 5 + 2 + 2 + 30 + 1, "{lines:#?}");
    assert!(talk(99, 0, 1 << 16, true) == expected, "into a stream");
    for room in [0, 1, 36, 100, 640, 768, 1000] {
        assert!(talk(99, 0, room, false) == expected, "{room} bytes of room");
    }
    for (cut_in, message) in messages.iter().enumerate() {
        for cut in 0..=message.len() {
            assert!(talk(cut_in, cut, 1 << 16, false) == expected, "{cut_in} cut at {cut}");
        }
        assert!(talk(cut_in, message.len() / 2, 50, false) == expected);
    }
    // Byte by byte.
    let mut server = server::<NoStore>(1, DEFAULT);
    let mut conn = connection();
    let bytes = messages.concat();
    let out: Vec<u8> =
        bytes.iter().flat_map(|byte| feed(&mut conn, &mut server, &[*byte]).0).collect();
    assert!(out == expected);
}

/// All that may have to be answered at once, each as long as it can be.
#[test]
fn the_longest_answer_has_room() {
    let mut server = server::<NoStore>(1, DEFAULT);
    let (mut conn, mut browser) = (connection(), Browser::new());
    let root = r#"{"type":"server","sequence":4294967295,"descriptor":"CfDJ8-demo"}"#;
    let components = format!("[{}]", [root; 8].join(","));
    let Call::StartCircuit { base_uri, uri, state, .. } = START else { panic!() };
    let start = Call::StartCircuit { base_uri, uri, state, components: &components };
    let id = "7".repeat(32);
    let bytes = [browser.handshake(), browser.ask(&id, start)].concat();
    let lines = said(&mut conn, &mut server, &mut browser, &bytes);
    assert_eq!(lines[2], format!("completion {id} Text(\"SECRET\")"));
    let attached: Vec<_> = (0..8).map(|at| format!("attach {at} at 4294967295")).collect();
    assert_eq!((&lines[3..11], lines[11].as_str()), (&attached[..], "batch 2"));
}

/// However much of it is taken up by answers before.
#[test]
fn the_longest_answer_has_room_behind_others() {
    let root = r#"{"type":"server","sequence":4294967295,"descriptor":"CfDJ8-demo"}"#;
    let components = format!("[{}]", [root; 8].join(","));
    let Call::StartCircuit { base_uri, uri, state, .. } = START else { panic!() };
    for others in 0..30 {
        let mut server = server::<NoStore>(1, DEFAULT);
        let (mut conn, mut browser) = (connection(), Browser::new());
        let start = Call::StartCircuit { base_uri, uri, state, components: &components };
        let mut bytes = browser.handshake();
        for _ in 0..others {
            let call = Call::SendDotNetStreamToJs { stream: 1 };
            bytes.extend(browser.message(&Message::StreamInvocation { id: "9", call }));
        }
        bytes.extend(browser.ask(&"7".repeat(32), start));
        // What is ready, the attach call, the completion, eight roots, a batch.
        let lines = said(&mut conn, &mut server, &mut browser, &bytes);
        assert_eq!(lines.len(), 1 + others + 2 + 8 + 1, "{lines:#?}");
    }
}

/// What is answered waits for room, and so does everything behind it.
#[test]
fn nothing_is_lost_where_the_sink_is_full() {
    let mut server = server::<NoStore>(1, DEFAULT);
    let (mut conn, mut browser, _) = started(&mut server);
    let mut bytes = [browser.acknowledge(2), browser.click(1)].concat();
    let mut input = bytes.as_mut_slice();
    let mut none = SliceSink::new(&mut []);
    let next = conn.feed(&mut server, &mut input, &mut none).unwrap();
    assert_eq!(next, Next::Flush { needed: 36 });
    assert!(input.is_empty());
    server.for_each_page(|_, page| assert_eq!(page.count, 1));
    let mut memory = [0; 200];
    let mut sink = SliceSink::new(&mut memory[..40]);
    // The answer fits, the batch does not.
    let Ok(Next::Flush { needed }) = conn.pump(&mut server, &mut sink) else { panic!() };
    assert_eq!(browser.lines(sink.into_written().to_vec()), ["end 1 true null"]);
    let mut sink = SliceSink::new(&mut memory[..needed]);
    assert_eq!(conn.pump(&mut server, &mut sink), Ok(Next::Read));
    assert_eq!(sink.remaining(), 0, "no more was asked for than it took");
    assert_eq!(browser.lines(sink.into_written().to_vec()), ["batch 3"]);
}

/// A stream that takes so many writes, and then none.
struct Breaks {
    writes: usize,
    poisoned: bool,
}

impl Sink for Breaks {
    type Error = u8;

    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError<u8>> {
        let refused =
            if self.poisoned { WriteErrorKind::Poisoned } else { WriteErrorKind::Sink(7) };
        self.writes = self.writes.checked_sub(1).ok_or(WriteError::new(bytes.len(), refused))?;
        Ok(())
    }

    fn reserve(&mut self, _len: usize) -> Result<Option<&mut [u8]>, WriteError<u8>> {
        Ok(None)
    }

    fn poison(&mut self) {
        self.poisoned = true;
    }
}

/// Whichever write it is that fails: it is told, and no message is begun behind half a one.
#[test]
fn a_stream_that_breaks_is_told() {
    fn talk<St: Store + 'static>() -> (usize, usize) {
        let (mut told, mut poisoned) = (0, 0);
        for writes in 0..40 {
            let mut server = server::<St>(1, DEFAULT);
            server.handler_mut().padding = 600;
            server.handler_mut().calls.extend([("f", false)]);
            let (mut conn, mut browser) = (connection(), Browser::new());
            let mut bytes = [browser.handshake(), browser.start(), browser.click(1)].concat();
            let mut sink = Breaks { writes, poisoned: false };
            let mut input = bytes.as_mut_slice();
            let result = conn.feed(&mut server, &mut input, &mut sink);
            let left = sink.writes;
            match result {
                Ok(next) => assert_eq!(next, Next::Read),
                Err(error) => {
                    assert_eq!((error.kind, left), (WriteErrorKind::Sink(7), 0));
                    (told, poisoned) = (told + 1, poisoned + usize::from(sink.poisoned));
                    // Whatever the sink itself takes behind half a frame.
                    let mut works = Breaks { writes: 100, poisoned: false };
                    match conn.feed(&mut server, &mut input, &mut works) {
                        Ok(next) => assert!(next == Next::Read && !sink.poisoned),
                        Err(error) => {
                            assert_eq!(error.kind, WriteErrorKind::Poisoned);
                            assert!(sink.poisoned && works.writes == 100);
                        }
                    }
                }
            }
            conn.detach(&mut server, 0);
            assert_eq!(server.circuits().1, 0);
        }
        (told, poisoned)
    }
    // Not where a frame begins: twice what is ready, once the call, once the batch. There the driver itself
    // knows whether it took a part.
    let (told, poisoned) = talk::<NoStore>();
    assert!(told > 7 && told - poisoned == 4, "{told} {poisoned}");
    let (told, poisoned) = talk::<BatchStore<4, 8192>>();
    assert!(told > 5 && told - poisoned == 4, "{told} {poisoned}");
}

#[test]
fn a_circuit_takes_four_kibibytes() {
    // What docs/circuit.md says of machines with 64 bits.
    const { assert!(CIRCUIT_LEN <= 3_448) }
    println!("a connection takes {} bytes, with its circuit {CIRCUIT_LEN}", size_of::<Conn>());
}
