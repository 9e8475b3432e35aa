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
    /// Where counts have 32 bits only: the core's clock, of 64 bits, when they were read. Not a
    /// count of cycles, since an emulator has a clock as well.
    pub(crate) narrow_since: Option<u64>,
}

impl Counters {
    /// What was counted between `start` and `self`.
    ///
    /// The event counters of a Cortex-A53 have 32 bits, and one wrap between the two is allowed
    /// for. A span of 2,147,483,648 cycles or more, which is two seconds, may have more than one:
    /// all its counts but the cycles are `None`. Elsewhere counters have 64 bits. Reading costs
    /// some instructions itself: subtract an empty span where that matters.
    #[must_use]
    pub const fn since(self, start: Self) -> Self {
        let width = Width::between(start.narrow_since, self.narrow_since);
        Self {
            instructions: width.span(start.instructions, self.instructions),
            cycles: Width::Whole.span(start.cycles, self.cycles),
            l1d_refills: width.span(start.l1d_refills, self.l1d_refills),
            l1d_accesses: width.span(start.l1d_accesses, self.l1d_accesses),
            l2_refills: width.span(start.l2_refills, self.l2_refills),
            branch_misses: width.span(start.branch_misses, self.branch_misses),
            bus_accesses: width.span(start.bus_accesses, self.bus_accesses),
            narrow_since: None,
        }
    }
}

/// What the difference of two counts is worth.
#[derive(Clone, Copy)]
enum Width {
    /// 64 bits, which nothing runs through.
    Whole,
    /// 32 bits that have wrapped once at most.
    Narrow,
    /// 32 bits that may have wrapped several times.
    Lost,
}

impl Width {
    /// The core retires two instructions a cycle at most, and counts no other event more often.
    const EVENTS_PER_CYCLE: u64 = 2;

    const fn between(start: Option<u64>, end: Option<u64>) -> Self {
        match (start, end) {
            (Some(start), Some(end))
                if end.wrapping_sub(start) < (1 << 32) / Self::EVENTS_PER_CYCLE =>
            {
                Self::Narrow
            }
            (Some(_), Some(_)) => Self::Lost,
            _ => Self::Whole,
        }
    }

    const fn span(self, start: Option<u64>, end: Option<u64>) -> Option<u64> {
        match (self, start, end) {
            (Self::Narrow, Some(start), Some(end)) => Some(end.wrapping_sub(start) & 0xffff_ffff),
            (Self::Whole, Some(start), Some(end)) => end.checked_sub(start),
            _ => None,
        }
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

    /// As a Cortex-A53 counts, at a moment of its clock.
    fn narrow(clock: u64, count: u64) -> Counters {
        Counters {
            cycles: Some(clock),
            bus_accesses: Some(count),
            narrow_since: Some(clock),
            ..instructions(count)
        }
    }

    #[test]
    fn one_wrap_of_a_32_bit_counter_is_allowed_for() {
        let span = narrow(30, 5).since(narrow(10, 0xffff_fffe));
        assert_eq!((span.instructions, span.bus_accesses), (Some(7), Some(7)));
        assert_eq!(span.cycles, Some(20));
        // The most there can be in the longest span: the end stands just before the start.
        let longest = (1 << 31) - 1;
        let span = narrow(longest, 0x1233).since(narrow(0, 0x1234));
        assert_eq!(span.instructions, Some(0xffff_ffff));
    }

    #[test]
    fn a_span_that_may_have_wrapped_twice_has_cycles_only() {
        let span = narrow(10 + (1 << 31), 0x2000).since(narrow(10, 0x1000));
        assert_eq!((span.instructions, span.bus_accesses), (None, None));
        assert_eq!(span.cycles, Some(1 << 31));
    }

    #[test]
    fn a_64_bit_counter_does_not_wrap() {
        let span = instructions(1 << 40).since(instructions(1));
        assert_eq!(span.instructions, Some((1 << 40) - 1));
        assert_eq!(instructions(5).since(instructions(0xffff_fffe)).instructions, None);
    }

    #[test]
    fn what_is_not_counted_has_no_span() {
        assert_eq!(instructions(5).since(Counters::default()).instructions, None);
        assert_eq!(instructions(5).since(instructions(5)).cycles, None);
    }
}
