//! Tables of a measurement: one for each workload and place, and the bars.

use super::bars;
use super::document::{Document, Effort, Row};
use crate::report::page::{Column, Page, Table, decimal};

pub(crate) fn of(document: &Document) -> Page {
    let Effort { rounds, sample_us, seed } = document.effort;
    let mut facts = vec![
        ("label".to_owned(), "host (time), qemu-count (A53 instructions)".to_owned()),
        ("measured at".to_owned(), document.measured_at.to_string()),
        ("rounds".to_owned(), format!("{rounds} of samples of {sample_us} us, --seed {seed}")),
    ];
    let fact = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    facts.extend(document.environment.iter().filter(|(name, _)| *name != "label").map(fact));
    let after = document.environment_after.iter();
    // Only what has moved.
    let moved = after.filter(|&(name, value)| document.environment.get(name) != Some(value));
    facts.extend(moved.map(|(name, value)| (format!("{name} afterwards"), value.to_owned())));
    let mut tables: Vec<Table> = Vec::new();
    tables.extend(bars::table(document));
    for (workload, place) in document.groups() {
        let rows =
            document.rows.iter().filter(|row| row.workload == workload && row.place == place);
        tables.push(group(document, &rows.collect::<Vec<_>>()));
    }
    Page {
        title: "onewrite beside other serializers".to_owned(),
        facts,
        warnings: Vec::new(),
        tables,
        notes: NOTES.map(str::to_owned).into(),
    }
}

const NOTES: [&str; 8] = [
    "time: nanoseconds of the processor a record, of one thread, in the kernel as well; error is half \
     of the 99.9 % confidence interval of the mean",
    "instructions: a record, in user mode, exact; x86-64 by callgrind, A53 by QEMU's plugin, with \
     glibc's memcpy in both",
    "glibc is kept from `rep movsb` while callgrind counts, which takes each byte of it for an \
     instruction: it copies by the vectors that the machine has",
    "x base: over the row marked =; of times the mean of the ratios within the rounds, with half of its \
     99.9 % confidence interval",
    "!: time and a count disagree on who is ahead of the base; not to be quoted",
    "wire: same, the bytes of the workload; same+N, the same behind a count of N bytes; own, the peer's \
     own format",
    "places: memory, a slice; dyn, a slice behind an opaque dyn Write; pipe, a pipe behind the same, \
     which is emptied when it is half full, outside of what is timed",
    "shapes ending in -buffer need a buffer for a whole message, those ending in -held keep the \
     records in their wire form",
];

fn group(document: &Document, rows: &[&Row]) -> Table {
    let title = rows.first().map_or_else(String::new, |row| {
        format!("{}, {}: {} records", row.workload, row.place, row.records)
    });
    let mut table = Table::new(
        &title,
        vec![
            Column::name(""),
            Column::name("shape"),
            Column::name("wire"),
            Column::number("bytes", 5),
            Column::number("mean ns", 0),
            Column::number("error", 2),
            Column::number("StdDev", 6),
            Column::number("median", 0),
            Column::number("min", 4),
            Column::number("p95", 7),
            Column::number("MB/s", 8),
            Column::number("x base", 0),
            Column::number("+-", 3),
            Column::number("x86 instr", 0),
            Column::number("x base x86", 9),
            Column::number("A53 instr", 0),
            Column::number("x base A53", 1),
            Column::number("allocs", 10),
        ],
    );
    for row in rows {
        table.rows.push(line(document, row));
    }
    table
}

fn line(document: &Document, row: &Row) -> Vec<String> {
    let by = row.per_record();
    let mark = if row.baseline {
        "="
    } else if document.is_doubtful(row) {
        "!"
    } else {
        ""
    };
    let ns = row.ns;
    let times = [ns.mean, ns.error, ns.standard_deviation, ns.median, ns.min, ns.percentile_95];
    let base = document.baseline(row);
    let over =
        |this: f64, base: Option<f64>| base.map(|base| decimal(this / base, 2)).unwrap_or_default();
    let mut words =
        vec![mark.to_owned(), row.shape.clone(), row.wire.clone(), row.bytes.to_string()];
    words.extend(times.map(|time| decimal(time / by, 3)));
    words.push(decimal(row.throughput(), 0));
    words.push(row.ratio.map(|ratio| decimal(ratio.mean, 2)).unwrap_or_default());
    words.push(row.ratio.map(|ratio| decimal(ratio.error, 2)).unwrap_or_default());
    words.push(decimal(row.instructions / by, 2));
    words.push(over(row.instructions, base.map(|base| base.instructions)));
    words.push(decimal(row.a53_instructions / by, 2));
    words.push(over(row.a53_instructions, base.map(|base| base.a53_instructions)));
    words.push(row.allocations.to_string());
    words
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::super::document::tests::{document, row};
    use super::*;
    use crate::report::markdown;

    #[test]
    fn a_row_says_everything_for_one_record_and_is_marked() {
        let rows = vec![row("onewrite", 100.0, [50.0, 60.0]), row("slower", 200.0, [40.0, 90.0])];
        let text = markdown::render(&of(&document(rows)));
        assert!(text.contains("| = | onewrite | same | 200 | 10.000 |"), "{text}");
        let doubtful = text.lines().find(|line| line.starts_with("| ! | slower")).unwrap();
        let cells: Vec<&str> = doubtful.split('|').map(str::trim).collect();
        // mean, MB/s, ratio, instructions
        assert_eq!((cells[5], cells[11], cells[12]), ("20.000", "1000", "2.00"));
        assert_eq!(&cells[14..18], ["4.00", "0.80", "9.00", "1.50"]);
    }
}
