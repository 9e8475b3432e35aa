//! `cargo xtask codegen`: the machine code of small functions, kept beside their source.
//!
//! | file in `benches/codegen` | what |
//! |---|---|
//! | `NAME.rs` | a function `bench_NAME` |
//! | `NAME.aarch64.s` | what the compiler makes of it for the bare-metal Pi |
//! | `NAME.aarch64.mca` | what llvm-mca estimates for that on a Cortex-A53 |
//! | `entry_points.rs` | a function for each way into the library |
//! | `entry_points.aarch64.stack` | how much stack each of them takes |
//!
//! They are made anew and compared. Compilers differ, so a difference fails only under the compiler
//! that made what is kept, and for estimates under that llvm-mca.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, Result, bail};

use crate::progress::say;
use crate::report::output;
use crate::setup::{self, Need};
use crate::toolchain::{BARE, Place, Toolchain};
use crate::{process, size, workspace};

mod assembly;
mod mca;
mod stack;

use assembly::Listing;

/// The package that has the functions.
const PACKAGE: &str = "onewrite-codegen";
/// The one whose machine code is too much to be looked at: its stack is kept.
const ENTRY_POINTS: &str = "entry_points";

/// What to show.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Estimates of llvm-mca have the label mca; they know no caches and no wrong guesses of a branch.
`cargo xtask bless codegen` keeps what is made now.

Exit code: 0 done, 1 something differs or failed, 2 wrong usage.")]
pub(crate) struct Arguments {
    /// Show only these functions; all by default.
    names: Vec<String>,
    /// Show nothing and fail where something differs from what is kept.
    #[arg(long, conflicts_with = "names")]
    check: bool,
}

impl Arguments {
    /// The comparison that CI asks for.
    pub(crate) fn gate() -> Self {
        Self { names: Vec::new(), check: true }
    }
}

/// A file that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Artifact {
    path: PathBuf,
    /// What it was made by, as its first line says.
    maker: String,
    text: String,
}

/// The command itself; returns in words what was compared.
pub(crate) fn command(arguments: &Arguments, yes: bool) -> Result<String> {
    let known = names()?;
    if let Some(name) = arguments.names.iter().find(|&name| !known.contains(name)) {
        bail!("no function {name} in {}", workspace::short(&folder()));
    }
    let artifacts = make(yes)?;
    if !arguments.check {
        let is_wanted = |artifact: &&Artifact| {
            let name = name_of(&artifact.path);
            arguments.names.is_empty() || arguments.names.contains(&name)
        };
        let shown: Vec<&str> =
            artifacts.iter().filter(is_wanted).map(|artifact| artifact.text.as_str()).collect();
        output::print(&shown.join("\n"))?;
        return Ok(String::new());
    }
    let (mut same, mut different, mut elsewhere) = (0, Vec::new(), Vec::new());
    for artifact in &artifacts {
        let kept = fs::read_to_string(&artifact.path).unwrap_or_default();
        if kept == artifact.text {
            same += 1;
            continue;
        }
        let name = workspace::short(&artifact.path);
        output::print(&format!("{name}\n{}", difference(&kept, &artifact.text)))?;
        let same_maker = kept.is_empty() || kept.lines().next() == Some(&artifact.maker);
        if name_of(&artifact.path) == ENTRY_POINTS && stack::grown(&kept, &artifact.text).is_empty()
        {
            say(format_args!("{name}: the stack is about as kept"));
        } else if same_maker {
            different.push(name);
        } else {
            elsewhere.push(name);
        }
    }
    different.extend(left_over(&artifacts)?);
    if !different.is_empty() {
        bail!("differ from what is kept (cargo xtask bless codegen): {}", different.join(", "));
    }
    if elsewhere.is_empty() {
        return Ok(format!("{same} files as kept"));
    }
    let reason =
        format!("{same} files as kept; not compared, other tools: {}", elsewhere.join(", "));
    say(&reason);
    Ok(reason)
}

/// Keeps what is made now; returns in words what changed.
pub(crate) fn bless(yes: bool) -> Result<String> {
    let (artifacts, mut changed) = (make(yes)?, 0);
    for artifact in &artifacts {
        if fs::read_to_string(&artifact.path).ok().as_ref() != Some(&artifact.text) {
            changed += 1;
            output::write(&artifact.path, &artifact.text)?;
        }
    }
    for name in left_over(&artifacts)? {
        fs::remove_file(workspace::root().join(&name))?;
        changed += 1;
    }
    Ok(format!("codegen: {changed} of {} files changed", artifacts.len()))
}

