//! Lines on standard error that say what is going on, and how long the steps took.

use std::fmt::Display;
use std::time::{Duration, Instant};

/// One line about what happens next.
pub(crate) fn say(line: impl Display) {
    eprintln!("xtask: {line}");
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
}

/// Runs one step, says that it begins, and keeps its time and result.
pub(crate) fn step(name: &str, work: impl FnOnce() -> anyhow::Result<String>) -> Step {
    say(format_args!("== {name}"));
    let start = Instant::now();
    let result = work().map_err(|error| format!("{error:#}"));
    if let Err(error) = &result {
        say(format_args!("{name} failed: {error}"));
    }
    Step { name: name.to_owned(), time: start.elapsed(), result }
}

/// A table of the steps: result, seconds, name, and what came out.
pub(crate) fn table(steps: &[Step]) -> String {
    use std::fmt::Write as _;
    let width = steps.iter().map(|step| step.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for step in steps {
        let (word, line) = match &step.result {
            Ok(line) => ("ok", line.as_str()),
            Err(error) => ("FAILED", error.lines().next().unwrap_or("")),
        };
        let seconds = step.time.as_secs_f64();
        let row = format!("{word:<6} {seconds:>7.1} s  {:<width$}  {line}", step.name);
        let _ = writeln!(text, "{}", row.trim_end());
    }
    let total: Duration = steps.iter().map(|step| step.time).sum();
    let _ = writeln!(text, "{:<6} {:>7.1} s  in all", "", total.as_secs_f64());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_shows_the_first_line_of_a_failure() {
        let steps = [
            Step { name: "a".into(), time: Duration::from_secs(2), result: Ok("3 passed".into()) },
            Step {
                name: "long".into(),
                time: Duration::from_millis(500),
                result: Err("broken\nmore".into()),
            },
        ];
        assert_eq!(
            table(&steps),
            "ok         2.0 s  a     3 passed\nFAILED     0.5 s  long  broken\n           2.5 s  in all\n"
        );
    }
}
