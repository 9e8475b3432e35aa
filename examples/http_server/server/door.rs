//! The door: who comes in, and who is told that there is no place.

use std::fmt;
use std::io::{self, ErrorKind, Write as _};
use std::net::{Shutdown, SocketAddr};

use mio::net::{TcpListener, TcpStream};
use mio::{Interest, Registry, Token};
use onewrite::http::Protocol;

/// The listener, and what is said to those for whom there is no place.
#[derive(Debug)]
pub(crate) struct Door {
    /// Gone once nobody is let in any more.
    listener: Option<TcpListener>,
    /// Somebody may be waiting to be accepted.
    knocked: bool,
    /// No place was free; the next turn sees whether somebody has left meanwhile.
    holds: bool,
    protocol: Protocol,
    /// Connections at the same time.
    limit: usize,
}

/// Somebody who has come.
#[derive(Debug)]
pub(crate) enum Guest {
    Enters(TcpStream),
    /// There was no place, and that was said.
    Refused,
}

impl Door {
    /// Listens at `address`; who comes while `limit` connections are open is refused in `protocol`.
    pub(crate) fn bind(address: SocketAddr, protocol: Protocol, limit: usize) -> io::Result<Self> {
        let listener = TcpListener::bind(address).map_err(|error| named(address, error));
        let listener = Some(listener?);
        Ok(Self { listener, knocked: true, holds: false, protocol, limit })
    }

    /// Has the events of `token` say when to call [`Door::knock`]; returns the address.
    pub(crate) fn register(&mut self, registry: &Registry, token: Token) -> io::Result<SocketAddr> {
        let closed = || io::Error::from(ErrorKind::NotConnected);
        let listener = self.listener.as_mut().ok_or_else(closed)?;
        registry.register(listener, token, Interest::READABLE)?;
        listener.local_addr()
    }

    pub(crate) const fn knock(&mut self) {
        self.knocked = true;
    }

    /// Lets nobody in any more: whoever comes now is refused by the system.
    pub(crate) fn close(&mut self) {
        self.listener = None;
        self.holds = false;
    }

    /// Who comes next, while `open` connections are; `None` if nobody waits, or nobody can be accepted
    /// in this turn.
    pub(crate) fn next(&mut self, open: usize) -> Option<Guest> {
        let listener = self.listener.as_ref()?;
        if self.knocked && open >= self.limit && !self.holds {
            // Whoever was answered in this turn may have left and come anew.
            self.holds = true;
            return None;
        }
        while self.knocked {
            match listener.accept() {
                Ok((socket, _)) if open < self.limit => {
                    self.holds = false;
                    return Some(Guest::Enters(socket));
                }
                Ok((mut socket, _)) => {
                    refuse(&mut socket, self.protocol);
                    return Some(Guest::Refused);
                }
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => (self.knocked, self.holds) = (false, false),
                    ErrorKind::Interrupted | ErrorKind::ConnectionAborted => {}
                    // No descriptors, no memory: tried again at the next tick.
                    _ => {
                        self.holds = false;
                        return None;
                    }
                },
            }
        }
        None
    }

    /// Whether the next turn is not to wait for anything.
    pub(crate) const fn holds(&self) -> bool {
        self.holds
    }

    /// Whether somebody may be waiting who could not be accepted.
    pub(crate) const fn is_knocked(&self) -> bool {
        self.knocked
    }
}

/// Says in the first line of standard output where clients are waited for.
pub(crate) fn announce(address: SocketAddr) -> io::Result<()> {
    let mut stdout = io::stdout();
    let said = writeln!(stdout, "listening on {address}").and_then(|()| stdout.flush());
    said.map_err(|error| named("standard output", error))
}

fn named(what: impl fmt::Display, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what}: {error}"))
}

/// Has the events of `token` say when there is something to do for somebody who has entered.
pub(crate) fn seat(socket: &mut TcpStream, registry: &Registry, token: Token) -> io::Result<()> {
    // A response is one write, and waits for nothing.
    socket.set_nodelay(true)?;
    registry.register(socket, token, Interest::READABLE | Interest::WRITABLE)
}

/// Tells a client that there is no place, without waiting for what it wants.
#[cold]
fn refuse(socket: &mut TcpStream, protocol: Protocol) {
    let refusal: &[u8] = match protocol {
        Protocol::Auto | Protocol::Http1 => {
            b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nretry-after: 1\r\n\
              connection: close\r\n\r\n"
        }
        // SETTINGS, which come first, and GOAWAY with REFUSED_STREAM (RFC 9113 section 6.8).
        Protocol::Http2 => b"\0\0\0\x04\0\0\0\0\0\0\0\x08\x07\0\0\0\0\0\0\0\0\0\0\0\0\x07",
    };
    // Whether it arrives is up to the client; what it costs is bounded.
    let _ = socket.write(refusal).and_then(|_| socket.shutdown(Shutdown::Both));
}
