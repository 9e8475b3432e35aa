//! `cargo xtask throughput`: what it costs to serialize real render batches, to write and read
//! SpacetimeDB's rows and messages, and to make responses of HTTP; and where.
//!
//! The examples measure themselves and print a report (`throughput/protocol.rs`); here it is built,
//! run, and turned into a table. On aarch64 Linux under an emulator nothing measures itself, so
//! the counting example is counted from outside instead.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::report::document::Timestamp;
use crate::report::output;
use crate::ssh::{Options, Session};
use crate::{budgets, count, deploy, process, workspace};

mod delivery;
pub(crate) mod fitness;
mod on;
pub(crate) mod protocol;
mod remote;
mod report;
pub(crate) mod uart;

use delivery::Delivery;
use on::{IMAGE, IMAGE_LIMIT, On, PLACES};
pub(crate) use protocol::Report;

/// The example that measures itself.
const EXAMPLE: &str = "throughput";
/// Its sibling, for what has nothing to do with render batches.
const BSATN: &str = "throughput_bsatn";
/// The sibling that makes responses; only a machine with an operating system has it.
const HTTP: &str = "throughput_http";

/// What to measure.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Where to measure.
    #[arg(long, value_name = "PLACE", default_value = "qemu", long_help = format!(
        "Where to measure; PLACE is one of:\n{PLACES}"
    ))]
    on: On,
    /// Write the measurement to this file; one is always kept in target/throughput.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw it into this file, as SVG.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Compare with this earlier measurement, and fail where a row got worse.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// How many per cent worse than the baseline is accepted: by default 1 for counts, 5 for time.
    #[arg(long, value_name = "PERCENT", requires = "baseline", value_parser = crate::report::limit)]
    baseline_limit: Option<f64>,
    /// Compare with xtask/budgets.json and fail where more is needed.
    #[arg(long)]
    check: bool,
    /// Keep what is counted as the blessed counts of xtask/budgets.json.
    #[arg(skip)]
    bless: bool,
    /// End the run after this many seconds, a day at most.
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    limit: u64,
    #[command(flatten)]
    uart: uart::Arguments,
    #[command(flatten)]
    ssh: Options,
}

/// Every label there is; `boards` decides which of them a machine has, except `qemu-count`.
const HELP: &str = "\
Every result carries a label; numbers of two labels are never compared:
  qemu-icount   QEMU with -icount, bare metal (--on qemu) or Linux (--on vm): exact instructions,
                no time; the two are different programs
  qemu-count    aarch64 Linux under qemu-user, counted by a plugin (--on linux): exact instructions
  host          a machine with an operating system (--on host): time, and counts where perf allows
  pi            a Raspberry Pi (--on ssh:USER@HOST, --on uart:DEVICE, --on host there): cycles,
                instructions and time
  qemu          an emulator that does not count: nothing is measured, the run fails
  unidentified  bare metal that is neither QEMU nor a known Pi: the run fails

A picture that cannot be written is a warning; docs/reports.md describes the files.

Exit code: 0 measured, 1 failed, over a budget or beyond the baseline's limit, 2 wrong usage.";

impl Arguments {
    /// The measurement that CI compares with the budgets.
    pub(crate) fn gate() -> Self {
        Self {
            on: On::Qemu,
            json: None,
            plot: None,
            baseline: None,
            baseline_limit: None,
            check: true,
            bless: false,
            limit: 600,
            uart: uart::Arguments::default(),
            ssh: Options::default(),
        }
    }

    /// The same, to be kept.
    pub(crate) fn bless() -> Self {
        Self { bless: true, ..Self::gate() }
    }
}

