//! Serving one connection over a driver: what is read goes to a [`Conn`], what it writes goes out.
//!
//! | module | over |
//! |---|---|
//! | `embedded_io` | any `embedded_io::Read + embedded_io::Write` |
//! | `embedded_io_async` | any `embedded_io_async::Read + embedded_io_async::Write` |
//!
//! Both make the same calls in the same order. A response that fits the output buffer is one call of
//! `write`, and so are all responses to requests that arrived together. Nothing here has a clock: a
//! driver that fails when it has waited for too long ends the connection.

#[cfg(feature = "embedded-io-07")]
pub mod embedded_io;
#[cfg(feature = "embedded-io-async-07")]
pub mod embedded_io_async;

use core::cell::Cell;
use core::fmt;

use crate::interruptions::Interruptions;

use super::{Conn, Fed, Handler, Next, Routes, Speaks};

/// The memory that a connection needs while it is served.
///
/// What is in them has no meaning before, and after only what [`End::Switched`] says.
#[derive(Debug)]
pub struct Buffers<'b> {
    /// Holds what the client sent until it is consumed. 16,393 bytes hold every frame of HTTP/2; a
    /// client whose frame of header fields, or whose line of a head, is longer than this is refused.
    /// Bodies are not: they are read in pieces.
    pub input: &'b mut [u8],
    /// Holds what goes out in one write, at least [`Routes::min_output`] bytes.
    pub output: &'b mut [u8],
}

/// How a connection ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum End {
    /// The client closed it.
    Client,
    /// It speaks another protocol now: see [`Next::Switch`].
    Switched {
        /// Bytes at the start of the input buffer that are the other protocol's.
        unread: usize,
    },
    /// It is to be closed: the client asked for that, was refused, or [`Conn::shutdown`] was called.
    Server,
}

/// Why a connection could not be served to its end.
///
/// `E` is the driver's own error, kept untouched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ServeError<E> {
    /// The driver's own error.
    Io(E),
    /// The driver claims more bytes than it was offered, or had room for.
    Miscounted {
        /// Bytes, or room.
        offered: usize,
        /// Bytes that it claims.
        claimed: usize,
    },
    /// The output buffer is too short for a response that goes out whole.
    OutputTooShort {
        /// What it takes, at most [`Routes::min_output`].
        needed: usize,
        /// Length of the buffer.
        available: usize,
    },
    /// The driver takes no bytes, or was interrupted 1,000 times in a row.
    Stalled,
}

impl<E: fmt::Display> fmt::Display for ServeError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Miscounted { offered, claimed } => {
                write!(f, "{claimed} bytes claimed of {offered}")
            }
            Self::OutputTooShort { needed, available } => {
                write!(f, "output buffer is too short: {needed} bytes needed, {available} there")
            }
            Self::Stalled => f.write_str("driver takes no bytes"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for ServeError<E> {}

/// What both shells have in common: everything but the calls to the driver.
///
/// `next` says which call to make, and `wrote`, `flushed` or `read` takes its outcome.
#[derive(Debug)]
struct Exchange {
    /// Bytes at the start of the input buffer that are not consumed.
    filled: usize,
    /// The part of the output buffer that is still to be written.
    written: usize,
    sent: usize,
    after: After,
    /// Something was written since the last flush.
    unflushed: bool,
    interruptions: Interruptions,
}

/// What follows when the output is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    Feed,
    Read,
    End(End),
}

