//! What an example has to print, and how it has to end.
//!
//! Beside the source of each example stands what it prints to its console:
//!
//! | file | is compared |
//! |---|---|
//! | `NAME.out` | on every machine |
//! | `NAME.bare.out` | on bare metal, in place of `NAME.out` |
//! | `NAME.qemu-user.out` | on aarch64 Linux where that is qemu-user, in place of `NAME.out` |
//! | `NAME.BOOT.out` | on bare metal as well, booted another way: see [`Boot`] |
//! | `NAME.sha256` | like `NAME.out`; the hash of an output that is too long to keep |
//!
//! In an `.out`, `#` stands for any number, and a line `...` for any lines. `NAME.code`, or
//! `NAME.qemu-user.code`, holds an exit code that is not 0; `NAME.arguments` holds arguments, for
//! where there is a command line.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::qemu::Boot;
use crate::toolchain::Place;
use crate::{hash, workspace};

/// What one run of an example has to come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expectation {
    /// The package the example is in.
    pub(crate) package: &'static str,
    /// The example.
    pub(crate) example: String,
    /// How it is started on bare metal.
    pub(crate) boot: Boot,
    /// What it is asked, where there is a command line.
    pub(crate) arguments: Vec<String>,
    /// How it has to end.
    pub(crate) code: i32,
    /// The file with its output, or with the hash of it.
    output: PathBuf,
    /// The part of the file's name that says where it counts.
    variant: &'static str,
}

impl Expectation {
    /// That of a program that is no example of cargo's: it prints what is in a file, and ends well.
    pub(crate) fn of_program(name: &str, output: PathBuf) -> Self {
        Self {
            package: "",
            example: name.to_owned(),
            boot: Boot::Card,
            arguments: Vec::new(),
            code: 0,
            output,
            variant: "",
        }
    }

    /// The example, and what is unusual about the run.
    pub(crate) fn title(&self) -> String {
        match self.variant {
            "" | BARE => self.example.clone(),
            variant => format!("{} ({variant})", self.example),
        }
    }

    /// Whether another one is about the same program, run another way.
    pub(crate) fn is_of_same_program(&self, other: &Self) -> bool {
        self.package == other.package && self.example == other.example
    }

    /// Whether it is about what an emulator cannot do.
    pub(crate) fn is_emulators(&self) -> bool {
        self.variant == QEMU_USER
    }

    /// Fails where the output is another one.
    pub(crate) fn check(&self, found: &str) -> Result<()> {
        let output = &self.output;
        let wanted = fs::read_to_string(output).with_context(|| output.display().to_string())?;
        let difference = if output.extension().is_some_and(|extension| extension == "sha256") {
            other_hash(wanted.trim(), found)
        } else {
            first_difference(&wanted, found)
        };
        match difference {
            None => Ok(()),
            Some(difference) => bail!("{}: {difference}", workspace::short(output)),
        }
    }
}

/// Instead of the output of every machine.
const BARE: &str = "bare";
const QEMU_USER: &str = "qemu-user";

/// What counts in a folder, in order of names; `emulated` where qemu-user runs Linux programs.
///
/// An example that expects nothing anywhere would never run, so it is an error.
pub(crate) fn expectations(
    package: &'static str,
    folder: &Path,
    place: Place,
    emulated: bool,
) -> Result<Vec<Expectation>> {
    let (mut examples, mut files) = (BTreeSet::new(), Vec::new());
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.join("main.rs").is_file() {
            examples.insert(name);
        } else if let Some(example) = name.strip_suffix(".rs") {
            examples.insert(example.to_owned());
        } else if let Some(stem) =
            name.strip_suffix(".out").or_else(|| name.strip_suffix(".sha256"))
        {
            let (example, variant) = stem.split_once('.').unwrap_or((stem, ""));
            files.push((example.to_owned(), variant.to_owned(), path));
        }
    }
    files.sort();
    if let Some(example) = examples.iter().find(|name| files.iter().all(|file| file.0 != **name)) {
        bail!("the example {example} of {package} never runs: there is no {example}.out");
    }
    let mut found = Vec::new();
    for (example, variant, output) in &files {
        let (variant, boot) = match variant.as_str() {
            "" => ("", Boot::Card),
            BARE => (BARE, Boot::Card),
            QEMU_USER => (QEMU_USER, Boot::Card),
            other => Boot::named(other)
                .with_context(|| format!("{}: nothing is called {other}", output.display()))?,
        };
        let own = match place {
            Place::Host => "",
            Place::Linux => {
                if emulated {
                    QEMU_USER
                } else {
                    ""
                }
            }
            Place::Bare => BARE,
        };
        let has_own = files.iter().any(|file| file.0 == *example && file.1 == own);
        let counts = match variant {
            "" => own.is_empty() || !has_own,
            BARE | QEMU_USER => variant == own,
            _ => place == Place::Bare,
        };
        if counts {
            let read = |name: String| fs::read_to_string(folder.join(name)).ok();
            let code = read(format!("{example}.{variant}.code"))
                .or_else(|| read(format!("{example}.code")));
            let code = code.map_or(Ok(0), |code| code.trim().parse());
            let code = code.with_context(|| format!("{example}.code"))?;
            let arguments = read(format!("{example}.arguments")).unwrap_or_default();
            let arguments = arguments.split_whitespace().map(str::to_owned).collect();
            let (example, output) = (example.clone(), output.clone());
            found.push(Expectation { package, example, boot, arguments, code, output, variant });
        }
    }
    Ok(found)
}