fn folder() -> PathBuf {
    workspace::root().join("benches/codegen")
}

/// `flat_frame` of `…/flat_frame.aarch64.s`.
fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// The sources in the folder, by name.
fn names() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder())? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            names.push(name_of(&path));
        }
    }
    names.sort();
    Ok(names)
}

/// Files that are kept for no function.
fn left_over(artifacts: &[Artifact]) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder())? {
        let path = entry?.path();
        let is_kept =
            ["s", "mca", "stack"].iter().any(|kind| path.extension() == Some(kind.as_ref()));
        if is_kept && !artifacts.iter().any(|artifact| artifact.path == path) {
            names.push(workspace::short(&path));
        }
    }
    Ok(names)
}

/// Everything that is kept, as it is made now.
fn make(yes: bool) -> Result<Vec<Artifact>> {
    setup::ensure(&[Need::BareCompiler, Need::MachineCodeAnalyser], yes)?;
    let toolchain = Toolchain::for_place(Place::Bare)?;
    let names = names()?;
    let scratch = tempfile::NamedTempFile::new()?;
    let mut artifacts = Vec::new();
    for (name, text) in names.iter().zip(compile(&toolchain, &names)?) {
        let listing = Listing::read(&text);
        if listing.functions.is_empty() {
            bail!("{name}.rs: no function in the assembly");
        }
        // Also where nothing is compared.
        let bad = panics_and_allocations(&listing);
        if !bad.is_empty() {
            bail!("{name}.rs can panic or allocates: {}", bad.join(", "));
        }
        let release = &toolchain.release;
        let file = |kind: &str| folder().join(format!("{name}.aarch64.{kind}"));
        if name == ENTRY_POINTS {
            let maker = format!("# rustc {release}, {BARE}, {FLAGS}");
            artifacts.push(stack_table(file("stack"), maker, &listing)?);
            continue;
        }
        let maker = format!("// rustc {release}, {BARE}, {FLAGS}");
        let text = format!("{maker}\n// {}\n{}", facts(&listing)?, listing.text());
        artifacts.push(Artifact { path: file("s"), maker, text });
        let maker = format!("# mca: llvm-mca {}, Cortex-A53, of rustc {release}", mca::version()?);
        let text = format!("{maker}\n{}", mca::report(&listing, scratch.path())?);
        artifacts.push(Artifact { path: file("mca"), maker, text });
    }
    Ok(artifacts)
}

/// What code names that panics or allocates.
fn panics_and_allocations(listing: &Listing) -> Vec<String> {
    let functions = listing.functions.iter();
    let operands: Vec<&str> =
        functions.flat_map(|function| function.code().map(|(_, to)| to)).collect();
    size::panics_and_allocations(&operands)
}

/// How everything here is built: as firmware is.
const FLAGS: &str = "opt-level 3, fat LTO, target-cpu cortex-a53, strict-align off";

fn facts(listing: &Listing) -> Result<String> {
    let instructions = listing.instructions();
    Ok(match stack::entry_points(listing)?.first() {
        Some((_, depth)) if depth.bytes != 0 => {
            format!("{instructions} instructions, {} bytes of stack", depth.bytes)
        }
        _ => format!("{instructions} instructions, no stack"),
    })
}

fn stack_table(path: PathBuf, maker: String, listing: &Listing) -> Result<Artifact> {
    let mut text = format!(
        "{maker}\n# bytes of stack, what is called included; (+) a sink or source comes on top\n"
    );
    for (name, depth) in stack::entry_points(listing)? {
        let name = name.strip_prefix("bench_").unwrap_or(name);
        let recursive = if depth.recursive { " recursive" } else { "" };
        let indirect = if depth.indirect { " (+)" } else { "" };
        text.push_str(&format!("{name:<36} {:>6}{recursive}{indirect}\n", depth.bytes));
    }
    Ok(Artifact { path, maker, text })
}

/// The assembly of each function, in the order of their names.
fn compile(toolchain: &Toolchain, names: &[String]) -> Result<Vec<String>> {
    say(format_args!("building {} functions for {}", names.len(), Place::Bare));
    let mut command = toolchain.cargo_with(Place::Bare, "build", &["--emit=asm"]);
    command.args(["--quiet", "--release", "--package", PACKAGE, "--message-format=json"]);
    command.args(["--config", "profile.release.debug=false"]);
    command.args(names.iter().flat_map(|name| ["--example", name]));
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let result = process::spawn(&mut command)?.wait_with_output()?;
    let messages = String::from_utf8_lossy(&result.stdout);
    if !result.status.success() {
        eprint!("{}", crate::firmware::diagnostics(&messages));
    }
    process::check(&command, result.status)?;
    names.iter().map(|name| assembly_of(&messages, name)).collect()
}

