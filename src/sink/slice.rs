//! A sink into the caller's slice.

use core::convert::Infallible;

use crate::error::{WriteError, WriteErrorKind};

use super::{Sink, copy};

/// Writes into a borrowed slice, from its start.
///
/// A write that does not fit changes neither the slice nor the position. Bytes behind what was
/// written keep what the slice held before.
///
/// Machine code: [`slice_sink_check`](crate::machine_code::slice_sink_check),
/// [`literal_write`](crate::machine_code::literal_write).
///
/// ```
/// use onewrite::error::WriteErrorKind;
/// use onewrite::sink::{Sink, SliceSink};
///
/// let mut buffer = [0xee; 5];
/// let mut sink = SliceSink::new(&mut buffer);
/// sink.write(b"abc")?;
/// let refused = sink.write(b"def").unwrap_err();
/// assert_eq!(refused.written, 3);
/// assert_eq!(refused.kind, WriteErrorKind::Full { needed: 3, available: 2 });
/// assert_eq!(sink.into_written(), b"abc");
/// assert_eq!(buffer, [b'a', b'b', b'c', 0xee, 0xee]);
/// # Ok::<(), onewrite::error::WriteError<core::convert::Infallible>>(())
/// ```
#[derive(Debug, Default)]
pub struct SliceSink<'a> {
    buffer: &'a mut [u8],
    /// Bytes written; never more than `buffer` has.
    written: usize,
}

impl<'a> SliceSink<'a> {
    /// A sink that overwrites `buffer`.
    #[must_use]
    pub const fn new(buffer: &'a mut [u8]) -> Self {
        Self { buffer, written: 0 }
    }

    /// Bytes written.
    #[must_use]
    pub const fn written(&self) -> usize {
        self.written
    }

    /// Bytes that are free.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.buffer.len().saturating_sub(self.written)
    }

    /// What has been written, with the lifetime of the slice.
    #[must_use]
    pub fn into_written(self) -> &'a mut [u8] {
        match self.buffer.split_at_mut_checked(self.written) {
            Some((written, _)) => written,
            None => &mut [],
        }
    }

    /// The next `len` bytes, or the error that says why not.
    #[inline]
    fn take(&mut self, len: usize) -> Result<&mut [u8], WriteError<Infallible>> {
        let written = self.written;
        let available = self.remaining();
        if let Some((_, free)) = self.buffer.split_at_mut_checked(written)
            && let Some((taken, _)) = free.split_at_mut_checked(len)
        {
            self.written = written + len;
            return Ok(taken);
        }
        Err(WriteError::new(written, WriteErrorKind::Full { needed: len, available }))
    }
}

impl Sink for SliceSink<'_> {
    type Error = Infallible;

    #[inline]
    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError<Infallible>> {
        copy(self.take(bytes.len())?, bytes);
        Ok(())
    }

    #[inline]
    fn reserve(&mut self, len: usize) -> Result<Option<&mut [u8]>, WriteError<Infallible>> {
        self.take(len).map(Some)
    }
}

/// Where it stands, and not what was written.
#[cfg(feature = "defmt")]
impl defmt::Format for SliceSink<'_> {
    fn format(&self, f: defmt::Formatter<'_>) {
        let (written, left) = (self.written, self.remaining());
        defmt::write!(f, "SliceSink {{ written: {=usize}, remaining: {=usize} }}", written, left);
    }
}
