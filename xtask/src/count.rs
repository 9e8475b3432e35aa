//! `cargo xtask count`: exact instructions of the counting examples.
//!
//! An example is asked twice for each workload and shape, for a few and for more repetitions;
//! the difference belongs to the repetitions alone. What it has to understand:
//!
//! ```text
//! count --list                                a line `WORKLOAD SHAPE bytes=N records=N` each
//! count --workload W --shape S --reps N       does it N times, prints nothing, exit code 0
//! ```
//!
//! On bare metal an example counts by itself: `count/bare.rs`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum;

use crate::budgets::{self, Measurement};
use crate::firmware::Build;
use crate::parallel;
use crate::process::{self, End};
use crate::progress::say;
use crate::report::output;
use crate::setup::{self, Need};
use crate::toolchain::{LINUX_SYSROOT, Place, Toolchain};
use crate::workspace;

pub(crate) mod bare;

/// The examples that are counted: render batches, clicks in a page, requests of HTTP and its responses,
/// updates of pages, and SpacetimeDB's rows and messages.
pub(crate) const EXAMPLES: [&str; 6] =
    ["count", "circuit_count", "http_count", "page_count", "throughput_http", "throughput_bsatn"];
/// Numbers of equal length, so that reading them costs the same.
const REPETITIONS: [u64; 2] = [10, 50];
/// How many repetitions the difference stands for.
pub(crate) const COUNTED: u64 = {
    let [few, more] = REPETITIONS;
    more - few
};
/// A repetition of fewer instructions is counted on this machine from a hundred times as many: where Linux
/// puts things is drawn anew for each process, and moves its start by a few dozen instructions.
const SMALL: f64 = 10_000.0;
/// Whether this machine has budgets.
pub(crate) const HERE: bool = cfg!(target_arch = "x86_64");
/// A shape that does by intent more than it has to, and the shape it stands for: that the budgets keep
/// it out is a part of every comparison.
const SLOWED: [&str; 2] = ["core", "frames-slowed"];
const HONEST: &str = "frames-flat";
/// Which `memcpy` glibc chooses on x86-64: the one that every processor has. Others copy by `rep movsb`,
/// where callgrind counts an instruction for each byte.
const TUNABLES: &str =
    "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX2,-AVX_Fast_Unaligned_Load,-ERMS,-FSRM";
/// One run of the example takes no longer than this.
const LIMIT: Duration = Duration::from_secs(120);

/// Where instructions are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum On {
    /// aarch64 Linux, with a counting plugin in qemu-user.
    Linux,
    /// This machine, with valgrind's callgrind.
    Host,
    /// An emulated Pi without an operating system; what `throughput` does not count there.
    Bare,
}

impl On {
    /// Where programs run that are counted from outside.
    fn place(self) -> Result<Place> {
        match self {
            Self::Linux => Ok(Place::Linux),
            Self::Host => Ok(Place::Host),
            Self::Bare => bail!("on bare metal nothing counts from outside"),
        }
    }
}

/// What to count.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Counts on aarch64 Linux have the label qemu-count; `cargo xtask throughput --help` has all labels.

Exit code: 0 counted, 1 failed or a budget exceeded, 2 wrong usage.")]
pub(crate) struct Arguments {
    /// The examples to count; they have to take --list and --workload --shape --reps.
    #[arg(default_values = EXAMPLES)]
    examples: Vec<String>,
    /// Where to count.
    #[arg(long, value_enum, default_value = "linux")]
    on: On,
    /// Only this workload.
    #[arg(long)]
    workload: Option<String>,
    /// Only this shape.
    #[arg(long)]
    shape: Option<String>,
    /// Compare with xtask/budgets.json and fail where more is needed; counts nothing else.
    #[arg(long)]
    check: bool,
    /// Keep what is counted as the blessed counts of xtask/budgets.json.
    #[arg(skip)]
    bless: bool,
}

impl Arguments {
    /// The measurement that CI compares with the budgets.
    pub(crate) fn gate() -> Self {
        let examples = EXAMPLES.map(str::to_owned).into();
        Self { examples, on: On::Linux, workload: None, shape: None, check: true, bless: false }
    }

