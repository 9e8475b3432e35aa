//! Lines on standard error that say what is going on, and how long the steps took.

use std::fmt::Display;
use std::io::Write as _;
use std::time::{Duration, Instant};

use anyhow::Error;

use crate::setup::Missing;

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
#[derive(Debug)]
pub(crate) struct Step {
    /// What was done.
    pub(crate) name: String,
    /// How long it took.
    pub(crate) time: Duration,
    /// What came out, in one line, or why it failed.
    pub(crate) result: Result<String, String>,
    /// Whether it could not begin because this machine lacks something.
    pub(crate) skipped: bool,
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
    Step { name: name.to_owned(), time: start.elapsed(), result, skipped }
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
        let row = format!("{word:<7} {seconds:>7.1} s  {:<width$}  {line}", step.name);
        let _ = writeln!(text, "{}", row.trim_end());
    }
    let total: Duration = steps.iter().map(|step| step.time).sum();
    let _ = writeln!(text, "{:<7} {:>7.1} s  in all", "", total.as_secs_f64());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(name: &str, time_ms: u64, result: Result<String, String>) -> Step {
        let time = Duration::from_millis(time_ms);
        Step { name: name.into(), time, result, skipped: false }
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
}
