//! The program that is measured: built for both machines, and asked.
//!
//! ```text
//! row WORKLOAD PLACE SHAPE records=N bytes=N wire=W baseline=0|1 allocations=N     of list
//! env NAME: VALUE                                                                  of time
//! sample ROW ROUND REPS NS
//! env-after NAME: VALUE
//! ```

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use anyhow::{Context as _, Result, bail};

use super::document::{Effort, Row};
use super::marks;
use crate::count::{build_plugin, emulated};
use crate::firmware::executable;
use crate::process::{self, End};
use crate::progress::say;
use crate::report::statistics::Statistics;
use crate::setup::{self, Need};
use crate::toolchain::{Place, Toolchain};
use crate::workspace;

/// Keeps glibc from `rep movsb`, of which callgrind counts each byte. It copies by the vectors that the
/// machine has, as it does for copies too short for that.
const NO_REP_MOVSB: &str = "glibc.cpu.hwcaps=-ERMS,-FSRM";

/// Where the program is.
const FOLDER: &str = "benches/peers/serializers";
/// Its name.
const NAME: &str = "serializers";
/// No run of it takes longer than this.
const LIMIT: Duration = Duration::from_secs(900);

/// The program for this machine and for an aarch64 Linux.
#[derive(Debug)]
pub(crate) struct Programs {
    here: PathBuf,
    a53: PathBuf,
    plugin: PathBuf,
    /// The compilers of both.
    releases: [String; 2],
}

/// What a timed run has said.
#[derive(Debug, Default)]
pub(crate) struct Timed {
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) environment_after: Vec<(String, String)>,
    /// Row, round, nanoseconds of one time.
    samples: Vec<(usize, usize, f64)>,
}

impl Programs {
    /// Sets up what is missing and builds both.
    pub(crate) fn build(yes: bool) -> Result<Self> {
        setup::ensure(setup::needs_of(Place::Linux), yes)?;
        setup::ensure(&[Need::Callgrind], yes)?;
        let [(here, release), (a53, a53_release)] = [build(Place::Host)?, build(Place::Linux)?];
        let releases = [release, a53_release];
        Ok(Self { here, a53, plugin: build_plugin()?, releases })
    }

