//! What is promised of these measurements, and whether it is so.

use super::document::{Document, Row};
use crate::report::page::{Column, Table, decimal};

/// A row against another one.
struct Bar {
    what: &'static str,
    /// Workload, place and shape.
    ours: [&'static str; 3],
    theirs: [&'static str; 3],
    quantity: Quantity,
    limit: Limit,
}

#[derive(Clone, Copy)]
enum Quantity {
    /// The mean of all rounds.
    Time,
    A53,
    X86,
}

#[derive(Clone, Copy)]
enum Limit {
    /// Theirs are at least so many times ours.
    AtLeast(f64),
    /// Ours are at most so many times theirs.
    AtMost(f64),
    /// Ours are at most so many more a record.
    More(f64),
}

const DYN: [&str; 3] = ["frames-512", "dyn", "onewrite"];
const FRAMES: [&str; 3] = ["frames-4096", "memory", "onewrite"];
const EDITS: [&str; 3] = ["edits-4096", "memory", "onewrite"];
const TEMPLATE: [&str; 3] = ["response", "memory", "onewrite-template"];

const BARS: [Bar; 11] = [
    Bar {
        what: "behind dyn, 512 frames, bincode 2",
        ours: DYN,
        theirs: ["frames-512", "dyn", "bincode"],
        quantity: Quantity::Time,
        limit: Limit::AtLeast(5.0),
    },
    Bar {
        what: "behind dyn, 512 frames, postcard",
        ours: DYN,
        theirs: ["frames-512", "dyn", "postcard"],
        quantity: Quantity::Time,
        limit: Limit::AtLeast(5.0),
    },
    Bar {
        what: "behind dyn, 512 frames, minicbor",
        ours: DYN,
        theirs: ["frames-512", "dyn", "minicbor"],
        quantity: Quantity::Time,
        limit: Limit::AtLeast(10.0),
    },
    Bar {
        what: "20-byte records, copy of the bytes",
        ours: FRAMES,
        theirs: ["frames-4096", "memory", "memcpy"],
        quantity: Quantity::A53,
        limit: Limit::AtMost(3.0),
    },
    Bar {
        what: "16-byte records, copy of the bytes",
        ours: EDITS,
        theirs: ["edits-4096", "memory", "memcpy"],
        quantity: Quantity::A53,
        limit: Limit::AtMost(1.5),
    },
    Bar {
        what: "template, core::fmt",
        ours: TEMPLATE,
        theirs: ["response", "memory", "core-fmt"],
        quantity: Quantity::Time,
        limit: Limit::AtLeast(15.0),
    },
    Bar {
        what: "template, core::fmt",
        ours: TEMPLATE,
        theirs: ["response", "memory", "core-fmt"],
        quantity: Quantity::A53,
        limit: Limit::AtLeast(20.0),
    },
    Bar {
        what: "template, the literal without a hole",
        ours: TEMPLATE,
        theirs: ["response-fixed", "memory", "onewrite-literal"],
        quantity: Quantity::A53,
        limit: Limit::More(12.0),
    },
    Bar {
        what: "template, the literal without a hole",
        ours: TEMPLATE,
        theirs: ["response-fixed", "memory", "onewrite-literal"],
        quantity: Quantity::X86,
        limit: Limit::More(12.0),
    },
    Bar {
        what: "literal, text encoded each time",
        ours: ["greeting", "memory", "onewrite-literal"],
        theirs: ["greeting", "memory", "encode-utf-16"],
        quantity: Quantity::Time,
        limit: Limit::AtLeast(15.0),
    },
    Bar {
        what: "interning, heapless FnvIndexMap",
        ours: ["interning", "memory", "onewrite"],
        theirs: ["interning", "memory", "heapless-fnv"],
        quantity: Quantity::A53,
        limit: Limit::AtLeast(1.3),
    },
];

/// In memory we take at most so many times as many instructions as any peer, from the same struct.
const NO_MORE: f64 = 1.05;

/// All bars whose rows were measured; none where there is none.
pub(crate) fn table(document: &Document) -> Option<Table> {
    let mut table = Table::new(
        "Bars",
        vec![
            Column::name("ours beside"),
            Column::name("quantity"),
            Column::name("bar"),
            Column::number("found", 0),
            Column::name(""),
        ],
    );
    table.rows.extend(BARS.iter().filter_map(|bar| bar.line(document)));
    for workload in ["frames-64", "frames-512", "frames-4096", "edits-512", "edits-4096"] {
        table.rows.extend(leanest(document, workload, Quantity::X86));
        table.rows.extend(leanest(document, workload, Quantity::A53));
    }
    (!table.rows.is_empty()).then_some(table)
}

impl Bar {
    fn line(&self, document: &Document) -> Option<Vec<String>> {
        let find = |[workload, place, shape]: [&str; 3]| document.row(workload, place, shape);
        let (ours, theirs) = (find(self.ours)?, find(self.theirs)?);
        let (ours, theirs) = (self.quantity.of(ours), self.quantity.of(theirs));
        let (bar, found, met) = match self.limit {
            Limit::AtLeast(limit) => {
                (format!("theirs at least {limit}x"), theirs / ours, theirs / ours >= limit)
            }
            Limit::AtMost(limit) => {
                (format!("ours at most {limit}x"), ours / theirs, ours / theirs <= limit)
            }
            Limit::More(limit) => {
                (format!("ours at most {limit} more"), ours - theirs, ours - theirs <= limit)
            }
        };
        Some(words(self.what, self.quantity, bar, found, met))
    }
}

impl Quantity {
    /// Of one record.
    fn of(self, row: &Row) -> f64 {
        let all = match self {
            Self::Time => row.ns.mean,
            Self::A53 => row.a53_instructions,
            Self::X86 => row.instructions,
        };
        all / row.per_record()
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::A53 => "A53 instructions",
            Self::X86 => "x86-64 instructions",
        }
    }
}

/// Those of our shapes and of the peers that take the fewest instructions for records in memory, from
/// the struct that all of them start with.
fn leanest(document: &Document, workload: &str, quantity: Quantity) -> Option<Vec<String>> {
    const OURS: &str = "onewrite";
    const NOT_PEERS: [&str; 4] = [OURS, "field", "record", "memcpy"];
    let group = document.row(workload, "memory", OURS)?.group();
    let leanest = |of: &dyn Fn(&Row) -> bool| {
        let rows = document
            .rows
            .iter()
            .filter(|row| row.group() == group && of(row) && !row.shape.ends_with("-held"));
        rows.min_by(|one, other| quantity.of(one).total_cmp(&quantity.of(other)))
    };
    let ours = leanest(&|row| row.shape.starts_with(OURS))?;
    let peer = leanest(&|row| !NOT_PEERS.iter().any(|name| row.shape.starts_with(name)))?;
    let found = quantity.of(ours) / quantity.of(peer);
    let what = format!("{workload} in memory, {} beside {}", ours.shape, peer.shape);
    let bar = format!("ours at most {NO_MORE}x any");
    Some(words(&what, quantity, bar, found, found <= NO_MORE))
}

fn words(what: &str, quantity: Quantity, bar: String, found: f64, met: bool) -> Vec<String> {
    let verdict = if met { "met" } else { "MISSED" };
    vec![what.to_owned(), quantity.name().to_owned(), bar, decimal(found, 2), verdict.to_owned()]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::super::document::tests::{document, row};
    use super::*;

    fn verdicts(document: &Document) -> Vec<String> {
        let rows = table(document).unwrap().rows;
        rows.iter().map(|row| format!("{} {} {}", row[0], row[3], row[4])).collect()
    }

    #[test]
    fn a_bar_is_met_or_missed_by_the_means() {
        let rows = |bincode| {
            vec![row("onewrite", 100.0, [50.0, 60.0]), row("bincode", bincode, [500.0, 600.0])]
        };
        let met = "behind dyn, 512 frames, bincode 2 5.10 met";
        assert_eq!(verdicts(&document(rows(510.0))), [met]);
        let missed = "behind dyn, 512 frames, bincode 2 4.90 MISSED";
        assert_eq!(verdicts(&document(rows(490.0))), [missed]);
    }

    #[test]
    fn the_leanest_peer_counts_and_held_records_are_none() {
        let mut rows = vec![
            row("onewrite", 1.0, [105.0, 106.0]),
            row("memcpy", 1.0, [1.0, 1.0]),
            row("zerocopy-held", 1.0, [1.0, 1.0]),
            row("wincode", 1.0, [100.0, 100.0]),
            row("deku", 1.0, [900.0, 900.0]),
        ];
        for row in &mut rows {
            row.place = "memory".to_owned();
        }
        let found = verdicts(&document(rows));
        assert_eq!(
            found,
            [
                "frames-512 in memory, onewrite beside wincode 1.05 met",
                "frames-512 in memory, onewrite beside wincode 1.06 MISSED"
            ]
        );
        // Of ours as well, by each count.
        let mut rows = vec![
            row("onewrite", 1.0, [190.0, 106.0]),
            row("onewrite-copy", 1.0, [101.0, 107.0]),
            row("onewrite-held", 1.0, [1.0, 1.0]),
            row("speedy", 1.0, [100.0, 100.0]),
        ];
        for row in &mut rows {
            row.place = "memory".to_owned();
        }
        let found = verdicts(&document(rows));
        assert_eq!(
            found,
            [
                "frames-512 in memory, onewrite-copy beside speedy 1.01 met",
                "frames-512 in memory, onewrite beside speedy 1.06 MISSED"
            ]
        );
    }
}
