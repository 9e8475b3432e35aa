//! The server: one thread, one poll, all connections.
#![allow(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "a program for the host; one prefix for everything reads better"
)]

mod arguments;
mod connection;
mod door;
mod signals;

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser as _;
use mio::event::Event;
use mio::net::TcpStream;
use mio::{Events, Poll, Token};
use onewrite::http::{Protocol, Routes};

use self::arguments::{Arguments, Timeouts};
use self::connection::{Buffers, Connection, Fate};
use self::door::{Door, Guest};
use self::signals::Signals;
use crate::site::{self, Site};

/// It was stopped.
const STOPPED: u8 = 0;
/// It could not go on.
const FAILED: u8 = 1;
/// It never began.
const USAGE: u8 = 2;

/// Does what `arguments` ask, the first of which is the program's name; returns the exit code.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let code = if error.use_stderr() { USAGE } else { STOPPED };
            error.print().ok();
            return code;
        }
    };
    let mut server = match Server::bind(&arguments) {
        Ok(server) => server,
        Err(error) => {
            eprintln!("http_server: {error}");
            return USAGE;
        }
    };
    match server.run() {
        Ok(()) => STOPPED,
        Err(error) => {
            eprintln!("http_server: {error}");
            FAILED
        }
    }
}

const LISTENER: Token = Token(0);
const SIGNALS: Token = Token(1);
/// The token of the first connection; the others count on.
const FIRST: usize = 2;

/// Events taken from the system at a time.
const EVENTS: usize = 256;

/// How often the clock is looked at while there are connections.
const TICK: Duration = Duration::from_millis(250);

/// Everything the process has.
struct Server {
    poll: Poll,
    door: Door,
    signals: Signals,
    protocol: Protocol,
    routes: &'static Routes<'static>,
    site: Site,
    timeouts: Timeouts,
    tick: Duration,
    /// The wait after a turn.
    coalesce: Option<Duration>,
    buffers: Buffers,
    /// By token; a box each, so that a place that is free costs a pointer.
    connections: Vec<Option<Box<Connection>>>,
    free: Vec<usize>,
    /// Connections whose turn ended before they were done.
    again: Vec<usize>,
    /// When it has to be over; set by the first signal.
    end: Option<Instant>,
}

impl Server {
    fn bind(arguments: &Arguments) -> io::Result<Self> {
        let poll = Poll::new()?;
        let protocol = arguments.protocol.into();
        let limit = usize::try_from(arguments.connections).unwrap_or(usize::MAX);
        let mut door = Door::bind(arguments.address(), protocol, limit)?;
        let mut signals = Signals::new()?;
        let address = door.register(poll.registry(), LISTENER)?;
        signals.register(poll.registry(), SIGNALS)?;
        door::announce(address)?;
        let timeouts = arguments.timeouts();
        let shortest = timeouts.idle.min(timeouts.head).min(timeouts.body).min(timeouts.write);
        Ok(Self {
            poll,
            door,
            signals,
            protocol,
            routes: &site::ROUTES,
            site: Site::new(),
            timeouts,
            tick: (shortest / 4).clamp(Duration::from_millis(5), TICK),
            coalesce: arguments.coalesce(),
            buffers: Buffers::new(&site::ROUTES),
            connections: Vec::new(),
            free: Vec::new(),
            again: Vec::new(),
            end: None,
        })
    }

