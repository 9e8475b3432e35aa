//! Where things are: the library, the folders of builds, versions of what was built.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

/// The folder of the library.
fn library() -> PathBuf {
    // Of the checkout that we were built from: benches/peers/http/compare lies four below.
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(4).unwrap_or(own).to_owned()
}

/// The folder of this workspace.
fn own() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// Where cargo puts what it builds of this workspace.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| own().join("target"), PathBuf::from)
}

/// Where cargo puts what it builds of the library's workspace.
pub(crate) fn library_target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| library().join("target"), PathBuf::from)
}

/// Builds our own example.
pub(crate) fn build_ours() -> Result<()> {
    cargo(&library(), &["build", "--release", "--example=http_server"])
}

/// Builds hyper's, axum's and actix-web's server.
pub(crate) fn build_peers() -> Result<()> {
    cargo(&own(), &["build", "--release", "--locked", "--package=http-peers"])
}

fn cargo(folder: &Path, arguments: &[&str]) -> Result<()> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    eprintln!("compare: cargo {} in {}", arguments.join(" "), folder.display());
    let status = command.status().context("cannot start cargo")?;
    if !status.success() {
        bail!("cargo {} failed: {status}", arguments.join(" "));
    }
    Ok(())
}

/// The library's commit, with a word when the checkout differs from it.
pub(crate) fn commit() -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(library()).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        output.status.success().then_some(text)
    };
    let Some(commit) = git(&["rev-parse", "--short", "HEAD"]) else {
        return "unknown".to_owned();
    };
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]);
    if changed.is_some_and(|list| !list.is_empty()) { commit + ", changed" } else { commit }
}

/// The version of a package in our lock file.
pub(crate) fn locked_version(package: &str) -> String {
    version_in(include_str!("../../Cargo.lock"), package).unwrap_or("unknown").to_owned()
}

fn version_in<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let mut lines = lock.lines();
    lines.find(|line| line.strip_prefix("name = \"") == Some(&format!("{package}\"")))?;
    lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')
}

/// The first line that a program prints, to whichever of its outputs.
pub(crate) fn first_line(command: &mut Command) -> String {
    let Ok(output) = command.stdin(Stdio::null()).output() else {
        return "unknown".to_owned();
    };
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    text.lines().next().unwrap_or("unknown").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_that_of_the_package_itself() {
        let lock =
            "name = \"hyper-util\"\nversion = \"0.1.2\"\n\nname = \"hyper\"\nversion = \"1.2.3\"\n";
        assert_eq!(version_in(lock, "hyper"), Some("1.2.3"));
        assert_eq!(version_in(lock, "yper"), None);
        assert_ne!(locked_version("actix-web"), "unknown");
    }

    #[test]
    fn the_library_is_four_folders_up() {
        let manifest = std::fs::read_to_string(library().join("Cargo.toml")).unwrap();
        assert!(manifest.contains("name = \"onewrite\""));
    }
}
