//! `cargo xtask size`: how large a bare-metal program is, and proof that nothing in it can panic.
//!
//! The proof reads the symbols of the linked program: what calls a panic keeps the function of
//! `core::panicking` it calls. So the example has to call everything that is to be proven, with
//! inputs that the compiler cannot see through.
//!
//! Futures are an example of their own: into every `async fn` the compiler puts one panic, for a
//! future that is polled again after it has completed. There it must be the only one.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind, SymbolKind};

use crate::firmware::{self, Build, Profile};
use crate::report::output;
use crate::setup::{self, Need};
use crate::toolchain::{Place, Toolchain};

mod elsewhere;

pub(crate) use elsewhere::prove_elsewhere;

/// The example that calls every public encoder and decoder.
const EXAMPLE: &str = "every_codec";
/// The example that serves connections of HTTP, apart because of its size.
const CONNECTIONS: &str = "every_connection";
/// The example that calls what decompresses, apart because of its size.
const DECOMPRESSORS: &str = "every_decompressor";
/// The example that calls everything of WebSocket, apart because of its size.
const SOCKETS: &str = "every_socket";
/// The example that calls everything of Blazor's circuits, apart because of its size.
const CIRCUITS: &str = "every_circuit";
/// The example that makes pages, apart because of its size.
const PAGES: &str = "every_page";
/// The example that polls every future.
const FUTURES: &str = "every_future";
/// All of them.
const EXAMPLES: [&str; 7] =
    [EXAMPLE, CIRCUITS, CONNECTIONS, DECOMPRESSORS, SOCKETS, PAGES, FUTURES];

/// Every optimization level but 0, where core itself can panic.
pub(crate) const LEVELS: [&str; 5] = ["1", "2", "3", "s", "z"];

/// Part of the mangled name of the compiler's own panic in an `async fn`.
const RESUMED: &str = "panic_const_async_fn_resumed";
/// What that calls.
const PANIC_FMT: &str = "9panicking9panic_fmt";
/// What that calls in turn.
const PANIC_HANDLER: &str = "rust_begin_unwind";

/// Parts of the names of what allocates, or is in the crate `alloc`: in every mangling, and in none.
const ALLOCATIONS: [&str; 7] = [
    "__rust_alloc",
    "__rust_dealloc",
    "__rust_realloc",
    "_ZN5alloc",
    "_5alloc",
    "alloc.alloc.",
    "alloc.raw_vec.",
];

/// Parts of the names of what panics call, in every mangling, and in none.
const PANICS: [&str; 10] = [
    "9panicking",
    "core.panicking.",
    "rust_begin_unwind",
    "unwrap_failed",
    "expect_failed",
    "index_fail",
    "index_len_fail",
    "index_order_fail",
    "len_mismatch_fail",
    "slice_error_fail",
];

/// What to measure.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Exit code: 0 nothing was found, 1 a panic with overflow checks off, an allocation, or a failure,
2 wrong usage.")]
pub(crate) struct Arguments {
    /// The examples.
    #[arg(default_values = EXAMPLES)]
    examples: Vec<String>,
    /// The package they are in.
    #[arg(long, default_value = "onewrite")]
    package: String,
    /// The optimization levels.
    #[arg(long, value_delimiter = ',', value_name = "LEVELS", default_value = "1,3,z",
          value_parser = ["0", "1", "2", "3", "s", "z"])]
    levels: Vec<String>,
    /// Print the symbols of panics and allocations and do not fail because of them.
    #[arg(long)]
    report_only: bool,
    /// Prove instead that nothing can panic on machines with 32 bits: a Cortex-M0 and a RISC-V.
    #[arg(long, conflicts_with_all = ["examples", "package", "report_only", "no_checked"])]
    elsewhere: bool,
    /// Leave out the programs with overflow checks, whose panics are only counted.
    #[arg(long)]
    no_checked: bool,
}

impl Arguments {
    /// The proof that CI asks for.
    pub(crate) fn gate() -> Self {
        Self {
            examples: EXAMPLES.map(str::to_owned).into(),
            package: "onewrite".to_owned(),
            levels: ["1", "3", "z"].map(str::to_owned).into(),
            report_only: false,
            elsewhere: false,
            no_checked: true,
        }
    }

