//! What each of the programs starts with: an entry, a port that bytes go to, and a panic handler.
//!
//! The port is one register of a made-up UART. The programs are linked and looked at, never run.
#![no_std]

use core::panic::PanicInfo;
use core::ptr;

mod server;

pub use server::serve;

/// Where inputs come from and outputs go, as far as the compiler knows.
const REGISTER: usize = 0x1000;

/// The register of a UART.
#[derive(Debug)]
pub struct Port;

impl Port {
    /// What the compiler cannot foresee.
    pub fn read(&self) -> u32 {
        // SAFETY: the programs are never run; on a board this would be a register.
        unsafe { ptr::with_exposed_provenance::<u32>(REGISTER).read_volatile() }
    }

    /// Sends a byte.
    pub fn send(&mut self, byte: u8) {
        // SAFETY: the programs are never run; on a board this would be a register.
        unsafe { ptr::with_exposed_provenance_mut::<u8>(REGISTER).write_volatile(byte) }
    }
}

/// The line is broken, as the register says.
#[derive(Clone, Copy, Debug)]
pub struct Broken;

impl core::fmt::Display for Broken {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the line is broken")
    }
}

impl core::error::Error for Broken {}

impl embedded_io::Error for Broken {
    fn kind(&self) -> embedded_io::ErrorKind {
        embedded_io::ErrorKind::BrokenPipe
    }
}

impl embedded_io::ErrorType for Port {
    type Error = Broken;
}

impl embedded_io::Write for Port {
    /// Takes as many bytes as there is room for, which may be none, or fails.
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Broken> {
        let [room, broken, ..] = self.read().to_le_bytes();
        if broken != 0 {
            return Err(Broken);
        }
        let mut taken = 0;
        for byte in bytes.iter().take(room.into()) {
            self.send(*byte);
            taken += 1;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> Result<(), Broken> {
        Ok(())
    }
}

/// Sends all of `bytes`; the number that were sent where the port takes no more, else zero.
pub fn send_all(port: &mut Port, bytes: &[u8]) -> u32 {
    use embedded_io::Write as _;
    let (mut left, mut written) = (bytes, 0);
    // Not write_all, whose default panics where the port has no room.
    while !left.is_empty() {
        match port.write(left) {
            Ok(taken @ 1..) => {
                written += taken;
                left = left.get(taken..).unwrap_or_default();
            }
            Ok(0) | Err(_) => return written as u32,
        }
    }
    0
}

/// Makes a `fn(&mut Port) -> u32` the program's start; what it returns is sent.
#[macro_export]
macro_rules! start {
    ($main:expr) => {
        /// The first instruction.
        #[unsafe(no_mangle)]
        pub extern "C" fn _start() -> ! {
            let mut port = $crate::Port;
            for byte in u32::to_le_bytes($main(&mut port)) {
                port.send(byte);
            }
            loop {
                core::hint::spin_loop();
            }
        }
    };
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}
