//! The library on machines that are neither this one nor a Pi, emulated: it builds, and says the
//! same there.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use super::{EMULATED_PROFILE, Outcome, cargo_test};
use crate::expectation::Expectation;
use crate::firmware;
use crate::machine::{Machine, before_halt};
use crate::process::{self, End};
use crate::progress::{Tally, say};
use crate::toolchain::Toolchain;
use crate::workspace;

/// An example takes no longer than this.
const LIMIT: Duration = Duration::from_secs(60);

/// Everything that has to hold on a machine.
pub(super) fn machine(machine: &Machine, yes: bool) -> Outcome {
    let toolchain = machine.toolchain(yes)?;
    let mut tally = Tally::default();
    let mut add = |what: &str, result: Result<()>| {
        tally.add(Tally::one(result.is_ok()));
        match result {
            Ok(()) => println!("{}: {what} ... ok", machine.name),
            Err(error) => println!("{}: {what} ... FAILED\n{error:#}", machine.name),
        }
    };
    add("library", library(machine, &toolchain));
    if let Some((feature, reason)) = machine.refused {
        add(&format!("library with {feature}"), refusal(machine, &toolchain, feature, reason));
    }
    for (example, features) in machine.examples {
        add(example, run(machine, &toolchain, example, features));
    }
    Ok((tally, format!("; rustc {}", toolchain.release)))
}

/// The library builds with all that makes sense there, without a warning.
fn library(machine: &Machine, toolchain: &Toolchain) -> Result<()> {
    process::run(&mut library_with(machine, toolchain, machine.features))
}

fn library_with(machine: &Machine, toolchain: &Toolchain, features: &str) -> Command {
    let mut command = machine.cargo(toolchain, "rustc");
    command.args(["--quiet", "--package=onewrite", "--lib", "--no-default-features"]);
    command.arg(format!("--features={features}"));
    command.args(["--", "-Dwarnings"]);
    command
}

/// With a feature that makes no sense the library does not build, and says why.
fn refusal(machine: &Machine, toolchain: &Toolchain, feature: &str, reason: &str) -> Result<()> {
    let mut command = library_with(machine, toolchain, feature);
    let output =
        process::spawn(command.stdin(Stdio::null()).stderr(Stdio::piped()))?.wait_with_output()?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    if output.status.success() || !complaint.contains(reason) {
        bail!("{}: does not say {reason:?}\n{complaint}", process::show(&command));
    }
    Ok(())
}

/// Tests of the library, built as for aarch64 Linux. What they depend on takes minutes to build.
pub(super) fn tests(machine: &Machine, yes: bool) -> Outcome {
    let toolchain = machine.toolchain(yes)?;
    let mut command = machine.cargo(&toolchain, "test");
    use_emulated_profile(&mut command);
    command.args(["--package=onewrite", "--all-features", "--lib"]);
    cargo_test(command.args(machine.tests.iter().flat_map(|test| ["--test", test])))
}

fn use_emulated_profile(command: &mut Command) {
    for setting in EMULATED_PROFILE {
        command.args(["--config", &format!("profile.dev.{setting}")]);
    }
}

/// Builds an example, runs it and compares what it says.
fn run(machine: &Machine, toolchain: &Toolchain, example: &str, features: &str) -> Result<()> {
    say(format_args!("building {example} for {}", machine.name));
    let mut command = machine.cargo(toolchain, "build");
    command.args(["--package=onewrite", "--example", example, "--no-default-features"]);
    command.arg(format!("--features={features}"));
    if machine.tests.is_empty() {
        command.args(["--release", "--config", "profile.release.opt-level='s'"]);
    } else {
        // As the tests are built: what they depend on is then built once. The library there was made
        // for tests, and so unwinds.
        use_emulated_profile(&mut command);
    }
    let program = firmware::executable(&mut command, example)?;
    let wanted = workspace::root().join(format!("examples/{example}.out"));
    Expectation::of_program(example, wanted).check(&said(machine, &program)?)
}

/// Runs a program that has to end well, and returns what it said.
fn said(machine: &Machine, program: &Path) -> Result<String> {
    let serial = program.with_extension(format!("serial-{}", std::process::id()));
    // What an earlier run left is not to be read as this one's.
    let _ = fs::remove_file(&serial);
    let mut command = machine.program(program, &serial);
    let on_line = || String::from_utf8_lossy(&fs::read(&serial).unwrap_or_default()).into_owned();
    let has_halted = || machine.halts() && before_halt(&on_line()).is_some();
    let (end, stdout, stderr) = process::capture_until(&mut command, LIMIT, &has_halted)?;
    let line = on_line();
    // The file has served; a missing one is an empty line.
    let _ = fs::remove_file(&serial);
    let said = if machine.halts() { line } else { String::from_utf8_lossy(&stdout).into_owned() };
    let ended = match (&end, before_halt(&said)) {
        (End::Exited(status), _) if !machine.halts() => status.code(),
        (End::Stopped, Some((_, code))) => Some(code),
        _ => None,
    };
    if ended != Some(0) {
        let (command, stderr) = (process::show(&command), String::from_utf8_lossy(&stderr));
        bail!("{command}: {end:?}, not exit code 0\n{said}{stderr}");
    }
    if machine.halts() {
        return before_halt(&said).map(|(text, _)| text.to_owned()).context("it has not halted");
    }
    Ok(said)
}
