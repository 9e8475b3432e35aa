//! Runs the golden deltas of SpacetimeDB's C# client.
//!
//! They are in `tests/data/spacetimedb/multidictionary.json`, or instead in
//! `$ONEWRITE_VECTORS/spacetimedb/multidictionary.json` where that variable is set.
//! `tests/data/README.md` has the schema. Without libtest's capture, so that the count is seen in a
//! plain `cargo test --test multi_dictionary`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "spacetimedb/multidictionary.rs"]
mod multidictionary;
#[path = "spacetimedb/report.rs"]
#[allow(dead_code, reason = "other vectors have bytes")]
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use report::Report;

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--list") {
        println!("multi_dictionary_vectors: test\n\n1 test, 0 benchmarks");
        return ExitCode::SUCCESS;
    }
    let folder = match std::env::var_os("ONEWRITE_VECTORS") {
        Some(folder) => PathBuf::from(folder).join("spacetimedb"),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/spacetimedb"),
    };
    let mut report = Report::default();
    report.run(&folder, "multidictionary", "class", multidictionary::compare);
    report.close()
}
