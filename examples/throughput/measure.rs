//! What a span costs, in every unit that the machine measures.

use core::fmt;
use core::hint::black_box;

use onewrite_boards::{Counters, counters, label, now_ns};

/// The cost of all repetitions of something.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    reps: u32,
    instructions: Option<u64>,
    cycles: Option<u64>,
    ns: Option<u64>,
    l1d_refills: Option<u64>,
    l2_refills: Option<u64>,
    branch_misses: Option<u64>,
    bus_accesses: Option<u64>,
}

impl Cost {
    /// What this one costs more than another of as many repetitions; 0 where it costs less.
    pub(crate) fn beyond(self, other: Self) -> Self {
        let difference = |more: Option<u64>, less: Option<u64>| Some(more?.saturating_sub(less?));
        Self {
            reps: self.reps,
            instructions: difference(self.instructions, other.instructions),
            cycles: difference(self.cycles, other.cycles),
            ns: difference(self.ns, other.ns),
            l1d_refills: difference(self.l1d_refills, other.l1d_refills),
            l2_refills: difference(self.l2_refills, other.l2_refills),
            branch_misses: difference(self.branch_misses, other.branch_misses),
            bus_accesses: difference(self.bus_accesses, other.bus_accesses),
        }
    }

    /// Nanoseconds of one repetition, where time is measured.
    pub(crate) fn ns_each(self) -> Option<u64> {
        Some(self.ns? / u64::from(self.reps.max(1)))
    }
}

/// As the fields of a report's line.
impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "reps={}", self.reps)?;
        for (name, count) in [
            ("instructions", self.instructions),
            ("cycles", self.cycles),
            ("ns", self.ns),
            ("l1d_refills", self.l1d_refills),
            ("l2_refills", self.l2_refills),
            ("branch_misses", self.branch_misses),
            ("bus_accesses", self.bus_accesses),
        ] {
            if let Some(count) = count {
                write!(f, " {name}={count}")?;
            }
        }
        Ok(())
    }
}

/// Measures, with the cost of measuring taken off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meter {
    /// What an empty span counts.
    empty: Counters,
    time: bool,
}

impl Meter {
    pub(crate) fn new() -> Self {
        let mut empty = Counters::default();
        // The first spans may fault pages in.
        for _ in 0..3 {
            let start = counters();
            empty = counters().since(start);
        }
        Self { empty, time: label().measures_time() }
    }

    /// Whether this machine measures anything: an emulator that does not count has nothing to say.
    pub(crate) const fn measures(&self) -> bool {
        self.time || self.empty.instructions.is_some() || self.empty.cycles.is_some()
    }

    /// Whether time says how fast this machine is.
    pub(crate) const fn measures_time(&self) -> bool {
        self.time
    }

    /// What `reps` calls of `work` cost.
    #[inline(always)]
    pub(crate) fn cost<R>(&self, reps: u32, mut work: impl FnMut() -> R) -> Cost {
        let start_ns = now_ns();
        let start = counters();
        for _ in 0..reps {
            black_box(work());
        }
        let span = counters().since(start);
        let ns = now_ns().saturating_sub(start_ns);
        let without = |count: Option<u64>, empty: Option<u64>| {
            Some(count?.saturating_sub(empty.unwrap_or(0)))
        };
        Cost {
            reps,
            instructions: without(span.instructions, self.empty.instructions),
            cycles: without(span.cycles, self.empty.cycles),
            ns: self.time.then_some(ns),
            l1d_refills: without(span.l1d_refills, self.empty.l1d_refills),
            l2_refills: without(span.l2_refills, self.empty.l2_refills),
            branch_misses: without(span.branch_misses, self.empty.branch_misses),
            bus_accesses: without(span.bus_accesses, self.empty.bus_accesses),
        }
    }
}
