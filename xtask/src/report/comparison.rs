//! What changed against an earlier measurement, and how sure that is.
//!
//! Counts of an emulator are compared by their medians and are exact. Cycles and time are compared
//! by their means, with the 99.9 % confidence interval of the difference (Welch's). That interval
//! knows how much rounds of one run differ; it does not know what may differ between two runs as
//! a whole, such as where the program lies in memory.

use anyhow::{Result, bail};

use super::csv;
use super::document::{Document, Row, Unit};
use super::history::percent;
use super::page::{Column, Table, decimal};
use super::statistics::Statistics;

/// Every row that two measurements share, and what only one of them has.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    unit: Unit,
    /// The largest change for the worse that is accepted, as a part of 1.
    limit: f64,
    changes: Vec<Change>,
    /// Rows of the baseline that nothing was compared with, and why.
    missing: Vec<String>,
    /// Rows that only this measurement has, and facts that differ.
    remarks: Vec<String>,
}

/// The change of one row; amounts are for one record.
#[derive(Clone, Debug)]
struct Change {
    workload: String,
    shape: String,
    before: f64,
    now: f64,
    /// (now - before) / before.
    relative: f64,
    /// Where `relative` lies; none where that is not known.
    interval: Option<(f64, f64)>,
}

/// What a change is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Equal,
    Less,
    More,
    /// The interval reaches from less to more, or is not known.
    Unclear,
    BeyondLimit,
}

impl Comparison {
    /// Compares with an earlier measurement; `limit` is in per cent.
    ///
    /// # Errors
    ///
    /// Where the two must not be compared: labels or targets differ, one of them is unfit, or they
    /// share no row.
    pub(crate) fn of(before: &Document, now: &Document, limit: Option<f64>) -> Result<Self> {
        if before.label != now.label {
            bail!(
                "the baseline has numbers of {}, this measurement of {}: they are never compared",
                before.label.as_str(),
                now.label.as_str()
            );
        }
        if let Some((earlier, target)) = before.other_target(now) {
            bail!(
                "the baseline was built for {earlier}, this measurement for {target}: they are two \
                 programs, and never compared"
            );
        }
        for (name, document) in [("the baseline", before), ("this measurement", now)] {
            if !document.unfit.is_empty() {
                bail!("{name} is unfit for comparison: {}", document.unfit.join("; "));
            }
        }
        let mut remarks = differing_facts(before, now);
        let (mut changes, mut missing, mut common) = (Vec::new(), Vec::new(), None);
        for row in &now.results {
            let Some(earlier) = before.row(&row.workload, &row.shape) else {
                remarks.push(format!("only in this measurement: {} {}", row.workload, row.shape));
                continue;
            };
            match change(before, earlier, now, row) {
                Ok((unit, change)) if common.is_none_or(|common| common == unit) => {
                    common = Some(unit);
                    changes.push(change);
                }
                Ok((unit, _)) => missing.push(refused(row, &format!("it is in {}", unit.name()))),
                Err(reason) => missing.push(refused(row, &reason)),
            }
        }
        for row in &before.results {
            if now.row(&row.workload, &row.shape).is_none() {
                missing.push(format!("only in the baseline: {} {}", row.workload, row.shape));
            }
        }
        let Some(unit) = common else {
            missing.append(&mut remarks);
            bail!("nothing can be compared with the baseline: {}", missing.join("; "));
        };
        let limit = limit.unwrap_or(if unit.is_exact() { EXACT_LIMIT } else { SAMPLED_LIMIT });
        Ok(Self { unit, limit: limit / 100.0, changes, missing, remarks })
    }

    /// In words what came out.
    ///
    /// # Errors
    ///
    /// Where a row got worse by more than the limit, or a row of the baseline was not compared: what
    /// is no longer measured may have got worse as well. Names the rows.
    pub(crate) fn verdict(&self) -> Result<String> {
        let beyond: Vec<String> = self
            .changes
            .iter()
            .filter(|change| self.judge(change) == Verdict::BeyondLimit)
            .map(|change| {
                let Change { workload, shape, relative, .. } = change;
                format!("{workload} {shape} {}", percent(*relative))
            })
            .collect();
        let limit = self.limit * 100.0;
        let mut failures = Vec::new();
        if !beyond.is_empty() {
            let beyond = beyond.join(", ");
            failures.push(format!("beyond the limit of {limit} % over the baseline: {beyond}"));
        }
        if !self.missing.is_empty() {
            let (count, missing) = (self.missing.len(), self.missing.join("; "));
            let all = self.changes.len() + count;
            failures.push(format!(
                "of the baseline's {all} rows {count} could not be compared: {missing}"
            ));
        }
        if !failures.is_empty() {
            bail!("{}", failures.join("; "));
        }
        let count = self.changes.len();
        Ok(format!("compared with the baseline: {count}, none beyond the limit of {limit} %"))
    }

