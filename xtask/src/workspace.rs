//! Where things are: the checkout, its build folder, the cache of the machine.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};

/// The folder that holds the workspace's `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// The build folder that cargo uses for the host.
pub(crate) fn target_folder() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR").filter(|folder| !folder.is_empty()) {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// Our folder in the user's cache: `$XDG_CACHE_HOME/onewrite`, or `~/.cache/onewrite`.
pub(crate) fn cache_folder() -> Result<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    // The specification of that variable says that a relative path is to be ignored.
    let cache = set("XDG_CACHE_HOME").filter(|folder| folder.is_absolute());
    cache
        .or_else(|| Some(set("HOME")?.join(".cache")))
        .map(|cache| cache.join("onewrite"))
        .ok_or_else(|| {
            anyhow!("neither XDG_CACHE_HOME nor HOME is set: no place for the toolchain")
        })
}

/// Whether the library has an example of that name.
pub(crate) fn is_example(name: &str) -> bool {
    let folder = root().join("examples");
    [format!("{name}.rs"), format!("{name}/main.rs")].iter().any(|file| folder.join(file).is_file())
}

/// A path below the workspace is shown without the workspace's own path.
pub(crate) fn short(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
