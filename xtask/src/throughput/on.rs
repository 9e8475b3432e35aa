//! Where a measurement runs, and how its report comes back.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use super::protocol::{self, Cost, Report, Sample};
use super::{BSATN, EXAMPLE, HTTP, remote, uart};
use crate::count::{self, Counter};
use crate::firmware::{self, Build};
use crate::process::{self, End};
use crate::progress::say;
use crate::report::document::Label;
use crate::ssh::{Destination, Options};
use crate::toolchain::{Place, Toolchain};
use crate::{hash, qemu, serial, setup};

/// Where to measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum On {
    /// `qemu`: an emulated Raspberry Pi Zero 2W, bare metal.
    Qemu,
    /// `host`: this machine.
    Host,
    /// `linux`: aarch64 Linux under qemu-user, or this machine where it is one.
    Linux,
    /// `vm`: an emulated board with Linux.
    Vm,
    /// `ssh:USER@HOST`: a board with Linux.
    Ssh(Destination),
    /// `uart:DEVICE`: a board without an operating system, at a serial line of this machine.
    Uart(PathBuf),
}

/// What `--on` takes, for its help and for its errors.
pub(crate) const PLACES: &str = "\
qemu    an emulated Raspberry Pi Zero 2W, bare metal: exact instructions
host    this machine: time, in one interleaved run
linux   aarch64 Linux: exact instructions under qemu-user, or this machine where it is one
vm      Linux on an emulated board, booted for this: exact instructions
ssh:USER@HOST[:PORT]
        a board with Linux, over plain ssh: what it can measure
uart:DEVICE
        a Raspberry Pi Zero 2W with the example on its card, at that serial line";

impl FromStr for On {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        if let Some(board) = text.strip_prefix("ssh:") {
            return Ok(Self::Ssh(board.parse()?));
        }
        Ok(match text {
            "qemu" => Self::Qemu,
            "host" => Self::Host,
            "linux" => Self::Linux,
            _ if text.starts_with("uart:") => {
                Self::Uart(serial::place(text).map_err(anyhow::Error::msg)?)
            }
            "vm" => Self::Vm,
            _ => bail!("no such place; there are\n{PLACES}"),
        })
    }
}

impl fmt::Display for On {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Qemu => f.write_str("qemu"),
            Self::Host => f.write_str("host"),
            Self::Linux => f.write_str("linux"),
            Self::Vm => f.write_str("vm"),
            Self::Ssh(destination) => write!(f, "ssh:{destination}"),
            Self::Uart(device) => write!(f, "uart:{}", device.display()),
        }
    }
}

impl On {
    /// The section of `xtask/budgets.json` that a run there is compared with.
    pub(crate) fn budgets(&self) -> Option<&'static str> {
        match self {
            Self::Qemu => Some("bare"),
            Self::Linux => Some("linux"),
            Self::Host | Self::Vm | Self::Ssh(_) | Self::Uart(_) => None,
        }
    }

    /// Builds the example, runs it there within `limit`, and hands its report and the release of
    /// the compiler to `present`.
    pub(crate) fn measure(
        &self,
        limit: Duration,
        uart: &uart::Arguments,
        ssh: &Options,
        yes: bool,
        present: &mut dyn FnMut(Report, &str) -> Result<()>,
    ) -> Result<()> {
        let (report, release) = match self {
            Self::Qemu => on_qemu(limit, yes)?,
            Self::Host => on_host(Place::Host, limit)?,
            Self::Linux if Toolchain::host()?.is_linux_target() => on_host(Place::Linux, limit)?,
            Self::Linux => counted(yes)?,
            Self::Vm => remote::on_vm(limit, yes)?,
            Self::Ssh(destination) => remote::on_board(destination, ssh, limit, yes)?,
            // There may be more than one.
            Self::Uart(device) => return uart::listen(device, uart, limit, yes, present),
        };
        present(report, &release)
    }
}

/// The fact with size and hash of `kernel8.img`.
pub(crate) const IMAGE: &str = "image";
/// The largest image that we allow the example, in bytes.
pub(crate) const IMAGE_LIMIT: u64 = 192 * 1024;
/// The same for what measures SpacetimeDB's messages: brotli's dictionary alone, which is in it because
/// all features are, has 120 KiB, and the compressed payloads have 35.
const BSATN_IMAGE_LIMIT: u64 = 384 * 1024;

/// Boots one firmware after the other; the reports come over the UART.
fn on_qemu(limit: Duration, yes: bool) -> Result<(Report, String)> {
    setup::ensure(setup::needs_of(Place::Bare), yes)?;
    let toolchain = Toolchain::for_place(Place::Bare)?;
    let mut report = booted(EXAMPLE, (IMAGE, IMAGE_LIMIT), &toolchain, limit)?;
    let version = process::capture(Command::new("qemu-system-aarch64").arg("--version"))?;
    let version = version.lines().next().unwrap_or_default().to_owned();
    report.environment.push(("emulator".to_owned(), version));
    let other = booted(BSATN, (BSATN_IMAGE, BSATN_IMAGE_LIMIT), &toolchain, limit)?;
    report.append(other, &[BSATN_IMAGE]);
    Ok((report, toolchain.release))
}

