//! The container engine: docker or podman, whichever answers.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::process::{self, End};
use crate::setup::{self, Need};

/// Which engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kind {
    /// Docker.
    Docker,
    /// Podman.
    Podman,
}

impl Kind {
    pub(super) fn program(self) -> &'static str {
        match self {
            Self::Docker => "docker",
            Self::Podman => "podman",
        }
    }
}

/// An engine that answers.
#[derive(Clone, Debug)]
pub(super) struct Engine {
    pub(super) kind: Kind,
    /// What its commands, and cross, have to be started with.
    pub(super) variables: Vec<(&'static str, OsString)>,
}

impl Engine {
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(self.kind.program());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Whether it has the image already.
    pub(super) fn has(&self, image: &str) -> Result<bool> {
        let mut command = self.command();
        command.args(["image", "inspect", "--format", "{{.Id}}", image]);
        let (end, _, _) = process::capture_within(&mut command, ANSWER_LIMIT)?;
        Ok(matches!(end, End::Exited(status) if status.success()))
    }

    /// Starts a container and ends it.
    pub(super) fn start(&self, image: &str) -> Result<()> {
        let mut command = self.command();
        within(command.args(["run", "--rm", image, "true"]), START_LIMIT)
    }
}

/// An engine says how it is within this time, or is out of order.
const ANSWER_LIMIT: Duration = Duration::from_secs(30);
/// Podman moves a whole image on its first start where the file system cannot map its owners.
const START_LIMIT: Duration = Duration::from_secs(300);

/// The engine that was asked for, or the first that answers; podman is installed where there is
/// none.
pub(super) fn find(wanted: Option<Kind>, yes: bool) -> Result<Engine> {
    let kinds = wanted.map_or_else(|| vec![Kind::Docker, Kind::Podman], |kind| vec![kind]);
    let mut reasons = Vec::new();
    for &kind in &kinds {
        match answers(kind) {
            Ok(()) => return Ok(Engine { kind, variables: Vec::new() }),
            Err(error) => reasons.push(format!("{error:#}")),
        }
    }
    let reasons = format!("no container engine answers: {}", reasons.join("; "));
    if !kinds.contains(&Kind::Podman) || process::find(Kind::Podman.program()).is_some() {
        bail!(reasons);
    }
    setup::ensure(&[Need::ContainerEngine], yes).context(reasons)?;
    answers(Kind::Podman)?;
    Ok(Engine { kind: Kind::Podman, variables: Vec::new() })
}

/// Whether an engine is there and works; docker alone is only a client.
fn answers(kind: Kind) -> Result<()> {
    let program = kind.program();
    if process::find(program).is_none() {
        bail!("{program} is not installed");
    }
    // Debian's podman-docker; podman under its own name can be told more.
    let name = process::capture(Command::new(program).arg("--version"));
    if kind == Kind::Docker && name.is_ok_and(|name| name.starts_with("podman")) {
        bail!("{program} is podman");
    }
    // Of docker this asks the daemon; podman has none, and reads its own configuration.
    let question = match kind {
        Kind::Docker => "version",
        Kind::Podman => "info",
    };
    within(Command::new(program).arg(question), ANSWER_LIMIT)
}

/// Runs a command of an engine; the error is one line.
pub(super) fn within(command: &mut Command, limit: Duration) -> Result<()> {
    let (end, _, complaint) = process::capture_within(command, limit)?;
    let how = match end {
        End::Exited(status) if status.success() => return Ok(()),
        End::Exited(status) => process::ended(status),
        End::TimedOut(limit) => format!("no answer within {} s", limit.as_secs()),
        End::Stopped => "stopped".to_owned(),
    };
    let program = Path::new(command.get_program()).display().to_string();
    let subcommand = command.get_args().next().unwrap_or_default().to_string_lossy().into_owned();
    match last_line(&String::from_utf8_lossy(&complaint)) {
        Some(line) => bail!("{program} {subcommand}: {how}: {line}"),
        None => bail!("{program} {subcommand}: {how}"),
    }
}

/// The last line that says something: what an engine says before it are warnings.
fn last_line(text: &str) -> Option<&str> {
    text.lines().map(str::trim).rfind(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_an_engine_says_last_is_the_reason() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo warning >&2; echo 'no daemon' >&2; echo >&2; exit 1"]);
        let error = within(&mut command, ANSWER_LIMIT).unwrap_err();
        assert_eq!(error.to_string(), "sh -c: exit code 1: no daemon");
    }

    #[cfg(unix)]
    #[test]
    fn an_engine_that_hangs_is_given_up() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 60"]);
        let error = within(&mut command, Duration::from_secs(0)).unwrap_err();
        assert_eq!(error.to_string(), "sh -c: no answer within 0 s");
    }
}
