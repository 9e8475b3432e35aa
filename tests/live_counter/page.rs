//! A page in a browser, as far as its server can tell.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};

use onewrite::circuit::hub::{
    Answer, Call, FromClient, FromServer, HANDSHAKE, Message, Messages, Outcome,
};
use onewrite::render_batch::{BatchView, FrameView};
use onewrite::sink::SliceSink;
use onewrite::websocket::{Client, CloseCode, Data, Event, Limits, Receiver, Sender};

use super::child::{Server, response};

/// A connection, and what was shown on it.
pub(crate) struct Page {
    pub(crate) socket: TcpStream,
    receiver: Receiver<Client>,
    sender: Sender<Client>,
    input: Vec<u8>,
    message: Vec<u8>,
    /// What has come and was not looked at.
    lines: Vec<String>,
    origin: String,
    calls: u32,
    /// Elements with an id, and the handlers that they have.
    handlers: Vec<(String, u64)>,
    /// Texts of the batch that came last.
    pub(crate) texts: Vec<String>,
    pub(crate) secret: String,
    pub(crate) batch: u32,
}

/// A server that does not wait for pages when it is stopped.
pub(crate) fn start(arguments: &str) -> Option<Server> {
    Server::start(&format!("--grace 100 {arguments}"))
}

/// Asks for something and returns status and body.
pub(crate) fn ask(server: &Server, request: &str) -> (String, String) {
    let mut socket = server.connect();
    socket.write_all(request.as_bytes()).unwrap();
    let answer = String::from_utf8(response(&mut socket)).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head[9..12].to_owned(), body.to_owned())
}

/// What a test hook answers.
pub(crate) fn hook(server: &Server, name: &str) -> serde_json::Value {
    let request = format!("GET /_t/{name} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    let (status, body) = ask(server, &request);
    assert_eq!(status, "200", "{name}");
    serde_json::from_str(&body).unwrap()
}

/// The descriptor in a page that is loaded.
pub(crate) fn descriptor(server: &Server) -> String {
    let (_, page) = ask(server, &format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.address));
    let (_, rest) = page.split_once("\"descriptor\":\"").unwrap();
    rest.split_once("\"}-->").unwrap().0.to_owned()
}

/// A request for a token; `host` and `origin` as the fields have them.
pub(crate) fn negotiate(server: &Server, host: &str, origin: &str) -> (String, String) {
    let request = format!(
        "POST /_blazor/negotiate?negotiateVersion=1 HTTP/1.1\r\nHost: {host}\r\n{origin}Content-Length: 0\r\n\r\n"
    );
    let (status, body) = ask(server, &request);
    let token = body.split_once("\"connectionToken\":\"").map(|(_, rest)| rest[..32].to_owned());
    (status, token.unwrap_or_default())
}

/// A token for a page of the server itself.
pub(crate) fn token(server: &Server) -> String {
    let host = server.address.to_string();
    let (status, token) = negotiate(server, &host, &format!("Origin: http://{host}\r\n"));
    assert_eq!(status, "200");
    token
}

