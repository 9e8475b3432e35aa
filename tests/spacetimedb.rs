//! Runs the golden vectors of SpacetimeDB's format.
//!
//! The vectors are those under `tests/data/spacetimedb`, or instead those under
//! `$ONEWRITE_VECTORS/spacetimedb` where that variable is set: point it at your own.
//! `tests/data/README.md` has the schema. Without libtest's capture, so that the counts are seen in
//! a plain `cargo test --test spacetimedb`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic"
)]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "spacetimedb/client_messages.rs"]
mod client_messages;
#[path = "spacetimedb/damage.rs"]
mod damage;
#[path = "spacetimedb/malformed.rs"]
mod malformed;
#[path = "spacetimedb/messages.rs"]
mod messages;
#[path = "spacetimedb/multidictionary.rs"]
mod multidictionary;
#[path = "spacetimedb/report.rs"]
mod report;
#[path = "spacetimedb/rows.rs"]
mod rows;
#[path = "spacetimedb/static_types.rs"]
mod static_types;
#[path = "spacetimedb/typed.rs"]
mod typed;
#[path = "spacetimedb/types.rs"]
mod types;
#[path = "spacetimedb/v1_messages.rs"]
mod v1_messages;
#[path = "spacetimedb/v2_messages.rs"]
mod v2_messages;
#[path = "spacetimedb/value.rs"]
mod value;
#[path = "spacetimedb/values.rs"]
mod values;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use report::Report;

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--list") {
        println!("spacetimedb_vectors: test\n\n1 test, 0 benchmarks");
        return ExitCode::SUCCESS;
    }
    let folder = match std::env::var_os("ONEWRITE_VECTORS") {
        Some(folder) => PathBuf::from(folder).join("spacetimedb"),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/spacetimedb"),
    };
    let mut report = Report::default();
    report.run(&folder, "values", "name", values::compare);
    report.run(&folder, "typed", "name", typed::compare);
    report.run(&folder, "malformed", "why", malformed::compare);
    report.run(&folder, "multidictionary", "class", multidictionary::compare);
    messages::run(&mut report, &folder);
    report.close()
}
