//! The files in which the kernel tells about the machine.

use std::fs::{self, File};
use std::path::PathBuf;

/// Where the tree of files begins: `/`, or what stands in for it in a test.
#[derive(Clone, Debug)]
pub(super) struct Root(PathBuf);

impl Root {
    /// The files of this machine.
    pub(super) fn of_machine() -> Self {
        Self(PathBuf::from("/"))
    }

    /// The one line of a file, without the NUL that ends strings of a device tree.
    pub(super) fn read(&self, path: &str) -> Option<String> {
        let text = self.text(path)?;
        let text = text.trim_matches(|char: char| char.is_whitespace() || char == '\0');
        if text.is_empty() { None } else { Some(text.to_owned()) }
    }

    /// What stands behind `key` and a colon in a file with many lines.
    pub(super) fn line(&self, path: &str, key: &str) -> Option<String> {
        let text = self.text(path)?;
        let value = text.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.trim_end() == key).then(|| value.trim().to_owned())
        });
        value.filter(|value| !value.is_empty())
    }

    /// The names in a folder, in order; none where there is no such folder.
    pub(super) fn names(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(folder)) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.sort_unstable();
        names
    }

    /// A device to talk with.
    pub(super) fn open(&self, path: &str) -> Option<File> {
        File::options().read(true).write(true).open(self.path(path)).ok()
    }

    fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.path(path)).ok()
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.join(path.trim_start_matches('/'))
    }
}

#[cfg(test)]
pub(super) mod tests {
    #![allow(clippy::expect_used, reason = "a test fails by panicking")]

    use std::{env, fs, process};

    use super::Root;

    /// A tree of files that stands in for a machine; it is gone with the test.
    pub(in crate::linux) struct Tree(Root);

    impl Tree {
        /// An empty one; `name` is the test's own.
        pub(in crate::linux) fn new(name: &str) -> Self {
            let folder = format!("onewrite-boards-{}-{name}", process::id());
            Self(Root(env::temp_dir().join(folder)))
        }

        /// With one more file.
        pub(in crate::linux) fn with(self, path: &str, text: &str) -> Self {
            let file = self.0.path(path);
            fs::create_dir_all(file.parent().expect("it is in a folder")).expect("a folder");
            fs::write(file, text).expect("a file");
            self
        }

        pub(in crate::linux) fn root(&self) -> &Root {
            &self.0
        }
    }

    impl Drop for Tree {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0.0);
        }
    }

    #[test]
    fn what_is_not_there_or_empty_is_nothing() {
        let tree = Tree::new("nothing").with("/empty", "\n");
        assert_eq!(tree.root().read("/empty"), None);
        assert_eq!(tree.root().read("/absent"), None);
        assert_eq!(tree.root().line("/absent", "key"), None);
        assert_eq!(tree.root().names("/absent"), [""; 0]);
        assert!(tree.root().open("/absent").is_none());
    }

    #[test]
    fn a_line_is_found_by_its_whole_key() {
        let text = "Cpus_allowed:\tf\nCpus_allowed_list:\t0-3\nEmpty:\nTwo words : a: b\n";
        let tree = Tree::new("line").with("/status", text);
        let line = |key| tree.root().line("/status", key);
        assert_eq!(line("Cpus_allowed_list").as_deref(), Some("0-3"));
        assert_eq!(line("Two words").as_deref(), Some("a: b"));
        assert_eq!(line("Cpus"), None);
        assert_eq!(line("Empty"), None);
    }
}
