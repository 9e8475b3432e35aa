//! Instructions between the marks that the program makes: three for each row.
//!
//! Between the first two a row does its work once, between the next two three times. Half of the
//! difference is one time; what a mark and a loop cost is in both and drops out.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

/// Instructions of one time, for each row.
pub(crate) fn per_time(marks: &[u64], rows: usize) -> Result<Vec<f64>> {
    if marks.len() != 3 * rows {
        bail!("{} marks for {rows} rows, not three each", marks.len());
    }
    let (marks, _) = marks.as_chunks::<3>();
    marks.iter().map(|&[start, once, more]| halved(once - start, more - once)).collect()
}

fn halved(once: u64, thrice: u64) -> Result<f64> {
    let span = thrice.checked_sub(once).context("more repetitions took fewer instructions")?;
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    let span = span as f64;
    Ok(span / 2.0)
}

/// What QEMU's plugin said at each mark: `onewrite-mark: N`, counted from the start.
pub(crate) fn of_plugin(said: &str) -> Result<Vec<u64>> {
    let marks = said.lines().filter_map(|line| line.strip_prefix("onewrite-mark: "));
    marks.map(|number| number.parse().with_context(|| format!("no count: {number:?}"))).collect()
}

/// The same from callgrind's dumps, of which each has what was counted since the one before.
///
/// They are `FILE.1`, `FILE.2` and so on; the last one, for the end of the program, is `FILE`.
pub(crate) fn of_dumps(file: &Path, count: usize) -> Result<Vec<u64>> {
    let mut sum = 0;
    let mut marks = Vec::new();
    for number in 1..=count {
        let mut name = file.as_os_str().to_owned();
        name.push(format!(".{number}"));
        let text = fs::read_to_string(&name)
            .with_context(|| format!("callgrind has written no dump {number} of {count}"))?;
        sum += total(&text).with_context(|| format!("no total in dump {number}"))?;
        marks.push(sum);
    }
    Ok(marks)
}

/// `totals: 693`
fn total(dump: &str) -> Option<u64> {
    let line = dump.lines().rev().find_map(|line| line.strip_prefix("totals: "))?;
    line.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn what_lies_between_rows_is_nobodys() {
        // Marks of 5 each, a row of 10 and one of 200; 1,000 between them.
        let marks = [100, 115, 150, 1_150, 1_355, 1_960];
        assert_eq!(per_time(&marks, 2).unwrap(), [10.0, 200.0]);
        assert!(per_time(&marks, 1).is_err());
        assert!(per_time(&[100, 200, 250], 1).is_err());
    }

    #[test]
    fn the_plugins_marks_are_read_among_other_lines() {
        let said = "onewrite-mark: 7\nnoise\nonewrite-mark: 9\nonewrite-count: 12\n";
        assert_eq!(of_plugin(said).unwrap(), [7, 9]);
        assert!(of_plugin("onewrite-mark: x\n").is_err());
    }

    #[test]
    fn dumps_are_added_up_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("dump");
        for (number, count) in [(1, 7), (2, 2), (10, 1)] {
            let text = format!("version: 1\nsummary: {count}\n\n1 2\n\ntotals: {count}\n");
            fs::write(folder.path().join(format!("dump.{number}")), text).unwrap();
        }
        assert_eq!(of_dumps(&file, 2).unwrap(), [7, 9]);
        let error = format!("{:#}", of_dumps(&file, 3).unwrap_err());
        assert!(error.contains("no dump 3 of 3"), "{error}");
    }
}
