//! The server: one thread, one poll, all connections and all pages.
#![allow(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::struct_field_names,
    reason = "a program for the host: one prefix for everything, and it may panic"
)]

mod arguments;
#[path = "../../http_server/server/connection.rs"]
mod connection;
#[path = "../../http_server/server/door.rs"]
mod door;
mod hooks;
mod live;
mod outgoing;
mod random;
#[path = "../../http_server/server/signals.rs"]
mod signals;
mod site;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, ErrorKind, Write as _};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use clap::Parser as _;
use mio::event::Event;
use mio::net::TcpStream;
use mio::{Events, Poll, Token};
use onewrite::circuit::origin::Origin;
use onewrite::circuit::{BatchStore, NoStore, Options, Renderer, Slot, Store};
use onewrite::http::{Protocol, Routes};
use onewrite::string_table::StringTable;

use self::arguments::{Arguments, Timeouts};
use self::connection::{Buffers, Connection, Fate};
use self::door::{Door, Guest};
use self::hooks::Hook;
use self::live::Live;
use self::random::System;
use self::signals::Signals;
use self::site::{Pages, Site};
use crate::counter::Counter;

/// It was stopped.
const STOPPED: u8 = 0;
/// It could not go on.
const FAILED: u8 = 1;
/// It never began.
const USAGE: u8 = 2;

/// A batch with the whole table has 40 KiB.
type FourBatches = BatchStore<4, { 128 * 1024 }>;
type SixteenBatches = BatchStore<16, { 384 * 1024 }>;

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
    if let Some(complaint) = arguments.complaint() {
        eprintln!("live_counter: {complaint}");
        return USAGE;
    }
    match arguments.store {
        arguments::Store::None => run_with::<NoStore>(&arguments),
        arguments::Store::Four => run_with::<FourBatches>(&arguments),
        arguments::Store::Sixteen => run_with::<SixteenBatches>(&arguments),
    }
}

fn run_with<S: Store + 'static>(arguments: &Arguments) -> u8 {
    let mut server = match Shell::<S>::bind(arguments) {
        Ok(server) => server,
        Err(error) => {
            eprintln!("live_counter: {error}");
            return USAGE;
        }
    };
    let outcome = server.run();
    server.report();
    match outcome {
        Ok(()) => STOPPED,
        Err(error) => {
            eprintln!("live_counter: {error}");
            FAILED
        }
    }
}

const LISTENER: Token = Token(0);
const SIGNALS: Token = Token(1);
/// The token of the first place.
const FIRST: usize = 2;

/// Events that are taken at once.
const EVENTS: usize = 256;

/// How often tables change.
const TICK: Duration = Duration::from_millis(200);
/// Ticks from one look at clocks and thermometer to the next.
const LOOK: u32 = 5;

/// A place for a connection.
enum Place {
    /// With where the page is from, once the connection is about to leave HTTP.
    Http(Box<Connection>, Option<Origin<'static>>),
    Live(Box<Live>),
}

struct Shell<S: Store + 'static> {
    poll: Poll,
    door: Door,
    signals: Signals,
    routes: &'static Routes<'static>,
    site: Site<S>,
    timeouts: Timeouts,
    fragment: Option<usize>,
    kept: u64,
    buffers: Buffers,
    /// By token.
    places: Vec<Option<Place>>,
    free: Vec<usize>,
    /// Connections whose turn ended before they were done.
    again: Vec<usize>,
    begun: Instant,
    ticks: u32,
    /// When it has to be over; set by the first signal.
    end: Option<Instant>,
    /// Connections that were accepted, and those of them that found no place.
    connections: u64,
    full: u64,
    /// Requests on connections that are closed, or have left HTTP.
    requests: u64,
    /// Connections that were ended, by what the browser did wrong.
    refused: BTreeMap<&'static str, u64>,
}

