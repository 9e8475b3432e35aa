//! What a rendering shows: facts, tables, remarks. The renderings differ only in their characters.

use super::comparison::Comparison;
use super::document::{BASE_SHAPE, Document, LIMIT_SHAPE, Row};
use super::history::History;
use super::measure::Measure;
use super::statistics::Statistics;

/// A page from top to bottom.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    /// What the page is about.
    pub(crate) title: String,
    /// Names and values.
    pub(crate) facts: Vec<(String, String)>,
    /// What a reader has to know before the numbers.
    pub(crate) warnings: Vec<String>,
    pub(crate) tables: Vec<Table>,
    /// Remarks, below.
    pub(crate) notes: Vec<String>,
}

/// Rows of cells under heads; a cell without a value is empty.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// What stands in a column.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) head: String,
    pub(crate) kind: Kind,
    /// Where there is no room, the column of the highest rank goes first; 0 stays.
    pub(crate) rank: usize,
}

/// Names stand to the left, numbers to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Name,
    Number,
}

impl Page {
    /// The tables of one measurement.
    pub(crate) fn of(document: &Document) -> Self {
        let mut facts = vec![("label".to_owned(), document.label.as_str().to_owned())];
        facts.push(("measured at".to_owned(), document.measured_at.to_string()));
        let before = document.environment.iter().filter(|&(name, _)| name != "label");
        facts.extend(before.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let after = document.environment_after.iter();
        facts.extend(after.map(|(name, value)| (format!("{name} afterwards"), value.to_owned())));
        let all = [counts(document), times(document), events(document), breakdown(document)];
        Self {
            title: format!("onewrite throughput, {}", document.label.as_str()),
            facts,
            warnings: unfit(document),
            tables: all.into_iter().filter(|table| !table.rows.is_empty()).collect(),
            notes: document.notes.clone(),
        }
    }

    /// Several measurements side by side.
    pub(crate) fn of_history(history: &History) -> Self {
        let label = history.label.as_str();
        Self {
            title: format!("onewrite throughput over {} runs, {label}", history.runs.len()),
            facts: vec![("label".to_owned(), label.to_owned())],
            warnings: history.warnings(),
            tables: vec![history.runs_table(), history.values_table()],
            notes: history.notes(),
        }
    }

    /// Adds what a comparison found.
    pub(crate) fn compare(&mut self, comparison: &Comparison) {
        self.tables.push(comparison.table());
        self.notes.extend(comparison.notes());
    }
}

impl Table {
    pub(crate) fn new(title: &str, columns: Vec<Column>) -> Self {
        Self { title: title.to_owned(), columns, rows: Vec::new() }
    }

    /// The columns in which at least one row has something.
    pub(crate) fn filled(&self) -> Vec<usize> {
        let used =
            |&at: &usize| self.rows.iter().any(|row| row.get(at).is_some_and(|c| !c.is_empty()));
        (0..self.columns.len()).filter(used).collect()
    }
}

impl Column {
    /// A column that names rows.
    pub(crate) fn name(head: &str) -> Self {
        Self { head: head.to_owned(), kind: Kind::Name, rank: 0 }
    }

