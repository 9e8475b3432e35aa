//! Fields of records: numbers at stated places, in a stated order of bytes.
//!
//! The sixteen functions are written out, near equal as they are, and not made by a macro: the
//! header is made from this source text, comments included, and a macro would hide both from it.
//! What they do stands once, in `put` and `get` at the end.

use crate::Status;
use crate::memory::{Stop, attempt, input, output, span, store};

/// Stores `value` in the 1 byte of `record` from `at` on.
///
/// `OW_STATUS_BUFFER_TOO_SMALL` where the field reaches past the record of `len` bytes, which is
/// unchanged then.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_record_put_u8_le(
    record: *mut u8,
    len: usize,
    at: usize,
    value: u8,
) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(record, len, at, value.to_le_bytes()) }
}

/// Stores `value` in the 1 byte of `record` from `at` on. The same as `ow_record_put_u8_le`.
///
/// `OW_STATUS_BUFFER_TOO_SMALL` where the field reaches past the record of `len` bytes, which is
/// unchanged then.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_record_put_u8_be(
    record: *mut u8,
    len: usize,
    at: usize,
    value: u8,
) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(record, len, at, value.to_be_bytes()) }
}

/// Stores `value` in the 2 bytes of `record` from `at` on, least significant byte first.
///
/// `OW_STATUS_BUFFER_TOO_SMALL` where the field reaches past the record of `len` bytes, which is
/// unchanged then.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_record_put_u16_le(
    record: *mut u8,
    len: usize,
    at: usize,
    value: u16,
) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(record, len, at, value.to_le_bytes()) }
}

/// Stores `value` in the 2 bytes of `record` from `at` on, most significant byte first.
///
/// `OW_STATUS_BUFFER_TOO_SMALL` where the field reaches past the record of `len` bytes, which is
/// unchanged then.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_record_put_u16_be(
    record: *mut u8,
    len: usize,
    at: usize,
    value: u16,
) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(record, len, at, value.to_be_bytes()) }
}

/// Stores `value` in the 4 bytes of `record` from `at` on, least significant byte first.
///
/// `OW_STATUS_BUFFER_TOO_SMALL` where the field reaches past the record of `len` bytes, which is
/// unchanged then.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_record_put_u32_le(
    record: *mut u8,
    len: usize,
    at: usize,
    value: u32,
) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(record, len, at, value.to_le_bytes()) }
}

/// Stores `value` in the 4 bytes of `record` from `at` on, most significant byte first.
///
/// `OW_STATUS_BUFFER_TOO_SMALL` where the field reaches past the record of `len` bytes, which is
/// unchanged then.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_record_put_u32_be(
    record: *mut u8,
    len: usize,
    at: usize,
    value: u32,
) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(record, len, at, value.to_be_bytes()) }
}

/// Stores `value` in the 8 bytes of `record` from `at` on, least significant byte first.
///
/// `OW_STATUS_BUFFER_TOO_SMALL` where the field reaches past the record of `len` bytes, which is
/// unchanged then.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_record_put_u64_le(
    record: *mut u8,
    len: usize,
    at: usize,
    value: u64,
) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(record, len, at, value.to_le_bytes()) }
}

/// Stores `value` in the 8 bytes of `record` from `at` on, most significant byte first.
///
/// `OW_STATUS_BUFFER_TOO_SMALL` where the field reaches past the record of `len` bytes, which is
/// unchanged then.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_record_put_u64_be(
    record: *mut u8,
    len: usize,
    at: usize,
    value: u64,
) -> Status {
    // SAFETY: as this function's own.
    unsafe { put(record, len, at, value.to_be_bytes()) }
}

/// Reads the 1 byte of `record` from `at` on.
///
/// `OW_STATUS_END_OF_INPUT` where the field reaches past the record of `len` bytes. `value` may lie
/// in the record.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_record_get_u8_le(
    record: *const u8,
    len: usize,
    at: usize,
    value: *mut u8,
) -> Status {
    // SAFETY: as this function's own; the record is read before anything is written.
    let bytes = unsafe { get(record, len, at, value) };
    // SAFETY: the caller's promise about `value`.
    unsafe { store(value, bytes.map(u8::from_le_bytes)) }
}

/// Reads the 1 byte of `record` from `at` on. The same as `ow_record_get_u8_le`.
///
/// `OW_STATUS_END_OF_INPUT` where the field reaches past the record of `len` bytes. `value` may lie
/// in the record.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_record_get_u8_be(
    record: *const u8,
    len: usize,
    at: usize,
    value: *mut u8,
) -> Status {
    // SAFETY: as this function's own; the record is read before anything is written.
    let bytes = unsafe { get(record, len, at, value) };
    // SAFETY: the caller's promise about `value`.
    unsafe { store(value, bytes.map(u8::from_be_bytes)) }
}

