//! Instructions a request in user mode: the difference of a long and a short run under callgrind.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::report::{Measure, Report, Row, Skipped};
use crate::running::Running;
use crate::scenario::{self, Quantity, Scenario};
use crate::server::OURS;
use crate::statistics::Summary;
use crate::{Candidate, load, say};

/// Requests of the two runs. What does not depend on their number falls out of the difference.
const REQUESTS: [u64; 2] = [2_000, 8_000];

/// Counts all candidates in all scenarios, or only with one request in flight.
pub(crate) fn measure(
    candidates: &[Candidate],
    only_one_in_flight: bool,
    folder: &Path,
    report: &mut Report,
) -> Result<()> {
    for scenario in &scenario::ALL {
        if only_one_in_flight && scenario.in_flight > 1 {
            continue;
        }
        for candidate in candidates {
            if !candidate.server.speaks(scenario.protocol) {
                continue;
            }
            let name = candidate.server.name;
            say(format_args!("{name}, {}", scenario.name));
            match count(candidate, scenario, folder) {
                Ok((totals, lost)) => report.rows.push(row(name, scenario, totals, lost)),
                // Some programs do not run under valgrind. Ours has to.
                Err(error) if !candidate.server.is_ours() => {
                    let reason = format!("{}: {error:#}", scenario.name);
                    report.skipped.push(Skipped::new(name, &reason));
                }
                Err(error) => return Err(error.context(format!("{name}, {}", scenario.name))),
            }
        }
    }
    compare(&mut report.rows);
    Ok(())
}

/// The instructions of both runs, and the requests that were lost in them.
fn count(candidate: &Candidate, scenario: &Scenario, folder: &Path) -> Result<([u64; 2], u64)> {
    let server = &candidate.server;
    let folder = folder.join(format!("{}-{}", server.name, scenario.name));
    let (mut totals, mut lost) = ([0; 2], 0);
    for (total, requests) in totals.iter_mut().zip(REQUESTS) {
        let folder = folder.join(requests.to_string());
        let out = folder.join("callgrind.out");
        let wrapper = [
            "valgrind".to_owned(),
            "--tool=callgrind".to_owned(),
            format!("--callgrind-out-file={}", out.display()),
        ];
        let protocol = scenario.protocol;
        let running = Running::start(server, &candidate.program, protocol, &wrapper, &folder)?;
        lost += load::run(scenario, requests, running.port, server.path)?.lost;
        running.stop()?;
        let text = fs::read_to_string(&out)
            .with_context(|| format!("valgrind has written no {}", out.display()))?;
        *total = instructions(&text).context("valgrind's counts have no sum")?;
    }
    Ok((totals, lost))
}

/// The sum in one of callgrind's files.
fn instructions(text: &str) -> Option<u64> {
    // One of the two is there, by how the program ended.
    let sums = text
        .lines()
        .filter_map(|line| line.strip_prefix("totals:").or_else(|| line.strip_prefix("summary:")));
    sums.filter_map(|sum| sum.split_whitespace().next()?.parse().ok()).max()
}

fn row(server: &'static str, scenario: &Scenario, totals: [u64; 2], lost: u64) -> Row {
    let [few, many] = totals;
    let instructions = many.saturating_sub(few) as f64 / (REQUESTS[1] - REQUESTS[0]) as f64;
    Row {
        scenario: scenario.name,
        server,
        bar: Quantity::Counts.bar(scenario.name, server),
        ratio: None,
        lost,
        measure: Measure::Counts { instructions, requests: REQUESTS, totals },
    }
}

/// Sets each row's ratio to ours of the same scenario.
fn compare(rows: &mut [Row]) {
    // What was not answered has cost nothing, and is no measure for anybody.
    let of = |row: &Row| match row.measure {
        Measure::Counts { instructions, .. } if row.lost == 0 => Some(instructions),
        _ => None,
    };
    let ours: Vec<(&str, Option<f64>)> =
        rows.iter().filter(|row| row.server == OURS).map(|row| (row.scenario, of(row))).collect();
    for row in rows.iter_mut().filter(|row| row.server != OURS) {
        let ours = ours.iter().find(|(scenario, _)| *scenario == row.scenario);
        if let Some((_, Some(ours))) = ours
            && let Some(theirs) = of(row)
        {
            row.ratio = Summary::of(vec![theirs / ours]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_read_from_either_line() {
        assert_eq!(instructions("events: Ir\nsummary: 123\n"), Some(123));
        assert_eq!(instructions("events: Ir\n1 2\ntotals: 456\n"), Some(456));
        assert_eq!(instructions("events: Ir\n"), None);
    }

    #[test]
    fn a_ratio_is_to_ours_of_the_same_scenario() {
        let [h2, .., h1] = &scenario::ALL;
        let mut rows = vec![
            row(OURS, h1, [0, 6_000_000], 0),
            row(OURS, h2, [6_000_000, 9_000_000], 0),
            row("hyper", h2, [0, 60_000_000], 0),
        ];
        compare(&mut rows);
        assert!(rows[0].ratio.is_none() && rows[1].ratio.is_none());
        assert_eq!(rows[2].ratio.as_ref().unwrap().median, 20.0);
    }

    #[test]
    fn lost_requests_have_no_ratio() {
        let [h2, ..] = &scenario::ALL;
        for (ours, theirs, known) in [(0, 0, true), (1, 0, false), (0, 1, false)] {
            let mut rows =
                vec![row(OURS, h2, [0, 6_000], ours), row("hyper", h2, [0, 60_000], theirs)];
            compare(&mut rows);
            assert_eq!(rows[1].ratio.is_some(), known, "{ours} {theirs}");
        }
    }
}
