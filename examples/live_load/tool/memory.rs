//! What the server's process holds of the machine's memory, on Linux.

use std::fs;

/// Bytes of a process that lie in memory; `None` where the system has no `/proc/PID/status`.
pub(crate) fn of(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib * 1024)
}