    /// The same on this machine, or on aarch64 Linux where this one has no budgets.
    pub(crate) fn here() -> Self {
        let on = if HERE { On::Host } else { On::Linux };
        Self { on, ..Self::gate() }
    }

    /// The same, to be kept.
    pub(crate) fn bless(on: On) -> Self {
        Self { on, bless: true, check: false, ..Self::gate() }
    }
}

/// The command itself; returns how it compares with the budgets, where that was asked.
pub(crate) fn command(arguments: &Arguments, yes: bool) -> Result<String> {
    let place = match arguments.on {
        On::Linux => "linux",
        On::Host => "host",
        On::Bare => return shown_bare(arguments, yes),
    };
    let wanted = |choice: &Option<String>, name: &str| choice.as_ref().is_none_or(|c| c == name);
    let budgets = if arguments.check || arguments.bless {
        let mut budgets = budgets::wanted(place)?;
        budgets.insert(SLOWED.map(str::to_owned).into());
        Some(budgets)
    } else {
        None
    };
    if let Some(example) = arguments.examples.iter().find(|example| !workspace::is_example(example))
    {
        bail!("there is no example {example}");
    }
    let (mut rows, mut release) = (Vec::new(), String::new());
    prepare(&arguments.examples, arguments.on, yes)?;
    for example in &arguments.examples {
        let counter = Counter::new(example, arguments.on, yes)?;
        let mut pairs = counter.pairs()?;
        pairs.retain(|pair| {
            let Pair { workload, shape, .. } = pair;
            let is_compared = (budgets.as_ref())
                .is_none_or(|budgets| budgets.contains(&(workload.clone(), shape.clone())));
            wanted(&arguments.workload, workload) && wanted(&arguments.shape, shape) && is_compared
        });
        // Counts do not depend on who else is at work.
        for measurement in parallel::map(&pairs, |pair| counter.measure(pair.clone())) {
            rows.push(measurement?);
        }
        release = counter.release;
    }
    if rows.is_empty() {
        bail!("no such workload and shape; {} --list shows them", arguments.examples.join(" or "));
    }
    output::print(&table(&rows))?;
    if arguments.bless {
        return budgets::bless(place, &release, &rows);
    }
    if arguments.check {
        return check(place, &release, &rows);
    }
    Ok(String::new())
}

/// Builds all of them at once: most of each build is one program that is optimized on one core.
fn prepare(examples: &[String], on: On, yes: bool) -> Result<()> {
    let place = on.place()?;
    setup::ensure(setup::needs_of(place), yes)?;
    let names: Vec<&str> = examples.iter().map(String::as_str).collect();
    Build::example("").prepare(&names, &Toolchain::for_place(place)?, place);
    Ok(())
}

/// Compares with the budgets, and looks whether they keep out what is slow.
pub(crate) fn check(place: &str, release: &str, rows: &[Measurement]) -> Result<String> {
    let kept = budgets::check(place, release, rows)?;
    let [_, shape] = SLOWED;
    let slowed = rows.iter().find(|row| row.shape == shape);
    let slowed = slowed.with_context(|| format!("nothing measured for {shape}"))?;
    budgets::prove(place, slowed, HONEST)?;
    Ok(format!("{kept}; a slowed encoder is kept out"))
}

/// What an emulated Pi counts; it is compared together with what `throughput` does.
fn shown_bare(arguments: &Arguments, yes: bool) -> Result<String> {
    if arguments.check {
        crate::report::wrong_usage(
            "what is counted on bare metal is compared by throughput --check",
        );
    }
    let mut rows = bare::measure(yes)?;
    rows.retain(|row| {
        arguments.workload.as_ref().is_none_or(|workload| *workload == row.workload)
            && arguments.shape.as_ref().is_none_or(|shape| *shape == row.shape)
    });
    output::print(&table(&rows))?;
    Ok(String::new())
}

/// A workload and a shape that the example knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    workload: String,
    shape: String,
    bytes: u64,
    records: u64,
}

/// An example that was built, and the means to count it.
#[derive(Debug)]
pub(crate) struct Counter {
    program: PathBuf,
    on: On,
    plugin: Option<PathBuf>,
    /// The compiler that built the example.
    pub(crate) release: String,
}

