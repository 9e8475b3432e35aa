//! A measurement as a document: what `throughput` writes and every rendering is made from.
//!
//! `docs/reports.md` describes the JSON for those who read it with something else.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) use super::facts::{Facts, Timestamp};
use super::statistics::Statistics;
use crate::named;

/// The form of the JSON; a change that breaks a reader changes the number.
pub(crate) const SCHEMA: &str = "onewrite-throughput-2";
/// The form before: without a date, and of counts it had only the median.
const SCHEMA_1: &str = "onewrite-throughput-1";

/// The finished bytes copied: as fast as it can be.
pub(crate) const LIMIT_SHAPE: &str = "memcpy";
/// One write a field behind `dyn`: what we compare with.
pub(crate) const BASE_SHAPE: &str = "field_dyn";

/// Everything about a run.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Document {
    /// What kind of numbers these are.
    pub(crate) label: Label,
    /// When the run ended.
    pub(crate) measured_at: Timestamp,
    /// Facts about machine and build from before the run.
    pub(crate) environment: Facts,
    /// Those that may have moved, from after it.
    pub(crate) environment_after: Facts,
    /// Why these numbers are no basis for a comparison; none where they are.
    pub(crate) unfit: Vec<String>,
    /// In the order in which they were measured.
    pub(crate) results: Vec<Row>,
    /// Shapes split into parts.
    pub(crate) breakdown: Vec<PartRow>,
    /// Remarks of the program that measured.
    pub(crate) notes: Vec<String>,
}

/// One workload in one shape, over all rounds; quantities are for one repetition.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) workload: String,
    pub(crate) shape: String,
    /// Of output.
    pub(crate) bytes: u64,
    /// In the output.
    pub(crate) records: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sink_calls: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) instructions: Option<Statistics>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cycles: Option<Statistics>,
    /// Nanoseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ns: Option<Statistics>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) l1d_refills: Option<Statistics>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) l2_refills: Option<Statistics>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) branch_misses: Option<Statistics>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bus_accesses: Option<Statistics>,
}

/// A part of a shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PartRow {
    pub(crate) workload: String,
    pub(crate) shape: String,
    pub(crate) part: String,
    /// What `amount` counts.
    pub(crate) unit: Unit,
    /// The median.
    #[serde(with = "super::statistics::number")]
    pub(crate) amount: f64,
}

/// What kind of number a report has; never mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    /// Cycles and time of a device.
    Pi,
    /// Instructions of an emulated Pi.
    QemuIcount,
    /// Instructions of an aarch64 Linux program, counted by a plugin of qemu-user.
    QemuCount,
    /// Time on this machine.
    Host,
}

/// The quantity that shapes are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Unit {
    Instructions,
    Cycles,
    #[serde(rename = "ns")]
    Nanoseconds,
}

impl Document {
    /// Reads a file and checks that it holds together.
    pub(crate) fn read(file: &Path) -> Result<Self> {
        let text = named::text(file)
            .with_context(|| format!("cannot read the measurement {}", file.display()))?;
        Self::parse(&text).with_context(|| format!("{} is not usable", file.display()))
    }

    pub(crate) fn parse(text: &str) -> Result<Self> {
        #[derive(Deserialize)]
        struct Head {
            schema: Option<String>,
        }
        let head: Head = serde_json::from_str(text).context("not a measurement in JSON")?;
        match head.schema.as_deref() {
            Some(SCHEMA) => {}
            Some(SCHEMA_1) => bail!(
                "schema {SCHEMA_1} has neither a date nor the spread of its counts, and is not \
                 read: measure again"
            ),
            Some(other) => bail!("schema {other:?} is unknown, this program reads {SCHEMA}"),
            None => bail!("it names no schema: not a measurement of `cargo xtask throughput`"),
        }
        let document: Self = serde_json::from_str(text).context("broken measurement")?;
        document.check()?;
        Ok(document)
    }

