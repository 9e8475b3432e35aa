//! LEB128: integers of 7 bits a byte, the least significant first.

use onewrite::error::DecodeError;
use onewrite::leb128;

use crate::Status;
use crate::memory::{Span, Stop, attempt, input, output, span, store};

/// Most bytes that a `uint32_t` takes as LEB128.
pub const LEB128_MAX_U32: usize = 5;
/// Most bytes that a `uint64_t` takes as LEB128.
pub const LEB128_MAX_U64: usize = 10;

const _: () = assert!(
    LEB128_MAX_U32 == leb128::MAX_LEN_U32 && LEB128_MAX_U64 == leb128::MAX_LEN_U64,
    "the longest forms are not those of the library"
);

/// Bytes that `value` takes: 1 to 5.
#[unsafe(no_mangle)]
pub extern "C" fn ow_leb128_len_u32(value: u32) -> usize {
    leb128::len_u32(value)
}

/// Bytes that `value` takes: 1 to 10.
#[unsafe(no_mangle)]
pub extern "C" fn ow_leb128_len_u64(value: u64) -> usize {
    leb128::len_u64(value)
}

/// Writes the shortest form of `value` to the front of `out` and its length to `written`.
///
/// `OW_STATUS_BUFFER_TOO_SMALL` where `len` is less than `ow_leb128_len_u32(value)`; `out` is
/// unchanged then.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_leb128_put_u32(
    out: *mut u8,
    len: usize,
    value: u32,
    written: *mut usize,
) -> Status {
    let result = attempt(|| {
        let place = span(written, 1)?;
        // SAFETY: the caller's promise about `out`, which is given up before `written` is used.
        let out = unsafe { output(out, len) }?;
        let (bytes, count) = leb128::encode_u32(value);
        put(out, bytes, count, place)
    });
    // SAFETY: the caller's promise about `written`.
    unsafe { store(written, result) }
}

/// Writes the shortest form of `value` to the front of `out` and its length to `written`.
///
/// `OW_STATUS_BUFFER_TOO_SMALL` where `len` is less than `ow_leb128_len_u64(value)`; `out` is
/// unchanged then.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_leb128_put_u64(
    out: *mut u8,
    len: usize,
    value: u64,
    written: *mut usize,
) -> Status {
    let result = attempt(|| {
        let place = span(written, 1)?;
        // SAFETY: the caller's promise about `out`, which is given up before `written` is used.
        let out = unsafe { output(out, len) }?;
        let (bytes, count) = leb128::encode_u64(value);
        put(out, bytes, count, place)
    });
    // SAFETY: the caller's promise about `written`.
    unsafe { store(written, result) }
}

/// Reads the value at the front of `bytes`, in its shortest form only, and its length.
///
/// `OW_STATUS_END_OF_INPUT`, `OW_STATUS_OVERLONG_VARINT` where it has a shorter form,
/// `OW_STATUS_VARINT_TOO_LONG` where it does not fit.
///
/// `value` and `read` may lie in `bytes`, but not in each other.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_leb128_get_u32(
    bytes: *const u8,
    len: usize,
    value: *mut u32,
    read: *mut usize,
) -> Status {
    // SAFETY: the caller's promise; the bytes are read before anything is written.
    let result = unsafe { get(bytes, len, [span(value, 1), span(read, 1)], leb128::decode_u32) };
    // SAFETY: the caller's promise about `value`.
    let status = unsafe { store(value, result.map(|(value, _)| value)) };
    // SAFETY: the caller's promise about `read`.
    let other = unsafe { store(read, result.map(|(_, count)| count)) };
    if status == Status::Ok { other } else { status }
}

/// The same; also takes forms that zero bits make longer, up to the longest of the type.
///
/// `OW_STATUS_END_OF_INPUT`, `OW_STATUS_VARINT_TOO_LONG`.
///
/// `value` and `read` may lie in `bytes`, but not in each other.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_leb128_get_u32_lenient(
    bytes: *const u8,
    len: usize,
    value: *mut u32,
    read: *mut usize,
) -> Status {
    // SAFETY: the caller's promise; the bytes are read before anything is written.
    let result =
        unsafe { get(bytes, len, [span(value, 1), span(read, 1)], leb128::decode_u32_lenient) };
    // SAFETY: the caller's promise about `value`.
    let status = unsafe { store(value, result.map(|(value, _)| value)) };
    // SAFETY: the caller's promise about `read`.
    let other = unsafe { store(read, result.map(|(_, count)| count)) };
    if status == Status::Ok { other } else { status }
}

/// Reads the value at the front of `bytes`, in its shortest form only, and its length.
///
/// `OW_STATUS_END_OF_INPUT`, `OW_STATUS_OVERLONG_VARINT` where it has a shorter form,
/// `OW_STATUS_VARINT_TOO_LONG` where it does not fit.
///
/// `value` and `read` may lie in `bytes`, but not in each other.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_leb128_get_u64(
    bytes: *const u8,
    len: usize,
    value: *mut u64,
    read: *mut usize,
) -> Status {
    // SAFETY: the caller's promise; the bytes are read before anything is written.
    let result = unsafe { get(bytes, len, [span(value, 1), span(read, 1)], leb128::decode_u64) };
    // SAFETY: the caller's promise about `value`.
    let status = unsafe { store(value, result.map(|(value, _)| value)) };
    // SAFETY: the caller's promise about `read`.
    let other = unsafe { store(read, result.map(|(_, count)| count)) };
    if status == Status::Ok { other } else { status }
}

/// The same; also takes forms that zero bits make longer, up to the longest of the type.
///
/// `OW_STATUS_END_OF_INPUT`, `OW_STATUS_VARINT_TOO_LONG`.
///
/// `value` and `read` may lie in `bytes`, but not in each other.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_leb128_get_u64_lenient(
    bytes: *const u8,
    len: usize,
    value: *mut u64,
    read: *mut usize,
) -> Status {
    // SAFETY: the caller's promise; the bytes are read before anything is written.
    let result =
        unsafe { get(bytes, len, [span(value, 1), span(read, 1)], leb128::decode_u64_lenient) };
    // SAFETY: the caller's promise about `value`.
    let status = unsafe { store(value, result.map(|(value, _)| value)) };
    // SAFETY: the caller's promise about `read`.
    let other = unsafe { store(read, result.map(|(_, count)| count)) };
    if status == Status::Ok { other } else { status }
}

/// Writes the first `count` of `bytes`.
fn put<const N: usize>(
    out: &mut [u8],
    bytes: [u8; N],
    count: usize,
    place: Span,
) -> Result<usize, Stop> {
    place.is_free_of(&[Span::of(out)])?;
    let Some((out, _)) = out.split_at_mut_checked(count) else {
        return Err(Status::BufferTooSmall.into());
    };
    for (to, from) in out.iter_mut().zip(bytes) {
        *to = from;
    }
    Ok(count)
}

/// A value and its length.
type Decoded<T> = Result<(T, usize), DecodeError>;

/// Decodes; `places` are where the results go.
///
/// # Safety
///
/// As for [`input`].
unsafe fn get<T>(
    bytes: *const u8,
    len: usize,
    places: [Result<Span, Status>; 2],
    decode: fn(&[u8]) -> Decoded<T>,
) -> Result<(T, usize), Stop> {
    let [value, read] = places;
    value?.is_free_of(&[read?])?;
    // SAFETY: as this function's own.
    let bytes = unsafe { input(bytes, len) }?;
    Ok(decode(bytes).map_err(|error| Status::from(error.kind))?)
}