/// A call to make.
#[derive(Debug)]
enum Call<'b> {
    Write(&'b [u8]),
    Flush,
    Read(&'b mut [u8]),
    None(End),
}

impl Exchange {
    const fn new() -> Self {
        Self {
            filled: 0,
            written: 0,
            sent: 0,
            // A connection that is shut down already has something to say first.
            after: After::Feed,
            unflushed: false,
            interruptions: Interruptions::none(),
        }
    }

    /// Feeds the connection as long as that leads to no call.
    fn next<'b, E, H, P, const STREAMS: usize, const BLOCK: usize, const MEMO: usize>(
        &mut self,
        conn: &mut Conn<STREAMS, BLOCK, MEMO, P>,
        routes: &Routes<'_>,
        handler: &mut H,
        buffers: &'b mut Buffers<'_>,
    ) -> Result<Call<'b>, ServeError<E>>
    where
        H: Handler + ?Sized,
        P: Speaks,
    {
        while self.sent == self.written {
            match self.after {
                After::Feed => {}
                // What was written may lie in the driver until it is flushed.
                After::Read | After::End(_) if self.unflushed => return Ok(Call::Flush),
                After::End(end) => return Ok(Call::None(end)),
                After::Read => match buffers.input.get_mut(self.filled..) {
                    None | Some([]) => {
                        let fed = conn.overflow(buffers.output);
                        self.take(fed, buffers)?;
                        continue;
                    }
                    Some(_) => break,
                },
            }
            let input = buffers.input.get(..self.filled).unwrap_or_default();
            let fed = conn.feed_with(routes, handler, input, buffers.output);
            self.take(fed, buffers)?;
        }
        let rest = buffers.output.get(self.sent..self.written).unwrap_or_default();
        if rest.is_empty() {
            return Ok(Call::Read(buffers.input.get_mut(self.filled..).unwrap_or_default()));
        }
        Ok(Call::Write(rest))
    }

    fn take<E>(&mut self, fed: Fed, buffers: &mut Buffers<'_>) -> Result<(), ServeError<E>> {
        let Fed { consumed, written, next } = fed;
        (self.sent, self.written) = (0, written);
        if consumed != 0 {
            // What is left moves to the start; `copy_within` could panic.
            let input = Cell::from_mut(&mut *buffers.input).as_slice_of_cells();
            let rest = input.get(consumed..self.filled).unwrap_or_default();
            for (to, from) in input.iter().zip(rest) {
                to.set(from.get());
            }
            self.filled = rest.len();
        }
        self.after = match next {
            Next::Read => After::Read,
            Next::Close => After::End(End::Server),
            Next::Switch => After::End(End::Switched { unread: self.filled }),
            Next::Flush { needed } => {
                let available = buffers.output.len();
                // What was written goes out first. Without progress it would be asked for ever.
                if written == 0 && (consumed == 0 || needed > available) {
                    return Err(ServeError::OutputTooShort { needed, available });
                }
                After::Feed
            }
        };
        Ok(())
    }

    fn wrote<E>(&mut self, outcome: Result<usize, E>, again: bool) -> Result<(), ServeError<E>> {
        let offered = self.written - self.sent;
        match self.outcome(outcome, again, offered)? {
            None => Ok(()),
            Some(0) => Err(ServeError::Stalled),
            Some(count) => {
                self.sent += count;
                self.unflushed = true;
                Ok(())
            }
        }
    }

    fn flushed<E>(&mut self, outcome: Result<(), E>, again: bool) -> Result<(), ServeError<E>> {
        if self.outcome(outcome.map(|()| 0), again, 0)?.is_some() {
            self.unflushed = false;
        }
        Ok(())
    }

    fn read<E>(
        &mut self,
        outcome: Result<usize, E>,
        again: bool,
        room: usize,
    ) -> Result<(), ServeError<E>> {
        match self.outcome(outcome, again, room)? {
            None => {}
            Some(0) => self.after = After::End(End::Client),
            Some(count) => {
                self.filled += count;
                self.after = After::Feed;
            }
        }
        Ok(())
    }

    /// The count of a call that did something; nothing of one that is to be made again.
    fn outcome<E>(
        &mut self,
        outcome: Result<usize, E>,
        again: bool,
        offered: usize,
    ) -> Result<Option<usize>, ServeError<E>> {
        match outcome {
            Err(error) if !again => Err(ServeError::Io(error)),
            Err(_) if self.interruptions.again() => Ok(None),
            Err(_) => Err(ServeError::Stalled),
            Ok(claimed) if claimed > offered => Err(ServeError::Miscounted { offered, claimed }),
            Ok(count) => {
                self.interruptions = Interruptions::none();
                Ok(Some(count))
            }
        }
    }
}
