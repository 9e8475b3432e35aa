//! The lines of a report. `xtask/src/throughput/protocol.rs` describes them.

use core::fmt;

use onewrite_boards::{Console, environment};

/// Keys of the facts that may change while a run lasts.
const MOVING: [&str; 8] = [
    "governor",
    "clock",
    "clock measured",
    "core clock",
    "throttled",
    "temperature",
    "core",
    "shared readings",
];

/// Writes lines and counts them.
#[derive(Debug)]
pub(crate) struct Report<'c> {
    console: &'c mut Console,
    lines: u32,
}

impl<'c> Report<'c> {
    /// A report that begins with the facts about machine and build.
    pub(crate) fn begin(console: &'c mut Console) -> Result<Self, fmt::Error> {
        let mut report = Self { console, lines: 0 };
        report.line(format_args!("onewrite-report 2"))?;
        for fact in environment().facts() {
            report.line(format_args!("env {fact}"))?;
        }
        Ok(report)
    }

    pub(crate) fn line(&mut self, line: fmt::Arguments<'_>) -> fmt::Result {
        self.lines += 1;
        writeln!(self.console, "{line}")
    }

    /// Ends with the facts that may have moved.
    pub(crate) fn end(mut self) -> fmt::Result {
        for fact in environment().facts() {
            if MOVING.contains(&fact.key()) {
                self.line(format_args!("env-after {fact}"))?;
            }
        }
        writeln!(self.console, "end OK lines={}", self.lines)
    }

    /// Ends a run that measured nothing anybody may use.
    pub(crate) fn fail(self, reason: &str) -> fmt::Result {
        writeln!(self.console, "end FAILED {reason}")
    }
}
