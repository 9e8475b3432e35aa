//! What a program that goes to a board asks of it.

use std::fmt;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use object::read::elf::{ElfFile64, FileHeader, ProgramHeader as _, SectionHeader as _};
use object::{Endianness, elf};

use crate::{hash, named};

/// A program, and what it needs in order to start.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) bytes: Vec<u8>,
    /// SHA-256 in hexadecimal digits.
    pub(crate) sha256: String,
    machine: u16,
    /// The loader of a program that is linked dynamically.
    pub(crate) loader: Option<String>,
    /// The newest version of glibc that it takes symbols from.
    pub(crate) glibc: Option<Version>,
    /// The oldest kernel that its C library starts on.
    pub(crate) kernel: Option<Version>,
}

impl Program {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let bytes =
            named::program(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::of(bytes).with_context(|| path.display().to_string())
    }

    fn of(bytes: Vec<u8>) -> Result<Self> {
        let file = ElfFile64::<Endianness>::parse(bytes.as_slice());
        let file = file.context("no 64-bit ELF program: nothing a 64-bit board can run")?;
        let endian = file.endian();
        let header = file.elf_header();
        let (mut loader, mut kernel) = (None, None);
        for segment in header.program_headers(endian, bytes.as_slice())? {
            if let Ok(Some(path)) = segment.interpreter(endian, bytes.as_slice()) {
                loader = Some(String::from_utf8_lossy(path).into_owned());
            }
            let Ok(Some(mut notes)) = segment.notes(endian, bytes.as_slice()) else { continue };
            while let Some(note) = notes.next()? {
                if note.name() == elf::ELF_NOTE_GNU && note.n_type(endian) == elf::NT_GNU_ABI_TAG {
                    kernel = oldest_kernel(note.desc(), endian);
                }
            }
        }
        let mut glibc = None;
        let sections = header.sections(endian, bytes.as_slice())?;
        for section in sections.iter() {
            let needs = section.gnu_verneed(endian, bytes.as_slice())?;
            let Some((mut needs, link)) = needs else { continue };
            let strings = sections.strings(endian, bytes.as_slice(), link)?;
            while let Some((_, mut versions)) = needs.next()? {
                while let Some(version) = versions.next()? {
                    let name = version.name(endian, strings)?;
                    let name = name.strip_prefix(b"GLIBC_").unwrap_or_default();
                    glibc = glibc.max(Version::parse(&String::from_utf8_lossy(name)));
                }
            }
        }
        let machine = header.e_machine(endian);
        Ok(Self { sha256: hash::sha256(&bytes), machine, loader, glibc, kernel, bytes })
    }

    /// Refuses a board that cannot run it; `board` is what `uname -m` says there.
    pub(crate) fn fits(&self, board: &str) -> Result<()> {
        let (name, boards): (_, &[&str]) = match self.machine {
            elf::EM_AARCH64 => ("aarch64", &["aarch64", "arm64"]),
            elf::EM_X86_64 => ("x86_64", &["x86_64", "amd64"]),
            elf::EM_RISCV => ("riscv64", &["riscv64"]),
            other => bail!("a program for machine number {other}, which is no board of ours"),
        };
        if boards.contains(&board) {
            return Ok(());
        }
        let hint = match board {
            "armv6l" | "armv7l" | "armv8l" => {
                "; its system is the 32-bit one: a Pi Zero 2W also runs the 64-bit one"
            }
            _ => "",
        };
        bail!("the program is for {name}, the board is {board}{hint}")
    }
}

/// The four words of a GNU ABI tag: the system (0 for Linux) and its oldest version.
fn oldest_kernel(words: &[u8], endian: Endianness) -> Option<Version> {
    use object::Endian as _;
    let (words, _) = words.as_chunks::<4>();
    let word = |index: usize| Some(endian.read_u32(u32::from_ne_bytes(*words.get(index)?)));
    if word(0)? != 0 {
        return None;
    }
    Some(Version(vec![word(1)?, word(2)?, word(3)?]))
}

/// Numbers with points between them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(Vec<u32>);

impl Version {
    /// `2.36`, `6.1.0-57-arm64`: the numbers at the beginning, two at least.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let numbers = text.get(..end)?.trim_end_matches('.').split('.').map(str::parse);
        let numbers: Vec<u32> = numbers.collect::<Result<_, _>>().ok()?;
        (numbers.len() >= 2).then_some(Self(numbers))
    }

    /// The last word that is a version: `ldd (Debian GLIBC 2.36-9) 2.36`.
    pub(crate) fn parse_last_word(text: &str) -> Option<Self> {
        let words = text.split_whitespace().rev();
        words.map(|word| word.trim_end_matches('.')).find_map(Self::parse)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(u32::to_string).collect();
        f.write_str(&numbers.join("."))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    impl Program {
        /// One for aarch64 that starts on Linux 3.7, as glibc's do there.
        pub(crate) fn for_aarch64(loader: Option<&str>, glibc: Option<Version>) -> Self {
            Self {
                bytes: vec![0; 2048],
                sha256: String::new(),
                machine: elf::EM_AARCH64,
                loader: loader.map(str::to_owned),
                glibc,
                kernel: Version::parse("3.7.0"),
            }
        }
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        let version = |text| Version::parse(text).unwrap();
        assert!(version("2.36") > version("2.4") && version("2.2.5") < version("2.28"));
        assert_eq!(version("6.1.0-57-arm64").to_string(), "6.1.0");
        assert_eq!(Version::parse("PRIVATE"), None);
        assert_eq!(Version::parse("2"), None);
    }

    #[test]
    fn the_glibc_of_a_board_is_read_from_whatever_says_it() {
        for text in [
            "glibc 2.31",
            "ldd (Debian GLIBC 2.31-13+deb11u11) 2.31",
            "ld.so (Debian GLIBC 2.31-9+deb12u14) stable release version 2.31.",
        ] {
            assert_eq!(Version::parse_last_word(text).unwrap().to_string(), "2.31", "{text}");
        }
        assert_eq!(Version::parse_last_word("ldd: not found"), None);
    }

    #[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
    #[test]
    fn a_dynamic_program_says_what_it_needs() {
        let program = Program::read(&std::env::current_exe().unwrap()).unwrap();
        assert!(program.loader.is_some_and(|loader| loader.starts_with("/lib")));
        assert!(program.glibc.unwrap() >= Version(vec![2, 17]));
        assert!(program.kernel.is_some());
    }

    #[test]
    fn what_is_no_program_is_refused() {
        assert!(Program::of(b"#!/bin/sh\n".to_vec()).is_err());
    }
}
