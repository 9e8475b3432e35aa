//! What a board says about itself before anything is copied, and whether a program fits it.

use std::time::Duration;

use anyhow::{Result, bail};

use super::program::{Program, Version};
use crate::ssh::Session;

/// What a board says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Board {
    machine: String,
    kernel: String,
    /// The last of the cores that a program there may run on.
    pub(crate) last_core: Option<u32>,
    tools: Vec<String>,
    libc: String,
    has_loader: bool,
    /// Free space in the folder, in KiB.
    free: Option<u64>,
    /// Why nothing can be written to the folder.
    refused: Option<String>,
}

/// What it takes to copy and run; `taskset` and `timeout` are used where they are.
const TOOLS: [&str; 6] = ["cat", "mv", "rm", "chmod", "sha256sum", "tee"];
/// The script waits for nothing.
const LIMIT: Duration = Duration::from_secs(60);

impl Board {
    /// Asks the board, which writes to the nearest folder that is there of `folder` and those above
    /// it, and leaves nothing in it.
    pub(crate) fn ask(session: &Session, folder: &str, program: &Program) -> Result<Self> {
        let loader = program.loader.as_deref().unwrap_or_default();
        let script = include_str!("check.sh");
        let probe = super::temporary("probe");
        let answer = session.run(script, &[folder, loader, &probe], None, LIMIT, &mut |_| {})?;
        Self::parse(&String::from_utf8_lossy(&answer.stdout))
    }

    fn parse(text: &str) -> Result<Self> {
        let mut board = Self::default();
        for line in text.lines() {
            let Some((key, value)) = line.split_once('=') else { continue };
            let text = || value.trim().to_owned();
            match key {
                "machine" => board.machine = text(),
                "kernel" => board.kernel = text(),
                "cpus" => board.last_core = last_core(value),
                "tool" => board.tools.push(text()),
                "libc" => board.libc = text(),
                "loader" => board.has_loader = true,
                "free" => board.free = value.trim().parse().ok(),
                "refused" => board.refused = Some(text()),
                "end" => return Ok(board),
                _ => {}
            }
        }
        bail!("the board's answer is not whole: its login shell has to be a usual one\n{text}")
    }

    #[cfg(test)]
    pub(super) fn sketch(last_core: Option<u32>, tools: &[&str]) -> Self {
        let tools = tools.iter().map(|&tool| tool.to_owned()).collect();
        Self { last_core, tools, ..Self::default() }
    }

    /// Whether a program of that name is there.
    pub(crate) fn has(&self, tool: &str) -> bool {
        self.tools.iter().any(|known| known == tool)
    }

    /// The board in a few words.
    pub(crate) fn summary(&self) -> String {
        let Self { machine, kernel, .. } = self;
        let free = self.free.map_or_else(String::new, |kib| format!(", {kib} KiB free"));
        format!("{machine}, Linux {kernel}{free}")
    }

    /// Refuses what could not be installed or would not start, with what to do instead.
    pub(crate) fn accept(&self, program: &Program, folder: &str) -> Result<()> {
        program.fits(&self.machine)?;
        if let (Some(oldest), Some(found)) = (&program.kernel, Version::parse(&self.kernel))
            && found < *oldest
        {
            bail!("the program needs Linux {oldest} or later, the board has {}", self.kernel);
        }
        self.accept_libc(program)?;
        if let Some(tool) = TOOLS.iter().find(|tool| !self.has(tool)) {
            bail!("the board has no {tool}: install coreutils or busybox there");
        }
        if let Some(complaint) = &self.refused {
            bail!("{folder:?} on the board cannot be written to: {complaint}");
        }
        // The old program stays until the new one is whole.
        let needed = (program.bytes.len() as u64).div_ceil(1024);
        if let Some(free) = self.free.filter(|&free| free < needed) {
            bail!(
                "no space left in {folder:?} on the board: {needed} KiB are needed, {free} are free"
            );
        }
        Ok(())
    }

