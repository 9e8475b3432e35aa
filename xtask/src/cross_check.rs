//! `cargo xtask cross-check`: whether `cross build`, `run` and `test` work on this machine.
//!
//! They are run for real, with the `Cross.toml` that users get, and with the container engine that
//! answers. Where no image registry does, the base image is made from Debian's packages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use anyhow::{Context as _, Result, anyhow, bail};

use crate::progress::Tally;
use crate::progress::{self, Step, say};
use crate::toolchain::{LINUX, Toolchain};
use crate::{process, workspace};

mod base;
mod cross;
mod engine;

/// Which engine and which image to try.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
#[command(after_help = "\
Needs rustup, and docker or podman. Installs cross into the cache folder where there is none. A base
image made here, about 0.5 GB, stays in the cache folder with podman and in the engine with docker.

Exit code: 0 cross works, 1 it does not or a test failed, 2 wrong usage.")]
pub(crate) struct Arguments {
    /// The container engine; by default the first that answers, docker before podman.
    #[arg(long, value_name = "ENGINE")]
    engine: Option<engine::Kind>,
    /// Where the base image comes from; by default cross's registry where that answers, else
    /// Debian's packages.
    #[arg(long, value_name = "BASE")]
    base: Option<base::Source>,
}

impl Arguments {
    /// For `cargo xtask ci --full`: nothing but Debian's packages.
    pub(crate) fn packages_only() -> Self {
        Self { engine: None, base: Some(base::Source::Debian) }
    }
}

/// The command itself; returns a line about what came out.
pub(crate) fn command(arguments: &Arguments, yes: bool) -> Result<String> {
    let host = Toolchain::host()?;
    let cross = prepare(arguments, &host, yes).map_err(|error| {
        // Whoever cannot use cross wants to know how to go on, on the same line.
        anyhow!("{}; without a container: {}", one_line(&error), without_container(&host))
    })?;
    let mut total = Tally::default();
    let mut steps: Vec<Step> = Vec::new();
    for (name, work) in WORK {
        let step = progress::step(name, || work(&cross, &mut total));
        let failed = step.result.is_err();
        steps.push(step);
        if failed {
            break;
        }
    }
    print!("\n{}", progress::table(&steps));
    println!("{total}");
    say(format_args!("cross by hand: {}", process::show(&cross.command("test"))));
    let done = format!("{total}, {}", cross.about());
    match steps.pop().map(|step| step.result) {
        Some(Err(_)) => {
            bail!("cross does not work here; without a container: {}", without_container(&host))
        }
        _ => Ok(done),
    }
}

/// Everything that has to be there before cross is started; nothing is left in the build folder by
/// what fails here.
fn prepare(arguments: &Arguments, host: &Toolchain, yes: bool) -> Result<cross::Cross> {
    if host.is_linux_target() {
        bail!("this machine is aarch64 Linux itself, and cross's images are for x86-64");
    }
    let folder = build_folder();
    check_writable(&folder)?;
    let engine = engine::find(arguments.engine, yes)?;
    let program = cross::program(host)?;
    let base = base::ready(engine, &program.tag, arguments.base, yes)?;
    let compiler = cross::Compiler::choose(host, yes)?;
    cross::Cross::new(host, program, compiler, base, folder)
}

type Work = fn(&cross::Cross, &mut Tally) -> Result<String>;

const WORK: [(&str, Work); 3] = [("cross build", build), ("cross run", run), ("cross test", test)];

fn build(cross: &cross::Cross, total: &mut Tally) -> Result<String> {
    let status = process::spawn(&mut cross.command("build"))?.wait()?;
    let result = ended_well(status);
    total.add(Tally::one(result.is_ok()));
    result.map(|()| LINUX.to_owned())
}

/// What the example prints in the container is what it prints everywhere.
fn run(cross: &cross::Cross, total: &mut Tally) -> Result<String> {
    let result = run_example(cross);
    total.add(Tally::one(result.is_ok()));
    result.map(|()| format!("{EXAMPLE} printed what it has to"))
}

const EXAMPLE: &str = "record";

fn run_example(cross: &cross::Cross) -> Result<()> {
    let mut command = cross.command("run");
    let (status, found) = process::tee(command.args(["--example", EXAMPLE]))?;
    ended_well(status)?;
    let path = workspace::root().join(format!("examples/{EXAMPLE}.out"));
    let wanted = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    if found != wanted {
        bail!("{}: another output", workspace::short(&path));
    }
    Ok(())
}

/// The command line is long, and is said once for all.
fn ended_well(status: ExitStatus) -> Result<()> {
    if !status.success() {
        bail!("{}", process::ended(status));
    }
    Ok(())
}

/// All of `cross test`, as a user types it.
fn test(cross: &cross::Cross, total: &mut Tally) -> Result<String> {
    let mut command = cross.command("test");
    let (status, output) = process::tee(command.arg("--no-fail-fast"))?;
    let tally = Tally::of_output(&output);
    total.add(tally);
    if !status.success() && tally.failed == 0 {
        // Nothing was counted as failed: it did not compile, or a program was ended.
        total.add(Tally::one(false));
    }
    ended_well(status)?;
    if tally == Tally::default() {
        bail!("no test ran");
    }
    Ok(tally.to_string())
}

/// The build folder of cross: a compiler of its own, and a C library that is not the host's.
fn build_folder() -> PathBuf {
    workspace::target_folder().join("xtask-cross")
}

/// Fails where a file cannot be made in the folder, or in the one that it would be made in.
///
/// A container that ran as root leaves such a folder; rootless podman can then write nothing to it,
/// and says so only after everything has been downloaded.
fn check_writable(folder: &Path) -> Result<()> {
    for folder in folder.ancestors() {
        let Ok(data) = fs::metadata(folder) else { continue };
        let probe = folder.join(format!(".onewrite-{}", std::process::id()));
        let Err(error) = fs::File::create(&probe) else {
            return fs::remove_file(&probe).with_context(|| probe.display().to_string());
        };
        let folder = folder.display();
        let owner = owner(&data);
        bail!(
            "cannot write to the build folder {folder}{owner} ({error}): take it back with `sudo chown -R $(id -u) {folder}`, or set CARGO_TARGET_DIR to another one"
        );
    }
    bail!("there is no place for the build folder {}", folder.display())
}

#[cfg(unix)]
fn owner(data: &fs::Metadata) -> String {
    use std::os::unix::fs::MetadataExt as _;
    match data.uid() {
        0 => ", which belongs to root".to_owned(),
        id => format!(", which belongs to user {id}"),
    }
}

#[cfg(not(unix))]
fn owner(_data: &fs::Metadata) -> String {
    String::new()
}

/// The cargo command that does the same on this machine.
fn without_container(host: &Toolchain) -> String {
    if host.has_target(LINUX) {
        let mut command = Command::new("cargo");
        command.args(["test", "--target", LINUX]);
        let variable = "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU";
        command.env(format!("{variable}_LINKER"), "aarch64-linux-gnu-gcc");
        let runner = format!("qemu-aarch64 -L {}", crate::toolchain::LINUX_SYSROOT);
        command.env(format!("{variable}_RUNNER"), runner);
        return process::show(&command);
    }
    // Its compiler is none that plain cargo would find.
    "cargo xtask test --only linux".to_owned()
}

/// An error with all its reasons, without line ends.
fn one_line(error: &anyhow::Error) -> String {
    let text = format!("{error:#}");
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" / ")
}