/// The assembly beside the library that cargo says it made. The library's name is without a hash and
/// that of the assembly has one: the one of the library with the same bytes.
fn assembly_of(messages: &str, name: &str) -> Result<String> {
    let library = messages.lines().find_map(|line| {
        let message = serde_json::from_str::<serde_json::Value>(line).ok()?;
        let made = message.pointer("/target/name")?.as_str()? == name;
        let file = message.pointer("/filenames/0")?.as_str()?;
        made.then(|| PathBuf::from(file))
    });
    let library = library.with_context(|| format!("cargo made no {name}"))?;
    let bytes = fs::read(&library)?;
    let start = format!("lib{name}-");
    for entry in fs::read_dir(library.parent().unwrap_or(Path::new(".")))? {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_one = path.extension() == Some("a".as_ref()) && stem.starts_with(&start);
        if is_one && fs::read(&path)? == bytes {
            let file = path.with_file_name(stem.trim_start_matches("lib")).with_extension("s");
            return fs::read_to_string(&file).with_context(|| format!("no {}", file.display()));
        }
    }
    bail!("no assembly beside {}", library.display())
}

/// The lines that differ, those of the middle only.
fn difference(kept: &str, made: &str) -> String {
    let (kept, made): (Vec<&str>, Vec<&str>) = (kept.lines().collect(), made.lines().collect());
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let head = kept.iter().zip(&made).take_while(same).count();
    let most = kept.len().min(made.len()) - head;
    let tail = kept.iter().rev().zip(made.iter().rev()).take(most).take_while(same).count();
    let middle = |lines: &[&str], mark| {
        let lines = lines.iter().take(lines.len() - tail).skip(head);
        lines.map(|line| format!("{mark} {line}\n")).collect::<String>()
    };
    format!("at line {}\n{}{}", head + 1, middle(&kept, '-'), middle(&made, '+'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_panic_and_an_allocation_are_found_whatever_their_mangling() {
        for bad in [
            "_ZN4core9panicking18panic_bounds_check17h0123456789abcdefE",
            "_ZN5alloc7raw_vec19RawVec8grow_one17h0123456789abcdefE",
            "_RNvNtCs1_4core9panicking9panic_fmt",
            "__rust_alloc",
        ] {
            let listing = Listing::read(&format!("\t.text\nbench_x:\n\tbl\t{bad}\n\tret\n"));
            assert_eq!(panics_and_allocations(&listing).len(), 1, "{bad}");
        }
        let listing = Listing::read("\t.text\nbench_x:\n\tbl\tmemcpy\n\tret\n");
        assert!(panics_and_allocations(&listing).is_empty());
    }

    #[test]
    fn only_the_middle_of_a_difference_is_shown() {
        assert_eq!(difference("a\nb\nc\nd\n", "a\nx\nd\n"), "at line 2\n- b\n- c\n+ x\n");
        assert_eq!(difference("a\n", "a\na\n"), "at line 2\n+ a\n");
        assert_eq!(difference("", "a\n"), "at line 1\n+ a\n");
    }

    #[test]
    fn every_function_is_in_the_package_and_has_its_files() {
        let manifest = fs::read_to_string(folder().join("package/Cargo.toml")).unwrap();
        let listed: Vec<&str> =
            manifest.lines().filter_map(|line| line.strip_prefix("path = \"../")).collect();
        let listed: Vec<&str> =
            listed.into_iter().filter_map(|line| line.strip_suffix(".rs\"")).collect();
        let names = names().unwrap();
        assert_eq!(listed, names);
        for name in names {
            let kinds: &[&str] = if name == ENTRY_POINTS { &["stack"] } else { &["s", "mca"] };
            for kind in kinds {
                let file = folder().join(format!("{name}.aarch64.{kind}"));
                let text = fs::read_to_string(&file).unwrap();
                assert!(text.contains("rustc 1."), "{} does not say its compiler", file.display());
                // No folder of the machine that made it.
                let root = workspace::root().display().to_string();
                assert!(!text.contains(&root) && !text.contains("/home/"), "{}", file.display());
            }
        }
    }
}
