//! `--on uart:DEVICE`: reports from a board at the other end of a serial line.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use super::EXAMPLE;
use super::on::{IMAGE, describe_bytes};
use super::protocol::Report;
use crate::firmware::{self, Build};
use crate::log::{Decoder, Said, Tables};
use crate::named;
use crate::progress::say;
use crate::report::output;
use crate::serial::{BAUD, Read, Serial};
use crate::setup;
use crate::toolchain::{Place, Toolchain};

mod assembly;

use assembly::{Assembly, Heard};

/// Above the options that only `--on uart:DEVICE` has.
const HEADING: &str = "With --on uart:DEVICE";

/// What only `--on uart:DEVICE` asks.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(id = "uart")]
pub(crate) struct Arguments {
    /// Take as many reports, 1 by default; the board is started again for each.
    #[arg(long, help_heading = HEADING, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    reports: Option<u32>,
    /// Read the log with the tables of this ELF file, not of one built now.
    #[arg(long, help_heading = HEADING, value_name = "FILE")]
    elf: Option<PathBuf>,
    /// Give a report up when the board says nothing for so long in its middle, 30 by default.
    #[arg(long, help_heading = HEADING, value_name = "SECONDS",
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    silence: Option<u64>,
}

impl Arguments {
    /// How many reports to take.
    pub(crate) fn reports(&self) -> u32 {
        self.reports.unwrap_or(1)
    }

    fn silence(&self) -> Duration {
        Duration::from_secs(self.silence.unwrap_or(30))
    }

    /// The first option that was given, if any.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let all = [
            (self.reports.is_some(), "--reports"),
            (self.elf.is_some(), "--elf"),
            (self.silence.is_some(), "--silence"),
        ];
        all.into_iter().find_map(|(given, name)| given.then_some(name))
    }
}

/// How long to wait for what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// For the next report to begin and for the whole of it.
    pub(crate) limit: Duration,
    /// For the next byte in the middle of it.
    pub(crate) silence: Duration,
}

/// The firmware that speaks, or that ought to.
#[derive(Debug)]
pub(crate) struct Firmware {
    elf: PathBuf,
    tables: Tables,
    build: String,
    /// What built it; none where it was built some other time.
    release: Option<String>,
}

impl Firmware {
    /// Builds the example, or takes a file that was built before.
    pub(crate) fn new(package: &str, example: &str, elf: Option<&Path>, yes: bool) -> Result<Self> {
        let (elf, release) = match elf {
            Some(elf) => (elf.to_owned(), None),
            None => {
                setup::ensure(&[setup::Need::BareCompiler], yes)?;
                let toolchain = Toolchain::for_place(Place::Bare)?;
                let build = Build { package, ..Build::example(example) };
                let program = build.build(&toolchain, Place::Bare)?;
                firmware::write_image(&program)?;
                (program, Some(toolchain.release))
            }
        };
        let bytes =
            named::program(&elf).with_context(|| format!("cannot read {}", elf.display()))?;
        Self::of(elf, &bytes, release)
    }

    /// The ELF file.
    pub(crate) fn elf(&self) -> &Path {
        &self.elf
    }

    fn of(elf: PathBuf, bytes: &[u8], release: Option<String>) -> Result<Self> {
        let tables = Tables::of(bytes)?;
        let build = tables.build.clone().with_context(|| {
            format!(
                "{} has no build id, so nothing shows whether it is what runs on the board: link \
                 it with -Clink-arg=--build-id=sha1",
                elf.display()
            )
        })?;
        Ok(Self { elf, tables, build, release })
    }
}

/// A line that is listened to.
#[derive(Debug)]
pub(crate) struct Listener<'f> {
    serial: Serial,
    firmware: &'f Firmware,
    decoder: Decoder<'f>,
    assembly: Assembly,
    /// What has been said and not been asked for, and how many bytes had come by then.
    waiting: std::collections::VecDeque<(u64, Said)>,
    /// As many bytes had come when the last thing was said that was asked for.
    taken: u64,
    /// Bytes so far, and the first of them.
    count: u64,
    first: Vec<u8>,
    /// Frames that were read, and that could not be.
    read: u64,
    unreadable: u64,
    quiet: bool,
}

/// As many bytes are shown where none could be read.
const SHOWN: usize = 60;

impl<'f> Listener<'f> {
    /// Listens from now on, and says what to do with the board.
    pub(crate) fn open(serial: Serial, firmware: &'f Firmware) -> Result<Self> {
        serial.drop_received()?;
        say(format_args!(
            "listening on {} at {BAUD} baud, 8N1, for build {} ({})",
            serial.device().display(),
            firmware.build,
            firmware.elf.display()
        ));
        say("now start the board: take its power away and give it back (Ctrl-C ends the wait)");
        Ok(Self {
            serial,
            firmware,
            decoder: Decoder::new(&firmware.tables),
            assembly: Assembly::of(&firmware.build),
            waiting: std::collections::VecDeque::new(),
            taken: 0,
            count: 0,
            first: Vec::new(),
            read: 0,
            unreadable: 0,
            quiet: false,
        })
    }

