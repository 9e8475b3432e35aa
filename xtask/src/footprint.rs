//! `cargo xtask footprint`: what one codec adds to a firmware, on three machines, beside bincode 2.
//!
//! `benches/peers/size` has a program for each: no operating system, no console, a port of one
//! register. What counts is `.text` and `.rodata` of the linked program at `opt-level` z. The sizes are
//! kept in `sizes.txt` there: 3 % more fails, 3 % less is said, both only under the compiler that made
//! what is kept. What was promised, and that nothing of ours can panic, is looked at under every
//! compiler.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::machine::MACHINES;
use crate::progress::say;
use crate::report::output;
use crate::setup::{self, Need};
use crate::toolchain::{BARE, Place, Toolchain};
use crate::{firmware, size, workspace};

mod peers;

/// The programs, ours and the one that ours is compared with.
const PROGRAMS: [&str; 11] = [
    "empty",
    "record",
    "record_bincode",
    "template",
    "bsatn",
    "websocket",
    "render_batch",
    "http_literal",
    "http_server",
    "http1_server",
    "http2_server",
];
/// How they are built, unless somebody asks for another level.
const LEVEL: &str = "z";
const EMPTY: &str = "empty";
const RECORD: &str = "record";
const PEER: &str = "record_bincode";
const SERVER: &str = "http_server";

/// A machine, and the bytes that a record, a write and its error state may add to an empty program:
/// 850, 750 and 850 with the 370, 360 and 340 of a firmware that starts itself.
struct Target {
    name: &'static str,
    triple: &'static str,
    record: u64,
}

const TARGETS: [Target; 3] = [
    Target { name: "Cortex-A53", triple: BARE, record: 480 },
    Target { name: "Cortex-M0", triple: "thumbv6m-none-eabi", record: 390 },
    Target { name: "RV32IMC", triple: "riscv32imc-unknown-none-elf", record: 510 },
];

/// Bytes that a server of both versions of HTTP may add to an empty program, on every machine.
const SERVED: u64 = 32 * 1024;
/// How much of the peer's size ours may be.
const SHARE: f64 = 0.65;
/// By how many per cent a size may differ from the one that is kept.
const MOVED: u64 = 3;

/// What to do with the sizes.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = "\
`cargo xtask bless footprint` keeps the sizes.

Exit code: 0 measured, 1 larger than kept or promised, a panic, or a failure, 2 wrong usage.")]
pub(crate) struct Arguments {
    /// Compare with benches/peers/size/sizes.txt and fail where more is needed.
    #[arg(long)]
    check: bool,
    /// Look at the record of every serializer instead, and compare with nothing.
    #[arg(long, conflicts_with = "check")]
    peers: bool,
    /// Build the servers of HTTP with the ways that the feature http-quick adds, and compare with nothing.
    #[arg(long, conflicts_with_all = ["check", "peers"])]
    http_quick: bool,
    /// Another opt-level than z, and compare with nothing.
    #[arg(long, value_name = "LEVEL", conflicts_with = "check", value_parser = ["1", "2", "3", "s", "z"])]
    opt_level: Option<String>,
    /// Keep the sizes.
    #[arg(skip)]
    bless: bool,
}

impl Arguments {
    /// The comparison that CI asks for.
    pub(crate) fn gate() -> Self {
        Self { check: true, ..Self::default() }
    }

    /// The record of every serializer.
    pub(crate) fn peers() -> Self {
        Self { peers: true, ..Self::default() }
    }

    /// The sizes, to be kept.
    pub(crate) fn bless() -> Self {
        Self { bless: true, ..Self::default() }
    }
}

/// Bytes of a program on each machine.
type Sizes = [u64; TARGETS.len()];

/// A table as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Table {
    rustc: String,
    rows: BTreeMap<String, Sizes>,
}

/// The command itself; returns in words how the sizes compare.
pub(crate) fn command(arguments: &Arguments, yes: bool) -> Result<String> {
    let level = arguments.opt_level.as_deref().unwrap_or(LEVEL);
    if arguments.peers {
        output::print(&peers::table(level, yes)?)?;
        return Ok(String::new());
    }
    let made = measure(level, arguments.http_quick, yes)?;
    output::print(&made.text(level))?;
    if arguments.http_quick || level != LEVEL {
        return Ok(String::new());
    }
    promised(&made)?;
    let path = folder().join("sizes.txt");
    if arguments.bless {
        output::write(&path, &made.text(level))?;
        return Ok("footprint: kept".to_owned());
    }
    if !arguments.check {
        return Ok(String::new());
    }
    let kept = fs::read_to_string(&path).with_context(|| workspace::short(&path))?;
    compare(&Table::read(&kept).with_context(|| workspace::short(&path))?, &made)
}

