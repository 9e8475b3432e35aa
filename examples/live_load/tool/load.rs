//! All pages, one thread, one poll.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

use mio::{Events, Interest, Poll, Token};

use super::arguments::Arguments;
use super::client::Client;

/// How often is looked for pages that have said nothing for long.
const LOOK: Duration = Duration::from_millis(100);

/// In how many parts the memory of a run is looked at.
const PARTS: u64 = 10;

/// Pages that are connected.
#[derive(Debug)]
pub(crate) struct Load {
    poll: Poll,
    clients: Vec<Client>,
    /// After how long a page that has said nothing says that it is there.
    ping: Duration,
    next_look: Instant,
    outcome: Outcome,
}

/// What came of the clicks.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// One a click that was counted.
    pub(crate) latencies: Vec<Duration>,
    /// What the pages show, all together.
    pub(crate) counted: u64,
    /// From the first click to the last answer.
    pub(crate) elapsed: Duration,
}

impl Load {
    /// Opens the pages, one after the other, until each shows its content.
    pub(crate) fn begin(arguments: &Arguments) -> Result<Self, String> {
        let poll = Poll::new().map_err(|error| error.to_string())?;
        let mut load = Self {
            poll,
            clients: Vec::new(),
            ping: arguments.ping(),
            next_look: Instant::now(),
            outcome: Outcome::default(),
        };
        for number in 0..arguments.circuits {
            let mut client = Client::new(&arguments.server, arguments.timeout())?;
            let token = Token(load.clients.len());
            let both = Interest::READABLE | Interest::WRITABLE;
            let registered = load.poll.registry().register(&mut client.socket, token, both);
            registered.map_err(|error| error.to_string())?;
            load.clients.push(client);
            let limit = Instant::now() + arguments.timeout();
            while !load.clients.last().is_some_and(Client::is_ready) {
                load.turn(LOOK)?;
                if Instant::now() > limit {
                    return Err(format!("page {number} shows nothing"));
                }
            }
        }
        Ok(load)
    }

    /// Clicks as often as was asked for, and calls `look` now and then with the clicks done.
    pub(crate) fn run(
        &mut self,
        arguments: &Arguments,
        look: impl FnMut(u64),
    ) -> Result<(), String> {
        let begun = Instant::now();
        let result = self.click(arguments, begun, look);
        self.outcome.elapsed = begun.elapsed();
        result
    }

    fn click(
        &mut self,
        arguments: &Arguments,
        begun: Instant,
        mut look: impl FnMut(u64),
    ) -> Result<(), String> {
        let (clicks, every) = (arguments.clicks, arguments.every());
        // The pages are out of step with each other.
        let pages = u32::try_from(self.clients.len()).unwrap_or(u32::MAX).max(1);
        let mut due: BinaryHeap<_> =
            (0..pages).map(|page| Reverse((begun + every * page / pages, page as usize))).collect();
        let (mut sent, mut seen) = (0, 0);
        let part = (clicks / PARTS).max(1);
        while (self.outcome.latencies.len() as u64) < clicks {
            let now = Instant::now();
            while let Some(&Reverse((at, page))) = due.peek() {
                if at > now || sent == clicks {
                    break;
                }
                due.pop();
                let client = self.clients.get_mut(page).ok_or("no such page")?;
                if client.waits().is_none() {
                    client.click()?;
                    sent += 1;
                }
                if !every.is_zero() {
                    due.push(Reverse((at + every, page)));
                }
            }
            let next = due.peek().filter(|_| sent < clicks);
            let wait =
                next.map_or(LOOK, |Reverse((at, _))| at.saturating_duration_since(Instant::now()));
            for page in self.turn(wait.min(LOOK))? {
                if every.is_zero() {
                    due.push(Reverse((now, page)));
                }
            }
            let in_vain = |client: &Client| client.waits() > Some(arguments.timeout());
            if let Some(page) = self.clients.iter().position(in_vain) {
                return Err(format!("page {page}: no answer to a click"));
            }
            let done = self.outcome.latencies.len() as u64 / part;
            if done > seen {
                seen = done;
                look(done * part);
            }
        }
        Ok(())
    }

    /// Stays connected for a while.
    pub(crate) fn rest(&mut self, time: Duration) -> Result<(), String> {
        let end = Instant::now() + time;
        while Instant::now() < end {
            self.turn(LOOK)?;
        }
        Ok(())
    }

    /// Waits for the sockets once; returns the pages whose click was answered.
    fn turn(&mut self, wait: Duration) -> Result<Vec<usize>, String> {
        let mut events = Events::with_capacity(256);
        match self.poll.poll(&mut events, Some(wait)) {
            Err(error) if error.kind() != std::io::ErrorKind::Interrupted => {
                return Err(error.to_string());
            }
            _ => {}
        }
        let mut answered = Vec::new();
        for event in &events {
            let page = event.token().0;
            let Some(client) = self.clients.get_mut(page) else { continue };
            let result = client.flush().and_then(|()| client.read());
            result.map_err(|error| format!("page {page}: {error}"))?;
            if let Some(took) = client.took.take() {
                self.outcome.latencies.push(took);
                answered.push(page);
            }
        }
        self.ping()?;
        Ok(answered)
    }

    /// Has pages that have said nothing for long say that they are there, whatever else goes on.
    fn ping(&mut self) -> Result<(), String> {
        let now = Instant::now();
        if now < self.next_look {
            return Ok(());
        }
        self.next_look = now + LOOK;
        for client in &mut self.clients {
            if client.is_ready() && now.duration_since(client.said()) >= self.ping {
                client.ping()?;
            }
        }
        Ok(())
    }

    /// Leaves the pages.
    pub(crate) fn end(mut self) -> Outcome {
        for client in &mut self.clients {
            // What is broken is left as well.
            let _ = client.leave();
        }
        self.outcome.counted = self.clients.iter().map(|client| client.count).sum();
        self.outcome
    }
}
