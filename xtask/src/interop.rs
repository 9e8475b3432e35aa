//! `cargo xtask interop`: values through SpacetimeDB's own TypeScript package and back.
//!
//! The package is fetched by npm into the build folder and stays there. It is under the Business
//! Source License 1.1: no dependency of ours, and nothing of it is in the repository.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::process::{self, End};
use crate::progress::Tally;
use crate::progress::say;
use crate::setup::Missing;
use crate::toolchain::{Place, Toolchain};
use crate::workspace;

/// What to say about the command.
pub(crate) const HELP: &str = "\
Needs node and npm, and the npm registry the first time. The package spacetimedb, under the Business
Source License 1.1, is fetched into the build folder and used for nothing else.

Exit code: 0 no value was changed, 1 one was, or something is missing, 2 wrong usage.";

/// The package, and the version whose known faults the test leaves out.
const PACKAGE: &str = "spacetimedb@2.10.1";

/// Names what npm has finished installing.
const FINISHED: &str = ".onewrite-package";

/// npm gives up after this long.
const LIMIT: Duration = Duration::from_secs(300);

/// The command itself; returns a line about what came out.
pub(crate) fn command() -> Result<String> {
    for program in ["node", "npm"] {
        if process::find(program).is_none() {
            bail!(Missing(format!("{program} is not installed")));
        }
    }
    let folder = workspace::target_folder().join("interop");
    install(&folder)?;
    let mut command = Toolchain::host()?.cargo(Place::Host, "test");
    command.args(["--quiet", "--package=onewrite", "--test=spacetimedb_interop"]);
    command.env("ONEWRITE_PEER", &folder);
    let (status, output) = process::tee(&mut command)?;
    process::check(&command, status)?;
    let tally = Tally::of_output(&output);
    if tally == Tally::default() {
        bail!("nothing was compared");
    }
    Ok(format!("{tally}, with {PACKAGE} on Node"))
}

/// The same as a step of a longer run, which goes on where this machine lacks something.
pub(crate) fn step(_: bool) -> Result<String> {
    unless_missing(command())
}

fn unless_missing(result: Result<String>) -> Result<String> {
    match result {
        Err(error) if error.is::<Missing>() => Ok(format!("not compared: {error}")),
        result => result,
    }
}

/// Has npm put the package into `folder`, unless it has.
fn install(folder: &Path) -> Result<()> {
    let finished = folder.join(FINISHED);
    if fs::read_to_string(&finished).is_ok_and(|package| package == PACKAGE) {
        return Ok(());
    }
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    // Without one npm would look for a project in the folders above.
    write(&folder.join("package.json"), "{ \"private\": true }\n")?;
    say(format_args!("npm fetches {PACKAGE} into {}", workspace::short(folder)));
    let mut command = Command::new("npm");
    // Nothing of the package runs when it is installed, and its frameworks are left out.
    command.args(["install", "--no-save", "--no-package-lock", "--ignore-scripts"]);
    command.args(["--legacy-peer-deps", "--no-audit", "--no-fund", "--fetch-retries=1", PACKAGE]);
    let (end, _, complaint) = process::capture_within(command.current_dir(folder), LIMIT)?;
    match end {
        End::Exited(status) if status.success() => write(&finished, PACKAGE),
        End::Exited(_) => bail!(Missing(format!("npm: {}", reason(&complaint)))),
        End::Stopped | End::TimedOut(_) => {
            bail!(Missing(format!("npm has not fetched {PACKAGE} in {} s", LIMIT.as_secs())))
        }
    }
}

/// What npm says went wrong: the first lines of what it marks as errors.
fn reason(complaint: &[u8]) -> String {
    let text = String::from_utf8_lossy(complaint);
    let lines = text.lines().filter_map(|line| line.strip_prefix("npm error "));
    let why = lines.filter(|line| !line.trim().is_empty()).take(3).collect::<Vec<_>>().join(", ");
    if why.is_empty() { text.trim().to_owned() } else { why }
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn only_what_is_missing_is_no_failure() {
        let missing = Err(Missing("npm is not installed".to_owned()).into());
        assert_eq!(unless_missing(missing).unwrap(), "not compared: npm is not installed");
        let differs = unless_missing(Err(anyhow::anyhow!("a value differs")));
        assert_eq!(differs.unwrap_err().to_string(), "a value differs");
    }

    #[test]
    fn what_npm_says_is_one_line() {
        let said = b"npm error code ENOTFOUND\nnpm error syscall getaddrinfo\nnpm error\n";
        assert_eq!(reason(said), "code ENOTFOUND, syscall getaddrinfo");
        assert_eq!(reason(b"broken\n"), "broken");
    }
}
