//! Calls to an emulator: is one there, what does it ask for, and the exit code.
//!
//! A call is `hlt #0xf000` (Arm, "Semihosting for `AArch32` and `AArch64`", 2023Q3). Where nobody
//! listens, the instruction is undefined; the vectors skip it and put [`REFUSED`] in x0.

use core::{
    arch::asm,
    sync::atomic::{AtomicBool, Ordering},
};

/// What the vectors return for a call nobody took. No call made here returns this.
pub(super) const REFUSED: u64 = 0x5245_4655;

const SYS_ERRNO: u64 = 0x13;
const SYS_GET_CMDLINE: u64 = 0x15;
const SYS_EXIT_EXTENDED: u64 = 0x20;
const APPLICATION_EXIT: u64 = 0x2_0026;

static PRESENT: AtomicBool = AtomicBool::new(false);

/// Asks for something harmless and remembers whether anybody answered.
pub(super) fn probe() {
    PRESENT.store(call(SYS_ERRNO, &[0, 0]) != REFUSED, Ordering::Relaxed);
}

pub(super) fn present() -> bool {
    PRESENT.load(Ordering::Relaxed)
}

/// The command line that the emulator was given for us, without its final zero byte; empty where nobody
/// answers or it does not fit.
pub(super) fn command_line(buffer: &mut [u8]) -> &str {
    if !present() {
        return "";
    }
    let mut block = [buffer.as_mut_ptr().expose_provenance(), buffer.len()];
    let mut result = SYS_GET_CMDLINE;
    // SAFETY: the host writes the text into the buffer, at most the length that stands in the block, and
    // then its length into the block; both are ours and exclusive here. It changes x0 alone.
    unsafe {
        asm!(
            "hlt #0xf000",
            inlateout("x0") result,
            in("x1") block.as_mut_ptr(),
            options(nostack, preserves_flags)
        );
    }
    let [_, len] = block;
    let text = buffer.get(..len).filter(|_| result == 0);
    text.and_then(|text| core::str::from_utf8(text).ok()).unwrap_or_default()
}

/// Ends the emulator with `code`; returns where there is none.
pub(super) fn exit(code: u8) {
    if present() {
        call(SYS_EXIT_EXTENDED, &[APPLICATION_EXIT, u64::from(code)]);
    }
}

fn call(operation: u64, arguments: &[u64; 2]) -> u64 {
    let result;
    // SAFETY: both operations at most read the two words at x1. The host, or the vectors in its
    // place, change x0 alone.
    unsafe {
        asm!(
            "hlt #0xf000",
            inlateout("x0") operation => result,
            in("x1") arguments.as_ptr(),
            options(nostack, preserves_flags, readonly)
        );
    }
    result
}
