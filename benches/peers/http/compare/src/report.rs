//! What was measured, as JSON for programs and as Markdown for people.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, iter};

use anyhow::{Context as _, Result};
use serde::Serialize;

use crate::machine::Environment;
use crate::scenario::{CONNECTIONS, Quantity};
use crate::server::OURS;
use crate::statistics::Summary;

/// One run.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) quantity: Quantity,
    /// The words after the program's name.
    pub(crate) arguments: String,
    pub(crate) environment: Environment,
    /// Each server's name and what it says its version is.
    pub(crate) versions: Vec<(&'static str, String)>,
    pub(crate) rows: Vec<Row>,
    pub(crate) skipped: Vec<Skipped>,
}

/// One server in one scenario.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) scenario: &'static str,
    pub(crate) server: &'static str,
    /// How many times ours; none for ours, and where ours was not measured.
    pub(crate) ratio: Option<Summary>,
    /// How many times ours it should be.
    pub(crate) bar: Option<f64>,
    /// Requests without a right answer.
    pub(crate) lost: u64,
    pub(crate) measure: Measure,
}

/// The numbers of a row.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(
    clippy::large_enum_variant,
    reason = "a few dozen of them, and the usual one is the large one"
)]
pub(crate) enum Measure {
    Times {
        requests: u64,
        processor_ns: Summary,
        requests_per_second: Summary,
        bytes_per_request: f64,
        peak_memory_kib: Option<u64>,
        /// How many times ours with coalescing.
        coalesced: Option<Summary>,
    },
    Counts {
        instructions: f64,
        requests: [u64; 2],
        totals: [u64; 2],
    },
}

/// A server that was not measured, and why.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Skipped {
    pub(crate) server: &'static str,
    pub(crate) reason: String,
}

impl Skipped {
    pub(crate) fn new(server: &'static str, reason: &str) -> Self {
        crate::say(format_args!("skipped {server}: {reason}"));
        Self { server, reason: reason.to_owned() }
    }
}

impl Row {
    /// Whether it is where it should be, where something is promised.
    pub(crate) fn met(&self) -> Option<bool> {
        let (ratio, bar) = (self.ratio.as_ref()?, self.bar?);
        Some(ratio.median >= bar)
    }
}

impl Report {
    /// Lines that say what is wrong, so that the run fails.
    pub(crate) fn failures(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for row in &self.rows {
            let (server, scenario) = (row.server, row.scenario);
            if row.lost > 0 && server.starts_with(OURS) {
                lines.push(format!("{server}, {scenario}: {} requests were lost", row.lost));
            }
            let counted = matches!(row.measure, Measure::Counts { .. });
            if counted && row.met() == Some(false) {
                let times = row.ratio.as_ref().map_or(0.0, |ratio| ratio.median);
                let bar = row.bar.unwrap_or_default();
                lines.push(format!("{server}, {scenario}: {times:.1} times ours, not {bar}"));
            }
        }
        lines
    }

    /// Writes both forms into `folder`; returns where the Markdown is.
    pub(crate) fn write(&self, folder: &Path) -> Result<PathBuf> {
        let name = match self.quantity {
            Quantity::Times => "times",
            Quantity::Counts => "counts",
        };
        fs::create_dir_all(folder)?;
        let json = folder.join(format!("{name}.json"));
        let text = serde_json::to_string_pretty(self)?;
        fs::write(&json, text).with_context(|| format!("cannot write {}", json.display()))?;
        let markdown = folder.join(format!("{name}.md"));
        let write = fs::write(&markdown, self.markdown());
        write.with_context(|| format!("cannot write {}", markdown.display()))?;
        Ok(markdown)
    }

    pub(crate) fn markdown(&self) -> String {
        let mut text = self.header();
        let mut scenarios: Vec<&str> = self.rows.iter().map(|row| row.scenario).collect();
        scenarios.dedup();
        for scenario in scenarios {
            let rows = self.rows.iter().filter(|row| row.scenario == scenario);
            let _ = write!(text, "\n## {scenario}\n\n");
            match self.quantity {
                Quantity::Times => text.push_str(&times(rows)),
                Quantity::Counts => text.push_str(&counts(rows)),
            }
        }
        if !self.skipped.is_empty() {
            text.push_str("\n## Not measured\n\n");
            for Skipped { server, reason } in &self.skipped {
                let line = reason.lines().next().unwrap_or_default();
                let _ = writeln!(text, "- {server}: {line}");
            }
        }
        text
    }

    fn header(&self) -> String {
        let environment = &self.environment;
        let what = match self.quantity {
            Quantity::Times => "Processor time a request, user mode and kernel",
            Quantity::Counts => "Instructions a request, user mode",
        };
        let pinned = match environment.pinned {
            Some((server, client)) => format!("servers on core {server}, client on core {client}"),
            None => "not pinned".to_owned(),
        };
        // Most print their own name as well.
        let named = |(name, version): &(&str, String)| {
            if version.contains(name) { version.clone() } else { format!("{name} {version}") }
        };
        let versions: Vec<String> = self.versions.iter().map(named).collect();
        let [before, after] = &environment.load_average;
        let rows = [
            ("command", format!("compare {}", self.arguments)),
            ("date", environment.date.clone()),
            ("commit", environment.commit.clone()),
            (
                "processor",
                format!("{}, {} cores, {pinned}", environment.processor, environment.cores),
            ),
            ("kernel", environment.kernel.clone()),
            ("load average", format!("{before} before, {after} after")),
            ("compiler", environment.compiler.clone()),
            ("client", format!("{}, {CONNECTIONS} connections", environment.client)),
            ("servers", versions.join("; ")),
        ];
        let mut text = format!("# {what}\n\n| | |\n|---|---|\n");
        for (name, value) in rows {
            let _ = writeln!(text, "| {name} | {value} |");
        }
        text
    }
}

