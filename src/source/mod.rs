//! Where records come from: the [`Source`] trait and the sources themselves.
//!
//! | source | reads from | a record that is cut short |
//! |---|---|---|
//! | [`SliceSource`] | the caller's slice | stays in the source |
//! | `embedded_io::StreamSource` | any `embedded_io::Read` | is lost; the source is poisoned |
//! | `embedded_io_async::StreamSource` | any `embedded_io_async::Read` | as above |
//!
//! All of them tell an input that ends between two records, which is no error, from one that ends
//! inside a record. These are the methods on bytes; `record` adds those on typed records.

#[cfg(feature = "embedded-io-07")]
pub mod embedded_io;
#[cfg(feature = "embedded-io-async-07")]
pub mod embedded_io_async;
#[cfg(any(feature = "embedded-io-07", feature = "embedded-io-async-07"))]
mod progress;
mod slice;

pub use slice::SliceSource;

use crate::error::ReadError;

/// A place that gives bytes in order, whole records at a time.
///
/// The trait can be used as `dyn Source<Error = E>`, and `&mut S` is a source wherever `S` is one.
pub trait Source {
    /// The error of whatever stands behind the source;
    /// [`Infallible`](core::convert::Infallible) for memory.
    type Error;

    /// Fills `records` with records of `record_len` bytes each, and returns how many bytes.
    ///
    /// The count is a multiple of `record_len`, and less than all of `records` only where the input
    /// ends: `Ok(0)` is an end between two records. Where the input ends inside a record, the whole
    /// records in front of it are returned first, and the next call fails. What stands in `records`
    /// from the returned count on, or after an error, has no meaning.
    ///
    /// `records` holds a whole number of records; if it does not, or `record_len` is zero, all of
    /// it counts as one record.
    ///
    /// # Errors
    ///
    /// `EndOfInput` if the input ends inside the first record. For the kinds that a stream adds see
    /// its own documentation.
    fn read(
        &mut self,
        records: &mut [u8],
        record_len: usize,
    ) -> Result<usize, ReadError<Self::Error>>;

    /// Bytes that came out of the source since it was made or last reset.
    fn bytes_read(&self) -> usize;
}

impl<S: Source + ?Sized> Source for &mut S {
    type Error = S::Error;

    #[inline]
    fn read(
        &mut self,
        records: &mut [u8],
        record_len: usize,
    ) -> Result<usize, ReadError<Self::Error>> {
        (**self).read(records, record_len)
    }

    #[inline]
    fn bytes_read(&self) -> usize {
        (**self).bytes_read()
    }
}

/// Records as arrays, for every source.
pub trait SourceExt: Source {
    /// The next record of `N` bytes, or `None` where the input ends in front of it.
    ///
    /// ```
    /// use onewrite::source::{SliceSource, SourceExt};
    ///
    /// let mut source = SliceSource::new(&[1, 2, 3, 4]);
    /// assert_eq!(source.record()?, Some([1, 2]));
    /// assert_eq!(source.record()?, Some([3, 4]));
    /// assert_eq!(source.record::<2>()?, None);
    /// # Ok::<(), onewrite::error::ReadError<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Source::read`].
    #[inline]
    fn record<const N: usize>(&mut self) -> Result<Option<[u8; N]>, ReadError<Self::Error>> {
        const { assert!(N != 0, "a record has at least one byte") }
        let mut record = [0; N];
        let len = self.read(&mut record, N)?;
        Ok(if len == N { Some(record) } else { None })
    }

    /// Fills `records` from its start, and returns how many records; fewer than all of them only
    /// where the input ends.
    ///
    /// # Errors
    ///
    /// As [`Source::read`].
    #[inline]
    fn records<const N: usize>(
        &mut self,
        records: &mut [[u8; N]],
    ) -> Result<usize, ReadError<Self::Error>> {
        const { assert!(N != 0, "a record has at least one byte") }
        Ok(self.read(records.as_flattened_mut(), N)? / N)
    }
}

impl<S: Source + ?Sized> SourceExt for S {}

/// The length of a record as far as `records` and `record_len` go together.
#[inline]
fn record_len_in(records: &[u8], record_len: usize) -> usize {
    // One record is the common case; a small machine divides in software.
    if records.len() == record_len {
        return record_len;
    }
    match records.len().checked_rem(record_len) {
        Some(0) => record_len,
        _ => records.len(),
    }
}

/// How many of `len` bytes belong to a record that is not whole.
#[inline]
fn cut_off(len: usize, record_len: usize) -> usize {
    len.checked_rem(record_len).unwrap_or(0)
}
