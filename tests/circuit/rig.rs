//! A server with a counter, and the browser's side of a connection to it.

use std::collections::VecDeque;
use std::convert::Infallible;

use onewrite::circuit::event::{Data, Event};
use onewrite::circuit::hub::{
    Answer, Call, FromClient, FromServer, HANDSHAKE, JsResult, Message, Messages,
};
use onewrite::circuit::json::Text;
use onewrite::circuit::origin::Origin;
use onewrite::circuit::secret::{CircuitSecret, Random};
use onewrite::circuit::{
    BatchSink, Closed, Connection, Handled, Handler, JsCall, Location, Next, NotSent, Options,
    Server, Slot, Store,
};
use onewrite::error::WriteError;
use onewrite::render_batch::{Batch, Diff, Edit, Frame, Value};
use onewrite::sink::{Sink, SliceSink};
use onewrite::string_table::StringTable;
use onewrite::websocket::{self, Close, CloseCode, Limits, Receiver, Role, Sender};

pub(crate) const ORIGIN: &str = "http://pi.local";
pub(crate) const CLICK: u64 = 1;
pub(crate) const INPUT: u64 = 100;
const KEY: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];

pub(crate) type Table = StringTable<64>;
pub(crate) type Counting<St> = Server<'static, Counter, St, Table>;
pub(crate) type Conn = Connection<'static>;

/// Counts clicks, one counter a page.
pub(crate) struct Counter {
    /// What a marker may have as its descriptor.
    pub(crate) descriptor: &'static str,
    pub(crate) random: Option<u64>,
    pub(crate) opens: bool,
    /// What happened, for tests to look at.
    pub(crate) log: Vec<String>,
    /// Functions to call.
    pub(crate) calls: VecDeque<(&'static str, bool)>,
    /// What they are called with.
    pub(crate) arguments: &'static str,
    pub(crate) lets_go: bool,
    /// A text of so many bytes stands in the first batch.
    pub(crate) padding: usize,
    /// Frames and edits that cannot be.
    pub(crate) damage: bool,
}

impl Default for Counter {
    fn default() -> Self {
        Self {
            descriptor: "CfDJ8-demo",
            random: Some(1),
            opens: true,
            log: Vec::new(),
            calls: VecDeque::new(),
            arguments: "[1]",
            lets_go: true,
            padding: 0,
            damage: false,
        }
    }
}

pub(crate) struct Page {
    pub(crate) count: u32,
    pub(crate) text: String,
    shown: Option<(u32, String)>,
    roots: usize,
}

/// Numbers that are all different, and not random.
struct Numbers<'n>(&'n mut Option<u64>);

impl Random for Numbers<'_> {
    type Error = ();

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), ()> {
        let number = self.0.as_mut().ok_or(())?;
        for byte in bytes {
            *number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            *byte = (*number >> 56) as u8;
        }
        Ok(())
    }
}

impl Handler for Counter {
    type Page = Page;

    fn secret(&mut self) -> Option<CircuitSecret> {
        CircuitSecret::random(&mut Numbers(&mut self.random)).ok()
    }

    fn open(&mut self, base_uri: &str, uri: &str) -> Option<Page> {
        self.log.push(format!("open {base_uri} {uri}"));
        self.opens.then(|| Page { count: 0, text: String::new(), shown: None, roots: 0 })
    }

    fn root(&mut self, page: &mut Page, component: i32, descriptor: Text<'_>) -> bool {
        self.log.push(format!("root {component}"));
        page.roots += 1;
        descriptor == self.descriptor
    }

    fn event(&mut self, page: &mut Page, event: &Event<'_>) -> Handled {
        match (event.handler, event.data()) {
            (CLICK, Ok(Data::Mouse(_))) => page.count += 1,
            (INPUT, Ok(Data::Text(text))) => page.text = text.chars().collect(),
            (101, _) => return Handled::Gone,
            _ => return Handled::Unknown,
        }
        Handled::Done
    }

