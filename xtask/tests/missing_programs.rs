//! What the commands say where a program is missing, too old, or out of order: cases cross-03.
//!
//! Each test runs xtask on a search path of its own, with stand-ins for what is to be there.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "a test for the host; one prefix for everything reads better"
)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// A machine with nothing on its search path, removed with all that the commands left on it.
struct Machine {
    root: PathBuf,
}

/// What a command said, and whether it left a build folder.
struct Outcome {
    code: Option<i32>,
    stdout: String,
    stderr: String,
    built: bool,
}

impl Machine {
    fn new(name: &str) -> Self {
        let root = env::temp_dir().join(format!("onewrite-{name}-{}", std::process::id()));
        fs::create_dir_all(root.join("bin")).unwrap();
        Self { root }
    }

    /// Puts a stand-in on the search path.
    fn with(self, program: &str, script: &str) -> Self {
        let path = self.root.join("bin").join(program);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    /// Puts a program of this machine on the search path.
    fn with_own(self, program: &str) -> Self {
        let path = env::var_os("PATH").unwrap();
        let own = env::split_paths(&path).map(|folder| folder.join(program));
        let own = own.into_iter().find(|path| path.is_file()).unwrap();
        std::os::unix::fs::symlink(own, self.root.join("bin").join(program)).unwrap();
        self
    }

    fn xtask(&self, arguments: &[&str]) -> Outcome {
        self.xtask_with(arguments, &self.root.join("target"), &[])
    }

    fn xtask_with(&self, arguments: &[&str], target: &Path, more: &[(&str, &str)]) -> Outcome {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(arguments).stdin(Stdio::null());
        command.env("PATH", self.root.join("bin")).env("HOME", &self.root);
        command.env("XDG_CACHE_HOME", self.root.join("cache")).env("CARGO_TARGET_DIR", target);
        // Nobody is asked, nothing is installed, and rustup is not used.
        command.env("ONEWRITE_NO_RUSTUP", "1").env_remove("CI").envs(more.iter().copied());
        let output = command.output().unwrap();
        Outcome {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            built: target.exists(),
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

impl Outcome {
    /// One line that says all of this, a code that is not 0, and no build folder.
    #[track_caller]
    fn refuses(&self, words: &[&str]) {
        assert_eq!(self.code, Some(1), "{}", self.stderr);
        assert!(!self.built, "{}", self.stderr);
        let errors: Vec<&str> =
            self.stderr.lines().filter(|line| line.starts_with("xtask: error: ")).collect();
        let [error] = errors[..] else { unreachable!("not one error: {}", self.stderr) };
        // What else was said are steps on the way.
        assert!(self.stderr.lines().all(|line| line.starts_with("xtask: ")), "{}", self.stderr);
        for word in words {
            assert!(error.contains(word), "{word:?} is not in: {error}");
        }
    }

    /// A table of several parts, of which none passed or failed, and one wanted this program.
    #[track_caller]
    fn has_only_skipped(&self, program: &str) {
        let has = |start: &str| self.stdout.lines().filter(|line| line.starts_with(start)).count();
        assert_eq!(has("ok ") + has("FAILED "), 0, "{}", self.stdout);
        let mut rows = self.stdout.lines().filter(|line| line.starts_with("skipped "));
        assert!(rows.any(|row| row.contains(program)), "{}", self.stdout);
        assert!(has("skipped ") >= 2, "{}", self.stdout);
    }
}

/// What does the same without a container; an aarch64 machine has no use for cross.
const WITHOUT: &str = "without a container: c";

fn is_x86() -> bool {
    cfg!(target_arch = "x86_64")
}

#[test]
fn cross_03_no_engine_names_podman_and_the_plain_command() {
    if !is_x86() {
        return;
    }
    let outcome = Machine::new("no-engine").xtask(&["cross-check"]);
    outcome.refuses(&["docker is not installed", "podman is not installed", WITHOUT]);
    outcome.refuses(&["Debian calls the packages podman"]);
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
    let without =
        ["cargo xtask test --only linux", "cargo test --target aarch64-unknown-linux-gnu"];
    assert!(without.iter().any(|command| outcome.stderr.contains(command)), "{}", outcome.stderr);
}

#[test]
fn cross_03_a_client_without_its_daemon_is_no_engine() {
    if !is_x86() {
        return;
    }
    let docker = "echo 'Cannot connect to the Docker daemon' >&2; exit 1";
    let machine = Machine::new("no-daemon").with("docker", docker);
    let said = "docker version: exit code 1: Cannot connect to the Docker daemon";
    machine.xtask(&["cross-check", "--engine", "docker"]).refuses(&[said, WITHOUT]);
    machine.xtask(&["cross-check"]).refuses(&[said, "podman is not installed", WITHOUT]);
    let machine = machine.with("podman", "echo 'cannot clone: not allowed' >&2; exit 125");
    let both = [said, "podman info: exit code 125: cannot clone: not allowed", WITHOUT];
    machine.xtask(&["cross-check"]).refuses(&both);
}

#[test]
fn cross_03_podman_is_called_by_its_own_name() {
    if !is_x86() {
        return;
    }
    let machine = with_podman("in-disguise").with("docker", "echo podman version 4.3.1");
    machine.xtask(&["cross-check", "--engine", "docker"]).refuses(&["docker is podman", WITHOUT]);
    machine.xtask(&["cross-check", "--base", "debian"]).refuses(&["mmdebstrap", WITHOUT]);
    assert!(fs::read_to_string(machine.root.join("asked")).unwrap().contains("image inspect"));
}

/// An engine that answers, has no image, and gets none.
const PODMAN: &str = "echo \"$@\" >> \"$HOME/asked\"
case $1 in
info) exit 0 ;;
pull) echo 'manifest unknown' >&2; exit 125 ;;
*) exit 1 ;;
esac";

fn with_podman(name: &str) -> Machine {
    let machine = Machine::new(name).with("podman", PODMAN).with("cross", "echo cross 0.2.5");
    machine.with("rustup", "exit 1")
}

#[test]
fn cross_03_an_image_that_cannot_be_pulled_is_named() {
    if !is_x86() {
        return;
    }
    let machine = with_podman("no-image");
    let target = machine.root.join("target");
    // With a proxy nobody looks whether the registry answers.
    let proxy = [("https_proxy", "http://127.0.0.1:1")];
    let public = machine.xtask_with(&["cross-check", "--base", "public"], &target, &proxy);
    let image = "aarch64-unknown-linux-gnu:0.2.5";
    public.refuses(&[
        image,
        "podman pull: exit code 125: manifest unknown",
        "--base debian",
        WITHOUT,
    ]);
    // By default Debian's packages are the next to try.
    let either = machine.xtask_with(&["cross-check"], &target, &proxy);
    either.refuses(&["mmdebstrap", WITHOUT]);
    assert!(either.stderr.contains("taking Debian's packages"), "{}", either.stderr);
}

#[test]
fn cross_03_an_image_that_cannot_be_made_is_not_imported() {
    if !is_x86() {
        return;
    }
    let machine = with_podman("no-packages").with("mmdebstrap", "echo 'no mirror' >&2; exit 100");
    let machine = machine.with_own("bash").with_own("mktemp").with_own("rm");
    let outcome = machine.xtask(&["cross-check", "--base", "debian"]);
    outcome.refuses(&["cannot make the base image", "no mirror", WITHOUT]);
    let asked = fs::read_to_string(machine.root.join("asked")).unwrap();
    assert!(asked.contains("image inspect") && !asked.contains("import"), "{asked}");
}

#[test]
fn cross_03_cross_without_rustup_is_refused_before_anything_is_installed() {
    if !is_x86() {
        return;
    }
    let machine = Machine::new("no-rustup").with("podman", PODMAN);
    machine.xtask(&["cross-check"]).refuses(&["rustup is not installed", WITHOUT]);
    assert!(!machine.root.join("cache").exists());
}

/// Root may write everywhere but where the kernel says no.
#[cfg(target_os = "linux")]
#[test]
fn cross_03_a_build_folder_of_somebody_else_is_named() {
    if !is_x86() {
        return;
    }
    let machine = with_podman("not-ours");
    let target = Path::new("/proc/onewrite");
    let outcome = machine.xtask_with(&["cross-check"], target, &[]);
    let owner = "cannot write to the build folder /proc, which belongs to root";
    outcome.refuses(&[owner, "sudo chown", "CARGO_TARGET_DIR", WITHOUT]);
    assert!(!machine.root.join("asked").exists(), "the folder comes first");
}

#[test]
fn cross_03_a_missing_emulator_is_named_with_its_package_and_machine() {
    let outcome = Machine::new("no-emulator").xtask(&["run", "record"]);
    outcome.refuses(&["missing: qemu-system-aarch64", "-M raspi3ap", "qemu-system-arm"]);
}

#[test]
fn cross_03_an_emulator_that_does_not_know_the_machine_is_too_old() {
    let old = "echo 'Supported machines are:'; echo 'raspi3b  Raspberry Pi 3B'";
    let machine = Machine::new("old-emulator").with("qemu-system-aarch64", old);
    let outcome = machine.xtask(&["run", "record"]);
    outcome.refuses(&["a newer qemu-system-aarch64, which knows -M raspi3ap", "qemu-system-arm"]);
}

#[test]
fn cross_03_tests_without_an_emulator_are_skipped_and_have_not_passed() {
    let outcome = Machine::new("skipped").xtask(&["test", "--only", "bare"]);
    outcome.refuses(&["parts skipped"]);
    outcome.has_only_skipped("qemu-system-aarch64");
    let last = outcome.stdout.lines().last().unwrap();
    assert!(last.starts_with("0 passed, 0 failed, "), "{last}");
    if cfg!(not(target_arch = "aarch64")) {
        let outcome = Machine::new("skipped-linux").xtask(&["test", "--only", "linux"]);
        outcome.refuses(&["parts skipped"]);
        outcome.has_only_skipped("qemu-aarch64");
        assert!(outcome.stdout.contains("qemu-user"), "{}", outcome.stdout);
    }
}
