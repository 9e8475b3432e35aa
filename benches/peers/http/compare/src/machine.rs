//! This machine: its cores, what a process has taken of them, and what it is.

use std::fs;
use std::process::Command;
use std::sync::OnceLock;

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use serde::Serialize;

use crate::workspace;

/// Which of two cores: servers have one, the client has the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Core {
    /// That of all servers.
    Server,
    /// That of the client, and ours.
    Client,
}

/// Does `work` on one core: what it starts stays there.
///
/// Where there is only one core, or the system does not let us, it runs anywhere.
pub(crate) fn on<T>(core: Core, work: impl FnOnce() -> T) -> T {
    let Some((server, client)) = *pair() else { return work() };
    let mut set = CpuSet::new();
    set.set(if core == Core::Server { server } else { client });
    // A failure costs precision and nothing else; the header says which cores were to be used.
    let _ = sched_setaffinity(None, &set);
    let result = work();
    let mut set = CpuSet::new();
    set.set(client);
    let _ = sched_setaffinity(None, &set);
    result
}

/// The first two cores that we may use.
fn pair() -> &'static Option<(usize, usize)> {
    static PAIR: OnceLock<Option<(usize, usize)>> = OnceLock::new();
    PAIR.get_or_init(|| {
        let set = sched_getaffinity(None).ok()?;
        let mut allowed = (0..CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu));
        Some((allowed.next()?, allowed.next()?))
    })
}

/// Nanoseconds that all threads of a process have run, in user mode and in the kernel.
pub(crate) fn processor_ns(process: u32) -> Option<u64> {
    let mut sum = 0;
    for thread in fs::read_dir(format!("/proc/{process}/task")).ok()? {
        let text = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        sum += text.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    Some(sum)
}

/// The most memory that a process has ever had, in KiB.
pub(crate) fn peak_memory_kib(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Our own process number, which makes a folder's name our own.
pub(crate) fn own_process() -> String {
    Pid::as_raw(Some(rustix::process::getpid())).to_string()
}

/// Where and when something was measured.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Environment {
    pub(crate) date: String,
    pub(crate) commit: String,
    pub(crate) processor: String,
    pub(crate) cores: usize,
    pub(crate) pinned: Option<(usize, usize)>,
    pub(crate) kernel: String,
    pub(crate) compiler: String,
    pub(crate) client: String,
    /// Processes that wanted to run, before and after: the averages of a minute.
    pub(crate) load_average: [String; 2],
}

impl Environment {
    /// What there is to know before measuring.
    pub(crate) fn look() -> Self {
        let information = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = information.lines().find(|line| line.starts_with("model name"));
        let model = model.and_then(|line| line.split_once(':'));
        let line =
            |program: &str, argument| workspace::first_line(Command::new(program).arg(argument));
        Self {
            date: line("date", "-Iseconds"),
            commit: workspace::commit(),
            processor: model.map_or(std::env::consts::ARCH, |(_, name)| name.trim()).to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            pinned: *pair(),
            kernel: line("uname", "-sr"),
            compiler: line("rustc", "--version"),
            client: line("h2load", "--version"),
            load_average: [load_average(), String::new()],
        }
    }

    /// Adds what there is to know afterwards.
    pub(crate) fn close(&mut self) {
        self.load_average[1] = load_average();
    }
}

fn load_average() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_process_takes_time_and_memory() {
        let process = std::process::id();
        assert!(processor_ns(process).is_some_and(|time| time > 0));
        assert!(peak_memory_kib(process).is_some_and(|size| size > 0));
        assert_eq!(own_process(), process.to_string());
    }

    #[test]
    fn what_is_started_on_a_core_stays_there() {
        let Some((server, _)) = *pair() else { return };
        let list = on(Core::Server, || {
            let output = Command::new("cat").arg("/proc/self/status").output().unwrap();
            String::from_utf8(output.stdout).unwrap()
        });
        let line = list.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        assert_eq!(line.map(str::trim), Some(server.to_string().as_str()));
    }
}
