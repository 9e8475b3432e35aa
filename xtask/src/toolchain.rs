//! Which cargo, which variables and which flags build for which place.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, anyhow, bail};

use crate::{process, setup, workspace};

/// Where a program is going to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// This machine.
    Host,
    /// aarch64 Linux, under qemu-user where this machine is something else.
    Linux,
    /// A Raspberry Pi Zero 2W without an operating system.
    Bare,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Host => "this machine",
            Self::Linux => "aarch64 Linux",
            Self::Bare => "the bare-metal Pi",
        })
    }
}

/// The target of [`Place::Linux`].
pub(crate) const LINUX: &str = "aarch64-unknown-linux-gnu";
/// The target of [`Place::Bare`].
pub(crate) const BARE: &str = "aarch64-unknown-none";
/// Where Debian's cross packages put the C library of [`LINUX`].
pub(crate) const LINUX_SYSROOT: &str = "/usr/aarch64-linux-gnu";
/// The oldest compiler the workspace builds with.
pub(crate) const OLDEST: (u32, u32) = (1, 88);

/// A test that takes longer than this many seconds under qemu-user is ended.
const TEST_LIMIT_SECONDS: &str = "600";

impl Place {
    /// The target triple; the host has none, it is never named.
    pub(crate) fn triple(self) -> Option<&'static str> {
        match self {
            Self::Host => None,
            Self::Linux => Some(LINUX),
            Self::Bare => Some(BARE),
        }
    }
}

/// A compiler with its cargo.
#[derive(Clone, Debug)]
pub(crate) struct Toolchain {
    /// The real cargo, not rustup's stand-in.
    pub(crate) cargo: PathBuf,
    /// The compiler beside it.
    pub(crate) rustc: PathBuf,
    /// Where its libraries are.
    pub(crate) sysroot: PathBuf,
    /// Its release, such as `1.96.0`.
    pub(crate) release: String,
    /// The triple it runs on.
    pub(crate) host: String,
    /// True for the one we assembled from packages.
    private: bool,
}

impl Toolchain {
    /// The toolchain that built this program.
    pub(crate) fn host() -> Result<Self> {
        let cargo = std::env::var_os("CARGO").map(PathBuf::from);
        let beside = cargo.as_ref().map(|cargo| cargo.with_file_name("rustc"));
        let rustc = match beside {
            Some(rustc) if rustc.is_file() => rustc,
            _ => std::env::var_os("RUSTC").map_or_else(|| PathBuf::from("rustc"), PathBuf::from),
        };
        let mut toolchain = Self::ask(rustc, false)?;
        // Without cargo's variable this program was started by hand.
        toolchain.cargo = cargo
            .or_else(|| Some(toolchain.sysroot.join("bin/cargo")).filter(|cargo| cargo.is_file()))
            .or_else(|| process::find("cargo"))
            .context("cargo is not on the search path")?;
        Ok(toolchain)
    }

    /// The toolchain in `root`, assembled by `cargo xtask setup`.
    pub(crate) fn private(root: &Path) -> Result<Self> {
        let mut toolchain = Self::ask(root.join("bin/rustc"), true)?;
        toolchain.cargo = root.join("bin/cargo");
        Ok(toolchain)
    }

    /// The one to build for `place` with: the host's where it can, ours otherwise.
    ///
    /// Neither is set up here: see [`setup::ensure`].
    pub(crate) fn for_place(place: Place) -> Result<Self> {
        let host = Self::host()?;
        if place.triple().is_none_or(|triple| host.serves(triple)) {
            return Ok(host);
        }
        match setup::finished_toolchain(&host)? {
            Some(root) => Self::private(&root),
            None => bail!("no compiler for {place:?} here: run cargo xtask setup"),
        }
    }