/// Reads the 2 bytes of `record` from `at` on, least significant byte first.
///
/// `OW_STATUS_END_OF_INPUT` where the field reaches past the record of `len` bytes. `value` may lie
/// in the record.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_record_get_u16_le(
    record: *const u8,
    len: usize,
    at: usize,
    value: *mut u16,
) -> Status {
    // SAFETY: as this function's own; the record is read before anything is written.
    let bytes = unsafe { get(record, len, at, value) };
    // SAFETY: the caller's promise about `value`.
    unsafe { store(value, bytes.map(u16::from_le_bytes)) }
}

/// Reads the 2 bytes of `record` from `at` on, most significant byte first.
///
/// `OW_STATUS_END_OF_INPUT` where the field reaches past the record of `len` bytes. `value` may lie
/// in the record.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_record_get_u16_be(
    record: *const u8,
    len: usize,
    at: usize,
    value: *mut u16,
) -> Status {
    // SAFETY: as this function's own; the record is read before anything is written.
    let bytes = unsafe { get(record, len, at, value) };
    // SAFETY: the caller's promise about `value`.
    unsafe { store(value, bytes.map(u16::from_be_bytes)) }
}

/// Reads the 4 bytes of `record` from `at` on, least significant byte first.
///
/// `OW_STATUS_END_OF_INPUT` where the field reaches past the record of `len` bytes. `value` may lie
/// in the record.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_record_get_u32_le(
    record: *const u8,
    len: usize,
    at: usize,
    value: *mut u32,
) -> Status {
    // SAFETY: as this function's own; the record is read before anything is written.
    let bytes = unsafe { get(record, len, at, value) };
    // SAFETY: the caller's promise about `value`.
    unsafe { store(value, bytes.map(u32::from_le_bytes)) }
}

/// Reads the 4 bytes of `record` from `at` on, most significant byte first.
///
/// `OW_STATUS_END_OF_INPUT` where the field reaches past the record of `len` bytes. `value` may lie
/// in the record.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_record_get_u32_be(
    record: *const u8,
    len: usize,
    at: usize,
    value: *mut u32,
) -> Status {
    // SAFETY: as this function's own; the record is read before anything is written.
    let bytes = unsafe { get(record, len, at, value) };
    // SAFETY: the caller's promise about `value`.
    unsafe { store(value, bytes.map(u32::from_be_bytes)) }
}

/// Reads the 8 bytes of `record` from `at` on, least significant byte first.
///
/// `OW_STATUS_END_OF_INPUT` where the field reaches past the record of `len` bytes. `value` may lie
/// in the record.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_record_get_u64_le(
    record: *const u8,
    len: usize,
    at: usize,
    value: *mut u64,
) -> Status {
    // SAFETY: as this function's own; the record is read before anything is written.
    let bytes = unsafe { get(record, len, at, value) };
    // SAFETY: the caller's promise about `value`.
    unsafe { store(value, bytes.map(u64::from_le_bytes)) }
}

/// Reads the 8 bytes of `record` from `at` on, most significant byte first.
///
/// `OW_STATUS_END_OF_INPUT` where the field reaches past the record of `len` bytes. `value` may lie
/// in the record.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_record_get_u64_be(
    record: *const u8,
    len: usize,
    at: usize,
    value: *mut u64,
) -> Status {
    // SAFETY: as this function's own; the record is read before anything is written.
    let bytes = unsafe { get(record, len, at, value) };
    // SAFETY: the caller's promise about `value`.
    unsafe { store(value, bytes.map(u64::from_be_bytes)) }
}

/// Overwrites the `N` bytes of a record from `at` on.
///
/// # Safety
///
/// As for [`output`].
#[inline]
unsafe fn put<const N: usize>(record: *mut u8, len: usize, at: usize, bytes: [u8; N]) -> Status {
    // SAFETY: as this function's own.
    let record = match unsafe { output(record, len) } {
        Ok(record) => record,
        Err(status) => return status,
    };
    let field = record.split_at_mut_checked(at).and_then(|(_, tail)| tail.first_chunk_mut());
    match field {
        Some(field) => {
            *field = bytes;
            Status::Ok
        }
        None => Status::BufferTooSmall,
    }
}

/// The `N` bytes of a record from `at` on; `value` is where they will go.
///
/// # Safety
///
/// As for [`input`].
#[inline]
unsafe fn get<T, const N: usize>(
    record: *const u8,
    len: usize,
    at: usize,
    value: *mut T,
) -> Result<[u8; N], Stop> {
    attempt(|| {
        span(value, 1)?;
        // SAFETY: as this function's own.
        let record = unsafe { input(record, len) }?;
        let field = record.split_at_checked(at).and_then(|(_, tail)| tail.first_chunk());
        Ok(*field.ok_or(Status::EndOfInput)?)
    })
}
