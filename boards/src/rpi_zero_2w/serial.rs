//! The UART as a plain line of bytes, both ways.

use embedded_io::{ErrorKind, ErrorType, Read, Write};

use super::{log, uart};

/// The machine's serial line, for bytes of a program's own.
///
/// On bare metal this is the UART that the console uses too. Nothing may go to the console while
/// this exists; a panic does, and ends the run. Sending blocks until there is room. Receiving blocks
/// until there is a byte: the UART holds 16 that nobody has read, and loses what comes then, so the
/// other side has to wait for its turn. A byte that was damaged on the line is dropped.
#[derive(Debug)]
pub struct Serial(());

impl Serial {
    /// Takes the line.
    #[must_use]
    pub fn take() -> Self {
        uart::drain();
        uart::listen(true);
        Self(())
    }
}

impl Drop for Serial {
    /// Gives the line back to the console, whose reader drops what was sent as one bad frame.
    fn drop(&mut self) {
        uart::drain();
        uart::listen(false);
        log::init();
    }
}

impl ErrorType for Serial {
    type Error = ErrorKind;
}

impl Read for Serial {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, ErrorKind> {
        let mut count = 0;
        for place in &mut *bytes {
            let byte = match uart::receive() {
                None if count != 0 => break,
                byte => byte,
            };
            *place = byte.unwrap_or_else(wait);
            count += 1;
        }
        Ok(count)
    }
}

impl Write for Serial {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        uart::send(bytes);
        Ok(bytes.len())
    }

    /// Waits until the last bit has left.
    fn flush(&mut self) -> Result<(), ErrorKind> {
        uart::drain();
        Ok(())
    }
}

fn wait() -> u8 {
    loop {
        if let Some(byte) = uart::receive() {
            return byte;
        }
    }
}
