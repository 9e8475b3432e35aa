//! One command to an emulated board and back, many times in a row: no run fails, none takes long, and
//! all of them count the same.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use crate::process::{self, End};
use crate::progress::say;
use crate::report::document::{Document, Row};

/// So many runs.
const RUNS: u32 = 20;
/// To build, boot, deploy, run, fetch and draw takes no longer, once everything is set up.
const LIMIT: Duration = Duration::from_secs(180);

/// `cargo xtask throughput --on vm --json FILE --plot FILE`, again and again.
pub(super) fn measurements(yes: bool) -> Result<String> {
    let work = tempfile::tempdir()?;
    let mut first: Option<Document> = None;
    let mut longest = Duration::ZERO;
    for number in 1..=RUNS {
        let start = Instant::now();
        let found = measure(work.path(), number, yes).with_context(|| format!("run {number}"))?;
        let took = start.elapsed();
        say(format_args!("run {number} of {RUNS}: {:.1} s", took.as_secs_f64()));
        longest = longest.max(took);
        let Some(first) = &first else {
            first = Some(found);
            continue;
        };
        if let Some(difference) = difference(&first.results, &found.results) {
            bail!("run {number} is not like the first: {difference}");
        }
    }
    let rows = first.map_or(0, |first| first.results.len());
    let longest = longest.as_secs_f64();
    Ok(format!("{RUNS} runs, the same {rows} rows in each, the longest {longest:.0} s"))
}

fn measure(work: &Path, number: u32, yes: bool) -> Result<Document> {
    let (json, plot) = (work.join(format!("{number}.json")), work.join(format!("{number}.svg")));
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["throughput", "--on", "vm", "--json"]).arg(&json).arg("--plot").arg(&plot);
    if yes {
        command.arg("--yes");
    }
    let (end, stdout, stderr) = process::capture_within(&mut command, LIMIT)?;
    if !matches!(end, End::Exited(status) if status.success()) {
        let said = [stdout, stderr].concat();
        bail!("{}: {end:?}\n{}", process::show(&command), String::from_utf8_lossy(&said));
    }
    let picture = std::fs::read_to_string(&plot).context("no picture")?;
    ensure!(picture.contains("<svg") && picture.trim_end().ends_with("</svg>"), "half a picture");
    Document::read(&json)
}

/// The first row that is another one, or has another count.
fn difference(first: &[Row], found: &[Row]) -> Option<String> {
    if first.len() != found.len() {
        return Some(format!("{} rows, not {}", found.len(), first.len()));
    }
    let mut pairs = first.iter().zip(found);
    let (first, found) = pairs.find(|(first, found)| counts(first) != counts(found))?;
    let name = format!("{} {}", first.workload, first.shape);
    Some(format!("{name}: {:?}, not {:?}", counts(found), counts(first)))
}

/// What a row counts, with the least and the most instructions of a repetition. Caches, time and
/// the like are not exact.
#[derive(Debug, PartialEq)]
struct Counts<'r> {
    row: [&'r str; 2],
    output: [u64; 2],
    sink_calls: Option<u64>,
    instructions: Option<[f64; 2]>,
}

fn counts(row: &Row) -> Counts<'_> {
    Counts {
        row: [&row.workload, &row.shape],
        output: [row.bytes, row.records],
        sink_calls: row.sink_calls,
        // What differs within a run has the kernel in it, as rows of HTTP do: that is no exact count.
        instructions: (row.instructions.as_ref())
            .filter(|found| found.min.total_cmp(&found.max).is_eq())
            .map(|found| [found.min, found.max]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(shape: &str, bytes: u64) -> Row {
        Row { shape: shape.to_owned(), bytes, sink_calls: Some(2), ..Row::default() }
    }

    #[test]
    fn another_count_or_another_row_is_a_difference() {
        let first = [row("a", 1), row("b", 2)];
        assert_eq!(difference(&first, &first.clone()), None);
        let other = |rows: &[Row]| difference(&first, rows).unwrap_or_default();
        assert_eq!(other(&first[..1]), "1 rows, not 2");
        assert!(other(&[row("a", 1), row("b", 3)]).contains("[3, 0]"));
        assert!(other(&[row("a", 1), row("c", 2)]).contains("\"c\""));
        let calls = Row { sink_calls: None, ..row("b", 2) };
        assert!(other(&[row("a", 1), calls]).contains("None"));
    }
}