    /// A row for each that both measurements have.
    pub(crate) fn table(&self) -> Table {
        let columns = vec![
            Column::name("workload"),
            Column::name("shape"),
            Column::number("baseline", 2),
            Column::number("now", 1),
            Column::number("change", 0),
            Column::number(if self.unit.is_exact() { "rounds" } else { "99.9 % interval" }, 3),
            Column::name("verdict"),
        ];
        let title = format!("Change against the baseline, in {} per record", self.unit.name());
        let mut table = Table::new(&title, columns);
        for change in &self.changes {
            table.rows.push(vec![
                change.workload.clone(),
                change.shape.clone(),
                decimal(change.before, 2),
                decimal(change.now, 2),
                if change.relative.is_finite() {
                    percent(change.relative)
                } else {
                    "from zero".to_owned()
                },
                self.interval(change),
                self.judge(change).word().to_owned(),
            ]);
        }
        table
    }

    /// The same for programs: parts of 1 instead of percentages, and every digit.
    pub(crate) fn csv(&self) -> Result<String> {
        let head = [
            "workload", "shape", "quantity", "baseline", "now", "change", "low", "high", "verdict",
        ];
        let mut lines = vec![head.map(str::to_owned).to_vec()];
        for change in &self.changes {
            let (low, high) = change.interval.unwrap_or((f64::NAN, f64::NAN));
            let quantity = format!("{}_per_record", self.unit.name());
            let mut line = vec![change.workload.clone(), change.shape.clone(), quantity];
            let numbers = [change.before, change.now, change.relative, low, high];
            line.extend(numbers.map(csv::number));
            line.push(self.judge(change).word().to_owned());
            lines.push(line);
        }
        csv::write(&lines)
    }

    /// What could not be compared, and how to read the table.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = vec![format!(
            "{} per record, less is better; limit {} %",
            self.unit.name(),
            self.limit * 100.0
        )];
        notes.extend(self.missing.iter().chain(&self.remarks).cloned());
        notes
    }

    fn interval(&self, change: &Change) -> String {
        match change.interval {
            None => "unknown: one round".to_owned(),
            Some((low, high)) if low == high && self.unit.is_exact() => "exact".to_owned(),
            Some((low, high)) => format!("{} to {}", percent(low), percent(high)),
        }
    }

    fn judge(&self, change: &Change) -> Verdict {
        let relative = change.relative;
        if relative == 0.0 && self.unit.is_exact() {
            return Verdict::Equal;
        }
        // A count is what it is; an interval of samples has to leave zero out.
        let sure = self.unit.is_exact()
            || change.interval.is_some_and(|(low, high)| low > 0.0 || high < 0.0);
        match (sure, relative > 0.0) {
            (false, _) => Verdict::Unclear,
            (true, true) if relative > self.limit => Verdict::BeyondLimit,
            (true, true) => Verdict::More,
            (true, false) => Verdict::Less,
        }
    }
}

/// In per cent: what register allocation may do without anybody having done anything.
const EXACT_LIMIT: f64 = 1.0;
/// In per cent: what two runs on one quiet device may differ by.
const SAMPLED_LIMIT: f64 = 5.0;

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Less => "less",
            Self::More => "more",
            Self::Unclear => "no clear change",
            Self::BeyondLimit => "BEYOND LIMIT",
        }
    }
}

fn refused(row: &Row, reason: &str) -> String {
    format!("not compared: {} {}: {reason}", row.workload, row.shape)
}

/// The change of a row, or why there is none.
fn change(
    before: &Document,
    earlier: &Row,
    now: &Document,
    row: &Row,
) -> Result<(Unit, Change), String> {
    if (earlier.bytes, earlier.records) != (row.bytes, row.records) {
        return Err(format!(
            "{} bytes in {} records against {} in {} before",
            row.bytes, row.records, earlier.bytes, earlier.records
        ));
    }
    let of = |document: &Document, row: &Row| row.compared(document.label);
    let (Some((unit, old)), Some((other, new))) = (of(before, earlier), of(now, row)) else {
        return Err("it was not measured".to_owned());
    };
    if unit != other {
        return Err(format!("{} against {} before", other.name(), unit.name()));
    }
    let amount = |all: &Statistics| if unit.is_exact() { all.median } else { all.mean };
    let (from, to) = (amount(&old), amount(&new));
    if !(from.is_finite() && to.is_finite()) {
        return Err("it has no finite number".to_owned());
    }
    let relative = if to == from { 0.0 } else { (to - from) / from };
    let interval = if unit.is_exact() {
        Some(((new.min - old.max) / from, (new.max - old.min) / from))
    } else {
        let error = old.error_of_difference(&new).map(|error| error / from);
        error.map(|error| (relative - error, relative + error))
    };
    // Of zero against zero nothing can be divided.
    let interval =
        interval.map(|(low, high)| if from == 0.0 { (relative, relative) } else { (low, high) });
    let by = row.per_record();
    Ok((
        unit,
        Change {
            workload: row.workload.clone(),
            shape: row.shape.clone(),
            before: from / by,
            now: to / by,
            relative,
            interval,
        },
    ))
}

