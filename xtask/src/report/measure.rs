//! What a plot and a history show of a row: throughput where there is time, else a count a record.

use anyhow::{Result, bail};

use super::document::{Document, Row, Unit};
use super::statistics::Statistics;

/// The quantity that is drawn; one for everything in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// Output in 10^6 bytes a second.
    Throughput,
    /// A count or a time for each record.
    PerRecord(Unit),
}

/// A value and the interval around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Value {
    pub(crate) center: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Measure {
    /// What all rows of all documents have.
    pub(crate) fn of(documents: &[Document]) -> Result<Self> {
        let Some(first) = documents.first() else { bail!("no measurement") };
        let mut rows = documents.iter().flat_map(|document| &document.results);
        if first.label.measures_time() && rows.clone().all(|row| row.ns.is_some()) {
            return Ok(Self::Throughput);
        }
        let unit = |row: &Row| row.compared(first.label).map(|(unit, _)| unit);
        let Some(Some(common)) = rows.next().map(unit) else { bail!("no result to show") };
        if rows.any(|row| unit(row) != Some(common)) {
            bail!("some results are in {}, some are not: no common axis", common.name());
        }
        Ok(Self::PerRecord(common))
    }

    /// None where the row does not have it.
    pub(crate) fn value(self, row: &Row) -> Option<Value> {
        match self {
            Self::Throughput => row.ns.map(|ns| throughput(row.bytes, ns)),
            Self::PerRecord(Unit::Instructions) => row.instructions.map(|all| count(row, all)),
            Self::PerRecord(Unit::Cycles) => row.cycles.map(|all| mean(row, all)),
            Self::PerRecord(Unit::Nanoseconds) => row.ns.map(|all| mean(row, all)),
        }
    }

    /// With its unit.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Throughput => "throughput in MB/s (10^6 bytes a second)",
            Self::PerRecord(Unit::Instructions) => "instructions per record",
            Self::PerRecord(Unit::Cycles) => "cycles per record",
            Self::PerRecord(Unit::Nanoseconds) => "nanoseconds per record",
        }
    }

    /// Which direction is good.
    pub(crate) fn direction(self) -> &'static str {
        match self {
            Self::Throughput => "more is better",
            Self::PerRecord(_) => "less is better",
        }
    }

    /// What value and interval are.
    pub(crate) fn legend(self) -> &'static str {
        match self {
            Self::PerRecord(Unit::Instructions) => {
                "value: median of the rounds; whiskers: smallest and largest round (none where all \
                 rounds are equal)"
            }
            Self::Throughput | Self::PerRecord(_) => {
                "value: mean of the rounds; whiskers: 99.9 % confidence interval of the mean"
            }
        }
    }
}

/// Of mean and confidence interval; an interval that reaches no time has no upper end.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn throughput(bytes: u64, ns: Statistics) -> Value {
    let rate = |ns: f64| if ns > 0.0 { bytes as f64 * 1000.0 / ns } else { f64::INFINITY };
    Value { center: rate(ns.mean), low: rate(ns.mean + ns.error), high: rate(ns.mean - ns.error) }
}

/// Counts are exact; what the rounds do differently is shown whole.
fn count(row: &Row, all: Statistics) -> Value {
    let by = row.per_record();
    Value { center: all.median / by, low: all.min / by, high: all.max / by }
}

fn mean(row: &Row, all: Statistics) -> Value {
    let by = row.per_record();
    let (low, high) = (all.mean - all.error, all.mean + all.error);
    Value { center: all.mean / by, low: low.max(0.0) / by, high: high / by }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::super::sample::{document, row};
    use super::*;
    use crate::report::document::Label;

    #[test]
    fn throughput_is_bytes_by_time() {
        let mut row = row("a", 200, 10);
        row.ns = Statistics::of(&[90.0, 100.0, 110.0]);
        let value = Measure::Throughput.value(&row).unwrap();
        // 200 bytes in 100 ns are 2 bytes a nanosecond.
        assert_eq!(value.center, 2000.0);
        assert!(value.low < 2000.0 && value.low > 0.0);
        // 31.6 * 10 / sqrt(3) is more than the mean.
        assert_eq!(value.high, f64::INFINITY);
    }

    #[test]
    fn the_measure_follows_label_and_quantities() {
        let mut host = document(Label::Host, &[("a", 100.0)]);
        assert_eq!(Measure::of(&[host.clone()]).unwrap(), Measure::Throughput);
        host.label = Label::Pi;
        for row in &mut host.results {
            row.cycles = row.ns.take();
        }
        assert_eq!(Measure::of(&[host]).unwrap(), Measure::PerRecord(Unit::Cycles));
        let counted = document(Label::QemuIcount, &[("a", 100.0)]);
        assert_eq!(Measure::of(&[counted]).unwrap(), Measure::PerRecord(Unit::Instructions));
        assert!(Measure::of(&[]).is_err());
    }

    #[test]
    fn counts_show_every_round() {
        let mut row = row("a", 200, 10);
        row.instructions = Statistics::of(&[100.0, 120.0, 500.0]);
        let value = Measure::PerRecord(Unit::Instructions).value(&row).unwrap();
        assert_eq!((value.center, value.low, value.high), (12.0, 10.0, 50.0));
    }
}
