//! Small documents for the tests of this module.

use super::document::{Document, Facts, Label, Row, Timestamp};
use super::statistics::Statistics;

/// A row without a quantity.
pub(crate) fn row(shape: &str, bytes: u64, records: u64) -> Row {
    let (workload, shape) = ("table".to_owned(), shape.to_owned());
    Row { workload, shape, bytes, records, ..Row::default() }
}

/// 200 bytes and 10 records in each shape; every quantity that the label has is the number, and
/// time has a spread of 1 % over five rounds.
pub(crate) fn document(label: Label, shapes: &[(&str, f64)]) -> Document {
    let results = shapes.iter().map(|&(shape, amount)| {
        let mut row = row(shape, 200, 10);
        if label.measures_time() {
            let spread = [0.99, 0.99, 1.0, 1.01, 1.01].map(|part| amount * part);
            row.ns = Statistics::of(&spread);
        } else {
            row.instructions = Statistics::of(&[amount; 3]);
        }
        row
    });
    let fact = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    Document {
        label,
        measured_at: at("2026-11-30T20:08:46Z"),
        environment: Facts::of(vec![
            fact("label", label.as_str()),
            fact("board", "a table in a test"),
            fact("rustc", "1.96.0"),
        ]),
        environment_after: Facts::default(),
        unfit: Vec::new(),
        results: results.collect(),
        breakdown: Vec::new(),
        notes: Vec::new(),
    }
}

/// A date of a test.
#[expect(clippy::expect_used, reason = "a constant of a test")]
pub(crate) fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).expect("a date")
}
