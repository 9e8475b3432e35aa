//! Where bytes go: the [`Sink`] trait, the sinks themselves, and what pumps bytes into them.
//!
//! | sink | room | in place | errors |
//! |---|---|---|---|
//! | [`SliceSink`] | the caller's slice | yes | `Full` |
//! | [`heapless::Vec<u8, N>`](::heapless::Vec) | `N` bytes | yes | `Full` |
//! | [`CountingSink`] | keeps no bytes | no | `Full` past `usize::MAX` |
//! | `embedded_io::StreamSink` | what the driver takes | no | all kinds |
//!
//! Prefer, in this order: [`SinkExt::records`] for many records at once, [`SinkExt::record`] for
//! one, a scratch of several records and one [`Sink::write`], a write per record.
//!
//! What is too long to be written at once comes from a [`Producer`], chunk by chunk. In memory a
//! producer can fill the caller's slice directly; [`write_from`] brings its chunks to any sink, and
//! a stream sink has a `write_from` of its own, which sees how far into a chunk the driver came.

mod counting;
#[cfg(feature = "embedded-io-07")]
pub mod embedded_io;
#[cfg(feature = "embedded-io-async-07")]
pub mod embedded_io_async;
mod heapless;
mod producer;
#[cfg(any(feature = "embedded-io-07", feature = "embedded-io-async-07"))]
mod progress;
mod slice;

pub use counting::CountingSink;
pub use producer::{Producer, SCRATCH_LEN, write_from};
pub use slice::SliceSink;

use crate::error::WriteError;

/// A place that takes bytes in order.
///
/// The trait can be used as `dyn Sink<Error = E>`, and `&mut S` is a sink wherever `S` is one,
/// with every method forwarded: a record is still written in place behind any number of borrows.
pub trait Sink {
    /// The error of whatever stands behind the sink; [`Infallible`](core::convert::Infallible)
    /// for memory.
    type Error;

    /// Writes all of `bytes`.
    ///
    /// Memory takes all of them or none. A stream may stop in the middle; its own documentation
    /// says what it does then. Writing no bytes succeeds also where nothing is free.
    ///
    /// # Errors
    ///
    /// `Full` if memory does not have room for all of `bytes`, and nothing has changed; make the
    /// buffer larger. For the kinds that a stream adds see its own documentation.
    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError<Self::Error>>;

    /// Lends the next `len` bytes, which from then on count as written.
    ///
    /// The bytes hold whatever was there before, so the caller overwrites every one of them.
    /// `Ok(None)` means that the sink is not memory: nothing has happened, use [`Sink::write`].
    /// Whether a sink lends does not change during its life. A sink never lends a slice of another
    /// length than `len`.
    ///
    /// # Errors
    ///
    /// `Full` if fewer than `len` bytes are free, and nothing has changed; make the buffer larger.
    fn reserve(&mut self, len: usize) -> Result<Option<&mut [u8]>, WriteError<Self::Error>>;

    /// Says that a message of several writes ends here, and not with its last byte.
    ///
    /// A stream refuses everything from then on, until it is reset: whatever came next, the
    /// receiver would take it for the rest of the message. [`write_from`] calls this; so does your
    /// own code where it gives up between two writes of one message. Memory does nothing here,
    /// since its owner sees how many bytes count. A sink in front of another one forwards it.
    fn poison(&mut self) {}
}

impl<S: Sink + ?Sized> Sink for &mut S {
    type Error = S::Error;

    #[inline]
    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError<Self::Error>> {
        (**self).write(bytes)
    }

    #[inline]
    fn reserve(&mut self, len: usize) -> Result<Option<&mut [u8]>, WriteError<Self::Error>> {
        (**self).reserve(len)
    }

    #[inline]
    fn poison(&mut self) {
        (**self).poison();
    }
}

/// Records in place, for every sink.
pub trait SinkExt: Sink {
    /// Lends the next `N` bytes as one record; see [`Sink::reserve`].
    ///
    /// Machine code: [`slice_sink_check`](crate::machine_code::slice_sink_check).
    ///
    /// ```
    /// use onewrite::sink::{SinkExt, SliceSink};
    ///
    /// let mut buffer = [0; 4];
    /// let mut sink = SliceSink::new(&mut buffer);
    /// if let Some(record) = sink.record::<4>()? {
    ///     *record = 7u32.to_le_bytes();
    /// }
    /// assert_eq!(buffer, [7, 0, 0, 0]);
    /// # Ok::<(), onewrite::error::WriteError<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Sink::reserve`].
    #[inline]
    fn record<const N: usize>(&mut self) -> Result<Option<&mut [u8; N]>, WriteError<Self::Error>> {
        match self.reserve(N)? {
            Some(bytes) => Ok(bytes.first_chunk_mut()),
            None => Ok(None),
        }
    }

    /// Lends the next `n` records of `N` bytes; one check for all of them.
    ///
    /// Records of zero bytes do not build.
    ///
    /// ```compile_fail,E0080
    /// use onewrite::sink::{CountingSink, SinkExt};
    ///
    /// let _ = CountingSink::new().records::<0>(1);
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Sink::reserve`]. Where `n` records are more bytes than a `usize` counts, `needed` is
    /// `usize::MAX`.
    #[inline]
    fn records<const N: usize>(
        &mut self,
        n: usize,
    ) -> Result<Option<&mut [[u8; N]]>, WriteError<Self::Error>> {
        const { assert!(N != 0, "a record has at least one byte") }
        // No memory has usize::MAX bytes, so a product that saturates is refused as full.
        match self.reserve(n.saturating_mul(N))? {
            Some(bytes) => Ok(Some(bytes.as_chunks_mut().0)),
            None => Ok(None),
        }
    }
}

impl<S: Sink + ?Sized> SinkExt for S {}

/// Copies `from` to the start of `to`, as far as both reach.
///
/// `copy_from_slice` panics where the lengths differ, and keeps that path at some optimization
/// levels although the lengths are equal. This loop has no such path and becomes one `memcpy`.
#[inline]
pub(crate) fn copy(to: &mut [u8], from: &[u8]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}
