//! Runs every golden render batch through the reader and through the writer's every exit.
//!
//! The vectors are those under `tests/data/render_batch`, or instead those under
//! `$ONEWRITE_VECTORS/render_batch` where that variable is set: point it at your own captures.
//! `tests/data/README.md` has the schema. Without libtest's capture, so that the count is seen in a
//! plain `cargo test --test render_batch`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic"
)]

#[path = "render_batch/description.rs"]
mod description;
#[path = "render_batch/malformed.rs"]
mod malformed;
#[path = "render_batch/read.rs"]
mod read;
#[path = "render_batch/vector.rs"]
mod vector;
#[path = "render_batch/write.rs"]
mod write;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use vector::Vector;

/// Passed and failed checks, by name, in the form that libtest prints.
#[derive(Default)]
struct Report {
    passed: usize,
    failed: Vec<String>,
}

impl Report {
    /// Counts one outcome; a failure is printed at once.
    fn note(&mut self, name: &str, outcome: Result<(), String>) -> bool {
        match outcome {
            Ok(()) => {
                self.passed += 1;
                true
            }
            Err(why) => {
                println!("test {name} ... FAILED\n    {why}");
                self.failed.push(name.to_owned());
                false
            }
        }
    }

    /// Prints libtest's closing line.
    fn close(self) -> ExitCode {
        let failed = self.failed.len();
        if failed == 0 {
            println!("\ntest result: ok. {} passed; 0 failed; 0 ignored", self.passed);
            return ExitCode::SUCCESS;
        }
        println!("\nfailures:");
        for name in &self.failed {
            println!("    {name}");
        }
        println!("\ntest result: FAILED. {} passed; {failed} failed; 0 ignored", self.passed);
        ExitCode::FAILURE
    }
}

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--list") {
        println!("render_batch_vectors: test\n\n1 test, 0 benchmarks");
        return ExitCode::SUCCESS;
    }
    // A debug build passes the string tables over the stack before they are boxed.
    let tests = std::thread::Builder::new().stack_size(1 << 26).spawn(run).unwrap();
    tests.join().unwrap_or(ExitCode::FAILURE)
}

fn run() -> ExitCode {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/render_batch");
    let folder = match std::env::var_os("ONEWRITE_VECTORS") {
        Some(folder) => PathBuf::from(folder).join("render_batch"),
        None => own.clone(),
    };
    let mut report = Report::default();
    vectors(&folder, &mut report);
    malformed(&own, true, &mut report);
    if folder != own {
        malformed(&folder, false, &mut report);
    }
    println!("compared in memory: {}", write::IN_MEMORY);
    for (feature, exits) in write::WITH_FEATURES {
        println!("compared with feature {feature}: {exits}");
    }
    for (feature, exits) in write::SKIPPED {
        println!("not compared without feature {feature}: {exits}");
    }
    report.close()
}

/// Compares every vector of `folder` and of its `big`.
fn vectors(folder: &Path, report: &mut Report) {
    let (mut by_bytes, mut by_digest) = (0, 0);
    let mut tools = write::Tools::new();
    for (folder, required) in [(folder.to_owned(), true), (folder.join("big"), false)] {
        let files = match vector::files(&folder) {
            Ok(files) if files.is_empty() && required => {
                let why = format!("no vectors in {}", folder.display());
                report.note("vectors are there", Err(why));
                continue;
            }
            Ok(files) => files,
            Err(_) if !required && !folder.exists() => continue,
            Err(why) => {
                report.note("vectors are there", Err(why));
                continue;
            }
        };
        for file in files {
            let name = format!("vector {}", file.display());
            let outcome = Vector::load(&file).and_then(|vector| {
                compare(&vector, &mut tools)?;
                Ok(vector.bytes.is_some())
            });
            let digest_only = outcome == Ok(false);
            if report.note(&name, outcome.map(drop)) {
                *(if digest_only { &mut by_digest } else { &mut by_bytes }) += 1;
            }
        }
    }
    println!(
        "{} render batch vectors compared ({by_bytes} by bytes, {by_digest} by length and SHA-256)",
        by_bytes + by_digest
    );
    println!("{} of them also through heapless::Vec", tools.fitted);
}

/// One vector: what the writer makes of the description, and the reader of the bytes.
fn compare(vector: &Vector, tools: &mut write::Tools) -> Result<(), String> {
    let bytes = write::reference(vector, tools)?;
    write::every_exit(vector, &bytes, tools)?;
    read::every_view(vector, &bytes)?;
    read::back_to_bytes(&bytes, tools)
}

/// Runs the damaged batches of `folder`, which only ours must have.
fn malformed(folder: &Path, required: bool, report: &mut Report) {
    let file = folder.join("malformed/malformed.json");
    if !required && !file.exists() {
        return;
    }
    match malformed::load(&file) {
        Ok(cases) if cases.is_empty() => {
            report.note("malformed batches are there", Err(format!("none in {}", file.display())));
        }
        Ok(cases) => {
            if required {
                report.note("malformed batches are described", malformed::described(&cases));
            }
            let check =
                if required { malformed::refused_where_damaged } else { malformed::refused };
            let mut compared = 0;
            for case in &cases {
                let name = format!("malformed {}", case.name);
                compared += usize::from(report.note(&name, check(case)));
            }
            println!("{compared} malformed render batches in {}", file.display());
        }
        Err(why) => {
            report.note("malformed batches are there", Err(why));
        }
    }
}
