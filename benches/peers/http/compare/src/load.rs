//! One run of the client, h2load, and what it says of it.

use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::BODY;
use crate::machine::{self, Core};
use crate::scenario::{CONNECTIONS, Protocol, Scenario};

/// What a run of the client came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Load {
    /// Answers in a second of the client's time.
    pub(crate) requests_per_second: f64,
    /// Bytes that came in, those of the connections' set-up included.
    pub(crate) bytes: u64,
    /// Requests without a right answer.
    pub(crate) lost: u64,
}

/// Sends `requests` requests to `path` on the loopback.
pub(crate) fn run(scenario: &Scenario, requests: u64, port: u16, path: &str) -> Result<Load> {
    let mut command = Command::new("h2load");
    if scenario.protocol == Protocol::H1 {
        command.arg("--h1");
    }
    let (connections, in_flight) = (CONNECTIONS.to_string(), scenario.in_flight.to_string());
    command.args(["-t1", "-c", &connections, "-m", &in_flight, "-n", &requests.to_string()]);
    // A server that hangs must not hang us.
    command.args(["-T", "30", "-N", "30"]).arg(format!("http://127.0.0.1:{port}{path}"));
    command.stdin(Stdio::null());
    let output = machine::on(Core::Client, || command.output()).context("cannot start h2load")?;
    let text = String::from_utf8_lossy(&output.stdout);
    match read(&text, requests) {
        Some(load) if output.status.success() => Ok(load),
        _ => bail!("{command:?}: {}\n{text}", output.status),
    }
}

/// Reads what h2load prints at the end.
fn read(text: &str, requests: u64) -> Option<Load> {
    let line = |start: &str| text.lines().find_map(|line| line.trim().strip_prefix(start));
    let before = |line: &str, word: &str| -> Option<f64> {
        let end = line.find(word)?;
        line.get(..end)?.split_whitespace().next_back()?.parse().ok()
    };
    // "finished in 438.32ms, 136885.04 req/s, 4.83MB/s"
    let requests_per_second = before(line("finished in")?, " req/s")?;
    // "status codes: 60000 2xx, 0 3xx, 0 4xx, 0 5xx"
    let good = number(before(line("status codes:")?, " 2xx")?)?;
    // "traffic: 2.12MB (2222180) total, 469.80KB (481080) headers (...), 644.53KB (660000) data"
    let traffic = line("traffic:")?;
    let exact = |word: &str| -> Option<u64> {
        let (before, _) = traffic.split_once(word)?;
        before.rsplit_once('(')?.1.parse().ok()
    };
    let (bytes, data) = (exact(") total")?, exact(") data")?);
    // An answer with another body is no answer, however good its status.
    let right = good.min(data / BODY.len() as u64);
    let wrong = u64::from(data != good * BODY.len() as u64);
    let lost = requests.saturating_sub(right).max(wrong);
    Some(Load { requests_per_second, bytes, lost })
}

fn number(value: f64) -> Option<u64> {
    // What was printed as a whole number, below 2^53.
    (value >= 0.0 && value.fract() == 0.0).then_some(value as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
finished in 438.32ms, 136885.04 req/s, 4.83MB/s
requests: 60000 total, 60000 started, 60000 done, 60000 succeeded, 0 failed, 0 errored, 0 timeout
status codes: 60000 2xx, 0 3xx, 0 4xx, 0 5xx
traffic: 2.12MB (2222180) total, 469.80KB (481080) headers (space savings 90.10%), 644.53KB (660000) data
";

    #[test]
    fn a_good_run_loses_nothing() {
        let load = Load { requests_per_second: 136_885.04, bytes: 2_222_180, lost: 0 };
        assert_eq!(read(TEXT, 60_000), Some(load));
    }

    #[test]
    fn what_is_not_answered_rightly_is_lost() {
        let lost = |from: &str, to: &str| read(&TEXT.replace(from, to), 60_000).unwrap().lost;
        assert_eq!(lost("60000 2xx", "59990 2xx"), 10);
        assert_eq!(lost("(660000) data", "(659967) data"), 3);
        assert_eq!(lost("(660000) data", "(660001) data"), 1);
        assert_eq!(read(TEXT, 60_001).unwrap().lost, 1);
    }

    #[test]
    fn what_cannot_be_read_is_no_run() {
        assert_eq!(read("", 1), None);
        assert_eq!(read(&TEXT.replace("traffic", "trafic"), 1), None);
    }
}
