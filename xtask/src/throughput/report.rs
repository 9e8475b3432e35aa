//! From what a run reports to a document.

use anyhow::{Result, bail};

use super::fitness;
use super::protocol::{Cost, Part, Report};
use crate::budgets::Measurement;
use crate::report::document::{Document, Facts, Label, PartRow, Row, Timestamp, Unit};
use crate::report::statistics::Statistics;

/// Adds up the rounds of a report that ended at a moment.
pub(crate) fn document(report: Report, measured_at: Timestamp) -> Result<Document> {
    let label = Label::parse(report.fact("label").unwrap_or_default())?;
    let (before, after) = (&report.environment, &report.environment_after);
    let unfit = fitness::judge(before, after, label.as_str());
    // Rounds may lack counts then; the run is unfit and says so.
    let shared = fitness::shared_readings(after) != 0;
    let results = rows(&report, label, shared);
    if let Some(row) = results.iter().find(|row| row.compared(label).is_none()) {
        let (label, Row { workload, shape, .. }) = (label.as_str(), row);
        bail!("{workload} {shape} has nothing that counts as {label}");
    }
    let mut document = Document {
        label,
        measured_at,
        environment: Facts::of(report.environment),
        environment_after: Facts::of(report.environment_after),
        unfit,
        results,
        breakdown: Vec::new(),
        notes: report.notes,
    };
    for part in &report.parts {
        let same = |workload: &str, shape: &str, name: &str| {
            (workload, shape, name) == (&*part.workload, &*part.shape, &*part.part)
        };
        if document.breakdown.iter().any(|row| same(&row.workload, &row.shape, &row.part)) {
            continue;
        }
        let row = document.row(&part.workload, &part.shape);
        let Some((unit, _)) = row.and_then(|row| row.compared(label)) else {
            bail!("a breakdown of {} {}, which was not measured", part.workload, part.shape);
        };
        let parts = report.parts.iter();
        let costs: Vec<Cost> = parts
            .filter(|other| same(&other.workload, &other.shape, &other.part))
            .map(|other| other.cost)
            .collect();
        let Some(amount) = statistics(&costs, shared, |cost| of(unit, cost)) else {
            let Part { workload, shape, part, .. } = part;
            let lacks = format!("part {part} of {workload} {shape} has no {}", unit.name());
            if !shared {
                bail!("{lacks}");
            }
            let note = format!("{lacks}: the counters were shared in every round of it");
            if !document.notes.contains(&note) {
                document.notes.push(note);
            }
            continue;
        };
        document.breakdown.push(PartRow {
            workload: part.workload.clone(),
            shape: part.shape.clone(),
            part: part.part.clone(),
            unit,
            amount: amount.median,
        });
    }
    document.check()?;
    Ok(document)
}