/// No program of ours has a panic or an allocation at any opt-level; returns in words what was looked at.
/// HTTP is the one without `http-quick` here, which elsewhere is built in.
pub(crate) fn prove_every_level(yes: bool) -> Result<String> {
    for level in size::LEVELS {
        measure(level, false, yes).with_context(|| format!("opt-level {level}"))?;
    }
    Ok(format!("{} programs at {}", PROGRAMS.len(), size::LEVELS.join(", ")))
}

fn folder() -> PathBuf {
    workspace::root().join("benches/peers/size")
}

/// All programs of ours, without a panic or an allocation, and the peer that is always there.
fn measure(level: &str, http_quick: bool, yes: bool) -> Result<Table> {
    let mut made = Table::default();
    let options = |command: &mut Command| {
        command.args(http_quick.then_some("--features=http-quick"));
        command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level);
    };
    made.rustc = look_at_all(&PROGRAMS, options, yes, |program, at, size, bad| {
        let name = TARGETS.get(at).map_or("", |target| target.name);
        if program != PEER && !bad.is_empty() {
            bail!("{program} on {name}: {}", bad.join(", "));
        }
        if let Some(cell) = made.rows.entry(program.to_owned()).or_default().get_mut(at) {
            *cell = size;
        }
        Ok(())
    })?;
    Ok(made)
}

/// Builds programs for every machine, with what `options` adds to cargo's command, and returns the
/// compiler. `visit` gets each with its machine, its size and the names of what it should not have.
fn look_at_all(
    programs: &[&str],
    options: impl Fn(&mut Command),
    yes: bool,
    mut visit: impl FnMut(&str, usize, u64, &[String]) -> Result<()>,
) -> Result<String> {
    setup::ensure(&[Need::BareCompiler], yes)?;
    let mut rustc = String::new();
    for (at, target) in TARGETS.iter().enumerate() {
        let machine = MACHINES.iter().find(|machine| machine.target() == target.triple);
        let (toolchain, flags): (_, &[&str]) = match machine {
            Some(machine) => (machine.toolchain(yes)?, &[]),
            None => (
                Toolchain::for_place(Place::Bare)?,
                &["-Ctarget-cpu=cortex-a53", "-Ctarget-feature=-strict-align"],
            ),
        };
        say(format_args!("building {} programs for {}", programs.len(), target.name));
        let mut command = toolchain.cargo_for(target.triple, "build", flags);
        options(&mut command);
        for (program, path) in programs.iter().zip(build(&mut command, programs)?) {
            let bytes = size::bytes_of(&path)?;
            let file = object::File::parse(&*bytes)?;
            let bad = size::panics_and_allocations(&size::symbols(&file, &path)?);
            visit(program, at, size::Sizes::of(&file).in_flash(), &bad)?;
        }
        rustc = toolchain.release;
    }
    Ok(rustc)
}

fn build(command: &mut Command, programs: &[&str]) -> Result<Vec<PathBuf>> {
    command.arg("--manifest-path").arg(folder().join("Cargo.toml"));
    command.args(["--release", "--locked"]);
    firmware::executables(command, programs)
}

impl Table {
    fn read(text: &str) -> Result<Self> {
        let mut table = Self::default();
        for line in text.lines() {
            if let Some(about) = line.strip_prefix("# rustc ") {
                about.split(',').next().unwrap_or_default().clone_into(&mut table.rustc);
            }
            let mut words = line.split_whitespace();
            let Some(name) = words.next().filter(|name| !name.starts_with('#')) else { continue };
            let sizes: Vec<u64> =
                words.map(str::parse).collect::<Result<_, _>>().with_context(|| line.to_owned())?;
            let sizes = sizes.try_into().ok().with_context(|| line.to_owned())?;
            table.rows.insert(name.to_owned(), sizes);
        }
        Ok(table)
    }

    fn text(&self, level: &str) -> String {
        let names = TARGETS.map(|target| format!("{:>12}", target.name)).concat();
        let mut text = format!(
            "# rustc {}, opt-level {level}, fat LTO: bytes of text and rodata\n# {:<16}{names}\n",
            self.rustc, "program"
        );
        for (program, sizes) in &self.rows {
            let sizes = sizes.map(|size| format!("{size:>12}")).concat();
            let _ = writeln!(text, "{program:<18}{sizes}");
        }
        text
    }

