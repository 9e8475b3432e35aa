//! Debian's arm64 packages that an emulated Linux is made of, kept in the cache; installed nowhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};

use super::apt::{NoDebian, PrivateApt};
use super::{Missing, Workplace};
use crate::progress::say;
use crate::{process, workspace};

const WAY_OUT: &str = "an emulated Linux is made of Debian's packages, and this is no Debian; \
                       Debian in a virtual machine or a container can do it";
/// The flavour of the kernel that the tests boot.
pub(crate) const USUAL_KERNEL: &str = "cloud-arm64";
/// What Linux needs besides the kernel: one program for everything, and an ssh server.
const PROGRAMS: [&str; 2] = ["busybox-static", "dropbear-bin"];

/// The package files of the newest kernel of a flavour (`arm64`, `cloud-arm64`) and of the
/// programs, in the order of their names; fetched once.
pub(crate) fn fetch(flavour: &str) -> Result<Vec<PathBuf>> {
    let cache = workspace::cache_folder()?.join("linux-vm");
    let kept = cache.join(format!("packages-{flavour}"));
    if !kept.is_dir() {
        for program in ["apt-get", "apt-cache", "apt-config", "dpkg-deb", "tar"] {
            if process::find(program).is_none() {
                bail!(Missing(format!("{program} is missing: {WAY_OUT}")));
            }
        }
        let work = Workplace::take()?;
        // Somebody else may have finished it while we waited.
        if !kept.is_dir() {
            fs::create_dir_all(&cache)
                .with_context(|| format!("cannot create {}", cache.display()))?;
            download(flavour, work.path(), &kept)?;
        }
    }
    let mut files: Vec<PathBuf> =
        fs::read_dir(&kept)?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    Ok(files)
}

fn download(flavour: &str, work: &Path, kept: &Path) -> Result<()> {
    say("reading Debian's package lists for arm64 (own state, the machine's is not touched)");
    let apt = PrivateApt::new(&work.join("apt"), &["arm64"]).map_err(|error| {
        // What is skipped where there is no Debian has not failed.
        if !error.is::<NoDebian>() {
            return error;
        }
        anyhow!(Missing(format!("{error}: {WAY_OUT}")))
    })?;
    apt.update()?;
    let newest = |package: &str| apt.versions(package).map(|all| all.into_iter().next());
    let meta = format!("linux-image-{flavour}");
    let version = newest(&meta)?.with_context(|| format!("Debian has no {meta} here"))?;
    let kernel = apt.depends(&meta, &version)?.into_iter();
    let kernel = kernel.into_iter().find(|name| name.starts_with("linux-image-"));
    // Its dependencies are about installing it.
    let mut packages = vec![kernel.with_context(|| format!("{meta} names no kernel"))?];
    let mut waiting: Vec<String> = PROGRAMS.map(str::to_owned).into();
    let mut seen: BTreeSet<String> = waiting.iter().cloned().collect();
    while let Some(package) = waiting.pop() {
        let version = newest(&package)?;
        let version = version.with_context(|| format!("Debian has no {package} here"))?;
        let depends = apt.depends(&package, &version)?;
        waiting.extend(depends.into_iter().filter(|name| seen.insert(name.clone())));
        packages.push(format!("{package}={version}"));
    }
    say(format_args!("fetching a kernel and {} packages for arm64", packages.len() - 1));
    let files = work.join("files");
    fs::create_dir(&files)?;
    apt.download(&packages, &files)?;
    fs::rename(&files, kept).with_context(|| format!("cannot keep {}", kept.display()))
}
