//! Any `embedded_io_async::Write` as a place for bytes.

use ::embedded_io_async::{Error as _, ErrorKind, Write};

use crate::error::{WriteError, WriteErrorKind};

use super::producer::chunk_of;
use super::progress::Progress;
use super::{Producer, SCRATCH_LEN};

/// Writes to an asynchronous driver: a UART, a socket, a radio.
///
/// The twin of `sink::embedded_io::StreamSink`: the same loop, the same errors, the same bytes.
/// Only the calls to the driver are awaited. It has the methods of a [`Sink`](super::Sink) and not
/// the trait, whose methods do not wait.
///
/// # When a write fails
///
/// | the driver | the error | after `write` | after `pump`, `write_from` |
/// |---|---|---|---|
/// | returns an error | `Sink`, with the driver's error untouched | see below | poisoned |
/// | returns `Ok(0)` | `Stalled` | see below | poisoned |
/// | is interrupted 1,000 times in a row | `Stalled` | see below | poisoned |
/// | claims more bytes than it was offered | `Miscounted` | poisoned | poisoned |
///
/// `written` counts the bytes that the driver accepted since the sink was made or last
/// [reset](Self::reset). If none of them belongs to the message of a failed `write`, the stream
/// still stands between two messages, and the same bytes can be written again. Otherwise the
/// receiver holds a part of a message: the sink is poisoned, and everything is refused with
/// `Poisoned` until [`reset`](Self::reset).
///
/// A producer's message poisons the sink also if the driver took none of it: the producer has moved
/// past the chunk that was refused, and what it makes next is no beginning. After the reset, the
/// message is made again by a new producer. The count stays at `usize::MAX` rather than wrap.
///
/// # When a future is dropped
///
/// A future that is dropped before it was first polled has done nothing. One that is dropped while
/// it waits for the driver, be it in a write or in a flush, poisons the sink, also before the
/// first byte: nobody knows what the driver did with the bytes that it was offered.
///
/// Nothing here panics; but into every `async fn` the compiler puts one panic of its own, for a
/// future that is polled again after it has completed.
///
/// ```
/// use onewrite::sink::embedded_io_async::StreamSink;
///
/// # async fn run() -> Result<(), onewrite::error::WriteError<core::convert::Infallible>> {
/// let mut uart = Vec::new(); // any embedded_io_async::Write
/// let mut sink = StreamSink::new(&mut uart);
/// sink.write(b"one record").await?;
/// assert_eq!(sink.written(), 10);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct StreamSink<W> {
    writer: W,
    progress: Progress,
}

impl<W: Write> StreamSink<W> {
    /// A sink in front of `writer`; pass `&mut writer` to keep it.
    #[must_use]
    pub const fn new(writer: W) -> Self {
        Self { writer, progress: Progress::new() }
    }

    /// Writes `bytes` as one message.
    ///
    /// # Errors
    ///
    /// As the table above says.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError<W::Error>> {
        self.progress.open()?;
        match self.write_chunk(bytes).await {
            Ok(()) => {
                self.progress.close();
                Ok(())
            }
            Err(kind) => Err(self.progress.fail(kind)),
        }
    }

    /// Writes everything that `producer` makes as one message, and returns its length.
    ///
    /// One call to the driver a chunk, if the driver takes all it is offered. See
    /// [`write_from`](Self::write_from) for a scratch of another length than [`SCRATCH_LEN`].
    ///
    /// # Errors
    ///
    /// As [`write_from`](Self::write_from).
    pub async fn pump<P>(&mut self, producer: P) -> Result<usize, WriteError<W::Error, P::Error>>
    where
        P: Producer,
    {
        self.write_from(producer, &mut [0; SCRATCH_LEN]).await
    }

    /// Writes everything that `producer` makes as one message, and returns its length.
    ///
    /// # Errors
    ///
    /// As the table above says. `Encode` with the protocol's own error, `Miscounted` if the
    /// producer claims more bytes than `scratch` has; both poison the sink if a chunk before them
    /// went out, and change nothing otherwise.
    pub async fn write_from<P>(
        &mut self,
        mut producer: P,
        scratch: &mut [u8],
    ) -> Result<usize, WriteError<W::Error, P::Error>>
    where
        P: Producer,
    {
        self.progress.open()?;
        loop {
            let chunk = match chunk_of(&mut producer, scratch) {
                Ok([]) => return Ok(self.progress.close()),
                Ok(chunk) => chunk,
                Err(kind) => return Err(self.progress.fail(kind)),
            };
            if let Err(kind) = self.write_chunk(chunk).await {
                return Err(self.progress.abandon(kind));
            }
        }
    }

    /// Waits until everything written has reached its destination.
    ///
    /// An interrupted flush is tried again, 1,000 times at most.
    ///
    /// # Errors
    ///
    /// `Sink` with the driver's error, `Stalled`, or `Poisoned`. A failed flush does not poison.
    pub async fn flush(&mut self) -> Result<(), WriteError<W::Error>> {
        self.progress.open()?;
        loop {
            let Err(error) = self.writer.flush().await else {
                self.progress.close();
                return Ok(());
            };
            let interrupted = error.kind() == ErrorKind::Interrupted;
            if let Err(kind) = self.progress.retry(error, interrupted) {
                return Err(self.progress.fail(kind));
            }
        }
    }

    /// Starts anew: the count is zero, and the sink is no longer poisoned.
    ///
    /// Call it once the receiver no longer waits for the rest of the message that was cut short,
    /// such as on a new connection.
    pub const fn reset(&mut self) {
        self.progress = Progress::new();
    }

    /// Says that a message of several writes ends here, and not with its last byte; see
    /// [`Sink::poison`](super::Sink::poison).
    pub const fn poison(&mut self) {
        self.progress.poison();
    }

    /// Bytes that the driver accepted since the sink was made or last reset.
    #[must_use]
    pub const fn written(&self) -> usize {
        self.progress.written()
    }

    /// Whether a message was cut short, or given up with [`poison`](Self::poison), and the
    /// sink not reset since.
    #[must_use]
    pub const fn is_poisoned(&self) -> bool {
        self.progress.is_poisoned()
    }

    /// The driver, to configure it. Bytes written to it directly are not counted.
    pub const fn writer_mut(&mut self) -> &mut W {
        &mut self.writer
    }

    /// The driver.
    #[must_use]
    pub fn into_writer(self) -> W {
        self.writer
    }

    #[inline]
    async fn write_chunk<P>(&mut self, mut rest: &[u8]) -> Result<(), WriteErrorKind<W::Error, P>> {
        while !rest.is_empty() {
            let outcome = self.writer.write(rest).await;
            let interrupted =
                matches!(&outcome, Err(error) if error.kind() == ErrorKind::Interrupted);
            rest = self.progress.advance(rest, outcome, interrupted)?;
        }
        Ok(())
    }
}