    /// A column of numbers.
    pub(crate) fn number(head: &str, rank: usize) -> Self {
        Self { head: head.to_owned(), kind: Kind::Number, rank }
    }
}

/// Why the numbers are no basis for a comparison, as warnings.
pub(crate) fn unfit(document: &Document) -> Vec<String> {
    document.unfit.iter().map(|reason| format!("unfit for comparison: {reason}")).collect()
}

/// A number with so many decimals; what is none is said so.
pub(crate) fn decimal(number: f64, decimals: usize) -> String {
    if number.is_finite() { format!("{number:.decimals$}") } else { "none".to_owned() }
}

fn names(row: &Row) -> Vec<String> {
    vec![row.workload.clone(), row.shape.clone()]
}

fn counts(document: &Document) -> Table {
    let mut table = Table::new(
        "Counts",
        vec![
            Column::name("workload"),
            Column::name("shape"),
            Column::number("bytes", 5),
            Column::number("records", 6),
            Column::number("calls", 4),
            Column::number("instr/record", 0),
            Column::number("instr/byte", 3),
            Column::number("cycles/record", 0),
            Column::number("cycles/byte", 3),
            Column::number("x memcpy", 2),
            Column::number("less than field_dyn", 1),
        ],
    );
    let each = |statistics: Option<Statistics>, by: f64| {
        statistics.map(|all| decimal(all.median / by, 2)).unwrap_or_default()
    };
    let times = |ratio: Option<f64>| ratio.map(|ratio| format!("{ratio:.2}x")).unwrap_or_default();
    for row in &document.results {
        let mut line = names(row);
        line.extend([
            row.bytes.to_string(),
            row.records.to_string(),
            row.sink_calls.map(|calls| calls.to_string()).unwrap_or_default(),
            each(row.instructions, row.per_record()),
            each(row.instructions, row.per_byte()),
            each(row.cycles, row.per_record()),
            each(row.cycles, row.per_byte()),
            times(document.ratio(row, LIMIT_SHAPE)),
            times(document.ratio(row, BASE_SHAPE).map(|ratio| 1.0 / ratio)),
        ]);
        table.rows.push(line);
    }
    table
}

fn times(document: &Document) -> Table {
    let mut table = Table::new(
        "Time of one repetition in nanoseconds, and 10^6 bytes of output a second",
        vec![
            Column::name("workload"),
            Column::name("shape"),
            Column::number("mean ns", 0),
            Column::number("error", 0),
            Column::number("MB/s", 0),
            Column::number("stddev", 3),
            Column::number("median", 5),
            Column::number("min", 6),
            Column::number("max", 7),
            Column::number("p95", 8),
            Column::number("ns/record", 1),
            Column::number("ns/byte", 4),
            Column::number("rounds", 2),
        ],
    );
    for row in &document.results {
        let Some(ns) = row.ns else { continue };
        let mut line = names(row);
        line.extend([ns.mean, ns.error].map(|value| decimal(value, 1)));
        let throughput = Measure::Throughput.value(row);
        line.push(throughput.map(|value| decimal(value.center, 1)).unwrap_or_default());
        let all = [ns.standard_deviation, ns.median, ns.min, ns.max];
        line.extend(all.map(|value| decimal(value, 1)));
        line.push(decimal(ns.percentile_95, 1));
        line.push(decimal(ns.median / row.per_record(), 2));
        line.push(decimal(ns.median / row.per_byte(), 3));
        line.push(ns.rounds.to_string());
        table.rows.push(line);
    }
    table
}

/// What the counters of a device say besides.
fn events(document: &Document) -> Table {
    let mut table = Table::new(
        "Events a record",
        vec![
            Column::name("workload"),
            Column::name("shape"),
            Column::number("L1D refills", 0),
            Column::number("L2 refills", 1),
            Column::number("branch misses", 2),
            Column::number("bus accesses", 3),
        ],
    );
    for row in &document.results {
        let all = [row.l1d_refills, row.l2_refills, row.branch_misses, row.bus_accesses];
        if all.iter().all(Option::is_none) {
            continue;
        }
        let mut line = names(row);
        line.extend(all.map(|events| {
            events.map(|events| decimal(events.median / row.per_record(), 4)).unwrap_or_default()
        }));
        table.rows.push(line);
    }
    table
}

fn breakdown(document: &Document) -> Table {
    let unit = document.breakdown.first().map_or("", |part| part.unit.name());
    let mut table = Table::new(
        "Parts of a shape",
        vec![
            Column::name("workload"),
            Column::name("shape"),
            Column::name("part"),
            Column::number(unit, 1),
            Column::number("a record", 0),
        ],
    );
    for part in &document.breakdown {
        let records = document.row(&part.workload, &part.shape).map_or(1.0, Row::per_record);
        table.rows.push(vec![
            part.workload.clone(),
            part.shape.clone(),
            part.part.clone(),
            decimal(part.amount, 1),
            decimal(part.amount / records, 2),
        ]);
    }
    table
}
