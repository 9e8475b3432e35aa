//! Perf events of one thread, counted together so that they cover the same span.

use core::time::Duration;
use std::io;

use perf_event::{
    Builder, Counter, Group,
    events::{Cache, CacheId, CacheOp, CacheResult, Hardware, Raw},
};

use super::root::Root;
use crate::Counters;

/// What the kernel is asked to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    Cycles,
    Instructions,
    L1dRefills,
    L2Refills,
    BranchMisses,
    BusAccesses,
}

impl Quantity {
    /// All of them, the most wanted first: where they do not all fit, the last ones are left out.
    ///
    /// A Cortex-A53 has six counters and one for cycles alone. The kernel's watchdog may have
    /// taken that one; then they still fit.
    const ALL: [Self; 6] = [
        Self::Cycles,
        Self::Instructions,
        Self::L1dRefills,
        Self::L2Refills,
        Self::BranchMisses,
        Self::BusAccesses,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Cycles => "cycles",
            Self::Instructions => "instructions",
            Self::L1dRefills => "l1d refills",
            Self::L2Refills => "l2 refills",
            Self::BranchMisses => "branch misses",
            Self::BusAccesses => "bus accesses",
        }
    }

    /// How the kernel is asked, or why it is not.
    ///
    /// The kernel knows four of them by name, for every machine, and refuses what a machine does
    /// not count. The others are Arm's, and it takes their bare numbers unchecked: what this
    /// machine really counts is listed in sysfs.
    fn request(self, root: &Root) -> Request {
        match self {
            Self::Cycles => Ok(Builder::new(Hardware::CPU_CYCLES)),
            Self::Instructions => Ok(Builder::new(Hardware::INSTRUCTIONS)),
            // Arm's L1D_CACHE_REFILL, which counts for loads and stores.
            Self::L1dRefills => Ok(Builder::new(Cache {
                which: CacheId::L1D,
                operation: CacheOp::READ,
                result: CacheResult::MISS,
            })),
            Self::BranchMisses => Ok(Builder::new(Hardware::BRANCH_MISSES)),
            Self::L2Refills => listed(root, "l2d_cache_refill"),
            Self::BusAccesses => listed(root, "bus_access"),
        }
    }

    fn put(self, counters: &mut Counters, count: u64) {
        let place = match self {
            Self::Cycles => &mut counters.cycles,
            Self::Instructions => &mut counters.instructions,
            Self::L1dRefills => &mut counters.l1d_refills,
            Self::L2Refills => &mut counters.l2_refills,
            Self::BranchMisses => &mut counters.branch_misses,
            Self::BusAccesses => &mut counters.bus_accesses,
        };
        *place = Some(count);
    }
}

/// How to ask for a quantity, or why it cannot be had.
type Request = Result<Builder<'static>, &'static str>;

const NOT_COUNTED: &str = "not counted by this machine";
const NO_ROOM: &str = "no counter is free";
const ONLY_A_CLOCK: &str = "no more than a clock in this emulator";

/// An event by the number that sysfs lists for it: `event=0x17` for `l2d_cache_refill`.
fn listed(root: &Root, event: &str) -> Request {
    let devices = "/sys/bus/event_source/devices";
    let number = root.names(devices).into_iter().find_map(|device| {
        let text = root.read(&format!("{devices}/{device}/events/{event}"))?;
        u64::from_str_radix(text.strip_prefix("event=0x")?, 16).ok()
    });
    number.map(|number| Builder::new(Raw::new(number))).ok_or(NOT_COUNTED)
}

/// All quantities with their requests.
///
/// An emulator's cycles are made up; its instructions are not, and are there only where it counts
/// them.
pub(super) fn wanted(root: &Root, emulated: bool) -> Vec<(Quantity, Request)> {
    let ask = |quantity: Quantity| match quantity {
        Quantity::Cycles if emulated => Err(ONLY_A_CLOCK),
        _ => quantity.request(root),
    };
    Quantity::ALL.map(|quantity| (quantity, ask(quantity))).into()
}