    fn render(&mut self, page: &mut Page, out: &mut dyn BatchSink) {
        let now = (page.count, page.text.clone());
        if page.shown.as_ref() == Some(&now) {
            return;
        }
        let (count, padding) = (page.count.to_string(), "x".repeat(self.padding));
        let result = if page.shown.is_none() {
            let mut frames = vec![
                Frame::element("h1", 2),
                Frame::text("Counter"),
                Frame::element("p", 4),
                Frame::attribute("role", Value::Str("status")),
                Frame::text("Current count: "),
                Frame::text(&count),
                Frame::element("button", 3),
                Frame::event_handler("onclick", CLICK),
                Frame::text("Click me"),
            ];
            if self.padding != 0 {
                frames.push(Frame::text(&padding));
            }
            let edits = [0, 2, 6].map(|frame| Edit::prepend_frame(frame / 3, frame));
            out.send(&Batch {
                diffs: &[Diff { component: 0, edits: &edits }],
                frames: &frames,
                ..Batch::default()
            })
        } else {
            let edits = [Edit::step_in(1), Edit::update_text(1, 0), Edit::step_out()];
            let wide = Frame::event_handler("onclick", u64::MAX);
            let frames = if self.damage { [wide, wide] } else { [Frame::text(&count), wide] };
            let frames = if self.damage { &frames[..] } else { &frames[..1] };
            let mut batch = Batch {
                diffs: &[Diff { component: 0, edits: &edits }],
                frames,
                ..Batch::default()
            };
            batch.options.js_safe = self.damage;
            out.send(&batch)
        };
        match result {
            Ok(()) => {
                page.shown = Some(now);
                assert_eq!(out.send(&Batch::default()), Err(NotSent::Once));
            }
            Err(NotSent::Later) => self.log.push("later".into()),
            Err(error) => self.log.push(format!("not sent: {error}")),
        }
    }

    fn js_call<'b>(&'b mut self, _page: &'b mut Page) -> Option<JsCall<'b>> {
        let (function, answered) = *self.calls.front()?;
        let arguments = self.arguments;
        Some(JsCall { function, arguments, result: JsResult::Value, object: 0, answered })
    }

    fn js_called(&mut self, _page: &mut Page, handle: u32) {
        let (function, _) = self.calls.pop_front().unwrap();
        self.log.push(format!("called {function} {handle}"));
    }

    fn js_answer(&mut self, _page: &mut Page, handle: u32, answer: Result<&str, &str>) {
        self.log.push(format!("answer {handle} {answer:?}"));
    }

    fn location_changed(&mut self, _page: &mut Page, location: &Location<'_>) {
        let Location { uri, state, intercepted } = location;
        self.log.push(format!("at {uri} {state:?} {intercepted}"));
    }

    fn location_changing(&mut self, _page: &mut Page, location: &Location<'_>) -> bool {
        self.log.push(format!("to {}", location.uri));
        self.lets_go
    }

    fn root_removed(&mut self, _page: &mut Page, component: i32) {
        self.log.push(format!("removed {component}"));
    }

    fn closed(&mut self, page: Page, why: Closed) {
        self.log.push(format!("closed {} {why:?}", page.count));
    }
}

pub(crate) fn server<St: Store + 'static>(slots: usize, options: Options) -> Counting<St> {
    let slots: Vec<_> = (0..slots).map(|_| Slot::new()).collect();
    Server::new(Counter::default(), slots.leak(), Table::new(), options)
        .with_strings(vec![0; 64].leak())
}

pub(crate) fn connection() -> Conn {
    Connection::new(Origin::new(ORIGIN).unwrap())
}

/// What a browser hears, each hub message as its bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    Hub(Vec<u8>),
    Close(Option<u16>),
    Pong(Vec<u8>),
}

impl Heard {
    /// For people, and for comparing whole conversations.
    pub(crate) fn line(&self) -> String {
        let message = match self {
            Self::Close(code) => return format!("closed {code:?}"),
            Self::Pong(payload) => return format!("pong {payload:?}"),
            Self::Hub(handshake) if handshake.ends_with(b"\x1e") => {
                return String::from_utf8(handshake[..handshake.len() - 1].into()).unwrap();
            }
            Self::Hub(message) => FromServer::decode(message).unwrap(),
        };
        match message {
            Message::Invocation { id: None, call } => match call {
                Answer::RenderBatch { id, .. } => format!("batch {id}"),
                Answer::AttachComponent { component, selector } => {
                    format!("attach {component} at {selector}")
                }
                Answer::EndInvokeDotNet { call, ok, result } => format!("end {call} {ok} {result}"),
                Answer::Error { text } => format!("error {text}"),
                Answer::BeginInvokeJs { handle, function, arguments, .. } => {
                    format!("call {handle} {function} {arguments}")
                }
                Answer::EndUpdateRootComponents { batch } => format!("updated {batch}"),
                Answer::EndLocationChanging { call, go } => format!("go {call} {go}"),
                other => panic!("{other:?}"),
            },
            Message::Completion { id, outcome } => format!("completion {id} {outcome:?}"),
            Message::Ping => "ping".into(),
            Message::Close { error, reconnect } => format!("hub close {error:?} {reconnect:?}"),
            other => panic!("{other:?}"),
        }
    }
}

