//! The root file system of the emulated Linux: an archive that the kernel unpacks into memory.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result};
use cpio::newc::{self, Builder, ModeFileType};

/// An archive in cpio's `newc` format (the kernel's buffer-format.rst), everything root's.
///
/// It is not compressed: an emulator unpacks more slowly than it reads.
pub(crate) struct Archive {
    file: BufWriter<File>,
    folders: Vec<String>,
    number: u32,
}

impl Archive {
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let file =
            File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { file: BufWriter::new(file), folders: Vec::new(), number: 0 })
    }

    /// A folder, and those it is in.
    pub(crate) fn folder(&mut self, path: &str, mode: u32) -> Result<()> {
        if path.is_empty() || self.folders.iter().any(|known| known == path) {
            return Ok(());
        }
        self.parents_of(path)?;
        self.folders.push(path.to_owned());
        self.entry(path, ModeFileType::Directory, mode, b"")
    }

    pub(crate) fn file(&mut self, path: &str, mode: u32, bytes: &[u8]) -> Result<()> {
        self.parents_of(path)?;
        self.entry(path, ModeFileType::Regular, mode, bytes)
    }

    pub(crate) fn link(&mut self, path: &str, target: &str) -> Result<()> {
        self.parents_of(path)?;
        self.entry(path, ModeFileType::Symlink, 0o777, target.as_bytes())
    }

    /// The libraries directly in a folder, files and links, under the same path.
    pub(crate) fn libraries(&mut self, root: &Path, folder: &str) -> Result<()> {
        let Ok(entries) = fs::read_dir(root.join(folder)) else { return Ok(()) };
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if !name.contains(".so") {
                continue;
            }
            let inside = format!("{folder}/{name}");
            if path.is_symlink() {
                let target = fs::read_link(&path)?;
                self.link(&inside, &target.to_string_lossy())?;
            } else if path.is_file() {
                self.file(&inside, 0o755, &fs::read(&path)?)?;
            }
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<()> {
        let mut file = newc::trailer(self.file)?;
        file.flush()?;
        Ok(())
    }

    fn parents_of(&mut self, path: &str) -> Result<()> {
        match path.rsplit_once('/') {
            Some((parent, _)) => self.folder(parent, 0o755),
            None => Ok(()),
        }
    }

    fn entry(&mut self, path: &str, kind: ModeFileType, mode: u32, bytes: &[u8]) -> Result<()> {
        self.number += 1;
        let builder =
            Builder::new(path).ino(self.number).nlink(1).mode(mode).set_mode_file_type(kind);
        let size = u32::try_from(bytes.len()).context("a file of more than 4 GiB")?;
        let mut entry = builder.write(&mut self.file, size);
        entry.write_all(bytes)?;
        entry.finish()?;
        Ok(())
    }
}
