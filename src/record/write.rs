//! Records into any sink.

use super::slice::fill;
use super::{ByteArray, Record};
use crate::error::WriteError;
use crate::sink::{SCRATCH_LEN, Sink};

/// Records into any sink: in place where it lends memory, else in as few writes as fit a scratch.
///
/// ```
/// use onewrite::record::WriteRecord;
/// use onewrite::render_batch::EditRecord;
/// use onewrite::sink::SliceSink;
///
/// let mut buffer = [0; 32];
/// let mut sink = SliceSink::new(&mut buffer);
/// let edit = EditRecord { kind: 6, sibling: 2, index: 0, name: 0 };
/// sink.write_records(&[edit, edit])?;
/// assert_eq!(buffer[..8], [6, 0, 0, 0, 2, 0, 0, 0]);
/// # Ok::<(), onewrite::error::WriteError<core::convert::Infallible>>(())
/// ```
pub trait WriteRecord: Sink {
    /// Writes one record, in one write if the sink is not memory.
    ///
    /// A record of no bytes is no call of the sink.
    ///
    /// # Errors
    ///
    /// The sink's: see [`Sink::write`]. Memory is unchanged then.
    #[inline]
    fn write_record<R: Record>(&mut self, record: &R) -> Result<(), WriteError<Self::Error>> {
        if R::Bytes::LEN == 0 {
            return Ok(());
        }
        if let Some(slot) = self.reserve(R::Bytes::LEN)? {
            if let Some((slot, _)) = R::Bytes::split_first_mut(slot) {
                record.write_at(slot);
            }
            return Ok(());
        }
        self.write(record.to_bytes().as_slice())
    }

    /// Writes records one after the other.
    ///
    /// Memory is reserved for all of them at once. Any other sink gets writes of whole records, as
    /// many as fit in 256 bytes, or one where a record is longer than half of that.
    ///
    /// # Errors
    ///
    /// The sink's: see [`Sink::write`]. Memory is unchanged then; a stream has taken the bytes
    /// that [`WriteError::written`] counts. Each write is a message of its own: a stream that stops
    /// between two of them is not poisoned, as the receiver holds whole records and the others can
    /// follow. One that stops inside a write is, also where a record happens to end there.
    #[inline]
    fn write_records<R: Record>(&mut self, records: &[R]) -> Result<(), WriteError<Self::Error>> {
        let len = records.len().saturating_mul(R::Bytes::LEN);
        if len == 0 {
            return Ok(());
        }
        if let Some(out) = self.reserve(len)? {
            fill(records, out);
            return Ok(());
        }
        let whole = SCRATCH_LEN / R::Bytes::LEN.max(1);
        if whole < 2 {
            for record in records {
                self.write(record.to_bytes().as_slice())?;
            }
            return Ok(());
        }
        let mut scratch = [0; SCRATCH_LEN];
        for records in records.chunks(whole) {
            if let Some((bytes, _)) = scratch.split_at_mut_checked(records.len() * R::Bytes::LEN) {
                fill(records, bytes);
                self.write(bytes)?;
            }
        }
        Ok(())
    }
}

impl<S: Sink + ?Sized> WriteRecord for S {}