    /// The JSON, with quantities for people who read it with something else; ends with a newline.
    pub(crate) fn json(&self) -> Result<String> {
        #[derive(Serialize)]
        struct Written<'a> {
            schema: &'static str,
            label: Label,
            measured_at: Timestamp,
            environment: &'a Facts,
            environment_after: &'a Facts,
            unfit: &'a [String],
            results: Vec<WrittenRow<'a>>,
            breakdown: &'a [PartRow],
            notes: &'a [String],
        }
        let rows = self.results.iter().map(|row| WrittenRow::of(self, row)).collect();
        let written = Written {
            schema: SCHEMA,
            label: self.label,
            measured_at: self.measured_at,
            environment: &self.environment,
            environment_after: &self.environment_after,
            unfit: &self.unfit,
            results: rows,
            breakdown: &self.breakdown,
            notes: &self.notes,
        };
        let mut text = serde_json::to_string_pretty(&written)?;
        text.push('\n');
        Ok(text)
    }

    /// What this and another one were built for, where both say it and it is not the same: a
    /// program for bare metal and one for Linux have one label on a board, and are two programs.
    pub(crate) fn other_target<'a>(&'a self, other: &'a Self) -> Option<(&'a str, &'a str)> {
        let (own, other) = (self.environment.get("target")?, other.environment.get("target")?);
        (own != other).then_some((own, other))
    }

    pub(crate) fn row(&self, workload: &str, shape: &str) -> Option<&Row> {
        self.results.iter().find(|row| row.workload == workload && row.shape == shape)
    }

    /// Workloads, in order.
    pub(crate) fn workloads(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for row in &self.results {
            if !all.contains(&row.workload.as_str()) {
                all.push(&row.workload);
            }
        }
        all
    }

    /// How many times as much as another shape of the same workload.
    pub(crate) fn ratio(&self, row: &Row, shape: &str) -> Option<f64> {
        let other = self.row(&row.workload, shape)?;
        let (unit, amount) = row.compared(self.label)?;
        let (other_unit, other) = other.compared(self.label)?;
        (unit == other_unit && other.median > 0.0).then(|| amount.median / other.median)
    }

    /// What serde cannot see: that rows are distinct and have what their label stands for.
    pub(crate) fn check(&self) -> Result<()> {
        if self.results.is_empty() {
            bail!("it has no result");
        }
        for (index, row) in self.results.iter().enumerate() {
            let name = format!("{} {}", row.workload, row.shape);
            let earlier = self.results.iter().take(index);
            if earlier.into_iter().any(|e| e.workload == row.workload && e.shape == row.shape) {
                bail!("{name} stands there twice");
            }
            if row.compared(self.label).is_none() {
                bail!("{name} has nothing that counts as {}", self.label.as_str());
            }
            if !self.label.measures_time() && (row.ns.is_some() || row.cycles.is_some()) {
                bail!("{name} has time or cycles, which {} never is", self.label.as_str());
            }
            for (quantity, statistics) in row.quantities() {
                statistics.check().with_context(|| format!("{quantity} of {name}"))?;
            }
        }
        for part in &self.breakdown {
            if self.row(&part.workload, &part.shape).is_none() {
                bail!("a breakdown of {} {}, which was not measured", part.workload, part.shape);
            }
        }
        Ok(())
    }
}

impl Row {
    /// What this row is compared by: on a device cycles, on a shared machine time, in an emulator
    /// instructions.
    pub(crate) fn compared(&self, label: Label) -> Option<(Unit, Statistics)> {
        let cycles = self.cycles.map(|cycles| (Unit::Cycles, cycles));
        let ns = self.ns.map(|ns| (Unit::Nanoseconds, ns));
        match label {
            Label::Pi => cycles.or(ns),
            Label::Host => ns,
            Label::QemuIcount | Label::QemuCount => {
                self.instructions.map(|instructions| (Unit::Instructions, instructions))
            }
        }
    }

    /// What was measured, by name.
    pub(crate) fn quantities(&self) -> impl Iterator<Item = (&'static str, Statistics)> {
        let all = [
            ("instructions", self.instructions),
            ("cycles", self.cycles),
            ("ns", self.ns),
            ("l1d_refills", self.l1d_refills),
            ("l2_refills", self.l2_refills),
            ("branch_misses", self.branch_misses),
            ("bus_accesses", self.bus_accesses),
        ];
        all.into_iter().filter_map(|(name, quantity)| Some((name, quantity?)))
    }

