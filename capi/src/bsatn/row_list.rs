//! Row lists: how a table's rows stand in a message.

use onewrite::bsatn::{Decode, Encode, Output, RowList, RowListWriter};
use onewrite::reader::Reader;

use crate::Status;
use crate::handle::{self, State};
use crate::memory::{Bytes, Span, Stop, attempt, input, output, span, store};

/// A list that was looked at once: 96 bytes with the alignment of a `uint64_t`, the caller's.
///
/// Its bytes are nobody else's. It holds its own address, so it is not copied or moved. It borrows
/// the input, which stays in place, unchanged, as long as the list is used.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BsatnRowList {
    /// Not to be touched.
    pub words: [u64; 12],
}

struct Open {
    rows: RowList<'static>,
    /// Where the list lies.
    input: Span,
}

impl State for Open {
    const KIND: u64 = 0xb5a7_4011_0000_0000;
    type Memory = BsatnRowList;
}

/// Looks at the row list at the front of `bytes`, and says how many bytes it takes.
///
/// The hint and every offset are checked; what is in the rows is not looked at. On any other status
/// than `OW_STATUS_OK` the handle `list` is not one.
///
/// `OW_STATUS_END_OF_INPUT`, `OW_STATUS_UNKNOWN_DISCRIMINANT`, `OW_STATUS_COUNT_TOO_LARGE`,
/// `OW_STATUS_UNEVEN_ROWS`, `OW_STATUS_BAD_POSITION`, `OW_STATUS_NOT_ASCENDING`.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_row_list_read(
    list: *mut BsatnRowList,
    bytes: *const u8,
    len: usize,
    read: *mut usize,
) -> Status {
    let result = attempt(|| {
        let place = span(read, 1)?;
        place.is_free_of(&[span(list, 1)?])?;
        let given = span(bytes, len)?;
        place.is_free_of(&[given])?;
        span(list, 1)?.apart_from(&[given])?;
        // SAFETY: the caller's promise about `list`: what was a handle is none if this fails.
        unsafe { handle::end::<Open>(list) };
        // SAFETY: the caller's promise about `bytes`.
        let bytes = unsafe { input(bytes, len) }?;
        let mut reader = Reader::new(bytes);
        let rows = RowList::decode(&mut reader).map_err(|error| Status::from(error.kind))?;
        // SAFETY: the caller's promise about `list`.
        unsafe { handle::begin(list, Open { rows, input: given }) }?;
        Ok(reader.position())
    });
    // SAFETY: the caller's promise about `read`.
    unsafe { store(read, result) }
}

/// Number of rows in the list.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_row_list_len(
    list: *const BsatnRowList,
    rows: *mut usize,
) -> Status {
    let result = attempt(|| {
        let place = span(rows, 1)?;
        place.is_free_of(&[span(list, 1)?])?;
        // SAFETY: the caller's promise about `list`.
        let open = unsafe { handle::look::<Open>(list) }?;
        place.is_free_of(&[open.input])?;
        Ok(open.rows.len())
    });
    // SAFETY: the caller's promise about `rows`.
    unsafe { store(rows, result) }
}

/// Where row `index` is in the input; takes the same time for every row.
///
/// `OW_STATUS_INDEX_OUT_OF_RANGE` past the last one.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_row_list_get(
    list: *const BsatnRowList,
    index: usize,
    row: *mut Bytes,
) -> Status {
    let result = attempt(|| {
        let place = span(row, 1)?;
        place.is_free_of(&[span(list, 1)?])?;
        // SAFETY: the caller's promise about `list`.
        let open = unsafe { handle::look::<Open>(list) }?;
        place.is_free_of(&[open.input])?;
        Ok(open.rows.get(index).map(Bytes::of).ok_or(Status::IndexOutOfRange)?)
    });
    // SAFETY: the caller's promise about `row`.
    unsafe { store(row, result) }
}

/// Writes `count` rows that are encoded already as a row list, with the hint that the server would
/// choose, and its length to `written`.
///
/// `OW_STATUS_BUFFER_TOO_SMALL`; `OW_STATUS_VALUE_TOO_LONG` for rows of more than 2^32 - 1 bytes.
/// `out` is unchanged then.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_row_list_write(
    rows: *const Bytes,
    count: usize,
    out: *mut u8,
    len: usize,
    written: *mut usize,
) -> Status {
    let result = attempt(|| {
        // SAFETY: the caller's promise about `rows`.
        let rows = unsafe { check_rows(rows, count, span(written, 1)?, span(out, len)) }?;
        // SAFETY: the caller's promise about `out`, which lies apart from all that is read.
        let out = unsafe { output(out, len) }?;
        let list = RowListWriter::new(rows);
        Ok(list.encode_to_slice(out).map_err(|error| Status::from(error.kind))?)
    });
    // SAFETY: the caller's promise about `written`.
    unsafe { store(written, result) }
}

/// Bytes that `count` rows take as a row list.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_bsatn_row_list_encoded_len(
    rows: *const Bytes,
    count: usize,
    len: *mut usize,
) -> Status {
    let result = attempt(|| {
        // SAFETY: the caller's promise about `rows`.
        let rows = unsafe { check_rows(rows, count, span(len, 1)?, Ok(Span::default())) }?;
        match RowListWriter::new(rows).encoded_len() {
            usize::MAX => Err(Status::ValueTooLong.into()),
            len => Ok(len),
        }
    });
    // SAFETY: the caller's promise about `len`.
    unsafe { store(len, result) }
}

/// A row of the caller's, which was checked.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Row(Bytes);

impl Row {
    fn span(&self) -> Result<Span, Status> {
        span(self.0.start.cast::<u8>(), self.0.len)
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: `check_rows` was promised that the bytes are there and stay.
        unsafe { self.0.get() }.unwrap_or_default()
    }
}

impl Encode for Row {
    const MIN_SIZE: usize = 0;
    const MAX_SIZE: usize = usize::MAX;
    type Scratch = [u8; 0];

    #[inline]
    fn encoded_len(&self) -> usize {
        self.0.len
    }

    #[inline]
    fn put<O: Output>(&self, out: &mut O) {
        out.bytes(self.bytes());
    }
}

/// The rows, each of them checked: they lie neither where the result goes nor where the list does.
///
/// # Safety
///
/// As for [`input`], and each row's bytes likewise.
unsafe fn check_rows<'a>(
    rows: *const Bytes,
    count: usize,
    place: Span,
    room: Result<Span, Status>,
) -> Result<&'a [Row], Stop> {
    place.is_free_of(&[room.unwrap_or_default()])?;
    let array = span(rows, count)?;
    place.is_free_of(&[array])?;
    // SAFETY: as this function's own; a `Row` is a `Bytes`.
    let rows = unsafe { input(rows.cast::<Row>(), count) }?;
    // Before anything else can stop this: a stop stores zero unless the place is wrong.
    for row in rows {
        place.is_free_of(&[row.span().unwrap_or_default()])?;
    }
    let room = room?;
    room.apart_from(&[array])?;
    for row in rows {
        room.apart_from(&[row.span()?])?;
    }
    Ok(rows)
}
