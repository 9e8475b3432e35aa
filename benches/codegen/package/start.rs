//! What the programs here have in common: a panic handler that none of them may reach, and a driver of
//! which nothing is known.
#![cfg_attr(target_os = "none", no_std)]

use embedded_io::{ErrorKind, ErrorType, Write};

/// Ends nothing: a call of it in the machine code is what the comparison would show.
#[cfg(target_os = "none")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}

/// A driver behind a pointer.
#[derive(Debug)]
pub struct Driver(pub fn(&[u8]) -> Result<usize, ErrorKind>);

impl ErrorType for Driver {
    type Error = ErrorKind;
}

impl Write for Driver {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        (self.0)(bytes)
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}
