//! One connection: its socket, its state, and what does not fit into either.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::Shutdown;
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use onewrite::http::{Conn, Fed, Handler, Next, Protocol, Routes, Waiting};

use super::arguments::Timeouts;

/// The buffers of all connections: one is served at a time.
#[derive(Debug)]
pub(crate) struct Buffers {
    pub(crate) input: Box<[u8]>,
    pub(crate) output: Box<[u8]>,
}

impl Buffers {
    /// Room for every frame of HTTP/2 and more, and for every response of `routes` that goes out
    /// whole.
    pub(crate) fn new(routes: &Routes<'_>) -> Self {
        let zeros = |len: usize| vec![0; len].into_boxed_slice();
        Self { input: zeros(INPUT), output: zeros(OUTPUT.max(routes.min_output())) }
    }
}

const INPUT: usize = 32 * 1024;
const OUTPUT: usize = 64 * 1024;

/// A connection that is open.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) socket: TcpStream,
    conn: Conn,
    /// Input that was not consumed. Empty between requests, and then without memory.
    unread: Vec<u8>,
    /// Output that the socket did not take. Nothing is read before it is gone.
    unsent: Vec<u8>,
    /// The socket may have more than was read.
    readable: bool,
    /// The client has closed its side, and the end is still to be read.
    ended: bool,
    /// Its turn ended in the middle: it is fed before anything is read.
    resumes: bool,
    phase: Phase,
    /// What the client was last seen to do, how far it was with that, and since when.
    seen: (Waiting, u64),
    since: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Open,
    /// Everything was said: it is closed as soon as that is sent.
    Closing,
    /// Closed for writing. What the client still sends is read and dropped, so that no reset
    /// overtakes the last response (RFC 9112 section 9.6).
    Lingering,
    /// Another protocol is spoken as soon as what was said is sent.
    Switching,
}

/// What becomes of a connection that was served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Nothing to do before the next event.
    Waits,
    /// It has more to do, but others are to have their turn.
    Again,
    Gone,
    /// It speaks another protocol now: see [`Connection::leave`].
    Switched,
}

/// Calls of [`Conn::feed`] before others have their turn.
const TURN: u32 = 32;

/// For how long a connection that was closed for writing is read.
const LINGER: Duration = Duration::from_secs(2);

impl Connection {
    pub(crate) fn new(socket: TcpStream, protocol: Protocol, now: Instant) -> Self {
        Self {
            socket,
            conn: Conn::new(protocol),
            unread: Vec::new(),
            unsent: Vec::new(),
            readable: true,
            ended: false,
            resumes: false,
            phase: Phase::Open,
            seen: (Waiting::Idle, 0),
            since: now,
        }
    }

    /// Takes what an event says of the socket; whether there is anything to do about it.
    #[inline]
    pub(crate) fn wakes(&mut self, readable: bool, ended: bool) -> bool {
        let readable = readable || ended;
        self.readable |= readable;
        self.ended |= ended;
        readable || !self.unsent.is_empty()
    }

