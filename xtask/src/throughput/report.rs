//! A report as a table for people and as JSON for programs.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use serde_json::{Map, Value, json};

use super::protocol::{Cost, Report};
use super::statistics::Statistics;
use crate::budgets::Measurement;

/// The form of the JSON file; a change that breaks a reader changes this.
pub(crate) const SCHEMA: &str = "onewrite-throughput-1";

/// The finished bytes copied: as fast as it can be.
const LIMIT_SHAPE: &str = "memcpy";
/// One write a field behind `dyn`: what we compare with.
const BASE_SHAPE: &str = "field_dyn";

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
    fn measures_time(self) -> bool {
        matches!(self, Self::Pi | Self::Host)
    }
}

/// One workload in one shape, over all rounds; quantities are for one repetition.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) workload: String,
    pub(crate) shape: String,
    pub(crate) bytes: u64,
    pub(crate) records: u64,
    pub(crate) calls: Option<u64>,
    pub(crate) instructions: Option<Statistics>,
    pub(crate) cycles: Option<Statistics>,
    pub(crate) ns: Option<Statistics>,
}

/// A part of a shape.
#[derive(Clone, Debug)]
pub(crate) struct PartRow {
    workload: String,
    shape: String,
    part: String,
    records: u64,
    /// The median of the quantity that rows are compared by.
    amount: f64,
}

/// Everything about a run.
#[derive(Clone, Debug)]
pub(crate) struct Summary {
    pub(crate) label: Label,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) environment_after: Vec<(String, String)>,
    pub(crate) rows: Vec<Row>,
    pub(crate) parts: Vec<PartRow>,
    pub(crate) notes: Vec<String>,
}

impl Summary {
    /// Adds up the rounds of a report.
    pub(crate) fn of(report: Report) -> Result<Self> {
        let label = Label::parse(report.fact("label").unwrap_or_default())?;
        let mut rows: Vec<Row> = Vec::new();
        for sample in &report.samples {
            let (workload, shape) = (&sample.workload, &sample.shape);
            if rows.iter().any(|row| row.workload == *workload && row.shape == *shape) {
                continue;
            }
            let costs: Vec<Cost> = report
                .samples
                .iter()
                .filter(|other| other.workload == *workload && other.shape == *shape)
                .map(|other| other.cost)
                .collect();
            let time = label.measures_time();
            rows.push(Row {
                workload: workload.clone(),
                shape: shape.clone(),
                bytes: sample.bytes,
                records: sample.records,
                calls: sample.calls,
                instructions: statistics(&costs, |cost| cost.instructions),
                // An emulator's cycles and nanoseconds are made up.
                cycles: statistics(&costs, |cost| cost.cycles).filter(|_| time),
                ns: statistics(&costs, |cost| cost.ns).filter(|_| time),
            });
        }
        if let Some(row) = rows.iter().find(|row| row.amount(label).is_none()) {
            let (label, Row { workload, shape, .. }) = (label.as_str(), row);
            bail!("{workload} {shape} has nothing that counts as {label}");
        }
        let mut summary = Self {
            label,
            environment: report.environment,
            environment_after: report.environment_after,
            rows,
            parts: Vec::new(),
            notes: report.notes,
        };
        for part in &report.parts {
            let same = |other: &PartRow| {
                (&other.workload, &other.shape, &other.part)
                    == (&part.workload, &part.shape, &part.part)
            };
            if summary.parts.iter().any(same) {
                continue;
            }
            let Some(row) = summary.row(&part.workload, &part.shape) else {
                bail!("a breakdown of {} {}, which was not measured", part.workload, part.shape);
            };
            let costs: Vec<Cost> = report
                .parts
                .iter()
                .filter(|other| {
                    (&other.workload, &other.shape, &other.part)
                        == (&part.workload, &part.shape, &part.part)
                })
                .map(|other| other.cost)
                .collect();
            let unit = row.unit(label);
            let records = row.records;
            let amount = statistics(&costs, |cost| unit.and_then(|unit| unit.of(cost)));
            let Some(amount) = amount else {
                bail!("part {} of {} has no such quantity", part.part, part.workload);
            };
            summary.parts.push(PartRow {
                workload: part.workload.clone(),
                shape: part.shape.clone(),
                part: part.part.clone(),
                records,
                amount: amount.median,
            });
        }
        Ok(summary)
    }

