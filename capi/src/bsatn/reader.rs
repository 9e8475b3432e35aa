//! A reader of values.

use onewrite::bsatn::{Decode, ZERO_WIDTH_LIMIT};
use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::reader::Reader;

use crate::Status;
use crate::handle::{self, State};
use crate::memory::{Bytes, Stop, attempt, input, span, store};

/// A reader of one value, such as a row: 48 bytes with the alignment of a `uint64_t`, the caller's.
///
/// Its bytes are nobody else's. It holds its own address, so it is not copied or moved.
///
/// The first call that fails takes nothing from the input, and neither does any call after it: each
/// returns the first one's status and stores zero. So it is enough to look at what
/// `ow_bsatn_reader_finish` returns; `ow_bsatn_reader_position` says where it went wrong.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BsatnReader {
    /// Not to be touched.
    pub words: [u64; 6],
}

struct Open {
    start: *const u8,
    len: usize,
    /// Bytes that were read.
    at: usize,
    failed: Status,
}

impl State for Open {
    const KIND: u64 = 0xb5a7_4ead_0000_0000;
    type Memory = BsatnReader;
}

/// Begins to read `bytes`, which stay in place, unchanged, until the reader has finished.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_reader_begin(
    reader: *mut BsatnReader,
    bytes: *const u8,
    len: usize,
) -> Status {
    let result = attempt(|| {
        span(reader, 1)?.apart_from(&[span(bytes, len)?])?;
        // SAFETY: the caller's promise about `reader`.
        unsafe { handle::begin(reader, Open { start: bytes, len, at: 0, failed: Status::Ok }) }
    });
    result.err().unwrap_or(Status::Ok)
}

/// Ends the reader; `OW_STATUS_TRAILING_BYTES` where bytes are left.
///
/// To go on behind the value, ask for the position instead of finishing.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_reader_finish(reader: *mut BsatnReader) -> Status {
    let result = attempt(|| {
        // SAFETY: the caller's promise about `reader`.
        let open = unsafe { handle::open::<Open>(reader) }?;
        let status = match open.failed {
            Status::Ok if open.at < open.len => Status::TrailingBytes,
            status => status,
        };
        // SAFETY: the caller's promise about `reader`; what came out of it is not used any more.
        unsafe { handle::end::<Open>(reader) };
        Ok(status)
    });
    result.unwrap_or_else(|status| status)
}

/// How many bytes were read: the offset of the next item, or of the one that is wrong.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_reader_position(
    reader: *const BsatnReader,
    position: *mut usize,
) -> Status {
    let result = attempt(|| {
        let place = span(position, 1)?;
        place.is_free_of(&[span(reader, 1)?])?;
        // SAFETY: the caller's promise about `reader`.
        let open = unsafe { handle::look::<Open>(reader) }?;
        place.is_free_of(&[span(open.start, open.len)?])?;
        Ok(open.at)
    });
    // SAFETY: the caller's promise about `position`.
    unsafe { store(position, result) }
}

/// Reads a bool: 0 or 1.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_get_bool(reader: *mut BsatnReader, value: *mut u8) -> Status {
    // SAFETY: as this function's own.
    unsafe { get(reader, value, |reader| Ok(u8::from(bool::decode(reader)?))) }
}

/// Reads a `uint8_t`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_get_u8(reader: *mut BsatnReader, value: *mut u8) -> Status {
    // SAFETY: as this function's own.
    unsafe { get(reader, value, u8::decode) }
}

/// Reads an `int8_t`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_get_i8(reader: *mut BsatnReader, value: *mut i8) -> Status {
    // SAFETY: as this function's own.
    unsafe { get(reader, value, i8::decode) }
}

/// Reads a `uint16_t`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_get_u16(reader: *mut BsatnReader, value: *mut u16) -> Status {
    // SAFETY: as this function's own.
    unsafe { get(reader, value, u16::decode) }
}

/// Reads an `int16_t`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_get_i16(reader: *mut BsatnReader, value: *mut i16) -> Status {
    // SAFETY: as this function's own.
    unsafe { get(reader, value, i16::decode) }
}

/// Reads a `uint32_t`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_get_u32(reader: *mut BsatnReader, value: *mut u32) -> Status {
    // SAFETY: as this function's own.
    unsafe { get(reader, value, u32::decode) }
}

/// Reads an `int32_t`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_get_i32(reader: *mut BsatnReader, value: *mut i32) -> Status {
    // SAFETY: as this function's own.
    unsafe { get(reader, value, i32::decode) }
}

/// Reads a `uint64_t`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_get_u64(reader: *mut BsatnReader, value: *mut u64) -> Status {
    // SAFETY: as this function's own.
    unsafe { get(reader, value, u64::decode) }
}

/// Reads an `int64_t`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_get_i64(reader: *mut BsatnReader, value: *mut i64) -> Status {
    // SAFETY: as this function's own.
    unsafe { get(reader, value, i64::decode) }
}

