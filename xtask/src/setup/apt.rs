//! apt with a state of its own: own lists, own architectures, no root.
//!
//! It reads the machine's Debian sources and keys and checks signatures as usual; nothing of the
//! machine's own package state is read or written.

use std::fmt;
use std::fs;
use std::io::stderr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::sources;
use crate::process;
use crate::progress::say;

/// apt, told where its own folders are.
#[derive(Debug)]
pub(crate) struct PrivateApt {
    configuration: PathBuf,
}

/// A machine with apt whose sources are not Debian's.
#[derive(Debug)]
pub(crate) struct NoDebian;

impl fmt::Display for NoDebian {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no Debian package source is configured in /etc/apt")
    }
}

impl std::error::Error for NoDebian {}

impl PrivateApt {
    /// Writes configuration and sources into `folder`; the first architecture is the native one.
    pub(crate) fn new(folder: &Path, architectures: &[&str]) -> Result<Self> {
        Self::with_component(folder, architectures, "")
    }

    /// The same with one component of the archive more, whether or not the machine uses it.
    pub(crate) fn with_component(
        folder: &Path,
        architectures: &[&str],
        component: &str,
    ) -> Result<Self> {
        for needed in ["state/lists/partial", "cache/archives/partial", "parts", "none"] {
            fs::create_dir_all(folder.join(needed))?;
        }
        // An empty list of installed packages: what the machine has is none of our business.
        fs::write(folder.join("state/status"), "")?;
        let sources = copy_sources(Path::new("/etc/apt"), &folder.join("parts"), component)?;
        if sources == 0 {
            bail!(NoDebian);
        }
        let machine = process::capture(Command::new("apt-config").arg("dump"))?;
        let configuration = folder.join("apt.conf");
        fs::write(&configuration, configuration_text(folder, architectures, &machine))?;
        Ok(Self { configuration })
    }

    /// Fetches the lists of packages.
    pub(crate) fn update(&self) -> Result<()> {
        // A source that fails does not matter as long as another one has the packages.
        let status =
            process::spawn(self.command("apt-get").args(["-q", "update"]).stdout(stderr()))?
                .wait()?;
        if !status.success() {
            say("not every package source could be read; going on with the others");
        }
        Ok(())
    }

    /// The versions of a package, newest first.
    pub(crate) fn versions(&self, package: &str) -> Result<Vec<String>> {
        let table = process::capture(self.command("apt-cache").args(["madison", package]))?;
        Ok(second_column(&table))
    }

    /// The names of the packages a package depends on.
    pub(crate) fn depends(&self, package: &str, version: &str) -> Result<Vec<String>> {
        let name = format!("{package}={version}");
        let record =
            process::capture(self.command("apt-cache").args(["show", "--no-all-versions", &name]))?;
        Ok(dependencies(&record))
    }

    /// Downloads packages, `name[:architecture][=version]` each, and checks them.
    pub(crate) fn download(&self, packages: &[String], folder: &Path) -> Result<()> {
        let mut command = self.command("apt-get");
        process::run(
            command.current_dir(folder).args(["-q", "download"]).args(packages).stdout(stderr()),
        )
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        // Messages are read by programs here.
        command.env("APT_CONFIG", &self.configuration).env("LC_ALL", "C");
        command
    }
}

/// Copies the Debian entries of the machine's sources; returns how many files have any.
pub(super) fn copy_sources(from: &Path, to: &Path, component: &str) -> Result<usize> {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let codename = debian_codename(&release);
    for old in fs::read_dir(to)?.flatten() {
        fs::remove_file(old.path())?;
    }
    let mut files = vec![from.join("sources.list")];
    if let Ok(entries) = fs::read_dir(from.join("sources.list.d")) {
        files.extend(entries.flatten().map(|entry| entry.path()));
    }
    let mut copied = 0;
    for file in files {
        let extension = file.extension().unwrap_or_default().to_owned();
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let kept = if extension == "sources" {
            sources::debian_stanzas(&text, codename)
        } else if extension == "list" {
            sources::debian_lines(&text, codename)
        } else {
            continue;
        };
        if kept.is_empty() {
            continue;
        }
        let name = file.file_name().context("a file without a name")?;
        fs::write(to.join(name), sources::with_component(&kept, component))?;
        copied += 1;
    }
    Ok(copied)
}

/// The release's name on Debian and what is made from it, and nothing on other systems.
pub(super) fn debian_codename(os_release: &str) -> &str {
    let value = |name| {
        let line = os_release.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.strip_prefix('=')).map_or("", |value| value.trim_matches('"'))
    };
    if matches!(value("ID"), "debian" | "raspbian") { value("VERSION_CODENAME") } else { "" }
}

