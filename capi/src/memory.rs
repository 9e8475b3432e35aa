//! The border: what C hands over, checked before Rust sees any of it.

use core::ffi::c_void;
use core::{ptr, slice};

use crate::Status;

/// Bytes that are somewhere: a string of C++ or Rust, a row. There is no NUL behind them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Bytes {
    /// The first byte; may be NULL where there is none.
    pub start: *const c_void,
    /// How many there are.
    pub len: usize,
}

impl Bytes {
    pub(crate) const fn of(bytes: &[u8]) -> Self {
        Self { start: bytes.as_ptr().cast(), len: bytes.len() }
    }

    /// Whether it is as it was before anybody set it.
    pub(crate) const fn is_unset(self) -> bool {
        self.start.is_null() && self.len == 0
    }

    /// The bytes.
    ///
    /// # Safety
    ///
    /// As for [`input`].
    pub(crate) unsafe fn get<'a>(self) -> Result<&'a [u8], Status> {
        // SAFETY: as this function's own.
        unsafe { input(self.start.cast(), self.len) }
    }

    /// The bytes as text.
    ///
    /// # Safety
    ///
    /// As for [`input`].
    pub(crate) unsafe fn text<'a>(self) -> Result<&'a str, Status> {
        // SAFETY: as this function's own.
        let bytes = unsafe { self.get() }?;
        str::from_utf8(bytes).map_err(|_| Status::InvalidUtf8)
    }
}

impl Default for Bytes {
    fn default() -> Self {
        Self { start: ptr::null(), len: 0 }
    }
}

/// Where something of the caller's lies: for comparing, never for access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    start: usize,
    len: usize,
}

impl Span {
    /// Where `items` lie.
    pub(crate) fn of<T>(items: &[T]) -> Self {
        Self { start: items.as_ptr().addr(), len: size_of_val(items) }
    }

    /// Whether a byte belongs to both.
    pub(crate) fn overlaps(self, other: Self) -> bool {
        let end = |span: Self| span.start.saturating_add(span.len);
        self.len != 0 && other.len != 0 && self.start < end(other) && other.start < end(self)
    }

    /// Refuses to store a result over any of `others`.
    pub(crate) fn is_free_of(self, others: &[Self]) -> Result<(), Stop> {
        self.apart_from(others).map_err(Stop::misplaced)
    }

    /// Refuses an overlap with any of `others`.
    pub(crate) fn apart_from(self, others: &[Self]) -> Result<(), Status> {
        if others.iter().any(|other| self.overlaps(*other)) { Err(Status::Overlap) } else { Ok(()) }
    }
}

/// Where `count` items at `pointer` lie, if there can be so many.
pub(crate) fn span<T>(pointer: *const T, count: usize) -> Result<Span, Status> {
    if count == 0 {
        return Ok(Span::default());
    }
    if pointer.is_null() {
        return Err(Status::NullPointer);
    }
    let (start, len) = (pointer.addr(), count.checked_mul(size_of::<T>()));
    let Some(len) = len.filter(|&len| len <= LONGEST && start.checked_add(len).is_some()) else {
        return Err(Status::LengthTooLarge);
    };
    if !pointer.is_aligned() {
        return Err(Status::Unaligned);
    }
    Ok(Span { start, len })
}

/// The longest object that there can be.
const LONGEST: usize = usize::MAX >> 1;

/// Items that are only read.
///
/// # Safety
///
/// Where `pointer` is not null it leads to `count` items, of a type for which all bits are valid,
/// that nobody changes for as long as `'a`.
pub(crate) unsafe fn input<'a, T: Copy>(
    pointer: *const T,
    count: usize,
) -> Result<&'a [T], Status> {
    let span = span(pointer, count)?;
    if span.len == 0 {
        return Ok(&[]);
    }
    // SAFETY: `span` has seen that the pointer is aligned and not null and the length one that an
    // object can have; that the items are there, the caller promises.
    Ok(unsafe { slice::from_raw_parts(pointer, count) })
}

