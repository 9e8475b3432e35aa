//! A measurement as a document: what `bench` writes, and what tables and pictures are made from.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};

use crate::named;
use crate::report::document as report;
use crate::report::facts::{Facts, Timestamp};
use crate::report::statistics::Statistics;

/// The form of the JSON; a change that breaks a reader changes the number.
const SCHEMA: &str = "onewrite-bench-1";

/// Everything about a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Document {
    pub(crate) measured_at: Timestamp,
    pub(crate) environment: Facts,
    pub(crate) environment_after: Facts,
    pub(crate) effort: Effort,
    pub(crate) rows: Vec<Row>,
}

/// How long was measured, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Effort {
    pub(crate) rounds: u32,
    /// What a sample takes, about.
    pub(crate) sample_us: u64,
    pub(crate) seed: u64,
}

/// One workload in one shape to one place; quantities are for one time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) workload: String,
    pub(crate) place: String,
    pub(crate) shape: String,
    pub(crate) records: u64,
    /// Of output, or of what is read.
    pub(crate) bytes: u64,
    /// Whose bytes: `same`, `same+N` behind a count of `N` bytes, `own`.
    pub(crate) wire: String,
    /// What the others of its workload and place are compared with.
    pub(crate) baseline: bool,
    pub(crate) allocations: u64,
    /// Nanoseconds of the processor.
    pub(crate) ns: Statistics,
    /// The row's time over the baseline's of the same round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ratio: Option<Statistics>,
    /// On this machine.
    pub(crate) instructions: f64,
    /// As a Cortex-A53 has them.
    pub(crate) a53_instructions: f64,
    /// Nanoseconds, in the order of the rounds.
    pub(crate) samples: Vec<f64>,
}

/// Who is ahead of the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Ahead,
    Level,
    Behind,
}

/// Counts that differ by no more are level.
const LEVEL: f64 = 0.02;

impl Document {
    pub(crate) fn read(file: &Path) -> Result<Self> {
        let text = named::text(file)
            .with_context(|| format!("cannot read the measurement {}", file.display()))?;
        Self::parse(&text).with_context(|| format!("{} is not usable", file.display()))
    }

    fn parse(text: &str) -> Result<Self> {
        #[derive(Deserialize)]
        struct Head {
            schema: String,
        }
        let head: Head = serde_json::from_str(text).context("not a measurement of bench")?;
        if head.schema != SCHEMA {
            bail!("schema {:?} is unknown, this program reads {SCHEMA}", head.schema);
        }
        let document: Self = serde_json::from_str(text).context("broken measurement")?;
        for row in &document.rows {
            let name = || format!("{} {} {}", row.workload, row.place, row.shape);
            row.ns.check().with_context(name)?;
            if row.samples.len() != row.ns.rounds {
                bail!("{}: {} samples of {} rounds", name(), row.samples.len(), row.ns.rounds);
            }
        }
        Ok(document)
    }

    /// The JSON, a line for each row.
    pub(crate) fn json(&self) -> Result<String> {
        let Self { measured_at, environment, environment_after, effort, rows } = self;
        let mut text = format!(
            "{{\n\"schema\": \"{SCHEMA}\",\n\"measured_at\": {},\n\"environment\": {},\n\
             \"environment_after\": {},\n\"effort\": {},\n\"rows\": [\n",
            serde_json::to_string(measured_at)?,
            serde_json::to_string(environment)?,
            serde_json::to_string(environment_after)?,
            serde_json::to_string(effort)?,
        );
        let rows: Vec<String> =
            rows.iter().map(serde_json::to_string).collect::<Result<_, serde_json::Error>>()?;
        text += &rows.join(",\n");
        text += "\n]\n}\n";
        Ok(text)
    }

    /// Leaves out what is not of these workloads; no names are all.
    pub(crate) fn keep_only(&mut self, workloads: &[String]) {
        self.rows.retain(|row| workloads.is_empty() || workloads.contains(&row.workload));
    }

    pub(crate) fn row(&self, workload: &str, place: &str, shape: &str) -> Option<&Row> {
        self.rows
            .iter()
            .find(|row| row.workload == workload && row.place == place && row.shape == shape)
    }

    /// What the row is compared with.
    pub(crate) fn baseline(&self, row: &Row) -> Option<&Row> {
        self.rows.iter().find(|other| other.baseline && other.group() == row.group())
    }

    /// Workloads and places, in order.
    pub(crate) fn groups(&self) -> Vec<(String, String)> {
        let mut groups: Vec<(String, String)> = Vec::new();
        for row in &self.rows {
            if !groups.contains(&row.group()) {
                groups.push(row.group());
            }
        }
        groups
    }

