//! One page: what it was sent, and what it sends.

use std::io::{ErrorKind, Read as _, Write as _};
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use onewrite::circuit::hub::{
    Answer, Call, FromClient, FromServer, HANDSHAKE, Message, Messages, Outcome,
};
use onewrite::render_batch::{BatchView, FrameView};
use onewrite::sink::SliceSink;
use onewrite::websocket::{Client as Role, CloseCode, Data, Event, Limits, Receiver, Sender};
use serde_json::{Value as Json, json};

use super::random::Random;
use super::visit::Visit;

/// A page and its connection.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) socket: TcpStream,
    origin: String,
    marker: Json,
    random: Random,
    receiver: Receiver<Role>,
    sender: Sender<Role>,
    /// The message that is arriving.
    message: Vec<u8>,
    /// What the socket has not taken yet.
    waiting: Vec<u8>,
    /// The handshake was answered.
    greeted: bool,
    /// The handler of the button, once the page is there.
    button: Option<u64>,
    calls: u64,
    said: Instant,
    clicked: Option<Instant>,
    /// What the page shows.
    pub(crate) count: u64,
    /// What came of the click, until it is taken.
    pub(crate) took: Option<Duration>,
}

impl Client {
    /// A page that has just been loaded.
    pub(crate) fn new(server: &str, timeout: Duration) -> Result<Self, String> {
        let mut random = Random::new();
        let Visit { socket, marker, rest } = Visit::pay(server, timeout, &mut random)?;
        socket.set_nonblocking(true).map_err(|error| error.to_string())?;
        let mut client = Self {
            socket: TcpStream::from_std(socket),
            origin: format!("http://{server}/"),
            marker,
            random,
            receiver: Receiver::new(Limits::DEFAULT),
            sender: Sender::new(),
            message: Vec::new(),
            waiting: Vec::new(),
            greeted: false,
            button: None,
            calls: 0,
            said: Instant::now(),
            clicked: None,
            count: 0,
            took: None,
        };
        client.send(Data::Text(HANDSHAKE))?;
        client.take(rest)?;
        Ok(client)
    }

    /// Whether the page can be clicked in.
    pub(crate) const fn is_ready(&self) -> bool {
        self.button.is_some()
    }

    /// When it has said something last.
    pub(crate) const fn said(&self) -> Instant {
        self.said
    }

    /// How long the last click has not been in the page yet.
    pub(crate) fn waits(&self) -> Option<Duration> {
        self.clicked.map(|clicked| clicked.elapsed())
    }

    /// Clicks on the button.
    pub(crate) fn click(&mut self) -> Result<(), String> {
        let button = self.button.ok_or("there is no button")?;
        self.calls += 1;
        let call = self.calls.to_string();
        let arguments = CLICK.replace("HANDLER", &button.to_string());
        self.clicked = Some(Instant::now());
        self.call(
            None,
            Call::BeginInvokeDotNetFromJs {
                call: Some(&call),
                assembly: None,
                method: "DispatchEventAsync",
                object: 1,
                arguments: &arguments,
            },
        )
    }

    /// A sign of life.
    pub(crate) fn ping(&mut self) -> Result<(), String> {
        self.encode(&FromClient::Ping)
    }

    /// Says that the page is left.
    pub(crate) fn leave(&mut self) -> Result<(), String> {
        let mask = self.random.mask();
        let mut room = [0; 16];
        let mut sink = SliceSink::new(&mut room);
        let closed = self.sender.close(CloseCode::GOING_AWAY, "", mask, &mut sink);
        closed.map_err(|error| error.to_string())?;
        self.waiting.extend_from_slice(sink.into_written());
        self.flush()
    }

