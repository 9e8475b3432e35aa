//! What procfs, sysfs and the firmware say about the machine.

use core::fmt;

use super::{firmware::Firmware, root::Root};
use crate::{
    Environment,
    property::{self, Question},
};

/// The machine as its device tree calls it.
pub(super) fn model(root: &Root) -> Option<String> {
    root.read("/proc/device-tree/model")
}

/// Adds what stays as it is while a program runs.
pub(super) fn add_fixed(environment: &mut Environment, root: &Root, timer_hz: Option<u64>) {
    add(environment, "model", model(root));
    match Firmware::open(root) {
        Some(firmware) => {
            property::add_fixed_facts(environment, |question| firmware.ask(question));
        }
        // The same code as the firmware gives, without a prefix.
        None => add_as(environment, "board revision", "0x", root.line(CPU_INFO, "Revision"), ""),
    }
    add(environment, "cpu", root.line(CPU_INFO, "model name"));
    let registers = "/sys/devices/system/cpu/cpu0/regs/identification";
    add(environment, "midr", root.read(&format!("{registers}/midr_el1")));
    add(environment, "kernel", root.read("/proc/sys/kernel/osrelease"));
    if let Some(hz) = timer_hz {
        environment.add("timer", format_args!("{hz} Hz"));
    }
}

/// Adds what may change; `core` is the one that the program runs on.
///
/// Raspberry Pi's kernels have all of it. A usual kernel has neither the firmware's device nor the
/// file about throttling.
pub(super) fn add_moving(environment: &mut Environment, root: &Root, core: usize) {
    let frequency = format!("/sys/devices/system/cpu/cpu{core}/cpufreq/scaling");
    add(environment, "governor", root.read(&format!("{frequency}_governor")));
    for (key, name) in [("clock", "cur"), ("clock minimum", "min"), ("clock maximum", "max")] {
        let khz = root.read(&format!("{frequency}_{name}_freq"));
        add_as(environment, key, "", khz, " kHz");
    }
    let firmware = Firmware::open(root);
    property::add_moving_facts(environment, |question: Question| {
        firmware.as_ref().and_then(|firmware| firmware.ask(question))
    });
    if environment.value("throttled").is_none() {
        // Hexadecimal digits. 1 under-voltage, 2 frequency capped, 4 throttled, 8 soft limit; the
        // same from 10000 for "since the start".
        let bits = root.read("/sys/devices/platform/soc/soc:firmware/get_throttled");
        add_as(environment, "throttled", "0x", bits, "");
    }
    if environment.value("temperature").is_none() {
        add_as(environment, "temperature", "", millidegrees(root), " m\u{b0}C");
    }
    add(environment, "cpus allowed", root.line("/proc/thread-self/status", "Cpus_allowed_list"));
    environment.add("core", format_args!("{core}"));
}

const CPU_INFO: &str = "/proc/cpuinfo";

/// Of the zone that is about the processor, where one says so, else of the first.
fn millidegrees(root: &Root) -> Option<String> {
    let zones = "/sys/class/thermal";
    let mut names = root.names(zones);
    names.retain(|name| name.starts_with("thermal_zone"));
    let is_cpu = |name: &&String| {
        root.read(&format!("{zones}/{name}/type")).is_some_and(|kind| kind.starts_with("cpu"))
    };
    let zone = names.iter().find(is_cpu).or(names.first())?;
    root.read(&format!("{zones}/{zone}/temp"))
}

fn add(environment: &mut Environment, key: &'static str, value: Option<String>) {
    add_as(environment, key, "", value, "");
}

/// Adds a value between what it begins and ends with.
fn add_as(
    environment: &mut Environment,
    key: &'static str,
    prefix: &str,
    value: Option<String>,
    suffix: &str,
) {
    if let Some(value) = value {
        let value: &dyn fmt::Display = &value;
        environment.add(key, format_args!("{prefix}{value}{suffix}"));
    }
}