impl Counter {
    /// Sets up what is missing and builds.
    pub(crate) fn new(example: &str, on: On, yes: bool) -> Result<Self> {
        let place = on.place()?;
        setup::ensure(setup::needs_of(place), yes)?;
        if on == On::Host {
            setup::ensure(&[Need::Callgrind], yes)?;
        }
        let toolchain = Toolchain::for_place(place)?;
        let program = Build::example(example).build(&toolchain, place)?;
        let plugin = if on == On::Linux { Some(build_plugin()?) } else { None };
        Ok(Self { program, on, plugin, release: toolchain.release })
    }

    /// What the example can do.
    pub(crate) fn pairs(&self) -> Result<Vec<Pair>> {
        let mut command = self.emulated(false);
        let list = process::capture(command.arg("--list"))?;
        let pairs: Result<Vec<Pair>> = list.lines().map(parse_pair).collect();
        let pairs = pairs?;
        if pairs.is_empty() {
            bail!("{} names no workload", process::show(&command));
        }
        Ok(pairs)
    }

    /// The instructions of one repetition.
    pub(crate) fn measure(&self, pair: Pair) -> Result<Measurement> {
        let mut instructions = self.difference(&pair, 1)?;
        if self.on == On::Host && instructions < SMALL {
            instructions = self.difference(&pair, 100)?;
        }
        let Pair { workload, shape, bytes, records } = pair;
        Ok(Measurement { workload, shape, bytes, records, instructions })
    }

    /// The same from `times` as many repetitions.
    fn difference(&self, pair: &Pair, times: u64) -> Result<f64> {
        let [few, more] = REPETITIONS.map(|repetitions| repetitions * times);
        let (low, high) = (self.count(pair, few)?, self.count(pair, more)?);
        let span = high.checked_sub(low).context("more repetitions took fewer instructions")?;
        #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
        let instructions = span as f64 / (more - few) as f64;
        Ok(instructions)
    }

    fn count(&self, pair: &Pair, repetitions: u64) -> Result<u64> {
        let mut command = self.emulated(true);
        command.args(["--workload", &pair.workload, "--shape", &pair.shape]);
        command.args(["--reps", &repetitions.to_string()]);
        let (end, stdout, stderr) = process::capture_within(&mut command, LIMIT)?;
        let stderr = String::from_utf8_lossy(&stderr);
        match end {
            End::Exited(status) if status.success() && stdout.is_empty() => {}
            End::Exited(status) if status.success() => {
                bail!("{}: prints, which would be counted", process::show(&command))
            }
            end => bail!("{}: {end:?}\n{stderr}", process::show(&command)),
        }
        counted(&stderr)
            .with_context(|| format!("{}: no count in\n{stderr}", process::show(&command)))
    }

    /// The program with what runs it, and with what counts it.
    fn emulated(&self, counting: bool) -> Command {
        let mut command = match self.on {
            On::Linux => emulated(&self.program, self.plugin.as_deref().filter(|_| counting)),
            On::Host if counting => {
                let mut command = Command::new("valgrind");
                command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
                command.arg(&self.program);
                command
            }
            On::Host | On::Bare => Command::new(&self.program),
        };
        // The environment of the caller would be copied and counted.
        if counting {
            let path = env::var_os("PATH");
            command.env_clear().envs(path.map(|path| ("PATH", path)));
            if self.on == On::Host {
                command.env("GLIBC_TUNABLES", TUNABLES);
            }
        }
        command
    }
}

/// A program for aarch64 Linux with what runs it, and with the plugin that counts it.
pub(crate) fn emulated(program: &Path, plugin: Option<&Path>) -> Command {
    let mut command = Command::new("qemu-aarch64");
    command.args(["-cpu", "cortex-a53"]);
    if Path::new(LINUX_SYSROOT).is_dir() {
        command.args(["-L", LINUX_SYSROOT]);
    }
    if let Some(plugin) = plugin {
        command.arg("-plugin").arg(plugin);
    }
    command.arg(program);
    command
}