    /// Case cross-01: a program from a newer system than the board's does not start there.
    fn accept_libc(&self, program: &Program) -> Result<()> {
        let Some(loader) = &program.loader else { return Ok(()) };
        let ways = "ways out: a static program (what this command builds by itself), an older \
                    cross sysroot, or a cross image as old as the board";
        if let (Some(needed), Some(found)) = (&program.glibc, Version::parse_last_word(&self.libc))
            && needed > &found
        {
            bail!("the program needs glibc {needed}, the board has {found}; {ways}");
        }
        if !self.has_loader {
            bail!("the program needs {loader}, which the board does not have; {ways}");
        }
        Ok(())
    }
}

/// `0-3`, `0,2-3`: the last number.
fn last_core(list: &str) -> Option<u32> {
    list.trim().rsplit([',', '-']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    const ANSWER: &str = "begun=\nmachine=aarch64\nkernel=6.1.21-v8+\ncpus=0-3\ntool=cat\ntool=mv\n\
        tool=rm\ntool=chmod\ntool=sha256sum\ntool=tee\ntool=taskset\nlibc=glibc 2.31\n\
        loader=/lib/ld-linux-aarch64.so.1\nfree=90000\nend=\n";

    fn program(glibc: &str) -> Program {
        Program::for_aarch64(Some("/lib/ld-linux-aarch64.so.1"), Version::parse(glibc))
    }

    fn refusal(answer: &str, program: &Program) -> String {
        Board::parse(answer).unwrap().accept(program, "onewrite").unwrap_err().to_string()
    }

    #[test]
    fn a_board_that_fits_is_accepted() {
        let board = Board::parse(ANSWER).unwrap();
        board.accept(&program("2.31"), "onewrite").unwrap();
        assert_eq!(board.last_core, Some(3));
        assert!(board.has("taskset") && !board.has("timeout"));
        assert_eq!(board.summary(), "aarch64, Linux 6.1.21-v8+, 90000 KiB free");
    }

    #[test]
    fn an_answer_that_was_cut_is_none() {
        assert!(Board::parse(ANSWER.strip_suffix("end=\n").unwrap()).is_err());
        assert!(Board::parse("").is_err());
    }

    /// Case cross-01: Bullseye has glibc 2.31, Buster 2.28; Debian 12's cross gcc links 2.34.
    #[test]
    fn a_newer_glibc_than_the_boards_is_named_with_the_ways_out() {
        for board in ["2.31", "2.28"] {
            let answer = ANSWER.replace("glibc 2.31", &format!("glibc {board}"));
            let text = refusal(&answer, &program("2.34"));
            assert!(text.contains(&format!("needs glibc 2.34, the board has {board}")), "{text}");
            for way in ["static", "older cross sysroot", "cross image"] {
                assert!(text.contains(way), "{text}");
            }
        }
    }

    #[test]
    fn each_thing_that_is_missing_is_named() {
        let program = program("2.17");
        for (from, to, wanted) in [
            ("machine=aarch64", "machine=armv7l", "32-bit"),
            ("machine=aarch64", "machine=x86_64", "the board is x86_64"),
            ("6.1.21-v8+", "3.6.11+", "Linux 3.7.0 or later, the board has 3.6.11+"),
            ("loader=/lib/ld-linux-aarch64.so.1\n", "", "does not have"),
            ("tool=sha256sum\n", "", "no sha256sum"),
            ("free=90000", "free=1", "2 KiB are needed, 1 are free"),
            ("free=90000", "refused=sh: cannot create x: Read-only file system", "Read-only"),
        ] {
            let text = refusal(&ANSWER.replace(from, to), &program);
            assert!(text.contains(wanted), "{text}");
        }
    }

    #[test]
    fn the_last_core_of_a_list() {
        for (list, last) in [("0-3", Some(3)), ("0", Some(0)), ("0,2-5", Some(5)), ("", None)] {
            assert_eq!(last_core(list), last);
        }
    }
}