    /// One that says nothing of what goes as it should.
    pub(crate) fn quiet(mut self) -> Self {
        self.quiet = true;
        self
    }

    /// How many bytes had come when that was decided which was returned last.
    pub(crate) const fn taken(&self) -> u64 {
        self.taken
    }

    /// Waits until the firmware says that it has ended, and with which exit code.
    pub(crate) fn end(&mut self, patience: Patience) -> Result<u8> {
        let deadline = Instant::now() + patience.limit;
        loop {
            match self.next(patience.silence, deadline, None)? {
                Ok(said) => {
                    if let Some(Heard::Ended(code)) = self.assembly.take(&said) {
                        return Ok(code);
                    }
                }
                Err(reason) => bail!("{reason}{}", self.diagnosis()),
            }
        }
    }

    fn say(&self, line: impl std::fmt::Display) {
        if !self.quiet {
            say(line);
        }
    }

    /// The next report, whole, or why it is not; an outer error where there will be no more.
    pub(crate) fn report(&mut self, patience: Patience) -> Result<Result<Report, String>> {
        let unreadable = self.unreadable;
        let mut deadline = Instant::now() + patience.limit;
        let mut reminders = Reminders::default();
        let mut begun = false;
        loop {
            if self.assembly.is_open() && !begun {
                begun = true;
                deadline = Instant::now() + patience.limit;
                self.say("a report has begun");
            }
            // In its middle silence is a failure; before it somebody has to get up.
            let said = if begun {
                self.next(patience.silence, deadline, None)
            } else {
                self.next(patience.limit, deadline, Some(&mut reminders))
            };
            let said = match said? {
                Ok(said) => said,
                Err(reason) => {
                    if let Some(Heard::Broken(broken)) = self.assembly.give_up(&reason) {
                        return Ok(Err(broken));
                    }
                    bail!("{reason}{}", self.diagnosis());
                }
            };
            match self.assembly.take(&said) {
                Some(Heard::Report(report)) => {
                    let lost = self.unreadable - unreadable;
                    if lost > 1 {
                        // One is what the GPU's firmware leaves in front of ours.
                        self.say(format_args!(
                            "{lost} frames could not be read; the report is whole"
                        ));
                    }
                    return Ok(Ok(*report));
                }
                Some(Heard::Broken(reason)) => return Ok(Err(reason)),
                Some(Heard::Notice(notice)) => self.say(notice),
                Some(Heard::Ended(code)) if code != 0 => {
                    self.say(format_args!("the firmware ended with exit code {code}"));
                }
                Some(Heard::Ended(_)) | None => {}
            }
        }
    }

    /// What is said next, or why there is nothing more: nothing for `silence`, or until `deadline`.
    pub(crate) fn next(
        &mut self,
        silence: Duration,
        deadline: Instant,
        mut reminders: Option<&mut Reminders>,
    ) -> Result<Result<Said, String>> {
        let mut bytes = [0; 4096];
        let start = Instant::now();
        let silent = start.checked_add(silence).unwrap_or(deadline).min(deadline);
        loop {
            if let Some((taken, said)) = self.waiting.pop_front() {
                self.taken = taken;
                if let Said::Build(build) = &said {
                    self.firmware.tables.check(build)?;
                }
                return Ok(Ok(said));
            }
            let now = Instant::now();
            if now >= deadline {
                return Ok(Err("the time was over".to_owned()));
            }
            if now >= silent {
                return Ok(Err(format!("the board said nothing for {} s", silence.as_secs_f64())));
            }
            if reminders.as_mut().is_some_and(|reminders| reminders.due()) {
                self.say(format_args!("still waiting{}", self.diagnosis()));
            }
            let wait = silent.saturating_duration_since(now).min(Duration::from_secs(1));
            match self.serial.read(&mut bytes, wait)? {
                Read::Silence => {}
                Read::Gone => {
                    return Ok(Err(format!(
                        "{} is gone: was it unplugged?",
                        self.serial.device().display()
                    )));
                }
                Read::Bytes(count) => self.receive(bytes.get(..count).unwrap_or_default()),
            }
        }
    }

    fn receive(&mut self, bytes: &[u8]) {
        if self.count == 0 {
            self.say("the line is not silent any more");
        }
        let room = SHOWN - self.first.len().min(SHOWN);
        self.first.extend(bytes.iter().take(room));
        // A frame ends with a zero, and what it says is said there.
        for piece in bytes.split_inclusive(|&byte| byte == 0) {
            self.count += piece.len() as u64;
            for said in self.decoder.receive(piece) {
                match &said {
                    Said::Garbage(_) => self.unreadable += 1,
                    Said::Build(_) | Said::Line(_) | Said::Message(_) => self.read += 1,
                }
                self.waiting.push_back((self.count, said));
            }
        }
    }

