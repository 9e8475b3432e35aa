//! Results on standard output and in files: whole or not at all.

use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use tempfile::NamedTempFile;

/// Writes to standard output; a reader that has gone away is no failure.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write to standard output"),
    }
}

/// How wide a table on standard output may be: `COLUMNS` where that is set, else the terminal's
/// width; a pipe or a file has none.
pub(crate) fn width() -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    if let Some(columns) = columns.filter(|&columns: &usize| columns > 0) {
        return Some(columns);
    }
    if !io::stdout().is_terminal() {
        return None;
    }
    let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(width.0.into()).filter(|&width| width > 0)
}

/// Puts a text where there is a whole file afterwards, or the old one: it is written under another
/// name and renamed. A device or a pipe is written as it is.
pub(crate) fn write(file: &Path, text: &str) -> Result<()> {
    write_bytes(file, text.as_bytes())
}

/// The same for bytes that need not be text.
pub(crate) fn write_bytes(file: &Path, bytes: &[u8]) -> Result<()> {
    let written = match place(file)? {
        Place::Device => File::options().write(true).open(file).and_then(|mut device| {
            device.write_all(bytes)?;
            device.flush()
        }),
        Place::File { folder, file } => put(&folder, &file, bytes),
    };
    written.with_context(|| format!("cannot write {}", file.display()))
}

/// Whether `write` could begin; leaves nothing behind.
pub(crate) fn probe(file: &Path) -> Result<()> {
    let probed = match place(file)? {
        Place::Device => File::options().write(true).open(file).map(drop),
        Place::File { folder, .. } => temporary(&folder).map(drop),
    };
    probed.with_context(|| format!("cannot write {}", file.display()))
}

/// Whether two names stand for one file that is there.
pub(crate) fn same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// What a name stands for.
enum Place {
    Device,
    File { folder: PathBuf, file: PathBuf },
}

fn place(file: &Path) -> Result<Place> {
    let found = match fs::metadata(file) {
        Ok(found) => Some(found),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => {
            return Err(error).with_context(|| format!("cannot write {}", file.display()));
        }
    };
    let Some(found) = found else {
        let folder = match file.parent() {
            Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
            Some(parent) => parent.to_owned(),
            None => bail!("{} is no name of a file", file.display()),
        };
        if !folder.is_dir() {
            bail!("cannot write {}: there is no folder {}", file.display(), folder.display());
        }
        if file.file_name().is_none() {
            bail!("{} is no name of a file", file.display());
        }
        return Ok(Place::File { folder, file: file.to_owned() });
    };
    if found.is_dir() {
        bail!("cannot write {}: it is a folder", file.display());
    }
    if !found.is_file() {
        return Ok(Place::Device);
    }
    // What a link stands for is replaced, not the link.
    let file = fs::canonicalize(file).with_context(|| format!("cannot find {}", file.display()))?;
    let folder = file.parent().context("a file without a folder")?.to_owned();
    Ok(Place::File { folder, file })
}

fn put(folder: &Path, file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = temporary(folder)?;
    temporary.write_all(bytes)?;
    if let Ok(old) = fs::metadata(file) {
        temporary.as_file().set_permissions(old.permissions())?;
    }
    temporary.as_file().sync_all()?;
    temporary.persist(file).map(drop).map_err(|failed| failed.error)
}

/// A file that is gone with its value, readable for whom others are.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".onewrite-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a result");
        probe(&file).unwrap();
        assert_eq!(names(folder.path()), [""; 0]);
        write(&file, "old and long").unwrap();
        write(&file, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(names(folder.path()), ["a result"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_a_device_is_not_replaced() {
        use std::os::unix::fs::FileTypeExt as _;
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        let error = format!("{:#}", write(Path::new("/dev/full"), "x").unwrap_err());
        assert!(error.starts_with("cannot write /dev/full: No space left"), "{error}");
        assert!(fs::metadata("/dev/full").unwrap().file_type().is_char_device());
        write(Path::new("/dev/null"), "x").unwrap();
    }

    #[test]
    fn what_cannot_be_written_is_said_before_and_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        write(&file, "here").unwrap();
        let missing = folder.path().join("missing");
        for (path, why) in [
            (folder.path().to_owned(), "it is a folder"),
            (missing.join("x"), "there is no folder"),
            (file.join("x"), "Not a directory"),
        ] {
            for error in [probe(&path).unwrap_err(), write(&path, "x").unwrap_err()] {
                let error = format!("{error:#}");
                assert!(error.contains(why) && error.contains("cannot write"), "{error}");
            }
        }
        assert!(probe(Path::new("")).is_err());
        assert_eq!(names(folder.path()), ["file"]);
    }
}
