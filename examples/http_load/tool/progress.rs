//! How far a run is, where somebody watches.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// A line on a terminal that is written over and over; nothing elsewhere.
#[derive(Debug)]
pub(crate) struct Progress {
    title: String,
    total: u32,
    shown: Option<Instant>,
    visible: bool,
}

/// Between two states of the line.
const INTERVAL: Duration = Duration::from_millis(100);

impl Progress {
    pub(crate) fn new(title: &str, total: u32, quiet: bool) -> Self {
        let visible = !quiet && std::io::stderr().is_terminal();
        Self { title: title.to_owned(), total, shown: None, visible }
    }

    pub(crate) fn show(&mut self, done: u32, failed: u64) {
        if !self.visible || self.shown.is_some_and(|at| at.elapsed() < INTERVAL) {
            return;
        }
        self.shown = Some(Instant::now());
        let Self { title, total, .. } = self;
        let failures = if failed == 0 { String::new() } else { format!(", {failed} failed") };
        // Whoever no longer watches is no reason to stop.
        let _ = write!(std::io::stderr(), "\r{title}: {done} of {total}{failures}\x1b[K");
    }
}

impl Drop for Progress {
    /// Takes the line away.
    fn drop(&mut self) {
        if self.visible && self.shown.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
