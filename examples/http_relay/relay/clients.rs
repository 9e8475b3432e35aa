//! The clients' side of the relay.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::thread;
use std::time::Duration;

use super::board::Frame;
use crate::link::{CHANNELS, Head, Kind, PAYLOAD};

/// What happened.
#[derive(Debug)]
pub(crate) enum Event {
    /// A client has connected, and got this channel.
    Opened(usize, TcpStream),
    /// It has sent something, at most [`PAYLOAD`] bytes.
    Sent(usize, Vec<u8>),
    /// It is gone.
    Gone(usize),
    /// The relay is to end.
    End,
}

/// The clients that are connected.
#[derive(Debug)]
pub(crate) struct Clients {
    /// Their sockets, until the board or the client closes the connection.
    sockets: [Option<TcpStream>; CHANNELS],
    events: SyncSender<Event>,
    /// Channels that nobody has any more, for those who wait.
    free: Sender<usize>,
}

/// A client that does not take what is for it has lost the rest.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);

impl Clients {
    /// Accepts clients as long as there are channels for them; the others wait.
    pub(crate) fn accept(listener: TcpListener, events: SyncSender<Event>) -> Self {
        let (free, waiting) = channel();
        for number in 0..CHANNELS {
            free.send(number).ok();
        }
        let accepted = events.clone();
        thread::spawn(move || accept(&listener, &waiting, &accepted));
        Self { sockets: Default::default(), events, free }
    }

    /// What the board has to know of an event; `None` if that is the end.
    pub(crate) fn frame(&mut self, event: Event) -> Option<Frame> {
        match event {
            Event::Opened(number, socket) => {
                let events = self.events.clone();
                match (socket.try_clone(), self.sockets.get_mut(number)) {
                    (Ok(from), Some(place)) => {
                        *place = Some(socket);
                        thread::spawn(move || read(number, from, &events));
                    }
                    // Nobody will read from it: it is gone at once.
                    _ => {
                        self.free.send(number).ok();
                    }
                }
                Some(Frame::empty(Kind::Open, number))
            }
            Event::Sent(number, bytes) => {
                let head = Head { kind: Kind::Data, channel: number, len: bytes.len() };
                Some(Frame { head, bytes })
            }
            Event::Gone(number) => {
                if let Some(place) = self.sockets.get_mut(number) {
                    *place = None;
                    self.free.send(number).ok();
                }
                Some(Frame::empty(Kind::Close, number))
            }
            Event::End => None,
        }
    }

    /// Takes what the board has for a client.
    pub(crate) fn take(&mut self, frame: Frame) {
        let Frame { head: Head { kind, channel, .. }, bytes } = frame;
        let Some(place) = self.sockets.get_mut(channel) else { return };
        let Some(socket) = place else { return };
        let lost = match kind {
            Kind::Data => socket.write_all(&bytes).is_err(),
            _ => false,
        };
        if lost {
            socket.shutdown(Shutdown::Both).ok();
            *place = None;
        } else if kind == Kind::Close {
            // The client closes its side then, and its reader says so.
            socket.shutdown(Shutdown::Write).ok();
            socket.set_read_timeout(Some(WRITE_TIMEOUT)).ok();
            *place = None;
        }
    }

    /// Drops every client: the board has forgotten them.
    pub(crate) fn close_all(&mut self) {
        for socket in self.sockets.iter_mut().filter_map(Option::take) {
            socket.shutdown(Shutdown::Both).ok();
        }
    }
}

fn accept(listener: &TcpListener, free: &Receiver<usize>, events: &SyncSender<Event>) {
    for number in free {
        // A connection that failed before it was accepted is nobody's.
        let socket = loop {
            if let Ok((socket, _)) = listener.accept() {
                break socket;
            }
            thread::sleep(Duration::from_millis(100));
        };
        socket.set_nodelay(true).ok();
        socket.set_write_timeout(Some(WRITE_TIMEOUT)).ok();
        if events.send(Event::Opened(number, socket)).is_err() {
            return;
        }
    }
}

fn read(number: usize, mut from: TcpStream, events: &SyncSender<Event>) {
    let mut buffer = [0; PAYLOAD];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        let bytes = buffer.get(..count).unwrap_or_default().to_vec();
        if events.send(Event::Sent(number, bytes)).is_err() {
            return;
        }
    }
    events.send(Event::Gone(number)).ok();
}
