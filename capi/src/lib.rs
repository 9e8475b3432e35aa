//! onewrite for C: render batches, BSATN rows and row lists, HTTP, LEB128, fields of records.
//!
//! Every function that can fail returns a status and writes its result through a pointer; the
//! result is zero where it fails. Nothing is allocated, nothing is kept between calls except in
//! handles, which are the caller's memory. A handle may move from thread to thread but serves one
//! call at a time; different handles have nothing to do with each other.
//!
//! Pointers: NULL with a length of 0 is empty. NULL with any other length, a length that no object
//! has (above `PTRDIFF_MAX`), a pointer that is not aligned for its type, and an output that
//! overlaps an input or another output are each a status of their own, and nothing is written then
//! except that zero, nor even that where a result would go over something else. What cannot be
//! checked, the caller promises: that a pointer leads to as many
//! bytes as its length says, and that what a handle borrows stays in place, unchanged, until the
//! handle is finished with. Bytes of a handle are never changed by hand.
//!
//! Where numbers are stored in single bytes, as records and buffers are, no alignment is asked for.
#![cfg_attr(
    all(not(test), panic = "abort", any(target_os = "none", not(debug_assertions))),
    no_std
)]

// In the order of the header.
mod status;
mod version;

mod memory;

mod leb128;
mod record;

mod render_batch;

mod bsatn;

mod http;

mod handle;
mod list;

pub use bsatn::{reader::*, row_list::*, writer::*};
pub use http::{conn::*, response::*, site::*};
pub use leb128::*;
pub use memory::Bytes;
pub use record::*;
pub use render_batch::{batch::*, item::*, validate::*};
pub use status::{Status, ow_error_text};
pub use version::*;

/// Never called: nothing here panics (`cargo xtask capi` looks for panics in what is linked).
///
/// A program without the standard library has to have one all the same. Builds for debugging on a
/// host, tests and checks of the whole workspace among them, have the standard library and its own:
/// there features of other packages bring it in anyway.
#[cfg(all(not(test), panic = "abort", any(target_os = "none", not(debug_assertions))))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}