fn configuration_text(folder: &Path, architectures: &[&str], machine: &str) -> String {
    let folder = folder.display();
    let native = architectures.first().copied().unwrap_or_default();
    let mut list = String::new();
    for architecture in architectures {
        list.push_str(&format!("\"{architecture}\"; "));
    }
    let mut text = String::new();
    // Proxies, certificates and the like are the machine's.
    for line in machine.lines() {
        if line.starts_with("Acquire::") && !line.starts_with("Acquire::IndexTargets") {
            text.push_str(line);
            text.push('\n');
        }
    }
    text.push_str(&format!(
        "Dir::State \"{folder}/state\";\n\
         Dir::State::status \"{folder}/state/status\";\n\
         Dir::Cache \"{folder}/cache\";\n\
         Dir::Etc::main \"{folder}/none/apt.conf\";\n\
         Dir::Etc::parts \"{folder}/none\";\n\
         Dir::Etc::preferences \"{folder}/none/preferences\";\n\
         Dir::Etc::preferencesparts \"{folder}/none\";\n\
         Dir::Etc::sourcelist \"{folder}/none/sources.list\";\n\
         Dir::Etc::sourceparts \"{folder}/parts\";\n\
         APT::Architecture \"{native}\";\n\
         APT::Architectures {{ {list}}};\n\
         APT::Sandbox::User \"root\";\n\
         APT::Get::AllowUnauthenticated \"false\";\n\
         Acquire::AllowInsecureRepositories \"false\";\n\
         Acquire::AllowWeakRepositories \"false\";\n\
         Acquire::AllowDowngradeToInsecureRepositories \"false\";\n\
         Acquire::Languages \"none\";\n\
         Acquire::Retries \"3\";\n"
    ));
    text
}

/// ` rustc-web | 1.96.0 | http://… Packages`: the versions, each once.
fn second_column(table: &str) -> Vec<String> {
    let mut versions: Vec<String> =
        table.lines().filter_map(|line| Some(line.split('|').nth(1)?.trim().to_owned())).collect();
    versions.dedup();
    versions
}

/// `Depends: libc6 (>= 2.34), a | b`: the names, of alternatives the first.
fn dependencies(record: &str) -> Vec<String> {
    let line = record.lines().find_map(|line| line.strip_prefix("Depends:"));
    let names = line.unwrap_or_default().split(',').filter_map(|item| {
        let name = item.split(['(', '|', ':']).next()?.trim();
        (!name.is_empty()).then(|| name.to_owned())
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_newest_first_and_once() {
        let table = " rustc-web | 1.96.0-2 | http://m bookworm-security/main amd64 Packages\n \
             rustc-web | 1.96.0-2 | http://n bookworm-security/main amd64 Packages\n \
             rustc-web | 1.85.0-1 | http://m bookworm/main amd64 Packages\n";
        assert_eq!(second_column(table), ["1.96.0-2", "1.85.0-1"]);
    }

    #[test]
    fn dependencies_lose_versions_and_alternatives() {
        let record =
            "Package: a\nDepends: libc6 (>= 2.34), libllvm22, gcc | clang, python3:any\nSize: 1\n";
        assert_eq!(dependencies(record), ["libc6", "libllvm22", "gcc", "python3"]);
    }

    #[test]
    fn proxies_are_kept_and_signatures_stay_on() {
        let machine = "Acquire::http::Proxy \"http://p:3128\";\n\
            Acquire::AllowInsecureRepositories \"1\";\n\
            Acquire::IndexTargets::deb::DEP-11 \"\";\nDir::State \"/var/lib/apt\";\n\
            APT::Update::Post-Invoke:: \"rm x\";\n";
        let text = configuration_text(Path::new("/c/apt"), &["amd64", "arm64"], machine);
        assert!(text.contains("Acquire::http::Proxy \"http://p:3128\";"));
        assert!(text.contains("APT::Architectures { \"amd64\"; \"arm64\"; };"));
        assert!(!text.contains("Post-Invoke"));
        assert!(!text.contains("/var/lib/apt"));
        // Lists that nobody reads here are not fetched.
        assert!(!text.contains("DEP-11"));
        // The last word wins.
        let last =
            text.lines().rfind(|line| line.starts_with("Acquire::AllowInsecureRepositories"));
        assert_eq!(last, Some("Acquire::AllowInsecureRepositories \"false\";"));
    }

    #[test]
    fn only_debian_has_a_debian_codename() {
        assert_eq!(debian_codename("ID=debian\nVERSION_CODENAME=bookworm\n"), "bookworm");
        assert_eq!(debian_codename("ID=ubuntu\nVERSION_CODENAME=noble\n"), "");
    }
}