/// Reads a `float`, its exact bits.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_get_f32(reader: *mut BsatnReader, value: *mut f32) -> Status {
    // SAFETY: as this function's own.
    unsafe { get(reader, value, f32::decode) }
}

/// Reads a `double`, its exact bits.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_get_f64(reader: *mut BsatnReader, value: *mut f64) -> Status {
    // SAFETY: as this function's own.
    unsafe { get(reader, value, f64::decode) }
}

/// Reads the tag of a sum of `variants` variants, up to 256; the payload follows.
///
/// `OW_STATUS_UNKNOWN_DISCRIMINANT` for a tag that is not below `variants`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_get_tag(
    reader: *mut BsatnReader,
    variants: u32,
    tag: *mut u8,
) -> Status {
    let read = |reader: &mut Reader<'_>| {
        let before = *reader;
        let tag = reader.u8()?;
        if u32::from(tag) < variants {
            return Ok(tag);
        }
        let kind = DecodeErrorKind::UnknownDiscriminant { name: "sum", value: tag.into() };
        Err(before.error(kind))
    };
    // SAFETY: as this function's own.
    unsafe { get(reader, tag, read) }
}

/// Reads how many elements an array has, of at least `element` bytes each; they follow.
///
/// `OW_STATUS_COUNT_TOO_LARGE` where they cannot all be there; of elements that take no bytes there
/// may be 4,096.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_get_count(
    reader: *mut BsatnReader,
    element: usize,
    count: *mut u32,
) -> Status {
    let read = |reader: &mut Reader<'_>| {
        let before = *reader;
        let count = reader.u32_le()?;
        let len = usize::try_from(count).unwrap_or(usize::MAX);
        let fits = match element {
            0 => len <= ZERO_WIDTH_LIMIT,
            size => len.saturating_mul(size) <= reader.remaining(),
        };
        if fits {
            return Ok(count);
        }
        let kind = DecodeErrorKind::CountTooLarge { table: "array", count: count.into() };
        Err(before.error(kind))
    };
    // SAFETY: as this function's own.
    unsafe { get(reader, count, read) }
}

/// Reads a string, which is UTF-8 and stays where it is in the input; there is no NUL behind it.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_get_string(reader: *mut BsatnReader, text: *mut Bytes) -> Status {
    // SAFETY: as this function's own.
    unsafe { get(reader, text, |reader| Ok(Bytes::of(<&str>::decode(reader)?.as_bytes()))) }
}

/// Reads an array of bytes, which stay where they are in the input.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_get_bytes(reader: *mut BsatnReader, bytes: *mut Bytes) -> Status {
    // SAFETY: as this function's own.
    unsafe { get(reader, bytes, |reader| Ok(Bytes::of(<&[u8]>::decode(reader)?))) }
}

/// Reads the next `len` bytes as they are; they stay where they are in the input.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_get_raw(
    reader: *mut BsatnReader,
    len: usize,
    bytes: *mut Bytes,
) -> Status {
    // SAFETY: as this function's own.
    unsafe { get(reader, bytes, |reader| Ok(Bytes::of(reader.bytes(len)?))) }
}

/// Reads a value, or remembers why not.
///
/// # Safety
///
/// As for [`handle::open`]; where `value` is not null it leads to a `T` that nobody else uses.
unsafe fn get<T: Default>(
    reader: *mut BsatnReader,
    value: *mut T,
    decode: impl FnOnce(&mut Reader<'static>) -> Result<T, DecodeError>,
) -> Status {
    let result = attempt(|| {
        // SAFETY: as this function's own.
        let open = unsafe { handle::open::<Open>(reader) }?;
        let borrowed = [span(reader, 1)?, span(open.start, open.len)?];
        let apart = span(value, 1).and_then(|place| place.apart_from(&borrowed));
        if open.failed == Status::Ok {
            open.failed = apart.err().unwrap_or(Status::Ok);
        }
        if open.failed != Status::Ok {
            let is_misplaced = apart == Err(Status::Overlap);
            let stop = if is_misplaced { Stop::misplaced } else { Stop::from };
            return Err(stop(open.failed));
        }
        let (rest, len) = (open.start.wrapping_add(open.at), open.len.saturating_sub(open.at));
        // SAFETY: `begin` was promised that these bytes stay as they are.
        let bytes = unsafe { input(rest, len) }?;
        let mut reader = Reader::starting_at(open.at, bytes);
        let value = decode(&mut reader).map_err(|error| open.fail(error.kind.into()))?;
        open.at = reader.position();
        Ok(value)
    });
    // SAFETY: as this function's own.
    unsafe { store(value, result) }
}

impl Open {
    /// Remembers the first failure.
    fn fail(&mut self, status: Status) -> Status {
        self.failed = status;
        status
    }
}
