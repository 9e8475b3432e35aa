//! Any blocking `embedded_io::Read` as a source.

use ::embedded_io::{Error as _, ErrorKind, Read};

use crate::error::ReadError;

use super::Source;
use super::progress::{Next, Progress};

/// Reads from a driver: a UART, a socket, a file.
///
/// A read asks the driver until the records are whole, so it blocks as the driver does. A call that
/// is interrupted is made again. At the end of the input the driver may be asked again later, as a
/// file can grow.
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
/// ```
/// use onewrite::source::{SourceExt, embedded_io::StreamSource};
///
/// let mut uart = &b"\x01\x02\x03\x04"[..]; // any embedded_io::Read
/// let mut source = StreamSource::new(&mut uart);
/// assert_eq!(source.record()?, Some([1, 2, 3, 4]));
/// assert_eq!(source.record::<4>()?, None);
/// # Ok::<(), onewrite::error::ReadError<core::convert::Infallible>>(())
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

impl<R: Read> Source for StreamSource<R> {
    type Error = R::Error;

    /// Fills `records`; see [`Source::read`].
    ///
    /// # Errors
    ///
    /// As the table above says.
    fn read(
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
            let outcome = self.reader.read(room);
            let interrupted =
                matches!(&outcome, Err(error) if error.kind() == ErrorKind::Interrupted);
            next = match self.progress.advance(room.len(), outcome, interrupted) {
                Ok(next) => next,
                Err(kind) => return Err(self.progress.fail(kind)),
            };
        }
    }

    fn bytes_read(&self) -> usize {
        self.progress.read()
    }
}