fn times<'a>(rows: impl Iterator<Item = &'a Row>) -> String {
    let head = [
        "server",
        "median us",
        "mean us",
        "error",
        "StdDev",
        "min",
        "max",
        "times ours",
        "range",
        "bar",
        "times coalesced",
        "range",
        "requests/s",
        "bytes",
        "peak KiB",
        "lost",
    ];
    let body = rows.filter_map(|row| {
        let Measure::Times {
            processor_ns: time,
            requests_per_second,
            bytes_per_request,
            peak_memory_kib,
            coalesced,
            ..
        } = &row.measure
        else {
            return None;
        };
        let us = |ns: f64| format!("{:.3}", ns / 1000.0);
        let median = |ratio: &Option<Summary>| {
            ratio.as_ref().map_or_else(String::new, |ratio| format!("{:.2}", ratio.median))
        };
        let range = |ratio: &Option<Summary>| {
            let range = |ratio: &Summary| format!("{:.2} to {:.2}", ratio.min, ratio.max);
            ratio.as_ref().map_or_else(String::new, range)
        };
        Some(vec![
            row.server.to_owned(),
            us(time.median),
            us(time.mean),
            us(time.error),
            us(time.deviation),
            us(time.min),
            us(time.max),
            median(&row.ratio),
            range(&row.ratio),
            verdict(row),
            median(coalesced),
            range(coalesced),
            format!("{:.0}", requests_per_second.median),
            format!("{bytes_per_request:.1}"),
            peak_memory_kib.map_or_else(String::new, |size| size.to_string()),
            row.lost.to_string(),
        ])
    });
    table(&head, body)
}

fn counts<'a>(rows: impl Iterator<Item = &'a Row>) -> String {
    let head = ["server", "instructions", "times ours", "bar", "lost"];
    let body = rows.filter_map(|row| {
        let Measure::Counts { instructions, .. } = row.measure else { return None };
        let ratio = row.ratio.as_ref();
        Some(vec![
            row.server.to_owned(),
            format!("{instructions:.0}"),
            ratio.map_or_else(String::new, |ratio| format!("{:.2}", ratio.median)),
            verdict(row),
            row.lost.to_string(),
        ])
    });
    table(&head, body)
}

/// What is promised, and whether it is so.
fn verdict(row: &Row) -> String {
    match (row.bar, row.met()) {
        (Some(bar), Some(true)) => format!("{bar}, met"),
        (Some(bar), Some(false)) => format!("{bar}, MISSED"),
        (Some(bar), None) => format!("{bar}, not known"),
        (None, _) => String::new(),
    }
}

/// A table whose columns line up; all but the first are aligned to the right.
fn table(head: &[&str], body: impl Iterator<Item = Vec<String>>) -> String {
    let head: Vec<String> = head.iter().map(ToString::to_string).collect();
    let rows: Vec<Vec<String>> = iter::once(head).chain(body).collect();
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(4)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let _ = match column {
                0 => write!(text, "| {cell:<width$} |"),
                _ => write!(text, " {cell:>width$} |"),
            };
        }
        text.push('\n');
        if number == 0 {
            for (column, width) in widths.iter().enumerate() {
                let line = "-".repeat(*width);
                let _ = match column {
                    0 => write!(text, "|-{line}-|"),
                    _ => write!(text, "-{line}:|"),
                };
            }
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(server: &'static str, times: f64, lost: u64) -> Row {
        Row {
            scenario: "h2-1",
            server,
            ratio: Summary::of(vec![times]),
            bar: Quantity::Counts.bar("h2-1", server),
            lost,
            measure: Measure::Counts { instructions: 1.0, requests: [1, 2], totals: [1, 2] },
        }
    }

    fn report(rows: Vec<Row>) -> Report {
        Report {
            quantity: Quantity::Counts,
            arguments: String::new(),
            environment: Environment::look(),
            versions: Vec::new(),
            rows,
            skipped: vec![Skipped { server: "h2o", reason: "not\nhere".to_owned() }],
        }
    }

    #[test]
    fn a_count_below_its_bar_and_a_lost_request_of_ours_fail() {
        let good = report(vec![row("hyper", 25.0, 3), row("axum", 30.0, 0), row(OURS, 1.0, 0)]);
        assert_eq!(good.failures(), Vec::<String>::new());
        let bad = report(vec![row("hyper", 24.9, 0), row("onewrite-built", 1.0, 1)]);
        assert_eq!(bad.failures().len(), 2, "{:?}", bad.failures());
        assert!(bad.markdown().contains("25, MISSED"));
    }

    #[test]
    fn what_was_not_measured_is_said_in_one_line() {
        assert!(report(Vec::new()).markdown().ends_with("- h2o: not\n"));
    }

    #[test]
    fn columns_line_up() {
        let rows = vec![vec!["hyper".to_owned(), "12345".to_owned()]];
        let text = table(&["name", "value"], rows.into_iter());
        assert_eq!(text, "| name  | value |\n|-------|------:|\n| hyper | 12345 |\n");
    }
}