/// The command itself; returns how it compares with the budgets, where that was asked.
pub(crate) fn command(arguments: &Arguments, yes: bool) -> Result<String> {
    if arguments.check && arguments.on.budgets().is_none() {
        crate::report::wrong_usage("--check compares instructions: use it with --on qemu or linux");
    }
    if let Some(misplaced) = misplaced(&arguments.on, &arguments.uart, &arguments.ssh) {
        crate::report::wrong_usage(&misplaced);
    }
    let reports = arguments.uart.reports();
    let Arguments { json, plot, baseline, baseline_limit, .. } = arguments;
    let [json, plot, baseline] = [json, plot, baseline].map(Option::as_deref);
    let delivery = Delivery::prepare(reports, json, plot, baseline, *baseline_limit)?;
    let limit = Duration::from_secs(arguments.limit);
    let (mut number, mut kept) = (0, String::new());
    arguments.on.measure(limit, &arguments.uart, &arguments.ssh, yes, &mut |report, release| {
        number += 1;
        kept = present(arguments, &delivery, report, release, number, yes)?;
        Ok(())
    })?;
    Ok(kept)
}

/// Of the options that belong to another place than this one, what is wrong with the first.
fn misplaced(on: &On, uart: &uart::Arguments, ssh: &Options) -> Option<String> {
    let with = |option, place| Some(format!("{option} goes with --on {place}"));
    if let (false, Some(option)) = (matches!(on, On::Uart(_)), uart.given()) {
        return with(option, "uart:DEVICE");
    }
    if !matches!(on, On::Ssh(_)) && !ssh.ssh_options.is_empty() {
        return with("--ssh-option", "ssh:USER@HOST");
    }
    None
}

/// Shows and keeps a report, the one with this number; returns how it compares with the budgets,
/// where that was asked.
fn present(
    arguments: &Arguments,
    delivery: &Delivery,
    mut report: Report,
    release: &str,
    number: u32,
    yes: bool,
) -> Result<String> {
    if report.fact("commit").is_none()
        && let Some(commit) = commit()
    {
        report.environment.push(("commit".to_owned(), commit));
    }
    let document = report::document(report, Timestamp::now())?;
    delivery.numbered(number).deliver(&document, output::width(), output::print)?;
    let Some(place) = arguments.on.budgets().filter(|_| arguments.check) else {
        return Ok(String::new());
    };
    output::print("\n")?;
    let mut rows = report::measurements(&document);
    let on_bare_metal = arguments.on == On::Qemu;
    if on_bare_metal {
        let counted = count::bare::measure(yes)?;
        output::print(&count::table(&counted))?;
        rows.extend(counted);
    }
    if arguments.bless {
        return budgets::bless(place, release, &rows);
    }
    let kept = if on_bare_metal {
        count::check(place, release, &rows)?
    } else {
        budgets::check(place, release, &rows)?
    };
    let image = document.environment.get(IMAGE);
    let bytes = image.and_then(|value| value.split(',').next());
    Ok(match bytes {
        Some(bytes) => format!("{kept}; image of {bytes}, limit {IMAGE_LIMIT}"),
        None => kept,
    })
}

/// Whether a program's output has a report in it that is not whole.
pub(crate) fn check_report(output: &str) -> Result<()> {
    if protocol::is_begun(output) { protocol::parse(output).map(|_| ()) } else { Ok(()) }
}

/// The counts of the example where a session leads, which has to count exactly.
pub(crate) fn counts_on(session: &Session, yes: bool) -> Result<Vec<(String, u64)>> {
    let program = deploy::build(EXAMPLE, yes)?;
    let (report, _) = remote::measure(session, &program, Duration::from_secs(300))?;
    let label = report.fact("label").unwrap_or_default();
    if label != "qemu-icount" {
        bail!("the label is {label:?}, not qemu-icount");
    }
    let count = |sample: protocol::Sample| {
        let count = sample.cost.instructions.context("a sample without instructions")?;
        Ok((format!("{} {}", sample.workload, sample.shape), count))
    };
    report.samples.into_iter().map(count).collect()
}

/// The commit of the workspace, where git knows it.
pub(crate) fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        process::capture(command.current_dir(workspace::root()).args(arguments)).ok()
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    let mark = if changed.trim().is_empty() { "" } else { ", with changes" };
    Some(format!("{}{mark}", commit.trim()))
}
