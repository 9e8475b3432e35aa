//! The workspaces of their own: nobody who builds the library builds them, so that they could stop to build
//! without anybody seeing it.

use anyhow::{Context as _, Result};

use crate::process;
use crate::progress::say;
use crate::toolchain::{Place, Toolchain};
use crate::workspace;

/// A folder, and what cargo does there. `benches/peers/size` is built by the steps that look at its sizes.
const OTHERS: [(&str, &[&str]); 3] = [
    // The examples of docs/coming-from-postcard.md and its like.
    ("benches/peers/serializers", &["test", "--doc"]),
    ("benches/peers/http", &["check", "--workspace", "--all-targets"]),
    // With what has to be linked by a C++ compiler.
    ("fuzz", &["check", "--all-targets", "--features=libfuzzer"]),
];

/// Builds them, and runs the examples of the documentation that need other people's crates.
pub(super) fn build(_: bool) -> Result<String> {
    let toolchain = Toolchain::host()?;
    for (folder, arguments) in OTHERS {
        say(format_args!("cargo {} in {folder}", arguments.join(" ")));
        let (subcommand, rest) = arguments.split_first().context("no subcommand")?;
        let mut command = toolchain.cargo(Place::Host, subcommand);
        command.args(rest).args(["--locked", "--quiet", "--manifest-path"]);
        command.arg(workspace::root().join(folder).join("Cargo.toml"));
        // Neither in the library's folder, whose lock file is another one, nor in each other's.
        command.env("CARGO_TARGET_DIR", workspace::target_folder().join("others").join(folder));
        process::run(&mut command)?;
    }
    Ok(format!("{} workspaces", OTHERS.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workspace_is_locked() {
        for (folder, _) in OTHERS {
            assert!(workspace::root().join(folder).join("Cargo.lock").is_file(), "{folder}");
        }
    }
}
