//! A source that reads from the caller's slice.

use core::convert::Infallible;

use crate::error::{ReadError, ReadErrorKind};

use super::{Source, cut_off, record_len_in};

/// Reads records from a borrowed slice, from its start.
///
/// A read that fails takes nothing.
///
/// ```
/// use onewrite::error::ReadErrorKind;
/// use onewrite::source::{SliceSource, SourceExt};
///
/// let mut source = SliceSource::new(b"abcde");
/// assert_eq!(source.record()?, Some(*b"abc"));
/// let cut = source.record::<3>().unwrap_err();
/// assert_eq!(cut.kind, ReadErrorKind::EndOfInput { got: 2, wanted: 3 });
/// assert_eq!(source.rest(), b"de");
/// # Ok::<(), onewrite::error::ReadError<core::convert::Infallible>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SliceSource<'a> {
    rest: &'a [u8],
    position: usize,
}

impl<'a> SliceSource<'a> {
    /// A source at the start of `input`.
    #[must_use]
    pub const fn new(input: &'a [u8]) -> Self {
        Self { rest: input, position: 0 }
    }

    /// Bytes read.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// What is left.
    #[must_use]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl Source for SliceSource<'_> {
    type Error = Infallible;

    #[inline]
    fn read(
        &mut self,
        records: &mut [u8],
        record_len: usize,
    ) -> Result<usize, ReadError<Infallible>> {
        let record_len = record_len_in(records, record_len);
        let at_hand = records.len().min(self.rest.len());
        let got = if at_hand == records.len() { 0 } else { cut_off(at_hand, record_len) };
        let len = at_hand - got;
        if len == 0 && got != 0 {
            let kind = ReadErrorKind::EndOfInput { got, wanted: record_len };
            return Err(ReadError::new(self.position, kind));
        }
        if let Some((taken, rest)) = self.rest.split_at_checked(len) {
            for (to, from) in records.iter_mut().zip(taken) {
                *to = *from;
            }
            self.rest = rest;
            self.position += len;
        }
        Ok(len)
    }

    #[inline]
    fn bytes_read(&self) -> usize {
        self.position
    }
}

/// Where it stands, and not what it reads.
#[cfg(feature = "defmt")]
impl defmt::Format for SliceSource<'_> {
    fn format(&self, f: defmt::Formatter<'_>) {
        let (position, rest) = (self.position, self.rest.len());
        defmt::write!(f, "SliceSource {{ position: {=usize}, rest: {=usize} }}", position, rest);
    }
}