    /// The divisor for quantities a record; 1 where there is none.
    pub(crate) fn per_record(&self) -> f64 {
        divisor(self.records)
    }

    /// The divisor for quantities a byte; 1 where there is none.
    pub(crate) fn per_byte(&self) -> f64 {
        divisor(self.bytes)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn divisor(count: u64) -> f64 {
    count.max(1) as f64
}

/// A row with what follows from it; readers of ours leave the second half out.
#[derive(Serialize)]
struct WrittenRow<'a> {
    #[serde(flatten)]
    row: &'a Row,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions_per_record: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions_per_byte: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles_per_record: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles_per_byte: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio_to_memcpy: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio_to_field_dyn: Option<f64>,
}

impl<'a> WrittenRow<'a> {
    fn of(document: &Document, row: &'a Row) -> Self {
        let (instructions, cycles) = (row.instructions, row.cycles);
        let (record, byte) = (row.per_record(), row.per_byte());
        Self {
            row,
            instructions_per_record: instructions.map(|all| all.median / record),
            instructions_per_byte: instructions.map(|all| all.median / byte),
            cycles_per_record: cycles.map(|all| all.median / record),
            cycles_per_byte: cycles.map(|all| all.median / byte),
            ratio_to_memcpy: document.ratio(row, LIMIT_SHAPE),
            ratio_to_field_dyn: document.ratio(row, BASE_SHAPE),
        }
    }
}

impl Label {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        Ok(match text {
            "pi" => Self::Pi,
            "qemu-icount" => Self::QemuIcount,
            "qemu-count" => Self::QemuCount,
            "host" => Self::Host,
            "qemu" => bail!("this emulator does not count, and its time is not speed"),
            other => bail!("no such label: {other:?}"),
        })
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Pi => "pi",
            Self::QemuIcount => "qemu-icount",
            Self::QemuCount => "qemu-count",
            Self::Host => "host",
        }
    }

    /// Whether time and cycles are speed here.
    pub(crate) fn measures_time(self) -> bool {
        matches!(self, Self::Pi | Self::Host)
    }
}

impl Serialize for Label {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(D::Error::custom)
    }
}

impl Unit {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Cycles => "cycles",
            Self::Nanoseconds => "ns",
        }
    }

    /// Counts of an emulator are exact; cycles and time are samples.
    pub(crate) fn is_exact(self) -> bool {
        self == Self::Instructions
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::super::sample::document;
    use super::*;

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn what_is_written_is_read_back_to_the_last_digit() {
        let mut written = document(Label::Pi, &[("in_place", 1.0 / 3.0), ("memcpy", 1e-300)]);
        written.environment =
            Facts::of(vec![pair("z", "1"), pair("a", "2"), pair("m", "3 \u{b5}s")]);
        written.results[0].branch_misses = Statistics::of(&[0.1 + 0.2]);
        written.results[0].sink_calls = Some(u64::MAX);
        written.unfit.push("it was hot".to_owned());
        let read = Document::parse(&written.json().unwrap()).unwrap();
        assert_eq!(read, written);
        let names: Vec<&str> = read.environment.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["z", "a", "m"]);
    }

    #[test]
    fn a_number_that_is_none_is_null() {
        let mut written = document(Label::Host, &[("in_place", 5.0)]);
        written.results[0].ns.as_mut().unwrap().mean = f64::INFINITY;
        let text = written.json().unwrap();
        assert!(text.contains("\"mean\": null"), "{text}");
        assert!(Document::parse(&text).unwrap().results[0].ns.unwrap().mean.is_nan());
    }

    #[test]
    fn labels_have_only_their_own_quantities() {
        let mut emulated = document(Label::QemuIcount, &[("in_place", 5.0)]);
        emulated.results[0].ns = emulated.results[0].instructions;
        let error = emulated.check().unwrap_err().to_string();
        assert!(error.contains("has time or cycles, which qemu-icount never is"), "{error}");
    }
}