    fn ask(rustc: PathBuf, private: bool) -> Result<Self> {
        // `-vV` silences `--print`, hence two questions.
        let answer = |question: &[&str]| {
            let mut command = Command::new(&rustc);
            if private {
                prefer_private_libraries(&mut command, &rustc);
            }
            process::capture(command.args(question))
        };
        let about = answer(&["-vV"])?;
        let value = |key: &str| {
            let line = about.lines().find_map(|line| line.strip_prefix(key));
            line.map(|value| value.trim().to_owned())
                .ok_or_else(|| anyhow!("{} does not say its {key:?}", rustc.display()))
        };
        let (release, host) = (value("release:")?, value("host:")?);
        let sysroot = PathBuf::from(answer(&["--print=sysroot"])?.trim());
        Ok(Self { cargo: PathBuf::new(), sysroot, release, host, rustc, private })
    }

    /// Whether its libraries for `triple` are there.
    pub(crate) fn has_target(&self, triple: &str) -> bool {
        let folder = self.sysroot.join("lib/rustlib").join(triple).join("lib");
        let is_core = |name: &OsStr| name.to_string_lossy().starts_with("libcore-");
        folder
            .read_dir()
            .is_ok_and(|entries| entries.flatten().any(|entry| is_core(&entry.file_name())))
    }

    /// Whether it is to be used for `triple`.
    ///
    /// With `ONEWRITE_NO_RUSTUP=1` what rustup may have added before does not count, so that every
    /// machine that sets it builds with the same compiler.
    pub(crate) fn serves(&self, triple: &str) -> bool {
        (triple == self.host || !setup::without_rustup()) && self.has_target(triple)
    }

    /// Whether [`Place::Linux`] is this machine itself.
    pub(crate) fn is_linux_target(&self) -> bool {
        self.host == LINUX
    }

    /// Whether an emulator runs what is built for [`Place::Linux`].
    pub(crate) fn emulates(&self, place: Place) -> bool {
        place == Place::Linux && !self.is_linux_target()
    }

    /// A program that was built for `place`, which has an operating system, with what runs it.
    pub(crate) fn program(&self, place: Place, program: &Path) -> Command {
        if !self.emulates(place) {
            return Command::new(program);
        }
        let [emulator, arguments @ ..] = EMULATOR;
        let mut command = Command::new(emulator);
        command.args(arguments).arg(program);
        command
    }

    /// The build folder for `place`.
    ///
    /// Two compilers and two sets of flags in one folder would rebuild each other's work, and
    /// cargo does not notice a library of the compiler that was replaced.
    pub(crate) fn target_folder(&self, place: Place) -> PathBuf {
        match place {
            Place::Host => workspace::target_folder(),
            Place::Linux | Place::Bare => self.cross_folder(),
        }
    }

    /// The same for every target that is named.
    fn cross_folder(&self) -> PathBuf {
        let from = if self.private { "-debian" } else { "" };
        workspace::target_folder().join(format!("xtask-{}{from}", self.release))
    }

    /// `cargo SUBCOMMAND` for `place`: target, flags, linker, runner, build folder.
    pub(crate) fn cargo(&self, place: Place, subcommand: &str) -> Command {
        self.cargo_with(place, subcommand, &[])
    }

    /// The same with more compiler flags, which come before the user's own.
    pub(crate) fn cargo_with(&self, place: Place, subcommand: &str, more: &[&str]) -> Command {
        let Some(triple) = place.triple() else {
            let mut command = self.own_cargo(subcommand);
            if !more.is_empty() {
                command.env("CARGO_ENCODED_RUSTFLAGS", encode(more, users_flags()));
                command.env_remove("RUSTFLAGS");
            }
            return command;
        };
        let mut flags = Vec::from(place_flags(place, self.is_linux_target()));
        flags.extend(more);
        let mut command = self.cargo_for(triple, subcommand, &flags);
        if place == Place::Bare && std::env::var_os("DEFMT_LOG").is_none() {
            // Decided while building: without it every log statement is left out.
            command.env("DEFMT_LOG", "info");
        }
        if self.emulates(place) {
            command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc");
            let runner = within_limit(&EMULATOR).join(" ");
            command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", runner);
        }
        command
    }

