//! Boots an emulated Raspberry Pi and hands back what came over its UART.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::firmware::Build;
use crate::log::{self, Log};
use crate::process::{self, End};
use crate::progress::say;
use crate::toolchain::{Place, Toolchain};
use crate::{firmware, setup};

/// A run that takes longer is ended.
pub(crate) const LIMIT: Duration = Duration::from_secs(120);

/// Boots a bare-metal program and returns its log; a run that fails shows its log.
pub(crate) fn run(program: &Path, limit: Duration) -> Result<Log> {
    run_expecting(0, program, limit)
}

/// Boots a bare-metal program that has to end with `code`.
///
/// The image is booted, not the ELF file: it is what goes on a card.
pub(crate) fn run_expecting(code: i32, program: &Path, limit: Duration) -> Result<Log> {
    let image = firmware::write_image(program)?;
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    say(format_args!("booting {name} on an emulated Pi"));
    let uart = image.with_file_name(format!("uart-{}.bin", std::process::id()));
    let mut command = Command::new("qemu-system-aarch64");
    command
        .args(["-M", "raspi3ap", "-icount", "shift=0", "-kernel"])
        .arg(&image)
        .args(["-display", "none", "-monitor", "none", "-no-reboot", "-serial"])
        .arg(format!("file:{}", uart.display()))
        .args(["-semihosting-config", "enable=on,target=native"]);
    let (end, _, complaint) = process::capture_within(&mut command, limit)?;
    let bytes = fs::read(&uart).unwrap_or_default();
    // The file has served; a missing one is shown as an empty log.
    let _ = fs::remove_file(&uart);
    let elf = fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    let log = log::decode(&elf, &bytes)?;
    if let Some(reason) = verdict(end, code) {
        let command = process::show(&command);
        let complaint = String::from_utf8_lossy(&complaint);
        let (count, text) = (bytes.len(), log.text());
        bail!("{name}: {reason}\n{command}\n{complaint}--- log of {count} bytes\n{text}---");
    }
    Ok(log)
}

/// `cargo xtask run EXAMPLE`.
pub(crate) fn command(package: &str, example: &str, limit: Duration, yes: bool) -> Result<()> {
    setup::ensure(setup::needs_of(Place::Bare), yes)?;
    let toolchain = Toolchain::for_place(Place::Bare)?;
    let build = Build { package, ..Build::example(example) };
    let log = run(&build.build(&toolchain, Place::Bare)?, limit)?;
    print!("{}", log.text());
    Ok(())
}

/// Why a run counts as failed, if it does.
fn verdict(end: End, code: i32) -> Option<String> {
    match end {
        End::Stopped => None,
        End::Exited(status) if status.code() == Some(code) => None,
        End::Exited(status) if code == 0 => {
            Some(format!("the guest ended with {}", process::ended(status)))
        }
        End::Exited(status) => {
            Some(format!("the guest ended with {}, not {code}", process::ended(status)))
        }
        End::TimedOut(limit) => {
            Some(format!("still running after {} s, ended", limit.as_secs_f64()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_is_ended_counts_as_failed() {
        let reason = verdict(End::TimedOut(Duration::from_secs(3)), 0);
        assert_eq!(reason.as_deref(), Some("still running after 3 s, ended"));
    }

    #[cfg(unix)]
    #[test]
    fn the_guests_exit_code_decides() {
        use std::os::unix::process::ExitStatusExt as _;
        use std::process::ExitStatus;
        let ended =
            |code: i32, wanted| verdict(End::Exited(ExitStatus::from_raw(code << 8)), wanted);
        assert_eq!(ended(0, 0), None);
        assert_eq!(ended(7, 7), None);
        assert_eq!(ended(7, 0).as_deref(), Some("the guest ended with exit code 7"));
        assert_eq!(ended(0, 7).as_deref(), Some("the guest ended with exit code 0, not 7"));
    }
}
