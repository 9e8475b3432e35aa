//! The machines the onewrite examples run on, behind one facade.
//!
//! An example is one source for three kinds of machine. It starts with
//! `#![cfg_attr(target_os = "none", no_std, no_main)]`, names its main function with [`entry!`],
//! writes to a [`Console`] and asks for counters and facts. The target chooses the back end:
//!
//! | target | back end |
//! |---|---|
//! | any with `std` | `hosted`: standard output, the monotonic clock |
//! | Linux on a processor whose perf events are known | `hosted`, with perf events and what sysfs says about the machine |
//! | `aarch64-unknown-none` | `rpi_zero_2w`: a Raspberry Pi Zero 2W without an operating system |
//! | `thumbv6m-none-eabi` | `small`: a micro:bit, a Cortex-M0 with 16 KiB of RAM |
//! | `riscv32imc-unknown-none-elf` | `small`: QEMU's `virt` machine |
//! | `avr-none` | `small`: an Arduino Mega 2560 with 8 KiB of RAM and 16-bit pointers |
//! | `wasm32-unknown-unknown` | `small`: whatever runs WebAssembly and offers two functions |
//!
//! A `small` machine has [`Console`] (plain text), [`exit`], [`label`] and [`entry!`], and neither
//! clock nor counters nor facts. Other bare-metal targets compile this crate and find only the
//! types: they have no board here.
//!
//! ```
//! use onewrite_boards::{Console, Failure, entry};
//!
//! entry!(run);
//!
//! fn run(console: &mut Console) -> Result<(), Failure> {
//!     writeln!(console, "hello from {}", onewrite_boards::label())?;
//!     Ok(())
//! }
//! ```
#![cfg_attr(target_os = "none", no_std)]

mod counters;
mod environment;
mod failure;

#[cfg(hosted)]
mod hosted;
#[cfg(perf_events)]
mod linux;
#[cfg(any(perf_events, all(target_arch = "aarch64", target_os = "none")))]
mod property;
#[cfg(all(target_arch = "aarch64", target_os = "none"))]
mod rpi_zero_2w;
#[cfg(small)]
mod small;

pub use counters::Counters;
pub use embedded_io;
pub use environment::{Environment, Fact, Label};
pub use failure::Failure;

#[cfg(hosted)]
pub use hosted::{Console, Serial, counters, environment, exit, label, now_ns, pin_to};
#[cfg(all(target_arch = "aarch64", target_os = "none"))]
pub use rpi_zero_2w::{
    Console, Serial, command_line, counters, environment, exit, label, now_ns, pin_to,
};
#[cfg(small)]
pub use small::{Console, exit, label};

/// Exit code of a run that panicked; the same number as a Rust process uses.
pub const EXIT_PANIC: u8 = 101;
/// Exit code of a run that ended in a processor exception.
pub const EXIT_EXCEPTION: u8 = 102;

#[doc(hidden)]
pub mod private {
    #[cfg(hosted)]
    pub use crate::hosted::start;
    #[cfg(board = "wasm")]
    pub use crate::small::start_with_std as start;
}

/// Names the function an example starts with.
///
/// Its signature is `fn(&mut Console) -> Result<(), Failure>`. `Ok` ends the run with code 0, a
/// [`Failure`] prints its message on the console and ends the run with its code.
#[cfg(any(hosted, board = "wasm"))]
#[macro_export]
macro_rules! entry {
    ($run:path) => {
        fn main() {
            $crate::private::start($run)
        }
    };
}

/// Names the function an example starts with.
///
/// Its signature is `fn(&mut Console) -> Result<(), Failure>`. `Ok` ends the run with code 0, a
/// [`Failure`] prints its message on the console and ends the run with its code.
#[cfg(all(target_os = "none", any(target_arch = "aarch64", small)))]
#[macro_export]
macro_rules! entry {
    ($run:path) => {
        // SAFETY: the name belongs to this macro, and a program has one entry.
        #[unsafe(export_name = "__onewrite_run")]
        fn __onewrite_run(
            console: &mut $crate::Console,
        ) -> ::core::result::Result<(), $crate::Failure> {
            $run(console)
        }
    };
}

/// Names the function an example starts with.
#[cfg(all(target_os = "none", not(any(target_arch = "aarch64", small))))]
#[macro_export]
macro_rules! entry {
    ($run:path) => {
        ::core::compile_error!(
            "onewrite-boards has no board for this target: build for aarch64-unknown-none, \
             for another one of the list in its documentation, or for a target with std"
        );
    };
}
