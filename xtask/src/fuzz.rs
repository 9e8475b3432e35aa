//! `cargo xtask fuzz`: bytes that try to break a decoder, by libFuzzer.
//!
//! The targets are a workspace of their own in `fuzz`. Stable Rust is enough: what nightly's flag would
//! set up is asked of LLVM by name.

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::{env, io};

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
    "onewrite_fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

/// The crates that are looked at. Of what they are compared with it does not matter where an input has been,
/// and to take it down takes most of the time.
const OURS: [&str; 3] = ["onewrite", "onewrite_capi", "onewrite_fuzz"];

/// Set where cargo calls this program in place of the compiler.
const COMPILES: &str = "ONEWRITE_XTASK_COMPILES";

/// Compiles a crate, with [`COVERAGE`] if it is one of ours; `None` where nobody asks for that.
pub(crate) fn compile() -> Option<ExitCode> {
    env::var_os(COMPILES)?;
    let mut arguments = env::args_os().skip(1);
    let mut command = Command::new(arguments.next()?);
    let arguments: Vec<_> = arguments.collect();
    let name = arguments.iter().skip_while(|argument| *argument != "--crate-name").nth(1);
    command.args(&arguments);
    if name.is_some_and(|name| OURS.iter().any(|ours| name == ours)) {
        command.args(COVERAGE);
    }
    let status = command.status();
    let code = status.and_then(|status| status.code().ok_or_else(|| io::Error::other("ended")));
    Some(match code {
        Ok(0) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// Longest input: what a decoder does with more it does with this.
const MOST_BYTES: usize = 4096;

/// Every target with its seeds, with damaged ones, and with what was once a finding.
///
/// Not optimized, and in the folder of the other tests: the decoders' peers are built there already.
pub(crate) fn replay() -> Result<Command> {
    let mut command = Toolchain::host()?.cargo(Place::Host, "test");
    command.arg("--manifest-path").arg(workspace::root().join("fuzz/Cargo.toml"));
    command.args(["--locked", "--test=replay"]);
    command.env("CARGO_TARGET_DIR", workspace::target_folder());
    Ok(command)
}

#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The decoder: the name of a target (docs/fuzzing.md).
    target: String,
    /// End the search after this many seconds.
    #[arg(long, default_value_t = 60, value_name = "SECONDS",
          value_parser = clap::value_parser!(u32).range(1..))]
    time: u32,
    /// Without the feature `http-quick`: HTTP in its plain ways, and in nothing else.
    #[arg(long)]
    plain: bool,
    /// Only run this input.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "time")]
    input: Option<PathBuf>,
}

pub(crate) fn command(arguments: &Arguments) -> Result<()> {
    let folder = workspace::root().join("fuzz");
    let Arguments { target, time, plain, input } = arguments;
    let source = folder.join("fuzz_targets").join(target).with_extension("rs");
    if !source.is_file() {
        bail!("there is no {}: docs/fuzzing.md has the targets", workspace::short(&source));
    }
    if let Some(input) = input.as_ref().filter(|input| !input.exists()) {
        bail!("there is no {}", input.display());
    }
    if !["c++", "g++", "clang++"].iter().any(|program| process::find(program).is_some()) {
        bail!(Missing("a C++ compiler is not installed".into()));
    }
    let build = folder.join("target");
    let toolchain = Toolchain::host()?;
    let cargo = |subcommand: &str| {
        let mut command = toolchain.cargo(Place::Host, subcommand);
        command.arg("--manifest-path").arg(folder.join("Cargo.toml"));
        command.args(["--quiet", "--release"]);
        command
    };
    process::run(cargo("run").args(["--example", "seeds"]).env("CARGO_TARGET_DIR", &build))?;

    // Apart from what has no such flags, so that neither build undoes the other.
    let build = build.join("fuzz");
    let mut command = cargo("build");
    command.env("RUSTC_WRAPPER", env::current_exe()?).env(COMPILES, "1");
    let triple = toolchain.host.as_str();
    command.args(["--target", triple, "--features=libfuzzer", "--bin", target]);
    if *plain {
        command.arg("--no-default-features");
    }
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
