//! One connection: its socket, its handshake, what comes in and what goes out.

use std::fmt;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::{Duration, Instant};

use onewrite::bsatn::{StreamError, StreamErrorKind};
use onewrite::spacetimedb::connection::{
    Connection, ConnectionError, ConnectionErrorKind, Incoming,
};
use onewrite::spacetimedb::stream::Version;
use onewrite::spacetimedb::{Address, Compression, Queries, Request, bearer};
use onewrite::websocket::{
    Ask, Client, ClientHandshake, CloseCode, Kind, Limits, Opened, Part, ResponseError, Role as _,
    Sender,
};

use super::arguments::{Arguments, QUERIES};
use super::call::Call;
use super::state::{Asked, QUERY_SET, State};
use super::tables::{MOST, Problem, ROW};

/// Bytes that are read at once: a server's frame.
const INPUT: usize = 4_096;
/// Bytes of the longest message that is sent, and of all that is composed for a handshake.
const OUTPUT: usize = 64 * 1_024;
/// For how long a socket may keep the thread from looking at the clock.
const TICK: Duration = Duration::from_millis(20);
/// For how long one may take to connect, or to take what is sent.
const PATIENCE: Duration = Duration::from_secs(10);
/// For how long the answer to a close frame is waited for.
const LINGER: Duration = Duration::from_millis(500);

/// All memory of a connection; kept from one to the next.
#[derive(Debug)]
pub(crate) struct Memory {
    input: Box<[u8]>,
    output: Box<[u8]>,
    /// For rows that differ in length, a number each.
    offsets: Box<[u32]>,
    /// For compressed payloads, and for what they inflate to; empty where there are none.
    payload: Box<[u8]>,
    body: Box<[u8]>,
}

impl Memory {
    pub(crate) fn new(arguments: &Arguments) -> Self {
        let zeros = |len: usize| vec![0; len].into_boxed_slice();
        let rows = usize::try_from(arguments.capacity).unwrap_or(0);
        let compressed = match arguments.compression.into() {
            Compression::None => 0,
            _ => arguments.max_message,
        };
        Self {
            input: zeros(INPUT),
            output: zeros(OUTPUT),
            // What a table loses and what it gains are two lists.
            offsets: vec![0; rows].into_boxed_slice(),
            payload: zeros(compressed),
            body: zeros(compressed),
        }
    }
}

/// How a connection has ended.
#[derive(Debug)]
pub(crate) enum Ended {
    /// There is nothing more to do.
    Done,
    /// It may be better next time.
    Lost(Trouble),
    /// It would be the same next time.
    Refused(Trouble),
}

/// Why.
#[derive(Debug)]
pub(crate) enum Trouble {
    Connect(io::Error),
    /// The address, the token or a query cannot be sent.
    Request(String),
    /// What the server answers is no WebSocket.
    Response(ResponseError),
    /// The answer does not end, or no subprotocol is in it.
    Answer(&'static str),
    Socket(io::Error),
    HungUp {
        inside: bool,
    },
    Silent,
    Closed {
        code: Option<u16>,
        reason: String,
    },
    Connection(ConnectionError),
    Rows(Problem),
    Subscription,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connect(error) => write!(f, "no connection: {error}"),
            Self::Request(why) => write!(f, "cannot be sent: {why}"),
            Self::Response(error) => error.fmt(f),
            Self::Answer(what) => f.write_str(what),
            Self::Socket(error) => write!(f, "connection lost: {error}"),
            Self::HungUp { inside: true } => f.write_str("server hung up inside a message"),
            Self::HungUp { inside: false } => f.write_str("server hung up"),
            Self::Silent => f.write_str("server is silent"),
            Self::Closed { code: Some(code), reason } => {
                write!(f, "server closed with {code} {reason}")
            }
            Self::Closed { code: None, .. } => f.write_str("server closed without a reason"),
            Self::Connection(error) => {
                error.fmt(f)?;
                flag(error.kind).map_or(Ok(()), |flag| write!(f, "; {flag} makes room"))
            }
            Self::Rows(problem) => problem.fmt(f),
            Self::Subscription => f.write_str("the subscription was refused"),
        }
    }
}

