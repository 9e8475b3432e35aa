//! One connection that has left HTTP: its socket, its circuit's state, and what does not fit into either.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::Shutdown;
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use onewrite::circuit::origin::Origin;
use onewrite::circuit::{Connection, Next, Store, Waiting};
use onewrite::sink::SliceSink;

use super::arguments::Timeouts;
use super::connection::{Buffers, Fate};
use super::hooks::Hook;
use super::outgoing::Treatment;
use super::site::{Pages, Site};

/// The longest message of a browser's: what somebody types travels twice in it.
const ROOM: usize = 4096;

/// For how long a connection that was closed for writing is read.
const LINGER: Duration = Duration::from_secs(2);

/// Calls of [`Connection::feed`] before others have their turn.
const TURN: u32 = 32;

/// A WebSocket that is open.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) socket: TcpStream,
    circuit: Box<Connection<'static, ROOM>>,
    /// Input that waits for room in the output.
    unread: Vec<u8>,
    /// Output that the socket did not take. Nothing is read or rendered before it is gone.
    unsent: Vec<u8>,
    /// The socket may have more than was read.
    readable: bool,
    /// The browser has closed its side, and the end is still to be read.
    ended: bool,
    /// Everything was said: it is closed as soon as that is sent.
    closing: bool,
    /// Since when it is closed for writing. What the browser still sends is read and dropped, so that no
    /// reset overtakes the last words.
    lingers: Option<Instant>,
    pub(crate) treatment: Treatment,
    /// What was last seen to move, and since when it has not: what was heard, and what was sent.
    heard: (u64, Instant),
    sent: (u64, Instant),
    /// When it began.
    since: Instant,
    /// When something was said last.
    said: Instant,
}

impl Live {
    /// Takes over a socket, what was read of it already, and whether the browser has closed its side.
    pub(crate) fn new(
        socket: TcpStream,
        unread: Vec<u8>,
        ended: bool,
        origin: Origin<'static>,
        fragment: Option<usize>,
        now: Instant,
    ) -> Self {
        Self {
            socket,
            circuit: Box::new(Connection::new(origin)),
            unread,
            unsent: Vec::new(),
            readable: true,
            ended,
            closing: false,
            lingers: None,
            treatment: Treatment { fragment, ..Treatment::default() },
            heard: (0, now),
            sent: (0, now),
            since: now,
            said: now,
        }
    }

    /// Takes what an event says of the socket; whether there is anything to do about it.
    pub(crate) fn wakes(&mut self, readable: bool, ended: bool) -> bool {
        let readable = readable || ended;
        self.readable |= readable;
        self.ended |= ended;
        readable || !self.unsent.is_empty()
    }

