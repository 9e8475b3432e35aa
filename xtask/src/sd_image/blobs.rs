//! The firmware of the Pi's GPU, which is somebody else's: found where the user says it is.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::File;
use crate::progress::say;
use crate::{process, setup};

/// What the GPU loads, in its order. Without `gpu_mem=16` in config.txt these three suffice.
const NAMES: [&str; 3] = ["bootcode.bin", "start.elf", "fixup.dat"];
/// What the licence is called: beside the files, and in a Debian package.
const LICENCES: [&str; 3] = ["LICENCE.broadcom", "LICENSE.broadcom", "copyright"];

/// The word for "fetch Debian's package".
const DEBIAN: &str = "debian";

/// The files and their licence.
#[derive(Clone, Debug)]
pub(crate) struct Blobs {
    pub(crate) files: Vec<File>,
    pub(crate) licence: Vec<u8>,
    /// Where they are from, in words.
    pub(crate) source: String,
}

impl Blobs {
    /// Reads them from a folder or a package file, or fetches Debian's package.
    pub(crate) fn find(given: &Path) -> Result<Self> {
        if given == Path::new(DEBIAN) {
            let package = setup::raspi_firmware()?;
            let blobs = Self::in_package(&package)?;
            // It was not the user who got it: so what it says is shown.
            let notice = String::from_utf8_lossy(&blobs.licence).into_owned();
            say(format_args!("the licence of the firmware:\n{}", first_licence(&notice)));
            return Ok(blobs);
        }
        if given.is_dir() {
            return Self::in_folder(given, &given.display().to_string());
        }
        if given.is_file() {
            return Self::in_package(given);
        }
        bail!(
            "{} is neither a folder nor a package file: name the folder with bootcode.bin, such as \
             /boot/firmware of a Pi or boot/ of raspberrypi/firmware, or say --firmware debian",
            given.display()
        )
    }

    /// Reads them from a Debian package, wherever in it they are.
    fn in_package(package: &Path) -> Result<Self> {
        let name = package.display().to_string();
        if process::find("dpkg-deb").is_none() {
            bail!("dpkg-deb is missing: unpack {name} yourself and name the folder");
        }
        let folder = tempfile::tempdir().context("no place to unpack the package")?;
        setup::unpack(package, folder.path(), &[])
            .with_context(|| format!("{name} is no Debian package that can be unpacked"))?;
        Self::in_folder(folder.path(), &name)
    }

    fn in_folder(folder: &Path, source: &str) -> Result<Self> {
        let mut files = Vec::new();
        for name in NAMES {
            let path = find_below(folder, name).with_context(|| {
                format!("{source} has no {name}: the Pi does not start without")
            })?;
            let bytes = read(&path)?;
            if bytes.is_empty() {
                bail!("{name} in {source} is empty");
            }
            files.push(File { name, bytes });
        }
        if let Some(start) = files.iter().find(|file| file.name == "start.elf")
            && !start.bytes.starts_with(b"\x7fELF")
        {
            bail!("start.elf in {source} is not what it is called: download the file itself");
        }
        let licence = LICENCES.into_iter().find_map(|name| find_below(folder, name));
        let licence = licence.with_context(|| {
            format!(
                "{source} has no LICENCE.broadcom: the firmware may be passed on only together \
                 with it, so put it beside start.elf"
            )
        })?;
        let licence = read(&licence)?;
        Ok(Self { files, licence, source: format!("the firmware in {source}") })
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The file with that name which is nearest to the folder, and of those the first by name.
fn find_below(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    // A Debian package has them three folders down; a whole system is not searched.
    for _ in 0..6 {
        if let Some(found) = folders.iter().map(|folder| folder.join(name)).find(|p| p.is_file()) {
            return Some(found);
        }
        let mut next: Vec<PathBuf> = Vec::new();
        for folder in &folders {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            // Links are not followed: they may lead anywhere, and round.
            let below = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            next.extend(below.map(|entry| entry.path()));
        }
        next.sort();
        folders = next;
    }
    None
}

/// Of a Debian copyright file the part about the first files, which are the firmware; else all.
fn first_licence(notice: &str) -> &str {
    let Some(at) = notice.find("\nFiles: ") else { return notice.trim_end() };
    let rest = notice.get(at + 1..).unwrap_or_default();
    rest.find("\n\n").and_then(|end| rest.get(..end)).unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn folder(without: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in NAMES.into_iter().chain(["LICENCE.broadcom"]) {
            if name != without {
                fs::write(folder.path().join(name), format!("\x7fELF {name}")).unwrap();
            }
        }
        folder
    }

    #[test]
    fn a_folder_with_all_of_it_is_taken() {
        let folder = folder("");
        let blobs = Blobs::find(folder.path()).unwrap();
        assert_eq!(blobs.files.iter().map(|file| file.name).collect::<Vec<_>>(), NAMES);
        assert_eq!(blobs.licence, b"\x7fELF LICENCE.broadcom");
    }

    #[test]
    fn what_is_missing_is_named() {
        for name in NAMES.into_iter().chain(["LICENCE.broadcom"]) {
            let folder = folder(name);
            let error = Blobs::find(folder.path()).unwrap_err().to_string();
            assert!(error.contains(&format!("has no {name}")), "{error}");
        }
        let error = Blobs::find(Path::new("/no/such/folder")).unwrap_err().to_string();
        assert!(error.contains("neither a folder nor a package file"), "{error}");
    }

    #[test]
    fn a_file_that_is_something_else_is_refused() {
        let folder = folder("start.elf");
        fs::write(folder.path().join("start.elf"), "version https://git-lfs").unwrap();
        assert!(Blobs::find(folder.path()).unwrap_err().to_string().contains("start.elf"));
        fs::write(folder.path().join("start.elf"), "").unwrap();
        assert!(Blobs::find(folder.path()).unwrap_err().to_string().contains("empty"));
        let error = format!("{:#}", Blobs::find(&folder.path().join("fixup.dat")).unwrap_err());
        assert!(error.contains("is no Debian package"), "{error}");
    }

    #[test]
    fn the_nearest_file_counts() {
        let folder = folder("");
        let deeper = folder.path().join("a/b");
        fs::create_dir_all(&deeper).unwrap();
        fs::write(deeper.join("start.elf"), "farther").unwrap();
        fs::write(deeper.join("other"), "other").unwrap();
        assert_eq!(find_below(folder.path(), "start.elf"), Some(folder.path().join("start.elf")));
        assert_eq!(find_below(folder.path(), "other"), Some(deeper.join("other")));
    }

    #[test]
    fn of_a_copyright_file_the_firmwares_part_is_shown() {
        let notice = "Format: 1\n\nFiles: boot/*\nLicense: P\n only here\n\nFiles: *\nLicense: Q\n";
        assert_eq!(first_licence(notice), "Files: boot/*\nLicense: P\n only here");
        assert_eq!(first_licence("plain\n"), "plain");
    }
}