/// What an error is to be met with that is a lack of room.
const fn flag(kind: ConnectionErrorKind) -> Option<&'static str> {
    match kind {
        ConnectionErrorKind::NeedsPayloadRoom { .. }
        | ConnectionErrorKind::NeedsBodyRoom { .. } => Some("--max-message"),
        ConnectionErrorKind::Message(StreamError {
            kind: StreamErrorKind::NeedsOffsets { rows: ..=MOST },
            ..
        }) => Some("--capacity"),
        _ => None,
    }
}

impl Trouble {
    /// Whether it would be the same next time.
    fn is_lasting(&self) -> bool {
        match self {
            Self::Request(_) | Self::Subscription | Self::Answer(_) => true,
            // Too much to do, and trouble of its own, pass; what was wrong with the request does not.
            Self::Response(ResponseError::Status { code }) => {
                !matches!(code, 408 | 429 | 500..=599)
            }
            Self::Response(_) => true,
            Self::Connection(error) => error.close_code() == CloseCode::TOO_LARGE,
            Self::Rows(problem) => problem.is_lasting(),
            _ => false,
        }
    }
}

impl From<Trouble> for Ended {
    fn from(trouble: Trouble) -> Self {
        if trouble.is_lasting() { Self::Refused(trouble) } else { Self::Lost(trouble) }
    }
}

/// A connection that is a WebSocket.
#[derive(Debug)]
pub(crate) struct Session<'m> {
    socket: TcpStream,
    sender: Sender<Client>,
    version: Version,
    output: &'m mut [u8],
    heard: Instant,
    pinged: bool,
}

impl<'m> Session<'m> {
    /// Connects, subscribes, and reads until there is a reason not to.
    pub(crate) fn run<const N: usize>(
        state: &mut State<'_, N>,
        memory: &'m mut Memory,
        end: Option<Instant>,
    ) -> Ended {
        let Memory { input, output, offsets, payload, body } = memory;
        let opened = open(state, input, output, end);
        let (socket, version, head, filled) = match opened {
            Ok(Some(opened)) => opened,
            Ok(None) => return Ended::Done,
            Err(trouble) => return trouble.into(),
        };
        let mut connection = Connection::<ROW>::new(version, Limits::NONE);
        connection.stream().lend(offsets);
        // There is nothing yet that could not move.
        let _ = connection.lend_payload(payload);
        let _ = connection.lend_body(body);
        let heard = Instant::now();
        let mut session =
            Session { socket, sender: Sender::new(), version, output, heard, pinged: false };
        let result = session.talk(state, &mut connection, input, (head, filled), end);
        state.printer.flush();
        match result {
            Ok(()) => {
                session.close(state, CloseCode::NORMAL);
                session.linger(input);
                Ended::Done
            }
            Err(trouble) => {
                let code = match &trouble {
                    Trouble::Connection(error) => Some(error.close_code()),
                    Trouble::Rows(_) => Some(CloseCode::POLICY_VIOLATION),
                    Trouble::Subscription => Some(CloseCode::NORMAL),
                    Trouble::Silent => Some(CloseCode::GOING_AWAY),
                    _ => None,
                };
                if let Some(code) = code {
                    session.close(state, code);
                }
                trouble.into()
            }
        }
    }

