//! Starts firmware that is written in C on a bare-metal Raspberry Pi Zero 2W.
//!
//! The start, the MMU and the console are those of `onewrite-boards`. The firmware is one function,
//! declared in `capi/firmware/board.h`; what it returns is the exit code of the run. On machines
//! with an operating system, where a C program has a start of its own, nothing is here.
#![cfg_attr(target_os = "none", no_std)]
#![cfg(all(target_arch = "aarch64", target_os = "none"))]

use core::ffi::{c_char, c_int, c_void};
use core::{ptr, slice};

use onewrite_boards::{Console, Failure, embedded_io::Write as _, entry};

entry!(run);

/// Writes text to the console.
type Print = unsafe extern "C" fn(console: *mut c_void, text: *const c_char, len: usize);

unsafe extern "C" {
    /// The firmware's own.
    fn firmware_main(print: Print, console: *mut c_void) -> c_int;
}

fn run(console: &mut Console) -> Result<(), Failure> {
    // SAFETY: the firmware defines the function as board.h declares it, and gives `print` nothing
    // else than this console, which lives longer than the call.
    let code = unsafe { firmware_main(print, ptr::from_mut(console).cast()) };
    match u8::try_from(code) {
        Ok(0) => Ok(()),
        code => Err(Failure::new("the firmware says that it failed", code.unwrap_or(u8::MAX))),
    }
}

/// What the firmware gets to print with.
///
/// # Safety
///
/// `console` is what the firmware was given, and `text` leads to `len` bytes.
unsafe extern "C" fn print(console: *mut c_void, text: *const c_char, len: usize) {
    // SAFETY: by the promise above this is the console of `run`, which does not use it meanwhile.
    let console = unsafe { &mut *console.cast::<Console>() };
    // SAFETY: by the promise above.
    let text = unsafe { slice::from_raw_parts(text.cast::<u8>(), len) };
    // The console does not fail.
    let _ = console.write_all(text);
}
