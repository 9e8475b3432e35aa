//! Whether a run may be compared with another: nothing moved while it was measured.
//!
//! What is judged are the facts before and after the measurement; `boards` states them, and its
//! README lists them. Which of them matter depends on the label:
//!
//! | label | unfit when |
//! |---|---|
//! | `pi` | the governor is not `performance`; the clock moved, was below its maximum or not the one that was set; a bit of `throttled` is set; it was 80 degrees or hotter; the program could run on more than one core; one of these is not known; the counters were shared |
//! | `host` | a bit of `throttled` is set; the counters were shared |
//! | `qemu-icount`, `qemu-count` | the counters were shared |
//! | any other | always: its numbers mean nothing |
//!
//! Exact counts do not depend on clocks. Time on a `host` compares within one interleaved run, where
//! governor, clock and core are the same for every row: there they are facts and no reasons.

/// Facts as they stand in a report: key and value.
type Facts = [(String, String)];

/// The reasons why a run is unfit to be compared with others, in words; none where it is fit.
///
/// `label` is the one of the report; `environment` holds the facts from before the measurement,
/// `environment_after` those from after it.
#[must_use]
pub(crate) fn judge(environment: &Facts, environment_after: &Facts, label: &str) -> Vec<String> {
    let mut reasons = Reasons { before: environment, after: environment_after, found: Vec::new() };
    match label {
        "pi" => {
            reasons.governor();
            reasons.clock();
            reasons.throttled(true);
            reasons.temperature();
            reasons.core();
        }
        "host" => reasons.throttled(false),
        "qemu-icount" | "qemu-count" => {}
        _ => reasons.add(format!("numbers with the label {label:?} mean nothing")),
    }
    reasons.shared_counters();
    reasons.found
}

/// Readings of the counters that were lost because another program had the counters at the time;
/// 0 where nothing is said about it.
#[must_use]
pub(crate) fn shared_readings(environment_after: &Facts) -> u64 {
    let number = |value: &str| value.split(' ').next()?.parse().ok();
    fact(environment_after, "shared readings").and_then(number).unwrap_or(0)
}

/// Where a Pi's firmware starts to slow down ("Frequency management and thermal control", Raspberry
/// Pi documentation). Boards with a lower limit of their own say so in `throttled`.
const LIMIT_MILLIDEGREES: u64 = 80_000;

/// What a measured clock may differ by, in thousandths: the firmware measures for a moment only.
const MEASURED_TOLERANCE: u64 = 10;

/// What the lower bits of `throttled` say, and 16 bits further up that it was so since the start.
const THROTTLED: [(u64, &str); 4] = [
    (0x1, "under-voltage"),
    (0x2, "a capped clock"),
    (0x4, "throttling"),
    (0x8, "the soft temperature limit"),
];
const SINCE_START: u32 = 16;

struct Reasons<'f> {
    before: &'f Facts,
    after: &'f Facts,
    found: Vec<String>,
}