    /// Reads, answers and sends until the socket has or takes no more.
    ///
    /// A short read has emptied the socket, unless the client ended it: the end is then still to be
    /// read.
    pub(crate) fn serve<H: Handler>(
        &mut self,
        routes: &Routes<'_>,
        handler: &mut H,
        buffers: &mut Buffers,
    ) -> Fate {
        if self.phase == Phase::Lingering {
            return self.linger(buffers);
        }
        // Whoever was stopped in the middle, by the socket or by its turn, goes on where it was.
        let mut stopped = !self.unsent.is_empty() || self.resumes;
        self.resumes = false;
        if !self.unsent.is_empty()
            && let Some(fate) = self.send_rest(buffers)
        {
            return fate;
        }
        let mut filled = self.unread.len();
        if filled != 0 {
            if let Some(start) = buffers.input.get_mut(..filled) {
                start.copy_from_slice(&self.unread);
            }
            self.unread.clear();
        }
        let mut turns = TURN;
        loop {
            if !stopped {
                match self.read(buffers, filled) {
                    Some(0) => break,
                    Some(count) => filled += count,
                    None => return Fate::Gone,
                }
            }
            stopped = false;
            let mut consumed = 0;
            loop {
                let input = buffers.input.get(consumed..filled).unwrap_or_default();
                let fed = self.conn.feed_with(routes, handler, input, &mut buffers.output);
                consumed += fed.consumed;
                let over = self.answer(buffers, fed);
                turns -= 1;
                match over {
                    Some(fate) => {
                        self.keep(buffers, consumed, filled);
                        return fate;
                    }
                    None if fed.next == Next::Read => break,
                    None if turns == 0 => {
                        self.keep(buffers, consumed, filled);
                        self.resumes = true;
                        return Fate::Again;
                    }
                    None => {}
                }
            }
            if consumed != filled {
                buffers.input.copy_within(consumed..filled, 0);
            }
            filled -= consumed;
            if filled == buffers.input.len() {
                let fed = self.conn.overflow(&mut buffers.output);
                return self.answer(buffers, fed).unwrap_or(Fate::Gone);
            }
            if !self.readable {
                break;
            }
            if turns == 0 {
                self.keep(buffers, 0, filled);
                return Fate::Again;
            }
        }
        if filled != 0 {
            self.keep(buffers, 0, filled);
        } else if self.unread.capacity() != 0 {
            self.unread = Vec::new();
        }
        Fate::Waits
    }

    /// Lets the connection end once what was begun is answered.
    pub(crate) fn shut_down<H: Handler>(
        &mut self,
        routes: &Routes<'_>,
        handler: &mut H,
        buffers: &mut Buffers,
    ) -> Fate {
        if self.phase != Phase::Open {
            return Fate::Waits;
        }
        self.conn.shutdown();
        if !self.unsent.is_empty() {
            return Fate::Waits;
        }
        // Fed with what there is, be it nothing, it says what it has to say.
        self.resumes = true;
        self.serve(routes, handler, buffers)
    }

    /// The socket of a connection that has left HTTP, what was read of the other protocol, and whether
    /// the client has closed its side.
    #[allow(dead_code, reason = "for live_counter, which has this file as well")]
    pub(crate) fn leave(self) -> (TcpStream, Vec<u8>, bool) {
        (self.socket, self.unread, self.ended)
    }

    /// Requests that were answered.
    pub(crate) const fn requests(&self) -> u64 {
        self.conn.counters().requests
    }

    /// Looks at the clock.
    pub(crate) fn check(
        &mut self,
        now: Instant,
        timeouts: &Timeouts,
        buffers: &mut Buffers,
    ) -> Fate {
        if self.phase == Phase::Lingering {
            let over = now.duration_since(self.since) > LINGER;
            return if over { Fate::Gone } else { Fate::Waits };
        }
        let (waiting, counters) = (self.conn.waiting(), self.conn.counters());
        let waiting = if self.unsent.is_empty() { waiting } else { Waiting::Window };
        let (limit, count) = match waiting {
            Waiting::Idle => (timeouts.idle, counters.requests),
            Waiting::Head => (timeouts.head, counters.requests),
            // Whole KiB, so that one byte now and then is no progress.
            Waiting::Body => (timeouts.body, counters.received / 1024),
            Waiting::Window => {
                let unsent = u64::try_from(self.unsent.len()).unwrap_or(0);
                (timeouts.write, counters.sent.saturating_sub(unsent) / 1024)
            }
        };
        if self.seen != (waiting, count) {
            (self.seen, self.since) = ((waiting, count), now);
            return Fate::Waits;
        }
        if now.duration_since(self.since) <= limit {
            return Fate::Waits;
        }
        if !self.unsent.is_empty() {
            // There is no way to tell it anything.
            return Fate::Gone;
        }
        let fed = self.conn.time_out(&mut buffers.output);
        self.answer(buffers, fed).unwrap_or(Fate::Gone)
    }