    fn row(&self, workload: &str, shape: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.workload == workload && row.shape == shape)
    }

    /// How many times as much as another shape of the same workload.
    fn ratio(&self, row: &Row, shape: &str) -> Option<f64> {
        let other = self.row(&row.workload, shape)?;
        let (unit, other_unit) = (row.unit(self.label)?, other.unit(self.label)?);
        let (amount, other) = (row.amount(self.label)?, other.amount(self.label)?);
        (unit == other_unit && other > 0.0).then(|| amount / other)
    }

    /// What budgets are compared with.
    pub(crate) fn measurements(&self) -> Vec<Measurement> {
        let counted = self.rows.iter().filter_map(|row| {
            Some(Measurement {
                workload: row.workload.clone(),
                shape: row.shape.clone(),
                bytes: row.bytes,
                records: row.records,
                instructions: row.instructions?.median,
            })
        });
        counted.collect()
    }

    /// The tables, with label and environment.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("label: {}\n", self.label.as_str());
        for (key, value) in self.environment.iter().filter(|(key, _)| key != "label") {
            let _ = writeln!(text, "{key}: {value}");
        }
        for (key, value) in &self.environment_after {
            let _ = writeln!(text, "{key} afterwards: {value}");
        }
        text.push('\n');
        text.push_str(&self.counts());
        if self.rows.iter().any(|row| row.ns.is_some()) {
            text.push('\n');
            text.push_str(&self.times());
        }
        if !self.parts.is_empty() {
            text.push('\n');
            text.push_str(&self.breakdown());
        }
        if !self.notes.is_empty() {
            text.push('\n');
        }
        for note in &self.notes {
            let _ = writeln!(text, "{note}");
        }
        text
    }

    fn counts(&self) -> String {
        let mut table = vec![words([
            "workload",
            "shape",
            "bytes",
            "records",
            "calls",
            "instr/record",
            "instr/byte",
            "cycles/record",
            "cycles/byte",
            "x memcpy",
            "less than field_dyn",
        ])];
        for row in &self.rows {
            let each = |statistics: Option<Statistics>, by: u64| {
                statistics.map(|s| format!("{:.2}", s.median / divisor(by))).unwrap_or_default()
            };
            table.push(vec![
                row.workload.clone(),
                row.shape.clone(),
                row.bytes.to_string(),
                row.records.to_string(),
                row.calls.map(|calls| calls.to_string()).unwrap_or_default(),
                each(row.instructions, row.records),
                each(row.instructions, row.bytes),
                each(row.cycles, row.records),
                each(row.cycles, row.bytes),
                times(self.ratio(row, LIMIT_SHAPE)),
                times(self.ratio(row, BASE_SHAPE).map(|ratio| 1.0 / ratio)),
            ]);
        }
        columns(&table)
    }

    fn times(&self) -> String {
        let mut table = vec![words([
            "workload",
            "shape",
            "mean ns",
            "error",
            "stddev",
            "median",
            "min",
            "max",
            "p95",
            "ns/record",
            "ns/byte",
            "rounds",
        ])];
        for row in &self.rows {
            let Some(ns) = row.ns else { continue };
            let mut line = vec![row.workload.clone(), row.shape.clone()];
            let all = [ns.mean, ns.error, ns.standard_deviation, ns.median, ns.min, ns.max];
            line.extend(all.map(|value| format!("{value:.1}")));
            line.push(format!("{:.1}", ns.percentile_95));
            line.push(format!("{:.2}", ns.median / divisor(row.records)));
            line.push(format!("{:.3}", ns.median / divisor(row.bytes)));
            line.push(ns.rounds.to_string());
            table.push(line);
        }
        columns(&table)
    }

    fn breakdown(&self) -> String {
        let unit = self.rows.iter().find_map(|row| row.unit(self.label));
        let unit = unit.map_or("", Unit::name);
        let mut table = vec![words(["workload", "shape", "part", unit, "a record"])];
        for part in &self.parts {
            table.push(vec![
                part.workload.clone(),
                part.shape.clone(),
                part.part.clone(),
                format!("{:.1}", part.amount),
                format!("{:.2}", part.amount / divisor(part.records)),
            ]);
        }
        columns(&table)
    }

    /// The JSON file.
    pub(crate) fn json(&self) -> Value {
        let facts = |facts: &[(String, String)]| {
            let pairs = facts.iter().map(|(key, value)| (key.clone(), json!(value)));
            Value::Object(pairs.collect::<Map<_, _>>())
        };
        let rows: Vec<Value> = self.rows.iter().map(|row| self.row_json(row)).collect();
        let parts: Vec<Value> = self
            .parts
            .iter()
            .map(|part| {
                json!({
                    "workload": part.workload,
                    "shape": part.shape,
                    "part": part.part,
                    "amount": part.amount,
                    "amount_per_record": part.amount / divisor(part.records),
                })
            })
            .collect();
        json!({
            "schema": SCHEMA,
            "label": self.label.as_str(),
            "environment": facts(&self.environment),
            "environment_after": facts(&self.environment_after),
            "results": rows,
            "breakdown": parts,
            "notes": self.notes,
        })
    }

    fn row_json(&self, row: &Row) -> Value {
        let mut object = Map::new();
        let mut put = |name: &str, value: Value| {
            if !value.is_null() {
                object.insert(name.to_owned(), value);
            }
        };
        put("workload", json!(row.workload));
        put("shape", json!(row.shape));
        put("bytes", json!(row.bytes));
        put("records", json!(row.records));
        put("sink_calls", json!(row.calls));
        let each = |quantity: Option<Statistics>, by: u64| quantity.map(|q| q.median / divisor(by));
        put("instructions_per_record", json!(each(row.instructions, row.records)));
        put("instructions_per_byte", json!(each(row.instructions, row.bytes)));
        put("cycles_per_record", json!(each(row.cycles, row.records)));
        put("cycles_per_byte", json!(each(row.cycles, row.bytes)));
        put("ratio_to_memcpy", json!(self.ratio(row, LIMIT_SHAPE)));
        put("ratio_to_field_dyn", json!(self.ratio(row, BASE_SHAPE)));
        if let Some(ns) = row.ns {
            put(
                "ns",
                json!({
                    "rounds": ns.rounds,
                    "mean": ns.mean,
                    "error": ns.error,
                    "stddev": ns.standard_deviation,
                    "median": ns.median,
                    "min": ns.min,
                    "max": ns.max,
                    "p95": ns.percentile_95,
                }),
            );
        }
        Value::Object(object)
    }
}