    /// Reads what has come and answers it.
    pub(crate) fn read(&mut self) -> Result<(), String> {
        loop {
            let mut piece = [0; 16 * 1024];
            match self.socket.read(&mut piece) {
                Ok(0) => return Err("the server closed the connection".to_owned()),
                Ok(len) => self.take(piece.get(..len).unwrap_or_default().to_vec())?,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.to_string()),
            }
        }
    }

    /// Sends what has waited.
    pub(crate) fn flush(&mut self) -> Result<(), String> {
        while !self.waiting.is_empty() {
            match self.socket.write(&self.waiting) {
                Ok(len) => drop(self.waiting.drain(..len)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        Ok(())
    }

    fn take(&mut self, mut bytes: Vec<u8>) -> Result<(), String> {
        let mut input = bytes.as_mut_slice();
        loop {
            let event = self.receiver.next(&mut input).map_err(|error| error.to_string())?;
            match event {
                None => return Ok(()),
                Some(Event::Begin { .. }) => self.message.clear(),
                Some(Event::Piece(piece)) => self.message.extend_from_slice(piece),
                Some(Event::End) => {
                    let message = std::mem::take(&mut self.message);
                    self.messages(&message)?;
                    self.message = message;
                }
                Some(Event::Close(close)) => return Err(format!("closed: {close:?}")),
                // The server does not ask for an answer.
                Some(Event::Ping(_) | Event::Pong(_)) => {}
            }
        }
    }

    fn messages(&mut self, payload: &[u8]) -> Result<(), String> {
        if !self.greeted {
            if payload != b"{}\x1e" {
                return Err(format!("handshake: {}", payload.escape_ascii()));
            }
            self.greeted = true;
            return self.start();
        }
        for message in Messages::new(payload) {
            let message = message.and_then(FromServer::decode);
            match message.map_err(|error| error.to_string())? {
                Message::Invocation { call, .. } => self.answer(&call)?,
                Message::Completion { outcome: Outcome::Error(text), .. } => {
                    return Err(text.into());
                }
                Message::Close { error, .. } => return Err(format!("closed: {error:?}")),
                _ => {}
            }
        }
        Ok(())
    }

    /// Asks for the page's content, as the script does that the marker is for.
    fn start(&mut self) -> Result<(), String> {
        let is_web = self.marker.get("key").is_some();
        let components = if is_web { json!([]) } else { json!([self.marker]) }.to_string();
        let origin = self.origin.clone();
        let start = Call::StartCircuit {
            base_uri: &origin,
            uri: &origin,
            components: &components,
            state: Some(""),
        };
        self.call(Some("0"), start)?;
        if is_web {
            let add = json!({ "type": "add", "ssrComponentId": 1, "marker": self.marker });
            let operations = json!({ "batchId": 1, "operations": [add] }).to_string();
            self.call(None, Call::UpdateRootComponents { operations: &operations, state: "" })?;
        }
        Ok(())
    }

    fn answer(&mut self, answer: &Answer<'_>) -> Result<(), String> {
        match *answer {
            Answer::RenderBatch { id, batch } => {
                self.show(batch)?;
                self.call(None, Call::OnRenderCompleted { batch: id, error: None })
            }
            Answer::EndInvokeDotNet { ok: false, result, .. } => Err(result.to_owned()),
            Answer::Error { text } => Err(text.to_owned()),
            _ => Ok(()),
        }
    }

    /// Looks in a batch for the button, and for the count that the click was for.
    fn show(&mut self, batch: &[u8]) -> Result<(), String> {
        let batch = BatchView::strict(batch).map_err(|error| format!("batch: {error}"))?;
        let mut is_button = false;
        for frame in batch.frames() {
            match frame.view() {
                FrameView::Element { .. } => is_button = false,
                FrameView::Attribute { name: Some("id"), value: Some("click"), .. } => {
                    is_button = true;
                }
                FrameView::Attribute { name: Some("onclick"), event, .. } if is_button => {
                    self.button = Some(event);
                }
                FrameView::Text { content: Some(text) } => self.text(text)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), String> {
        let (Some(clicked), Ok(count)) = (self.clicked, text.parse::<u64>()) else { return Ok(()) };
        if count != self.count + 1 {
            return Err(format!("{count} came after {}", self.count));
        }
        self.count = count;
        self.clicked = None;
        self.took = Some(clicked.elapsed());
        Ok(())
    }

    fn call(&mut self, id: Option<&str>, call: Call<'_>) -> Result<(), String> {
        self.encode(&FromClient::Invocation { id, call })
    }

    fn encode(&mut self, message: &FromClient<'_>) -> Result<(), String> {
        let mut room = vec![0; message.encoded_len()];
        let mut sink = SliceSink::new(&mut room);
        message.encode(&mut sink).map_err(|error| error.to_string())?;
        self.send(Data::Binary(sink.into_written()))
    }

    fn send(&mut self, data: Data<'_>) -> Result<(), String> {
        let mut room = vec![0; data.as_bytes().len() + 14];
        let mut sink = SliceSink::new(&mut room);
        let mask = self.random.mask();
        self.said = Instant::now();
        self.sender.message(data, mask, &mut sink).map_err(|error| error.to_string())?;
        self.waiting.extend_from_slice(sink.into_written());
        self.flush()
    }
}

/// The arguments of a click as a browser sends them.
const CLICK: &str = r#"[{"eventHandlerId":HANDLER,"eventName":"click","eventFieldInfo":null},{"detail":1,"screenX":85,"screenY":239,"clientX":75,"clientY":142,"offsetX":42,"offsetY":14,"pageX":75,"pageY":142,"movementX":0,"movementY":0,"button":0,"buttons":0,"ctrlKey":false,"shiftKey":false,"altKey":false,"metaKey":false,"type":"click"}]"#;