    /// Reads behind what is there already; 0 if the socket has nothing now, `None` at its end.
    #[inline]
    fn read(&mut self, buffers: &mut Buffers, filled: usize) -> Option<usize> {
        let room = buffers.input.get_mut(filled..).unwrap_or_default();
        loop {
            match self.socket.read(room) {
                Ok(0) => return None,
                Ok(count) => {
                    self.readable = self.ended || count == room.len();
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
    #[inline]
    fn answer(&mut self, buffers: &Buffers, fed: Fed) -> Option<Fate> {
        if fed.next == Next::Close {
            self.phase = Phase::Closing;
        } else if fed.next == Next::Switch {
            self.phase = Phase::Switching;
        } else if let Next::Flush { needed } = fed.next
            && fed.written == 0
            && (fed.consumed == 0 || needed > buffers.output.len())
        {
            // The buffers are made so that this does not happen.
            return Some(Fate::Gone);
        }
        let mut rest = buffers.output.get(..fed.written).unwrap_or_default();
        while !rest.is_empty() {
            match self.socket.write(rest) {
                Ok(count) => rest = rest.get(count..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.unsent = rest.to_vec();
                    return Some(Fate::Waits);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Some(Fate::Gone),
            }
        }
        match self.phase {
            Phase::Closing => Some(self.begin_to_linger()),
            Phase::Switching => Some(Fate::Switched),
            _ => None,
        }
    }

    /// Sends what an earlier call could not; a fate if the socket does not take all of it.
    #[cold]
    fn send_rest(&mut self, buffers: &mut Buffers) -> Option<Fate> {
        let unsent = std::mem::take(&mut self.unsent);
        let len = unsent.len();
        if let Some(start) = buffers.output.get_mut(..len) {
            start.copy_from_slice(&unsent);
        }
        // What the core wants next was settled when it wrote this.
        self.answer(buffers, Fed { consumed: 0, written: len, next: Next::Read })
    }

    /// Keeps what was not consumed.
    fn keep(&mut self, buffers: &Buffers, consumed: usize, filled: usize) {
        self.unread = buffers.input.get(consumed..filled).unwrap_or_default().to_vec();
    }

    #[cold]
    fn begin_to_linger(&mut self) -> Fate {
        if self.socket.shutdown(Shutdown::Write).is_err() {
            return Fate::Gone;
        }
        (self.phase, self.since) = (Phase::Lingering, Instant::now());
        self.unread = Vec::new();
        // It may have been read short before: an end that came meanwhile is seen now.
        self.readable = true;
        Fate::Again
    }

    #[cold]
    fn linger(&mut self, buffers: &mut Buffers) -> Fate {
        for _ in 0..TURN {
            match self.socket.read(&mut buffers.input) {
                Ok(0) => return Fate::Gone,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Fate::Waits,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Fate::Gone,
            }
        }
        Fate::Again
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use std::net::TcpListener;

    use onewrite::http::{response, routes};

    use super::*;

    response! { static HELLO = 200, {}, b"Hello" }
    routes! { static SITE = { "/" => HELLO } }

    /// What the client's end was first seen with is done with in more than one turn.
    #[test]
    fn the_end_of_a_client_is_found_behind_another_turn() {
        const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: pi\r\n\r\n";
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (socket, _) = listener.accept().unwrap();
        let mut buffers = Buffers::new(&SITE);
        // One request a turn, and less than a whole input at the end.
        buffers.input = vec![0; REQUEST.len()].into_boxed_slice();
        let sent = REQUEST.repeat(40).len() + 1;
        client.write_all(&[&REQUEST.repeat(40), &b"G"[..]].concat()).unwrap();
        client.shutdown(Shutdown::Write).unwrap();
        while socket.peek(&mut vec![0; 2 * sent]).unwrap() < sent {}
        socket.set_nonblocking(true).unwrap();
        let socket = TcpStream::from_std(socket);
        let mut connection = Connection::new(socket, Protocol::Http1, Instant::now());
        assert!(connection.wakes(true, true));
        assert_eq!(connection.serve(&SITE, &mut (), &mut buffers), Fate::Again);
        assert_eq!(connection.serve(&SITE, &mut (), &mut buffers), Fate::Gone);
        assert_eq!(connection.requests(), 40);
    }
}
