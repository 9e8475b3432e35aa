//! WebAssembly without a system: `wasm32-unknown-unknown`.
//!
//! Whoever runs the program offers two functions in the module `onewrite`; `boards/wasm/run.mjs` does
//! in Node. This target has a standard library, of which nothing that asks a system works, so an
//! example has a `main` as on any machine with a system.

use std::panic;

use super::{Console, start};
use crate::{EXIT_PANIC, Failure};

mod imports {
    #[link(wasm_import_module = "onewrite")]
    unsafe extern "C" {
        /// Writes `len` bytes of the memory, from `bytes` on, to the console.
        pub(super) fn write(bytes: *const u8, len: usize);
        /// Ends the run; does not return.
        // SAFETY: it takes a number.
        pub(super) safe fn exit(code: u32) -> !;
    }
}

pub(super) fn send(bytes: &[u8]) {
    // SAFETY: the outside reads just these bytes, and keeps none of them.
    unsafe { imports::write(bytes.as_ptr(), bytes.len()) };
}

pub(super) fn end(code: u8) -> ! {
    imports::exit(code.into())
}

/// Runs an example, with panics told to the console, and ends the run as its outcome says.
pub fn start_with_std(run: fn(&mut Console) -> Result<(), Failure>) -> ! {
    panic::set_hook(Box::new(|info| {
        let _ = writeln!(Console(()), "{info}");
        end(EXIT_PANIC)
    }));
    start(run)
}
