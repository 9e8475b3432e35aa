//! `cargo xtask fuzz`: bytes that try to break a decoder, by libFuzzer.
//!
//! The targets are a workspace of their own in `fuzz`. Stable Rust is enough: what nightly's flag would
//! set up is asked of LLVM by name.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};
use clap::ValueHint;

use crate::missing::Missing;
use crate::process;
use crate::progress::say;
use crate::toolchain::{Place, Toolchain};
use crate::workspace;

/// How to go on with what was found.
const HELP: &str = "\
Needs a C++ compiler. The vectors of tests/data are where it begins; what it learns is kept in
fuzz/corpus, and an input that breaks something in fuzz/artifacts. Such an input is repeated with
--input, and kept as fuzz/findings/TARGET/NAME once it is understood: every test of the workspace fuzz
replays those.

Exit code: 0 nothing was found, 1 something was, or is missing, 2 wrong usage.";

/// What of LLVM tells libFuzzer where an input has been.
const COVERAGE: [&str; 8] = [
    "--cfg",
    "fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

/// Longest input: what a decoder does with more it does with this.
const MOST_BYTES: usize = 4096;

#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The decoder: the name of a target (docs/fuzzing.md).
    target: String,
    /// End the search after this many seconds.
    #[arg(long, default_value_t = 60, value_name = "SECONDS",
          value_parser = clap::value_parser!(u32).range(1..))]
    time: u32,
    /// Only run this input.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "time")]
    input: Option<PathBuf>,
}

pub(crate) fn command(arguments: &Arguments) -> Result<()> {
    let folder = workspace::root().join("fuzz");
    let Arguments { target, time, input } = arguments;
    let source = folder.join("fuzz_targets").join(target).with_extension("rs");
    if !source.is_file() {
        bail!("there is no {}: docs/fuzzing.md has the targets", workspace::short(&source));
    }
    if !["c++", "g++", "clang++"].iter().any(|program| process::find(program).is_some()) {
        bail!(Missing("a C++ compiler is not installed".into()));
    }
    let build = folder.join("target");
    let toolchain = Toolchain::host()?;
    let cargo = |subcommand: &str, flags: &[&str]| {
        let mut command = toolchain.cargo_with(Place::Host, subcommand, flags);
        command.arg("--manifest-path").arg(folder.join("Cargo.toml"));
        command.args(["--quiet", "--release"]);
        command
    };
    process::run(cargo("run", &[]).args(["--example", "seeds"]).env("CARGO_TARGET_DIR", &build))?;

    // Apart from the flags' own folder, so that neither build undoes the other.
    let build = build.join("fuzz");
    let mut command = cargo("build", &COVERAGE);
    // With a target the flags are not those of build scripts, which have no libFuzzer.
    let triple = toolchain.host.as_str();
    command.args(["--target", triple, "--features=libfuzzer", "--bin", target]);
    command.env("CARGO_TARGET_DIR", &build);
    process::run(&mut command)?;

    let artifacts = folder.join("artifacts").join(target);
    std::fs::create_dir_all(&artifacts)?;
    let mut command = Command::new(build.join(triple).join("release").join(target));
    match input {
        Some(input) => command.arg(input),
        None => {
            command.arg(folder.join("corpus").join(target));
            command.arg(format!("-max_len={MOST_BYTES}"));
            command.args(["-timeout=10", "-print_final_stats=1"]);
            command.arg(format!("-max_total_time={time}"));
            command.arg(format!("-artifact_prefix={}/", artifacts.display()))
        }
    };
    say(format_args!("{}", process::show(&command)));
    process::run(&mut command)
}
