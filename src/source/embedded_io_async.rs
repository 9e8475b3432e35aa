//! Any `embedded_io_async::Read` as a place that records come from.

use ::embedded_io_async::{Error as _, ErrorKind, Read};

use crate::error::ReadError;

use super::progress::{Next, Progress};

/// Reads from an asynchronous driver: a UART, a socket, a radio.
///
/// The twin of `source::embedded_io::StreamSource`: the same loop, the same errors, the same
/// records. Only the calls to the driver are awaited. It has the methods of
/// [`Source`](super::Source) and [`SourceExt`](super::SourceExt), and not the traits, whose methods
/// do not wait.
///
/// # When a read fails
///
/// | the driver | the error | afterwards |
/// |---|---|---|
/// | ends inside a record | `EndOfInput` | poisoned |
/// | returns an error | `Source`, with the driver's error untouched | see below |
/// | is interrupted 1,000 times in a row | `Stalled` | see below |
/// | claims more bytes than it had room for | `Miscounted` | poisoned |
///
/// `read` counts the bytes that arrived since the source was made or last [reset](Self::reset). If
/// none arrived in the failed read, the stream still stands between two records, and the read can
/// be repeated. Otherwise bytes are lost: the source is poisoned, and refuses everything with
/// `Poisoned` until [`reset`](Self::reset). The count stays at `usize::MAX` rather than wrap.
///
/// # When a future is dropped
///
/// A future that is dropped before it was first polled has done nothing. One that is dropped while
/// it waits for the driver poisons the source, also before the first byte: nobody knows what the
/// driver did with the room that it was given.
///
/// Nothing here panics; but into every `async fn` the compiler puts one panic of its own, for a
/// future that is polled again after it has completed.
///
/// ```
/// use onewrite::source::embedded_io_async::StreamSource;
///
/// # async fn run() -> Result<(), onewrite::error::ReadError<core::convert::Infallible>> {
/// let mut uart = &b"\x01\x02\x03\x04"[..]; // any embedded_io_async::Read
/// let mut source = StreamSource::new(&mut uart);
/// assert_eq!(source.record().await?, Some([1, 2, 3, 4]));
/// assert_eq!(source.record::<4>().await?, None);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct StreamSource<R> {
    reader: R,
    progress: Progress,
}

impl<R: Read> StreamSource<R> {
    /// A source in front of `reader`; pass `&mut reader` to keep it.
    #[must_use]
    pub const fn new(reader: R) -> Self {
        Self { reader, progress: Progress::new() }
    }

    /// The next record of `N` bytes, or `None` where the input ends in front of it.
    ///
    /// # Errors
    ///
    /// As the table above says.
    pub async fn record<const N: usize>(&mut self) -> Result<Option<[u8; N]>, ReadError<R::Error>> {
        const { assert!(N != 0, "a record has at least one byte") }
        let mut record = [0; N];
        let len = self.read(&mut record, N).await?;
        Ok(if len == N { Some(record) } else { None })
    }

    /// Fills `records` from its start, and returns how many records; fewer than all of them only
    /// where the input ends.
    ///
    /// # Errors
    ///
    /// As the table above says.
    pub async fn records<const N: usize>(
        &mut self,
        records: &mut [[u8; N]],
    ) -> Result<usize, ReadError<R::Error>> {
        const { assert!(N != 0, "a record has at least one byte") }
        Ok(self.read(records.as_flattened_mut(), N).await? / N)
    }

    /// Fills `records`; see [`Source::read`](super::Source::read).
    ///
    /// # Errors
    ///
    /// As the table above says.
    pub async fn read(
        &mut self,
        records: &mut [u8],
        record_len: usize,
    ) -> Result<usize, ReadError<R::Error>> {
        let mut next = self.progress.open(records, record_len)?;
        loop {
            let from = match next {
                Next::Done(len) => return Ok(len),
                Next::Read(from) => from,
            };
            let room = records.get_mut(from..).unwrap_or_default();
            let outcome = self.reader.read(room).await;
            let interrupted =
                matches!(&outcome, Err(error) if error.kind() == ErrorKind::Interrupted);
            next = match self.progress.advance(room.len(), outcome, interrupted) {
                Ok(next) => next,
                Err(kind) => return Err(self.progress.fail(kind)),
            };
        }
    }

    /// Starts anew: the count is zero, and the source is no longer poisoned.
    ///
    /// Call it once the next byte of the driver is the first of a record, such as on a new
    /// connection.
    pub const fn reset(&mut self) {
        self.progress = Progress::new();
    }

    /// Bytes that arrived since the source was made or last reset.
    #[must_use]
    pub const fn bytes_read(&self) -> usize {
        self.progress.read()
    }

    /// Whether bytes of a record were lost and the source not reset since.
    #[must_use]
    pub const fn is_poisoned(&self) -> bool {
        self.progress.is_poisoned()
    }

    /// The driver, to configure it. Bytes read from it directly are not counted.
    pub const fn reader_mut(&mut self) -> &mut R {
        &mut self.reader
    }

    /// The driver.
    #[must_use]
    pub fn into_reader(self) -> R {
        self.reader
    }
}
