//! cross itself: where it is, which compiler it takes into the container, and what it is told.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::base::{Base, Source};
use crate::progress::say;
use crate::setup::{self, Need};
use crate::toolchain::{LINUX, Place, Toolchain};
use crate::{process, workspace};

/// The release that is installed where there is none, and that all this was tried with.
const RELEASE: &str = "0.2.5";

/// An installed cross.
#[derive(Clone, Debug)]
pub(super) struct Program {
    path: PathBuf,
    /// Its first line about itself.
    name: String,
    /// The tag of the images which belong to it.
    pub(super) tag: String,
}

/// The user's cross, or one of our own.
pub(super) fn program(host: &Toolchain) -> Result<Program> {
    if process::find("rustup").is_none() {
        bail!("rustup is not installed, and cross asks it for the compiler");
    }
    let path = match process::find("cross") {
        Some(path) => path,
        None => installed(host)?,
    };
    // Where it finds a package it first wants to complete the compiler.
    let nowhere = path.ancestors().last().unwrap_or(&path);
    let about = process::capture(Command::new(&path).current_dir(nowhere).arg("--version"))?;
    let name = about.lines().find(|line| line.starts_with("cross ")).unwrap_or("cross").to_owned();
    let tag = tag_of(&name).to_owned();
    Ok(Program { path, name, tag })
}

/// The tag that cross gives its images: its version, or where git made it, the newest.
fn tag_of(name: &str) -> &str {
    let mut words = name.split_whitespace().skip(1);
    let version = words.next().unwrap_or(RELEASE);
    if words.next().is_some() { "main" } else { version }
}

/// Installs cross into the cache folder, once.
fn installed(host: &Toolchain) -> Result<PathBuf> {
    let root = workspace::cache_folder()?.join(format!("cross/{RELEASE}"));
    let program = root.join("bin/cross");
    if program.is_file() {
        return Ok(program);
    }
    let _lock = setup::lock()?;
    // Somebody else may have installed it while we waited.
    if !program.is_file() {
        let mut command = host.cargo(Place::Host, "install");
        command.args(["cross", "--quiet", "--locked", "--version", RELEASE, "--root"]).arg(&root);
        // Left alone, it builds in a folder of its own and removes it.
        command.env_remove("CARGO_TARGET_DIR");
        say(process::show(&command));
        process::run(&mut command).context("cannot install cross")?;
    }
    Ok(program)
}

/// The compiler that cross takes into the container.
#[derive(Clone, Debug)]
pub(super) enum Compiler {
    /// The one that rustup would choose, which cross completes through rustup.
    Rustups,
    /// The one that set-up assembled; rustup knows it in a folder of ours only.
    Private {
        /// In place of the user's `~/.rustup`.
        home: PathBuf,
    },
}

impl Compiler {
    pub(super) fn choose(host: &Toolchain, yes: bool) -> Result<Self> {
        setup::ensure(&[Need::LinuxCompiler], yes)?;
        if host.serves(LINUX) {
            return Ok(Self::Rustups);
        }
        let toolchain = Toolchain::for_place(Place::Linux)?;
        let home = workspace::cache_folder()?.join("cross/rustup");
        let name = toolchain.sysroot.file_name().unwrap_or_default().to_owned();
        let short = without_triple(&name, &host.host)?;
        // cross takes the name of the folder and looks for it in rustup's list, where it does not
        // recognize the one that is marked as active: so there are two names, and the other one
        // is active.
        for link in [short.as_os_str(), &name] {
            let mut command = rustup(&home);
            command.args(["toolchain", "link"]).arg(link).arg(&toolchain.sysroot);
            process::capture(&mut command)?;
        }
        process::capture(rustup(&home).arg("default").arg(&short))?;
        Ok(Self::Private { home })
    }
}

fn rustup(home: &Path) -> Command {
    let mut command = Command::new("rustup");
    command.env("RUSTUP_HOME", home).env_remove("RUSTUP_TOOLCHAIN");
    command
}

