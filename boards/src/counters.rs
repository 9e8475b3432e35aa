//! What a machine counts while it works.

/// What a machine has counted up to one moment.
///
/// `None` means that the machine does not count it, or that its number would not mean what the
/// name says: an emulator without instruction counting has neither instructions nor cycles.
/// Counts cover user code on Linux and core 0 on bare metal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// Instructions retired.
    pub instructions: Option<u64>,
    /// Clock cycles of the processor.
    pub cycles: Option<u64>,
    /// Lines brought into the first-level data cache.
    pub l1d_refills: Option<u64>,
    /// Accesses to the first-level data cache.
    pub l1d_accesses: Option<u64>,
    /// Lines brought into the second-level cache.
    pub l2_refills: Option<u64>,
    /// Branches predicted wrongly or not at all.
    pub branch_misses: Option<u64>,
    /// Accesses to the bus behind the caches.
    pub bus_accesses: Option<u64>,
}

impl Counters {
    /// What was counted between `start` and `self`.
    ///
    /// The event counters of a Cortex-A53 have 32 bits. One wrap between the two is allowed for,
    /// so a span must stay below 4,294,967,296 events. Reading costs some instructions itself:
    /// subtract an empty span where that matters.
    #[must_use]
    pub const fn since(self, start: Self) -> Self {
        Self {
            instructions: span(start.instructions, self.instructions),
            cycles: span(start.cycles, self.cycles),
            l1d_refills: span(start.l1d_refills, self.l1d_refills),
            l1d_accesses: span(start.l1d_accesses, self.l1d_accesses),
            l2_refills: span(start.l2_refills, self.l2_refills),
            branch_misses: span(start.branch_misses, self.branch_misses),
            bus_accesses: span(start.bus_accesses, self.bus_accesses),
        }
    }
}

const fn span(start: Option<u64>, end: Option<u64>) -> Option<u64> {
    match (start, end) {
        (Some(start), Some(end)) if end >= start => Some(end - start),
        // Only a 32-bit counter can run past its end in the lifetime of a program.
        (Some(start), Some(end)) => Some((end.wrapping_sub(start)) & 0xffff_ffff),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Counters;

    fn instructions(count: u64) -> Counters {
        Counters { instructions: Some(count), ..Counters::default() }
    }

    #[test]
    fn a_span_is_the_difference() {
        assert_eq!(instructions(1_000).since(instructions(400)).instructions, Some(600));
    }

    #[test]
    fn one_wrap_of_a_32_bit_counter_is_allowed_for() {
        assert_eq!(instructions(5).since(instructions(0xffff_fffe)).instructions, Some(7));
    }

    #[test]
    fn what_is_not_counted_has_no_span() {
        assert_eq!(instructions(5).since(Counters::default()).instructions, None);
        assert_eq!(instructions(5).since(instructions(5)).cycles, None);
    }
}
