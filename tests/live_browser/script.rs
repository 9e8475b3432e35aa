//! The browser scripts to test with: files of whoever runs the tests.

use std::path::{Path, PathBuf};

/// Names the files, one or several as in a search path.
const SCRIPTS: &str = "ONEWRITE_BLAZOR_SCRIPT";

/// One of the files, and what has to be known of it.
#[derive(Debug)]
pub(crate) struct Script {
    pub(crate) path: PathBuf,
    /// Its name and that of the folder it is in.
    pub(crate) name: String,
    is_web: bool,
    /// .NET 6 and 7 have their one renderer under the number 0.
    before_8: bool,
}

impl Script {
    /// All that there are; none, with a message, where none is named.
    pub(crate) fn all() -> Vec<Self> {
        let Some(paths) = std::env::var_os(SCRIPTS) else {
            eprintln!("skipped: ${SCRIPTS} names no script, see docs/live.md");
            return Vec::new();
        };
        std::env::split_paths(&paths).map(|path| Self::at(&path)).collect()
    }

    fn at(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_else(|why| panic!("{path:?}: {why}"));
        let file = path.file_name().unwrap().to_string_lossy();
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
        Self {
            path: path.to_owned(),
            name: format!("{} {file}", folder.to_string_lossy()),
            is_web: file.contains("web"),
            before_8: !text.contains("UpdateRootComponents"),
        }
    }

    /// What the server has to be told of it.
    pub(crate) fn arguments(&self) -> [String; 6] {
        let kind = if self.is_web { "web" } else { "server" };
        let renderer = if self.before_8 { "0" } else { "1" };
        let script = self.path.to_str().unwrap();
        ["--script", script, "--kind", kind, "--renderer", renderer].map(ToOwned::to_owned)
    }
}
