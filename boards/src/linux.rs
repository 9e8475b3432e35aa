//! What Linux adds: perf events, and what procfs and sysfs say about the machine.
//!
//! Bottom up: `root` reads the kernel's files; `firmware` asks the Pi's firmware through the
//! kernel; `events` counts; `facts` says what a number is worth nothing without.

mod events;
mod facts;
mod firmware;
mod root;

#[cfg(target_arch = "aarch64")]
use core::arch::asm;
use core::{
    cell::RefCell,
    fmt::{self, Write as _},
};
use std::io;

use rustix::thread::{CpuSet, sched_getcpu, sched_setaffinity};

use self::{
    events::{Events, Quantity},
    root::Root,
};
use crate::{Counters, Environment, Failure, Label};

thread_local! {
    static EVENTS: RefCell<io::Result<Events>> = RefCell::new(open_events());
}

fn open_events() -> io::Result<Events> {
    Events::open(events::wanted(&Root::of_machine(), is_emulated(generic_timer_hz())))
}

pub(crate) fn counters() -> Counters {
    EVENTS.with_borrow_mut(|events| match events {
        Ok(events) => events.read(),
        Err(_) => Counters::default(),
    })
}

/// Keeps this thread on one core.
pub(crate) fn pin_to(core: usize) -> Result<(), Failure> {
    if core >= CpuSet::MAX_CPU {
        return Err("there is no such core".into());
    }
    let mut set = CpuSet::new();
    set.set(core);
    sched_setaffinity(None, &set)
        .map_err(|_| Failure::from("there is no such core, or the program is not allowed on it"))
}

pub(crate) fn label() -> Label {
    let counts_instructions = EVENTS.with_borrow(|events| match events {
        Ok(events) => events.counting().any(|quantity| quantity == Quantity::Instructions),
        Err(_) => false,
    });
    let model = facts::model(&Root::of_machine());
    label_of(generic_timer_hz(), model.as_deref(), counts_instructions)
}

/// A Pi's timer runs at 19.2 or 54 MHz.
///
/// QEMU's monitors count instructions only with `-icount`, and then exactly; else they have no such
/// event (`instructions_supported` in QEMU's target/arm/helper.c).
fn label_of(timer_hz: Option<u64>, model: Option<&str>, counts_instructions: bool) -> Label {
    match (timer_hz, model) {
        _ if is_emulated(timer_hz) && counts_instructions => Label::QemuIcount,
        _ if is_emulated(timer_hz) => Label::Qemu,
        (Some(19_200_000 | 54_000_000), Some(model)) if model.starts_with("Raspberry Pi") => {
            Label::Pi
        }
        _ => Label::Host,
    }
}

/// QEMU's timer runs at 62.5 MHz, whatever the device tree claims.
const fn is_emulated(timer_hz: Option<u64>) -> bool {
    matches!(timer_hz, Some(62_500_000))
}

#[cfg(target_arch = "aarch64")]
fn generic_timer_hz() -> Option<u64> {
    let hz: u64;
    // SAFETY: the read changes no state. Linux lets programs do it: it sets CNTKCTL_EL1.EL0VCTEN
    // for the clock of the vDSO, or emulates the instruction (drivers/clocksource/arm_arch_timer.c,
    // arch/arm64/kernel/traps.c).
    unsafe {
        asm!("mrs {}, cntfrq_el0", out(reg) hz, options(nomem, nostack, preserves_flags));
    }
    Some(hz)
}

#[cfg(not(target_arch = "aarch64"))]
const fn generic_timer_hz() -> Option<u64> {
    None
}

pub(crate) fn add_facts(environment: &mut Environment) {
    let root = Root::of_machine();
    facts::add_fixed(environment, &root, generic_timer_hz());
    EVENTS.with_borrow(|events| match events {
        Ok(events) => add_events(environment, events),
        Err(error) => {
            let paranoid = root.read("/proc/sys/kernel/perf_event_paranoid");
            environment.add(
                "perf events",
                format_args!("{}", Refused { error, paranoid: paranoid.as_deref() }),
            );
        }
    });
    facts::add_moving(environment, &root, sched_getcpu());
}

