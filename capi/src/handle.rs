//! Handles: state that lies in the caller's memory.
//!
//! In front of the state stands a tag made of the state's kind and its own address. Memory that was
//! never begun, that was zeroed, or that was copied from elsewhere is recognised by it.

use crate::Status;
use crate::memory::span;

/// What a handle holds.
pub(crate) trait State {
    /// What tells the kinds apart. Its upper half is an address of nothing, so a handle of zeros is
    /// never a valid one.
    const KIND: u64;
    /// The type that C sees.
    type Memory;
}

#[repr(C)]
struct Handle<S> {
    tag: u64,
    state: S,
}

impl<S: State> Handle<S> {
    const FITS: () = assert!(
        size_of::<Self>() <= size_of::<S::Memory>()
            && align_of::<Self>() <= align_of::<S::Memory>(),
        "the state is larger than the handle that C has for it"
    );
}

fn tag<S: State>(memory: *const S::Memory) -> u64 {
    S::KIND ^ memory.addr() as u64
}

/// Makes a handle out of `memory`, whatever it holds.
///
/// # Safety
///
/// Where `memory` is not null it leads to a `Memory` that nobody else uses.
pub(crate) unsafe fn begin<S: State>(memory: *mut S::Memory, state: S) -> Result<(), Status> {
    let () = Handle::<S>::FITS;
    span(memory, 1)?;
    let handle = Handle { tag: tag::<S>(memory), state };
    // SAFETY: `span` has seen that the pointer is not null and aligned, and `FITS` that a handle
    // is no larger than what it leads to and needs no stricter alignment.
    unsafe { memory.cast::<Handle<S>>().write(handle) };
    Ok(())
}

/// The state in a handle.
///
/// # Safety
///
/// Where `memory` is not null it leads to a `Memory` that nobody else uses for as long as `'a`, and
/// whose bytes only [`begin`] and what it returned have changed if they start with the tag.
pub(crate) unsafe fn open<'a, S: State>(memory: *mut S::Memory) -> Result<&'a mut S, Status> {
    // SAFETY: as this function's own.
    unsafe { check::<S>(memory) }?;
    // SAFETY: the tag says that `begin` has written a handle of this kind at this place, and the
    // caller promises that nobody else uses it.
    let handle = unsafe { &mut *memory.cast::<Handle<S>>() };
    Ok(&mut handle.state)
}

/// The state in a handle, to look at.
///
/// # Safety
///
/// As for [`open`], but others may look as well.
pub(crate) unsafe fn look<'a, S: State>(memory: *const S::Memory) -> Result<&'a S, Status> {
    // SAFETY: as this function's own.
    unsafe { check::<S>(memory) }?;
    // SAFETY: the tag says that `begin` has written a handle of this kind at this place, and the
    // caller promises that nobody changes it.
    let handle = unsafe { &*memory.cast::<Handle<S>>() };
    Ok(&handle.state)
}

/// Whether the tag is that of a handle of this kind at this place.
///
/// # Safety
///
/// Where `memory` is not null it leads to a `Memory` that nobody changes meanwhile.
unsafe fn check<S: State>(memory: *const S::Memory) -> Result<(), Status> {
    span(memory, 1)?;
    // SAFETY: `span` has seen that the pointer is not null and aligned, and `FITS` that a `u64`
    // needs no stricter alignment; all of its bits are valid.
    let found = unsafe { memory.cast::<u64>().read() };
    if found == tag::<S>(memory) { Ok(()) } else { Err(Status::BadHandle) }
}

/// Ends a handle: what comes after finds no tag.
///
/// # Safety
///
/// As for [`open`].
pub(crate) unsafe fn end<S: State>(memory: *mut S::Memory) {
    if span(memory, 1).is_ok() {
        // SAFETY: `span` has seen that the pointer is not null and aligned, and `FITS` that a
        // `u64` fits there.
        unsafe { memory.cast::<u64>().write(0) };
    }
}