/// A group of events that the kernel counts.
pub(super) struct Events {
    group: Group,
    counting: Vec<(Quantity, Counter)>,
    missing: Vec<(Quantity, &'static str)>,
    sharing: Sharing,
}

impl Events {
    /// Counts as much of `wanted` as goes together; what comes later is left out first.
    ///
    /// # Errors
    /// Events are not permitted, or not one of those that are wanted is there.
    pub(super) fn open(mut wanted: Vec<(Quantity, Request)>) -> io::Result<Self> {
        loop {
            let mut events = Self::group(&wanted)?;
            let Some(&(last, _)) = events.counting.last() else {
                return Err(io::ErrorKind::NotFound.into());
            };
            if events.start()? {
                return Ok(events);
            }
            // The kernel took the group, yet others hold counters that it would need.
            for (quantity, request) in &mut wanted {
                if *quantity == last {
                    *request = Err(NO_ROOM);
                }
            }
        }
    }

    fn group(wanted: &[(Quantity, Request)]) -> io::Result<Self> {
        let mut group = Group::new()?;
        let (mut counting, mut missing) = (Vec::new(), Vec::new());
        for (quantity, request) in wanted {
            match request.as_ref().map(|builder| group.add(builder)) {
                Ok(Ok(counter)) => counting.push((*quantity, counter)),
                Ok(Err(error)) if error.kind() == io::ErrorKind::PermissionDenied => {
                    return Err(error);
                }
                Ok(Err(error)) => missing.push((*quantity, why_missing(&error))),
                Err(why) => missing.push((*quantity, *why)),
            }
        }
        Ok(Self { group, counting, missing, sharing: Sharing::default() })
    }

    /// Starts to count; `false` where the kernel finds no counters for the group.
    fn start(&mut self) -> io::Result<bool> {
        self.group.enable()?;
        let counts = self.group.read()?;
        let (enabled, running) = times(counts.time_enabled(), counts.time_running());
        self.sharing = Sharing::from(enabled, running);
        Ok(running != Duration::ZERO)
    }

    /// What was counted since the start; nothing where the counters were taken away meanwhile.
    pub(super) fn read(&mut self) -> Counters {
        let mut counters = Counters::default();
        let Ok(counts) = self.group.read() else {
            self.sharing.lose();
            return counters;
        };
        let (enabled, running) = times(counts.time_enabled(), counts.time_running());
        if self.sharing.is_whole(enabled, running) {
            for (quantity, counter) in &self.counting {
                if let Some(entry) = counts.get(counter) {
                    quantity.put(&mut counters, entry.value());
                }
            }
        }
        counters
    }

    /// The quantities that are counted.
    pub(super) fn counting(&self) -> impl Iterator<Item = Quantity> {
        self.counting.iter().map(|(quantity, _)| *quantity)
    }

    /// The quantities that are not, and why.
    pub(super) fn missing(&self) -> &[(Quantity, &'static str)] {
        &self.missing
    }

    /// How many readings were lost to others, and how many there were.
    pub(super) const fn shared(&self) -> (u64, u64) {
        (self.sharing.lost, self.sharing.readings)
    }
}

/// A kernel that was asked for the times and does not say them is taken not to have counted.
fn times(enabled: Option<Duration>, running: Option<Duration>) -> (Duration, Duration) {
    (enabled.unwrap_or(Duration::MAX), running.unwrap_or_default())
}

fn why_missing(error: &io::Error) -> &'static str {
    match error.raw_os_error() {
        // EINVAL: the group would not fit the counters at once. ENOSPC: none is left.
        Some(INVALID | NO_SPACE | BUSY) => NO_ROOM,
        _ => NOT_COUNTED,
    }
}

// The same on every architecture that Linux runs on (asm-generic/errno-base.h).
const BUSY: i32 = 16;
const INVALID: i32 = 22;
const NO_SPACE: i32 = 28;

/// Whether the counters were ours all the time.
///
/// The kernel shares its counters among all who want some. A group that had to wait has counted
/// less than there was, and perf's usual answer is to scale, which is guesswork. Here a reading is
/// lost where the group has waited since the reading before. Two readings that are not lost have
/// a whole span between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sharing {
    /// How long the group has waited so far.
    waited: Duration,
    readings: u64,
    lost: u64,
}

