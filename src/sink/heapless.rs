//! `heapless::Vec<u8, N>` as a sink.

use core::convert::Infallible;

use heapless::{LenType, Vec};

use crate::error::{WriteError, WriteErrorKind};

use super::Sink;

/// Appends to the vector. `written` in errors is the vector's length, so it includes what the
/// vector held before.
impl<const N: usize, L: LenType> Sink for Vec<u8, N, L> {
    type Error = Infallible;

    #[inline]
    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError<Infallible>> {
        match self.extend_from_slice(bytes) {
            Ok(()) => Ok(()),
            Err(_) => Err(full(self, bytes.len())),
        }
    }

    /// Lends the next `len` bytes, zeroed.
    ///
    /// # Errors
    ///
    /// `Full` if fewer than `len` bytes are free, and nothing has changed.
    #[inline]
    fn reserve(&mut self, len: usize) -> Result<Option<&mut [u8]>, WriteError<Infallible>> {
        let start = self.len();
        if len > N - start {
            return Err(full(self, len));
        }
        // The length was checked above, so neither of these fails.
        if self.resize(start + len, 0).is_err() {
            return Err(full(self, len));
        }
        Ok(self.get_mut(start..))
    }
}

#[cold]
fn full<const N: usize, L: LenType>(vec: &Vec<u8, N, L>, needed: usize) -> WriteError<Infallible> {
    WriteError::new(vec.len(), WriteErrorKind::Full { needed, available: N - vec.len() })
}
