//! What it came to, as lines.

use std::fmt;
use std::time::Duration;

use super::arguments::Arguments;
use super::load::Outcome;
use super::plain::Plain;

/// Lines, and whether all is well.
#[derive(Debug)]
pub(crate) struct Report {
    lines: Vec<String>,
    clicks: u64,
    right: bool,
}

impl Report {
    pub(crate) fn new(arguments: &Arguments) -> Self {
        let Arguments { circuits, clicks, every, .. } = arguments;
        let title = format!("{circuits} circuits, {clicks} clicks, one each {every} ms");
        Self { lines: vec![title], clicks: *clicks, right: false }
    }

    /// A look at the server's memory, where there was one.
    pub(crate) fn memory(&mut self, when: &str, bytes: Option<u64>) {
        if let Some(bytes) = bytes {
            self.lines.push(format!("server's memory {when}: {} KiB", bytes / 1024));
        }
    }

    pub(crate) fn end(&mut self, outcome: &Outcome, complaint: Option<String>) {
        let mut sorted = outcome.latencies.clone();
        sorted.sort_unstable();
        let answered = sorted.len() as u64;
        let at = |hundredths: usize| {
            let index = sorted.len().saturating_sub(1) * hundredths / 100;
            Milliseconds(sorted.get(index).copied().unwrap_or_default())
        };
        self.lines.push(format!(
            "median {}, 95th {}, 99th {}, max {}",
            at(50),
            at(95),
            at(99),
            at(100)
        ));
        let rate = answered as f64 / outcome.elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
        self.lines.push(format!(
            "{answered} of {} clicks answered, {} counted, {rate:.0} a second",
            self.clicks, outcome.counted
        ));
        self.right =
            complaint.is_none() && answered == self.clicks && outcome.counted == self.clicks;
        // It may have the server's words in it.
        self.lines.extend(complaint.map(|complaint| Plain(complaint).to_string()));
    }

    /// Whether every click was counted.
    pub(crate) const fn is_right(&self) -> bool {
        self.right
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

struct Milliseconds(Duration);

impl fmt::Display for Milliseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} ms", self.0.as_secs_f64() * 1e3)
    }
}