impl Sharing {
    fn from(enabled: Duration, running: Duration) -> Self {
        Self { waited: enabled.saturating_sub(running), ..Self::default() }
    }

    fn is_whole(&mut self, enabled: Duration, running: Duration) -> bool {
        self.readings += 1;
        let waited = enabled.saturating_sub(running);
        let whole = waited == self.waited;
        self.waited = waited;
        self.lost += u64::from(!whole);
        whole
    }

    fn lose(&mut self) {
        self.readings += 1;
        self.lost += 1;
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        reason = "a test fails by panicking"
    )]

    use core::{hint::black_box, time::Duration};
    use std::io;

    use perf_event::{
        Builder,
        events::{Breakpoint, Hardware, Software},
    };

    use super::{
        BUSY, Events, INVALID, NO_ROOM, NO_SPACE, NOT_COUNTED, ONLY_A_CLOCK, Quantity, Sharing,
        listed, wanted, why_missing,
    };
    use crate::linux::root::tests::Tree;

    /// What was opened, or nothing where the kernel lets nobody here have events: that says so, and
    /// leaves nothing to test. Any other error is ours.
    fn unless_refused(opened: io::Result<Events>) -> Option<Events> {
        match opened {
            Ok(events) => Some(events),
            // `Unsupported` is a kernel without perf events, or an emulator of its calls.
            Err(error)
                if [io::ErrorKind::PermissionDenied, io::ErrorKind::Unsupported]
                    .contains(&error.kind()) =>
            {
                eprintln!("skipped: no perf events here: {error}");
                None
            }
            Err(error) => panic!("perf events are not refused, and yet: {error}"),
        }
    }

    /// Software events in place of the hardware's, which a virtual machine may lack.
    fn software(events: [Software; 6]) -> Option<Events> {
        let requests = Quantity::ALL.into_iter().zip(events);
        let requests = requests.map(|(quantity, event)| (quantity, Ok(Builder::new(event))));
        unless_refused(Events::open(requests.collect()))
    }

    #[test]
    fn every_quantity_is_counted_into_its_own_field() {
        let Some(mut events) = software([
            Software::TASK_CLOCK,
            Software::PAGE_FAULTS,
            Software::PAGE_FAULTS_MIN,
            Software::EMULATION_FAULTS,
            Software::CPU_CLOCK,
            Software::DUMMY,
        ]) else {
            return;
        };
        assert_eq!(events.counting().collect::<Vec<_>>(), Quantity::ALL);
        let start = events.read();
        black_box(vec![1_u8; 4 << 20]);
        let span = events.read().since(start);
        let faults = span.instructions.unwrap_or_default();
        assert!(faults >= 1, "{span:?}");
        assert_eq!(span.l1d_refills, Some(faults), "{span:?}");
        assert!(span.cycles.is_some_and(|ns| ns > 1_000), "{span:?}");
        assert!(span.branch_misses.is_some_and(|ns| ns > 1_000), "{span:?}");
        assert_eq!((span.l2_refills, span.bus_accesses), (Some(0), Some(0)));
        assert_eq!(events.shared(), (0, 2));
    }

    /// A processor watches only a few addresses: a real limit, in every virtual machine.
    #[test]
    fn what_does_not_fit_is_left_out_from_the_end_and_named() {
        static WATCHED: [u64; 6] = [7; 6];
        let watch = |index: usize| Breakpoint::read_write(&raw const WATCHED[index] as u64, 8);
        let requests = Quantity::ALL.into_iter().enumerate();
        let requests = requests.map(|(at, quantity)| (quantity, Ok(Builder::new(watch(at)))));
        let opened = Events::open(requests.collect());
        if opened.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            // As under some hypervisors. That software events are there, the test above has seen.
            eprintln!("skipped: this machine watches no addresses");
            return;
        }
        let Some(mut events) = unless_refused(opened) else { return };

        let counted: Vec<Quantity> = events.counting().collect();
        let missing: Vec<Quantity> =
            events.missing().iter().map(|(quantity, _)| *quantity).collect();
        assert_eq!([counted.as_slice(), &missing].concat(), Quantity::ALL);
        assert!(events.missing().iter().all(|(_, why)| *why == NO_ROOM));
        if cfg!(target_arch = "x86_64") {
            assert_eq!(counted.len(), 4);
        }
        assert!(events.read().cycles.is_some());
    }

    #[test]
    fn an_event_that_is_not_there_leaves_the_others() {
        let requests = vec![
            (Quantity::Cycles, Ok(Builder::new(Software::TASK_CLOCK))),
            (Quantity::Instructions, Err(ONLY_A_CLOCK)),
            (Quantity::L1dRefills, Ok(Builder::new(Hardware::from(99)))),
            (Quantity::BusAccesses, Ok(Builder::new(Software::DUMMY))),
        ];
        let Some(mut events) = unless_refused(Events::open(requests)) else { return };
        let counters = events.read();
        assert!(counters.cycles.is_some() && counters.bus_accesses.is_some());
        assert!(counters.instructions.is_none() && counters.l1d_refills.is_none());
        let missing: Vec<_> =
            events.missing().iter().map(|(quantity, _)| quantity.name()).collect();
        assert_eq!(missing, ["instructions", "l1d refills"]);
    }

    #[test]
    fn without_any_event_there_is_no_group() {
        let nothing = vec![(Quantity::Cycles, Err(NOT_COUNTED))];
        let Err(error) = Events::open(nothing) else { panic!("nothing was counted") };
        if error.kind() != io::ErrorKind::NotFound {
            // Where events are not permitted at all, that is what is said.
            assert!(unless_refused(Err(error)).is_none());
        }
    }

    #[test]
    fn arms_own_events_are_asked_for_as_sysfs_lists_them() {
        let tree = Tree::new("events").with(
            "/sys/bus/event_source/devices/armv8_cortex_a53/events/l2d_cache_refill",
            "event=0x0017\n",
        );
        let builder = listed(tree.root(), "l2d_cache_refill").expect("it is listed");
        assert_eq!((builder.attrs().type_, builder.attrs().config), (4, 0x17));
        assert_eq!(listed(tree.root(), "bus_access").err(), Some(NOT_COUNTED));

        let refused = |emulated| {
            let all = wanted(tree.root(), emulated).into_iter();
            all.filter_map(|(quantity, request)| Some((quantity, request.err()?))).collect()
        };
        let here: Vec<_> = refused(false);
        assert_eq!(here, [(Quantity::BusAccesses, NOT_COUNTED)]);
        let emulated: Vec<_> = refused(true);
        assert_eq!(emulated.first(), Some(&(Quantity::Cycles, ONLY_A_CLOCK)));
        assert_eq!(emulated.len(), 2);
    }

    #[test]
    fn the_kernels_errors_say_why_an_event_is_missing() {
        for code in [INVALID, NO_SPACE, BUSY] {
            assert_eq!(why_missing(&io::Error::from_raw_os_error(code)), NO_ROOM);
        }
        for code in [2, 19, 95] {
            assert_eq!(why_missing(&io::Error::from_raw_os_error(code)), NOT_COUNTED);
        }
    }

    #[test]
    fn a_reading_is_lost_where_the_group_has_waited_since_the_one_before() {
        let ms = Duration::from_millis;
        let mut sharing = Sharing::from(ms(10), ms(9));
        assert!(sharing.is_whole(ms(20), ms(19)));
        assert!(!sharing.is_whole(ms(30), ms(25)));
        // What went on after the loss is whole again.
        assert!(sharing.is_whole(ms(40), ms(35)));
        sharing.lose();
        assert_eq!((sharing.lost, sharing.readings), (2, 4));
    }
}
