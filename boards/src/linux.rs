//! What Linux adds: perf events, and what procfs and sysfs say about the machine.

#[cfg(target_arch = "aarch64")]
use core::arch::asm;
use core::{cell::RefCell, fmt};
use std::{fs, io};

use perf_event::{
    Builder, Counter, Group,
    events::{Event, Hardware},
};
use rustix::thread::{CpuSet, sched_getcpu, sched_setaffinity};

use crate::{Counters, Environment, Failure, Label};

/// Cycles and instructions of one thread, counted together so that they cover the same span.
struct Events {
    group: Group,
    cycles: Counter,
    instructions: Counter,
}

impl Events {
    fn open() -> io::Result<Self> {
        Self::open_as(Hardware::CPU_CYCLES, Hardware::INSTRUCTIONS)
    }

    /// Two parameters, so that a test can count where the machine counts no cycles.
    fn open_as(cycles: impl Event, instructions: impl Event) -> io::Result<Self> {
        let mut group = Group::new()?;
        let cycles = group.add(&Builder::new(cycles))?;
        let instructions = group.add(&Builder::new(instructions))?;
        group.enable()?;
        Ok(Self { group, cycles, instructions })
    }

    fn read(&mut self) -> io::Result<Counters> {
        let counts = self.group.read()?;
        // A group that shared the hardware with others was scaled by guesswork: not a count.
        if counts.time_enabled() != counts.time_running() {
            return Ok(Counters::default());
        }
        Ok(Counters {
            // With -icount QEMU's cycles are its instructions again.
            cycles: match generic_timer_hz() {
                Some(QEMU_TIMER_HZ) => None,
                _ => counts.get(&self.cycles).map(|entry| entry.value()),
            },
            instructions: counts.get(&self.instructions).map(|entry| entry.value()),
            ..Counters::default()
        })
    }
}

thread_local! {
    static EVENTS: RefCell<io::Result<Events>> = RefCell::new(Events::open());
}

pub(crate) fn counters() -> Counters {
    EVENTS.with_borrow_mut(|events| match events {
        Ok(events) => events.read().unwrap_or_default(),
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
    let counts = EVENTS.with_borrow(Result::is_ok);
    label_of(generic_timer_hz(), model().as_deref(), counts)
}

/// QEMU's timer runs at 62.5 MHz, whatever the device tree claims; a Pi's at 19.2 or 54 MHz.
///
/// QEMU's monitors count instructions only with `-icount`, and then exactly; one that counts none
/// has no such event (`instructions_supported` in QEMU's target/arm/helper.c), so that the group
/// of events does not open.
fn label_of(timer_hz: Option<u64>, model: Option<&str>, counts: bool) -> Label {
    match (timer_hz, model) {
        (Some(QEMU_TIMER_HZ), _) if counts => Label::QemuIcount,
        (Some(QEMU_TIMER_HZ), _) => Label::Qemu,
        (Some(19_200_000 | 54_000_000), Some(model)) if model.starts_with("Raspberry Pi") => {
            Label::Pi
        }
        _ => Label::Host,
    }
}

const QEMU_TIMER_HZ: u64 = 62_500_000;

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
    add_text(environment, "model", model());
    add_text(environment, "cpu", cpu_name());
    add_text(
        environment,
        "midr",
        read("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1"),
    );
    add_text(environment, "kernel", read("/proc/sys/kernel/osrelease"));
    if let Some(hz) = generic_timer_hz() {
        environment.add("timer", format_args!("{hz} Hz"));
    }
    add_perf_events(environment);
    let frequency = "/sys/devices/system/cpu/cpu0/cpufreq/scaling";
    add_text(environment, "governor", read(&format!("{frequency}_governor")));
    for (key, name) in [("clock", "cur"), ("clock minimum", "min"), ("clock maximum", "max")] {
        if let Some(khz) = read(&format!("{frequency}_{name}_freq")) {
            environment.add(key, format_args!("{khz} kHz"));
        }
    }
    // A bit mask: 0x1 under-voltage, 0x2 frequency capped, 0x4 throttled, 0x8 soft limit; the
    // same from 0x10000 for "since boot".
    add_text(
        environment,
        "throttled",
        read("/sys/devices/platform/soc/soc:firmware/get_throttled"),
    );
    if let Some(millidegrees) = read("/sys/class/thermal/thermal_zone0/temp") {
        environment.add("temperature", format_args!("{millidegrees} m\u{b0}C"));
    }
    add_text(environment, "cpus allowed", status_line("Cpus_allowed_list:"));
    environment.add("core", format_args!("{}", sched_getcpu()));
}

fn add_perf_events(environment: &mut Environment) {
    EVENTS.with_borrow(|events| match events {
        Ok(_) => environment.add("perf events", format_args!("cycles and instructions, user code")),
        Err(error) => {
            let paranoid = read("/proc/sys/kernel/perf_event_paranoid");
            let paranoid = paranoid.as_deref().unwrap_or("absent");
            environment.add(
                "perf events",
                format_args!("{}; perf_event_paranoid {paranoid}", reason(error)),
            );
        }
    });
}

/// Why perf events are missing, and what would bring them.
fn reason(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied => {
            "not permitted (set kernel.perf_event_paranoid to 2 or less)"
        }
        io::ErrorKind::NotFound => "this machine counts neither cycles nor instructions",
        io::ErrorKind::Unsupported => "not supported by this kernel",
        _ => "not available",
    }
}

fn add_text(environment: &mut Environment, key: &'static str, value: Option<String>) {
    if let Some(value) = value {
        let value: &dyn fmt::Display = &value;
        environment.add(key, format_args!("{value}"));
    }
}

fn model() -> Option<String> {
    read("/proc/device-tree/model")
}

fn cpu_name() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn status_line(key: &str) -> Option<String> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(line.trim().to_owned())
}

/// The one line of a file, without the NUL that ends device-tree strings.
fn read(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let text = text.trim_matches(|char: char| char.is_whitespace() || char == '\0');
    if text.is_empty() { None } else { Some(text.to_owned()) }
}

#[cfg(test)]
mod tests {
    use core::hint::black_box;

    use perf_event::events::Software;

    use super::{Events, label_of, read};
    use crate::Label;

    #[test]
    fn an_emulator_with_the_device_tree_of_a_pi_is_no_pi() {
        let model = Some("Raspberry Pi Zero 2 W Rev 1.0");
        assert_eq!(label_of(Some(62_500_000), model, false), Label::Qemu);
        assert_eq!(label_of(Some(62_500_000), model, true), Label::QemuIcount);
        assert_eq!(label_of(Some(19_200_000), model, true), Label::Pi);
        assert_eq!(label_of(Some(19_200_000), Some("Some other board"), true), Label::Host);
        assert_eq!(label_of(None, None, true), Label::Host);
    }

    #[test]
    fn a_group_of_events_counts_work() {
        // Time and page faults instead of cycles and instructions, which a virtual machine may
        // lack. Where no event is permitted, there is nothing to test.
        let Ok(mut events) = Events::open_as(Software::TASK_CLOCK, Software::PAGE_FAULTS) else {
            return;
        };
        let start = events.read().unwrap_or_default();
        black_box(vec![1_u8; 4 << 20]);
        let span = events.read().unwrap_or_default().since(start);
        assert!(span.cycles.is_some_and(|count| count > 0), "{span:?}");
        assert!(span.instructions.is_some_and(|count| count > 0), "{span:?}");
    }

    #[test]
    fn a_missing_file_is_no_fact() {
        assert_eq!(read("/nonexistent/onewrite"), None);
    }
}
