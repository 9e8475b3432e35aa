//! Records out of any source.

use super::{ByteArray, Record};
use crate::error::{DecodeError, ReadError, ReadErrorKind};
use crate::source::Source;

/// Records out of any source.
///
/// ```
/// use onewrite::record::ReadRecord;
/// use onewrite::render_batch::EditRecord;
/// use onewrite::source::SliceSource;
///
/// let edit = EditRecord { kind: 6, sibling: 2, index: 0, name: 0 };
/// let bytes = edit.to_bytes();
/// let mut source = SliceSource::new(&bytes);
/// assert_eq!(source.read_record()?, Some(edit));
/// assert_eq!(source.read_record::<EditRecord>()?, None);
/// # Ok::<(), onewrite::error::ReadError<core::convert::Infallible>>(())
/// ```
pub trait ReadRecord: Source {
    /// The next record, or `None` where the input ends in front of it.
    ///
    /// A record of no bytes is always there and reads nothing.
    ///
    /// # Errors
    ///
    /// `Decode` if the bytes are no such record: they were read, so the next call sees the record
    /// after them. Else as [`Source::read`].
    #[inline]
    fn read_record<R: Record>(&mut self) -> Result<Option<R>, ReadError<Self::Error>> {
        let mut bytes = <R::Bytes as ByteArray>::ZERO;
        if R::Bytes::LEN != 0 && self.read(bytes.as_mut_slice(), R::Bytes::LEN)? == 0 {
            return Ok(None);
        }
        match R::from_bytes(&bytes) {
            Ok(record) => Ok(Some(record)),
            Err(error) => Err(not_decoded(self.bytes_read(), error)),
        }
    }

    /// Overwrites `records` from its start, and returns how many; fewer than all of them only where
    /// the input ends.
    ///
    /// One read a record, so a driver is called for each of them: the price of stopping right
    /// behind a record that does not decode. Where calls are dear, read many at once with
    /// [`SourceExt::records`](crate::source::SourceExt::records), and decode each array with
    /// [`Record::from_bytes`]; what follows a bad record has then been read as well.
    ///
    /// # Errors
    ///
    /// As [`read_record`](Self::read_record). The records in front of the offending one were
    /// overwritten, and nothing behind it was read.
    #[inline]
    fn read_records<R: Record>(
        &mut self,
        records: &mut [R],
    ) -> Result<usize, ReadError<Self::Error>> {
        let mut count = 0;
        for record in records {
            match self.read_record()? {
                Some(read) => *record = read,
                None => break,
            }
            count += 1;
        }
        Ok(count)
    }
}

impl<S: Source + ?Sized> ReadRecord for S {}

fn not_decoded<E>(read: usize, error: DecodeError) -> ReadError<E> {
    ReadError::new(read, ReadErrorKind::Decode(error))
}

#[cfg(feature = "embedded-io-async-07")]
impl<D: embedded_io_async::Read> crate::source::embedded_io_async::StreamSource<D> {
    /// The next record, or `None` where the input ends in front of it; see
    /// [`ReadRecord::read_record`].
    ///
    /// # Errors
    ///
    /// `Decode` if the bytes are no such record: they were read, so the next call sees the record
    /// after them. Else as [`read`](Self::read).
    pub async fn read_record<R: Record>(&mut self) -> Result<Option<R>, ReadError<D::Error>> {
        let mut bytes = <R::Bytes as ByteArray>::ZERO;
        if R::Bytes::LEN != 0 && self.read(bytes.as_mut_slice(), R::Bytes::LEN).await? == 0 {
            return Ok(None);
        }
        match R::from_bytes(&bytes) {
            Ok(record) => Ok(Some(record)),
            Err(error) => Err(not_decoded(self.bytes_read(), error)),
        }
    }

    /// Overwrites `records` from its start, and returns how many; see
    /// [`ReadRecord::read_records`].
    ///
    /// One read a record; [`records`](Self::records) reads many at once, as bytes.
    ///
    /// # Errors
    ///
    /// As [`read_record`](Self::read_record).
    pub async fn read_records<R: Record>(
        &mut self,
        records: &mut [R],
    ) -> Result<usize, ReadError<D::Error>> {
        let mut count = 0;
        for record in records {
            match self.read_record().await? {
                Some(read) => *record = read,
                None => break,
            }
            count += 1;
        }
        Ok(count)
    }
}
