//! Several measurements in the order of their dates.

use anyhow::{Result, bail};

use super::document::{Document, Label};
use super::measure::{Measure, Value};
use super::page::{Column, Table, decimal, unfit};

/// Runs of one label, oldest first.
#[derive(Clone, Debug)]
pub(crate) struct History {
    pub(crate) label: Label,
    pub(crate) measure: Measure,
    pub(crate) runs: Vec<Document>,
}

/// One workload in one shape over the runs.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) workload: String,
    pub(crate) shape: String,
    /// One for each run; none where it was not measured.
    pub(crate) values: Vec<Option<Value>>,
    /// Bytes of output in each run; runs that differ do not measure the same thing.
    bytes: Vec<Option<u64>>,
}

impl History {
    /// Sorts by date; runs of different labels or targets have no common history.
    pub(crate) fn of(mut runs: Vec<Document>) -> Result<Self> {
        runs.sort_by_key(|run| run.measured_at);
        let Some(first) = runs.first() else { bail!("no measurement") };
        let label = first.label;
        if let Some(other) = runs.iter().find(|run| run.label != label) {
            bail!(
                "numbers of {} and {} are never shown together: name files of one label",
                label.as_str(),
                other.label.as_str()
            );
        }
        // Not with the first one only: that may be silent.
        let pairs = runs.iter().enumerate().flat_map(|(index, run)| {
            runs.iter().skip(index + 1).filter_map(move |other| run.other_target(other))
        });
        if let Some((one, other)) = pairs.into_iter().next() {
            bail!(
                "programs for {one} and for {other} are never shown together: name files of one \
                 target"
            );
        }
        let measure = Measure::of(&runs)?;
        Ok(Self { label, measure, runs })
    }

    /// In the order in which the rows first appear.
    pub(crate) fn series(&self) -> Vec<Series> {
        let mut names: Vec<(&str, &str)> = Vec::new();
        for row in self.runs.iter().flat_map(|run| &run.results) {
            let name = (row.workload.as_str(), row.shape.as_str());
            if !names.contains(&name) {
                names.push(name);
            }
        }
        // What is of one workload stands together.
        let first = |workload: &str| names.iter().position(|&(other, _)| other == workload);
        let mut sorted = names.clone();
        sorted.sort_by_key(|&(workload, _)| first(workload));
        let series = |(workload, shape): (&str, &str)| {
            let rows = || self.runs.iter().map(|run| run.row(workload, shape));
            Series {
                workload: workload.to_owned(),
                shape: shape.to_owned(),
                values: rows().map(|row| self.measure.value(row?)).collect(),
                bytes: rows().map(|row| row.map(|row| row.bytes)).collect(),
            }
        };
        sorted.into_iter().map(series).collect()
    }

    /// What tells the runs apart.
    pub(crate) fn runs_table(&self) -> Table {
        let head = |name: &str, rank| Column { rank, ..Column::name(name) };
        let columns = vec![
            head("run", 0),
            head("measured at", 0),
            head("commit", 1),
            head("rustc", 2),
            head("board", 3),
        ];
        let mut table = Table::new("Runs", columns);
        for (index, run) in self.runs.iter().enumerate() {
            let fact = |name| run.environment.get(name).unwrap_or_default().to_owned();
            table.rows.push(vec![
                number(index),
                run.measured_at.to_string(),
                fact("commit"),
                fact("rustc"),
                fact("board"),
            ]);
        }
        table
    }

    /// A row for each series, a column for each run, and what came of it.
    pub(crate) fn values_table(&self) -> Table {
        let mut columns = vec![Column::name("workload"), Column::name("shape")];
        let count = self.runs.len();
        for index in 0..count {
            // The newest stays, the older a run is the sooner it goes.
            let rank = if index + 1 == count { 0 } else { count - index };
            columns.push(Column::number(&number(index), rank));
        }
        columns.push(Column::number("last to first", 1));
        let mut table = Table::new(&title(self.measure), columns);
        for series in self.series() {
            let mut line = vec![series.workload.clone(), series.shape.clone()];
            let shown = |value: &Option<Value>| value.map(|value| decimal(value.center, 2));
            line.extend(series.values.iter().map(|value| shown(value).unwrap_or_default()));
            line.push(series.change().map(percent).unwrap_or_default());
            table.rows.push(line);
        }
        table
    }

