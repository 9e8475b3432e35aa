//! A server that is started for a measurement.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A server that runs, and is ended with this value.
#[derive(Debug)]
pub(crate) struct Started {
    child: Child,
    /// HOST:PORT.
    pub(crate) address: String,
}

impl Started {
    /// Starts `http_server`, or what takes the same arguments, on a port that is free.
    pub(crate) fn new(program: &Path) -> Result<Self, String> {
        let named = |error: std::io::Error| format!("{}: {error}", program.display());
        let mut command = Command::new(program);
        command.args(["--port", "0"]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(named)?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut line).map_err(named)?;
        }
        let address = line.trim().strip_prefix("listening on ").unwrap_or_default().to_owned();
        let started = Self { child, address };
        if started.address.is_empty() {
            return Err(format!("{}: it does not listen, but says {line:?}", program.display()));
        }
        Ok(started)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // It may have ended by itself.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