    fn talk<const N: usize>(
        &mut self,
        state: &mut State<'_, N>,
        connection: &mut Connection<'_, ROW>,
        input: &mut [u8],
        (head, filled): (usize, usize),
        end: Option<Instant>,
    ) -> Result<(), Trouble> {
        self.subscribe(state)?;
        // Behind the response there may be frames already.
        self.take(state, connection, input.get_mut(head..filled).unwrap_or_default())?;
        loop {
            if state.is_refused() {
                return Err(Trouble::Subscription);
            }
            while let Some((id, call)) = state.next_call() {
                self.call(state, id, call)?;
            }
            let now = Instant::now();
            if state.is_done() || end.is_some_and(|end| now >= end) {
                return Ok(());
            }
            self.look_at_the_clock(state, now)?;
            let arrived = match self.socket.read(input) {
                Ok(0) => return Err(Trouble::HungUp { inside: !connection.is_between() }),
                Ok(count) => input.get_mut(..count).unwrap_or_default(),
                Err(error) if is_idle(&error) => {
                    state.printer.flush();
                    continue;
                }
                Err(error) => return Err(Trouble::Socket(error)),
            };
            (self.heard, self.pinged) = (now, false);
            self.take(state, connection, arrived)?;
        }
    }

    /// Reads what has arrived.
    fn take<const N: usize>(
        &mut self,
        state: &mut State<'_, N>,
        connection: &mut Connection<'_, ROW>,
        arrived: &mut [u8],
    ) -> Result<(), Trouble> {
        let mut feed = connection.feed(arrived);
        while let Some(incoming) = feed.next().map_err(Trouble::Connection)? {
            match incoming {
                Incoming::Part(event) => state.part(&event).map_err(Trouble::Rows)?,
                Incoming::Ping(payload) => {
                    let mut sink = onewrite::sink::SliceSink::new(self.output);
                    // There is room for it, and nothing was closed.
                    let _ = self.sender.pong(payload, state.random.mask(), &mut sink);
                    self.socket.write_all(sink.into_written()).map_err(Trouble::Socket)?;
                }
                Incoming::Close(close) => {
                    let reason = close.reason.to_owned();
                    let code = close.code.map(CloseCode::get);
                    self.close(state, close.code.unwrap_or(CloseCode::NORMAL));
                    return Err(Trouble::Closed { code, reason });
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn subscribe<const N: usize>(&mut self, state: &mut State<'_, N>) -> Result<(), Trouble> {
        if state.arguments.queries.is_empty() {
            return Ok(());
        }
        // Not more than there is room for: see `Arguments`.
        let queries: heapless::Vec<&str, QUERIES> =
            state.arguments.queries.iter().map(String::as_str).take(QUERIES).collect();
        let queries = Queries::new(&queries);
        let request = Request::Subscribe { query_set_id: QUERY_SET, queries };
        let id = state.pending.begin(Asked::Subscription);
        let id = id.map_err(|error| Trouble::Request(error.to_string()))?;
        self.send(state, id, &request)
    }

    fn call<const N: usize>(
        &mut self,
        state: &mut State<'_, N>,
        id: u32,
        call: &Call,
    ) -> Result<(), Trouble> {
        let request = Request::CallReducer { reducer: &call.reducer, args: call.args.as_slice() };
        self.send(state, id, &request)
    }

    /// Sends one message as one masked frame.
    fn send<const N: usize>(
        &mut self,
        state: &mut State<'_, N>,
        id: u32,
        request: &Request<'_>,
    ) -> Result<(), Trouble> {
        let unsendable = |error: &dyn fmt::Display| Trouble::Request(error.to_string());
        let room = self.output.get_mut(Client::HEAD_ROOM..).unwrap_or_default();
        let written = request.write_into(self.version, id, room);
        let len = written.map_err(|error| unsendable(&error))?;
        let part = Part::Whole(Kind::Binary);
        let frame = self.sender.seal(part, self.output, len, state.random.mask());
        let frame = frame.map_err(|error| unsendable(&error))?;
        self.socket.write_all(frame).map_err(Trouble::Socket)
    }

    fn look_at_the_clock<const N: usize>(
        &mut self,
        state: &mut State<'_, N>,
        now: Instant,
    ) -> Result<(), Trouble> {
        let (idle, silence) = (state.arguments.idle(), now.duration_since(self.heard));
        if silence >= idle {
            return Err(Trouble::Silent);
        }
        if silence >= idle / 2 && !self.pinged {
            self.pinged = true;
            let mut sink = onewrite::sink::SliceSink::new(self.output);
            let _ = self.sender.ping(b"", state.random.mask(), &mut sink);
            self.socket.write_all(sink.into_written()).map_err(Trouble::Socket)?;
        }
        Ok(())
    }

    /// Says that this end closes; whether that arrives is up to the other.
    fn close<const N: usize>(&mut self, state: &mut State<'_, N>, code: CloseCode) {
        let mut sink = onewrite::sink::SliceSink::new(self.output);
        if self.sender.close(code, "", state.random.mask(), &mut sink).is_ok() {
            self.socket.write_all(sink.into_written()).ok();
        }
    }

    /// Waits for the server to close, as it has to do first.
    fn linger(&mut self, input: &mut [u8]) {
        let end = Instant::now() + LINGER;
        while Instant::now() < end {
            match self.socket.read(input) {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) if is_idle(&error) => {}
                Err(_) => return,
            }
        }
    }
}

type Open = (TcpStream, Version, usize, usize);

/// Connects and shakes hands: the socket, the version, and where in `input` frames begin and end; `None`
/// where there is no time left.
fn open<const N: usize>(
    state: &mut State<'_, N>,
    input: &mut [u8],
    output: &mut [u8],
    end: Option<Instant>,
) -> Result<Option<Open>, Trouble> {
    let arguments = state.arguments;
    let mut socket = connect(&arguments.server).map_err(Trouble::Connect)?;
    let address =
        Address { compression: arguments.compression.into(), ..Address::of(&arguments.database) };
    let (for_target, rest) = output.split_at_mut(OUTPUT / 4);
    let (for_token, request) = rest.split_at_mut(OUTPUT / 4);
    let unsendable = |error: &dyn fmt::Display| Trouble::Request(error.to_string());
    let target = address.target(for_target).map_err(|error| unsendable(&error))?;
    let token = state.token.as_deref().map(|token| bearer(token, for_token)).transpose();
    let token = token.map_err(|error| unsendable(&error))?;
    let fields = [("authorization", token.unwrap_or_default())];
    let ask = Ask {
        host: &arguments.server,
        target,
        origin: None,
        protocols: arguments.protocol.names(),
        fields: if token.is_some() { &fields } else { &[] },
    };
    let handshake = ClientHandshake::new(&state.random.sixteen());
    let mut sink = onewrite::sink::SliceSink::new(request);
    handshake.request(&ask, &mut sink).map_err(|error| unsendable(&error))?;
    socket.write_all(sink.into_written()).map_err(Trouble::Socket)?;
    let (begun, mut filled) = (Instant::now(), 0);
    loop {
        let head = input.get(..filled).unwrap_or_default();
        let response = handshake.response(&ask, head).map_err(Trouble::Response)?;
        if let Some(Opened { protocol, len }) = response {
            let version = protocol.and_then(Version::from_subprotocol);
            let version = version.ok_or(Trouble::Answer("server has chosen no subprotocol"))?;
            return Ok(Some((socket, version, len, filled)));
        }
        if filled == input.len() {
            return Err(Trouble::Answer("server's response is longer than 4096 bytes"));
        }
        if begun.elapsed() >= arguments.idle() {
            return Err(Trouble::Silent);
        }
        if end.is_some_and(|end| Instant::now() >= end) {
            return Ok(None);
        }
        match socket.read(input.get_mut(filled..).unwrap_or_default()) {
            Ok(0) => return Err(Trouble::HungUp { inside: filled != 0 }),
            Ok(count) => filled += count,
            Err(error) if is_idle(&error) => {}
            Err(error) => return Err(Trouble::Socket(error)),
        }
    }
}

fn connect(host: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::from(ErrorKind::AddrNotAvailable);
    for address in host.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(socket) => {
                socket.set_nodelay(true)?;
                socket.set_read_timeout(Some(TICK))?;
                socket.set_write_timeout(Some(PATIENCE))?;
                return Ok(socket);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Whether a read has only run out of its time.
fn is_idle(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}
