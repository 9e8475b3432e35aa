//! The proof that nothing panics, on machines with 32 bits.
//!
//! The programs are linked and looked at, not run: they are larger than the memories of the boards, which
//! is no error of theirs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, RelocationTarget, SectionKind};

use super::{
    EXAMPLES, FUTURES, Function, PANIC_FMT, PANIC_HANDLER, RESUMED, functions, opt_level,
    panics_and_allocations,
};
use crate::firmware;
use crate::machine::{MACHINES, Machine};
use crate::progress::say;

/// The machines.
const TARGETS: [&str; 2] = ["thumbv6m-none-eabi", "riscv32imc-unknown-none-elf"];

/// The linker goes on where a memory is too small, and keeps who calls whom.
const FLAGS: [&str; 2] = ["-Clink-arg=--noinhibit-exec", "-Clink-arg=--emit-relocs"];

/// Fails when a panic or an allocation is linked at one of the levels; returns in words what was proven.
pub(crate) fn prove_elsewhere(levels: &[&str], yes: bool) -> Result<String> {
    let mut findings = Vec::new();
    let machines = MACHINES.iter().filter(|machine| TARGETS.contains(&machine.target()));
    for machine in machines {
        for level in levels {
            for (example, path) in EXAMPLES.iter().zip(build(machine, level, yes)?) {
                let bad = found_in(example, &path)?;
                if !bad.is_empty() {
                    let name = machine.name;
                    findings.push(format!("{example} on {name} at {level}: {}", bad.join(", ")));
                }
            }
        }
    }
    if !findings.is_empty() {
        bail!("panics are linked, or allocations\n{}", findings.join("\n"));
    }
    Ok(format!("no panic at {} on {}", levels.join(", "), TARGETS.join(", ")))
}

fn build(machine: &Machine, level: &str, yes: bool) -> Result<Vec<std::path::PathBuf>> {
    let toolchain = machine.toolchain(yes)?;
    say(format_args!("building {} examples at {level} for {}", EXAMPLES.len(), machine.name));
    let mut command = machine.cargo_with(&toolchain, "build", &FLAGS);
    command.args(["--package=onewrite", "--release", "--no-default-features"]);
    command.arg(format!("--features={}", machine.features));
    command.args(["--config", &format!("profile.release.{}", opt_level(level))]);
    command.args(["--config", "profile.release.debug=false"]);
    command.args(EXAMPLES.iter().flat_map(|example| ["--example", example]));
    firmware::executables(&mut command, &EXAMPLES)
}

/// The panics and allocations of a program, but for the one panic that a future may have.
fn found_in(example: &str, path: &Path) -> Result<Vec<String>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let file = object::File::parse(&*bytes)?;
    let names: Vec<&str> = file.symbols().filter_map(|symbol| symbol.name().ok()).collect();
    if !names.iter().any(|name| !name.is_empty()) {
        bail!("{}: without symbols nothing can be proven", path.display());
    }
    let mut bad = panics_and_allocations(&names);
    if example == FUTURES {
        let excused = excused(&file)?;
        bad.retain(|name| !excused.contains(name));
    }
    Ok(bad)
}

/// The panic of an `async fn`, and what it calls if nothing else calls that.
fn excused(file: &object::File<'_>) -> Result<Vec<String>> {
    let functions = functions(file)?;
    let calls = calls(file, &functions)?;
    if calls.is_empty() {
        bail!("the linker has kept no calls");
    }
    let mut excused: Vec<String> = Vec::new();
    for (part, caller) in
        [(RESUMED, None), (PANIC_FMT, Some(RESUMED)), (PANIC_HANDLER, Some(PANIC_FMT))]
    {
        let Some(function) = functions.iter().find(|function| function.name.contains(part)) else {
            break;
        };
        let is_excused = |&(from, to): &(&str, &str)| {
            to != function.name || caller.is_none_or(|caller| from.contains(caller))
        };
        if !calls.iter().all(is_excused) {
            break;
        }
        excused.push(function.name.clone());
    }
    Ok(excused)
}

/// Who refers to whom, by the relocations of the code. What is no function, such as a table, refers as
/// nobody.
fn calls<'f>(
    file: &object::File<'_>,
    functions: &'f [Function],
) -> Result<BTreeSet<(&'f str, &'f str)>> {
    // The lowest bit of an address says Thumb.
    let at = |address: u64| {
        let is_one = |function: &&Function| {
            let start = function.start & !1;
            start <= address && address < start + (function.end - function.start)
        };
        functions.iter().find(is_one).map_or("", |function| function.name.as_str())
    };
    let mut calls = BTreeSet::new();
    for section in file.sections() {
        let is_code = section.kind() == SectionKind::Text;
        for (place, relocation) in section.relocations() {
            let RelocationTarget::Symbol(symbol) = relocation.target() else { continue };
            let symbol = file.symbol_by_index(symbol)?;
            let addend =
                if symbol.kind() == object::SymbolKind::Section { relocation.addend() } else { 0 };
            let to = at(symbol.address().wrapping_add_signed(addend) & !1);
            // In a linked program a relocation's place is an address.
            let from = if is_code { at(place) } else { "" };
            if !to.is_empty() && from != to {
                calls.insert((from, to));
            }
        }
    }
    Ok(calls)
}