    /// What is known of the tools and of the peers.
    pub(crate) fn facts(&self) -> Result<Vec<(String, String)>> {
        let first_line = |program: &str| {
            let text = process::capture(Command::new(program).arg("--version"));
            text.ok().and_then(|text| Some(text.lines().next()?.to_owned())).unwrap_or_default()
        };
        let lock = fs::read_to_string(workspace::root().join(FOLDER).join("Cargo.lock"))
            .context("no lock file of the peers")?;
        let versions: Vec<String> = PEERS
            .iter()
            .filter_map(|&peer| Some(format!("{peer} {}", locked_version(&lock, peer)?)))
            .collect();
        let [_, a53] = &self.releases;
        Ok([
            ("peers", versions.join(", ")),
            ("counted here by", first_line("valgrind")),
            ("counted as Cortex-A53 by", first_line("qemu-aarch64")),
            ("rustc for the Cortex-A53", format!("{a53}, -Ctarget-cpu=cortex-a53")),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into())
    }

    /// What there is to measure; both programs have to say the same.
    pub(crate) fn rows(&self, only: &[String]) -> Result<Vec<Row>> {
        let list = |mut command: Command| {
            command.arg("list").args(selection(only));
            process::capture(&mut command)
        };
        let here = list(Command::new(&self.here))?;
        let a53 = list(emulated(&self.a53, None))?;
        if here != a53 {
            bail!("the programs for here and for the Cortex-A53 do not write the same");
        }
        here.lines().map(row).collect()
    }

    /// Times all rows.
    pub(crate) fn time(&self, only: &[String], effort: Effort) -> Result<Timed> {
        let Effort { rounds, sample_us, seed } = effort;
        let mut command = Command::new(&self.here);
        command.args(["time", "--rounds", &rounds.to_string()]);
        command.args(["--sample-us", &sample_us.to_string(), "--seed", &seed.to_string()]);
        command.args(selection(only));
        let (text, _) = finished(&mut command)?;
        Timed::parse(&text)
    }

    /// Counts all rows, here and as the Cortex-A53 has them: instructions of one time.
    pub(crate) fn count(&self, only: &[String], rows: usize) -> Result<[Vec<f64>; 2]> {
        let folder = tempfile::tempdir()?;
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", "--dump-before=*bench_mark*"]);
        let dumps = folder.path().join("dump");
        valgrind.arg(format!("--callgrind-out-file={}", dumps.display())).arg(&self.here);
        let mut qemu = emulated(&self.a53, Some(&self.plugin));
        for command in [&mut valgrind, &mut qemu] {
            command.arg("count").args(selection(only));
            // The environment of the caller would be copied and counted.
            let path = env::var_os("PATH");
            command.env_clear().envs(path.map(|path| ("PATH", path)));
        }
        valgrind.env("GLIBC_TUNABLES", NO_REP_MOVSB);
        // Neither is disturbed by the other.
        let (here, a53) = std::thread::scope(|scope| {
            let here = scope.spawn(|| finished(&mut valgrind));
            (here.join(), finished(&mut qemu))
        });
        here.ok().context("the thread that counts is gone")??;
        let (_, said) = a53?;
        let here = marks::of_dumps(&dumps, 3 * rows)?;
        let a53 = marks::of_plugin(&said)?;
        Ok([marks::per_time(&here, rows)?, marks::per_time(&a53, rows)?])
    }
}

impl Timed {
    fn parse(text: &str) -> Result<Self> {
        let mut timed = Self::default();
        for line in text.lines() {
            let fact = |line: &str| {
                let (name, value) = line.split_once(": ")?;
                Some((name.to_owned(), value.to_owned()))
            };
            let sample = |line: &str| {
                let mut words = line.split(' ').map(str::parse::<u32>);
                let mut next = || words.next()?.ok();
                let (row, round, reps) = (next()?, next()?, next()?);
                let ns = f64::from(next()?);
                Some((
                    usize::try_from(row).ok()?,
                    usize::try_from(round).ok()?,
                    ns / f64::from(reps),
                ))
            };
            match line.split_once(' ') {
                Some(("env", rest)) => timed.environment.extend(fact(rest)),
                Some(("env-after", rest)) => timed.environment_after.extend(fact(rest)),
                Some(("sample", rest)) => {
                    timed.samples.push(sample(rest).with_context(|| format!("no sample: {line}"))?);
                }
                _ => bail!("not understood: {line}"),
            }
        }
        Ok(timed)
    }

    /// Gives each row its samples, in the order of the rounds, and what they say.
    pub(crate) fn enter(&self, rows: &mut [Row]) -> Result<()> {
        for &(row, _, ns) in &self.samples {
            rows.get_mut(row).context("a sample of no row")?.samples.push(ns);
        }
        // Samples of one round are compared with each other, so each row needs as many.
        let mut bases: BTreeMap<(String, String), Vec<f64>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.baseline) {
            bases.insert(row.group(), row.samples.clone());
        }
        for row in rows {
            row.ns = Statistics::of(&row.samples).context("a row without a sample")?;
            let Some(base) = bases.get(&row.group()) else { continue };
            if base.len() != row.samples.len() {
                bail!("{} {} was not timed in every round", row.workload, row.shape);
            }
            let ratios: Vec<f64> =
                row.samples.iter().zip(base).map(|(this, base)| this / base).collect();
            row.ratio = Statistics::of(&ratios);
        }
        Ok(())
    }
}

fn build(place: Place) -> Result<(PathBuf, String)> {
    let toolchain = Toolchain::for_place(place)?;
    let mut command = toolchain.cargo(place, "build");
    let folder = workspace::root().join(FOLDER);
    command.arg("--manifest-path").arg(folder.join("Cargo.toml"));
    command.args(["--release", "--locked"]);
    // Neither in the library's folder, whose lock file is another one, nor in each other's.
    let target = match place {
        Place::Host => workspace::target_folder().join("peers"),
        Place::Linux | Place::Bare => toolchain.target_folder(place).join("peers"),
    };
    command.env("CARGO_TARGET_DIR", target);
    say(format_args!("building {FOLDER} for {place}"));
    Ok((executable(&mut command, NAME)?, toolchain.release))
}

fn selection(only: &[String]) -> Vec<String> {
    if only.is_empty() { Vec::new() } else { vec!["--only".to_owned(), only.join(",")] }
}

