//! What bytes go to: a driver that fails where it is told to, and memory that behaves like it.

use std::convert::Infallible;
use std::fmt;

use embedded_io::ErrorKind;
use onewrite::error::{WriteError, WriteErrorKind};
use onewrite::sink::Sink;

/// A driver's own error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault(pub(crate) u8);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fault {}", self.0)
    }
}

impl std::error::Error for Fault {}

impl embedded_io::Error for Fault {
    fn kind(&self) -> ErrorKind {
        ErrorKind::BrokenPipe
    }
}

/// How a driver fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// With an error of its own.
    Breaks,
    /// It takes no bytes.
    Stalls,
    /// It takes what it is offered, and claims one byte more.
    Claims,
}

/// Takes bytes up to a place, fails there so many times, and works again.
#[derive(Clone, Debug)]
pub(crate) struct Driver {
    pub(crate) taken: Vec<u8>,
    pub(crate) calls: usize,
    /// Bytes that it takes in one call.
    at_once: usize,
    until: usize,
    stop: Stop,
    /// How often it fails.
    times: usize,
}

impl Driver {
    pub(crate) fn failing(until: usize, stop: Stop, times: usize, at_once: usize) -> Self {
        Self { taken: Vec::new(), calls: 0, at_once, until, stop, times }
    }

    /// One that never fails.
    pub(crate) fn taking(at_once: usize) -> Self {
        Self::failing(usize::MAX, Stop::Breaks, 0, at_once)
    }

    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        assert!(!bytes.is_empty(), "a driver is never offered nothing");
        self.calls += 1;
        let room = if self.times == 0 { usize::MAX } else { self.until - self.taken.len() };
        let len = bytes.len().min(self.at_once).min(room);
        self.taken.extend_from_slice(&bytes[..len]);
        if len != 0 {
            return Ok(len);
        }
        self.times -= 1;
        match self.stop {
            Stop::Breaks => Err(Fault(7)),
            Stop::Stalls => Ok(0),
            Stop::Claims => {
                self.times = 0;
                self.taken.extend_from_slice(bytes);
                Ok(bytes.len() + 1)
            }
        }
    }

    /// What was taken, for a receiver that begins anew.
    pub(crate) fn drain(&mut self) -> Vec<u8> {
        self.until = 0;
        std::mem::take(&mut self.taken)
    }
}

impl embedded_io::ErrorType for Driver {
    type Error = Fault;
}

impl embedded_io::Write for Driver {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        self.take(bytes)
    }

    fn flush(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

impl embedded_io_async::Write for Driver {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        self.take(bytes)
    }

    async fn flush(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// Whether the bytes are the same; says where not, as there are many.
#[track_caller]
pub(crate) fn same(bytes: &[u8], expected: &[u8], what: &str) {
    let alike = bytes.iter().zip(expected).take_while(|(byte, expected)| byte == expected).count();
    assert!(
        bytes == expected,
        "{what}: {} bytes of {}, {alike} alike",
        bytes.len(),
        expected.len()
    );
}

/// Memory, with an error that it never has.
pub(crate) struct Memory<S>(pub(crate) S);

impl<S: Sink<Error = Infallible>> Sink for Memory<S> {
    type Error = Fault;

    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError<Fault>> {
        self.0.write(bytes).map_err(convert)
    }

    fn reserve(&mut self, len: usize) -> Result<Option<&mut [u8]>, WriteError<Fault>> {
        self.0.reserve(len).map_err(convert)
    }

    fn poison(&mut self) {
        self.0.poison();
    }
}

fn convert(error: WriteError<Infallible>) -> WriteError<Fault> {
    let WriteErrorKind::Full { needed, available } = error.kind else {
        panic!("memory can only be full: {error}");
    };
    WriteError::new(error.written, WriteErrorKind::Full { needed, available })
}

/// Memory that takes whole writes and lends nothing, like a queue between two processors. It keeps the
/// lengths of the writes.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    pub(crate) bytes: Vec<u8>,
    pub(crate) ends: Vec<usize>,
    pub(crate) limit: usize,
    pub(crate) poisoned: bool,
}

impl Queue {
    pub(crate) fn of(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }
}

impl Sink for Queue {
    type Error = Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError<Infallible>> {
        let (written, needed) = (self.bytes.len(), bytes.len());
        let available = self.limit - written;
        if needed > available {
            return Err(WriteError::new(written, WriteErrorKind::Full { needed, available }));
        }
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len());
        Ok(())
    }

    fn reserve(&mut self, _: usize) -> Result<Option<&mut [u8]>, WriteError<Infallible>> {
        Ok(None)
    }

    fn poison(&mut self) {
        self.poisoned = true;
    }
}