/// What budgets are compared with.
pub(crate) fn measurements(document: &Document) -> Vec<Measurement> {
    let counted = document.results.iter().filter_map(|row| {
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

fn rows(report: &Report, label: Label, shared: bool) -> Vec<Row> {
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
        let statistics = |quantity: fn(Cost) -> Option<u64>| statistics(&costs, shared, quantity);
        // An emulator's clock, caches and branch predictor are made up.
        let time = label.measures_time();
        rows.push(Row {
            workload: workload.clone(),
            shape: shape.clone(),
            bytes: sample.bytes,
            records: sample.records,
            sink_calls: sample.calls,
            instructions: statistics(|cost| cost.instructions),
            cycles: statistics(|cost| cost.cycles).filter(|_| time),
            ns: statistics(|cost| cost.ns).filter(|_| time),
            l1d_refills: statistics(|cost| cost.l1d_refills).filter(|_| time),
            l2_refills: statistics(|cost| cost.l2_refills).filter(|_| time),
            branch_misses: statistics(|cost| cost.branch_misses).filter(|_| time),
            bus_accesses: statistics(|cost| cost.bus_accesses).filter(|_| time),
        });
    }
    rows
}

fn of(unit: Unit, cost: Cost) -> Option<u64> {
    match unit {
        Unit::Instructions => cost.instructions,
        Unit::Cycles => cost.cycles,
        Unit::Nanoseconds => cost.ns,
    }
}

/// Statistics of a quantity of one repetition, over the rounds that have it where the counters were
/// shared; otherwise all have it or none does.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn statistics(
    costs: &[Cost],
    shared: bool,
    quantity: impl Fn(Cost) -> Option<u64>,
) -> Option<Statistics> {
    let each = |&cost: &Cost| Some(quantity(cost)? as f64 / cost.reps as f64);
    let values: Vec<f64> = costs.iter().filter_map(each).collect();
    let complete = values.len() == costs.len();
    Statistics::of(&values).filter(|_| complete || shared)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::super::protocol;
    use super::*;
    use crate::report::document::SCHEMA;
    use crate::report::page::Page;
    use crate::report::text;

    fn measured(label: &str) -> Result<Document> {
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
        let report = protocol::parse(&lines.join("\n")).unwrap();
        document(report, Timestamp::parse("2026-11-30T20:08:46Z").unwrap())
    }

    #[test]
    fn amounts_are_of_one_repetition() {
        let document = measured("qemu-icount").unwrap();
        assert_eq!(document.results[1].instructions.unwrap().median, 500.0);
        let measured = &measurements(&document)[1];
        assert_eq!((measured.per_record(), measured.per_byte()), (50.0, 2.5));
    }

    #[test]
    fn emulated_time_and_cycles_are_nowhere() {
        let document = measured("qemu-icount").unwrap();
        let json = document.json().unwrap();
        assert!(!json.contains("\"ns\"") && !json.contains("cycles"), "{json}");
        let text = text::render(&Page::of(&document), None);
        assert!(!text.contains("mean ns") && !text.contains("cycles"), "{text}");
    }

    #[test]
    fn ratios_follow_the_label() {
        let icount = measured("qemu-icount").unwrap();
        assert_eq!(icount.ratio(&icount.results[1], "memcpy"), Some(2.0));
        assert_eq!(icount.ratio(&icount.results[1], "field_dyn"), Some(0.25));
        let host = measured("host").unwrap();
        assert_eq!(host.ratio(&host.results[1], "memcpy"), Some(1001.0 / 501.0));
        assert_eq!(host.breakdown[0].amount, 4.5);
        let pi = measured("pi").unwrap();
        assert_eq!(pi.ratio(&pi.results[1], "memcpy"), Some(2.0));
        assert_eq!(pi.breakdown[0].amount, 350.0);
    }

    #[test]
    fn the_json_has_what_its_readers_expect() {
        let written = measured("host").unwrap();
        let text = written.json().unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["schema"], SCHEMA);
        assert_eq!(json["label"], "host");
        assert_eq!(json["measured_at"], "2026-11-30T20:08:46Z");
        assert_eq!(json["environment"]["label"], "host");
        let row = &json["results"][1];
        assert_eq!((&row["workload"], &row["shape"]), (&"t".into(), &"in_place".into()));
        assert_eq!((&row["bytes"], &row["records"]), (&200.into(), &10.into()));
        assert_eq!(row["instructions_per_record"], 50.0);
        assert_eq!(row["ns"]["median"], 500.5);
        for name in ["mean", "error", "stddev", "median", "min", "max", "p95"] {
            assert!(row["ns"][name].is_f64(), "{name}");
        }
        assert_eq!(Document::parse(&text).unwrap(), written);
    }

    #[test]
    fn shared_counters_make_a_run_unfit_and_not_a_failure() {
        let with = |lines: &[&str], shared: &str| {
            let head = ["onewrite-report 1", "env label: qemu-icount"];
            let mut all: Vec<String> = head.iter().chain(lines).map(|&line| line.into()).collect();
            all.push(format!("env-after shared readings: {shared} of 9"));
            all.push(format!("end OK lines={}", all.len()));
            document(protocol::parse(&all.join("\n")).unwrap(), Timestamp::now())
        };
        let whole = "sample t memcpy bytes=1 records=1 round=0 instructions=5 ns=5";
        let lacking = "sample t memcpy bytes=1 records=1 round=1 ns=5";
        let part = "breakdown t memcpy a round=0 instructions=3 ns=4";
        let lost = "breakdown t memcpy a round=1 ns=4";
        let unfit = with(&[whole, lacking, part, lost], "2").unwrap();
        assert!(unfit.unfit[0].contains("2 readings of the counters"), "{:?}", unfit.unfit);
        assert_eq!(unfit.results[0].instructions.unwrap().rounds, 1);
        assert_eq!(unfit.breakdown[0].amount, 3.0);
        // Not one round of the part has it.
        let unfit = with(&[whole, lost], "1").unwrap();
        assert!(unfit.breakdown.is_empty() && !unfit.unfit.is_empty());
        assert!(unfit.notes[0].contains("part a of t memcpy has no instructions"));
        // Nobody shared them: the program is wrong.
        let error = with(&[whole, part, lost], "0").unwrap_err().to_string();
        assert!(error.contains("part a of t memcpy has no instructions"), "{error}");
    }

    #[test]
    fn a_label_without_its_quantity_is_refused() {
        assert!(measured("qemu").is_err());
        assert!(measured("moon").is_err());
        let report = "onewrite-report 1\nenv label: qemu-icount\n\
            sample t memcpy bytes=1 records=1 round=0 ns=5\nend OK lines=3";
        let report = protocol::parse(report).unwrap();
        assert!(document(report, Timestamp::now()).is_err());
    }
}