    /// The same at every level that optimizes, and with overflow checks.
    pub(crate) fn every_level() -> Self {
        let levels = LEVELS.map(str::to_owned).into();
        Self { levels, no_checked: false, ..Self::gate() }
    }

    /// Whether overflow is checked, for each program.
    fn checks(&self) -> impl Iterator<Item = bool> {
        [false, true].into_iter().filter(|checks| !(*checks && self.no_checked))
    }
}

/// The command itself; fails when a panic is linked with overflow checks off, or an allocation.
///
/// Returns in words what was proven.
pub(crate) fn command(arguments: &Arguments, yes: bool) -> Result<String> {
    if arguments.elsewhere {
        let levels: Vec<&str> = arguments.levels.iter().map(String::as_str).collect();
        let proven = prove_elsewhere(&levels, yes)?;
        output::print(&format!("{proven}\n"))?;
        return Ok(proven);
    }
    setup::ensure(&[Need::BareCompiler], yes)?;
    let toolchain = Toolchain::for_place(Place::Bare)?;
    let (mut findings, mut checked_panics) = (Vec::new(), 0);
    output::print(&format!(
        "{:<18} {:>9} {:>9}  {:>7} {:>7} {:>7} {:>7} {:>7}  {:>6}\n",
        "example", "opt-level", "overflow", "text", "rodata", "data", "bss", "image", "panics"
    ))?;
    let examples: Vec<&str> = arguments.examples.iter().map(String::as_str).collect();
    for level in &arguments.levels {
        for checks in arguments.checks() {
            let package = &arguments.package;
            let found = measure_all(&toolchain, package, &examples, level, checks)?;
            for (example, found) in examples.iter().zip(found) {
                output::print(&format!(
                    "{example:<18} {level:>9} {:>9}  {:>7} {:>7} {:>7} {:>7} {:>7}  {:>6}\n",
                    if checks { "checked" } else { "wraps" },
                    found.sizes.text,
                    found.sizes.rodata,
                    found.sizes.data,
                    found.sizes.bss,
                    found.image,
                    found.panics.len(),
                ))?;
                let mut bad = found.allocations;
                if checks {
                    checked_panics += found.panics.len();
                } else {
                    bad.extend(found.panics);
                }
                if !bad.is_empty() {
                    findings.push(format!("{example} at {level}: {}", bad.join(", ")));
                }
            }
        }
    }
    let release = &toolchain.release;
    output::print(&format!("rustc {release}, fat LTO, one codegen unit, bytes\n"))?;
    if findings.is_empty() {
        let levels = arguments.levels.join(", ");
        let mut proven = format!("no panic at {levels}");
        if !arguments.no_checked {
            proven += &format!("; {checked_panics} where overflow is checked");
        }
        return Ok(proven);
    }
    let findings = findings.join("\n");
    if arguments.report_only {
        output::print(&format!("{findings}\n"))?;
        return Ok(String::new());
    }
    bail!("panics are linked with overflow checks off, or allocations\n{findings}")
}

/// The proof for the release profile alone, whose programs the tests have built anyway; returns in
/// words what was proven.
pub(crate) fn prove_release(yes: bool) -> Result<String> {
    setup::ensure(&[Need::BareCompiler], yes)?;
    let toolchain = Toolchain::for_place(Place::Bare)?;
    let found = measure_all(&toolchain, "onewrite", &EXAMPLES, RELEASE_LEVEL, false)?;
    for (example, found) in EXAMPLES.iter().zip(found) {
        let bad = [found.panics, found.allocations].concat();
        if !bad.is_empty() {
            bail!("{example} at {RELEASE_LEVEL}: {}", bad.join(", "));
        }
    }
    Ok(format!("no panic at opt-level {RELEASE_LEVEL}"))
}

/// The optimization level of cargo's release profile.
const RELEASE_LEVEL: &str = "3";

/// What is in one program.
#[derive(Clone, Debug, Default)]
struct Found {
    sizes: Sizes,
    image: usize,
    panics: Vec<String>,
    allocations: Vec<String>,
    /// The panic that the compiler puts into every `async fn`, where nothing else leads to it.
    excused: Vec<String>,
}

/// Bytes of a linked program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sizes {
    text: u64,
    rodata: u64,
    data: u64,
    bss: u64,
}