/// What differs where only the hash of the output is known.
fn other_hash(wanted: &str, found: &str) -> Option<String> {
    let hash = hash::sha256(found.as_bytes());
    let (lines, last) = (found.lines().count(), found.lines().last().unwrap_or_default());
    (hash != wanted).then(|| format!("another output: {lines} lines, the last {last:?}, {hash}"))
}

/// The first line that differs, in words. A `#` stands for any number, a line `...` for any lines.
fn first_difference(wanted: &str, found: &str) -> Option<String> {
    let wanted: Vec<&str> = wanted.lines().collect();
    let found: Vec<&str> = found.lines().collect();
    let mut sections = wanted.split(|line| *line == ANY_LINES);
    let first = sections.next().unwrap_or_default();
    let mut sections: Vec<&[&str]> = sections.collect();
    let Some(last) = sections.pop() else { return difference_at(0, first, &found) };

    // What stands before the first `...` begins the output, and what follows the last one ends it.
    let head = found.get(..first.len()).unwrap_or(&found);
    if let Some(difference) = difference_at(0, first, head) {
        return Some(difference);
    }
    let mut at = first.len();
    for section in sections {
        let rest = found.get(at..).unwrap_or_default();
        let here = |lines: &[&str]| difference_at(0, section, lines).is_none();
        // No lines at all are everywhere, but make no window.
        let place =
            if section.is_empty() { Some(0) } else { rest.windows(section.len()).position(here) };
        let Some(place) = place else {
            return Some(format!("after line {at}: nowhere {:?}", section.join("\n")));
        };
        at += place + section.len();
    }
    let tail = found.len().saturating_sub(last.len()).max(at);
    difference_at(tail, last, found.get(tail..).unwrap_or_default())
}

/// A line of an `.out` that stands for any number of lines.
const ANY_LINES: &str = "...";

/// The same for two lists of lines, of which the second begins after line `at` of the output.
fn difference_at(at: usize, wanted: &[&str], found: &[&str]) -> Option<String> {
    for index in 0..wanted.len().max(found.len()) {
        let (left, right) = (wanted.get(index), found.get(index));
        let same = matches!((left, right), (Some(left), Some(right)) if matches(left, right));
        if !same {
            let number = at + index + 1;
            let show =
                |line: Option<&&str>| line.map_or("nothing".to_owned(), |l| format!("{l:?}"));
            return Some(format!("line {number}: expected {}, found {}", show(left), show(right)));
        }
    }
    None
}