/// `onewrite-x86_64-unknown-linux-gnu` without its triple.
fn without_triple(name: &OsStr, triple: &str) -> Result<OsString> {
    let name = name.to_str().context("a folder whose name is not UTF-8")?;
    let short = name.strip_suffix(triple).and_then(|short| short.strip_suffix('-'));
    let short = short.filter(|short| !short.is_empty());
    Ok(short
        .with_context(|| format!("the compiler's folder {name} is not named …-{triple}"))?
        .into())
}

/// cross with all that its commands need on this machine.
#[derive(Clone, Debug)]
pub(super) struct Cross {
    program: Program,
    compiler: Compiler,
    base: Base,
    folder: PathBuf,
}

impl Cross {
    /// Also fetches the packages that will be built, since a container may have no network.
    pub(super) fn new(
        host: &Toolchain,
        program: Program,
        compiler: Compiler,
        base: Base,
        folder: PathBuf,
    ) -> Result<Self> {
        let mut fetch = host.cargo(Place::Host, "fetch");
        fetch.args(["--quiet", "--locked", "--target", LINUX, "--target", &host.host]);
        process::run(&mut fetch)?;
        Ok(Self { program, compiler, base, folder })
    }

    /// `cross SUBCOMMAND`, as somebody would type it.
    pub(super) fn command(&self, subcommand: &str) -> Command {
        let mut command = Command::new(&self.program.path);
        command.current_dir(workspace::root()).args([subcommand, "--target", LINUX]);
        for (name, _) in std::env::vars_os() {
            if is_of_our_own_build(&name) {
                command.env_remove(name);
            }
        }
        let Base { engine, build_options, .. } = &self.base;
        command.env("CROSS_CONTAINER_ENGINE", engine.kind.program());
        command.envs(engine.variables.iter().map(|(name, value)| (name, value)));
        command.env("CARGO_TARGET_DIR", &self.folder).env("CARGO_NET_OFFLINE", "true");
        if let Some(options) = build_options {
            let users = std::env::var("CROSS_BUILD_OPTS").unwrap_or_default();
            command.env("CROSS_BUILD_OPTS", format!("{users} {options}").trim_start());
        }
        if let Compiler::Private { home } = &self.compiler {
            command.env("RUSTUP_HOME", home).env("CROSS_CUSTOM_TOOLCHAIN", "1");
        }
        command.stdin(std::process::Stdio::null());
        command
    }

    /// Which cross, engine and image.
    pub(super) fn about(&self) -> String {
        let base = match self.base.source {
            Source::Public => "cross's own image",
            Source::Debian => "image of Debian's packages",
        };
        format!("{}, {}, {base}", self.program.name, self.base.engine.kind.program())
    }
}

/// What cargo and rustup have set for this program, and what cross would pass into the container.
fn is_of_our_own_build(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let starts = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"];
    let names = [
        "CARGO",
        "CARGO_PRIMARY_PACKAGE",
        "LD_LIBRARY_PATH",
        "OUT_DIR",
        "RUSTC",
        "RUSTDOC",
        "RUSTUP_TOOLCHAIN",
    ];
    names.contains(&name.as_ref()) || starts.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_release_and_a_checkout_have_other_images() {
        assert_eq!(tag_of("cross 0.2.5"), "0.2.5");
        assert_eq!(tag_of("cross 0.2.5 (8c1a8aa 2026-08-19)"), "main");
        assert_eq!(tag_of("cross"), RELEASE);
    }

    #[test]
    fn the_compilers_short_name_loses_the_triple() {
        let short = |name: &str| without_triple(OsStr::new(name), "x86_64-unknown-linux-gnu");
        assert_eq!(short("onewrite-x86_64-unknown-linux-gnu").unwrap(), "onewrite");
        assert!(short("onewrite").is_err());
        assert!(short("-x86_64-unknown-linux-gnu").is_err());
    }

    #[test]
    fn the_users_own_cargo_settings_reach_the_container() {
        let is_ours = |name: &str| is_of_our_own_build(OsStr::new(name));
        assert!(is_ours("CARGO") && is_ours("CARGO_PKG_NAME") && is_ours("RUSTUP_TOOLCHAIN"));
        assert!(!is_ours("CARGO_HOME") && !is_ours("CARGO_HTTP_PROXY") && !is_ours("RUSTFLAGS"));
    }
}
