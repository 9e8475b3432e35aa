//! Distribution packages: emulators and the cross linker, and nothing that is there already.

use std::fs;
use std::io::stderr;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use super::Missing;
use crate::process;
use crate::progress::say;

/// A program or file, and the Debian package that brings it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    what: What,
    package: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Program(&'static str),
    OneOf(&'static [&'static str]),
    Emulator(&'static str, &'static str),
    File(String),
}

/// A program on the search path.
pub(crate) fn program(name: &'static str, package: &'static str) -> Wanted {
    Wanted { what: What::Program(name), package }
}

/// A program that has one name or another on the search path.
pub(crate) fn one_of(names: &'static [&'static str], package: &'static str) -> Wanted {
    Wanted { what: What::OneOf(names), package }
}

/// An emulator on the search path that knows a machine; one that does not is too old.
pub(crate) fn emulator(name: &'static str, machine: &'static str, package: &'static str) -> Wanted {
    Wanted { what: What::Emulator(name, machine), package }
}

/// The first of the packages that this release has: what is in one may be in another later.
pub(crate) fn first(packages: &[&'static str]) -> &'static str {
    let known = packages.iter().copied().find(|package| has_candidate(package));
    known.or(packages.last().copied()).unwrap_or_default()
}

/// A file, by its whole path.
pub(crate) fn file(path: &str, package: &'static str) -> Wanted {
    Wanted { what: What::File(path.to_owned()), package }
}

impl Wanted {
    fn is_there(&self) -> bool {
        match &self.what {
            What::Program(name) => process::find(name).is_some(),
            What::OneOf(names) => names.iter().any(|name| process::find(name).is_some()),
            What::Emulator(name, machine) => knows(name, machine),
            What::File(path) => Path::new(path).exists(),
        }
    }

    fn name(&self) -> String {
        match &self.what {
            What::Program(name) => (*name).to_owned(),
            What::OneOf(names) => names.join(" or "),
            What::Emulator(name, machine) if process::find(name).is_some() => {
                format!("a newer {name}, which knows -M {machine}")
            }
            What::Emulator(name, machine) => format!("{name}, which knows -M {machine}"),
            What::File(path) => path.clone(),
        }
    }
}

/// Installs what is missing, or says in one line how to.
pub(crate) fn ensure(wanted: &[Wanted], yes: bool) -> Result<()> {
    let missing: Vec<&Wanted> = wanted.iter().filter(|wanted| !wanted.is_there()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.iter().map(|wanted| wanted.name()).collect::<Vec<_>>().join("; ");
    let mut packages: Vec<&str> = missing.iter().map(|wanted| wanted.package).collect();
    packages.sort_unstable();
    packages.dedup();
    if process::find("apt-get").is_none() {
        let packages = packages.join(" ");
        bail!(Missing(format!(
            "missing: {names}; install what provides it (Debian calls the packages {packages})"
        )));
    }
    let root = is_root();
    let mut install = apt_get(root);
    install.args(["install", "--no-install-recommends"]).args(&packages);
    let line = process::show(&install);
    if !(root || yes || in_ci() || agreed(&names, &line)?) {
        bail!(Missing(format!("missing: {names}; run this, or again with --yes: {line}")));
    }
    say(&line);
    if packages.iter().all(|package| has_candidate(package)) && succeeds(&mut install) {
        return check(&missing);
    }
    // The lists are old or empty. A source of somebody else's that fails is no reason to stop.
    let mut update = apt_get(root);
    update.arg("update");
    say(process::show(&update));
    succeeds(&mut update);
    // Standard output is for what the command was asked for.
    process::run(install.stdin(Stdio::null()).stdout(stderr()))?;
    check(&missing)
}

/// Whether an emulator is there and has the machine in its list.
fn knows(program: &str, machine: &str) -> bool {
    if process::find(program).is_none() {
        return false;
    }
    let list = process::capture(Command::new(program).args(["-machine", "help"]));
    list.is_ok_and(|list| list.lines().any(|line| line.split(' ').next() == Some(machine)))
}

fn check(missing: &[&Wanted]) -> Result<()> {
    for wanted in missing {
        if !wanted.is_there() {
            let (package, name) = (wanted.package, wanted.name());
            bail!(Missing(format!("package {package} is installed, but there is not {name}")));
        }
    }
    Ok(())
}

fn apt_get(root: bool) -> Command {
    let mut command = Command::new(if root { "apt-get" } else { "sudo" });
    if root {
        command.env("DEBIAN_FRONTEND", "noninteractive");
    } else {
        command.args(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
    }
    // Somebody else's installation ends some day: wait for its lock.
    command.args(["-q", "-y", "-o", "DPkg::Lock::Timeout=600"]);
    command
}

fn succeeds(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).stdout(stderr()).status().is_ok_and(|status| status.success())
}

fn has_candidate(package: &str) -> bool {
    let policy = process::capture(Command::new("apt-cache").args(["policy", package]));
    policy.is_ok_and(|text| {
        text.lines()
            .filter_map(|line| line.trim().strip_prefix("Candidate:"))
            .any(|version| version.trim() != "(none)")
    })
}

/// Asks, where there is somebody to answer.
fn agreed(names: &str, line: &str) -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        return Ok(false);
    }
    eprint!("xtask: missing: {names}\n  {line}\nRun this now? [y/N] ");
    stderr().flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// Whether this program may do everything.
#[cfg(target_os = "linux")]
pub(crate) fn is_root() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    // Uid: real, effective, saved, file system.
    let uid = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    uid.and_then(|ids| ids.split_whitespace().nth(1)) == Some("0")
}

/// Whether this program may do everything.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_root() -> bool {
    false
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn what_is_there_is_not_installed() {
        let package = "no-such-package";
        let either = one_of(&["no-such-program", "cargo"], package);
        ensure(&[program("cargo", package), file("/", package), either], false).unwrap();
        assert!(!one_of(&["no-such-program", "nor-this"], package).is_there());
    }

    #[test]
    fn the_command_waits_for_the_lock_and_is_complete() {
        let line = process::show(apt_get(true).args(["install", "qemu-user"]));
        assert_eq!(
            line,
            "DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 install qemu-user"
        );
        assert!(process::show(&apt_get(false)).starts_with("sudo env DEBIAN_FRONTEND"));
    }
}