/// Standard output and standard error of a run that went well.
fn finished(command: &mut Command) -> Result<(String, String)> {
    let (end, stdout, stderr) = process::capture_within(command, LIMIT)?;
    let [stdout, stderr] =
        [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    match end {
        End::Exited(status) if status.success() => Ok((stdout, stderr)),
        end => bail!("{}: {end:?}\n{}", process::show(command), stderr.trim_end()),
    }
}

fn row(line: &str) -> Result<Row> {
    let parse = || {
        let mut words = line.strip_prefix("row ")?.split(' ');
        let mut name = || Some(words.next()?.to_owned());
        let (workload, place, shape) = (name()?, name()?, name()?);
        let mut value = |key: &str| words.next()?.strip_prefix(key)?.strip_prefix('=');
        Some(Row {
            workload,
            place,
            shape,
            records: value("records")?.parse().ok()?,
            bytes: value("bytes")?.parse().ok()?,
            wire: value("wire")?.to_owned(),
            baseline: value("baseline")? == "1",
            allocations: value("allocations")?.parse().ok()?,
            ..Row::default()
        })
    };
    parse().with_context(|| format!("no row: {line:?}"))
}

/// The others, by the names of their packages.
const PEERS: [&str; 15] = [
    "bincode",
    "borsh",
    "deku",
    "heapless",
    "micropb",
    "minicbor",
    "musli",
    "postcard",
    "rkyv",
    "serde",
    "serde-json-core",
    "spacetimedb-sats",
    "speedy",
    "wincode",
    "zerocopy",
];

/// The version of a package in a lock file.
fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let mut lines = lock.lines();
    lines.find(|line| line.strip_prefix("name = \"") == Some(&format!("{package}\"")))?;
    lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::*;

    const LIST: [&str; 2] = [
        "row frames-64 memory onewrite records=64 bytes=1280 wire=same baseline=1 allocations=0",
        "row frames-64 memory bincode records=64 bytes=1288 wire=same+8 baseline=0 allocations=2",
    ];

    #[test]
    fn a_line_of_the_list_is_read_whole() {
        let found = row(LIST[1]).unwrap();
        assert_eq!((found.records, found.bytes, found.allocations), (64, 1288, 2));
        assert_eq!((found.shape.as_str(), found.wire.as_str()), ("bincode", "same+8"));
        assert!(!found.baseline);
        assert!(row("row frames-64 memory bincode records=64").is_err());
        assert!(row(&LIST[0].replace("bytes=", "octets=")).is_err());
    }

    #[test]
    fn ratios_are_taken_round_by_round() {
        let text = "env board: linux\nsample 1 0 2 40\nsample 0 0 1 10\nsample 0 1 1 30\n\
                    sample 1 1 2 180\nenv-after load: 1\n";
        let timed = Timed::parse(text).unwrap();
        assert_eq!(timed.environment, [("board".to_owned(), "linux".to_owned())]);
        let mut rows: Vec<Row> = LIST.iter().map(|line| row(line).unwrap()).collect();
        timed.enter(&mut rows).unwrap();
        assert_eq!(rows[0].samples, [10.0, 30.0]);
        assert_eq!(rows[1].samples, [20.0, 90.0]);
        let ratio = rows[1].ratio.unwrap();
        assert_eq!((ratio.min, ratio.max, ratio.mean), (2.0, 3.0, 2.5));
        assert_eq!(rows[0].ratio.unwrap().error, 0.0);
    }

    #[test]
    fn a_row_that_missed_a_round_is_refused() {
        let timed = Timed::parse("sample 0 0 1 10\nsample 0 1 1 10\nsample 1 0 1 10\n").unwrap();
        let mut rows: Vec<Row> = LIST.iter().map(|line| row(line).unwrap()).collect();
        assert!(timed.enter(&mut rows).is_err());
        assert!(Timed::parse("sample 0 0 ten 10\n").is_err());
    }

    #[test]
    fn a_version_is_that_of_the_package_itself() {
        let lock = "name = \"serde-json-core\"\nversion = \"0.7.0\"\n\nname = \"serde\"\n\
                    version = \"1.0.1\"\n";
        assert_eq!(locked_version(lock, "serde"), Some("1.0.1"));
        assert_eq!(locked_version(lock, "json"), None);
    }
}
