//! `cargo xtask ci`: everything that has to hold before a change goes in.

use std::path::Path;

use anyhow::{Result, bail};

use crate::progress::{self, Step, say};
use crate::toolchain::{BARE, Place, Toolchain};
use crate::{count, features, process, setup, size, test, throughput, workspace};

/// How far to go.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Go on after a step that failed.
    #[arg(long)]
    keep_going: bool,
    /// Add what takes too long for every change: every optimization level, and valgrind.
    #[arg(long)]
    full: bool,
}

/// A step and what it does.
struct Task {
    name: &'static str,
    /// An example that the step needs, and is left out without.
    example: Option<&'static str>,
    full_only: bool,
    work: fn(bool) -> Result<String>,
}

const TASKS: [Task; 13] = [
    task("set-up", set_up),
    task("format", format),
    task("lints", lints),
    task("features", |_| features::check()),
    task("bare-metal library", bare_library),
    task("test", tests),
    task("documentation", documentation),
    task("package", package),
    Task {
        name: "sizes and panics",
        example: Some(size::EXAMPLE),
        full_only: false,
        work: |yes| done(size::command(&size::Arguments::gate(), yes)),
    },
    Task {
        name: "budgets on bare metal",
        example: Some(throughput::EXAMPLE),
        full_only: false,
        work: |yes| done(throughput::command(&throughput::Arguments::gate(), yes)),
    },
    Task {
        name: "budgets on aarch64 Linux",
        example: Some(count::EXAMPLE),
        full_only: false,
        work: |yes| done(count::command(&count::Arguments::gate(), yes)),
    },
    Task {
        name: "sizes at every level",
        example: Some(size::EXAMPLE),
        full_only: true,
        work: |yes| done(size::command(&size::Arguments::every_level(), yes)),
    },
    Task {
        name: "counts on this machine",
        example: Some(count::EXAMPLE),
        full_only: true,
        work: |yes| done(count::command(&count::Arguments::here(), yes)),
    },
];

const fn task(name: &'static str, work: fn(bool) -> Result<String>) -> Task {
    Task { name, example: None, full_only: false, work }
}

/// The command itself.
pub(crate) fn command(arguments: Arguments, yes: bool) -> Result<()> {
    let mut steps: Vec<Step> = Vec::new();
    for task in TASKS.iter().filter(|task| arguments.full || !task.full_only) {
        if let Some(example) = task.example.filter(|example| !has_example(example)) {
            say(format_args!("{} left out: there is no examples/{example}.rs", task.name));
            continue;
        }
        let step = progress::step(task.name, || (task.work)(yes));
        let failed = step.result.is_err();
        steps.push(step);
        if failed && !arguments.keep_going {
            break;
        }
    }
    print!("\n{}", progress::table(&steps));
    let failed: Vec<&str> =
        steps.iter().filter(|step| step.result.is_err()).map(|step| step.name.as_str()).collect();
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

fn has_example(name: &str) -> bool {
    let examples = workspace::root().join("examples");
    let is_there = |path: &Path| path.is_file();
    is_there(&examples.join(format!("{name}.rs"))) || is_there(&examples.join(name).join("main.rs"))
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

/// The library alone for the machine it is for, where nothing of `std` is there to lean on.
fn bare_library(_: bool) -> Result<String> {
    let toolchain = Toolchain::for_place(Place::Bare)?;
    let mut command = toolchain.cargo_with(Place::Bare, "check", &["-Dwarnings"]);
    process::run(command.args(["--quiet", "--package=onewrite", "--lib", "--all-features"]))?;
    Ok(format!("{BARE}, all features"))
}

fn tests(yes: bool) -> Result<String> {
    done(test::command(&test::ALL, yes))
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
