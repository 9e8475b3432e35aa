//! Both ends of a WebSocket, and the hub messages that go over one.

use onewrite::circuit::hub::{Answer, Call, FromClient, FromServer, JsResult, Message, Outcome};
use onewrite::websocket::{
    Ask, Client, ClientHandshake, CloseCode, Data, Error, ErrorKind, Event, Kind, Part, Request,
    Sender, Server,
};

use super::writers::{Unit, Writer, in_turn, messages, of_sink};

pub(crate) const WRITERS: &[Writer] = &[
    Writer {
        name: "a server's frames",
        covers: &[
            "websocket::sender::Sender::message",
            "websocket::sender::Sender::fragment",
            "websocket::sender::Sender::ping",
            "websocket::sender::Sender::pong",
            "websocket::sender::Sender::close",
        ],
        unit: Unit::Message,
        start: || {
            in_turn(
                Sender::<Server>::new(),
                &[
                    |sender, out| of_sink(sender.message(Data::Text("Hello"), (), out)),
                    |sender, out| of_sink(sender.message(Data::Binary(&[0xee; 252]), (), out)),
                    |sender, out| of_sink(sender.message(Data::Binary(&[0xee; 253]), (), out)),
                    |sender, out| of_sink(sender.fragment(FIRST, b"first", (), out)),
                    |sender, out| of_sink(sender.ping(b"still there?", (), out)),
                    |sender, out| of_sink(sender.fragment(Part::Middle, &[0xdd; 300], (), out)),
                    |sender, out| of_sink(sender.pong(b"yes", (), out)),
                    |sender, out| of_sink(sender.fragment(Part::Last, b"", (), out)),
                    |sender, out| of_sink(sender.close(CloseCode::GOING_AWAY, "bye", (), out)),
                ],
            )
        },
    },
    Writer {
        name: "a client's frames",
        covers: &["websocket::sender::Sender::answer", "websocket::sender::Sender::close_silently"],
        unit: Unit::Message,
        start: || {
            in_turn(
                Sender::<Client>::new(),
                &[
                    |sender, out| of_sink(sender.message(Data::Text("Hello"), KEY, out)),
                    |sender, out| of_sink(sender.message(Data::Binary(&[0xee; 600]), KEY, out)),
                    |sender, out| of_sink(sender.fragment(FIRST, &[0xdd; 249], KEY, out)),
                    |sender, out| of_sink(sender.answer(&Event::Ping(b"ping"), KEY, out)),
                    |sender, out| of_sink(sender.fragment(Part::Last, b"last", KEY, out)),
                    |sender, out| of_sink(sender.close_silently(KEY, out)),
                ],
            )
        },
    },
    Writer {
        name: "a frame that says what went wrong",
        covers: &["websocket::sender::Sender::fail"],
        unit: Unit::Message,
        start: || {
            in_turn(
                Sender::<Client>::new(),
                &[
                    |sender, out| {
                        let error = Error { at: 7, kind: ErrorKind::InvalidUtf8 };
                        let outcome = of_sink(sender.fail(error, KEY, out));
                        assert_eq!(sender.is_closed(), outcome.is_ok());
                        outcome
                    },
                    // There is nothing to say behind it.
                    |sender, out| of_sink(sender.answer(&Event::Ping(b"ping"), KEY, out)),
                ],
            )
        },
    },
    Writer {
        name: "a client's handshake",
        covers: &["websocket::handshake::client::ClientHandshake::request"],
        unit: Unit::Message,
        start: || {
            messages(&[|(), out| {
                let fields = [("authorization", LONG)];
                let ask = Ask {
                    host: "pi.local",
                    target: "/v1/database/lamps/subscribe",
                    origin: Some("http://pi.local"),
                    protocols: &["v2", "v3"],
                    fields: &fields,
                };
                of_sink(ClientHandshake::new(&[7; 16]).request(&ask, out))
            }])
        },
    },
    Writer {
        name: "a server's handshake",
        covers: &["websocket::handshake::server::Request::respond"],
        unit: Unit::Message,
        start: || {
            messages(&[|(), out| {
                let (request, _) = Request::decode(ASKED, &["v2"]).unwrap().unwrap();
                of_sink(request.respond(out))
            }])
        },
    },
    Writer {
        name: "hub messages",
        covers: &["circuit::hub::message::Message::encode"],
        unit: Unit::Message,
        start: || {
            messages(&[
                |(), out| {
                    let call = Answer::RenderBatch { id: 3, batch: &[0xbb; 300] };
                    of_sink(FromServer::encode(&Message::Invocation { id: None, call }, out))
                },
                |(), out| {
                    let call = Answer::BeginInvokeJs {
                        handle: 1,
                        function: "alert",
                        arguments: LONG,
                        result: JsResult::Void,
                        object: 0,
                    };
                    of_sink(FromServer::encode(&Message::Invocation { id: None, call }, out))
                },
                |(), out| {
                    let outcome = Outcome::Text("a secret");
                    of_sink(FromServer::encode(&Message::Completion { id: "0", outcome }, out))
                },
                |(), out| of_sink(FromClient::encode(&Message::Ping, out)),
                |(), out| {
                    let call = Call::OnRenderCompleted { batch: 300, error: Some("TypeError") };
                    of_sink(FromClient::encode(&Message::Invocation { id: None, call }, out))
                },
            ])
        },
    },
];

pub(crate) const KEY: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];
const FIRST: Part = Part::First(Kind::Binary);
const LONG: &str = match str::from_utf8(&[b'a'; 400]) {
    Ok(long) => long,
    Err(_) => "",
};
const ASKED: &[u8] = b"GET /chat HTTP/1.1\r\nhost: pi.local\r\nupgrade: websocket\r\n\
    connection: Upgrade\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
    sec-websocket-version: 13\r\nsec-websocket-protocol: v2\r\n\r\n";