impl<S: Store + 'static> Shell<S> {
    fn bind(arguments: &Arguments) -> io::Result<Self> {
        let poll = Poll::new()?;
        let limit = arguments.connections as usize;
        let mut door = Door::bind(arguments.address(), Protocol::Auto, limit)?;
        let mut signals = Signals::new()?;
        let address = door.register(poll.registry(), LISTENER)?;
        signals.register(poll.registry(), SIGNALS)?;
        let origins = origins(&arguments.origin, address)?;
        let routes = site::routes(arguments)?;
        let slots: Vec<_> = (0..arguments.circuits).map(|_| Slot::new()).collect();
        let mut options = Options::DEFAULT;
        if arguments.renderer == 0 {
            options.renderer = Renderer::Zero;
        }
        let counter = Counter::new(System::open()?);
        let pages = Pages::new(counter, slots.leak(), StringTable::new(), options);
        let site = Site::new(pages, origins, System::open()?);
        door::announce(address)?;
        Ok(Self {
            poll,
            door,
            signals,
            routes,
            site,
            timeouts: arguments.timeouts(),
            fragment: arguments.fragment.map(|len| len as usize),
            kept: arguments.kept.into(),
            buffers: Buffers::new(routes),
            places: Vec::new(),
            free: Vec::new(),
            again: Vec::new(),
            begun: Instant::now(),
            ticks: 0,
            end: None,
            connections: 0,
            full: 0,
            requests: 0,
            refused: BTreeMap::new(),
        })
    }

    /// Serves until a signal comes and everything that was begun is done.
    fn run(&mut self) -> io::Result<()> {
        let mut events = Events::with_capacity(EVENTS);
        let mut next_tick = Instant::now() + TICK;
        loop {
            // An idle server sleeps.
            let is_idle = self.open() == 0 && self.end.is_none() && !self.door.is_knocked();
            let timeout = match self.again.is_empty() && !self.door.holds() {
                true if is_idle && self.site.pages.circuits().0 == 0 => None,
                true => Some(next_tick.saturating_duration_since(Instant::now())),
                false => Some(Duration::ZERO),
            };
            match self.poll.poll(&mut events, timeout) {
                Err(error) if error.kind() != ErrorKind::Interrupted => return Err(error),
                _ => {}
            }
            let now = Instant::now();
            self.site.set_now(now.duration_since(self.begun).as_millis() as u64);
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
            if now >= next_tick {
                next_tick = now + TICK;
                self.tick(now);
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
        self.places.len() - self.free.len()
    }

    fn event(&mut self, place: usize, event: &Event) {
        let (readable, ended) = (event.is_readable(), event.is_read_closed());
        let wakes = match self.places.get_mut(place) {
            Some(Some(Place::Http(connection, _))) => connection.wakes(readable, ended),
            Some(Some(Place::Live(live))) => live.wakes(readable, ended),
            _ => false,
        };
        if wakes {
            self.serve(place);
        }
    }

    fn serve(&mut self, place: usize) {
        let Self { site, routes, buffers, .. } = self;
        let fate = match self.places.get_mut(place) {
            Some(Some(Place::Http(connection, origin))) => {
                let fate = connection.serve(routes, site, buffers);
                // What says so may go out later than others ask.
                *origin = site.connected.take().or(*origin);
                fate
            }
            Some(Some(Place::Live(live))) => live.serve(site, buffers),
            _ => return,
        };
        self.settle(place, fate);
        if let Some(hook) = self.site.asked.take() {
            self.disturb(hook);
        }
    }

    fn settle(&mut self, place: usize, fate: Fate) {
        match fate {
            Fate::Waits => {}
            Fate::Again => self.again.push(place),
            Fate::Gone => self.remove(place),
            Fate::Switched => self.switch(place),
        }
    }

    /// Frees a place. A circuit may go on on another connection.
    fn remove(&mut self, place: usize) {
        let Some(taken) = self.places.get_mut(place).and_then(Option::take) else { return };
        self.free.push(place);
        let now = self.site.now();
        match taken {
            Place::Http(connection, _) => self.requests += connection.requests(),
            Place::Live(mut live) => {
                if let Some(refusal) = live.detach(&mut self.site.pages, now) {
                    *self.refused.entry(refusal).or_default() += 1;
                }
            }
        }
    }

    /// Goes on with a connection that has left HTTP.
    fn switch(&mut self, place: usize) {
        let Some(slot) = self.places.get_mut(place) else { return };
        let Some(Place::Http(connection, Some(origin))) = slot.take() else {
            self.free.push(place);
            return;
        };
        self.requests += connection.requests();
        let (socket, unread, ended) = connection.leave();
        let live = Live::new(socket, unread, ended, origin, self.fragment, Instant::now());
        *slot = Some(Place::Live(Box::new(live)));
        if self.end.is_some() {
            self.stop(place);
        } else {
            self.again.push(place);
        }
    }

    /// Accepts everybody who waits.
    fn accept(&mut self) {
        while let Some(guest) = self.door.next(self.open()) {
            self.connections += 1;
            match guest {
                Guest::Enters(socket) => self.add(socket),
                Guest::Refused => self.full += 1,
            }
        }
    }

    fn add(&mut self, mut socket: TcpStream) {
        let place = self.free.pop().unwrap_or_else(|| {
            self.places.push(None);
            self.places.len() - 1
        });
        if door::seat(&mut socket, self.poll.registry(), Token(place + FIRST)).is_err() {
            self.free.push(place);
            return;
        }
        let connection = Connection::new(socket, Protocol::Auto, Instant::now());
        self.places[place] = Some(Place::Http(Box::new(connection), None));
        self.serve(place);
    }

    /// Changes tables, and once in a while looks at the clocks.
    fn tick(&mut self, now: Instant) {
        self.ticks = self.ticks.wrapping_add(1);
        let looks = self.ticks.is_multiple_of(LOOK);
        let mut changed = false;
        self.site.pages.for_each_page(|_, page| changed |= page.tick());
        if looks {
            let Site { pages, .. } = &mut self.site;
            if pages.handler_mut().machine.look() {
                changed = true;
                pages.for_each_page(|_, page| page.touch());
            }
            let now = self.site.now();
            self.site.pages.expire(now, self.kept);
        }
        for place in 0..self.places.len() {
            let Self { site, timeouts, buffers, .. } = self;
            let Some(Some(taken)) = self.places.get_mut(place) else { continue };
            let mut fate = Fate::Waits;
            if looks {
                fate = match taken {
                    Place::Http(connection, _) => connection.check(now, timeouts, buffers),
                    Place::Live(live) => live.check(now, timeouts, buffers),
                };
            }
            if let (Place::Live(live), Fate::Waits, true) = (taken, fate, changed) {
                fate = live.pump(site, buffers);
            }
            self.settle(place, fate);
        }
    }

    /// Does what a test wants done.
    fn disturb(&mut self, hook: Hook) {
        if hook == Hook::Forget {
            self.site.pages.close_all();
        }
        for place in 0..self.places.len() {
            let Self { site, buffers, .. } = self;
            if let Some(Some(Place::Live(live))) = self.places.get_mut(place) {
                let fate = live.disturb(hook, site, buffers);
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
        for place in 0..self.places.len() {
            self.stop(place);
        }
        false
    }

    fn stop(&mut self, place: usize) {
        let Self { site, routes, buffers, .. } = self;
        let fate = match self.places.get_mut(place) {
            Some(Some(Place::Http(connection, origin))) => {
                let fate = connection.shut_down(routes, site, buffers);
                *origin = site.connected.take().or(*origin);
                fate
            }
            Some(Some(Place::Live(live))) => live.shut_down(buffers),
            _ => return,
        };
        self.settle(place, fate);
    }

    /// Prints what was counted; whoever reads may have gone.
    fn report(&mut self) {
        for place in 0..self.places.len() {
            self.remove(place);
        }
        let counters = *self.site.pages.counters();
        let gate = *self.site.gate.counters();
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "connections {}, without a place {}, requests {}",
            self.connections, self.full, self.requests
        )
        .ok();
        writeln!(
            out,
            "circuits {}, reconnected {}, not there {}, left {}, expired {}, evicted {}",
            counters.started,
            counters.reconnected,
            counters.not_reconnected,
            self.site.left,
            counters.expired,
            counters.evicted,
        )
        .ok();
        writeln!(
            out,
            "events {}, batches {}, acknowledged {}",
            counters.events, counters.batches, counters.acknowledged
        )
        .ok();
        let requests = [
            ("host", gate.host),
            ("origin", gate.origin),
            ("token", gate.token),
            ("request for a WebSocket", gate.handshake),
            ("request", gate.malformed),
        ];
        for (what, count) in requests.into_iter().chain(self.refused.clone()) {
            if count != 0 {
                writeln!(out, "refused for its {what}: {count}").ok();
            }
        }
    }
}

/// What browsers call this server.
fn origins(given: &[String], address: SocketAddr) -> io::Result<&'static [Origin<'static>]> {
    let texts = if given.is_empty() {
        let mut texts = vec![format!("http://{address}")];
        if address.ip().is_loopback() {
            texts.push(format!("http://localhost:{}", address.port()));
        }
        texts
    } else {
        given.to_vec()
    };
    let origins = texts.into_iter().map(|text| {
        // As browsers write it.
        let text: &str = match text.strip_suffix(":80") {
            Some(front) if front.starts_with("http://") => front.to_owned().leak(),
            _ => text.leak(),
        };
        Origin::new(text)
            .ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, format!("{text} is no origin")))
    });
    Ok(origins.collect::<io::Result<Vec<_>>>()?.leak())
}