/// The quantity that shapes are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Instructions,
    Cycles,
    Nanoseconds,
}

impl Unit {
    fn of(self, cost: Cost) -> Option<u64> {
        match self {
            Self::Instructions => cost.instructions,
            Self::Cycles => cost.cycles,
            Self::Nanoseconds => cost.ns,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Cycles => "cycles",
            Self::Nanoseconds => "ns",
        }
    }
}

impl Row {
    /// On a device cycles, on a shared machine time, in an emulator instructions.
    fn unit(&self, label: Label) -> Option<Unit> {
        let cycles = self.cycles.map(|_| Unit::Cycles);
        let ns = self.ns.map(|_| Unit::Nanoseconds);
        let instructions = self.instructions.map(|_| Unit::Instructions);
        match label {
            Label::Pi => cycles.or(ns),
            Label::Host => ns,
            Label::QemuIcount | Label::QemuCount => instructions,
        }
    }

    fn amount(&self, label: Label) -> Option<f64> {
        let statistics = match self.unit(label)? {
            Unit::Instructions => self.instructions,
            Unit::Cycles => self.cycles,
            Unit::Nanoseconds => self.ns,
        };
        statistics.map(|statistics| statistics.median)
    }
}

/// Statistics of a quantity of one repetition.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn statistics(costs: &[Cost], quantity: impl Fn(Cost) -> Option<u64>) -> Option<Statistics> {
    let each = |&cost: &Cost| Some(quantity(cost)? as f64 / cost.reps as f64);
    let values: Option<Vec<f64>> = costs.iter().map(each).collect();
    Statistics::of(&values?)
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn divisor(count: u64) -> f64 {
    count.max(1) as f64
}

fn times(ratio: Option<f64>) -> String {
    ratio.map(|ratio| format!("{ratio:.2}x")).unwrap_or_default()
}

fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).into()
}

