//! Lines on standard error that say what is going on, how long the steps took, and what tests came
//! to.

use std::fmt::{self, Display};
use std::io::Write as _;
use std::time::{Duration, Instant};

use anyhow::Error;
use serde::{Deserialize, Serialize};

use crate::missing::Missing;

/// One line about what happens next.
pub(crate) fn say(line: impl Display) {
    if cfg!(test) {
        // Only what goes through the macro is kept back by a test that passes.
        eprintln!("xtask: {line}");
        return;
    }
    // Nobody may be reading any more: that is no reason to stop.
    let _ = writeln!(std::io::stderr(), "xtask: {line}");
}

/// A step of a longer run that has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Step {
    /// What was done.
    pub(crate) name: String,
    /// How long it took.
    pub(crate) time: Duration,
    /// What came out, in one line, or why it failed.
    pub(crate) result: Result<String, String>,
    /// Whether it could not begin because this machine lacks something.
    pub(crate) skipped: bool,
    /// Whether it ran beside others, whose time is then the time of both.
    pub(crate) beside: bool,
}

/// Runs one step, says that it begins, and keeps its time and result.
pub(crate) fn step(name: &str, work: impl FnOnce() -> anyhow::Result<String>) -> Step {
    say(format_args!("== {name}"));
    let start = Instant::now();
    let result = work();
    let skipped = result.as_ref().is_err_and(Error::is::<Missing>);
    let result = result.map_err(|error| format!("{error:#}"));
    if let Err(error) = &result {
        let what = if skipped { "was skipped" } else { "failed" };
        say(format_args!("{name} {what}: {error}"));
    }
    Step { name: name.to_owned(), time: start.elapsed(), result, skipped, beside: false }
}

/// A table of the steps: result, seconds, name, and what came out.
pub(crate) fn table(steps: &[Step]) -> String {
    use std::fmt::Write as _;
    let width = steps.iter().map(|step| step.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for step in steps {
        let (word, line) = match &step.result {
            Ok(line) => ("ok", line.as_str()),
            Err(error) if step.skipped => ("skipped", error.as_str()),
            Err(error) => ("FAILED", error.lines().next().unwrap_or("")),
        };
        let seconds = step.time.as_secs_f64();
        let beside = if step.beside { "; beside the others" } else { "" };
        let row = format!("{word:<7} {seconds:>7.1} s  {:<width$}  {line}{beside}", step.name);
        let _ = writeln!(text, "{}", row.trim_end());
    }
    let alone = steps.iter().filter(|step| !step.beside);
    let total: Duration = alone.map(|step| step.time).sum();
    let _ = writeln!(text, "{:<7} {:>7.1} s  in all", "", total.as_secs_f64());
    text
}

/// What tests came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) ignored: usize,
}

impl Tally {
    /// A part that could not begin.
    pub(crate) const SKIPPED: Self = Self { passed: 0, failed: 0, ignored: 1 };

    /// One test, or one thing that counts as one.
    pub(crate) fn one(passed: bool) -> Self {
        Self { passed: usize::from(passed), failed: usize::from(!passed), ignored: 0 }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }

    /// So many that passed.
    pub(crate) fn passed(count: usize) -> Self {
        Self { passed: count, ..Self::default() }
    }

    pub(crate) fn has_failures(self) -> bool {
        self.failed != 0
    }

    /// Adds up every `test result:` line.
    pub(crate) fn of_output(text: &str) -> Self {
        let mut tally = Self::default();
        for line in text.lines() {
            let Some((_, counts)) = line.split_once("test result: ") else { continue };
            for count in counts.split([';', '.']) {
                let mut words = count.split_whitespace();
                let (Some(number), Some(what)) = (words.next(), words.next()) else { continue };
                let Ok(number) = number.parse::<usize>() else { continue };
                match what {
                    "passed" => tally.passed += number,
                    "failed" => tally.failed += number,
                    "ignored" => tally.ignored += number,
                    _ => {}
                }
            }
        }
        tally
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.ignored != 0 {
            write!(f, ", {} ignored", self.ignored)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(name: &str, time_ms: u64, result: Result<String, String>) -> Step {
        let time = Duration::from_millis(time_ms);
        Step { name: name.into(), time, result, skipped: false, beside: false }
    }

    #[test]
    fn the_table_shows_the_first_line_of_a_failure_and_why_a_step_was_skipped() {
        let steps = [
            made("a", 2000, Ok("3 passed".into())),
            made("long", 500, Err("broken\nmore".into())),
            Step { skipped: true, ..made("b", 0, Err("no emulator".into())) },
        ];
        assert_eq!(
            table(&steps),
            "ok          2.0 s  a     3 passed\nFAILED      0.5 s  long  broken\n\
             skipped     0.0 s  b     no emulator\n            2.5 s  in all\n"
        );
    }

    #[test]
    fn what_ran_beside_others_says_so_and_adds_no_time() {
        let steps = [
            made("a", 2000, Ok("3 passed".into())),
            Step { beside: true, ..made("b", 1500, Ok("1 passed".into())) },
        ];
        assert_eq!(
            table(&steps),
            "ok          2.0 s  a  3 passed\nok          1.5 s  b  1 passed; beside the others\n\
             \x20           2.0 s  in all\n"
        );
    }

    #[test]
    fn results_of_several_programs_are_added() {
        let output = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; \
            0 filtered out; finished in 0.00s\n\ntest result: FAILED. 3 passed; 4 failed; 0 ignored; \
            0 measured; 0 filtered out; finished in 1.23s\n";
        let tally = Tally::of_output(output);
        assert_eq!(tally, Tally { passed: 5, failed: 4, ignored: 1 });
        assert_eq!(tally.to_string(), "5 passed, 4 failed, 1 ignored");
    }

    #[test]
    fn what_does_not_build_has_failed_once() {
        let mut tally = Tally::one(true);
        tally.add(Tally::one(false));
        assert_eq!(tally.to_string(), "1 passed, 1 failed");
    }
}
