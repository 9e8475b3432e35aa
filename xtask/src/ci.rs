//! `cargo xtask ci`: everything that has to hold before a change goes in.

use std::process::Command;

use anyhow::{Result, bail};

use crate::progress::Tally;
use crate::progress::{self, Step};
use crate::report::output;
use crate::setup::Need;
use crate::test::Beside;
use crate::toolchain::{BARE, OLDEST, Place, Toolchain};
use crate::{
    codegen, count, cross_check, features, footprint, interop, licences, machine, process, setup,
    size, test, throughput, workspace,
};

mod again;
mod others;

/// How far to go.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(after_help = "\
The last line of the output counts: each test is one, and each other step is one.

Exit code: 0 everything holds, 1 something does not, 2 wrong usage.")]
pub(crate) struct Arguments {
    /// Go on after a step that failed.
    #[arg(long)]
    keep_going: bool,
    /// Add what takes too long for every change: every optimization level, cross, budgets on aarch64
    /// Linux, the workspaces of their own, HTTP without its quick ways, SpacetimeDB's own package, every
    /// test on aarch64 and on big-endian Linux, and an emulated board twenty times over.
    #[arg(long)]
    full: bool,
}

/// A step, and what it does: it returns a line about what came out.
struct Task {
    name: &'static str,
    full_only: bool,
    work: fn(bool) -> Result<String>,
}

/// The step behind which everything is there that tests need.
const SET_UP: &str = "set-up";
/// The step whose tests are counted each.
const TEST: &str = "test";

const TASKS: [Task; 28] = [
    task(SET_UP, set_up),
    task("format", format),
    task("lints", lints),
    task("features", |_| features::check()),
    task("licences", |_| licences::check()),
    task("minimum Rust", minimum),
    task("bare-metal library", bare_library),
    task(TEST, |_| bail!("it counts for itself")),
    task("documentation", documentation),
    task("package", package),
    task("sizes and panics", |yes| size::command(&size::Arguments::gate(), yes)),
    task("machine code", |yes| codegen::command(&codegen::Arguments::gate(), yes)),
    task("budgets on bare metal", |yes| throughput::command(&throughput::Arguments::gate(), yes)),
    task("budgets on this machine", |yes| count::command(&count::Arguments::here(), yes)),
    full("sizes at every level", |yes| size::command(&size::Arguments::every_level(), yes)),
    full("panics on machines with 32 bits", |yes| size::prove_elsewhere(&size::LEVELS, yes)),
    full("sizes of one codec", |yes| footprint::command(&footprint::Arguments::gate(), yes)),
    full("panics in one codec", footprint::prove_every_level),
    full("a record by others", |yes| footprint::command(&footprint::Arguments::peers(), yes)),
    full("cross", |yes| cross_check::command(&cross_check::Arguments::packages_only(), yes)),
    full("budgets on aarch64 Linux", |yes| count::command(&count::Arguments::gate(), yes)),
    full("other workspaces", others::build),
    full("SpacetimeDB's TypeScript package", interop::step),
    full("HTTP without its quick ways", |yes| more_tests(test::Part::HttpPlain, yes)),
    full("every test on aarch64 Linux", |yes| more_tests(test::Part::EveryLinux, yes)),
    full("a big-endian machine", |yes| more_tests(test::Part::BigEndian, yes)),
    full("Linux on an emulated Zero 2 W", test::zero_2w),
    full("twenty measurements on an emulated board", again::measurements),
];

const fn task(name: &'static str, work: fn(bool) -> Result<String>) -> Task {
    Task { name, full_only: false, work }
}

const fn full(name: &'static str, work: fn(bool) -> Result<String>) -> Task {
    Task { name, full_only: true, work }
}