    /// `cargo SUBCOMMAND` for a target, with these flags in front of the user's own.
    pub(crate) fn cargo_for(&self, triple: &str, subcommand: &str, flags: &[&str]) -> Command {
        let mut command = self.own_cargo(subcommand);
        command.args(["--target", triple]);
        command.env("CARGO_TARGET_DIR", self.cross_folder());
        command.env("CARGO_ENCODED_RUSTFLAGS", encode(flags, users_flags()));
        command.env_remove("RUSTFLAGS");
        command
    }

    /// `cargo SUBCOMMAND` with this compiler.
    fn own_cargo(&self, subcommand: &str) -> Command {
        let mut command = Command::new(&self.cargo);
        command.current_dir(workspace::root()).arg(subcommand);
        if self.private {
            // What rustup set for the compiler that built us is wrong for this one.
            for name in ["RUSTUP_TOOLCHAIN", "RUSTC", "RUSTDOC", "CARGO"] {
                command.env_remove(name);
            }
            command.env("RUSTC", &self.rustc);
            command.env("RUSTDOC", self.rustc.with_file_name("rustdoc"));
            command.env("PATH", with_path_first(self.rustc.parent()));
            prefer_private_libraries(&mut command, &self.rustc);
        }
        command
    }
}

/// What runs an aarch64 Linux program where this machine is none.
const EMULATOR: [&str; 5] = ["qemu-aarch64", "-cpu", "cortex-a53", "-L", LINUX_SYSROOT];

/// What runs programs, as cargo's runner: ended after a time limit.
pub(crate) fn within_limit<'a>(emulator: &[&'a str]) -> Vec<&'a str> {
    let mut words = Vec::new();
    if process::find("timeout").is_some() {
        words.extend(["timeout", "--foreground", "--verbose", TEST_LIMIT_SECONDS]);
    }
    words.extend(emulator);
    words
}

/// The compiler flags that belong to a place.
fn place_flags(place: Place, native: bool) -> &'static [&'static str] {
    match place {
        Place::Host => &[],
        Place::Linux if native => &[],
        Place::Linux => &["-Ctarget-cpu=cortex-a53"],
        // The boot code turns the MMU on before any compiled code runs, so unaligned access is
        // legal, and without this flag every unaligned store is made of byte stores.
        Place::Bare => &[
            "-Ctarget-cpu=cortex-a53",
            "-Ctarget-feature=-strict-align",
            "-Clink-arg=-Trpi-zero-2w.ld",
            "-Clink-arg=--build-id=sha1",
        ],
    }
}

/// The flags as cargo wants them, ours first, so that the user's win.
fn encode(flags: &[&str], users: Vec<String>) -> String {
    let ours = flags.iter().map(|&flag| flag.to_owned());
    ours.chain(users).collect::<Vec<_>>().join("\x1f")
}

/// The flags the user set, which ours would otherwise wipe out.
fn users_flags() -> Vec<String> {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    if let Some(encoded) = variable("CARGO_ENCODED_RUSTFLAGS") {
        return encoded.split('\x1f').map(str::to_owned).collect();
    }
    let plain = variable("RUSTFLAGS").unwrap_or_default();
    plain.split_whitespace().map(str::to_owned).collect()
}

/// Debian's compiler has no path to its libraries that holds outside `/usr`.
pub(crate) fn prefer_private_libraries(command: &mut Command, rustc: &Path) {
    if let Some(root) = rustc.parent().and_then(Path::parent) {
        command.env("LD_LIBRARY_PATH", root.join("lib"));
    }
}

fn with_path_first(folder: Option<&Path>) -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = folder.map(Path::to_owned).into_iter().chain(std::env::split_paths(&path));
    std::env::join_paths(folders).unwrap_or(path)
}

