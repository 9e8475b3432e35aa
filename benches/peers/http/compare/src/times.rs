//! Processor time a request: all servers at once on one core, asked in turns.

use std::path::Path;

use anyhow::Result;

use crate::load::{self, Load};
use crate::report::{Measure, Report, Row, Skipped};
use crate::running::Running;
use crate::scenario::{self, Quantity, Scenario};
use crate::server::{COALESCED, OURS};
use crate::statistics::Summary;
use crate::{Candidate, say};

/// How much to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) rounds: u32,
    /// Divides the requests of a round.
    pub(crate) divisor: u64,
    /// Decides the order within each round.
    pub(crate) seed: u64,
}

/// What one candidate has shown in one scenario.
struct Entry<'a> {
    candidate: &'a Candidate,
    scenario: &'a Scenario,
    running: usize,
    loads: Vec<Load>,
    ns: Vec<f64>,
}

/// Measures all candidates in all scenarios.
pub(crate) fn measure(
    candidates: &[Candidate],
    effort: Effort,
    folder: &Path,
    report: &mut Report,
) -> Result<()> {
    let (mut running, mut entries) = start(candidates, folder, report);
    let mut random = Random(effort.seed | 1);
    // The first round warms up, and is not kept.
    for round in 0..=effort.rounds {
        say(format_args!("round {round} of {}", effort.rounds));
        let mut order: Vec<usize> = (0..entries.len()).collect();
        random.shuffle(&mut order);
        for at in order {
            let Some(entry) = entries.get_mut(at) else { continue };
            let Some(server) = running.get_mut(entry.running) else { continue };
            let requests = entry.scenario.requests / effort.divisor;
            let before = server.processor_ns()?;
            let path = entry.candidate.server.path;
            let load = load::run(entry.scenario, requests, server.port, path)?;
            let ns = server.processor_ns()? - before;
            if round > 0 {
                entry.loads.push(load);
                entry.ns.push(ns as f64 / (requests - load.lost).max(1) as f64);
            }
        }
    }
    for (at, entry) in entries.iter().enumerate() {
        // What was not answered has cost nothing, and is no measure for anybody.
        let whole = |entry: &&Entry<'_>| entry.loads.iter().all(|load| load.lost == 0);
        let over = |name: &str| {
            let is_base = |other: &&Entry<'_>| {
                other.candidate.server.name == name && other.scenario.name == entry.scenario.name
            };
            let base = entries.iter().find(is_base).filter(|base| whole(base) && whole(&entry))?;
            let base = Summary::of(base.ns.clone())?;
            Summary::of(entry.ns.clone())?
                .over(&base)
                .filter(|_| entry.candidate.server.name != name)
        };
        let memory = running.get(entry.running).and_then(Running::peak_memory_kib);
        if let Some(row) = row(entry, over(OURS), over(COALESCED), memory, effort) {
            report.rows.push(row);
        } else {
            debug_assert!(false, "entry {at} has no sample");
        }
    }
    Ok(())
}

/// Starts each candidate once for each protocol. One that does not start is left out.
fn start<'a>(
    candidates: &'a [Candidate],
    folder: &Path,
    report: &mut Report,
) -> (Vec<Running>, Vec<Entry<'a>>) {
    let (mut running, mut entries) = (Vec::new(), Vec::new());
    let mut started: Vec<(&str, scenario::Protocol, usize)> = Vec::new();
    for scenario in &scenario::ALL {
        for candidate in candidates {
            let (server, protocol) = (&candidate.server, scenario.protocol);
            if !server.speaks(protocol) {
                continue;
            }
            let same = started
                .iter()
                .find(|(name, spoken, _)| (*name, *spoken) == (server.name, protocol));
            let at = if let Some((_, _, at)) = same {
                *at
            } else {
                let folder = folder.join(format!("{}-{}", server.name, protocol.name()));
                match Running::start(server, &candidate.program, protocol, &[], &folder) {
                    Ok(server) => running.push(server),
                    Err(error) => {
                        report.skipped.push(Skipped::new(server.name, &format!("{error:#}")));
                        continue;
                    }
                }
                started.push((server.name, protocol, running.len() - 1));
                running.len() - 1
            };
            let (loads, ns) = (Vec::new(), Vec::new());
            entries.push(Entry { candidate, scenario, running: at, loads, ns });
        }
    }
    (running, entries)
}

fn row(
    entry: &Entry<'_>,
    ratio: Option<Summary>,
    coalesced: Option<Summary>,
    peak_memory_kib: Option<u64>,
    effort: Effort,
) -> Option<Row> {
    let (server, scenario) = (entry.candidate.server.name, entry.scenario.name);
    let processor_ns = Summary::of(entry.ns.clone())?;
    let speeds = entry.loads.iter().map(|load| load.requests_per_second).collect();
    let requests = entry.scenario.requests / effort.divisor;
    let bytes = entry.loads.last()?.bytes as f64 / requests as f64;
    Some(Row {
        scenario,
        server,
        bar: Quantity::Times.bar(scenario, server),
        ratio,
        lost: entry.loads.iter().map(|load| load.lost).sum(),
        measure: Measure::Times {
            requests,
            processor_ns,
            requests_per_second: Summary::of(speeds)?,
            bytes_per_request: bytes,
            peak_memory_kib,
            coalesced,
        },
    })
}

/// Marsaglia's xorshift: an order that can be had again.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn shuffle(&mut self, list: &mut [usize]) {
        for end in (1..list.len()).rev() {
            let at = self.next() % (end as u64 + 1);
            // Below the length of the list.
            list.swap(end, at as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffled_list_is_whole_and_in_another_order() {
        let mut random = Random(1);
        let sorted: Vec<usize> = (0..50).collect();
        let mut list = sorted.clone();
        random.shuffle(&mut list);
        assert_ne!(list, sorted);
        list.sort_unstable();
        assert_eq!(list, sorted);
    }
}