/// Aligns a table whose first line is its head; a column without a value is left out.
fn columns(table: &[Vec<String>]) -> String {
    let cell = |line: &Vec<String>, column: usize| line.get(column).cloned().unwrap_or_default();
    let (head, body) = table.split_first().map_or((0, table), |(head, body)| (head.len(), body));
    let kept: Vec<usize> = (0..head)
        .filter(|&column| body.iter().any(|line| !cell(line, column).is_empty()))
        .collect();
    let mut text = String::new();
    for line in table {
        let mut row = String::new();
        for &column in &kept {
            let width = table.iter().map(|line| cell(line, column).len()).max().unwrap_or(0);
            let word = cell(line, column);
            // Names to the left, numbers to the right.
            let is_name = table
                .iter()
                .skip(1)
                .any(|line| cell(line, column).starts_with(|c: char| c.is_ascii_alphabetic()));
            let _ = if is_name {
                write!(row, "{word:<width$}  ")
            } else {
                write!(row, "{word:>width$}  ")
            };
        }
        let _ = writeln!(text, "{}", row.trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::super::protocol;
    use super::*;

    fn summary(label: &str) -> Result<Summary> {
        let mut lines = vec!["onewrite-report 1".to_owned(), format!("env label: {label}")];
        for round in 0..3 {
            for (shape, cost) in [("field_dyn", 4000), ("in_place", 1000), ("memcpy", 500)] {
                let ns = cost + round;
                lines.push(format!(
                    "sample t {shape} bytes=200 records=10 round={round} reps=2 \
                     instructions={cost} cycles={} ns={ns}",
                    cost * 2
                ));
            }
        }
        lines.push(
            "breakdown t in_place strings round=0 reps=2 instructions=300 cycles=700 ns=9".into(),
        );
        lines.push(format!("end OK lines={}", lines.len()));
        Summary::of(protocol::parse(&lines.join("\n")).unwrap())
    }

    #[test]
    fn amounts_are_of_one_repetition() {
        let summary = summary("qemu-icount").unwrap();
        let row = &summary.rows[1];
        assert_eq!(row.instructions.unwrap().median, 500.0);
        let measured = &summary.measurements()[1];
        assert_eq!((measured.per_record(), measured.per_byte()), (50.0, 2.5));
    }

    #[test]
    fn emulated_time_and_cycles_are_nowhere() {
        let summary = summary("qemu-icount").unwrap();
        let json = summary.json().to_string();
        assert!(!json.contains("\"ns\"") && !json.contains("cycles"), "{json}");
        let text = summary.text();
        assert!(!text.contains("ns") || !text.contains("mean ns"), "{text}");
        assert!(!text.contains("cycles"), "{text}");
    }

    #[test]
    fn ratios_follow_the_label() {
        let icount = summary("qemu-icount").unwrap();
        assert_eq!(icount.ratio(&icount.rows[1], "memcpy"), Some(2.0));
        assert_eq!(icount.ratio(&icount.rows[1], "field_dyn"), Some(0.25));
        let host = summary("host").unwrap();
        assert_eq!(host.ratio(&host.rows[1], "memcpy"), Some(1001.0 / 501.0));
        assert_eq!(host.parts[0].amount, 4.5);
        let pi = summary("pi").unwrap();
        assert_eq!(pi.ratio(&pi.rows[1], "memcpy"), Some(2.0));
        assert_eq!(pi.parts[0].amount, 350.0);
    }

    #[test]
    fn the_json_has_what_its_readers_expect() {
        let json = summary("host").unwrap().json();
        assert_eq!(json["schema"], SCHEMA);
        assert_eq!(json["label"], "host");
        assert_eq!(json["environment"]["label"], "host");
        let row = &json["results"][1];
        assert_eq!((&row["workload"], &row["shape"]), (&json!("t"), &json!("in_place")));
        assert_eq!((&row["bytes"], &row["records"]), (&json!(200), &json!(10)));
        assert_eq!(row["instructions_per_record"], 50.0);
        assert_eq!(row["ns"]["median"], 500.5);
        for name in ["mean", "error", "stddev", "median", "min", "max", "p95"] {
            assert!(row["ns"][name].is_f64(), "{name}");
        }
    }

    #[test]
    fn a_label_without_its_quantity_is_refused() {
        assert!(summary("qemu").is_err());
        assert!(summary("moon").is_err());
        let report = "onewrite-report 1\nenv label: qemu-icount\n\
            sample t memcpy bytes=1 records=1 round=0 ns=5\nend OK lines=3";
        assert!(Summary::of(protocol::parse(report).unwrap()).is_err());
    }

    #[test]
    fn the_table_is_aligned_and_leaves_empty_columns_out() {
        let table =
            [words(["name", "n", "none"]), words(["a", "1", ""]), words(["long", "200", ""])];
        assert_eq!(columns(&table), "name    n\na       1\nlong  200\n");
    }
}