#[cfg(test)]
mod tests {
    use super::{add_fixed, add_moving, model};
    use crate::{Environment, linux::root::tests::Tree};

    /// The files of a Zero 2 W under Raspberry Pi's kernel, as far as they are read, for a user who
    /// may not open the firmware's device.
    fn pi(name: &str) -> Tree {
        let cpu = "/sys/devices/system/cpu";
        Tree::new(name)
            .with("/proc/device-tree/model", "Raspberry Pi Zero 2 W Rev 1.0\0")
            .with("/proc/cpuinfo", "processor\t: 0\nRevision\t: 902120\nSerial\t\t: 0\n")
            .with("/proc/sys/kernel/osrelease", "6.12.47+rpt-rpi-v8\n")
            .with("/proc/thread-self/status", "Cpus_allowed:\t8\nCpus_allowed_list:\t3\n")
            .with(&format!("{cpu}/cpu0/regs/identification/midr_el1"), "0x00000000410fd034\n")
            .with(&format!("{cpu}/cpu3/cpufreq/scaling_governor"), "performance\n")
            .with(&format!("{cpu}/cpu3/cpufreq/scaling_cur_freq"), "1000000\n")
            .with(&format!("{cpu}/cpu3/cpufreq/scaling_min_freq"), "600000\n")
            .with(&format!("{cpu}/cpu3/cpufreq/scaling_max_freq"), "1000000\n")
            .with("/sys/devices/platform/soc/soc:firmware/get_throttled", "0\n")
            .with("/sys/class/thermal/thermal_zone0/type", "cpu-thermal\n")
            .with("/sys/class/thermal/thermal_zone0/temp", "48312\n")
            .with("/sys/class/thermal/cooling_device0/type", "cpufreq\n")
    }

    fn facts(tree: &Tree, core: usize) -> Environment {
        let mut environment = Environment::default();
        add_fixed(&mut environment, tree.root(), Some(19_200_000));
        add_moving(&mut environment, tree.root(), core);
        environment
    }

    /// `cargo xtask throughput` judges the same text (xtask/src/throughput/fitness.rs).
    #[test]
    fn a_pi_says_everything_that_a_run_is_judged_by() {
        let tree = pi("pi");
        assert_eq!(facts(&tree, 3).to_string(), include_str!("pi.facts"));
        assert_eq!(model(tree.root()).as_deref(), Some("Raspberry Pi Zero 2 W Rev 1.0"));
    }

    #[test]
    fn the_clock_is_that_of_the_core_in_use() {
        let tree = pi("core");
        let elsewhere = facts(&tree, 0);
        assert_eq!(elsewhere.value("core"), Some("0"));
        assert_eq!((elsewhere.value("clock"), elsewhere.value("governor")), (None, None));
    }

    #[test]
    fn throttling_is_named_as_bits() {
        let file = "/sys/devices/platform/soc/soc:firmware/get_throttled";
        let tree = pi("throttled").with(file, "50005\n");
        assert_eq!(facts(&tree, 3).value("throttled"), Some("0x50005"));
    }

    #[test]
    fn the_temperature_is_the_processors() {
        let tree = Tree::new("zones")
            .with("/sys/class/thermal/thermal_zone0/type", "gpu\n")
            .with("/sys/class/thermal/thermal_zone0/temp", "11000\n");
        assert_eq!(facts(&tree, 0).value("temperature"), Some("11000 m\u{b0}C"));
        let tree = tree
            .with("/sys/class/thermal/thermal_zone1/type", "cpu-thermal\n")
            .with("/sys/class/thermal/thermal_zone1/temp", "22000\n");
        assert_eq!(facts(&tree, 0).value("temperature"), Some("22000 m\u{b0}C"));
    }

    #[test]
    fn what_a_machine_does_not_say_is_no_fact() {
        let tree = Tree::new("silent");
        assert_eq!(facts(&tree, 1).to_string(), "timer: 19200000 Hz\ncore: 1\n");
    }
}
