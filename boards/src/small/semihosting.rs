//! Calls to the emulator, on 32-bit machines: what a program says, and how it ends.
//!
//! Arm's "Semihosting for AArch32 and AArch64", and the RISC-V addition to it. On a board without a
//! debugger nobody takes such a call, and it ends in an exception.

use core::arch::asm;

const SYS_WRITE: u32 = 0x05;
const SYS_OPEN: u32 = 0x01;
const SYS_EXIT_EXTENDED: u32 = 0x20;
const APPLICATION_EXIT: u32 = 0x2_0026;
/// `fopen`'s "wb": as the console it is standard output.
const MODE_WRITE: u32 = 5;

/// The console of the emulator. Opened for each piece of text: the number costs one call, and a
/// place to keep it would be a variable that the end of a run, in an exception, may not trust.
pub(super) fn send(bytes: &[u8]) {
    let handle = call(SYS_OPEN, &[address(b":tt\0"), MODE_WRITE, 3]);
    call(SYS_WRITE, &[handle, address(bytes), length(bytes)]);
}

/// Ends the emulator with `code`.
pub(super) fn exit(code: u8) -> ! {
    call(SYS_EXIT_EXTENDED, &[APPLICATION_EXIT, u32::from(code), 0]);
    loop {
        core::hint::spin_loop();
    }
}

/// The emulator reads the bytes through their address.
#[allow(clippy::cast_possible_truncation, reason = "an address has 32 bits here")]
fn address(bytes: &[u8]) -> u32 {
    bytes.as_ptr().expose_provenance() as u32
}

#[allow(clippy::cast_possible_truncation, reason = "a length has 32 bits here")]
const fn length(bytes: &[u8]) -> u32 {
    bytes.len() as u32
}

#[cfg(target_arch = "arm")]
fn call(operation: u32, arguments: &[u32; 3]) -> u32 {
    let result;
    // SAFETY: the operations of this module read the words at r1, and the bytes that these lead
    // to. The host changes r0 alone.
    unsafe {
        asm!(
            "bkpt #0xab",
            inlateout("r0") operation => result,
            in("r1") arguments.as_ptr(),
            options(nostack, preserves_flags, readonly)
        );
    }
    result
}

#[cfg(target_arch = "riscv32")]
fn call(operation: u32, arguments: &[u32; 3]) -> u32 {
    let result;
    // SAFETY: the operations of this module read the words at a1, and the bytes that these lead
    // to. The host changes a0 alone. The three instructions are those of the specification: of
    // four bytes each, and within one page as they are aligned to 16.
    unsafe {
        asm!(
            ".balign 16",
            ".option push",
            ".option norvc",
            "slli zero, zero, 0x1f",
            "ebreak",
            "srai zero, zero, 7",
            ".option pop",
            inlateout("a0") operation => result,
            in("a1") arguments.as_ptr(),
            options(nostack, preserves_flags, readonly)
        );
    }
    result
}