    /// The runs that are unfit.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let runs = self.runs.iter().enumerate();
        let lines = runs.flat_map(|(index, run)| {
            unfit(run).into_iter().map(move |line| format!("run {}: {line}", number(index)))
        });
        lines.collect()
    }

    /// What is not the same in all runs.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = vec![format!("{}; {}", self.measure.direction(), self.measure.legend())];
        for series in self.series() {
            let mut sizes: Vec<u64> = series.bytes.iter().copied().flatten().collect();
            sizes.sort_unstable();
            sizes.dedup();
            if let [smallest, .., largest] = sizes.as_slice() {
                notes.push(format!(
                    "{} {} is not the same in all runs: {smallest} to {largest} bytes",
                    series.workload, series.shape
                ));
            }
        }
        notes
    }
}

impl Series {
    /// The newest value relative to the oldest, less one.
    fn change(&self) -> Option<f64> {
        let known = |value: &&Option<Value>| value.is_some_and(|value| value.center.is_finite());
        let mut values = self.values.iter().filter(known).flatten();
        let first = values.next()?;
        let last = values.next_back()?;
        (first.center > 0.0).then(|| last.center / first.center - 1.0)
    }
}

/// A heading: the measure with a capital.
pub(crate) fn title(measure: Measure) -> String {
    let title = measure.title();
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// The name of a run in tables and plots.
pub(crate) fn number(index: usize) -> String {
    format!("#{}", index + 1)
}

/// A part as a signed percentage; what rounds to nothing has no sign.
pub(crate) fn percent(part: f64) -> String {
    let percent = part * 100.0;
    if percent.abs() < 0.005 { "0.00 %".to_owned() } else { format!("{percent:+.2} %") }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::super::sample::{at, document};
    use super::*;

    fn run(date: &str, amount: f64) -> Document {
        let mut run = document(Label::QemuIcount, &[("in_place", amount)]);
        run.measured_at = at(date);
        run
    }

    #[test]
    fn runs_are_sorted_by_date_and_the_change_is_last_to_first() {
        let runs = vec![run("2026-12-02T00:00:00Z", 550.0), run("2026-11-01T00:00:00Z", 500.0)];
        let history = History::of(runs).unwrap();
        let table = history.values_table();
        assert_eq!(table.rows[0], ["table", "in_place", "50.00", "55.00", "+10.00 %"]);
        assert_eq!(history.runs_table().rows[0][1], "2026-11-01T00:00:00Z");
    }

    #[test]
    fn a_row_that_a_run_lacks_is_a_gap() {
        let mut first = run("2026-11-01T00:00:00Z", 500.0);
        first.results.push(super::super::sample::row("other", 1, 1));
        first.results[1].instructions = first.results[0].instructions;
        let history = History::of(vec![first, run("2026-11-02T00:00:00Z", 500.0)]).unwrap();
        let series = history.series();
        assert_eq!(series[1].shape, "other");
        assert!(series[1].values[0].is_some() && series[1].values[1].is_none());
        assert_eq!(history.values_table().rows[1][4], "");
    }

    #[test]
    fn labels_are_never_mixed() {
        let host = document(Label::Host, &[("in_place", 1.0)]);
        let error = History::of(vec![run("2026-11-01T00:00:00Z", 1.0), host]).unwrap_err();
        assert!(error.to_string().contains("never shown together"), "{error}");
    }

    #[test]
    fn targets_are_never_mixed() {
        let on = |date: &str, target: &str| {
            let mut run = run(date, 1.0);
            let fact = ("target".to_owned(), target.to_owned());
            run.environment = super::super::document::Facts::of(vec![fact]);
            run
        };
        let silent = run("2026-11-01T00:00:00Z", 1.0);
        let bare = on("2026-11-02T00:00:00Z", "aarch64-unknown-none");
        let linux = on("2026-11-03T00:00:00Z", "aarch64-unknown-linux-gnu");
        assert!(History::of(vec![silent.clone(), bare.clone(), bare.clone()]).is_ok());
        let error = History::of(vec![silent, bare, linux]).unwrap_err().to_string();
        assert!(error.contains("aarch64-unknown-none and for aarch64-unknown-linux"), "{error}");
    }

    #[test]
    fn other_bytes_are_said() {
        let mut second = run("2026-11-02T00:00:00Z", 1.0);
        second.results[0].bytes = 201;
        let history = History::of(vec![run("2026-11-01T00:00:00Z", 1.0), second]).unwrap();
        assert!(history.notes()[1].contains("200 to 201 bytes"), "{:?}", history.notes());
    }
}
