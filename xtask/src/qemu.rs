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
use crate::report::output;
use crate::toolchain::{Place, Toolchain};
use crate::{firmware, setup};

/// A run that takes longer is ended.
pub(crate) const LIMIT: Duration = Duration::from_secs(120);

/// How an emulated Pi is started. The name is part of an `.out` file's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boot {
    /// `kernel8.img`, as from a card, with counted instructions: entered at EL2.
    Card,
    /// `elf`: the ELF file, entered at EL3.
    Elf,
    /// `halt`: the ELF file, and nobody listens to semihosting, like on a board. It never ends by
    /// itself: it has to say that it halts.
    Halt,
    /// `address-0`: the image at address 0, where the Pi's old loader puts it.
    AddressZero,
    /// `no-icount`: without counted instructions.
    Uncounted,
    /// As from a card, and asked for `--count` by semihosting's command line.
    Counting,
}

impl Boot {
    /// The one with this name, and the name.
    pub(crate) fn named(name: &str) -> Option<(&'static str, Self)> {
        let all = [
            ("elf", Self::Elf),
            ("halt", Self::Halt),
            ("address-0", Self::AddressZero),
            ("no-icount", Self::Uncounted),
        ];
        all.into_iter().find(|(known, _)| *known == name)
    }

    /// The emulator with everything but the place for the log.
    pub(crate) fn command(self, program: &Path, image: &Path) -> Command {
        let mut command = Command::new("qemu-system-aarch64");
        command.args(["-M", setup::MACHINE, "-display", "none", "-monitor", "none", "-no-reboot"]);
        match self {
            Self::Card | Self::Uncounted | Self::Counting => command.arg("-kernel").arg(image),
            Self::Elf | Self::Halt => command.arg("-kernel").arg(program),
            Self::AddressZero => {
                // A comma ends a value, two are one in it.
                let file = image.display().to_string().replace(',', ",,");
                let loader = format!("loader,file={file},addr=0,force-raw=on,cpu-num=0");
                command.args(["-device", &loader])
            }
        };
        if self != Self::Uncounted {
            command.args(["-icount", "shift=0"]);
        }
        let semihosting = match self {
            Self::Halt => return command,
            Self::Counting => "enable=on,target=native,arg=example,arg=--count",
            _ => "enable=on,target=native",
        };
        command.args(["-semihosting-config", semihosting]);
        command
    }
}

/// Boots a bare-metal program and returns its log; a run that fails shows its log.
pub(crate) fn run(program: &Path, limit: Duration) -> Result<Log> {
    run_expecting(0, Boot::Card, program, limit)
}

/// Boots a bare-metal program that has to end with `code`.
pub(crate) fn run_expecting(code: i32, boot: Boot, program: &Path, limit: Duration) -> Result<Log> {
    run_image(code, boot, program, &firmware::write_image(program)?, limit)
}

/// The same with an image of the program that is there already, in a folder for its log.
pub(crate) fn run_image(
    code: i32,
    boot: Boot,
    program: &Path,
    image: &Path,
    limit: Duration,
) -> Result<Log> {
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    say(format_args!("booting {name} on an emulated Pi"));
    let uart = image.with_file_name(format!("uart-{}.bin", std::process::id()));
    // What an earlier run left is not to be read as this one's.
    let _ = fs::remove_file(&uart);
    let mut command = boot.command(program, image);
    command.arg("-serial").arg(format!("file:{}", uart.display()));
    let elf = fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    let halted = || boot == Boot::Halt && has_halted(&elf, &uart, code);
    let (end, _, complaint) = process::capture_until(&mut command, limit, &halted)?;
    let bytes = fs::read(&uart).unwrap_or_default();
    // The file has served; a missing one is shown as an empty log.
    let _ = fs::remove_file(&uart);
    let log = log::decode(&elf, &bytes)?;
    if let Some(reason) = verdict(&end, code, boot) {
        let command = process::show(&command);
        let complaint = String::from_utf8_lossy(&complaint);
        let (count, text) = (bytes.len(), log.text());
        bail!("{name}: {reason}\n{command}\n{complaint}--- log of {count} bytes\n{text}---");
    }
    Ok(log)
}

/// Whether the guest has said its last word, and has been silent since.
///
/// The silence is for cores that were not parked: they would say everything again.
fn has_halted(elf: &[u8], uart: &Path, code: i32) -> bool {
    let silence = Duration::from_millis(300);
    let written = fs::metadata(uart).and_then(|data| data.modified());
    let is_silent = written.is_ok_and(|at| at.elapsed().is_ok_and(|since| since > silence));
    let last = format!("halted with exit code {code}");
    let log = || log::decode(elf, &fs::read(uart).unwrap_or_default());
    is_silent && log().is_ok_and(|log| log.console.lines().any(|line| line == last))
}

/// `cargo xtask run EXAMPLE`.
pub(crate) fn command(package: &str, example: &str, limit: Duration, yes: bool) -> Result<()> {
    setup::ensure(setup::needs_of(Place::Bare), yes)?;
    let toolchain = Toolchain::for_place(Place::Bare)?;
    let build = Build { package, ..Build::example(example) };
    let log = run(&build.build(&toolchain, Place::Bare)?, limit)?;
    output::print(&log.text())
}

/// Why a run counts as failed, if it does.
fn verdict(end: &End, code: i32, boot: Boot) -> Option<String> {
    match end {
        End::Stopped => None,
        End::Exited(status) if status.code() == Some(code) && boot != Boot::Halt => None,
        End::Exited(status) => {
            let ended = process::ended(*status);
            Some(match (boot, code) {
                (Boot::Halt, _) => format!("the emulator ended with {ended}, but was to halt"),
                (_, 0) => format!("the guest ended with {ended}"),
                (_, code) => format!("the guest ended with {ended}, not {code}"),
            })
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
        for boot in [Boot::Card, Boot::Halt] {
            let reason = verdict(&End::TimedOut(Duration::from_secs(3)), 0, boot);
            assert_eq!(reason.as_deref(), Some("still running after 3 s, ended"));
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_guests_exit_code_decides() {
        use std::os::unix::process::ExitStatusExt as _;
        use std::process::ExitStatus;
        let end = |code: i32| End::Exited(ExitStatus::from_raw(code << 8));
        let ended = |code, wanted| verdict(&end(code), wanted, Boot::Card);
        assert_eq!(ended(0, 0), None);
        assert_eq!(ended(7, 7), None);
        assert_eq!(ended(7, 0).as_deref(), Some("the guest ended with exit code 7"));
        assert_eq!(ended(0, 7).as_deref(), Some("the guest ended with exit code 0, not 7"));
        // Without semihosting nothing can end the emulator.
        assert!(verdict(&end(7), 7, Boot::Halt).is_some());
        assert_eq!(verdict(&End::Stopped, 7, Boot::Halt), None);
    }

    #[test]
    fn only_a_board_has_nobody_to_call() {
        let has = |boot: Boot, word: &str| {
            let command = boot.command(Path::new("p"), Path::new("i,j"));
            command.get_args().any(|argument| argument.to_string_lossy().contains(word))
        };
        assert!(!has(Boot::Halt, "semihosting") && has(Boot::Elf, "semihosting"));
        assert!(!has(Boot::Uncounted, "icount") && has(Boot::Card, "icount"));
        assert!(has(Boot::Counting, "--count") && has(Boot::Counting, "icount"));
        assert!(!has(Boot::Card, "--count"));
        assert!(has(Boot::AddressZero, "file=i,,j,") && !has(Boot::AddressZero, "-kernel"));
    }
}
