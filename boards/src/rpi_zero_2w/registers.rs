//! System registers and the few instructions that have no Rust name.

use core::arch::asm;

/// Reads a system register that EL1 may read and whose reading changes nothing.
macro_rules! read {
    ($register:literal) => {{
        let value: u64;
        // SAFETY: the registers named in this back end are readable at EL1 on every Armv8-A core
        // with a PMUv3 (boot hands the counters to EL1), and reading them has no side effect.
        // Volatile on purpose: a counter read may not be merged with another.
        unsafe {
            core::arch::asm!(
                concat!("mrs {}, ", $register),
                out(reg) value,
                options(nomem, nostack, preserves_flags)
            );
        }
        value
    }};
}
pub(super) use read;

/// Waits until everything before has taken effect, so that a counter counts all of it.
#[inline(always)]
pub(super) fn barrier() {
    // SAFETY: an instruction barrier only waits.
    unsafe { asm!("isb", options(nostack, preserves_flags)) }
}

/// The counter of the generic timer.
///
/// The virtual one, because it is readable wherever we were entered; boot sets its offset to 0.
#[inline(always)]
pub(super) fn ticks() -> u64 {
    barrier();
    read!("cntvct_el0")
}

/// Ticks of [`ticks`] in a second.
pub(super) fn timer_hz() -> u64 {
    read!("cntfrq_el0")
}

/// Sleeps for ever: interrupts are masked, and no other core wakes this one.
pub(super) fn sleep() -> ! {
    loop {
        // SAFETY: waiting for an interrupt changes no state.
        unsafe { asm!("wfi", options(nomem, nostack, preserves_flags)) }
    }
}

/// Makes `bytes` bytes from `start` visible to the GPU, and drops them from the data cache.
pub(super) fn clean_and_invalidate(start: usize, bytes: usize) {
    const LINE_BYTES: usize = 64; // Cortex-A53, both levels
    let mut line = start & !(LINE_BYTES - 1);
    while line < start + bytes {
        // SAFETY: cleaning writes back what the line holds, so no data changes; an address that is
        // not mapped would fault and be reported, not corrupt anything.
        unsafe { asm!("dc civac, {}", in(reg) line, options(nostack, preserves_flags)) }
        line += LINE_BYTES;
    }
    // SAFETY: a barrier only waits.
    unsafe { asm!("dsb sy", options(nostack, preserves_flags)) }
}