    /// Whether time and a count disagree on who is ahead of the baseline: then neither is told.
    pub(crate) fn is_doubtful(&self, row: &Row) -> bool {
        let (Some(ratio), Some(base)) = (row.ratio, self.baseline(row)) else { return false };
        let time = Verdict::of(ratio.mean - ratio.error, ratio.mean + ratio.error);
        let count = |this: f64, base: f64| Verdict::of(this / base - LEVEL, this / base + LEVEL);
        let counts = [
            count(row.instructions, base.instructions),
            count(row.a53_instructions, base.a53_instructions),
        ];
        counts.iter().any(|&count| {
            matches!(
                (time, count),
                (Verdict::Ahead, Verdict::Behind) | (Verdict::Behind, Verdict::Ahead)
            )
        })
    }

    /// The times in the form of `throughput`, which pictures are drawn from.
    pub(crate) fn times(&self) -> Result<report::Document> {
        let results: Vec<report::Row> = self
            .rows
            .iter()
            .map(|row| report::Row {
                workload: format!("{}, {}", row.workload, row.place),
                shape: row.shape.clone(),
                bytes: row.bytes,
                records: row.records,
                ns: Some(row.ns),
                ..report::Row::default()
            })
            .collect();
        if results.is_empty() {
            bail!("no such workload");
        }
        Ok(report::Document {
            label: report::Label::Host,
            measured_at: self.measured_at,
            environment: self.environment.clone(),
            environment_after: self.environment_after.clone(),
            unfit: Vec::new(),
            results,
            breakdown: Vec::new(),
            notes: Vec::new(),
        })
    }
}

impl Row {
    /// Workload and place: rows that are compared.
    pub(crate) fn group(&self) -> (String, String) {
        (self.workload.clone(), self.place.clone())
    }

    /// The divisor for quantities a record.
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    pub(crate) fn per_record(&self) -> f64 {
        self.records.max(1) as f64
    }

    /// 10^6 bytes a second.
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    pub(crate) fn throughput(&self) -> f64 {
        self.bytes as f64 * 1000.0 / self.ns.mean
    }
}

impl Verdict {
    /// Of a ratio that is known to lie between these.
    fn of(low: f64, high: f64) -> Self {
        if high < 1.0 {
            Self::Ahead
        } else if low > 1.0 {
            Self::Behind
        } else {
            Self::Level
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::*;

    /// A row of ten records with a spread of 1 % over five rounds.
    pub(in crate::bench) fn row(shape: &str, ns: f64, instructions: [f64; 2]) -> Row {
        let samples: Vec<f64> = [0.99, 0.995, 1.0, 1.005, 1.01].map(|part| part * ns).into();
        let [instructions, a53_instructions] = instructions;
        Row {
            workload: "frames-512".to_owned(),
            place: "dyn".to_owned(),
            shape: shape.to_owned(),
            records: 10,
            bytes: 200,
            wire: "same".to_owned(),
            baseline: shape == "onewrite",
            ns: Statistics::of(&samples).unwrap(),
            ratio: Statistics::of(&samples.iter().map(|ns| ns / 100.0).collect::<Vec<_>>()),
            instructions,
            a53_instructions,
            samples,
            ..Row::default()
        }
    }

    pub(in crate::bench) fn document(rows: Vec<Row>) -> Document {
        Document {
            measured_at: Timestamp::parse("2026-12-01T10:00:00Z").unwrap(),
            environment: Facts::of(vec![("board".to_owned(), "a test".to_owned())]),
            environment_after: Facts::default(),
            effort: Effort { rounds: 5, sample_us: 50, seed: 7 },
            rows,
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let written = document(vec![
            row("onewrite", 100.0, [50.0, 60.0]),
            row("bincode", 1000.0 / 3.0, [500.0, 600.5]),
        ]);
        let text = written.json().unwrap();
        assert_eq!(Document::parse(&text).unwrap(), written);
        assert_eq!(text.lines().filter(|line| line.starts_with("{\"workload\"")).count(), 2);
        assert!(Document::parse(&text.replace(SCHEMA, "onewrite-bench-0")).is_err());
        let fewer = text.replace("\"rounds\":5,\"mean\"", "\"rounds\":6,\"mean\"");
        assert!(Document::parse(&fewer).is_err());
    }

    #[test]
    fn a_row_whose_time_and_count_disagree_is_doubtful() {
        let base = || row("onewrite", 100.0, [50.0, 50.0]);
        for (ns, counts, doubtful) in [
            (200.0, [60.0, 60.0], false),
            (200.0, [40.0, 60.0], true),
            (200.0, [60.0, 40.0], true),
            (50.0, [60.0, 40.0], true),
            (50.0, [40.0, 40.0], false),
            // Level in time, or in a count, is no disagreement.
            (100.0, [40.0, 60.0], false),
            (200.0, [49.5, 50.5], false),
        ] {
            let document = document(vec![base(), row("peer", ns, counts)]);
            assert_eq!(document.is_doubtful(&document.rows[1]), doubtful, "{ns} {counts:?}");
            assert!(!document.is_doubtful(&document.rows[0]));
        }
    }
}