    /// Serves until a signal comes and everything that was begun is done.
    fn run(&mut self) -> io::Result<()> {
        let mut events = Events::with_capacity(EVENTS);
        // The clock is read once a turn: that is a good part of what a request takes here.
        let mut now = Instant::now();
        let mut next_tick = now + self.tick;
        loop {
            let timeout = if self.again.is_empty() && !self.door.holds() {
                // An idle server sleeps.
                let busy = self.open() != 0 || self.end.is_some() || self.door.is_knocked();
                busy.then(|| next_tick.saturating_duration_since(now))
            } else {
                Some(Duration::ZERO)
            };
            match self.poll.poll(&mut events, timeout) {
                Err(error) if error.kind() != ErrorKind::Interrupted => return Err(error),
                _ => {}
            }
            for event in &events {
                match event.token() {
                    LISTENER => self.door.knock(),
                    SIGNALS => {
                        if self.signal() {
                            return Ok(());
                        }
                    }
                    Token(number) => self.event(number - FIRST, event),
                }
            }
            self.accept();
            for place in std::mem::take(&mut self.again) {
                self.serve(place);
            }
            // Whoever has many clients sleeps and wakes for each of them otherwise, which takes as
            // long as a few dozen requests. What was asked by now is answered.
            if let Some(wait) = self.coalesce
                && self.again.is_empty()
                && !events.is_empty()
            {
                thread::sleep(wait);
            }
            now = Instant::now();
            if now >= next_tick {
                next_tick = now + self.tick;
                self.check(now);
            }
            if let Some(end) = self.end
                && (self.open() == 0 || now >= end)
            {
                return Ok(());
            }
        }
    }

    /// Connections that are open.
    const fn open(&self) -> usize {
        self.connections.len() - self.free.len()
    }

    #[inline]
    fn event(&mut self, place: usize, event: &Event) {
        let Some(Some(connection)) = self.connections.get_mut(place) else { return };
        if connection.wakes(event.is_readable(), event.is_read_closed()) {
            self.serve(place);
        }
    }

    #[inline]
    fn serve(&mut self, place: usize) {
        let Some(Some(connection)) = self.connections.get_mut(place) else { return };
        let fate = connection.serve(self.routes, &mut self.site, &mut self.buffers);
        self.settle(place, fate);
    }

    #[inline]
    fn settle(&mut self, place: usize, fate: Fate) {
        match fate {
            Fate::Waits => {}
            Fate::Again => self.again.push(place),
            // Nothing here leaves HTTP.
            Fate::Gone | Fate::Switched => {
                if let Some(connection) = self.connections.get_mut(place)
                    && let Some(connection) = connection.take()
                {
                    self.site.requests += connection.requests();
                    self.free.push(place);
                }
            }
        }
    }

    /// Accepts everybody who waits.
    fn accept(&mut self) {
        while let Some(guest) = self.door.next(self.open()) {
            self.site.connections += 1;
            match guest {
                Guest::Enters(socket) => self.add(socket),
                Guest::Refused => self.site.refused += 1,
            }
        }
    }

    fn add(&mut self, mut socket: TcpStream) {
        let place = self.free.pop().unwrap_or_else(|| {
            self.connections.push(None);
            self.connections.len() - 1
        });
        if door::seat(&mut socket, self.poll.registry(), Token(place + FIRST)).is_err() {
            self.free.push(place);
            return;
        }
        let connection = Connection::new(socket, self.protocol, Instant::now());
        if let Some(free) = self.connections.get_mut(place) {
            *free = Some(Box::new(connection));
        }
        // Its request has often come by now.
        self.serve(place);
    }

    /// Looks at the clock for everybody.
    fn check(&mut self, now: Instant) {
        for place in 0..self.connections.len() {
            if let Some(Some(connection)) = self.connections.get_mut(place) {
                let fate = connection.check(now, &self.timeouts, &mut self.buffers);
                self.settle(place, fate);
            }
        }
    }

    /// Takes a signal; whether the process is to end at once.
    fn signal(&mut self) -> bool {
        let count = self.signals.count();
        if count == 0 {
            return false;
        }
        if count > 1 || self.end.is_some() {
            return true;
        }
        self.end = Some(Instant::now() + self.timeouts.grace);
        self.door.close();
        for place in 0..self.connections.len() {
            if let Some(Some(connection)) = self.connections.get_mut(place) {
                let Self { routes, site, buffers, .. } = self;
                let fate = connection.shut_down(routes, site, buffers);
                self.settle(place, fate);
            }
        }
        false
    }
}
