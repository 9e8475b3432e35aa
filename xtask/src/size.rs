//! `cargo xtask size`: how large a bare-metal program is, and proof that nothing in it can panic.
//!
//! The proof reads the symbols of the linked program: what calls a panic keeps the function of
//! `core::panicking` it calls. So the example has to call everything that is to be proven, with
//! inputs that the compiler cannot see through.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind};

use crate::firmware::{self, Build};
use crate::setup::{self, Need};
use crate::toolchain::{Place, Toolchain};

/// The example that calls every public encoder and decoder.
pub(crate) const EXAMPLE: &str = "every_codec";

/// Parts of the mangled names of what panics call, in every mangling.
const PANICS: [&str; 9] = [
    "9panicking",
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
pub(crate) struct Arguments {
    /// The examples.
    #[arg(default_value = EXAMPLE)]
    examples: Vec<String>,
    /// The package they are in.
    #[arg(long, default_value = "onewrite")]
    package: String,
    /// The optimization levels.
    #[arg(long, value_delimiter = ',', value_name = "LEVELS", default_value = "1,3,z",
          value_parser = ["0", "1", "2", "3", "s", "z"])]
    levels: Vec<String>,
    /// Print the panic symbols and do not fail because of them.
    #[arg(long)]
    report_only: bool,
}

impl Arguments {
    /// The proof that CI asks for.
    pub(crate) fn gate() -> Self {
        Self {
            examples: vec![EXAMPLE.to_owned()],
            package: "onewrite".to_owned(),
            levels: ["1", "3", "z"].map(str::to_owned).into(),
            report_only: false,
        }
    }

    /// The same at every level that optimizes.
    pub(crate) fn every_level() -> Self {
        Self { levels: ["1", "2", "3", "s", "z"].map(str::to_owned).into(), ..Self::gate() }
    }
}

/// The command itself; fails when a panic is linked with overflow checks off.
pub(crate) fn command(arguments: &Arguments, yes: bool) -> Result<()> {
    setup::ensure(&[Need::BareCompiler], yes)?;
    let toolchain = Toolchain::for_place(Place::Bare)?;
    let mut findings = Vec::new();
    println!(
        "{:<16} {:>9} {:>9}  {:>7} {:>7} {:>7} {:>7} {:>7}  {:>6}",
        "example", "opt-level", "overflow", "text", "rodata", "data", "bss", "image", "panics"
    );
    for example in &arguments.examples {
        for level in &arguments.levels {
            for checks in [false, true] {
                let found = measure(&toolchain, &arguments.package, example, level, checks)?;
                println!(
                    "{example:<16} {level:>9} {:>9}  {:>7} {:>7} {:>7} {:>7} {:>7}  {:>6}",
                    if checks { "checked" } else { "wraps" },
                    found.sizes.text,
                    found.sizes.rodata,
                    found.sizes.data,
                    found.sizes.bss,
                    found.image,
                    found.panics.len(),
                );
                if !checks && !found.panics.is_empty() {
                    findings.push(format!("{example} at {level}: {}", found.panics.join(", ")));
                }
            }
        }
    }
    println!("rustc {}, fat LTO, one codegen unit, bytes", toolchain.release);
    if findings.is_empty() {
        return Ok(());
    }
    let findings = findings.join("\n");
    if arguments.report_only {
        println!("{findings}");
        return Ok(());
    }
    bail!("panics are linked with overflow checks off\n{findings}")
}

/// What is in one program.
#[derive(Clone, Debug, Default)]
struct Found {
    sizes: Sizes,
    image: usize,
    panics: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sizes {
    text: u64,
    rodata: u64,
    data: u64,
    bss: u64,
}

fn measure(
    toolchain: &Toolchain,
    package: &str,
    example: &str,
    level: &str,
    checks: bool,
) -> Result<Found> {
    let level = match level {
        "s" | "z" => format!("opt-level=\"{level}\""),
        number => format!("opt-level={number}"),
    };
    let checks = format!("overflow-checks={checks}");
    let profile = [level.as_str(), &checks, "lto=\"fat\"", "codegen-units=1"];
    let program = Build { package, example, profile: &profile }.build(toolchain, Place::Bare)?;
    read(&program)
}

fn read(program: &Path) -> Result<Found> {
    let bytes = fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    let file = object::File::parse(&*bytes)?;
    let mut sizes = Sizes::default();
    for section in file.sections() {
        let size = section.size();
        match section.kind() {
            SectionKind::Text => sizes.text += size,
            SectionKind::ReadOnlyData | SectionKind::ReadOnlyString => sizes.rodata += size,
            SectionKind::Data => sizes.data += size,
            SectionKind::UninitializedData => sizes.bss += size,
            _ => {}
        }
    }
    let names: Vec<&str> = file.symbols().filter_map(|symbol| symbol.name().ok()).collect();
    if !names.iter().any(|name| !name.is_empty()) {
        bail!("{}: without symbols nothing can be proven", program.display());
    }
    Ok(Found { sizes, image: firmware::image(&bytes)?.len(), panics: panics(&names) })
}

/// The names of what panics call.
fn panics(names: &[&str]) -> Vec<String> {
    let is_panic = |name: &str| PANICS.iter().any(|part| name.contains(part));
    let mut found: Vec<String> = Vec::new();
    for name in names.iter().filter(|name| is_panic(name)) {
        found.push((*name).to_owned());
    }
    found.sort();
    found.dedup();
    found
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
        assert_eq!(panics(&all).len(), bad.len());
        assert!(panics(&good).is_empty());
    }

    #[test]
    fn a_name_counts_once() {
        assert_eq!(panics(&["rust_begin_unwind", "rust_begin_unwind"]).len(), 1);
    }

    #[test]
    fn our_own_program_can_panic() {
        // This very program has symbols, and a test harness panics.
        let bytes = fs::read(std::env::current_exe().unwrap()).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        let names: Vec<&str> = file.symbols().filter_map(|symbol| symbol.name().ok()).collect();
        assert!(!panics(&names).is_empty());
    }
}
