//! A writer of values.

use core::ffi::c_void;

use onewrite::bsatn::Encode;

use crate::Status;
use crate::handle::{self, State};
use crate::memory::{Bytes, attempt, output, span, store};

/// A writer of one value, such as a row: 48 bytes with the alignment of a `uint64_t`, the caller's.
///
/// Its bytes are nobody else's. It holds its own address, so it is not copied or moved.
///
/// A product is its fields, one after the other. A sum is a tag and its payload; an option is a sum
/// of tag 0 with the value, or tag 1 alone. An array is a count and its elements. Integers of 128
/// and 256 bits, identities, connection ids and UUIDs are raw bytes, least significant first.
///
/// The first call that fails writes nothing, and neither does any call after it: each returns the
/// first one's status. So it is enough to look at what `ow_bsatn_writer_finish` returns.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BsatnWriter {
    /// Not to be touched.
    pub words: [u64; 6],
}

struct Open {
    start: *mut u8,
    len: usize,
    /// Bytes that are written.
    at: usize,
    failed: Status,
}

impl State for Open {
    const KIND: u64 = 0xb5a7_4b17_0000_0000;
    type Memory = BsatnWriter;
}

/// Begins to write to `out`, which belongs to the writer until that has finished.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_writer_begin(
    writer: *mut BsatnWriter,
    out: *mut u8,
    len: usize,
) -> Status {
    let result = attempt(|| {
        span(writer, 1)?.apart_from(&[span(out, len)?])?;
        // SAFETY: the caller's promise about `writer`.
        unsafe { handle::begin(writer, Open { start: out, len, at: 0, failed: Status::Ok }) }
    });
    result.err().unwrap_or(Status::Ok)
}

/// Ends the writer and says how many bytes were written; 0 where a call had failed.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_writer_finish(
    writer: *mut BsatnWriter,
    written: *mut usize,
) -> Status {
    let result = attempt(|| {
        let place = span(written, 1)?;
        // SAFETY: the caller's promise about `writer`.
        let open = unsafe { handle::open::<Open>(writer) }?;
        place.is_free_of(&[span(writer, 1)?, span(open.start, open.len)?])?;
        let (status, len) = (open.failed, open.at);
        // SAFETY: the caller's promise about `writer`; what came out of it is not used any more.
        unsafe { handle::end::<Open>(writer) };
        if status == Status::Ok { Ok(len) } else { Err(status.into()) }
    });
    // SAFETY: the caller's promise about `written`.
    unsafe { store(written, result) }
}

/// Writes a bool: 0 or 1.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_put_bool(writer: *mut BsatnWriter, value: u8) -> Status {
    let value = if value > 1 { Err(Status::InvalidBool) } else { Ok(value) };
    // SAFETY: as this function's own.
    unsafe { put(writer, value.as_ref().map_err(|status| *status)) }
}

/// Writes a `uint8_t`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_put_u8(writer: *mut BsatnWriter, value: u8) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(writer, Ok(&value)) }
}

/// Writes an `int8_t`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_put_i8(writer: *mut BsatnWriter, value: i8) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(writer, Ok(&value)) }
}

/// Writes a `uint16_t`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_put_u16(writer: *mut BsatnWriter, value: u16) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(writer, Ok(&value)) }
}

/// Writes an `int16_t`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_put_i16(writer: *mut BsatnWriter, value: i16) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(writer, Ok(&value)) }
}

/// Writes a `uint32_t`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_put_u32(writer: *mut BsatnWriter, value: u32) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(writer, Ok(&value)) }
}

/// Writes an `int32_t`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_put_i32(writer: *mut BsatnWriter, value: i32) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(writer, Ok(&value)) }
}

/// Writes a `uint64_t`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_put_u64(writer: *mut BsatnWriter, value: u64) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(writer, Ok(&value)) }
}

/// Writes an `int64_t`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_put_i64(writer: *mut BsatnWriter, value: i64) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(writer, Ok(&value)) }
}

/// Writes a `float`, its exact bits.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_put_f32(writer: *mut BsatnWriter, value: f32) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(writer, Ok(&value)) }
}