/// The command itself.
pub(crate) fn command(arguments: Arguments, yes: bool) -> Result<()> {
    let mut steps: Vec<Step> = Vec::new();
    let mut total = Tally::default();
    // Tests that leave a core idle run beside all steps up to the one that they belong to.
    let mut beside = None;
    for task in TASKS.iter().filter(|task| arguments.full || !task.full_only) {
        let step = if task.name == TEST {
            progress::step(TEST, || tests(beside.take(), yes, &mut total))
        } else {
            let step = progress::step(task.name, || (task.work)(yes));
            total.add(Tally::one(step.result.is_ok()));
            step
        };
        let failed = step.result.is_err();
        if task.name == SET_UP && !failed {
            beside = Beside::start(yes);
        }
        steps.push(step);
        if failed && !arguments.keep_going {
            break;
        }
    }
    // The count is alone on the last line, for whoever reads only that.
    output::print(&format!("\n{}{total}\n", progress::table(&steps)))?;
    let failed: Vec<&str> =
        steps.iter().filter(|step| step.result.is_err()).map(|step| step.name.as_str()).collect();
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

fn done(result: Result<()>) -> Result<String> {
    result.map(|()| String::new())
}

/// Runs cargo on this machine and shows what it says.
fn cargo(subcommand: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Result<String> {
    let mut command = Toolchain::host()?.cargo(Place::Host, subcommand);
    command.args(arguments).envs(variables.iter().copied());
    done(process::run(&mut command))
}

fn set_up(yes: bool) -> Result<String> {
    setup::ensure(&setup::USUAL, yes)?;
    // Asked for now and not minutes later, or where nobody can be asked.
    let further: &[Need] = if count::HERE { &[Need::Callgrind, Need::Xz] } else { &[Need::Xz] };
    setup::ensure(further, yes)?;
    machine::set_up(yes)?;
    setup::browser(yes);
    let bare = Toolchain::for_place(Place::Bare)?;
    Ok(format!("rustc {} here, {} for the Pi", Toolchain::host()?.release, bare.release))
}

fn format(_: bool) -> Result<String> {
    cargo("fmt", &["--all", "--check"], &[])
}

fn lints(_: bool) -> Result<String> {
    let all = ["--workspace", "--all-targets", "--all-features", "--quiet"];
    cargo("clippy", &[all.as_slice(), &["--", "-Dwarnings"]].concat(), &[])
}

/// The library for the machine it is for, where nothing of `std` is there to lean on, and what
/// starts that machine.
fn bare_library(_: bool) -> Result<String> {
    let toolchain = Toolchain::for_place(Place::Bare)?;
    let mut command = toolchain.cargo_with(Place::Bare, "check", &["-Dwarnings"]);
    command.args(["--quiet", "--package=onewrite", "--package=onewrite-boards", "--lib"]);
    process::run(command.arg("--all-features"))?;
    Ok(format!("{BARE}, all features"))
}

fn tests(beside: Option<Beside>, yes: bool, total: &mut Tally) -> Result<String> {
    let mut tests = Tally::default();
    let result = test::run(&test::USUAL, beside, yes, &mut tests);
    total.add(tests);
    result.map(|()| tests.to_string())
}

/// What takes minutes to build, and so does not go with every change.
fn more_tests(part: test::Part, yes: bool) -> Result<String> {
    let mut tests = Tally::default();
    test::run(&[part], None, yes, &mut tests)?;
    Ok(tests.to_string())
}

/// The library with the oldest compiler that it promises, where rustup has it already.
fn minimum(_: bool) -> Result<String> {
    let (major, minor) = OLDEST;
    let rustup = || process::capture(Command::new("rustup").args(["toolchain", "list"]));
    let list = rustup().unwrap_or_default();
    let Some(name) = oldest_of(&list) else {
        return Ok(format!("not built with {major}.{minor}: no such toolchain"));
    };
    let mut command = Command::new("rustup");
    command.args(["run", name, "cargo", "build", "--quiet", "--package=onewrite"]);
    command.args(["--lib", "--all-features"]).current_dir(workspace::root());
    // What was set for the compiler that built us is wrong for this one.
    for variable in ["RUSTUP_TOOLCHAIN", "RUSTC", "RUSTDOC", "CARGO"] {
        command.env_remove(variable);
    }
    command.env("CARGO_TARGET_DIR", workspace::target_folder().join("xtask-minimum"));
    process::run(&mut command)?;
    Ok(format!("built with {name}"))
}

/// The toolchain of the oldest release in what `rustup toolchain list` prints.
fn oldest_of(list: &str) -> Option<&str> {
    let (major, minor) = OLDEST;
    let release = format!("{major}.{minor}");
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    names.into_iter().find(|name| {
        let rest = name.strip_prefix(&release);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
    })
}

fn documentation(_: bool) -> Result<String> {
    let arguments = ["--workspace", "--no-deps", "--all-features", "--quiet"];
    cargo("doc", &arguments, &[("RUSTDOCFLAGS", "-Dwarnings")])
}

/// Packages what is published and builds it from the packages.
fn package(_: bool) -> Result<String> {
    let packages = ["--package=onewrite-derive", "--package=onewrite"];
    // What git says about the checkout is not what is tested.
    cargo("package", &[packages.as_slice(), &["--allow-dirty", "--quiet"]].concat(), &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_toolchain_is_found_by_its_release() {
        let list = "stable-x86_64-unknown-linux-gnu (active, default)\n1.188.0-x\n1.8-x\n";
        assert_eq!(oldest_of(list), None);
        for name in ["1.88", "1.88.0-x86_64-unknown-linux-gnu", "1.88-x"] {
            assert_eq!(oldest_of(&format!("{list}{name} (override)\n")), Some(name));
        }
    }

    #[test]
    fn every_step_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<_> = TASKS.iter().map(|task| task.name).collect();
        assert_eq!(names.len(), TASKS.len());
        assert!(names.contains(TEST));
    }
}
