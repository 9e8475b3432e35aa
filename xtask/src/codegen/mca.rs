//! Reports of llvm-mca: cycles that a model of the Cortex-A53 takes, which knows neither caches nor
//! wrong guesses of a branch.
//!
//! A loop is estimated by itself, as if it went round for ever. A function without a loop is
//! estimated in a straight line, its branches not taken.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::assembly::{Block, Line, Listing};
use crate::process;

/// What is estimated together, and its name in the report.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Region {
    name: String,
    code: Vec<String>,
}

/// The version of the llvm-mca that is installed.
pub(super) fn version() -> Result<String> {
    let text = process::capture(Command::new("llvm-mca").arg("--version"))?;
    let version = text.lines().find_map(|line| line.split_once("LLVM version "));
    version.map(|(_, version)| version.trim().to_owned()).context("llvm-mca names no version")
}

/// The report for a listing; `scratch` is a file that may be overwritten.
pub(super) fn report(listing: &Listing, scratch: &Path) -> Result<String> {
    let regions = regions(listing);
    let mut input = String::new();
    for Region { name, code } in &regions {
        let code = code.join("\n\t");
        input.push_str(&format!("# LLVM-MCA-BEGIN {name}\n\t{code}\n# LLVM-MCA-END\n"));
    }
    fs::write(scratch, &input).with_context(|| format!("cannot write {}", scratch.display()))?;
    let mut command = Command::new("llvm-mca");
    command.args(["-mtriple=aarch64", "-mcpu=cortex-a53", "-iterations=100"]);
    let report = process::capture(command.arg("-resource-pressure=0").arg(scratch))?;
    Ok(format!("{}\n{}", summary(&regions, &report), tidy(&report)))
}

/// Loops that have no other loop in them; without one, the first function.
fn regions(listing: &Listing) -> Vec<Region> {
    let loops: Vec<Region> = listing.functions.iter().flat_map(innermost_loops).collect();
    if !loops.is_empty() {
        return loops;
    }
    let whole = |function: &Block| Region {
        name: format!("{} in a straight line", function.name),
        code: function.code().map(|(word, operands)| format!("{word}\t{operands}")).collect(),
    };
    listing.functions.first().map(whole).into_iter().collect()
}

fn innermost_loops(function: &Block) -> Vec<Region> {
    let label_at = |wanted: &str| {
        let mut lines = function.lines.iter();
        lines.position(|line| matches!(line, Line::Label(label) if label == wanted))
    };
    let mut spans: Vec<(usize, usize, &str)> = Vec::new();
    for (end, line) in function.lines.iter().enumerate() {
        let Line::Code(word, operands) = line else { continue };
        let is_branch = word == "b" || word.starts_with("b.") || is_compare_and_branch(word);
        let target = operands.rsplit(',').next().unwrap_or_default().trim();
        if let Some(start) = label_at(target).filter(|&start| is_branch && start < end) {
            spans.push((start, end, target));
        }
    }
    let has_none_inside = |&(start, end, _): &(usize, usize, &str)| {
        let within =
            |&(s, e, _): &(usize, usize, &str)| (s, e) != (start, end) && s >= start && e <= end;
        !spans.iter().any(within)
    };
    let body = |&(start, end, label): &(usize, usize, &str)| Region {
        name: format!("loop {label} of {}", function.name),
        code: function
            .lines
            .iter()
            .take(end + 1)
            .skip(start)
            .filter_map(|line| match line {
                Line::Code(word, operands) => Some(format!("{word}\t{operands}")),
                Line::Label(_) => None,
            })
            .collect(),
    };
    spans.iter().filter(|span| has_none_inside(span)).map(body).collect()
}

fn is_compare_and_branch(word: &str) -> bool {
    matches!(word, "cbz" | "cbnz" | "tbz" | "tbnz")
}

/// A line for each region.
fn summary(regions: &[Region], report: &str) -> String {
    let number = |line: &str, key: &str| line.strip_prefix(key)?.trim().parse::<u32>().ok();
    let cycles = report.lines().filter_map(|line| number(line, "Total Cycles:"));
    let mut text = String::new();
    for (region, cycles) in regions.iter().zip(cycles) {
        let (name, code) = (&region.name, region.code.len());
        let (whole, hundredths) = (cycles / 100, cycles % 100);
        text.push_str(&format!(
            "{name}: {code} instructions, {whole}.{hundredths:02} cycles a time\n"
        ));
    }
    text
}

/// Without what stands at the ends of lines.
fn tidy(report: &str) -> String {
    let mut text: String =
        report.trim().lines().map(|line| format!("{}\n", line.trim_end())).collect();
    while text.contains("\n\n\n") {
        text = text.replace("\n\n\n", "\n\n");
    }
    text.replace('\t', " ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn listing(code: &str) -> Listing {
        let code = code.replace("; ", "\n");
        Listing::read(&format!("\t.text\nbench_x:\n{code}\n"))
    }

    fn names(code: &str) -> Vec<(String, usize)> {
        let regions = regions(&listing(code));
        regions.into_iter().map(|region| (region.name, region.code.len())).collect()
    }

    #[test]
    fn a_function_without_a_loop_is_one_region() {
        let straight = "\tcbz\tx0, .LBB0_1; \tadd\tx0, x0, #1; .LBB0_1:; \tret";
        assert_eq!(names(straight), [("bench_x in a straight line".to_owned(), 3)]);
    }

    #[test]
    fn only_the_inner_loop_is_estimated() {
        let nested = ".LBB0_1:; \tmov\tx1, x2; .LBB0_2:; \tldr\tx3, [x1], #8; \
            \tsubs\tx2, x2, #1; \tb.ne\t.LBB0_2; \tcbnz\tx0, .LBB0_1; \tret";
        assert_eq!(names(nested), [("loop .L2 of bench_x".to_owned(), 3)]);
    }

    #[test]
    fn the_summary_has_cycles_of_one_turn() {
        let regions = regions(&listing("\tret"));
        let text = summary(&regions, "Iterations:  100\nTotal Cycles:      1102\n");
        assert_eq!(text, "bench_x in a straight line: 1 instructions, 11.02 cycles a time\n");
    }
}
