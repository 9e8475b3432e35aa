//! A sink that only counts.

use core::convert::Infallible;

use crate::error::{WriteError, WriteErrorKind};

use super::Sink;

/// Counts bytes and keeps none of them.
///
/// It never lends memory, so what it counts went through [`Sink::write`].
///
/// ```
/// use onewrite::sink::{CountingSink, Sink};
///
/// let mut sink = CountingSink::new();
/// sink.write(b"abc")?;
/// assert_eq!(sink.written(), 3);
/// # Ok::<(), onewrite::error::WriteError<core::convert::Infallible>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CountingSink {
    written: usize,
}

impl CountingSink {
    /// A sink that has seen no bytes.
    #[must_use]
    pub const fn new() -> Self {
        Self { written: 0 }
    }

    /// A sink that has seen `written` bytes.
    #[must_use]
    pub const fn starting_at(written: usize) -> Self {
        Self { written }
    }

    /// Bytes seen.
    #[must_use]
    pub const fn written(&self) -> usize {
        self.written
    }
}

impl Sink for CountingSink {
    type Error = Infallible;

    /// Adds the length of `bytes`.
    ///
    /// # Errors
    ///
    /// `Full` if the sum does not fit a `usize`; the count stays as it was.
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError<Infallible>> {
        match self.written.checked_add(bytes.len()) {
            Some(written) => {
                self.written = written;
                Ok(())
            }
            None => Err(WriteError::new(
                self.written,
                WriteErrorKind::Full { needed: bytes.len(), available: usize::MAX - self.written },
            )),
        }
    }

    #[inline]
    fn reserve(&mut self, _len: usize) -> Result<Option<&mut [u8]>, WriteError<Infallible>> {
        Ok(None)
    }
}
