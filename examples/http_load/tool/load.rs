//! One run: all clients, all turns, over one protocol.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::connection::{Answer, Connection, Protocol};
use super::progress::Progress;
use super::server;
use super::slices::Turn;
use super::statistics::{Sample, Slice};

/// What all clients have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load<'a> {
    pub(crate) address: SocketAddr,
    pub(crate) authority: &'a str,
    pub(crate) protocol: Protocol,
    pub(crate) paths: &'a [String],
    pub(crate) clients: u32,
    pub(crate) in_flight: usize,
    pub(crate) timeout: Duration,
    pub(crate) server_pid: Option<u32>,
}

/// What a run came to.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// For each path.
    pub(crate) samples: Vec<Sample>,
    /// Responses that were not what they should have been.
    pub(crate) wrong: u64,
    /// Requests that were not answered.
    pub(crate) lost: u64,
    /// What went wrong, the first of each kind.
    pub(crate) complaints: Vec<String>,
}

/// What the clients of a turn share.
#[derive(Debug)]
struct Turns {
    /// The path of this turn.
    path: AtomicUsize,
    /// Requests that no client has taken yet.
    left: AtomicU32,
    /// Clients wait here for a turn to begin and for it to end; the last turn has no path.
    gate: Barrier,
    results: Mutex<Vec<Shift>>,
}

/// What one client did in one turn.
#[derive(Debug, Default)]
struct Shift {
    latencies: Vec<Duration>,
    first: Option<Instant>,
    last: Option<Instant>,
    bytes: u64,
    wrong: u64,
    lost: u64,
    complaint: Option<String>,
}

/// How many different complaints are kept.
const COMPLAINTS: usize = 8;

impl Load<'_> {
    /// Asks for one path once, for the body that a response should have.
    pub(crate) fn first_body(&self, path: &str) -> Result<Vec<u8>, String> {
        let mut connection = self.connect()?;
        connection.queue(path);
        let Answer { status, body, .. } = connection.answer()?;
        if status == 200 { Ok(body) } else { Err(format!("{path}: status {status}")) }
    }

    /// Runs all turns. Each response has to be a 200 with the body `expected`.
    pub(crate) fn run(&self, turns: &[Turn], expected: &[u8], progress: &mut Progress) -> Outcome {
        let clients = usize::try_from(self.clients).unwrap_or(1);
        let shared = Turns {
            path: AtomicUsize::new(0),
            left: AtomicU32::new(0),
            gate: Barrier::new(clients + 1),
            results: Mutex::new(Vec::new()),
        };
        let mut outcome =
            Outcome { samples: vec![Sample::default(); self.paths.len()], ..Outcome::default() };
        thread::scope(|scope| {
            for _ in 0..clients {
                scope.spawn(|| self.client(&shared, expected));
            }
            // Every client has asked for every path once.
            shared.gate.wait();
            outcome.add_warm_up(&shared);
            let mut done = 0;
            for turn in turns {
                let before = self.server_cpu();
                let slice = shared.turn(*turn, &mut outcome);
                let server_cpu = before.zip(self.server_cpu()).map(|(from, to)| to - from);
                if let Some(sample) = outcome.samples.get_mut(turn.path) {
                    sample.slices.push(Slice { server_cpu, ..slice });
                }
                done += turn.requests;
                progress.show(done, outcome.wrong + outcome.lost);
            }
            shared.path.store(usize::MAX, Ordering::Relaxed);
            shared.gate.wait();
        });
        outcome
    }

    fn connect(&self) -> Result<Connection, String> {
        Connection::open(self.address, self.authority, self.protocol, self.timeout)
    }

    fn server_cpu(&self) -> Option<Duration> {
        self.server_pid.and_then(server::cpu)
    }

    /// One client's thread.
    fn client(&self, shared: &Turns, expected: &[u8]) {
        let mut connection = None;
        let mut shift = Shift::default();
        for path in self.paths {
            self.work(&mut connection, &mut shift, path, expected, &AtomicU32::new(1));
        }
        shared.finish(shift);
        shared.gate.wait();
        loop {
            shared.gate.wait();
            let Some(path) = self.paths.get(shared.path.load(Ordering::Relaxed)) else { return };
            let mut shift = Shift::default();
            self.work(&mut connection, &mut shift, path, expected, &shared.left);
            shared.finish(shift);
            shared.gate.wait();
        }
    }

    /// Asks until nobody has to ask any more; a connection that fails is replaced.
    fn work(
        &self,
        connection: &mut Option<Connection>,
        shift: &mut Shift,
        path: &str,
        expected: &[u8],
        left: &AtomicU32,
    ) {
        let mut fresh = false;
        loop {
            let mut open = match connection.take() {
                Some(open) => open,
                None => match self.connect() {
                    Ok(open) => {
                        fresh = true;
                        open
                    }
                    Err(complaint) => {
                        // Nobody there: what this client would have asked is lost.
                        let taken = take(left);
                        shift.lost += u64::from(taken);
                        shift.complaint.get_or_insert(complaint);
                        if taken {
                            continue;
                        }
                        return;
                    }
                },
            };
            let before = if fresh { 0 } else { open.received() };
            let end = self.exchange(&mut open, shift, path, expected, left);
            shift.bytes += open.received() - before;
            match end {
                Ok(true) => {
                    *connection = Some(open);
                    return;
                }
                // The server closes as it said it would.
                Ok(false) => {}
                Err(complaint) => {
                    shift.complaint.get_or_insert(complaint);
                }
            }
        }
    }

    /// Asks on one connection; `true` if nothing is left to ask for, `false` if the server takes
    /// no more here.
    fn exchange(
        &self,
        open: &mut Connection,
        shift: &mut Shift,
        path: &str,
        expected: &[u8],
        left: &AtomicU32,
    ) -> Result<bool, String> {
        let mut in_flight: Vec<(u64, Instant)> = Vec::with_capacity(self.in_flight);
        let outcome = loop {
            let mut ended = false;
            let from = in_flight.len();
            while in_flight.len() < self.in_flight && open.takes_another(in_flight.len()) {
                if !take(left) {
                    ended = true;
                    break;
                }
                in_flight.push((open.queue(path), Instant::now()));
            }
            let sent = Instant::now();
            for (_, at) in in_flight.iter_mut().skip(from) {
                *at = sent;
            }
            if in_flight.len() > from {
                shift.first.get_or_insert(sent);
            }
            if in_flight.is_empty() {
                break Ok(ended);
            }
            let next = open.flush().and_then(|()| open.answer());
            let mut next = match next {
                Ok(answer) => Some(answer),
                Err(complaint) => break Err(complaint),
            };
            // What has come as well is taken before more is asked for.
            while let Some(answer) = next {
                if let Err(complaint) = shift.take(&answer, &mut in_flight, expected) {
                    shift.complaint.get_or_insert(complaint);
                }
                next = match open.ready() {
                    Ok(next) => next,
                    Err(complaint) => {
                        shift.lost += u64::try_from(in_flight.len()).unwrap_or(0);
                        return Err(complaint);
                    }
                };
            }
        };
        shift.lost += u64::try_from(in_flight.len()).unwrap_or(0);
        outcome
    }
}