    /// Reads, answers and sends until the socket has or takes no more.
    pub(crate) fn serve<S: Store + 'static>(
        &mut self,
        site: &mut Site<S>,
        buffers: &mut Buffers,
    ) -> Fate {
        if self.lingers.is_some() {
            return self.linger(buffers);
        }
        if let Some(fate) = self.send_rest() {
            return fate;
        }
        let mut filled = self.unread.len().min(buffers.input.len());
        buffers.input[..filled].copy_from_slice(&self.unread[..filled]);
        self.unread.clear();
        for _ in 0..TURN {
            // What was left is fed before anything is read; so is nothing at all, behind what was sent.
            let Buffers { input, output } = buffers;
            let mut rest = &mut input[..filled];
            let mut sink = SliceSink::new(output);
            let next = self.circuit.feed(&mut site.pages, &mut rest, &mut sink);
            let written = sink.into_written().len();
            let kept = rest.len();
            let next = next.unwrap_or(Next::Close);
            if let Some(fate) = self.answer(buffers, written, next) {
                self.unread = buffers.input[filled - kept..filled].to_vec();
                return fate;
            }
            if kept != 0 {
                buffers.input.copy_within(filled - kept..filled, 0);
            }
            filled = kept;
            if next != Next::Read {
                continue;
            }
            if !self.readable {
                return Fate::Waits;
            }
            match self.read(buffers) {
                Some(0) => return Fate::Waits,
                Some(count) => filled = count,
                None => return Fate::Gone,
            }
        }
        self.unread = buffers.input[..filled].to_vec();
        Fate::Again
    }

    /// Sends what has changed in the page.
    pub(crate) fn pump<S: Store + 'static>(
        &mut self,
        site: &mut Site<S>,
        buffers: &mut Buffers,
    ) -> Fate {
        if !self.unsent.is_empty() || self.closing {
            return Fate::Waits;
        }
        let mut sink = SliceSink::new(&mut buffers.output);
        let next = self.circuit.pump(&mut site.pages, &mut sink).unwrap_or(Next::Close);
        let written = sink.into_written().len();
        self.answer(buffers, written, next).unwrap_or(Fate::Waits)
    }

    /// Looks at the clock.
    pub(crate) fn check(
        &mut self,
        now: Instant,
        timeouts: &Timeouts,
        buffers: &mut Buffers,
    ) -> Fate {
        if let Some(since) = self.lingers {
            let over = now.duration_since(since) > LINGER;
            return if over { Fate::Gone } else { Fate::Waits };
        }
        let taken = self.circuit.sent().saturating_sub(self.unsent.len() as u64) / 1024;
        if self.unsent.is_empty() || self.sent.0 != taken {
            self.sent = (taken, now);
        } else if now.duration_since(self.sent.1) > timeouts.write {
            // There is no way to tell it anything.
            return Fate::Gone;
        }
        let heard = self.circuit.received();
        if self.heard.0 != heard {
            self.heard = (heard, now);
        }
        let (since, limit) = match self.circuit.waiting() {
            Waiting::Handshake | Waiting::Circuit => (self.since, timeouts.head),
            Waiting::Browser | Waiting::Close => (self.heard.1, timeouts.idle),
        };
        if !self.unsent.is_empty() || self.closing {
            return Fate::Waits;
        }
        let mut sink = SliceSink::new(&mut buffers.output);
        let next = if now.duration_since(since) > limit {
            self.circuit.time_out(&mut sink)
        } else if now.duration_since(self.said) > timeouts.ping {
            self.circuit.ping(&mut sink)
        } else {
            return Fate::Waits;
        };
        let written = sink.into_written().len();
        self.answer(buffers, written, next.unwrap_or(Next::Close)).unwrap_or(Fate::Waits)
    }

    /// Tells the browser that the server stops.
    pub(crate) fn shut_down(&mut self, buffers: &mut Buffers) -> Fate {
        if self.closing {
            return Fate::Waits;
        }
        let mut sink = SliceSink::new(&mut buffers.output);
        let next = self.circuit.shut_down(&mut sink).unwrap_or(Next::Close);
        let written = sink.into_written().len();
        self.answer(buffers, written, next).unwrap_or(Fate::Waits)
    }

    /// Does what a test wants done to each page.
    pub(crate) fn disturb<S: Store + 'static>(
        &mut self,
        hook: Hook,
        site: &mut Site<S>,
        buffers: &mut Buffers,
    ) -> Fate {
        if self.closing {
            return Fate::Waits;
        }
        let mut sink = SliceSink::new(&mut buffers.output);
        let next = match hook {
            Hook::State | Hook::Forget => return self.pump(site, buffers),
            Hook::Drop => return Fate::Gone,
            Hook::Skip => {
                self.treatment.skip = true;
                return Fate::Waits;
            }
            Hook::Damage => {
                self.treatment.damage = true;
                return Fate::Waits;
            }
            Hook::Gap => {
                self.treatment.gap = true;
                return Fate::Waits;
            }
            Hook::Duplicate => {
                let frames = self.treatment.apply(FIRST_BATCH);
                return self.send(&frames).unwrap_or(Fate::Waits);
            }
            Hook::Error => self.circuit.error(&mut site.pages, "The test wants it.", &mut sink),
            Hook::Close => self.circuit.hub_close(Some(true), &mut sink),
        };
        let written = sink.into_written().len();
        self.answer(buffers, written, next.unwrap_or(Next::Close)).unwrap_or(Fate::Waits)
    }

    /// Lets go of the circuit; why the connection was ended, if that was the browser's fault.
    pub(crate) fn detach<S: Store + 'static>(
        &mut self,
        pages: &mut Pages<S>,
        now: u64,
    ) -> Option<&'static str> {
        self.circuit.detach(pages, now);
        self.circuit.refusal().map(onewrite::circuit::Refusal::name)
    }

    /// Reads; 0 if the socket has nothing now, `None` at its end.
    fn read(&mut self, buffers: &mut Buffers) -> Option<usize> {
        loop {
            match self.socket.read(&mut buffers.input) {
                Ok(0) => return None,
                Ok(count) => {
                    // A short read has emptied it, but for its end.
                    self.readable = self.ended || count == buffers.input.len();
                    return Some(count);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.readable = false;
                    return Some(0);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
    }

    /// Sends what was written; a fate if nothing more can be done now.
    fn answer(&mut self, buffers: &Buffers, written: usize, next: Next) -> Option<Fate> {
        self.closing |= next == Next::Close;
        if let Next::Flush { needed } = next
            && written == 0
            && needed > buffers.output.len()
        {
            return Some(Fate::Gone);
        }
        let frames = &buffers.output[..written];
        if self.treatment.is_some() {
            let treated = self.treatment.apply(frames);
            self.send(&treated)
        } else {
            self.send(frames)
        }
    }

    fn send(&mut self, frames: &[u8]) -> Option<Fate> {
        if !self.unsent.is_empty() {
            // Behind what the socket does not take yet, which may end inside a frame.
            self.unsent.extend_from_slice(frames);
            return Some(Fate::Waits);
        }
        let mut rest = frames;
        if !rest.is_empty() {
            self.said = Instant::now();
        }
        while !rest.is_empty() {
            match self.socket.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.unsent = rest.to_vec();
                    return Some(Fate::Waits);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Some(Fate::Gone),
            }
        }
        if !self.closing {
            return None;
        }
        if self.socket.shutdown(Shutdown::Write).is_err() {
            return Some(Fate::Gone);
        }
        self.lingers = Some(Instant::now());
        Some(Fate::Again)
    }

    fn linger(&mut self, buffers: &mut Buffers) -> Fate {
        for _ in 0..TURN {
            match self.read(buffers) {
                Some(0) => return Fate::Waits,
                Some(_) => {}
                None => return Fate::Gone,
            }
        }
        Fate::Again
    }

    /// Sends what an earlier call could not; a fate if the socket does not take all of it.
    fn send_rest(&mut self) -> Option<Fate> {
        let unsent = std::mem::take(&mut self.unsent);
        if unsent.is_empty() { None } else { self.send(&unsent) }
    }
}

/// A frame with a batch of zeros that has the number of the first one: a script does not look at it.
const FIRST_BATCH: &[u8] = b"\x82\x3d\x3c\x96\x01\x80\xc0\xaeJS.RenderBatch\x92\x02\xc4\x24\
    \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x90";