/// Writes a `double`, its exact bits.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_put_f64(writer: *mut BsatnWriter, value: f64) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(writer, Ok(&value)) }
}

/// Writes the tag of a sum; the payload follows.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_put_tag(writer: *mut BsatnWriter, tag: u8) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(writer, Ok(&tag)) }
}

/// Writes how many elements an array has; they follow.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_put_count(writer: *mut BsatnWriter, count: u32) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(writer, Ok(&count)) }
}

/// Writes a string of `len` bytes, with its length in front; it is UTF-8.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_put_string(
    writer: *mut BsatnWriter,
    text: *const c_void,
    len: usize,
) -> Status {
    let bytes = Bytes { start: text, len };
    // SAFETY: as this function's own.
    let text = unsafe { attempt_apart(writer, bytes) }
        .and_then(|bytes| core::str::from_utf8(bytes).map_err(|_| Status::InvalidUtf8));
    // SAFETY: as this function's own.
    unsafe { put(writer, text) }
}

/// Writes an array of `len` bytes, with its length in front.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_put_bytes(
    writer: *mut BsatnWriter,
    bytes: *const c_void,
    len: usize,
) -> Status {
    let bytes = Bytes { start: bytes, len };
    // SAFETY: as this function's own.
    let bytes = unsafe { attempt_apart(writer, bytes) };
    // SAFETY: as this function's own.
    unsafe { put(writer, bytes) }
}

/// Writes `len` bytes as they are: values that were encoded elsewhere, and long integers.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_put_raw(
    writer: *mut BsatnWriter,
    bytes: *const c_void,
    len: usize,
) -> Status {
    let bytes = Bytes { start: bytes, len };
    // SAFETY: as this function's own.
    let raw = unsafe { attempt_apart(writer, bytes) }.map(Raw);
    // SAFETY: as this function's own.
    unsafe { put(writer, raw.as_ref().map_err(|status| *status)) }
}

/// Bytes that are an encoding already.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw<'a>(pub(super) &'a [u8]);

impl Encode for Raw<'_> {
    const MIN_SIZE: usize = 0;
    const MAX_SIZE: usize = usize::MAX;
    type Scratch = [u8; 0];

    #[inline]
    fn encoded_len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn put<O: onewrite::bsatn::Output>(&self, out: &mut O) {
        out.bytes(self.0);
    }
}

/// Bytes to write, which lie neither in the writer nor where it writes to.
///
/// # Safety
///
/// As for [`handle::look`] and [`crate::memory::input`].
unsafe fn attempt_apart<'a>(writer: *mut BsatnWriter, bytes: Bytes) -> Result<&'a [u8], Status> {
    // SAFETY: as this function's own.
    let open = unsafe { handle::look::<Open>(writer) }?;
    let room = span(open.start, open.len)?;
    span(bytes.start.cast::<u8>(), bytes.len)?.apart_from(&[room, span(writer, 1)?])?;
    // SAFETY: as this function's own.
    unsafe { bytes.get() }
}

/// Writes a value, or remembers why not.
///
/// # Safety
///
/// As for [`handle::open`].
unsafe fn put<T: Encode + ?Sized>(writer: *mut BsatnWriter, value: Result<&T, Status>) -> Status {
    // SAFETY: as this function's own.
    let open = match unsafe { handle::open::<Open>(writer) } {
        Ok(open) => open,
        Err(status) => return status,
    };
    if open.failed != Status::Ok {
        return open.failed;
    }
    let result = attempt(|| {
        let value = value?;
        let (rest, len) = (open.start.wrapping_add(open.at), open.len.saturating_sub(open.at));
        // SAFETY: `begin` was promised that these bytes belong to the writer.
        let out = unsafe { output(rest, len) }?;
        value.encode_to_slice(out).map_err(|error| Status::from(error.kind))
    });
    match result {
        Ok(len) => {
            open.at = open.at.saturating_add(len);
            Status::Ok
        }
        Err(status) => {
            open.failed = status;
            status
        }
    }
}