/// Whether a line is as expected; each `#` takes a number, or itself.
fn matches(wanted: &str, found: &str) -> bool {
    let mut rest = found;
    for (index, piece) in wanted.split('#').enumerate() {
        if index != 0 {
            match rest.strip_prefix('#').or_else(|| after_number(rest)) {
                Some(after) => rest = after,
                None => return false,
            }
        }
        match rest.strip_prefix(piece) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.is_empty()
}

/// What follows a number: `0x` and hexadecimal digits, or digits with points and commas.
fn after_number(text: &str) -> Option<&str> {
    let after = match text.strip_prefix("0x") {
        Some(digits) => digits.trim_start_matches(|c: char| c.is_ascii_hexdigit()),
        None => text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ','),
    };
    (after.len() < text.len()).then_some(after)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn the_first_differing_line_is_named() {
        let difference = |wanted, found| first_difference(wanted, found).unwrap_or_default();
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(difference("a\nb\n", "a\nc\n"), "line 2: expected \"b\", found \"c\"");
        assert_eq!(difference("a\n", "a\nc\n"), "line 2: expected nothing, found \"c\"");
        assert_eq!(difference("a\nb\n", "a\n"), "line 2: expected \"b\", found nothing");
    }

    #[test]
    fn three_points_stand_for_any_lines() {
        for found in ["a\nz\n", "a\nb\nz\n", "a\nz\nz\n"] {
            assert_eq!(first_difference("a\n...\nz\n", found), None, "{found:?}");
        }
        for found in ["", "z\n", "a\n", "b\nz\n", "a\nz\nb\n"] {
            assert!(first_difference("a\n...\nz\n", found).is_some(), "{found:?}");
        }
        // One line is not both the beginning and the end.
        assert!(first_difference("a\n...\na\n", "a\n").is_some());
        assert_eq!(first_difference("...\n", ""), None);
        assert_eq!(first_difference("...\n", "a\nb\n"), None);
        let order = "...\nb\n...\nc\n...\n";
        assert_eq!(first_difference(order, "a\nb\nc\n"), None);
        let missing = first_difference(order, "c\nb\n").unwrap();
        assert_eq!(missing, "after line 2: nowhere \"c\"");
        assert_eq!(first_difference("...\n...\na\n", "a\n"), None);
        let last = first_difference("a\n...\nz\n", "a\nb\n").unwrap();
        assert_eq!(last, "line 2: expected \"z\", found \"b\"");
    }

    #[test]
    fn a_long_output_is_known_by_its_hash() {
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(other_hash(hash, "abc"), None);
        assert!(other_hash(hash, "abd\nend\n").unwrap().contains("2 lines, the last \"end\""));
    }

    #[test]
    fn a_number_sign_stands_for_a_number() {
        assert!(matches("took # ns, # calls", "took 1,234.5 ns, 7 calls"));
        assert!(matches("C# is #", "C# is 4"));
        assert!(matches("at # (ELR)", "at 0x80f00 (ELR)"));
        assert!(!matches("took # ns", "took no ns"));
        assert!(!matches("took 1 ns", "took 2 ns"));
        assert!(!matches("took # ns", "took 1 ns more"));
    }

    /// What is expected in a folder with these files, on each kind of machine.
    fn found_in(name: &str, files: &[(&str, &str)]) -> [Result<Vec<(String, i32)>>; 4] {
        let folder = std::env::temp_dir().join(format!("onewrite-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in files {
            fs::write(folder.join(name), text).unwrap();
        }
        let places =
            [(Place::Host, true), (Place::Linux, false), (Place::Linux, true), (Place::Bare, true)];
        let found = places.map(|(place, emulated)| {
            let found = expectations("onewrite", &folder, place, emulated)?;
            Ok(found.iter().map(|found| (found.title(), found.code)).collect())
        });
        fs::remove_dir_all(&folder).unwrap();
        found
    }

    #[test]
    fn every_output_counts_where_its_name_says() {
        let files = [
            ("a.rs", ""),
            ("a.bare.out", ""),
            ("b.rs", ""),
            ("b.out", ""),
            ("b.bare.out", ""),
            ("b.elf.out", ""),
            ("b.code", "7\n"),
            ("c.rs", ""),
            ("c.sha256", ""),
            ("c.qemu-user.out", ""),
            ("c.qemu-user.code", "1"),
        ];
        let [host, native, emulated, bare] = found_in("places", &files).map(Result::unwrap);
        let is = |name: &str, code| (name.to_owned(), code);
        assert_eq!(host, [is("b", 7), is("c", 0)]);
        assert_eq!(native, host);
        assert_eq!(emulated, [is("b", 7), is("c (qemu-user)", 1)]);
        assert_eq!(bare, [is("a", 0), is("b", 7), is("b (elf)", 7), is("c", 0)]);
    }

    #[test]
    fn an_example_that_never_runs_is_refused() {
        let found = found_in("silent", &[("a.rs", ""), ("b.rs", ""), ("b.out", "")]);
        assert!(found.iter().all(Result::is_err));
        let found = found_in("typo", &[("a.rs", ""), ("a.out", ""), ("a.fel.out", "")]);
        assert!(found.iter().all(Result::is_err));
    }
}
