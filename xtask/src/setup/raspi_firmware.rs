//! Debian's package of the firmware of the Pi's GPU, kept in the cache; installed nowhere.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::Workplace;
use super::apt::PrivateApt;
use crate::progress::say;
use crate::{process, workspace};

const PACKAGE: &str = "raspi-firmware";
/// Where Debian keeps it since version 12; the machine's own sources need not name it.
const COMPONENT: &str = "non-free-firmware";

const WAY_OUT: &str = "name a folder with it (--firmware DIR), such as /boot/firmware of a Pi, or \
                       run this on Debian 12 or later";

/// The package file; fetched once.
pub(crate) fn fetch() -> Result<PathBuf> {
    let folder = workspace::cache_folder()?.join(PACKAGE);
    let kept = folder.join(format!("{PACKAGE}.deb"));
    if kept.is_file() {
        return Ok(kept);
    }
    for program in ["apt-get", "apt-cache", "apt-config", "dpkg", "dpkg-deb", "tar"] {
        if process::find(program).is_none() {
            bail!("{program} is missing, this is no Debian: {WAY_OUT}");
        }
    }
    let work = Workplace::take()?;
    if kept.is_file() {
        return Ok(kept);
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    say(format_args!("fetching {PACKAGE} from Debian's {COMPONENT} (5 MB)"));
    let native = process::capture(Command::new("dpkg").arg("--print-architecture"))?;
    let apt = PrivateApt::with_component(&work.path().join("apt"), &[native.trim()], COMPONENT);
    let apt = apt.with_context(|| format!("cannot fetch the firmware here: {WAY_OUT}"))?;
    apt.update()?;
    let versions = apt.versions(PACKAGE)?;
    let version = versions.first().with_context(|| {
        format!("no package source here has {PACKAGE} in {COMPONENT}: Debian 12 and later have it")
    })?;
    let downloads = work.path().join("downloads");
    fs::create_dir(&downloads)?;
    apt.download(&[format!("{PACKAGE}={version}")], &downloads)?;
    let package = fs::read_dir(&downloads)?.flatten().map(|entry| entry.path()).next();
    fs::rename(package.context("apt-get downloaded nothing")?, &kept)?;
    say(format_args!("{PACKAGE} {version} is kept in {}", folder.display()));
    Ok(kept)
}