/// The browser's end.
pub(crate) struct Browser {
    sender: Sender<websocket::Client>,
    receiver: Receiver<websocket::Client>,
    message: Vec<u8>,
    pub(crate) secret: String,
}

impl Browser {
    pub(crate) fn new() -> Self {
        Self {
            sender: Sender::new(),
            receiver: Receiver::new(Limits::NONE),
            message: Vec::new(),
            secret: String::new(),
        }
    }

    pub(crate) fn frame(&mut self, data: websocket::Data<'_>) -> Vec<u8> {
        let mut memory = vec![0; data.as_bytes().len() + websocket::Client::HEAD_ROOM];
        let mut sink = SliceSink::new(&mut memory);
        self.sender.message(data, KEY, &mut sink).unwrap();
        sink.into_written().to_vec()
    }

    pub(crate) fn handshake(&mut self) -> Vec<u8> {
        self.frame(websocket::Data::Text(HANDSHAKE))
    }

    pub(crate) fn binary(&mut self, payload: &[u8]) -> Vec<u8> {
        self.frame(websocket::Data::Binary(payload))
    }

    pub(crate) fn message(&mut self, message: &FromClient<'_>) -> Vec<u8> {
        self.binary(&encoded(message))
    }

    pub(crate) fn call(&mut self, call: Call<'_>) -> Vec<u8> {
        self.message(&Message::Invocation { id: None, call })
    }

    pub(crate) fn ask(&mut self, id: &str, call: Call<'_>) -> Vec<u8> {
        self.message(&Message::Invocation { id: Some(id), call })
    }

    pub(crate) fn start(&mut self) -> Vec<u8> {
        self.ask("0", START)
    }

    pub(crate) fn click(&mut self, number: u32) -> Vec<u8> {
        let number = number.to_string();
        self.call(click(&number))
    }

    pub(crate) fn acknowledge(&mut self, batch: u64) -> Vec<u8> {
        self.call(Call::OnRenderCompleted { batch, error: None })
    }

    pub(crate) fn close(&mut self, code: Option<CloseCode>) -> Vec<u8> {
        let mut memory = [0; 64];
        let mut sink = SliceSink::new(&mut memory);
        match code {
            Some(code) => self.sender.close(code, "", KEY, &mut sink).unwrap(),
            None => self.sender.close_silently(KEY, &mut sink).unwrap(),
        }
        sink.into_written().to_vec()
    }

    /// What `bytes` of the server's say.
    pub(crate) fn hear(&mut self, mut bytes: Vec<u8>) -> Vec<Heard> {
        let mut input = bytes.as_mut_slice();
        let mut heard = Vec::new();
        while let Some(event) = self.receiver.next(&mut input).unwrap() {
            match event {
                websocket::Event::Begin { .. } => self.message.clear(),
                websocket::Event::Piece(piece) => self.message.extend(piece),
                websocket::Event::End if self.message.ends_with(b"\x1e") => {
                    heard.push(Heard::Hub(self.message.clone()));
                }
                websocket::Event::End => {
                    for message in Messages::new(&self.message) {
                        let message = message.unwrap();
                        if let Ok(Message::Completion {
                            outcome: onewrite::circuit::hub::Outcome::Text(secret),
                            ..
                        }) = FromServer::decode(message)
                        {
                            self.secret = secret.into();
                        }
                        heard.push(Heard::Hub(message.into()));
                    }
                }
                websocket::Event::Close(Close { code, .. }) => {
                    heard.push(Heard::Close(code.map(CloseCode::get)));
                }
                websocket::Event::Pong(payload) => heard.push(Heard::Pong(payload.into())),
                websocket::Event::Ping(_) => panic!("the server sends no pings of this kind"),
            }
        }
        heard
    }

