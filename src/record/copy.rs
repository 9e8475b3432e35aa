//! Records that are on the wire what they are in memory, in one copy.

use core::convert::Infallible;

use zerocopy::{Immutable, IntoBytes};

use super::slice::fill;
use super::{ByteArray, Record, WriteRecord, write_slice};
use crate::error::{WriteError, WriteErrorKind};
use crate::sink::{SCRATCH_LEN, Sink, copy};

/// The bytes of `records` where they lie, or `None` where this machine has numbers in another byte
/// order than they have on the wire.
///
/// For what takes bytes and is no [`Sink`]: an asynchronous stream, a DMA channel.
/// [`copy_slice`] and [`CopyRecords`] work in either order.
///
/// # Which records
///
/// Those of a struct with `#[derive(Record, IntoBytes, Immutable)]` (the latter two are `zerocopy`'s)
/// whose fields all lie in memory where they lie on the wire. That is compared when the call is
/// compiled, for the machine that is compiled for. What differs in more than the order of bytes does not
/// build; alignment, and with it padding, is not the same everywhere:
///
/// | a field, or the record | in memory |
/// |---|---|
/// | integers and floats, `bool`, `[u8; N]`, `PhantomData` | as on the wire |
/// | arrays of them, nested records that lie so themselves, arrays of these | as on the wire |
/// | an enum with `#[repr(u8)]` or the like, each variant `= N` and without fields | as on the wire |
/// | an enum with fields, `tag`, `other` or `tag_at` | refused |
/// | fields in another order, or with padding between them | refused |
/// | numbers of both byte orders, of more than one byte | refused |
/// | type or const parameters, `not_const`, a [`Record`] by hand | refused |
/// | `as` a record, or an array of anything but bytes: the name may stand for something else | refused |
///
/// `#[repr(C)]` keeps the fields in their order, and `IntoBytes` refuses a struct with padding.
///
/// ```
/// use onewrite::Record;
/// use onewrite::record::wire_bytes;
/// use zerocopy::{Immutable, IntoBytes};
///
/// #[derive(Record, IntoBytes, Immutable)]
/// #[repr(C)]
/// struct Reading { time: u32, sensor: u16, value: i16 }
///
/// let readings = [Reading { time: 1, sensor: 7, value: -2 }];
/// # #[cfg(target_endian = "little")]
/// assert_eq!(wire_bytes(&readings), Some(&[1, 0, 0, 0, 7, 0, 0xfe, 0xff][..]));
/// ```
///
/// ```compile_fail,E0080
/// # use onewrite::Record;
/// # use zerocopy::{Immutable, IntoBytes};
/// #[derive(Record, IntoBytes, Immutable)]
/// #[repr(C)]
/// struct Reading {
///     #[record(at = 4)]
///     sensor: u32,
///     #[record(at = 0)]
///     time: u32,
/// }
/// let _ = onewrite::record::wire_bytes::<Reading>(&[]);
/// ```
#[inline(always)]
#[must_use]
pub fn wire_bytes<R: Record + IntoBytes + Immutable>(records: &[R]) -> Option<&[u8]> {
    if const { R::MEMORY.is_record() } { Some(records.as_bytes()) } else { None }
}

/// Writes `records` to the start of `out` as [`write_slice`] does, in one copy where the machine has
/// them in memory as they are on the wire, else record by record.
///
/// The bytes are the same on every machine. Which records can be copied [`wire_bytes`] says; others
/// do not build.
///
/// ```
/// use onewrite::Record;
/// use onewrite::record::copy_slice;
/// use zerocopy::{Immutable, IntoBytes};
///
/// #[derive(Record, IntoBytes, Immutable)]
/// #[repr(C)]
/// struct Reading { time: u32, sensor: u16, value: i16 }
///
/// let mut out = [0xee; 10];
/// let written = copy_slice(&[Reading { time: 1, sensor: 7, value: -2 }], &mut out)?;
/// assert_eq!(written, 8);
/// assert_eq!(out, [1, 0, 0, 0, 7, 0, 0xfe, 0xff, 0xee, 0xee]);
/// # Ok::<(), onewrite::error::WriteError<core::convert::Infallible>>(())
/// ```
///
/// # Errors
///
/// [`Full`](WriteErrorKind::Full) where the records do not all fit; `out` is then unchanged.
#[inline]
pub fn copy_slice<R: Record + IntoBytes + Immutable>(
    records: &[R],
    out: &mut [u8],
) -> Result<usize, WriteError<Infallible>> {
    let Some(bytes) = wire_bytes(records) else { return write_slice(records, out) };
    let (needed, available) = (bytes.len(), out.len());
    let Some((out, _)) = out.split_at_mut_checked(needed) else {
        return Err(WriteError::new(0, WriteErrorKind::Full { needed, available }));
    };
    copy(out, bytes);
    Ok(needed)
}

/// Records into any sink, from where they lie in memory.
///
/// ```
/// use onewrite::Record;
/// use onewrite::record::CopyRecords;
/// use onewrite::sink::SliceSink;
/// use zerocopy::{Immutable, IntoBytes};
///
/// #[derive(Clone, Copy, Record, IntoBytes, Immutable)]
/// #[repr(C)]
/// struct Reading { time: u32, sensor: u16, value: i16 }
///
/// let mut buffer = [0; 16];
/// let mut sink = SliceSink::new(&mut buffer);
/// sink.copy_records(&[Reading { time: 1, sensor: 7, value: -2 }; 2])?;
/// assert_eq!(sink.into_written()[..8], [1, 0, 0, 0, 7, 0, 0xfe, 0xff]);
/// # Ok::<(), onewrite::error::WriteError<core::convert::Infallible>>(())
/// ```
pub trait CopyRecords: Sink {
    /// Writes records one after the other, as one message and in one write; no records are no call
    /// of the sink.
    ///
    /// Where the machine does not have them in memory as they are on the wire they go out as with
    /// [`write_records`](WriteRecord::write_records), but still as one message. Which records can
    /// be written so [`wire_bytes`] says; others do not build.
    ///
    /// # Errors
    ///
    /// The sink's: see [`Sink::write`]. Memory is unchanged then; a stream has taken the bytes
    /// that [`WriteError::written`] counts, and is poisoned where it stopped behind the first of
    /// them, also between two records.
    #[inline]
    fn copy_records<R: Record + IntoBytes + Immutable>(
        &mut self,
        records: &[R],
    ) -> Result<(), WriteError<Self::Error>> {
        match wire_bytes(records) {
            Some([]) => Ok(()),
            Some(bytes) => self.write(bytes),
            None => one_by_one(self, records),
        }
    }
}

impl<S: Sink + ?Sized> CopyRecords for S {}

/// As [`write_records`](WriteRecord::write_records), except that what follows the first write
/// belongs to it: a stream that fails there is poisoned.
fn one_by_one<S: Sink + ?Sized, R: Record>(
    sink: &mut S,
    records: &[R],
) -> Result<(), WriteError<S::Error>> {
    let len = records.len().saturating_mul(R::Bytes::LEN);
    if len == 0 {
        return Ok(());
    }
    if let Some(out) = sink.reserve(len)? {
        fill(records, out);
        return Ok(());
    }
    let whole = (SCRATCH_LEN / R::Bytes::LEN.max(1)).max(1);
    let (first, rest) = records.split_at_checked(whole).unwrap_or((records, &[]));
    sink.write_records(first)?;
    let written = sink.write_records(rest);
    if written.is_err() {
        sink.poison();
    }
    written
}
