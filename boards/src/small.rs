//! Machines that have a console and an exit code and nothing else.
//!
//! What the console is told leaves as plain text. Each machine has a module with three items:
//! `send` takes bytes to the outside, `end` ends the run, and its first instructions call
//! [`start`], with a stack and with variables in place. [`semihosting`] is shared by those that run
//! in an emulator only.

use core::fmt;

use embedded_io::{ErrorKind, ErrorType};

use crate::{Failure, Label};

#[cfg_attr(board = "mega2560", path = "small/mega2560.rs")]
#[cfg_attr(board = "microbit", path = "small/microbit.rs")]
#[cfg_attr(board = "riscv_virt", path = "small/riscv_virt.rs")]
#[cfg_attr(board = "wasm", path = "small/wasm.rs")]
mod machine;
#[cfg(any(board = "microbit", board = "riscv_virt"))]
mod semihosting;

#[cfg(board = "wasm")]
pub use machine::start_with_std;

/// The machine's only way out: text, as it comes.
///
/// Writing blocks until the bytes are out and does not fail.
#[derive(Debug)]
pub struct Console(());

impl Console {
    /// Makes `write!(console, …)` work without an import, also where both traits are in scope.
    ///
    /// # Errors
    /// None from the console; a `Display` that fails.
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> fmt::Result {
        fmt::Write::write_fmt(self, text)
    }
}

impl ErrorType for Console {
    type Error = ErrorKind;
}

impl embedded_io::Write for Console {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        machine::send(bytes);
        Ok(bytes.len())
    }

    /// Waits for nothing: what was written is out.
    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        machine::send(text.as_bytes());
        Ok(())
    }
}

/// The machine cannot tell whether it is emulated.
#[must_use]
pub const fn label() -> Label {
    Label::Unidentified
}

/// Ends the run with `code`.
pub fn exit(code: u8) -> ! {
    machine::end(code)
}

/// Runs an example and ends the run as its outcome says.
fn start(run: fn(&mut Console) -> Result<(), Failure>) -> ! {
    let mut console = Console(());
    let code = match run(&mut console) {
        Ok(()) => 0,
        Err(failure) => {
            let _ = writeln!(console, "failed: {failure}");
            failure.code()
        }
    };
    exit(code)
}

#[cfg(target_os = "none")]
mod bare {
    use core::panic::PanicInfo;

    use super::{Console, exit};
    use crate::{EXIT_PANIC, Failure};

    unsafe extern "Rust" {
        /// The example's main function.
        // SAFETY: `entry!` defines it with exactly this signature, as a safe function.
        pub(super) safe fn __onewrite_run(console: &mut Console) -> Result<(), Failure>;
    }

    #[panic_handler]
    fn panic(info: &PanicInfo<'_>) -> ! {
        let _ = writeln!(Console(()), "{info}");
        exit(EXIT_PANIC)
    }
}

/// Where the first instructions end.
#[cfg(target_os = "none")]
extern "C" fn start_bare() -> ! {
    start(bare::__onewrite_run)
}

/// Where an exception of the processor ends.
#[cfg(any(board = "microbit", board = "riscv_virt"))]
extern "C" fn report_exception() -> ! {
    machine::send(b"exception\n");
    machine::end(crate::EXIT_EXCEPTION)
}