/// `1.96.0` or `1.96.0+dfsg1-1` as numbers; none where it is something else.
pub(crate) fn major_minor(release: &str) -> Option<(u32, u32)> {
    let mut parts = release.split(['.', '+', '-', '~']);
    let major = parts.next()?.parse().ok()?;
    let minor = parts.next()?.parse().ok()?;
    Some((major, minor))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn example(private: bool) -> Toolchain {
        Toolchain {
            cargo: "/t/bin/cargo".into(),
            rustc: "/t/bin/rustc".into(),
            sysroot: "/t".into(),
            release: "1.96.0".into(),
            host: "x86_64-unknown-linux-gnu".into(),
            private,
        }
    }

    fn variable(command: &Command, name: &str) -> Option<String> {
        let value = command.get_envs().find(|(key, _)| *key == name)?.1?;
        Some(value.to_string_lossy().into_owned())
    }

    #[test]
    fn ours_come_first_and_the_users_flags_are_kept() {
        assert_eq!(encode(&["-Ca", "-Cb"], vec!["-Cc".into()]), "-Ca\x1f-Cb\x1f-Cc");
        assert_eq!(encode(&[], vec![]), "");
    }

    #[test]
    fn bare_metal_has_strict_align_off_and_a_log() {
        let command = example(false).cargo(Place::Bare, "build");
        let flags = variable(&command, "CARGO_ENCODED_RUSTFLAGS").unwrap();
        assert!(flags.split('\x1f').any(|flag| flag == "-Ctarget-feature=-strict-align"));
        assert!(
            std::env::var_os("DEFMT_LOG").is_some() || variable(&command, "DEFMT_LOG").is_some()
        );
        assert!(command.get_args().any(|argument| argument == BARE));
    }

    #[test]
    fn two_compilers_do_not_share_a_build_folder() {
        let ours = example(true).target_folder(Place::Bare);
        let theirs = example(false).target_folder(Place::Bare);
        assert_ne!(ours, theirs);
        assert_ne!(theirs, example(false).target_folder(Place::Host));
    }

    #[test]
    fn the_private_compiler_is_found_before_any_other() {
        let command = example(true).cargo(Place::Linux, "test");
        assert!(variable(&command, "PATH").unwrap().starts_with("/t/bin"));
        assert_eq!(variable(&command, "RUSTC").unwrap(), "/t/bin/rustc");
        assert_eq!(variable(&command, "LD_LIBRARY_PATH").unwrap(), "/t/lib");
        assert!(
            command.get_envs().any(|(name, value)| name == "RUSTUP_TOOLCHAIN" && value.is_none())
        );
    }

    #[test]
    fn nothing_is_overridden_on_an_aarch64_host() {
        let native = Toolchain { host: LINUX.into(), ..example(false) };
        let command = native.cargo(Place::Linux, "test");
        assert_eq!(variable(&command, "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER"), None);
        assert_eq!(variable(&command, "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER"), None);
    }

    #[test]
    fn a_program_is_run_by_what_this_machine_needs() {
        let native = Toolchain { host: LINUX.into(), ..example(false) };
        let show = |toolchain: &Toolchain, place| {
            process::show(&toolchain.program(place, Path::new("/p")))
        };
        assert_eq!(show(&native, Place::Linux), "/p");
        assert_eq!(show(&example(true), Place::Host), "/p");
        let emulated = show(&example(true), Place::Linux);
        assert_eq!(emulated, "qemu-aarch64 -cpu cortex-a53 -L /usr/aarch64-linux-gnu /p");
    }

    #[test]
    fn releases_are_compared_as_numbers() {
        assert_eq!(major_minor("1.96.0+dfsg1-1~deb12u2"), Some((1, 96)));
        assert_eq!(major_minor("1.88.0-beta.1"), Some((1, 88)));
        assert_eq!(major_minor("nonsense"), None);
        assert!(major_minor("1.100.0").unwrap() > OLDEST);
    }
}