/// Bytes that are only written.
///
/// # Safety
///
/// Where `pointer` is not null it leads to `len` bytes that nobody else uses for as long as `'a`.
pub(crate) unsafe fn output<'a>(pointer: *mut u8, len: usize) -> Result<&'a mut [u8], Status> {
    let span = span(pointer, len)?;
    if span.len == 0 {
        return Ok(&mut []);
    }
    // SAFETY: `span` has seen that the pointer is not null and the length one that an object can
    // have; bytes need no alignment. That nobody else uses them, the caller promises. What they
    // hold is not looked at.
    Ok(unsafe { slice::from_raw_parts_mut(pointer, len) })
}

/// A struct that begins with its size, as one that may grow does.
///
/// # Safety
///
/// Where `pointer` is not null it leads to a `u32`, and if that is the size of a `T` to a `T`, for
/// which all bits are valid.
pub(crate) unsafe fn read_sized<T: Copy>(pointer: *const T) -> Result<T, Status> {
    span(pointer, 1)?;
    // SAFETY: `span` has seen that the pointer is not null and aligned for a `T`, whose first field
    // is the number.
    let size = unsafe { pointer.cast::<u32>().read() };
    if usize::try_from(size) != Ok(size_of::<T>()) {
        return Err(Status::WrongStructSize);
    }
    // SAFETY: the same pointer, and the caller's struct is as large as ours.
    Ok(unsafe { pointer.read() })
}

/// Makes a result, so that `?` ends the making and not the function around it.
pub(crate) fn attempt<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    work()
}

/// Why there is no result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    status: Status,
    /// Whether the result's place lies over something else, so that not even zero may go there.
    misplaced: bool,
}

impl Stop {
    /// Not even zero may go to the result's place.
    pub(crate) const fn misplaced(status: Status) -> Self {
        Self { status, misplaced: true }
    }

    /// The status alone, where there is no result's place.
    pub(crate) const fn status(self) -> Status {
        self.status
    }
}

impl From<Status> for Stop {
    fn from(status: Status) -> Self {
        Self { status, misplaced: false }
    }
}

/// Stores a result at `place`, or zero where there is none, and returns the status.
///
/// # Safety
///
/// Where `place` is not null it leads to a `T` that nobody else uses, unless the result says that
/// it is misplaced.
pub(crate) unsafe fn store<T: Default>(place: *mut T, result: Result<T, Stop>) -> Status {
    if let Err(status) = span(place, 1) {
        return status;
    }
    let (value, status) = match result {
        Ok(value) => (value, Status::Ok),
        Err(Stop { status, misplaced: true }) => return status,
        Err(Stop { status, misplaced: false }) => (T::default(), status),
    };
    // SAFETY: `span` has seen that the pointer is not null and aligned; that it leads to a `T`, the
    // caller promises.
    unsafe { place.write(value) };
    status
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_touch_do_not_overlap() {
        let span = |start, len| Span { start, len };
        assert!(!span(8, 4).overlaps(span(12, 4)));
        assert!(span(8, 4).overlaps(span(11, 4)));
        assert!(span(8, 4).overlaps(span(0, 100)));
        assert!(!span(8, 4).overlaps(span(9, 0)));
        assert!(!span(8, 0).overlaps(span(0, 100)));
    }

    #[test]
    fn what_no_object_can_be_is_refused() {
        let number = 7u64;
        let at = ptr::from_ref(&number);
        assert_eq!(span(at, usize::MAX), Err(Status::LengthTooLarge));
        assert_eq!(span(at, usize::MAX / 8), Err(Status::LengthTooLarge));
        assert_eq!(span(at.cast::<u8>(), LONGEST + 1), Err(Status::LengthTooLarge));
        assert_eq!(span(ptr::null::<u64>(), 1), Err(Status::NullPointer));
        assert_eq!(span(ptr::null::<u64>(), 0), Ok(Span::default()));
        assert_eq!(span(at.wrapping_byte_add(1), 1), Err(Status::Unaligned));
        assert_eq!(span(at.wrapping_byte_add(1).cast::<u8>(), 1).map(|span| span.len), Ok(1));
        // The end of the address space.
        let last = ptr::without_provenance::<u8>(usize::MAX);
        assert_eq!(span(last, 1), Err(Status::LengthTooLarge));
    }
}
