//! Another command of ours, which runs while we do something else.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context as _, Result};

use super::Group;

/// A command of this program in a process of its own; what it says is held back. Told to end when this
/// is dropped.
pub(crate) struct Own {
    group: Group,
    said: File,
}

impl Own {
    /// Starts it with these arguments. There is nobody that it could ask.
    pub(crate) fn start(arguments: &[&OsStr]) -> Result<Self> {
        let program = std::env::current_exe().context("this program has no file")?;
        Self::start_program(Command::new(program).args(arguments))
    }

    fn start_program(command: &mut Command) -> Result<Self> {
        // One file for both outputs keeps the order of what was said.
        let said = tempfile::tempfile()?;
        command.stdin(Stdio::null()).stdout(said.try_clone()?).stderr(said.try_clone()?);
        Ok(Self { group: Group::start_our_own(command)?, said })
    }

    /// Waits until it has ended; returns how, and all that it said.
    pub(crate) fn finish(mut self) -> Result<(ExitStatus, String)> {
        let status = self.group.child.wait()?;
        self.said.rewind()?;
        let mut bytes = Vec::new();
        self.said.read_to_end(&mut bytes)?;
        Ok((status, String::from_utf8_lossy(&bytes).into_owned()))
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        if !matches!(self.group.child.try_wait(), Ok(Some(_))) {
            // It may have ended in the meantime.
            let _ = self.group.end();
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    fn shell(script: &str) -> Own {
        Own::start_program(Command::new("sh").args(["-c", script])).unwrap()
    }

    #[test]
    fn what_both_outputs_said_comes_in_its_order_with_the_exit_code() {
        let (status, said) = shell("echo a; echo b >&2; echo c; exit 3").finish().unwrap();
        assert_eq!((status.code(), said.as_str()), (Some(3), "a\nb\nc\n"));
    }

    #[test]
    fn it_is_told_to_end_and_may_end_others_before() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ended");
        let name = file.display();
        let own =
            shell(&format!("trap 'echo >{name}; exit' TERM; echo >{name}.on; sleep 60 & wait"));
        let patience = Instant::now() + Duration::from_secs(30);
        while !folder.path().join("ended.on").exists() && Instant::now() < patience {
            thread::sleep(Duration::from_millis(5));
        }
        drop(own);
        assert!(file.exists() && Instant::now() < patience);
    }
}