impl Reasons<'_> {
    fn add(&mut self, reason: String) {
        if !self.found.contains(&reason) {
            self.found.push(reason);
        }
    }

    /// On bare metal nobody governs the clock, and the fact says `none`.
    fn governor(&mut self) {
        for facts in [self.before, self.after] {
            match fact(facts, "governor") {
                Some("performance" | "none") => {}
                Some(other) => self.add(format!(
                    "the governor is {other}, so that the clock follows the load: set it to \
                     performance"
                )),
                None => self.add("the governor is not known".to_owned()),
            }
        }
    }

    fn clock(&mut self) {
        let clock = |facts| fact(facts, "clock").and_then(hertz);
        let (before, after) = (clock(self.before), clock(self.after));
        if before.is_none() || after.is_none() {
            self.add("the clock is not known before and after the measurement".to_owned());
        }
        for key in ["clock", "core clock"] {
            let hz = |facts| fact(facts, key).and_then(hertz);
            if let (Some(before), Some(after)) = (hz(self.before), hz(self.after))
                && before != after
            {
                let (before, after) = (megahertz(before), megahertz(after));
                self.add(format!("the {key} moved from {before} to {after}"));
            }
        }
        let measured = |facts| fact(facts, "clock measured").and_then(hertz);
        if let (Some(before), Some(after)) = (measured(self.before), measured(self.after))
            && !is_close(before, after)
        {
            let (before, after) = (megahertz(before), megahertz(after));
            self.add(format!("the measured clock moved from {before} to {after}"));
        }
        let maximum = fact(self.before, "clock maximum").and_then(hertz);
        for facts in [self.before, self.after] {
            let Some(set) = clock(facts) else { continue };
            if let Some(maximum) = maximum.filter(|&maximum| set < maximum) {
                let (set, maximum) = (megahertz(set), megahertz(maximum));
                self.add(format!("the clock was {set}, below its maximum of {maximum}"));
            }
            if let Some(measured) = measured(facts).filter(|&measured| !is_close(set, measured)) {
                let (set, measured) = (megahertz(set), megahertz(measured));
                self.add(format!("the clock was set to {set} and measured as {measured}"));
            }
        }
    }

    /// A bit that was set before the measurement hides that the same thing happened again.
    fn throttled(&mut self, must_be_known: bool) {
        let bits = |facts| fact(facts, "throttled").and_then(hexadecimal);
        let (before, after) = (bits(self.before), bits(self.after));
        if must_be_known && (before.is_none() || after.is_none()) {
            self.add("whether it was throttled is not known".to_owned());
        }
        let (before, after) = (before.unwrap_or(0), after.unwrap_or(0));
        for (bit, what) in THROTTLED {
            let since_start = bit << SINCE_START;
            if (before | after) & bit != 0 {
                self.add(format!("there is {what} (throttled {:#x})", before | after));
            } else if after & !before & since_start != 0 {
                self.add(format!("there was {what} during the measurement (throttled {after:#x})"));
            } else if (before | after) & since_start != 0 {
                self.add(format!(
                    "there was {what} before the measurement, so that another time would not show \
                     (throttled {:#x}): start the board again",
                    before | after
                ));
            }
        }
        let known = THROTTLED.iter().fold(0, |all, (bit, _)| all | bit | bit << SINCE_START);
        if (before | after) & !known != 0 {
            self.add(format!("unknown bits are set in throttled {:#x}", before | after));
        }
    }

    fn temperature(&mut self) {
        let number = |value: &str| value.split(' ').next()?.parse::<u64>().ok();
        let temperature = |facts| fact(facts, "temperature").and_then(number);
        match (temperature(self.before), temperature(self.after)) {
            (Some(before), Some(after)) if before.max(after) >= LIMIT_MILLIDEGREES => {
                let hottest = before.max(after) / 1000;
                let limit = LIMIT_MILLIDEGREES / 1000;
                self.add(format!(
                    "it was {hottest} degrees hot, and the firmware slows down from {limit}: cool it"
                ));
            }
            (Some(_), Some(_)) => {}
            _ => {
                let reason = "the temperature is not known before and after the measurement";
                self.add(reason.to_owned());
            }
        }
    }

    /// A program that may move takes its caches along only in name.
    fn core(&mut self) {
        match fact(self.before, "cpus allowed") {
            Some(one) if one.parse::<u32>().is_ok() => {}
            Some(several) => self.add(format!(
                "the program was allowed on cores {several}: pin it to one, with --core N or taskset"
            )),
            None => self.add("the cores that the program was allowed on are not known".to_owned()),
        }
        let core = |facts| fact(facts, "core");
        if let (Some(before), Some(after)) = (core(self.before), core(self.after))
            && before != after
        {
            self.add(format!("the program moved from core {before} to core {after}"));
        }
    }

    fn shared_counters(&mut self) {
        let lost = shared_readings(self.after);
        if lost != 0 {
            self.add(format!(
                "{lost} readings of the counters were lost to another program that uses them: end it"
            ));
        }
    }
}

fn fact<'f>(facts: &'f Facts, key: &str) -> Option<&'f str> {
    facts.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
}

/// `1000000 kHz` and `1000000000 Hz` are the same.
fn hertz(value: &str) -> Option<u64> {
    let (number, unit) = value.split_once(' ')?;
    let number: u64 = number.parse().ok()?;
    match unit {
        "Hz" => Some(number),
        "kHz" => number.checked_mul(1_000),
        _ => None,
    }
}

