//! Reads an image with programs that had no part in making it: sfdisk, fsck.fat, mtools.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::File;
use crate::process;

/// Fails unless the image is a card that a Pi would start from, with these files and no other.
///
/// Returns what was read of the file `kernel8.img`.
pub(crate) fn check(image: &Path, wanted: &[File]) -> Result<Vec<u8>> {
    let work = tempfile::tempdir()?;
    let start = partition(image)?;
    file_system(image, start, &work.path().join("partition"))?;

    let drive = format!("{}@@{start}", image.display());
    let list = process::capture(mtools("mdir").args(["-b", "-i", &drive, "::"]))?;
    let mut names: Vec<&str> = list.lines().filter_map(|line| line.strip_prefix("::/")).collect();
    let mut right: Vec<&str> = wanted.iter().map(|file| file.name).collect();
    names.sort_unstable();
    right.sort_unstable();
    if names != right {
        bail!("mdir lists {names:?}, not {right:?}");
    }
    let mut kernel = Vec::new();
    for File { name, bytes } in wanted {
        let copy = work.path().join(name);
        let source = format!("::{name}");
        process::capture(mtools("mcopy").args(["-n", "-i", &drive, &source]).arg(&copy))?;
        let found = fs::read(&copy)?;
        if found != *bytes {
            bail!("{name} has other bytes in the image than were put there");
        }
        if *name == "kernel8.img" {
            kernel = found;
        }
    }
    Ok(kernel)
}

/// Where the only partition begins, in bytes.
fn partition(image: &Path) -> Result<u64> {
    let table = process::capture(Command::new(program("sfdisk")).arg("--json").arg(image))?;
    let table: Value = serde_json::from_str(&table).context("sfdisk prints no JSON")?;
    let table = table.get("partitiontable").context("no partition table")?;
    let partitions = table.get("partitions").and_then(Value::as_array).context("no partitions")?;
    let [partition] = partitions.as_slice() else { bail!("{} partitions", partitions.len()) };
    let right = table.get("label") == Some(&"dos".into())
        && partition.get("type") == Some(&"c".into())
        && partition.get("bootable") == Some(&true.into());
    let number = |name| partition.get(name).and_then(Value::as_u64).context("no number");
    let (start, sectors) = (number("start")?, number("size")?);
    let end = fs::metadata(image)?.len() / 512;
    if !right || start + sectors != end {
        bail!("not one bootable partition of type c up to sector {end}: {table}");
    }
    Ok(start * 512)
}

/// Copies the partition out and has its file system checked.
fn file_system(image: &Path, start: u64, copy: &Path) -> Result<()> {
    let mut file = fs::File::open(image)?;
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    fs::write(copy, bytes)?;
    // Changes nothing, and fails where there is anything that it would change.
    let checked = process::capture(Command::new(program("fsck.fat")).args(["-n", "-v"]).arg(copy))?;
    if !checked.contains("FATs, 32 bit entries") {
        bail!("fsck.fat does not call it FAT32:\n{checked}");
    }
    // Sectors in front of the partition, as its boot sector has them.
    let info = process::capture(mtools("minfo").arg("-i").arg(copy).arg("::"))?;
    let hidden = format!("hidden sectors: {}", start / 512);
    if !info.lines().any(|line| line.trim() == hidden) {
        bail!("the boot sector does not say {hidden:?}:\n{info}");
    }
    Ok(())
}

/// One of the mtools, which reads no settings of the user's and asks nothing.
fn mtools(name: &str) -> Command {
    let mut command = Command::new(name);
    command.env("MTOOLSRC", "/dev/null").env("LC_ALL", "C");
    command
}

/// A program that ordinary users do not have on their search path.
fn program(name: &str) -> PathBuf {
    let folders = ["/usr/sbin", "/sbin"].map(|folder| Path::new(folder).join(name));
    process::find(name)
        .or_else(|| folders.into_iter().find(|file| file.is_file()))
        .unwrap_or_else(|| name.into())
}
