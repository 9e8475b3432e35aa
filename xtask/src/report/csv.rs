//! Measurements for spreadsheets and scripts: one line for each quantity of each row.
//!
//! Numbers have a point and all their digits, whatever the locale says; what is no number is an
//! empty field. Lines end with a line feed.

use anyhow::{Context as _, Result};

use super::document::Document;
use super::statistics::Statistics;

/// The names in the first line.
pub(crate) const HEAD: [&str; 18] = [
    "label",
    "measured_at",
    "commit",
    "workload",
    "shape",
    "part",
    "bytes",
    "records",
    "sink_calls",
    "quantity",
    "rounds",
    "mean",
    "error",
    "stddev",
    "median",
    "min",
    "max",
    "p95",
];

/// All rows of all measurements; the parts of shapes have a median only.
pub(crate) fn render(documents: &[Document]) -> Result<String> {
    let mut lines = vec![HEAD.map(str::to_owned).to_vec()];
    for document in documents {
        let commit = document.environment.get("commit").unwrap_or_default();
        let start = |workload: &str, shape: &str, part: &str| {
            let label = document.label.as_str().to_owned();
            let date = document.measured_at.to_string();
            let names = [commit, workload, shape, part].map(str::to_owned);
            [vec![label, date], names.to_vec()].concat()
        };
        for row in &document.results {
            for (quantity, all) in row.quantities() {
                let mut line = start(&row.workload, &row.shape, "");
                line.extend([row.bytes.to_string(), row.records.to_string()]);
                line.push(row.sink_calls.map(|calls| calls.to_string()).unwrap_or_default());
                line.push(quantity.to_owned());
                line.extend(statistics(&all));
                lines.push(line);
            }
        }
        for part in &document.breakdown {
            let mut line = start(&part.workload, &part.shape, &part.part);
            line.extend(["", "", ""].map(str::to_owned));
            line.push(part.unit.name().to_owned());
            line.extend(["", "", "", ""].map(str::to_owned));
            line.push(number(part.amount));
            line.extend(["", "", ""].map(str::to_owned));
            lines.push(line);
        }
    }
    write(&lines)
}

/// Quotes where it has to.
pub(crate) fn write(lines: &[Vec<String>]) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for line in lines {
        writer.write_record(line)?;
    }
    let bytes = writer.into_inner().context("cannot end the CSV")?;
    Ok(String::from_utf8(bytes)?)
}

/// All digits, or nothing.
pub(crate) fn number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

fn statistics(all: &Statistics) -> Vec<String> {
    let mut line = vec![all.rounds.to_string()];
    let numbers = [
        all.mean,
        all.error,
        all.standard_deviation,
        all.median,
        all.min,
        all.max,
        all.percentile_95,
    ];
    line.extend(numbers.map(number));
    line
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::super::document::{Label, PartRow, Unit};
    use super::super::sample::document;
    use super::*;

    #[test]
    fn every_line_has_every_field_and_numbers_come_back() {
        let mut document = document(Label::Host, &[("in_place", 1.0 / 3.0), ("a,\"b\"", 2e-9)]);
        document.breakdown.push(PartRow {
            workload: "table".to_owned(),
            shape: "in_place".to_owned(),
            part: "strings".to_owned(),
            unit: Unit::Nanoseconds,
            amount: f64::NAN,
        });
        let text = render(std::slice::from_ref(&document)).unwrap();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        assert_eq!(reader.headers().unwrap(), HEAD.as_slice());
        let lines: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(lines.len(), 3);
        let ns = document.results[0].ns.unwrap();
        assert_eq!(lines[0][14].parse::<f64>().unwrap(), ns.median);
        assert_eq!(lines[0][11].parse::<f64>().unwrap(), ns.mean);
        assert_eq!(&lines[1][4], "a,\"b\"");
        assert_eq!((&lines[2][5], &lines[2][14]), ("strings", ""));
        assert!(text.contains("in_place,,200,10,,ns,5,0.3333"), "{text}");
    }
}
