//! Which of a kernel's modules have to be loaded, and in which order.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use object::{Object as _, ObjectSection as _};

use crate::process;

/// The modules of one kernel, unpacked.
pub(crate) struct Modules {
    files: BTreeMap<String, PathBuf>,
    built_in: Vec<String>,
}

impl Modules {
    /// Those below `lib/modules/RELEASE`.
    pub(crate) fn below(folder: &Path) -> Result<Self> {
        let mut files = BTreeMap::new();
        collect(&folder.join("kernel"), &mut files)?;
        let list = fs::read_to_string(folder.join("modules.builtin"))?;
        let built_in = list.lines().filter_map(|line| name_of(Path::new(line))).collect();
        Ok(Self { files, built_in })
    }

    /// Whether `xz` is needed to read them.
    pub(crate) fn are_compressed(&self) -> bool {
        self.files.values().any(|file| is_compressed(file))
    }

    /// The files of these modules and of all that they depend on, each after what it needs.
    pub(crate) fn in_order(&self, wanted: &[&str]) -> Result<Vec<(String, Vec<u8>)>> {
        let mut order = Vec::new();
        for name in wanted {
            self.add(name, &mut order, 0)?;
        }
        Ok(order)
    }

    fn add(&self, name: &str, order: &mut Vec<(String, Vec<u8>)>, depth: usize) -> Result<()> {
        let done = order.iter().any(|(known, _)| known == name);
        if done || self.built_in.iter().any(|known| known == name) {
            return Ok(());
        }
        if depth > 32 {
            bail!("the modules of the kernel depend on each other in a circle, {name} among them");
        }
        let file = self.files.get(name);
        let file = file.with_context(|| format!("the kernel has no module {name}"))?;
        let bytes = read(file)?;
        for needed in depends(&bytes).with_context(|| file.display().to_string())? {
            self.add(&needed, order, depth + 1)?;
        }
        order.push((name.to_owned(), bytes));
        Ok(())
    }
}

fn collect(folder: &Path, files: &mut BTreeMap<String, PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if let Some(name) = name_of(&path) {
            files.insert(name, path);
        }
    }
    Ok(())
}

/// `virtio-rng.ko.xz`: `virtio_rng`, since the kernel makes no difference.
fn name_of(path: &Path) -> Option<String> {
    let (name, _) = path.file_name()?.to_str()?.split_once(".ko")?;
    Some(name.replace('-', "_"))
}

/// Later Debian releases compress them.
fn is_compressed(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "xz")
}

fn read(file: &Path) -> Result<Vec<u8>> {
    if !is_compressed(file) {
        return fs::read(file).with_context(|| format!("cannot read {}", file.display()));
    }
    let mut command = Command::new("xz");
    let output = command.arg("-dc").arg(file).output().context("cannot start xz")?;
    process::check(&command, output.status)?;
    Ok(output.stdout)
}

/// What stands in a module as `depends=a,b`.
fn depends(module: &[u8]) -> Result<Vec<String>> {
    let file = object::File::parse(module)?;
    let information = file.section_by_name(".modinfo").context("no section .modinfo")?.data()?;
    let mut entries = information.split(|&byte| byte == 0);
    let list = entries.find_map(|entry| entry.strip_prefix(b"depends=")).unwrap_or_default();
    let list = String::from_utf8_lossy(list);
    let names = list.split(',').filter(|name| !name.is_empty());
    Ok(names.map(|name| name.replace('-', "_")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_modules_are_noticed() {
        let modules = |name: &str| {
            let files = BTreeMap::from([("a".to_owned(), PathBuf::from(name))]);
            Modules { files, built_in: Vec::new() }
        };
        assert!(modules("kernel/a.ko.xz").are_compressed());
        assert!(!modules("kernel/a.ko").are_compressed());
    }

    #[test]
    fn a_module_is_known_by_one_name() {
        for path in ["a/virtio-rng.ko", "virtio_rng.ko.xz", "kernel/x/virtio-rng.ko"] {
            assert_eq!(name_of(Path::new(path)).as_deref(), Some("virtio_rng"));
        }
        assert_eq!(name_of(Path::new("modules.order")), None);
    }
}
