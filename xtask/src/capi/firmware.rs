//! Firmware in C on the emulated Pi: the library, a start from `capi/board`, and no other Rust.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use super::{bare_compiler, build_folder, library, programs, script};
use crate::expectation::Expectation;
use crate::firmware::Profile;
use crate::progress::say;
use crate::qemu::{self, Boot};
use crate::toolchain::{BARE, Place, Toolchain};
use crate::{process, workspace};

/// The emulated Pi takes less than a second.
const LIMIT: Duration = Duration::from_secs(60);

/// Builds the firmware, boots it, and compares what it prints.
pub(super) fn run() -> Result<()> {
    let program = build()?;
    let log = qemu::run_expecting(0, Boot::Card, &program, LIMIT)?;
    let wanted = workspace::root().join("capi/firmware/counter.out");
    Expectation::of_program("counter", wanted).check(&log.console)?;
    let mut golden = String::new();
    for name in VECTORS {
        golden += &script::batch_bytes(&workspace::root().join("tests/data"), name)?;
    }
    if dumped(&log.console) != golden {
        bail!("the batches are not those of {}", VECTORS.join(" and "));
    }
    Ok(())
}

/// The vectors that the firmware builds, in order.
const VECTORS: [&str; 2] = ["seed001-counter-initial", "seed001-counter-update"];

/// The bytes of all dumps in what the firmware printed: lines of `0010  01 02 ..`.
fn dumped(console: &str) -> String {
    let is_dump = |line: &&str| line.get(4..6) == Some("  ") && !line.starts_with(' ');
    let bytes = console.lines().filter(is_dump).filter_map(|line| line.get(6..));
    bytes.flat_map(str::split_whitespace).collect()
}

/// Compiles and links the firmware.
fn build() -> Result<PathBuf> {
    let (host, bare) = (Toolchain::host()?, Toolchain::for_place(Place::Bare)?);
    let library = library::build(&bare, Place::Bare)?;
    say("building firmware in C for the bare-metal Pi");
    let board = library::archive(&bare, Place::Bare, "onewrite-capi-board", Profile::Release)?;
    let program = build_folder(BARE)?.join("counter");
    let source = workspace::root().join("capi/firmware/counter.c");
    let mut command = Command::new(bare_compiler(&host));
    command.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-mcpu=cortex-a53"]);
    // Nothing of an operating system is there, nor of its C library.
    command.args(["-ffreestanding", "-nostdlib", "-static", "-no-pie", "-fno-pie"]);
    // The script has one segment for all, code and variables alike, as the Pi loads it.
    command.args(["-fno-stack-protector", "-Wl,--build-id=none", "-Wl,--no-warn-rwx-segments"]);
    command.args(["-Trpi-zero-2w.ld"]).arg(programs::include());
    for folder in folders_with_scripts(&board.script_folders) {
        command.arg(format!("-L{}", folder.display()));
    }
    command.arg(&source).arg(&board.path).arg(&library.path).arg("-o").arg(&program);
    process::capture(&mut command).context("the firmware in C does not build")?;
    Ok(program)
}

/// Those of the folders that hold linker scripts.
fn folders_with_scripts(folders: &[PathBuf]) -> Vec<&Path> {
    let is_script = |entry: fs::DirEntry| {
        entry.path().extension().is_some_and(|extension| extension == "x" || extension == "ld")
    };
    let has_script =
        |folder: &Path| folder.read_dir().is_ok_and(|entries| entries.flatten().any(is_script));
    folders.iter().map(PathBuf::as_path).filter(|folder| has_script(folder)).collect()
}