impl Turns {
    /// Runs one turn and adds what it came to; the slice has no time of the server yet.
    fn turn(&self, turn: Turn, outcome: &mut Outcome) -> Slice {
        self.path.store(turn.path, Ordering::Relaxed);
        self.left.store(turn.requests, Ordering::Relaxed);
        self.gate.wait();
        self.gate.wait();
        let shifts = self.shifts();
        let first = shifts.iter().filter_map(|shift| shift.first).min();
        let last = shifts.iter().filter_map(|shift| shift.last).max();
        let elapsed = first.zip(last).map_or(Duration::ZERO, |(first, last)| last - first);
        let mut requests = 0;
        for shift in shifts {
            requests += u32::try_from(shift.latencies.len()).unwrap_or(0);
            outcome.add(turn.path, shift);
        }
        Slice { elapsed, requests, server_cpu: None }
    }

    fn finish(&self, shift: Shift) {
        self.results.lock().unwrap_or_else(PoisonError::into_inner).push(shift);
    }

    fn shifts(&self) -> Vec<Shift> {
        std::mem::take(&mut *self.results.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Shift {
    /// Takes an answer, and says what is wrong with it.
    fn take(
        &mut self,
        answer: &Answer,
        in_flight: &mut Vec<(u64, Instant)>,
        expected: &[u8],
    ) -> Result<(), String> {
        let now = Instant::now();
        self.last = Some(now);
        let place = in_flight.iter().position(|(request, _)| *request == answer.request);
        let Some(place) = place else {
            self.wrong += 1;
            return Err(format!("an answer to request {}, which is not in flight", answer.request));
        };
        let (_, sent) = in_flight.swap_remove(place);
        if answer.status == 200 && answer.body == expected {
            self.latencies.push(now - sent);
            return Ok(());
        }
        self.wrong += 1;
        let Answer { status, body, .. } = answer;
        let (len, text) = (body.len(), String::from_utf8_lossy(body));
        let text: String = text.chars().take(60).collect();
        Err(format!("status {status} with another body of {len} bytes: {text:?}"))
    }
}

impl Outcome {
    fn add(&mut self, path: usize, shift: Shift) {
        self.wrong += shift.wrong;
        self.lost += shift.lost;
        if let Some(complaint) = shift.complaint
            && self.complaints.len() < COMPLAINTS
            && !self.complaints.contains(&complaint)
        {
            self.complaints.push(complaint);
        }
        if let Some(sample) = self.samples.get_mut(path) {
            sample.latencies.extend(shift.latencies);
            sample.bytes += shift.bytes;
        }
    }

    /// Of the warm-up only what went wrong counts.
    fn add_warm_up(&mut self, shared: &Turns) {
        for shift in shared.shifts() {
            self.add(usize::MAX, shift);
        }
    }
}

/// Takes one of what is left.
fn take(left: &AtomicU32) -> bool {
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
}