    fn row(&self, program: &str) -> Result<Sizes> {
        self.rows.get(program).copied().with_context(|| format!("no size of {program}"))
    }
}

/// Fails where a record or a server takes more than was promised.
fn promised(made: &Table) -> Result<()> {
    for ((target, empty), server) in TARGETS.iter().zip(made.row(EMPTY)?).zip(made.row(SERVER)?) {
        let added = server.saturating_sub(empty);
        if added > SERVED {
            bail!("{}: a server adds {added} bytes, {SERVED} were promised", target.name);
        }
    }
    let [empty, record, peer] = [made.row(EMPTY)?, made.row(RECORD)?, made.row(PEER)?];
    for (((target, empty), record), peer) in TARGETS.iter().zip(empty).zip(record).zip(peer) {
        let added = record.saturating_sub(empty);
        if added > target.record {
            bail!("{}: a record adds {added} bytes, {} were promised", target.name, target.record);
        }
        #[expect(clippy::cast_precision_loss, reason = "sizes stay far below 2^53")]
        let share = record as f64 / peer as f64;
        if share > SHARE {
            bail!("{}: {record} bytes are {share:.2} of bincode's {peer}", target.name);
        }
    }
    Ok(())
}

/// Fails where a program has grown.
fn compare(kept: &Table, made: &Table) -> Result<String> {
    let (mut grown, mut shrunk) = (Vec::new(), 0);
    for (program, sizes) in &made.rows {
        for ((size, before), target) in sizes.iter().zip(kept.row(program)?).zip(&TARGETS) {
            if size * 100 > before * (100 + MOVED) {
                grown.push(format!("{program} on {}: {size}, was {before}", target.name));
            }
            shrunk += usize::from(size * 100 < before * (100 - MOVED));
        }
    }
    if made.rustc != kept.rustc {
        let reason = format!("not compared: rustc {}, sizes of {}", made.rustc, kept.rustc);
        say(&reason);
        return Ok(reason);
    }
    if !grown.is_empty() {
        bail!("larger than kept\n{}", grown.join("\n"));
    }
    let said = format!("{} programs on {} machines as kept", made.rows.len(), TARGETS.len());
    if shrunk == 0 {
        return Ok(said);
    }
    Ok(format!("{said}, {shrunk} sizes smaller: cargo xtask bless footprint"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn table(record: u64, peer: u64) -> Table {
        let rows = [(EMPTY, 30), (RECORD, record), (PEER, peer), (SERVER, 30_000)];
        let rows = rows.map(|(name, size)| (name.to_owned(), [size; TARGETS.len()])).into();
        Table { rustc: "1.96.0".to_owned(), rows }
    }

    #[test]
    fn what_is_kept_is_read_back() {
        let table = table(300, 1000);
        assert_eq!(Table::read(&table.text(LEVEL)).unwrap(), table);
        assert!(Table::read("record 1 2\n").is_err());
        assert!(Table::read("record 1 2 x\n").is_err());
    }

    #[test]
    fn a_promise_is_one_on_every_machine() {
        promised(&table(420, 1000)).unwrap();
        // More than a Cortex-M0 may have, and more than the share of the peer.
        assert!(promised(&table(421, 1000)).is_err());
        assert!(promised(&table(400, 615)).is_err());
        let mut large = table(420, 1000);
        large.rows.insert(SERVER.to_owned(), [30 + SERVED + 1; TARGETS.len()]);
        assert!(promised(&large).is_err());
    }

    #[test]
    fn a_program_may_grow_by_three_per_cent() {
        let kept = table(300, 1000);
        compare(&kept, &table(309, 1000)).unwrap();
        assert!(compare(&kept, &table(310, 1000)).is_err());
        assert!(compare(&kept, &table(200, 1000)).unwrap().contains("3 sizes smaller"));
        let other = Table { rustc: "1.97.0".to_owned(), ..table(400, 1000) };
        assert!(compare(&kept, &other).unwrap().starts_with("not compared"));
    }

    #[test]
    fn every_program_is_kept() {
        let kept = Table::read(&fs::read_to_string(folder().join("sizes.txt")).unwrap()).unwrap();
        for program in PROGRAMS {
            kept.row(program).unwrap();
        }
    }
}