/// The setting of a profile.
fn opt_level(level: &str) -> String {
    match level {
        "s" | "z" => format!("opt-level=\"{level}\""),
        number => format!("opt-level={number}"),
    }
}

/// What is in each of the examples, built at one level.
fn measure_all(
    toolchain: &Toolchain,
    package: &str,
    examples: &[&str],
    level: &str,
    checks: bool,
) -> Result<Vec<Found>> {
    let level = opt_level(level);
    let checks = format!("overflow-checks={checks}");
    let settings = [level.as_str(), &checks, "lto=\"fat\"", "codegen-units=1"];
    let all = Build { package, example: "", profile: Profile::Release, settings: &settings };
    all.prepare(examples, toolchain, Place::Bare);
    let measure = |example: &&str| {
        let mut found = read(&Build { example, ..all }.build(toolchain, Place::Bare)?)?;
        if *example == FUTURES {
            found.panics.retain(|name| !found.excused.contains(name));
        }
        Ok(found)
    };
    examples.iter().map(measure).collect()
}

fn read(program: &Path) -> Result<Found> {
    let bytes = bytes_of(program)?;
    let file = object::File::parse(&*bytes)?;
    let names = symbols(&file, program)?;
    Ok(Found {
        sizes: Sizes::of(&file),
        image: firmware::image(&bytes)?.len(),
        panics: with_any_of(&PANICS, &names),
        allocations: with_any_of(&ALLOCATIONS, &names),
        excused: excused(&file)?,
    })
}

/// The bytes of a program that is looked at.
pub(crate) fn bytes_of(program: &Path) -> Result<Vec<u8>> {
    fs::read(program).with_context(|| format!("cannot read {}", program.display()))
}

/// The names of all symbols; a program without any proves nothing.
pub(crate) fn symbols<'f>(file: &object::File<'f>, program: &Path) -> Result<Vec<&'f str>> {
    let names: Vec<&str> = file.symbols().filter_map(|symbol| symbol.name().ok()).collect();
    if names.iter().all(|name| name.is_empty()) {
        bail!("{}: without symbols nothing can be proven", program.display());
    }
    Ok(names)
}

impl Sizes {
    /// By what sections are for, whatever their names: small constants have one of their own on RISC-V.
    /// Tables for unwinding are not counted; nobody unwinds, and a board's link script leaves them out.
    pub(crate) fn of(file: &object::File<'_>) -> Self {
        let mut sizes = Self::default();
        let is_for_unwinding = |section: &object::Section<'_, '_>| {
            section.name().is_ok_and(|name| name.starts_with(".eh_frame"))
        };
        for section in file.sections().filter(|section| !is_for_unwinding(section)) {
            let size = section.size();
            match section.kind() {
                SectionKind::Text => sizes.text += size,
                SectionKind::ReadOnlyData | SectionKind::ReadOnlyString => sizes.rodata += size,
                SectionKind::Data => sizes.data += size,
                SectionKind::UninitializedData => sizes.bss += size,
                _ => {}
            }
        }
        sizes
    }

    /// What lies in flash; initial values of variables do as well.
    pub(crate) const fn in_flash(self) -> u64 {
        self.text + self.rodata + self.data
    }
}

/// The names that belong to a panic or to an allocation, each once.
pub(crate) fn panics_and_allocations(names: &[&str]) -> Vec<String> {
    [with_any_of(&PANICS, names), with_any_of(&ALLOCATIONS, names)].concat()
}

/// The names that contain any of `parts`, each once.
fn with_any_of(parts: &[&str], names: &[&str]) -> Vec<String> {
    let is_one = |name: &str| parts.iter().any(|part| name.contains(part));
    let mut found: Vec<String> = Vec::new();
    for name in names.iter().filter(|name| is_one(name)) {
        found.push((*name).to_owned());
    }
    found.sort();
    found.dedup();
    found
}

/// A function of the program.
struct Function {
    name: String,
    start: u64,
    end: u64,
}

/// All functions of a program.
fn functions(file: &object::File<'_>) -> Result<Vec<Function>> {
    let mut functions = Vec::new();
    for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text) {
        let (start, end) = (symbol.address(), symbol.address() + symbol.size());
        functions.push(Function { name: symbol.name()?.to_owned(), start, end });
    }
    Ok(functions)
}

