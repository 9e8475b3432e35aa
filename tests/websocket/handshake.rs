//! The handshake, both ends.

use onewrite::error::WriteErrorKind;
use onewrite::http::{Conn, Protocol, response, routes};
use onewrite::sink::SliceSink;
use onewrite::websocket::{
    Ask, BadField, ClientHandshake, FORBIDDEN, Refusal, Request, ResponseError, TOO_LARGE, accept,
    key,
};

use super::numbers::Random;

/// RFC 6455 section 1.2, as a browser sends it.
const REQUEST: &str = "GET /chat?room=1 HTTP/1.1\r\n\
    Host: server.example.com\r\n\
    Upgrade: websocket\r\n\
    Connection: keep-alive, Upgrade\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
    Origin: http://example.com\r\n\
    Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\
    Sec-WebSocket-Protocol: chat, superchat\r\n\
    Sec-WebSocket-Version: 13\r\n\r\n";

const RESPONSE: &str = "HTTP/1.1 101 Switching Protocols\r\n\
    Upgrade: websocket\r\n\
    Connection: Upgrade\r\n\
    Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\
    Sec-WebSocket-Protocol: chat\r\n\r\n";

const ASK: Ask<'_> = Ask {
    host: "server.example.com",
    target: "/chat",
    origin: None,
    protocols: &["chat", "superchat"],
    fields: &[],
};

fn decode(head: &str) -> Result<Option<(Request<'_, 'static>, usize)>, Refusal> {
    Request::decode(head.as_bytes(), &["superchat", "chat"])
}

fn response(head: &str) -> Result<Option<&str>, ResponseError> {
    let handshake = ClientHandshake::new(b"the sample nonce");
    let opened = handshake.response(&ASK, head.as_bytes())?.unwrap();
    assert_eq!(opened.len, head.len());
    Ok(opened.protocol)
}

