//! A child that runs while we do something else.

use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::{Group, Output};

/// A child with both outputs collected, ended when this is dropped.
///
/// It leads a group of its own, so that what it started is ended with it.
pub(crate) struct Background {
    group: Group,
    stdout: Output,
    stderr: Output,
}

impl std::fmt::Debug for Background {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Background").field("id", &self.group.child.id()).finish_non_exhaustive()
    }
}

impl Background {
    /// Starts it; its standard input is what the command says.
    pub(crate) fn start(command: &mut Command) -> Result<Self> {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = Group::start(command)?;
        let stdout = Output::of(group.child.stdout.take());
        let stderr = Output::of(group.child.stderr.take());
        Ok(Self { group, stdout, stderr })
    }

    /// Its standard input, where that is a pipe; once.
    pub(crate) fn stdin(&mut self) -> Option<ChildStdin> {
        self.group.child.stdin.take()
    }

    /// How it ended, once it and everybody who holds its outputs have.
    pub(crate) fn finished(&mut self) -> Result<Option<ExitStatus>> {
        let status = self.group.child.try_wait()?;
        Ok(status.filter(|_| self.is_complete()))
    }

    /// Ends it, and what it started.
    pub(crate) fn end(&mut self) -> Result<()> {
        self.group.end()?;
        // Who left the group may hold the outputs for ever.
        let patience = Instant::now() + Duration::from_secs(1);
        while !self.is_complete() && Instant::now() < patience {
            thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    /// Its standard output so far.
    pub(crate) fn stdout(&self) -> Vec<u8> {
        self.stdout.after(0)
    }

    /// Its standard output so far, without the first `skipped` bytes.
    pub(crate) fn stdout_after(&self, skipped: usize) -> Vec<u8> {
        self.stdout.after(skipped)
    }

    /// Its standard error so far.
    pub(crate) fn stderr(&self) -> Vec<u8> {
        self.stderr.after(0)
    }

    /// Its standard error so far, without the first `skipped` bytes.
    pub(crate) fn stderr_after(&self, skipped: usize) -> Vec<u8> {
        self.stderr.after(skipped)
    }

    fn is_complete(&self) -> bool {
        self.stdout.is_complete() && self.stderr.is_complete()
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        if !matches!(self.group.child.try_wait(), Ok(Some(_))) {
            // It may have ended in the meantime.
            let _ = self.group.end();
        }
    }
}