    pub(crate) fn lines(&mut self, bytes: Vec<u8>) -> Vec<String> {
        let heard = self.hear(bytes);
        let secret = self.secret.clone();
        let hide = |line: String| match secret.is_empty() {
            true => line,
            false => line.replace(&secret, "SECRET"),
        };
        heard.iter().map(|heard| hide(heard.line())).collect()
    }
}

pub(crate) fn encoded(message: &FromClient<'_>) -> Vec<u8> {
    let mut memory = vec![0; message.encoded_len()];
    message.encode(&mut SliceSink::new(&mut memory)).unwrap();
    memory
}

pub(crate) const START: Call<'static> = Call::StartCircuit {
    base_uri: "http://pi.local/",
    uri: "http://pi.local/counter",
    components: r#"[{"type":"server","sequence":0,"descriptor":"CfDJ8-demo","uniqueId":0}]"#,
    state: Some(""),
};

pub(crate) const CLICK_JSON: &str = r#"[{"eventHandlerId":1,"eventName":"click","eventFieldInfo":null},{"detail":1,"screenX":85,"screenY":239,"clientX":75,"clientY":142,"offsetX":42,"offsetY":14,"pageX":75,"pageY":142,"movementX":0,"movementY":0,"button":0,"buttons":0,"ctrlKey":false,"shiftKey":false,"altKey":false,"metaKey":false,"type":"click"}]"#;

pub(crate) const fn click(number: &str) -> Call<'_> {
    dispatch(number, CLICK_JSON)
}

pub(crate) const fn dispatch<'a>(number: &'a str, arguments: &'a str) -> Call<'a> {
    Call::BeginInvokeDotNetFromJs {
        call: Some(number),
        assembly: None,
        method: "DispatchEventAsync",
        object: 1,
        arguments,
    }
}

/// Everything that comes of `bytes`, in sinks that have `room` bytes, or as many as are asked for.
pub(crate) fn feed_in<St: Store>(
    conn: &mut Conn,
    server: &mut Counting<St>,
    bytes: &[u8],
    room: usize,
) -> (Vec<u8>, Next) {
    let mut bytes = bytes.to_vec();
    let mut input = bytes.as_mut_slice();
    let (mut out, mut room_now) = (Vec::new(), room);
    for _ in 0..100_000 {
        let mut memory = vec![0xa5; room_now];
        let mut sink = SliceSink::new(&mut memory);
        let next = conn.feed(server, &mut input, &mut sink).unwrap();
        out.extend_from_slice(sink.into_written());
        match next {
            Next::Flush { needed } => room_now = room.max(needed),
            next => return (out, next),
        }
    }
    panic!("no end of it");
}

pub(crate) fn feed<St: Store>(
    conn: &mut Conn,
    server: &mut Counting<St>,
    bytes: &[u8],
) -> (Vec<u8>, Next) {
    feed_in(conn, server, bytes, 1 << 16)
}

/// The same into a sink that lends nothing.
pub(crate) fn stream<St: Store>(
    conn: &mut Conn,
    server: &mut Counting<St>,
    bytes: &[u8],
) -> (Vec<u8>, Next) {
    let mut bytes = bytes.to_vec();
    let mut stream = Stream(Vec::new());
    let next = conn.feed(server, &mut bytes.as_mut_slice(), &mut stream).unwrap();
    (stream.0, next)
}

/// A sink that lends nothing.
pub(crate) struct Stream(pub(crate) Vec<u8>);

impl Sink for Stream {
    type Error = Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError<Infallible>> {
        self.0.extend(bytes);
        Ok(())
    }

    fn reserve(&mut self, _len: usize) -> Result<Option<&mut [u8]>, WriteError<Infallible>> {
        Ok(None)
    }
}

/// A browser with a circuit, and what it took to get there.
pub(crate) fn started<St: Store>(server: &mut Counting<St>) -> (Conn, Browser, Vec<String>) {
    let (mut conn, mut browser) = (connection(), Browser::new());
    let bytes = [browser.handshake(), browser.start()].concat();
    let (out, next) = feed(&mut conn, server, &bytes);
    assert_eq!(next, Next::Read);
    let lines = browser.lines(out);
    (conn, browser, lines)
}
