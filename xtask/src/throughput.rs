//! `cargo xtask throughput`: what it costs to serialize real render batches, and where.
//!
//! The example measures itself and prints a report (`throughput/protocol.rs`); here it is built,
//! run, and turned into a table. On aarch64 Linux under an emulator nothing measures itself, so
//! the counting example is counted from outside instead.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum;
use sha2::{Digest as _, Sha256};

use crate::count::{self, Counter};
use crate::firmware::{self, Build};
use crate::process::{self, End};
use crate::progress::say;
use crate::toolchain::{Place, Toolchain};
use crate::{budgets, qemu, setup, workspace};

mod protocol;
mod report;
mod statistics;

use protocol::{Cost, Report, Sample};
use report::Summary;

/// The example that measures itself.
const EXAMPLE: &str = "throughput";

/// Where to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum On {
    /// An emulated Raspberry Pi Zero 2W, bare metal: exact instructions.
    Qemu,
    /// This machine: time, in one interleaved run.
    Host,
    /// aarch64 Linux: exact instructions under qemu-user, or this machine where it is one.
    Linux,
}

/// What to measure.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Where to measure.
    #[arg(long, value_enum, default_value = "qemu")]
    on: On,
    /// Write the results to this file as well.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Compare with xtask/budgets.json and fail where more is needed.
    #[arg(long)]
    check: bool,
    /// End the run after this many seconds.
    #[arg(long, default_value_t = 600)]
    limit: u64,
}

/// Every label there is; `boards` decides which of them a machine has, except `qemu-count`.
const HELP: &str = "\
Every result carries a label; numbers of two labels are never compared:
  qemu-icount   bare metal on QEMU with -icount (--on qemu): exact instructions, no time
  qemu-count    aarch64 Linux under qemu-user, counted by a plugin (--on linux): exact instructions
  host          a machine with an operating system (--on host): time, and counts where perf allows
  pi            a Raspberry Pi (--on host there): cycles, instructions and time of the device
  qemu          an emulator that does not count: nothing is measured, the run fails
  unidentified  bare metal that is neither QEMU nor a known Pi: the run fails

Exit code: 0 measured, 1 failed or a budget exceeded, 2 wrong usage.";

impl Arguments {
    /// The measurement that CI compares with the budgets.
    pub(crate) fn gate() -> Self {
        Self { on: On::Qemu, json: None, check: true, limit: 600 }
    }
}

/// The command itself; returns how it compares with the budgets, where that was asked.
pub(crate) fn command(arguments: &Arguments, yes: bool) -> Result<String> {
    if arguments.check && arguments.on == On::Host {
        bail!("--check compares instructions: use it with --on qemu or linux");
    }
    let limit = Duration::from_secs(arguments.limit);
    let (mut report, release) = match arguments.on {
        On::Qemu => on_qemu(limit, yes)?,
        On::Host => on_host(Place::Host, limit)?,
        On::Linux if Toolchain::host()?.is_linux_target() => on_host(Place::Linux, limit)?,
        On::Linux => counted(yes)?,
    };
    if let Some(commit) = commit() {
        report.environment.push(("commit".to_owned(), commit));
    }
    let summary = Summary::of(report)?;
    print!("{}", summary.text());
    if let Some(file) = &arguments.json {
        let text = format!("{:#}\n", summary.json());
        fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
        say(format_args!("wrote {}", file.display()));
    }
    if !arguments.check {
        return Ok(String::new());
    }
    let place = if arguments.on == On::Qemu { "bare" } else { "linux" };
    println!();
    let kept = budgets::check(place, &release, &summary.measurements())?;
    let image = summary.environment.iter().find(|(key, _)| key == IMAGE);
    let bytes = image.and_then(|(_, value)| value.split(',').next());
    Ok(match bytes {
        Some(bytes) => format!("{kept}; image of {bytes}, limit {IMAGE_LIMIT}"),
        None => kept,
    })
}

/// The fact with size and hash of `kernel8.img`.
const IMAGE: &str = "image";
/// The largest image that we allow the example, in bytes.
const IMAGE_LIMIT: u64 = 192 * 1024;

