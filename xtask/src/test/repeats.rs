//! What an emulated Pi counts is the same in every run, and where it does not count it claims
//! nothing.
//!
//! Case pi-05: cycles and time of an emulator changed by half between equal runs, and were compared
//! all the same. The same runs show that the firmware states what a run on a Pi is judged by.

use std::path::Path;

use anyhow::{Result, bail};

use super::Outcome;
use crate::firmware::Build;
use crate::progress::Tally;
use crate::qemu::{self, Boot};
use crate::setup;
use crate::throughput::fitness;
use crate::throughput::protocol::{self, Report};
use crate::toolchain::{Place, Toolchain};

/// The firmware that measures.
const EXAMPLE: &str = "throughput";

/// Runs it twice with counted instructions and three times without.
pub(super) fn check(yes: bool) -> Outcome {
    setup::ensure(setup::needs_of(Place::Bare), yes)?;
    let toolchain = Toolchain::for_place(Place::Bare)?;
    let program = Build::example(EXAMPLE).build(&toolchain, Place::Bare)?;
    let counts = repeated(&program)?;
    for _ in 0..3 {
        let log = qemu::run_expecting(1, Boot::Uncounted, &program, qemu::LIMIT)?;
        refused(&log.console)?;
    }
    Ok((Tally::one(true), format!("; {counts}; none without -icount")))
}

/// What both runs have in common, in words.
fn repeated(program: &Path) -> Result<String> {
    let run = || qemu::run_expecting(0, Boot::Card, program, qemu::LIMIT);
    let (first, second) = (run()?.console, run()?.console);
    judged(&first)?;
    compare(&first, &second)
}

/// The firmware says before and after everything that a run on a Pi is judged by, and QEMU's
/// firmware answers like that of a quiet board.
fn judged(console: &str) -> Result<()> {
    let Report { environment, environment_after, .. } = protocol::parse(console)?;
    let reasons = fitness::judge(&environment, &environment_after, "pi");
    if reasons.is_empty() { Ok(()) } else { bail!("on a Pi: {}", reasons.join("; ")) }
}

/// What a count may differ by: QEMU counts a sleeping core along when it switches to it, and a part
/// is the difference of two counts.
const LEEWAY: u64 = 128;

fn compare(first: &str, second: &str) -> Result<String> {
    let (first, second) = (counts(first), counts(second));
    if first.is_empty() || first.len() != second.len() {
        bail!("{} and {} lines with counts in two runs", first.len(), second.len());
    }
    let (mut equal, mut furthest) = (0, 0);
    for (one, other) in first.iter().zip(&second) {
        match (split(one), split(other)) {
            (Some((one_words, one_count)), Some((other_words, other_count)))
                if one_words == other_words && one_count.abs_diff(other_count) <= LEEWAY =>
            {
                let difference = one_count.abs_diff(other_count);
                equal += usize::from(difference == 0);
                furthest = furthest.max(difference);
            }
            _ => bail!("the same image counts differently\n{one}\n{other}"),
        }
    }
    let lines = first.len();
    Ok(format!("{equal} of {lines} counts equal in two runs, the others to {furthest}"))
}

/// A line without its count of instructions, and the count.
fn split(line: &str) -> Option<(String, u64)> {
    let mut count = None;
    let mut take = |word: &&str| match word.strip_prefix("instructions=") {
        Some(number) => {
            count = number.parse().ok();
            false
        }
        None => true,
    };
    let words: Vec<&str> = line.split(' ').filter(|word| take(word)).collect();
    Some((words.join(" "), count?))
}

/// The lines that say what something costs.
fn counts(console: &str) -> Vec<&str> {
    let says = |line: &&str| line.starts_with("sample ") || line.starts_with("breakdown ");
    console.lines().filter(says).collect()
}

/// Fails where a run without counted instructions claims anything.
fn refused(console: &str) -> Result<()> {
    let ends = format!("end FAILED {REASON}");
    if !console.lines().any(|line| line == ends) || !console.contains("env label: qemu\n") {
        bail!("no refusal to measure\n{console}");
    }
    match counts(console).first() {
        None => Ok(()),
        Some(line) => bail!("an emulator that does not count claims: {line}"),
    }
}

const REASON: &str = "this emulator does not count, and its time is not speed";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn another_count_or_a_missing_line_is_noticed() {
        let line = "sample t in_place bytes=1 records=1 round=0 reps=1 instructions=500 calls=2\n";
        let two = line.repeat(2);
        let counted = |count| format!("{line}{}", line.replace("=500", &format!("={count}")));
        let said = compare(&two, &format!("env label: x\n{}", counted(628))).unwrap();
        assert_eq!(said, "1 of 2 counts equal in two runs, the others to 128");
        for other in [counted(629), counted(371), two.replace("calls=2", "calls=3")] {
            assert!(compare(&two, &other).unwrap_err().to_string().contains("differently"));
        }
        assert!(compare(line, &two).is_err());
        assert!(compare("", "").is_err());
        assert!(compare("sample t ns=5\n", "sample t ns=5\n").is_err());
    }

    #[test]
    fn only_a_refusal_without_numbers_is_one() {
        let refusal = format!("env label: qemu\nend FAILED {REASON}\n");
        assert!(refused(&refusal).is_ok());
        assert!(refused(&format!("sample a b ns=1\n{refusal}")).is_err());
        assert!(refused(&refusal.replace("qemu\n", "qemu-icount\n")).is_err());
        assert!(refused("env label: qemu\nend OK lines=2\n").is_err());
    }
}