/// What is counted and what is not.
fn add_events(environment: &mut Environment, events: &Events) {
    let mut names = String::new();
    for quantity in events.counting() {
        let _ = write!(names, "{}, ", quantity.name());
    }
    environment.add("perf events", format_args!("{names}of user code"));
    let mut missing = String::new();
    let mut reason = None;
    for &(quantity, why) in events.missing() {
        let name = quantity.name();
        let _ = match reason {
            None => write!(missing, "{name}"),
            Some(same) if same == why => write!(missing, ", {name}"),
            Some(other) => write!(missing, " ({other}), {name}"),
        };
        reason = Some(why);
    }
    if let Some(why) = reason {
        environment.add("perf events missing", format_args!("{missing} ({why})"));
    }
    let (lost, readings) = events.shared();
    environment.add("shared readings", format_args!("{lost} of {readings}"));
}

/// Why there are no perf events, and what would bring them.
struct Refused<'a> {
    error: &'a io::Error,
    /// The kernel's setting `perf_event_paranoid`, where it has one.
    paranoid: Option<&'a str>,
}

impl fmt::Display for Refused<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error.kind() {
            io::ErrorKind::PermissionDenied => match self.paranoid {
                // Debian's kernels know 3, which forbids events to all but the privileged.
                Some(level) if level.parse().is_ok_and(|level: i32| level > 2) => write!(
                    f,
                    "not permitted with kernel.perf_event_paranoid={level}: `sysctl \
                     kernel.perf_event_paranoid=2` as root, or give the program CAP_PERFMON"
                ),
                level => write!(
                    f,
                    "not permitted, although kernel.perf_event_paranoid={}: a container or a \
                     filter of system calls forbids it",
                    level.unwrap_or("?")
                ),
            },
            io::ErrorKind::NotFound => f.write_str(
                "none: this machine counts nothing; on a board, its device tree names no PMU",
            ),
            io::ErrorKind::Unsupported => f.write_str("none: this kernel has no perf events"),
            _ => write!(f, "none: {}", self.error),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::{io, thread};

    use super::{Refused, label_of, pin_to};
    use crate::{Fact, Label, environment};

    #[test]
    fn an_emulator_with_the_device_tree_of_a_pi_is_no_pi() {
        let model = Some("Raspberry Pi Zero 2 W Rev 1.0");
        assert_eq!(label_of(Some(62_500_000), model, false), Label::Qemu);
        assert_eq!(label_of(Some(62_500_000), model, true), Label::QemuIcount);
        assert_eq!(label_of(Some(19_200_000), model, true), Label::Pi);
        assert_eq!(label_of(Some(19_200_000), model, false), Label::Pi);
        assert_eq!(label_of(Some(19_200_000), Some("Some other board"), true), Label::Host);
        assert_eq!(label_of(None, None, true), Label::Host);
    }

    /// A thread, because the others of this process may run where they like.
    #[test]
    fn a_pinned_thread_is_allowed_on_one_core_and_says_so() {
        thread::spawn(|| {
            let core: usize =
                environment().value("core").and_then(|core| core.parse().ok()).unwrap();
            assert_eq!(pin_to(core), Ok(()));
            let pinned = environment();
            let core = core.to_string();
            assert_eq!(pinned.value("cpus allowed"), Some(core.as_str()));
            assert_eq!(pinned.value("core"), Some(core.as_str()));
            for absent in [1023, 1024, usize::MAX] {
                assert!(pin_to(absent).is_err(), "{absent}");
            }
        })
        .join()
        .unwrap();
    }

    const PERMISSION: i32 = 1;
    const ACCESS: i32 = 13;

    #[test]
    fn a_refusal_says_what_to_do_within_a_fact() {
        let refused = |code, paranoid| {
            let error = io::Error::from_raw_os_error(code);
            let text = Refused { error: &error, paranoid }.to_string();
            assert!(text.len() <= Fact::VALUE_BYTES - 3, "{text}");
            text
        };
        for code in [PERMISSION, ACCESS] {
            let text = refused(code, Some("3"));
            assert!(text.contains("=3: `sysctl kernel.perf_event_paranoid=2`"), "{text}");
            assert!(text.contains("CAP_PERFMON"), "{text}");
            // The setting would allow it: advice to change it would be wrong.
            for level in [Some("2"), Some("-1"), None] {
                let text = refused(code, level);
                assert!(text.contains("container") && !text.contains("sysctl"), "{text}");
            }
        }
        assert!(refused(2, Some("2")).contains("counts nothing"));
        assert!(refused(38, None).contains("no perf events"));
    }
}