    /// What the bytes so far may mean; begins with a separator.
    fn diagnosis(&self) -> String {
        let Self { count, read, unreadable, first, .. } = self;
        let printable = |byte: &&u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        if *count == 0 {
            return "; no byte has come: power, the card, and whether pin 8 (TXD) of the board is \
                    on RXD of the adapter and the grounds are joined"
                .to_owned();
        }
        if *read > 0 {
            return format!("; {read} frames were read, {unreadable} could not be");
        }
        if first.iter().filter(printable).count() * 10 >= first.len() * 9 {
            let text = String::from_utf8_lossy(first);
            return format!(
                "; {count} bytes have come, which are text: is this firmware built with \
                 plain-console, or is it Linux that speaks? They begin {text:?}"
            );
        }
        let shown: Vec<String> = first.iter().map(|byte| format!("{byte:02x}")).collect();
        format!(
            "; {count} bytes have come and none of them could be read: another baud rate or a loose \
             ground look like this. They begin {}",
            shown.join(" ")
        )
    }
}

/// Prints what a board says, until it says that it has ended; fails unless that was well.
pub(crate) fn print_console(serial: Serial, firmware: &Firmware, limit: Duration) -> Result<()> {
    let mut listener = Listener::open(serial, firmware)?;
    let deadline = Instant::now() + limit;
    let mut reminders = Reminders::default();
    loop {
        let waits = (listener.read == 0).then_some(&mut reminders);
        let said = match listener.next(limit, deadline, waits)? {
            Ok(said) => said,
            Err(reason) => bail!("{reason}{}", listener.diagnosis()),
        };
        match said {
            Said::Line(line) => {
                if let Some(code) = line.strip_prefix("halted with exit code ") {
                    if listener.unreadable > 1 {
                        // One is what the GPU's firmware leaves in front of ours.
                        bail!(
                            "exit code {code}, and {} frames could not be read",
                            listener.unreadable
                        );
                    }
                    if code != "0" {
                        bail!("the firmware ended with exit code {code}");
                    }
                    return Ok(());
                }
                output::print(&format!("{line}\n"))?;
            }
            Said::Message(message) => output::print(&format!("{message}\n"))?,
            Said::Garbage(bytes) => {
                say(format_args!("{} bytes could not be read", bytes.len()));
            }
            Said::Build(_) => {}
        }
    }
}

/// When to say again what is waited for: after 15 s, 30 s, a minute and so on.
#[derive(Debug)]
pub(crate) struct Reminders {
    start: Instant,
    next: Duration,
}

impl Default for Reminders {
    fn default() -> Self {
        Self { start: Instant::now(), next: Duration::from_secs(15) }
    }
}

impl Reminders {
    fn due(&mut self) -> bool {
        let due = self.start.elapsed() >= self.next;
        if due {
            self.next *= 2;
        }
        due
    }
}

/// The firmware of the throughput example, and its reports one after another.
pub(crate) fn listen(
    device: &Path,
    arguments: &Arguments,
    limit: Duration,
    yes: bool,
    present: &mut dyn FnMut(Report, &str) -> Result<()>,
) -> Result<()> {
    // Before somebody waits for what is built.
    let serial = Serial::open(device)?;
    let firmware = Firmware::new("onewrite", EXAMPLE, arguments.elf.as_deref(), yes)?;
    let image = fs::read(firmware.elf())?;
    let image = describe_bytes(&firmware::image(&image)?);
    let patience = Patience { limit, silence: arguments.silence() };
    let mut listener = Listener::open(serial, &firmware)?;
    let unknown = "unknown";
    let release = firmware.release.as_deref().unwrap_or(unknown);
    take(&mut listener, arguments.reports(), patience, &mut |mut report| {
        if firmware.release.is_none() {
            // This checkout is not what made it.
            report.environment.push(("commit".to_owned(), unknown.to_owned()));
        }
        // The build is the right one, so what runs there is this.
        report.environment.push((IMAGE.to_owned(), image.clone()));
        present(report, release)
    })
}

/// Takes as many reports and hands each that is whole to `present`.
///
/// What is wrong with one of them, or comes of presenting it, is said, and the next one is taken:
/// the person at the board has not started it in vain. In the end it is a failure.
fn take(
    listener: &mut Listener<'_>,
    count: u32,
    patience: Patience,
    present: &mut dyn FnMut(Report) -> Result<()>,
) -> Result<()> {
    let mut failures = Vec::new();
    for number in 1..=count {
        let failed = match listener.report(patience)? {
            Ok(report) => present(report).err().map(|error| format!("{error:#}")),
            Err(reason) => Some(reason),
        };
        if let Some(reason) = failed {
            if count > 1 {
                say(format_args!("error: report {number} of {count}: {reason}"));
            }
            failures.push((number, reason));
        }
        if number < count {
            say(format_args!("{number} of {count} reports; start the board again"));
        }
    }
    match failures.as_slice() {
        [] => Ok(()),
        [(_, reason)] if count == 1 => bail!("{reason}"),
        _ => {
            let failed = failures.len();
            let all: Vec<String> = failures
                .iter()
                .map(|(number, reason)| format!("report {number}: {reason}"))
                .collect();
            bail!("{failed} of {count} reports failed: {}", all.join("; "))
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
