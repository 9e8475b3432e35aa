//! The proof that nothing panics, on machines with 32 bits.
//!
//! The programs are linked and looked at, not run: they are larger than the memories of the boards, so they
//! are linked as for a board with more.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, RelocationTarget, SectionKind};

use super::{
    EXAMPLES, FUTURES, Function, PANIC_FMT, PANIC_HANDLER, RESUMED, bytes_of, functions, opt_level,
    panics_and_allocations, symbols,
};
use crate::firmware;
use crate::machine::{MACHINES, Machine};
use crate::progress::say;
use crate::report::output;
use crate::workspace;

/// The machines, and the folders of their link scripts in `boards`.
const TARGETS: [(&str, &str); 2] =
    [("thumbv6m-none-eabi", "microbit"), ("riscv32imc-unknown-none-elf", "riscv-virt")];

/// The linker keeps who calls whom.
const KEEP_CALLS: &str = "-Clink-arg=--emit-relocs";
/// Every memory has so much.
const ROOM: &str = "64M";

/// Fails when a panic or an allocation is linked at one of the levels; returns in words what was proven.
pub(crate) fn prove_elsewhere(levels: &[&str], yes: bool) -> Result<String> {
    let mut findings = Vec::new();
    for (target, folder) in TARGETS {
        let machine = MACHINES.iter().find(|machine| machine.target() == target);
        let machine = machine.with_context(|| format!("no machine for {target}"))?;
        let script = script(folder)?;
        for level in levels {
            for (example, path) in EXAMPLES.iter().zip(build(machine, &script, level, yes)?) {
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
    let targets = TARGETS.map(|(target, _)| target).join(", ");
    Ok(format!("no panic at {} on {targets}", levels.join(", ")))
}

/// A board's link script with room, in a file of its own.
fn script(folder: &str) -> Result<PathBuf> {
    let path = workspace::root().join("boards").join(folder).join("link.ld");
    let text = fs::read_to_string(&path).with_context(|| workspace::short(&path))?;
    let kept = workspace::target_folder().join(format!("xtask-{folder}-with-room.ld"));
    output::write(&kept, &with_room(&text))?;
    Ok(kept)
}

/// A link script whose memories all have [`ROOM`].
fn with_room(script: &str) -> String {
    let mut text = String::new();
    for line in script.lines() {
        match line.split_once("LENGTH = ") {
            Some((start, _)) => text += &format!("{start}LENGTH = {ROOM}\n"),
            None => text += &format!("{line}\n"),
        }
    }
    text
}

fn build(machine: &Machine, script: &Path, level: &str, yes: bool) -> Result<Vec<PathBuf>> {
    let toolchain = machine.toolchain(yes)?;
    say(format_args!("building {} examples at {level} for {}", EXAMPLES.len(), machine.name));
    let script = format!("-Clink-arg=-T{}", script.display());
    let mut command = toolchain.cargo_for(machine.target(), "build", &[&script, KEEP_CALLS]);
    command.args(["--package=onewrite", "--release", "--no-default-features"]);
    command.arg(format!("--features={}", machine.features));
    command.args(["--config", &format!("profile.release.{}", opt_level(level))]);
    command.args(["--config", "profile.release.debug=false"]);
    command.args(EXAMPLES.iter().flat_map(|example| ["--example", example]));
    firmware::executables(&mut command, &EXAMPLES)
}

/// The panics and allocations of a program, but for the one panic that a future may have.
fn found_in(example: &str, path: &Path) -> Result<Vec<String>> {
    let bytes = bytes_of(path)?;
    let file = object::File::parse(&*bytes)?;
    let mut bad = panics_and_allocations(&symbols(&file, path)?);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_memory_of_a_link_script_gets_room_and_nothing_else_changes() {
        let script = "MEMORY\n{\n    A (rx) : ORIGIN = 0, LENGTH = 256K\n    B (rwx) : ORIGIN = 1K, \
                      LENGTH = 16K\n}\n__stack_bytes = 12K;\n";
        let expected = script.replace("256K", ROOM).replace("16K", ROOM);
        assert_eq!(with_room(script), expected);
    }
}
