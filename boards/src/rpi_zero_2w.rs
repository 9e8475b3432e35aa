//! A Raspberry Pi Zero 2W without an operating system, real or emulated by QEMU's `raspi3ap`.
//!
//! Bottom up: `boot` brings core 0 to EL1 with MMU and caches on and calls [`start`]; `registers`
//! reads system registers; `uart` and `mailbox` are the two devices; `log` frames what the
//! [`Console`] says, after the program's `build_id`; `semihosting` talks to an emulator; `fatal`
//! reports exceptions and panics; `memory` copies and compares bytes for all of them.

mod boot;
mod build_id;
mod console;
mod facts;
mod fatal;
mod log;
mod mailbox;
mod memory;
mod mmu;
mod pmu;
mod registers;
mod semihosting;
mod serial;
mod uart;

use core::sync::atomic::{AtomicU64, Ordering};

pub use console::Console;
pub use facts::{environment, label};
pub use pmu::counters;
pub use serial::Serial;

use crate::Failure;

/// What only the first instructions can see. Written once, after .bss was cleared.
static ENTRY_LEVEL: AtomicU64 = AtomicU64::new(0);
static DEVICE_TREE: AtomicU64 = AtomicU64::new(0);
static ENTRY_TICKS: AtomicU64 = AtomicU64::new(0);

unsafe extern "Rust" {
    /// The example's main function.
    // SAFETY: `entry!` defines it with exactly this signature, as a safe function.
    safe fn __onewrite_run(console: &mut Console) -> Result<(), Failure>;
}

/// Where `boot` ends: MMU and caches are on, .bss is zero, there is a stack.
///
/// `entry_level` is the exception level of the very first instruction, `device_tree` what x0 held
/// there, `entry_ticks` the counter at that moment.
extern "C" fn start(entry_level: u64, device_tree: u64, entry_ticks: u64) -> ! {
    ENTRY_LEVEL.store(entry_level, Ordering::Relaxed);
    DEVICE_TREE.store(device_tree, Ordering::Relaxed);
    ENTRY_TICKS.store(entry_ticks, Ordering::Relaxed);
    uart::init();
    log::init();
    semihosting::probe();
    pmu::init();

    let mut console = Console::new();
    let code = match __onewrite_run(&mut console) {
        Ok(()) => 0,
        Err(failure) => {
            let _ = writeln!(console, "failed: {failure}");
            failure.code()
        }
    };
    exit(code)
}

/// Nanoseconds since the first instruction.
///
/// The counter ticks at 19.2 MHz on a Pi: a step is 52 ns. Under QEMU with `-icount` it follows
/// the instructions, without it the clock of the machine QEMU runs on.
#[must_use]
pub fn now_ns() -> u64 {
    let ticks = registers::ticks().wrapping_sub(ENTRY_TICKS.load(Ordering::Relaxed));
    let hz = registers::timer_hz().max(1);
    let seconds = ticks / hz;
    seconds * 1_000_000_000 + (ticks % hz) * 1_000_000_000 / hz
}

/// The command line that an emulator was given for the program, whose first word is the program itself.
///
/// Empty on a board, and where it does not fit `buffer`.
#[must_use]
pub fn command_line(buffer: &mut [u8]) -> &str {
    semihosting::command_line(buffer)
}

/// Core 0 is the only one that runs; the others are parked.
///
/// # Errors
/// `core` is another one.
pub fn pin_to(core: usize) -> Result<(), Failure> {
    if core == 0 { Ok(()) } else { Err("only core 0 runs on bare metal".into()) }
}

/// Ends the run with `code`: drains the console, then tells the emulator, then halts.
///
/// Where nobody listens to semihosting (a real board, QEMU without `-semihosting`), the last line
/// on the console is `halted with exit code N` and the core sleeps for ever.
pub fn exit(code: u8) -> ! {
    console::finish_line();
    uart::drain();
    semihosting::exit(code);
    let _ = writeln!(Console::new(), "halted with exit code {code}");
    uart::drain();
    registers::sleep()
}