fn megahertz(hertz: u64) -> String {
    let (mega, rest) = (hertz / 1_000_000, hertz % 1_000_000);
    if rest == 0 {
        return format!("{mega} MHz");
    }
    let digits = format!("{rest:06}");
    format!("{mega}.{} MHz", digits.trim_end_matches('0'))
}

/// Bits as `0x50005`; the kernel's own file leaves the prefix out.
fn hexadecimal(value: &str) -> Option<u64> {
    u64::from_str_radix(value.trim_start_matches("0x"), 16).ok()
}

fn is_close(one: u64, other: u64) -> bool {
    one.abs_diff(other).saturating_mul(1_000) <= one.saturating_mul(MEASURED_TOLERANCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Pi under Linux that nothing disturbs.
    const LINUX: [(&str, &str); 9] = [
        ("label", "pi"),
        ("governor", "performance"),
        ("clock", "1000000 kHz"),
        ("clock minimum", "600000 kHz"),
        ("clock maximum", "1000000 kHz"),
        ("throttled", "0x0"),
        ("temperature", "48312 m\u{b0}C"),
        ("cpus allowed", "3"),
        ("core", "3"),
    ];

    /// The same on bare metal.
    const BARE: [(&str, &str); 8] = [
        ("label", "pi"),
        ("governor", "none"),
        ("clock", "1000000000 Hz"),
        ("clock measured", "1000213000 Hz"),
        ("core clock", "400000000 Hz"),
        ("throttled", "0x0"),
        ("temperature", "48312 m\u{b0}C"),
        ("cpus allowed", "0"),
    ];

    fn facts(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
    }

    /// The facts with one of them different, or without it.
    fn with(pairs: &[(&str, &str)], key: &str, value: Option<&str>) -> Vec<(String, String)> {
        let mut facts: Vec<_> = facts(pairs).into_iter().filter(|(name, _)| name != key).collect();
        facts.extend(value.map(|value| (key.to_owned(), value.to_owned())));
        facts
    }

    /// What is said when a fact is different before and after.
    fn pi(pairs: &[(&str, &str)], key: &str, before: Option<&str>, after: Option<&str>) -> String {
        judge(&with(pairs, key, before), &with(pairs, key, after), "pi").join("; ")
    }

    #[test]
    fn an_undisturbed_run_is_fit() {
        assert_eq!(judge(&facts(&LINUX), &facts(&LINUX), "pi"), [""; 0]);
        assert_eq!(judge(&facts(&BARE), &facts(&BARE), "pi"), [""; 0]);
    }

    /// The text is what `boards` says of the files of a Pi, which its own test compares.
    #[test]
    fn what_boards_says_of_a_quiet_pi_is_all_that_is_needed() {
        let text = include_str!("../../../boards/src/linux/pi.facts");
        let said: Vec<_> = text.lines().filter_map(|line| line.split_once(": ")).collect();
        assert_eq!(judge(&facts(&said), &facts(&said), "pi"), [""; 0]);
        for key in ["governor", "clock", "throttled", "temperature", "cpus allowed"] {
            assert_eq!(judge(&with(&said, key, None), &facts(&said), "pi").len(), 1, "{key}");
        }
        assert!(pi(&said, "core", Some("3"), Some("0")).contains("moved"));
        assert!(pi(&said, "clock maximum", Some("1200000 kHz"), None).contains("below"));
    }

    #[test]
    fn each_disturbance_is_one_reason() {
        let cases: [(&str, Option<&str>, Option<&str>, &str); 18] = [
            ("governor", Some("ondemand"), Some("ondemand"), "governor is ondemand"),
            ("governor", Some("performance"), Some("powersave"), "governor is powersave"),
            ("governor", None, None, "governor is not known"),
            ("clock", None, Some("1000000 kHz"), "clock is not known"),
            ("clock", Some("1000000 kHz"), None, "clock is not known"),
            ("clock maximum", Some("1200000 kHz"), None, "1000 MHz, below its maximum of 1200 MHz"),
            ("throttled", None, None, "whether it was throttled is not known"),
            ("throttled", Some("0x0"), Some("0x1"), "there is under-voltage (throttled 0x1)"),
            ("throttled", Some("0x4"), Some("0x0"), "there is throttling (throttled 0x4)"),
            ("throttled", Some("2"), Some("2"), "there is a capped clock (throttled 0x2)"),
            ("throttled", Some("0x0"), Some("0x40000"), "was throttling during the measurement"),
            ("throttled", Some("0x80000"), Some("0x80000"), "limit before the measurement"),
            ("throttled", Some("0x0"), Some("0x100"), "unknown bits"),
            ("temperature", Some("50000 m\u{b0}C"), Some("80000 m\u{b0}C"), "80 degrees hot"),
            ("temperature", Some("85123 m\u{b0}C"), Some("70000 m\u{b0}C"), "85 degrees hot"),
            ("temperature", Some("50000 m\u{b0}C"), None, "temperature is not known"),
            ("cpus allowed", Some("0-3"), Some("0-3"), "allowed on cores 0-3: pin it"),
            ("core", Some("3"), Some("2"), "moved from core 3 to core 2"),
        ];
        for (key, before, after, wanted) in cases {
            let said = pi(&LINUX, key, before, after);
            assert!(said.contains(wanted) && !said.contains("; "), "{key}: {said}");
        }
        assert!(pi(&LINUX, "cpus allowed", None, None).contains("are not known"));
    }

    #[test]
    fn a_clock_that_moved_is_noticed() {
        let said = pi(&LINUX, "clock", Some("1000000 kHz"), Some("600500 kHz"));
        assert!(said.contains("the clock moved from 1000 MHz to 600.5 MHz"), "{said}");
        let said = pi(&BARE, "clock measured", Some("1000213000 Hz"), Some("600000000 Hz"));
        assert!(said.contains("measured clock moved from 1000.213 MHz to 600 MHz"), "{said}");
        assert!(said.contains("set to 1000 MHz and measured as 600 MHz"), "{said}");
        let said = pi(&BARE, "core clock", Some("400000000 Hz"), Some("250000000 Hz"));
        assert_eq!(said, "the core clock moved from 400 MHz to 250 MHz");
        // The firmware's measurement is not exact, and one hundredth is no other clock.
        assert_eq!(pi(&BARE, "clock measured", Some("1009000000 Hz"), Some("1000000000 Hz")), "");
        assert_eq!(pi(&BARE, "clock measured", None, None), "");
    }

    #[test]
    fn shared_counters_are_unfit_whatever_the_label() {
        let after = |value| with(&LINUX, "shared readings", Some(value));
        for label in ["pi", "host", "qemu-icount"] {
            assert_eq!(judge(&facts(&LINUX), &after("0 of 900"), label), [""; 0]);
            let said = judge(&facts(&LINUX), &after("7 of 900"), label).join("; ");
            assert!(said.starts_with("7 readings of the counters were lost"), "{label}: {said}");
        }
        assert_eq!(shared_readings(&after("7 of 900")), 7);
        assert_eq!(shared_readings(&facts(&LINUX)), 0);
    }

    #[test]
    fn exact_counts_do_not_depend_on_clocks_and_a_host_only_on_throttling() {
        let disturbed = facts(&[
            ("governor", "powersave"),
            ("clock", "800000 kHz"),
            ("temperature", "99000 m\u{b0}C"),
            ("throttled", "0xf000f"),
            ("cpus allowed", "0-15"),
        ]);
        assert_eq!(judge(&disturbed, &facts(&LINUX), "qemu-icount"), [""; 0]);
        assert_eq!(judge(&disturbed, &facts(&LINUX), "qemu-count"), [""; 0]);
        assert_eq!(judge(&disturbed, &facts(&LINUX), "host").len(), THROTTLED.len());
        assert_eq!(judge(&[], &[], "host"), [""; 0]);
    }

    #[test]
    fn unknown_labels_and_empty_environments_are_unfit() {
        for label in ["qemu", "unidentified", "", "Pi"] {
            assert_eq!(judge(&facts(&LINUX), &facts(&LINUX), label).len(), 1, "{label}");
        }
        // Governor, clock, throttling, temperature, cores.
        assert_eq!(judge(&[], &[], "pi").len(), 5);
    }
}
