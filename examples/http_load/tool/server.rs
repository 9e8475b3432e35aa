//! What the server's process takes on the processor, on Linux.

use std::fs;
use std::time::Duration;

/// Time on the processor of all threads of a process so far, kernel included.
///
/// `None` where the system has no `/proc/PID/task/*/schedstat`, or not for us.
pub(crate) fn cpu(pid: u32) -> Option<Duration> {
    let mut all = Duration::ZERO;
    for thread in fs::read_dir(format!("/proc/{pid}/task")).ok()? {
        let text = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        // Nanoseconds on the processor, nanoseconds waiting for it, number of turns.
        let ns = text.split_whitespace().next()?.parse().ok()?;
        all += Duration::from_nanos(ns);
    }
    Some(all)
}