/// The report of one firmware, with its image, which has a limit, as the fact `fact`.
fn booted(
    example: &str,
    (fact, most): (&str, u64),
    toolchain: &Toolchain,
    limit: Duration,
) -> Result<Report> {
    let program = Build::example(example).build(toolchain, Place::Bare)?;
    let log = qemu::run(&program, limit)?;
    if log.lost > 1 {
        // One is what the Pi's own firmware leaves; the report counts its lines itself.
        say(format_args!("{} frames could not be decoded", log.lost));
    }
    let mut report = protocol::parse(&log.console)
        .with_context(|| format!("--- log\n{}---", log.text()))
        .context("the firmware's report cannot be read")?;
    let image = firmware::write_image(&program)?;
    let bytes = fs::metadata(&image)?.len();
    if bytes > most {
        bail!("{}: {bytes} bytes, the limit is {most}", image.display());
    }
    report.environment.push((fact.to_owned(), describe(&image)?));
    Ok(report)
}

/// Runs them here, one after the other; the reports come on standard output.
fn on_host(place: Place, limit: Duration) -> Result<(Report, String)> {
    let toolchain = Toolchain::for_place(place)?;
    let mut report = run_here(EXAMPLE, PROGRAM, place, &toolchain, limit)?;
    let other = run_here(BSATN, BSATN_PROGRAM, place, &toolchain, limit)?;
    report.append(other, &[BSATN_PROGRAM]);
    let responses = run_here(HTTP, HTTP_PROGRAM, place, &toolchain, limit)?;
    report.append(responses, &[HTTP_PROGRAM]);
    Ok((report, toolchain.release))
}

/// The report of one program, with the program as the fact `fact`.
fn run_here(
    example: &str,
    fact: &str,
    place: Place,
    toolchain: &Toolchain,
    limit: Duration,
) -> Result<Report> {
    let program = Build::example(example).build(toolchain, place)?;
    say("measuring; other work on this machine is in the numbers");
    let (end, stdout, stderr) = process::capture_within(&mut Command::new(&program), limit)?;
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    if !matches!(end, End::Exited(status) if status.success()) {
        bail!("{}: {end:?}\n--- output\n{stdout}{stderr}---", program.display());
    }
    let mut report = protocol::parse(&stdout)
        .with_context(|| format!("--- output\n{stdout}{stderr}---"))
        .context("the program's report cannot be read")?;
    report.environment.push((fact.to_owned(), describe(&program)?));
    Ok(report)
}

/// The fact with size and hash of a program, and those of the second example.
const PROGRAM: &str = "program";
const BSATN_PROGRAM: &str = "program of throughput_bsatn";
const HTTP_PROGRAM: &str = "program of throughput_http";
const BSATN_IMAGE: &str = "image of throughput_bsatn";

/// Counts the counting examples from outside and makes a report of them.
fn counted(yes: bool) -> Result<(Report, String)> {
    let new = |example: &&str| Counter::new(example, count::On::Linux, yes);
    let counters: Vec<_> = count::EXAMPLES.iter().map(new).collect::<Result<_>>()?;
    let release = counters.first().map(|counter| counter.release.clone()).unwrap_or_default();
    let mut report = Report::default();
    let mut fact = |key: &str, value: &str| {
        report.environment.push((key.to_owned(), value.to_owned()));
    };
    fact("label", Label::QemuCount.as_str());
    fact("board", "none: aarch64 Linux, qemu-user, counted by a plugin");
    fact("target", Place::Linux.triple().unwrap_or_default());
    fact("rustc", &release);
    fact("strict-align", "off: the target's default");
    for (counter, pair) in pairs(&counters)? {
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
    Ok((report, release))
}

/// What the counters can do.
fn pairs(counters: &[Counter]) -> Result<Vec<(&Counter, count::Pair)>> {
    let mut all = Vec::new();
    for counter in counters {
        all.extend(counter.pairs()?.into_iter().map(|pair| (counter, pair)));
    }
    Ok(all)
}

/// The repetitions that the counter's difference stands for.
const COUNTED_REPS: u64 = count::COUNTED;

/// Size and hash of a file.
pub(super) fn describe(file: &Path) -> Result<String> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(describe_bytes(&bytes))
}

/// The same of what a file would hold.
pub(super) fn describe_bytes(bytes: &[u8]) -> String {
    format!("{} bytes, sha256 {}", bytes.len(), hash::sha256(bytes))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_place_reads_back_as_it_is_shown() {
        for text in [
            "qemu",
            "host",
            "linux",
            "vm",
            "ssh:pi@raspberrypi.local:2222",
            "ssh:::1",
            "uart:/dev/tty USB:0",
        ] {
            assert_eq!(text.parse::<On>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_place_that_is_none_is_answered_with_those_that_are() {
        for wrong in ["", "Qemu", "linux:x", "host ", "uart"] {
            let error = wrong.parse::<On>().unwrap_err().to_string();
            assert!(error.contains("linux   aarch64 Linux"), "{error}");
        }
        assert!("uart:".parse::<On>().unwrap_err().to_string().contains("/dev/ttyUSB0"));
        for wrong in ["ssh:", "ssh:-oProxyCommand=x", "ssh:pi@a b"] {
            assert!(wrong.parse::<On>().is_err(), "{wrong}");
        }
    }
}
