//! The performance monitors of core 0: one cycle counter and six event counters.
//!
//! Events are those of the Cortex-A53 TRM (DDI 0500), table 12-28. Which of them a machine has
//! stands in PMCEID0; QEMU has `INST_RETIRED` only with `-icount`, and then it is exact.

use core::{
    arch::asm,
    sync::atomic::{AtomicU32, Ordering},
};

use super::registers::{barrier, read};
use crate::Counters;

pub(super) const L1D_REFILL: u32 = 0x03;
const L1D_ACCESS: u32 = 0x04;
pub(super) const INST_RETIRED: u32 = 0x08;
const BRANCH_MISS: u32 = 0x10;
const L2D_REFILL: u32 = 0x17;
const BUS_ACCESS: u32 = 0x19;

/// The event each counter counts; the most wanted first, as a machine may have fewer counters.
const EVENTS: [u32; 6] =
    [INST_RETIRED, L1D_REFILL, BRANCH_MISS, L2D_REFILL, L1D_ACCESS, BUS_ACCESS];

/// Where event counters start: 32 bits run through soon, so that every run shows that this is
/// allowed for, and not only one that takes seconds.
const FIRST: u64 = (1 << 32) - 5_000_000;

/// One bit a counter that counts its event; bit 31 for cycles that are cycles.
static COUNTING: AtomicU32 = AtomicU32::new(0);
const CYCLES: u32 = 1 << 31;

/// Writes a register of the performance monitors.
macro_rules! write {
    ($register:literal, $value:expr) => {{
        let value: u64 = $value;
        // SAFETY: boot gave these registers to EL1; they steer counters and nothing else.
        unsafe {
            asm!(
                concat!("msr ", $register, ", {}"),
                in(reg) value,
                options(nomem, nostack, preserves_flags)
            );
        }
    }};
}

pub(super) fn init() {
    write!("pmcr_el0", read!("pmcr_el0") | 0b100_0111); // 64-bit cycles, both reset, enabled
    write!("pmccfiltr_el0", 0);
    let mut counting = 0;
    for (index, event) in (0..).zip(EVENTS) {
        if index < counters_present() && supports(event) {
            counting |= 1 << index;
        }
    }
    write!("pmevtyper0_el0", u64::from(EVENTS[0]));
    write!("pmevcntr0_el0", FIRST);
    if counters_present() >= 4 {
        write!("pmevtyper1_el0", u64::from(EVENTS[1]));
        write!("pmevtyper2_el0", u64::from(EVENTS[2]));
        write!("pmevtyper3_el0", u64::from(EVENTS[3]));
        write!("pmevcntr1_el0", FIRST);
        write!("pmevcntr2_el0", FIRST);
        write!("pmevcntr3_el0", FIRST);
    }
    if counters_present() >= 6 {
        write!("pmevtyper4_el0", u64::from(EVENTS[4]));
        write!("pmevtyper5_el0", u64::from(EVENTS[5]));
        write!("pmevcntr4_el0", FIRST);
        write!("pmevcntr5_el0", FIRST);
    }
    write!("pmcntenset_el0", u64::from(counting | CYCLES));
    barrier();
    // QEMU's cycle counter is a clock: not cycles of anything.
    if supports(L1D_REFILL) {
        counting |= CYCLES;
    }
    COUNTING.store(counting, Ordering::Relaxed);
}

/// Event counters this machine has.
pub(super) fn counters_present() -> u64 {
    (read!("pmcr_el0") >> 11) & 31
}

/// Whether the machine counts this event (below 32) at all.
pub(super) fn supports(event: u32) -> bool {
    (read!("pmceid0_el0") >> event) & 1 == 1
}

/// What core 0 counts: 32 bits that begin somewhere, so that only spans mean anything.
///
/// Instructions come from `INST_RETIRED`: under QEMU they are there only with `-icount`, exact and
/// repeatable. Cycles and cache events are there on hardware only. Each call costs the same, as it
/// is never inlined.
#[must_use]
#[inline(never)]
pub fn counters() -> Counters {
    let counting = COUNTING.load(Ordering::Relaxed);
    let when = |index: u32, count: u64| (counting >> index & 1 == 1).then_some(count);
    barrier();
    let instructions = read!("pmevcntr0_el0");
    let clock = read!("pmccntr_el0");
    let counters = Counters {
        instructions: when(0, instructions),
        cycles: when(31, clock),
        l1d_refills: when(1, read!("pmevcntr1_el0")),
        branch_misses: when(2, read!("pmevcntr2_el0")),
        l2_refills: when(3, read!("pmevcntr3_el0")),
        l1d_accesses: when(4, read!("pmevcntr4_el0")),
        bus_accesses: when(5, read!("pmevcntr5_el0")),
        narrow_since: Some(clock),
    };
    barrier();
    counters
}
