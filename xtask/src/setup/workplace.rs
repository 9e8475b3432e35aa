//! Where a set-up puts together what it makes, before that gets its name.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::workspace;

/// Marks a folder of ours that was not finished.
const MARK: &str = ".onewrite-unfinished";

/// An empty folder in the cache, and the lock of the set-up; both are gone with this value.
///
/// Who is interrupted leaves the folder, marked; the next one removes it.
#[derive(Debug)]
pub(crate) struct Workplace {
    folder: PathBuf,
    _lock: File,
}

impl Workplace {
    /// Waits for whoever has it.
    pub(crate) fn take() -> Result<Self> {
        Self::take_in(&workspace::cache_folder()?)
    }

    fn take_in(cache: &Path) -> Result<Self> {
        let lock = super::lock_in(cache)?;
        let folder = cache.join("unfinished");
        remove(&folder)?;
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        fs::write(folder.join(MARK), "made by cargo xtask setup; safe to delete\n")?;
        Ok(Self { folder, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        // The next one removes what could not be removed.
        let _ = remove(&self.folder);
    }
}

/// Removes what an earlier run left, if it was one of ours.
fn remove(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    if !folder.join(MARK).is_file() {
        bail!("{} was not made by this program: move it away", folder.display());
    }
    fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn what_an_interrupted_run_left_is_removed_and_nothing_else_is() {
        let cache = tempfile::tempdir().unwrap();
        let work = Workplace::take_in(cache.path()).unwrap();
        fs::write(work.path().join("half"), "").unwrap();
        // As a signal does.
        std::mem::forget(work);
        let folder = cache.path().join("unfinished");
        assert!(folder.join("half").exists());
        fs::remove_file(cache.path().join("setup.lock")).unwrap();
        let work = Workplace::take_in(cache.path()).unwrap();
        assert!(!work.path().join("half").exists());
        drop(work);
        assert!(!folder.exists());
        fs::create_dir(&folder).unwrap();
        let error = Workplace::take_in(cache.path()).unwrap_err();
        assert!(error.to_string().contains("was not made by this program"), "{error}");
        assert!(folder.is_dir());
    }
}