/// The panic of an `async fn`, and what it calls if nothing else calls that.
fn excused(file: &object::File<'_>) -> Result<Vec<String>> {
    let functions = functions(file)?;
    let mut words = Vec::new();
    for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
        let (chunks, _) = section.data()?.as_chunks();
        let addresses = (section.address()..).step_by(4);
        words.extend(addresses.zip(chunks.iter().map(|word| u32::from_le_bytes(*word))));
    }
    let mut excused = Vec::new();
    for (name, caller) in
        [(RESUMED, None), (PANIC_FMT, Some(RESUMED)), (PANIC_HANDLER, Some(PANIC_FMT))]
    {
        let find =
            |part| functions.iter().find(|function: &&Function| function.name.contains(part));
        let Some(function) = find(name) else { break };
        if let Some(caller) = caller.and_then(find) {
            let is_caller = |address| (caller.start..caller.end).contains(&address);
            let calls =
                words.iter().filter(|(at, word)| branch_target(*at, *word) == Some(function.start));
            if !calls.map(|(at, _)| *at).all(is_caller) {
                break;
            }
        }
        excused.push(function.name.clone());
    }
    Ok(excused)
}

/// Where a `b` or `bl` of A64 at this address goes (Arm ARM, C6.2.26 and C6.2.35).
fn branch_target(at: u64, word: u32) -> Option<u64> {
    if word & 0x7c00_0000 != 0x1400_0000 {
        return None;
    }
    // 26 bits with a sign, counted in words.
    let distance = (word << 6).cast_signed() >> 4;
    at.checked_add_signed(distance.into())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn panics_are_found_in_both_manglings() {
        let bad = [
            "_ZN4core9panicking5panic17h0123456789abcdefE",
            "_RNvNtCs1_4core9panicking18panic_bounds_check",
            "_ZN4core5slice5index26slice_start_index_len_fail17h0123456789abcdefE",
            "_RNvNtNtCs1_4core5slice5index22slice_index_order_fail",
            "_ZN4core6option13expect_failed17hE",
            "_RNvNtCs1_4core6result13unwrap_failed",
            "_ZN4core3str16slice_error_fail17hE",
            "_ZN4core5slice20copy_from_slice_impl17len_mismatch_fail17hE",
            "rust_begin_unwind",
        ];
        let good = ["_start", "_ZN8onewrite6record3put17hE", "memcpy", ""];
        let all: Vec<&str> = bad.iter().chain(&good).copied().collect();
        assert_eq!(with_any_of(&PANICS, &all).len(), bad.len());
        assert!(with_any_of(&PANICS, &good).is_empty());
    }

    #[test]
    fn a_name_counts_once() {
        assert_eq!(with_any_of(&PANICS, &["rust_begin_unwind", "rust_begin_unwind"]).len(), 1);
    }

    #[test]
    fn the_allocator_is_found_in_both_manglings() {
        let bad = [
            "__rust_alloc",
            "_RNvCs1_7___rustc12___rust_alloc",
            "_ZN5alloc7raw_vec19RawVec8grow_one17hE",
            "_RNvNtCs1_5alloc7raw_vec8grow_one",
        ];
        assert_eq!(with_any_of(&ALLOCATIONS, &bad).len(), bad.len());
        assert!(with_any_of(&ALLOCATIONS, &["_start", "alloc_error", "memcpy"]).is_empty());
    }

    #[test]
    fn branches_go_where_the_assembler_said() {
        // b .+8, bl .-4, and b.eq .+8, which is none of the two.
        assert_eq!(branch_target(0x8_0000, 0x1400_0002), Some(0x8_0008));
        assert_eq!(branch_target(0x8_0000, 0x97ff_ffff), Some(0x7_fffc));
        assert_eq!(branch_target(0x8_0000, 0x5400_0040), None);
    }

    #[test]
    fn our_own_program_can_panic() {
        // This very program has symbols, and a test harness panics.
        let bytes = fs::read(std::env::current_exe().unwrap()).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        let names: Vec<&str> = file.symbols().filter_map(|symbol| symbol.name().ok()).collect();
        assert!(!with_any_of(&PANICS, &names).is_empty());
    }
}
