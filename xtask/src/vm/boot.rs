//! What an emulated Linux boots from: kernel, root file system, device tree; made once and kept.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};

use super::Machine;
use super::initramfs::Archive;
use super::keys::Keys;
use super::modules::Modules;
use crate::progress::say;
use crate::setup::{self, Need};
use crate::{hash, workspace};

/// Files that belong together.
#[derive(Clone, Debug)]
pub(crate) struct BootFiles {
    pub(crate) kernel: PathBuf,
    pub(crate) initramfs: PathBuf,
    pub(crate) device_tree: Option<PathBuf>,
}

const INIT: &str = include_str!("init.sh");
/// To be raised when something in this file changes what is made.
const FORMAT: &str = "1";
/// What of a kernel package no machine of ours needs; it is most of it.
const NOT_NEEDED: [&str; 8] = [
    "--exclude=./usr/share",
    "--exclude=*/kernel/sound",
    "--exclude=*/kernel/fs",
    "--exclude=*/kernel/drivers/gpu",
    "--exclude=*/kernel/drivers/media",
    "--exclude=*/kernel/drivers/net/ethernet",
    "--exclude=*/kernel/drivers/net/wireless",
    "--exclude=*/kernel/drivers/staging",
];

impl BootFiles {
    /// Those of a machine; made where packages, keys or our own part of it have changed.
    pub(crate) fn of(machine: Machine, keys: &Keys, yes: bool) -> Result<Self> {
        let packages = setup::linux_packages(machine.kernel())?;
        let mut hash = Sha256::new();
        let names = packages.iter().filter_map(|package| package.file_name()?.to_str());
        let parts = names.chain(machine.modules().iter().copied());
        for part in parts.chain([FORMAT, INIT, keys.authorized.as_str()]) {
            hash.update(part);
            hash.update([0]);
        }
        hash.update(&keys.host);
        let hash = hash::hex(&hash.finalize());
        let cache = workspace::cache_folder()?.join("linux-vm");
        let kept = cache.join(format!("boot-{machine}-{hash:.16}"));
        if !kept.is_dir() {
            let work = setup::Workplace::take()?;
            // Somebody else may have made the same while we waited.
            if !kept.is_dir() {
                say(format_args!("making the root file system of the emulated Linux ({machine})"));
                let new = work.path().join("boot");
                fs::create_dir(&new)?;
                make(machine, keys, &packages, work.path(), &new, yes)?;
                fs::rename(&new, &kept)
                    .with_context(|| format!("cannot keep {}", kept.display()))?;
            }
        }
        let device_tree = machine.device_tree().map(|_| kept.join("device-tree"));
        Ok(Self { kernel: kept.join("kernel"), initramfs: kept.join("initramfs"), device_tree })
    }
}

fn make(
    machine: Machine,
    keys: &Keys,
    packages: &[PathBuf],
    work: &Path,
    new: &Path,
    yes: bool,
) -> Result<()> {
    let (kernel, programs) = (work.join("kernel"), work.join("programs"));
    for folder in [&kernel, &programs] {
        fs::create_dir(folder)?;
    }
    for package in packages {
        let name = package.file_name().unwrap_or_default().to_string_lossy();
        let folder = if name.starts_with("linux-image-") { &kernel } else { &programs };
        setup::unpack(package, folder, &NOT_NEEDED)?;
    }
    let image = find(&kernel.join("boot"), "vmlinuz-").context("no kernel in its package")?;
    fs::copy(image, new.join("kernel"))?;
    if let Some(name) = machine.device_tree() {
        let folder = find(&kernel.join("usr/lib"), "linux-image-").context("no device trees")?;
        let tree = folder.join("broadcom").join(name);
        fs::copy(&tree, new.join("device-tree"))
            .with_context(|| format!("the kernel's package has no {name}"))?;
    }
    let modules = ["lib/modules", "usr/lib/modules"];
    let modules = modules.iter().find_map(|folder| find(&kernel.join(folder), ""));
    let modules = Modules::below(&modules.context("no modules in the kernel's package")?)?;
    if modules.are_compressed() {
        setup::ensure(&[Need::Xz], yes)?;
    }
    let mut archive = Archive::create(&new.join("initramfs"))?;
    let mut order = String::new();
    for (name, bytes) in modules.in_order(machine.modules())? {
        archive.file(&format!("modules/{name}.ko"), 0o644, &bytes)?;
        order.push_str(&format!("{name}.ko\n"));
    }
    archive.file("modules/order", 0o644, order.as_bytes())?;
    fill(&mut archive, keys, &programs)?;
    archive.finish()
}

/// Programs, libraries, the one user and his key.
fn fill(archive: &mut Archive, keys: &Keys, programs: &Path) -> Result<()> {
    let program = |names: [&str; 2]| {
        let path = names.iter().map(|name| programs.join(name)).find(|path| path.is_file());
        path.map(fs::read)
            .with_context(|| format!("the packages have no {}", names[0]))?
            .with_context(|| format!("cannot read {}", names[0]))
    };
    archive.file("bin/busybox", 0o755, &program(["bin/busybox", "usr/bin/busybox"])?)?;
    archive.file("usr/sbin/dropbear", 0o755, &program(["usr/sbin/dropbear", "sbin/dropbear"])?)?;
    for folder in ["lib", "lib/aarch64-linux-gnu", "usr/lib", "usr/lib/aarch64-linux-gnu"] {
        archive.libraries(programs, folder)?;
    }
    // Later releases have everything below usr and links beside it.
    if !programs.join("lib/ld-linux-aarch64.so.1").exists() {
        archive.link("lib/ld-linux-aarch64.so.1", "/usr/lib/ld-linux-aarch64.so.1")?;
    }
    archive.file("init", 0o755, INIT.as_bytes())?;
    archive.file("etc/inittab", 0o644, b"::ctrlaltdel:/bin/reboot -f\n")?;
    archive.file("etc/passwd", 0o644, b"root:x:0:0:root:/root:/bin/sh\n")?;
    archive.file("etc/group", 0o644, b"root:x:0:\n")?;
    archive.file("etc/shadow", 0o600, b"root:*:19000:0:99999:7:::\n")?;
    archive.file("etc/shells", 0o644, b"/bin/sh\n")?;
    archive.folder("root", 0o700)?;
    archive.folder("root/.ssh", 0o700)?;
    archive.file("root/.ssh/authorized_keys", 0o600, keys.authorized.as_bytes())?;
    archive.folder("etc/dropbear", 0o700)?;
    archive.file("etc/dropbear/host_key", 0o600, &keys.host)?;
    for folder in ["dev", "proc", "sys", "tmp", "run", "usr/bin"] {
        archive.folder(folder, 0o755)?;
    }
    Ok(())
}

/// The first entry of a folder whose name begins so.
fn find(folder: &Path, start: &str) -> Option<PathBuf> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let begins = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start))
    };
    paths.into_iter().find(begins)
}