/// The request for a WebSocket.
pub(crate) fn upgrade(host: &str, origin: &str, token: &str) -> String {
    format!(
        "GET /_blazor?id={token} HTTP/1.1\r\nHost: {host}\r\n{origin}Upgrade: websocket\r\n\
         Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
}

impl Page {
    /// A connection behind its handshake, without a circuit.
    pub(crate) fn connect(server: &Server) -> Self {
        let host = server.address.to_string();
        let mut socket = server.connect();
        let request = upgrade(&host, &format!("Origin: http://{host}\r\n"), &token(server));
        socket.write_all(request.as_bytes()).unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            socket.read_exact(&mut byte).unwrap();
            head.extend(byte);
        }
        assert!(head.starts_with(b"HTTP/1.1 101 "), "{}", head.escape_ascii());
        Self {
            socket,
            receiver: Receiver::new(Limits { frame: 1 << 20, message: 1 << 20 }),
            sender: Sender::new(),
            input: Vec::new(),
            message: Vec::new(),
            lines: Vec::new(),
            origin: format!("http://{host}/"),
            calls: 0,
            handlers: Vec::new(),
            texts: Vec::new(),
            secret: String::new(),
            batch: 0,
        }
    }

    /// The same, with the hub's handshake.
    pub(crate) fn greeted(server: &Server) -> Self {
        let mut page = Self::connect(server);
        page.send(Data::Text(HANDSHAKE));
        assert_eq!(page.next(), "greeted");
        page
    }

    /// A page that shows something.
    pub(crate) fn open(server: &Server) -> Self {
        let descriptor = descriptor(server);
        let mut page = Self::greeted(server);
        page.start(&descriptor);
        for line in ["attach interop", "started", "attach component 0", "batch 2"] {
            assert_eq!(page.next(), line);
        }
        page
    }

    /// Asks for a circuit.
    pub(crate) fn start(&mut self, descriptor: &str) {
        let components =
            format!("[{{\"type\":\"server\",\"sequence\":0,\"descriptor\":\"{descriptor}\"}}]");
        let origin = self.origin.clone();
        self.start_with(&origin, &components);
    }

    pub(crate) fn start_with(&mut self, uri: &str, components: &str) {
        let call = Call::StartCircuit { base_uri: uri, uri, components, state: Some("") };
        self.call(Some("0"), call);
    }

    /// An event of an element; `data` is what the browser says about it.
    pub(crate) fn event(&mut self, element: &str, name: &str, field: &str, data: &str) {
        let known = |(id, _): &&(String, u64)| id == element;
        let handler = self.handlers.iter().find(known).expect(element).1;
        self.event_of(handler, name, field, data);
    }

    pub(crate) fn event_of(&mut self, handler: u64, name: &str, field: &str, data: &str) {
        self.calls += 1;
        let arguments = format!(
            "[{{\"eventHandlerId\":{handler},\"eventName\":\"{name}\",\"eventFieldInfo\":{field}}},{data}]"
        );
        let call = Call::BeginInvokeDotNetFromJs {
            call: Some(&self.calls.to_string()),
            assembly: None,
            method: "DispatchEventAsync",
            object: 1,
            arguments: &arguments,
        };
        self.call(None, call);
    }

    /// Clicks, and waits for what is shown then.
    pub(crate) fn click(&mut self, count: u32) {
        self.event("click", "click", "null", "{\"detail\":1,\"type\":\"click\"}");
        let (call, batch) = (self.calls, self.batch + 1);
        assert_eq!(self.next(), format!("end {call} true"));
        assert_eq!(self.next(), format!("batch {batch}"));
        assert_eq!(self.texts, [count.to_string()]);
    }

    /// Waits until something was said.
    pub(crate) fn next(&mut self) -> String {
        loop {
            if !self.lines.is_empty() {
                return self.lines.remove(0);
            }
            let mut piece = [0; 16 * 1024];
            match self.socket.read(&mut piece) {
                Ok(0) => return "gone".to_owned(),
                Ok(len) => self.take(&piece[..len]),
                Err(error) => return format!("gone: {:?}", error.kind()),
            }
        }
    }

    /// Waits for a line, whatever comes before.
    pub(crate) fn until(&mut self, line: &str) {
        loop {
            let next = self.next();
            assert!(next != "gone" || line == "gone", "{line}");
            if next == line {
                return;
            }
        }
    }

    pub(crate) fn call(&mut self, id: Option<&str>, call: Call<'_>) {
        let message = FromClient::Invocation { id, call };
        let mut room = vec![0; message.encoded_len()];
        let mut sink = SliceSink::new(&mut room);
        message.encode(&mut sink).unwrap();
        let message = sink.into_written().to_vec();
        self.send(Data::Binary(&message));
    }

    pub(crate) fn send(&mut self, data: Data<'_>) {
        let mut room = vec![0; data.as_bytes().len() + 14];
        let mut sink = SliceSink::new(&mut room);
        self.sender.message(data, [1, 2, 3, 4], &mut sink).unwrap();
        // A server that has closed for good hears nothing.
        self.socket.write_all(sink.into_written()).ok();
    }

    /// Bytes that are no frame of this sender's.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        // A server that has hung up is what some want to see.
        self.socket.write_all(bytes).ok();
    }

    pub(crate) fn leave(&mut self) {
        let mut room = [0; 16];
        let mut sink = SliceSink::new(&mut room);
        self.sender.close(CloseCode::GOING_AWAY, "", [1, 2, 3, 4], &mut sink).unwrap();
        self.socket.write_all(sink.into_written()).unwrap();
    }

    pub(crate) fn cut(self) {
        self.socket.shutdown(Shutdown::Both).unwrap();
    }

    fn take(&mut self, piece: &[u8]) {
        self.input.extend_from_slice(piece);
        let mut bytes = std::mem::take(&mut self.input);
        let mut input = bytes.as_mut_slice();
        loop {
            match self.receiver.next(&mut input).unwrap() {
                None => break,
                Some(Event::Begin { .. }) => self.message.clear(),
                Some(Event::Piece(piece)) => self.message.extend_from_slice(piece),
                Some(Event::End) => {
                    let message = std::mem::take(&mut self.message);
                    self.read(&message);
                }
                Some(Event::Close(close)) => {
                    let code = close.code.map_or(0, CloseCode::get);
                    self.lines.push(format!("closed {code}"));
                }
                Some(Event::Ping(_) | Event::Pong(_)) => {}
            }
        }
    }

    fn read(&mut self, payload: &[u8]) {
        match payload {
            b"{}\x1e" => return self.lines.push("greeted".into()),
            [b'{', .., 0x1e] => return self.lines.push("not greeted".into()),
            _ => {}
        }
        for message in Messages::new(payload) {
            let line = match FromServer::decode(message.unwrap()).unwrap() {
                Message::Ping => "ping".into(),
                Message::Close { .. } => "hub closed".into(),
                Message::Completion { outcome, .. } => match outcome {
                    Outcome::Text(secret) => {
                        self.secret = secret.to_owned();
                        "started".into()
                    }
                    outcome => format!("{outcome:?}"),
                },
                Message::Invocation { call, .. } => self.called(&call),
                other => format!("{other:?}"),
            };
            self.lines.push(line);
        }
    }

    fn called(&mut self, call: &Answer<'_>) -> String {
        match *call {
            Answer::BeginInvokeJs { .. } => "attach interop".into(),
            Answer::AttachComponent { component, .. } => format!("attach component {component}"),
            Answer::RenderBatch { id, batch } => {
                // One that it has is acknowledged once more, and not looked at.
                if u32::try_from(id).unwrap() > self.batch {
                    self.show(batch);
                    self.batch = u32::try_from(id).unwrap();
                }
                self.call(None, Call::OnRenderCompleted { batch: id, error: None });
                format!("batch {id}")
            }
            Answer::EndInvokeDotNet { call, ok, .. } => format!("end {call} {ok}"),
            Answer::Error { .. } => "error".into(),
            ref other => format!("{other:?}"),
        }
    }

    fn show(&mut self, batch: &[u8]) {
        let batch = BatchView::strict(batch).unwrap();
        let mut element = String::new();
        self.texts.clear();
        for frame in batch.frames() {
            match frame.view() {
                FrameView::Attribute { name: Some("id"), value: Some(id), .. } => {
                    id.clone_into(&mut element);
                }
                FrameView::Attribute { event, .. } if event != 0 => {
                    self.handlers.push((element.clone(), event));
                }
                FrameView::Text { content: Some(text) } => self.texts.push(text.to_owned()),
                _ => {}
            }
        }
    }
}