/// Boots the firmware; the report comes over the UART.
fn on_qemu(limit: Duration, yes: bool) -> Result<(Report, String)> {
    setup::ensure(setup::needs_of(Place::Bare), yes)?;
    let toolchain = Toolchain::for_place(Place::Bare)?;
    let program = Build::example(EXAMPLE).build(&toolchain, Place::Bare)?;
    let log = qemu::run(&program, limit)?;
    if log.lost > 1 {
        // One is what the Pi's own firmware leaves; the report counts its lines itself.
        say(format_args!("{} frames could not be decoded", log.lost));
    }
    let mut report = protocol::parse(&log.console)
        .with_context(|| format!("--- log\n{}---", log.text()))
        .context("the firmware's report cannot be read")?;
    let version = process::capture(Command::new("qemu-system-aarch64").arg("--version"))?;
    let version = version.lines().next().unwrap_or_default().to_owned();
    report.environment.push(("emulator".to_owned(), version));
    let image = firmware::write_image(&program)?;
    let bytes = fs::metadata(&image)?.len();
    if bytes > IMAGE_LIMIT {
        bail!("{}: {bytes} bytes, the limit is {IMAGE_LIMIT}", image.display());
    }
    report.environment.push((IMAGE.to_owned(), describe(&image)?));
    Ok((report, toolchain.release))
}

/// Runs it here; the report comes on standard output.
fn on_host(place: Place, limit: Duration) -> Result<(Report, String)> {
    let toolchain = Toolchain::for_place(place)?;
    let program = Build::example(EXAMPLE).build(&toolchain, place)?;
    say("measuring; other work on this machine is in the numbers");
    let (end, stdout, stderr) = process::capture_within(&mut Command::new(&program), limit)?;
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    if !matches!(end, End::Exited(status) if status.success()) {
        bail!("{}: {end:?}\n--- output\n{stdout}{stderr}---", program.display());
    }
    let mut report = protocol::parse(&stdout)
        .with_context(|| format!("--- output\n{stdout}{stderr}---"))
        .context("the program's report cannot be read")?;
    report.environment.push(("program".to_owned(), describe(&program)?));
    Ok((report, toolchain.release))
}

/// Counts the counting example from outside and makes a report of it.
fn counted(yes: bool) -> Result<(Report, String)> {
    let counter = Counter::new(count::EXAMPLE, count::On::Linux, yes)?;
    let mut report = Report::default();
    let mut fact = |key: &str, value: &str| {
        report.environment.push((key.to_owned(), value.to_owned()));
    };
    fact("label", report::Label::QemuCount.as_str());
    fact("board", "none: aarch64 Linux, qemu-user, counted by a plugin");
    fact("target", Place::Linux.triple().unwrap_or_default());
    fact("rustc", &counter.release);
    fact("strict-align", "off: the target's default");
    for pair in counter.pairs()? {
        let measured = counter.measure(pair)?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count, times the repetitions that it was divided by"
        )]
        let instructions = (measured.instructions * COUNTED_REPS as f64).round() as u64;
        let cost = Cost { reps: COUNTED_REPS, instructions: Some(instructions), ..Cost::default() };
        report.samples.push(Sample {
            workload: measured.workload,
            shape: measured.shape,
            bytes: measured.bytes,
            records: measured.records,
            calls: None,
            cost,
        });
    }
    Ok((report, counter.release))
}

/// The repetitions that the counter's difference stands for.
const COUNTED_REPS: u64 = count::COUNTED;

/// Size and hash of a file.
fn describe(file: &Path) -> Result<String> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut hash = String::new();
    for byte in Sha256::digest(&bytes) {
        hash.push_str(&format!("{byte:02x}"));
    }
    Ok(format!("{} bytes, sha256 {hash}", bytes.len()))
}

/// The commit of the workspace, where git knows it.
fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        process::capture(command.current_dir(workspace::root()).args(arguments)).ok()
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    let mark = if changed.trim().is_empty() { "" } else { ", with changes" };
    Some(format!("{}{mark}", commit.trim()))
}