/// Facts that both state and state differently; hashes differ with every change.
fn differing_facts(before: &Document, now: &Document) -> Vec<String> {
    let pairs = now.environment.iter().filter_map(|(name, value)| {
        let earlier = before.environment.get(name)?;
        let hash = ["image", "program"].contains(&name);
        (earlier != value && !hash)
            .then(|| format!("{name} differs: {value}, in the baseline {earlier}"))
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::super::document::{Facts, Label};
    use super::super::sample::{document, row};
    use super::*;

    fn counted(amount: f64) -> Document {
        document(Label::QemuIcount, &[("in_place", amount), ("memcpy", 100.0)])
    }

    fn timed(amount: f64) -> Document {
        document(Label::Host, &[("in_place", amount)])
    }

    fn refusal(before: &Document, now: &Document) -> String {
        Comparison::of(before, now, None).unwrap_err().to_string()
    }

    fn words(comparison: &Comparison) -> Vec<String> {
        comparison.table().rows.iter().map(|row| row[6].clone()).collect()
    }

    #[test]
    fn exact_counts_change_exactly() {
        let compare = |now: f64, limit| Comparison::of(&counted(1000.0), &counted(now), limit);
        let same = compare(1000.0, None).unwrap();
        assert_eq!(words(&same), ["equal", "equal"]);
        assert!(same.verdict().is_ok());
        let more = compare(1010.0, None).unwrap();
        assert_eq!(more.table().rows[0][2..6], ["100.00", "101.00", "+1.00 %", "exact"]);
        assert_eq!(words(&more)[0], "more");
        assert!(more.verdict().is_ok());
        let beyond = compare(1011.0, None).unwrap();
        let error = beyond.verdict().unwrap_err().to_string();
        assert!(error.contains("limit of 1 %") && error.contains("in_place +1.10 %"), "{error}");
        assert!(!error.contains("memcpy"), "{error}");
        assert!(compare(1011.0, Some(2.0)).unwrap().verdict().is_ok());
        assert!(compare(1001.0, Some(0.0)).unwrap().verdict().is_err());
        assert_eq!(words(&compare(900.0, None).unwrap())[0], "less");
    }

    #[test]
    fn samples_change_beyond_the_limit_only_where_the_interval_is_clear() {
        let compare = |now: f64| Comparison::of(&timed(1000.0), &timed(now), None).unwrap();
        // Five rounds with a spread of 1 %: the difference is known to about 3 %.
        let near = compare(1020.0);
        assert_eq!(words(&near), ["no clear change"]);
        assert!(near.table().rows[0][5].starts_with('-'), "{:?}", near.table().rows);
        assert_eq!(words(&compare(1045.0)), ["more"]);
        assert_eq!(words(&compare(1060.0)), ["BEYOND LIMIT"]);
        assert!(compare(1060.0).verdict().is_err());
        assert_eq!(words(&compare(900.0)), ["less"]);
    }

    #[test]
    fn a_noisy_run_proves_nothing() {
        let mut noisy = timed(1000.0);
        noisy.results[0].ns = Statistics::of(&[500.0, 700.0, 1000.0, 1600.0, 1900.0]);
        let comparison = Comparison::of(&timed(1000.0), &noisy, None).unwrap();
        assert_eq!(words(&comparison), ["no clear change"]);
        noisy.results[0].ns = Statistics::of(&[2000.0]);
        let comparison = Comparison::of(&timed(1000.0), &noisy, None).unwrap();
        assert_eq!(words(&comparison), ["no clear change"]);
        assert_eq!(comparison.table().rows[0][5], "unknown: one round");
    }

    #[test]
    fn what_must_not_be_compared_is_refused() {
        let error = refusal(&counted(1.0), &timed(1.0));
        assert!(error.contains("qemu-icount") && error.contains("of host"), "{error}");
        let mut unfit = timed(1.0);
        unfit.unfit.push("the clock moved".to_owned());
        let error = refusal(&unfit, &timed(1.0));
        assert!(
            error.contains("the baseline is unfit") && error.contains("clock moved"),
            "{error}"
        );
        assert!(refusal(&timed(1.0), &unfit).contains("this measurement is unfit"));
    }

    #[test]
    fn rows_of_one_side_and_of_other_bytes_are_named() {
        let (mut before, mut now) = (counted(1000.0), counted(1000.0));
        before.results[1].shape = "gone".to_owned();
        now.results[1].shape = "new".to_owned();
        let comparison = Comparison::of(&before, &now, None).unwrap();
        let notes = comparison.notes().join("\n");
        assert!(notes.contains("only in the baseline: table gone"), "{notes}");
        assert!(notes.contains("only in this measurement: table new"), "{notes}");
        let error = comparison.verdict().unwrap_err().to_string();
        assert!(
            error.contains("2 rows 1 could not be compared: only in the baseline: table gone"),
            "{error}"
        );
        assert!(!error.contains("table new") && !error.contains("beyond"), "{error}");
        now.results[0].bytes = 201;
        let error = refusal(&before, &now);
        assert!(error.contains("201 bytes in 10 records against 200 in 10 before"), "{error}");
    }

    #[test]
    fn a_row_of_the_baseline_that_is_not_compared_is_a_failure() {
        let before = counted(1000.0);
        // New ones are not.
        let mut now = counted(1000.0);
        now.results.push(row("new", 200, 10));
        now.results[2].instructions = now.results[0].instructions;
        assert!(Comparison::of(&before, &now, None).unwrap().verdict().is_ok());
        now.results[1].records = 11;
        let error = Comparison::of(&before, &now, None).unwrap().verdict().unwrap_err();
        assert!(error.to_string().contains("table memcpy: 200 bytes in 11 records"), "{error}");
        // Both reasons are said.
        now.results[0].instructions = Statistics::of(&[2000.0]);
        let error = Comparison::of(&before, &now, None).unwrap().verdict().unwrap_err();
        let error = error.to_string();
        assert!(error.contains("in_place +100.00 %") && error.contains("memcpy"), "{error}");
    }

    #[test]
    fn two_targets_are_two_programs() {
        let on = |target: &str| {
            let mut document = counted(1000.0);
            let fact = ("target".to_owned(), target.to_owned());
            document.environment = Facts::of(vec![fact]);
            document
        };
        let (bare, linux) = (on("aarch64-unknown-none"), on("aarch64-unknown-linux-gnu"));
        let error = refusal(&bare, &linux);
        assert!(error.contains("for aarch64-unknown-none, this"), "{error}");
        assert!(error.contains("for aarch64-unknown-linux-gnu: they"), "{error}");
        assert!(Comparison::of(&bare, &bare, None).is_ok());
        // Who says nothing is not refused.
        assert!(Comparison::of(&counted(1000.0), &bare, None).is_ok());
    }

    #[test]
    fn zero_and_no_number_are_neither_equal_nor_a_crash() {
        let zero = Comparison::of(&counted(0.0), &counted(0.0), None).unwrap();
        assert_eq!(words(&zero)[0], "equal");
        let from_zero = Comparison::of(&counted(0.0), &counted(5.0), None).unwrap();
        assert_eq!(words(&from_zero)[0], "BEYOND LIMIT");
        assert_eq!(from_zero.table().rows[0][4], "from zero");
        let mut none = counted(1.0);
        none.results[0].instructions = Statistics::of(&[f64::NAN]);
        let comparison = Comparison::of(&none, &counted(1.0), None).unwrap();
        let notes = comparison.notes().join("\n");
        assert!(notes.contains("table in_place: it has no finite number"), "{notes}");
        assert!(comparison.verdict().is_err());
    }

    #[test]
    fn facts_that_differ_are_said() {
        let mut now = counted(1.0);
        let fact = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        now.environment = Facts::of(vec![fact("rustc", "1.97.0"), fact("image", "x")]);
        let notes = Comparison::of(&counted(1.0), &now, None).unwrap().notes().join("\n");
        assert!(notes.contains("rustc differs: 1.97.0, in the baseline 1.96.0"), "{notes}");
        assert!(!notes.contains("image"), "{notes}");
    }

    #[test]
    fn rows_in_two_units_are_not_one_table() {
        let mut both = timed(1000.0);
        both.label = Label::Pi;
        let mut other = row("stream", 200, 10);
        other.cycles = both.results[0].ns;
        both.results.push(other);
        let comparison = Comparison::of(&both, &both, None).unwrap();
        assert_eq!(comparison.changes.len(), 1);
        assert!(comparison.notes().join("\n").contains("table stream: it is in cycles"));
    }
}