/// `WORKLOAD SHAPE bytes=N records=N`.
fn parse_pair(line: &str) -> Result<Pair> {
    let parse = || {
        let mut words = line.split_whitespace();
        let (workload, shape) = (words.next()?, words.next()?);
        let bytes = words.next()?.strip_prefix("bytes=")?.parse().ok()?;
        let records = words.next()?.strip_prefix("records=")?.parse().ok()?;
        let pair = Pair { workload: workload.to_owned(), shape: shape.to_owned(), bytes, records };
        words.next().is_none().then_some(pair)
    };
    parse().with_context(|| format!("not WORKLOAD SHAPE bytes=N records=N: {line:?}"))
}

/// The number that the plugin or callgrind prints.
fn counted(stderr: &str) -> Option<u64> {
    stderr.lines().find_map(|line| {
        if let Some(number) = line.strip_prefix("onewrite-count: ") {
            return number.parse().ok();
        }
        // `==123== Collected : 456`
        let line = line.strip_prefix("==")?;
        line.split_once("Collected :")?.1.split_whitespace().next()?.parse().ok()
    })
}

/// Compiles the plugin for the QEMU that is installed, once.
pub(crate) fn build_plugin() -> Result<PathBuf> {
    let version = process::capture(Command::new("qemu-aarch64").arg("--version"))?;
    let major = qemu_major(&version).with_context(|| format!("no version in {version:?}"))?;
    // QEMU 9 dropped version 1 of the interface.
    let interface = if major < 9 { 1 } else { 2 };
    let folder = workspace::target_folder().join("xtask-plugin");
    fs::create_dir_all(&folder)?;
    let plugin = folder.join(format!("count-{interface}.so"));
    let source = workspace::root().join("xtask/src/count/plugin.c");
    let time = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    if time(&plugin).is_some_and(|built| time(&source).is_some_and(|written| written < built)) {
        return Ok(plugin);
    }
    say("compiling the counting plugin");
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command.args(["-O2", "-Wall", "-Wextra", "-shared", "-fPIC"]);
    command.arg(format!("-DPLUGIN_VERSION={interface}")).arg("-o").arg(&plugin).arg(&source);
    process::run(&mut command)?;
    Ok(plugin)
}

/// `qemu-aarch64 version 7.2.22 (Debian …)`: 7.
fn qemu_major(text: &str) -> Option<u32> {
    let (_, version) = text.split_once("version ")?;
    version.split('.').next()?.parse().ok()
}

/// A line for each workload and shape.
pub(crate) fn table(rows: &[Measurement]) -> String {
    use std::fmt::Write as _;
    let width =
        |name: fn(&Measurement) -> &str| rows.iter().map(|row| name(row).len()).max().unwrap_or(0);
    let (workload, shape) = (width(|row| &row.workload).max(8), width(|row| &row.shape).max(5));
    let mut text = format!(
        "{:<workload$}  {:<shape$}  {:>7}  {:>7}  {:>12}  {:>8}  {:>6}\n",
        "workload", "shape", "bytes", "records", "instructions", "/record", "/byte"
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{:<workload$}  {:<shape$}  {:>7}  {:>7}  {:>12.1}  {:>8.2}  {:>6.2}",
            row.workload,
            row.shape,
            row.bytes,
            row.records,
            row.instructions,
            row.per_record(),
            row.per_byte(),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_line_of_the_list_is_read_whole() {
        let pair = parse_pair("table-200 in_place bytes=48211 records=2400").unwrap();
        assert_eq!((pair.bytes, pair.records), (48211, 2400));
        for line in ["", "a b", "a b bytes=1", "a b bytes=x records=1", "a b bytes=1 records=1 c"] {
            assert!(parse_pair(line).is_err(), "{line}");
        }
    }

    #[test]
    fn both_counters_are_understood() {
        assert_eq!(counted("noise\nonewrite-count: 41211\n"), Some(41211));
        assert_eq!(counted("==77== Events    : Ir\n==77== Collected : 123456\n"), Some(123_456));
        assert_eq!(counted("==77== Events    : Ir\n"), None);
    }

    #[test]
    fn the_emulators_version_is_read() {
        assert_eq!(qemu_major("qemu-aarch64 version 7.2.22 (Debian 1:7.2)\nCopyright"), Some(7));
        assert_eq!(qemu_major("qemu-aarch64 version 10.0.2"), Some(10));
        assert_eq!(qemu_major("nothing"), None);
    }
}