#[test]
fn key_and_accept_are_those_of_the_rfc() {
    assert_eq!(&key(b"the sample nonce"), b"dGhlIHNhbXBsZSBub25jZQ==");
    assert_eq!(&accept(b"dGhlIHNhbXBsZSBub25jZQ=="), b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

/// Against an implementation that is not ours.
#[test]
fn accept_agrees_with_another_implementation() {
    let mut random = Random(0x5eed);
    for _ in 0..1000 {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&random.bytes(16));
        let key = key(&bytes);
        let theirs = tungstenite::handshake::derive_accept_key(&key);
        assert_eq!(accept(&key), *theirs.as_bytes());
    }
}

#[test]
fn a_request_says_what_it_asks_for() {
    let (request, len) = decode(REQUEST).unwrap().unwrap();
    assert_eq!(len, REQUEST.len());
    assert_eq!(request.target, "/chat?room=1");
    assert_eq!(request.host, "server.example.com");
    assert_eq!(request.origin, Some("http://example.com"));
    // The client's order counts.
    assert_eq!((request.protocol, request.offered), (Some("chat"), true));
    let with_frames = format!("{REQUEST}\u{1}\u{2}");
    assert_eq!(decode(&with_frames).unwrap().unwrap().1, REQUEST.len());
    for cut in 0..REQUEST.len() {
        assert_eq!(decode(&REQUEST[..cut]), Ok(None), "{cut}");
    }
}

#[test]
fn a_response_is_exactly_these_bytes() {
    let (request, _) = decode(REQUEST).unwrap().unwrap();
    let expected = "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\
        connection: Upgrade\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\
        sec-websocket-protocol: chat\r\n\r\n";
    let mut buffer = [0xa5; 300];
    for len in 0..expected.len() {
        let mut sink = SliceSink::new(&mut buffer[..len]);
        let full = WriteErrorKind::Full { needed: expected.len(), available: len };
        assert_eq!(request.respond(&mut sink).unwrap_err().kind, full);
        assert_eq!(buffer[..len], vec![0xa5; len]);
    }
    let mut sink = SliceSink::new(&mut buffer);
    request.respond(&mut sink).unwrap();
    assert_eq!(sink.into_written(), expected.as_bytes());
    assert_eq!(response(expected), Ok(Some("chat")));

    let mut sink = SliceSink::new(&mut buffer);
    Request { protocol: None, ..request }.respond(&mut sink).unwrap();
    let written = std::str::from_utf8(sink.into_written()).unwrap();
    assert_eq!(written, expected.replace("sec-websocket-protocol: chat\r\n", ""));
    assert_eq!(response(written), Ok(None));
}

#[test]
fn requests_that_are_in_order_in_other_words() {
    for (from, to) in [
        ("Host: server.example.com", "hOsT:\t server.example.com \t"),
        ("Upgrade: websocket", "UPGRADE: h2c, WebSocket"),
        ("Connection: keep-alive, Upgrade", "Connection: keep-alive\r\nConnection:upgrade"),
        ("Connection: keep-alive, Upgrade", "Connection: , ,upGRADE,"),
        ("Origin: http://example.com\r\n", ""),
        ("Origin: http://example.com", "Origin: null"),
        ("Sec-WebSocket-Protocol: chat, superchat\r\n", ""),
        (
            "Sec-WebSocket-Protocol: chat, superchat",
            "Sec-WebSocket-Protocol: a\r\nSec-WebSocket-Protocol: b",
        ),
        // RFC 6455 section 4.1 has a key whose last digit has bits that are left over.
        ("dGhlIHNhbXBsZSBub25jZQ==", "AQIDBAUGBwgJCgsMDQ4PEC=="),
        ("Origin:", "Content-Length: 0\r\nOrigin:"),
        ("Origin:", "x: \u{e4} b\t\r\nOrigin:"),
    ] {
        assert!(REQUEST.contains(from), "{from}");
        let head = REQUEST.replace(from, to);
        assert!(matches!(decode(&head), Ok(Some(_))), "{to}: {:?}", decode(&head));
    }
    let twice = REQUEST.replace(
        "Sec-WebSocket-Protocol: chat, superchat",
        "Sec-WebSocket-Protocol: other\r\nSec-WebSocket-Protocol: superchat",
    );
    assert_eq!(decode(&twice).unwrap().unwrap().0.protocol, Some("superchat"));
    let other = REQUEST.replace("chat, superchat", "Chat");
    let (request, _) = decode(&other).unwrap().unwrap();
    assert_eq!((request.protocol, request.offered), (None, true), "case counts");
}

#[test]
fn requests_that_are_not_in_order_are_refused() {
    for (from, to, why) in [
        ("GET", "POST", Refusal::NotGet),
        ("GET", "get", Refusal::NotGet),
        ("GET /", "GET  /", Refusal::Malformed),
        ("GET /", "G@T /", Refusal::Malformed),
        ("GET /chat?room=1 ", "GET ", Refusal::Malformed),
        ("/chat?room=1", "/ch\u{7f}at", Refusal::Malformed),
        ("/chat?room=1", "/chat\u{e4}", Refusal::Malformed),
        ("HTTP/1.1", "HTTP/1.1 ", Refusal::NotHttp11),
        ("HTTP/1.1", "HTTP/1.0", Refusal::NotHttp11),
        ("HTTP/1.1", "HTTP/2.0", Refusal::NotHttp11),
        ("HTTP/1.1", "http/1.1", Refusal::NotHttp11),
        ("Host: server.example.com\r\n", "", Refusal::BadHost),
        ("Host: server.example.com", "Host: ", Refusal::BadHost),
        ("Host: server.example.com", "Host: a b", Refusal::BadHost),
        ("Host: server.example.com", "Host: a\r\nHost: a", Refusal::Repeated),
        ("Host: server", "Host : server", Refusal::Malformed),
        ("Host: server", " Host: server", Refusal::Malformed),
        ("Host: server", ": server", Refusal::Malformed),
        ("Host: server", "Host; server", Refusal::Malformed),
        ("Origin: http://example.com", "Origin: a b", Refusal::BadOrigin),
        ("Origin: http://example.com", "Origin: ", Refusal::BadOrigin),
        ("Origin: http://example.com", "Origin: a\r\norigin: b", Refusal::Repeated),
        ("Origin: http", "Origin:\r\n http", Refusal::BadOrigin),
        ("Origin: http://example.com\r\n", "x: a\nb\r\n", Refusal::Malformed),
        ("Origin: http://example.com\r\n", "x: a\rb\r\n", Refusal::Malformed),
        ("Origin: http://example.com\r\n", "x: a\r\n folded\r\n", Refusal::Malformed),
        ("Origin: http://example.com\r\n", "x: a\0\r\n", Refusal::Malformed),
        ("Upgrade: websocket\r\n", "", Refusal::NotWebSocket),
        ("Upgrade: websocket", "Upgrade: websockets", Refusal::NotWebSocket),
        ("Upgrade: websocket", "Upgrade: h2c", Refusal::NotWebSocket),
        ("keep-alive, Upgrade", "keep-alive", Refusal::NotWebSocket),
        ("keep-alive, Upgrade", "keep-alive Upgrade", Refusal::NotWebSocket),
        ("Version: 13", "Version: 8", Refusal::BadVersion),
        ("Version: 13", "Version: 013", Refusal::BadVersion),
        ("Version: 13", "Version: 13, 8", Refusal::BadVersion),
        ("Version: 13", "Version: 13\r\nSec-WebSocket-Version: 13", Refusal::Repeated),
        ("Sec-WebSocket-Version: 13\r\n", "", Refusal::BadVersion),
        ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", "", Refusal::BadKey),
        ("dGhlIHNhbXBsZSBub25jZQ==", "", Refusal::BadKey),
        ("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ=", Refusal::BadKey),
        ("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ===", Refusal::BadKey),
        ("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZTE=", Refusal::BadKey),
        ("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZTEy", Refusal::BadKey),
        ("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub2=jZQ==", Refusal::BadKey),
        ("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub2-jZQ==", Refusal::BadKey),
        ("Origin:", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin:", Refusal::Repeated),
        ("chat, superchat", "chat, super chat", Refusal::BadProtocol),
        ("Origin:", "Content-Length: 1\r\nOrigin:", Refusal::Body),
        ("Origin:", "Content-Length: 00\r\nOrigin:", Refusal::Body),
        ("Origin:", "Transfer-Encoding: chunked\r\nOrigin:", Refusal::Body),
    ] {
        assert!(REQUEST.contains(from), "{from}");
        let head = REQUEST.replace(from, to);
        assert_eq!(decode(&head), Err(why), "{to:?}");
        let status = if matches!(why, Refusal::NotWebSocket | Refusal::BadVersion) {
            &b"HTTP/1.1 426 Upgrade Required\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
                [..]
        } else {
            b"HTTP/1.1 400 Bad Request\r\n"
        };
        assert!(why.response().starts_with(status));
    }
    for response in
        [Refusal::NotGet.response(), Refusal::BadVersion.response(), FORBIDDEN, TOO_LARGE]
    {
        let text = std::str::from_utf8(response).unwrap();
        assert!(text.contains("\r\ncontent-length: 0\r\n") && text.ends_with("\r\n\r\n"), "{text}");
        assert!(text.contains("close\r\n"), "{text}");
        assert_eq!(text.matches("\r\n\r\n").count(), 1);
    }
}

#[test]
fn a_client_takes_only_what_answers_its_request() {
    assert_eq!(response(RESPONSE), Ok(Some("chat")));
    let handshake = ClientHandshake::new(b"the sample nonce");
    for cut in 0..RESPONSE.len() {
        assert_eq!(handshake.response(&ASK, &RESPONSE.as_bytes()[..cut]), Ok(None));
    }
    for (from, to, expected) in [
        ("Switching Protocols", "", Ok(Some("chat"))),
        ("Upgrade: websocket", "uPGRADE:WebSocket", Ok(Some("chat"))),
        ("Connection: Upgrade", "Connection: x, upgrade", Ok(Some("chat"))),
        ("Protocol: chat", "Protocol: superchat", Ok(Some("superchat"))),
        ("Sec-WebSocket-Protocol: chat\r\n", "", Ok(None)),
        ("101 Switching", "200 Switching", Err(ResponseError::Status { code: 200 })),
        ("101 Switching", "401 Switching", Err(ResponseError::Status { code: 401 })),
        ("101 Switching", "1010 Switching", Err(ResponseError::Malformed)),
        ("101 Switching", "001 Switching", Err(ResponseError::Malformed)),
        ("HTTP/1.1", "HTTP/1.0", Err(ResponseError::Malformed)),
        ("Connection: Up", "Connection : Up", Err(ResponseError::Malformed)),
        ("Upgrade: websocket\r\n", "", Err(ResponseError::NotUpgraded)),
        ("Upgrade: websocket", "Upgrade: websocket, h2c", Err(ResponseError::NotUpgraded)),
        ("Connection: Upgrade", "Connection: close", Err(ResponseError::NotUpgraded)),
        (
            "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
            "s3pPLMBiTxaQ9kYGzzhZRbK+xOp=",
            Err(ResponseError::NotAccepted),
        ),
        (
            "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
            "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=x",
            Err(ResponseError::NotAccepted),
        ),
        ("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "", Err(ResponseError::NotAccepted)),
        (
            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n",
            "",
            Err(ResponseError::NotAccepted),
        ),
        (
            "Sec-WebSocket-Protocol: chat",
            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
            Err(ResponseError::Repeated),
        ),
        (
            "Protocol: chat",
            "Protocol: chat\r\nSec-WebSocket-Protocol: chat",
            Err(ResponseError::Repeated),
        ),
        ("Protocol: chat", "Protocol: Chat", Err(ResponseError::Protocol)),
        ("Protocol: chat", "Protocol: other", Err(ResponseError::Protocol)),
        ("Protocol: chat", "Protocol: ", Err(ResponseError::Protocol)),
        (
            "Sec-WebSocket-Protocol: chat",
            "Sec-WebSocket-Extensions: x",
            Err(ResponseError::Extension),
        ),
    ] {
        assert!(RESPONSE.contains(from), "{from}");
        let head = RESPONSE.replace(from, to);
        assert_eq!(response(&head), expected, "{to:?}");
    }
}

#[test]
fn a_client_asks_what_the_server_understands() {
    let ask = Ask {
        host: "pi.local:3000",
        target: "/v1/database/demo/subscribe?compression=None",
        origin: Some("http://pi.local:3000"),
        protocols: &["v3.bsatn.spacetimedb", "v2.bsatn.spacetimedb"],
        fields: &[("authorization", "Bearer abc.def"), ("user-agent", "onewrite")],
    };
    let expected = "GET /v1/database/demo/subscribe?compression=None HTTP/1.1\r\n\
        host: pi.local:3000\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\
        sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
        sec-websocket-protocol: v3.bsatn.spacetimedb, v2.bsatn.spacetimedb\r\n\
        origin: http://pi.local:3000\r\nauthorization: Bearer abc.def\r\nuser-agent: onewrite\r\n\r\n";
    let mut buffer = [0; 512];
    let mut sink = SliceSink::new(&mut buffer);
    ClientHandshake::new(b"the sample nonce").request(&ask, &mut sink).unwrap();
    let written = std::str::from_utf8(sink.into_written()).unwrap();
    assert_eq!(written, expected);
    let (request, _) =
        Request::decode(written.as_bytes(), &["v2.bsatn.spacetimedb"]).unwrap().unwrap();
    assert_eq!((request.target, request.host, request.origin), (ask.target, ask.host, ask.origin));
    assert_eq!(request.protocol, Some("v2.bsatn.spacetimedb"));
}

/// What is no request for a WebSocket goes to the HTTP core, as it came.
#[test]
fn one_port_serves_pages_and_web_sockets() {
    response! { static PAGE = 200, {}, b"page" }
    routes! { static SITE = { "/" => PAGE } }

    let answered = |head: &[u8]| {
        let mut output = vec![0; 512];
        let written = match Request::decode(head, &["chat"]) {
            Ok(Some((request, _))) => {
                let mut sink = SliceSink::new(&mut output);
                request.respond(&mut sink).unwrap();
                sink.written()
            }
            Ok(None) => 0,
            Err(Refusal::NotWebSocket | Refusal::NotGet | Refusal::NotHttp11) => {
                <Conn>::new(Protocol::Auto).feed(&SITE, head, &mut output).written
            }
            Err(refusal) => return refusal.response().to_vec(),
        };
        output.truncate(written);
        output
    };
    assert_eq!(answered(b"GET / HTTP/1.1\r\nhost: pi\r\n\r\n"), PAGE.http1());
    assert!(answered(b"HEAD / HTTP/1.1\r\nhost: pi\r\n\r\n").starts_with(b"HTTP/1.1 200 "));
    assert!(answered(b"GET / HTTP/1.0\r\nhost: pi\r\n\r\n").starts_with(b"HTTP/1.1 200 "));
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    assert_eq!(answered(preface)[3], 4, "a SETTINGS frame");
    assert!(answered(REQUEST.as_bytes()).starts_with(b"HTTP/1.1 101 "));
    let bad = REQUEST.replace("dGhl", "d").replace("Host", "host");
    assert!(answered(bad.as_bytes()).starts_with(b"HTTP/1.1 400 "));
}

/// What comes from elsewhere makes no second header.
#[test]
fn a_client_asks_nothing_that_is_no_request() {
    let refused = |ask: Ask<'_>| {
        let mut buffer = [0; 512];
        let mut sink = SliceSink::new(&mut buffer);
        let error = ClientHandshake::new(&[7; 16]).request(&ask, &mut sink).unwrap_err();
        assert_eq!((sink.written(), error.written), (0, 0));
        match error.kind {
            WriteErrorKind::Encode(error) => error,
            other => panic!("{other:?}"),
        }
    };
    for target in ["", "chat", "/a b", "/a\r\nx: y", "/\u{e4}"] {
        assert_eq!(refused(Ask { target, ..ASK }), BadField::Target, "{target:?}");
    }
    for host in ["", "a b", "a\r\nx: y"] {
        assert_eq!(refused(Ask { host, ..ASK }), BadField::Host);
        assert_eq!(refused(Ask { origin: Some(host), ..ASK }), BadField::Origin);
    }
    for name in ["", "a,b", "a b", "a\r\nx: y"] {
        let protocols = &["ok", name];
        assert_eq!(refused(Ask { protocols, ..ASK }), BadField::Protocol { index: 1 });
        let fields = &[("ok", "ok"), (name, "ok")];
        assert_eq!(refused(Ask { fields, ..ASK }), BadField::Field { index: 1 });
    }
    for value in ["a\r\nx: y", "a\0", "a\n", "\u{7f}"] {
        assert_eq!(refused(Ask { fields: &[("a", value)], ..ASK }), BadField::Field { index: 0 });
    }
}

/// No damage to one byte is taken for another request than the one that was sent, and none panics.
#[test]
fn damaged_heads_are_refused_or_harmless() {
    let mut random = Random(0xd0_6f00d);
    let (mut refused, mut taken) = (0, 0);
    for _ in 0..20_000 {
        let mut head = REQUEST.as_bytes().to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(head.len());
            match random.below(3) {
                0 => head[at] = random.next().to_le_bytes()[0],
                1 => drop(head.remove(at)),
                _ => head.insert(at, b"\r\n :,\t\0\x7f\xff"[random.below(9)]),
            }
        }
        match Request::decode(&head, &["chat"]) {
            Ok(Some((request, len))) => {
                taken += 1;
                assert!(len <= head.len() && head[..len].ends_with(b"\r\n\r\n"));
                assert!(request.host.bytes().all(|byte| byte.is_ascii_graphic()));
            }
            Ok(None) => {}
            Err(_) => refused += 1,
        }
        let _ = ClientHandshake::new(b"the sample nonce").response(&ASK, &head);
    }
    assert!(refused > 5000 && taken > 2000, "{refused} {taken}");
}
