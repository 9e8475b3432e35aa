//! The commands of the onewrite workspace: `cargo xtask COMMAND`.
#![allow(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "a program for the host; one prefix for everything reads better"
)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::{Parser, Subcommand};

mod bench;
mod bless;
mod budgets;
mod capi;
mod ci;
mod codegen;
mod count;
mod cross_check;
mod deploy;
mod expectation;
mod features;
mod firmware;
mod footprint;
mod fuzz;
mod hash;
mod interop;
mod licences;
mod log;
mod machine;
mod missing;
mod named;
mod parallel;
mod process;
mod progress;
mod qemu;
mod report;
mod sd_image;
mod serial;
mod setup;
mod size;
mod ssh;
mod test;
mod throughput;
mod toolchain;
mod vm;
mod workspace;

use serial::Serial;
use throughput::uart::{self, Firmware};

/// The commands of the onewrite workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", arg_required_else_help = true)]
#[command(after_help = CODES)]
struct Arguments {
    /// Install missing distribution packages without asking.
    #[arg(long, global = true)]
    yes: bool,
    #[command(subcommand)]
    command: Task,
}

/// What a command ends with.
const CODES: &str = "Exit code: 0 done, 1 failed, 2 wrong usage.";

#[derive(Debug, Subcommand)]
enum Task {
    /// Get compilers, emulators and the cross linker; quick when nothing is missing.
    #[command(after_help = CODES)]
    Setup,
    /// Run the tests: this machine, aarch64 Linux under qemu-user, an emulated Pi, and others.
    #[command(after_help = "\
The last line of the output counts all tests.

Exit code: 0 all passed, 1 a test failed or a part had none, 2 wrong usage.")]
    Test {
        /// Run only these parts; by default all that every change has to pass.
        #[arg(long, value_delimiter = ',', value_name = "PARTS")]
        only: Vec<test::Part>,
        /// Write what came out to this file as well.
        #[arg(long, hide = true, value_name = "FILE")]
        results: Option<PathBuf>,
    },
    /// Run everything that has to hold before a change goes in.
    Ci(ci::Arguments),
    /// Measure what serializing costs, on an emulated Pi by default.
    Throughput(throughput::Arguments),
    /// Time and count the same work by us and by other serializers.
    Bench(bench::Arguments),
    /// Show measurements again: as tables, a picture, a page; one, a history, or a comparison.
    Report(report::Arguments),
    /// Read the result of a load generator, and check its numbers against each other.
    CheckLoad(report::load::Arguments),
    /// Build the static library for C, check its header, and prove what is in it.
    Capi(capi::Arguments),
    /// Count exact instructions of the counting example.
    Count(count::Arguments),
    /// Show the machine code of small functions, or compare it with what is kept.
    Codegen(codegen::Arguments),
    /// Print what one codec adds to a firmware, on three machines, beside bincode 2.
    Footprint(footprint::Arguments),
    /// Search for bytes that break a decoder, with libFuzzer.
    Fuzz(fuzz::Arguments),
    /// Keep what is made and counted now: machine code, sizes, budgets of instructions.
    Bless(bless::Arguments),
    /// Try `cross build`, `run` and `test` for aarch64 Linux, with docker or podman.
    CrossCheck(cross_check::Arguments),
    /// Send values through SpacetimeDB's own TypeScript package and back.
    #[command(after_help = interop::HELP)]
    Interop,
    /// Print sizes of a bare-metal example and prove that it cannot panic.
    Size(size::Arguments),
    /// Make kernel8.img of an example and print where it is.
    #[command(after_help = CODES)]
    Image {
        /// The example, of the package onewrite.
        #[arg(default_value = "throughput")]
        example: String,
    },
    /// Make the image of an SD card that starts an example on a Pi Zero 2W.
    SdImage(sd_image::Arguments),
    /// Build an example for a board, install it there over ssh, and run it if asked.
    Deploy(deploy::Arguments),
    /// Boot Linux on an emulated board, with ssh on loopback, and keep it running.
    Vm(vm::Arguments),
    /// Boot an example on an emulated Pi, or wait for a real one, and print its console.
    #[command(after_help = "Exit code: 0 the guest ended with 0, 1 anything else, 2 wrong usage.")]
    Run {
        /// The example.
        example: String,
        /// The package the example is in.
        #[arg(long, default_value = "onewrite")]
        package: String,
        /// End the run after this many seconds, a day at most.
        #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=86_400))]
        limit: u64,
        /// Listen to a board with the example on its card, at this serial line.
        #[arg(long, value_name = "uart:DEVICE", value_parser = serial::place)]
        on: Option<PathBuf>,
        /// With --on, read the log with the tables of this ELF file, not of one built now.
        #[arg(long, value_name = "FILE", requires = "on")]
        elf: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    if let Some(code) = fuzz::compile() {
        return code;
    }
    // Wrong usage ends here with exit code 2.
    let arguments = Arguments::parse();
    match perform(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            progress::say(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn perform(arguments: Arguments) -> Result<()> {
    let yes = arguments.yes;
    match arguments.command {
        Task::Setup => {
            setup::command(yes)?;
            machine::set_up(yes)
        }
        Task::Test { only, results } => {
            let parts = if only.is_empty() { &test::USUAL } else { only.as_slice() };
            test::command(parts, results.as_deref(), yes)
        }
        Task::Ci(arguments) => ci::command(arguments, yes),
        // The line that they return is for the summary of `ci`; their own output has said it.
        Task::Throughput(arguments) => throughput::command(&arguments, yes).map(|_| ()),
        Task::Bench(arguments) => bench::command(&arguments, yes),
        Task::Report(arguments) => report::command(&arguments),
        Task::CheckLoad(arguments) => report::load::command(&arguments),
        Task::Capi(arguments) => capi::command(&arguments, yes),
        Task::Count(arguments) => count::command(&arguments, yes).map(|_| ()),
        Task::Codegen(arguments) => codegen::command(&arguments, yes).map(|_| ()),
        Task::Footprint(arguments) => footprint::command(&arguments, yes).map(|_| ()),
        Task::Fuzz(arguments) => fuzz::command(&arguments),
        Task::Bless(arguments) => bless::command(&arguments, yes),
        Task::CrossCheck(arguments) => cross_check::command(&arguments, yes).map(|_| ()),
        Task::Interop => interop::command().map(|_| ()),
        Task::Size(arguments) => size::command(&arguments, yes).map(|_| ()),
        Task::Image { example } => firmware::command(&example, yes),
        Task::SdImage(arguments) => sd_image::command(&arguments, yes),
        Task::Deploy(arguments) => deploy::command(&arguments, throughput::check_report, yes),
        Task::Vm(arguments) => vm::command(arguments, yes),
        Task::Run { example, package, limit, on, elf } => {
            let limit = Duration::from_secs(limit);
            match on {
                None => qemu::command(&package, &example, limit, yes),
                Some(device) => {
                    let serial = Serial::open(&device)?;
                    let firmware = Firmware::new(&package, &example, elf.as_deref(), yes)?;
                    uart::print_console(serial, &firmware, limit)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

    use super::*;

    /// The commands that a page tells a person to type, in blocks, and those that it names within
    /// a sentence.
    fn commands(page: &str) -> (Vec<String>, Vec<String>) {
        let page = workspace::root().join(page);
        let text = std::fs::read_to_string(page).unwrap();
        let mut fenced = false;
        let (mut typed, mut named) = (Vec::new(), Vec::new());
        let is_ours = |command: &&str| command.starts_with("cargo xtask ");
        for line in text.lines() {
            fenced ^= line.starts_with("```");
            if fenced || line.starts_with("    ") {
                let command = line.split(" #").next().unwrap_or_default().trim();
                typed.extend(Some(command).filter(is_ours).map(str::to_owned));
            } else {
                let code = line.split('`').skip(1).step_by(2);
                named.extend(code.filter(is_ours).map(str::to_owned));
            }
        }
        (typed, named)
    }

    #[test]
    fn every_command_of_the_pages_is_one() {
        use clap::error::ErrorKind::{DisplayHelp, MissingRequiredArgument};
        for page in [
            "README.md",
            "CONTRIBUTING.md",
            "benches/peers/serializers/README.md",
            "boards/rpi-zero-2w/README.md",
            "docs/c.md",
            "docs/codegen.md",
            "docs/cross.md",
            "docs/deploy.md",
            "docs/fuzzing.md",
            "docs/measuring.md",
            "docs/raspberry-pi-zero-2w.md",
            "docs/reports.md",
            "docs/targets.md",
        ] {
            let (typed, named) = commands(page);
            assert!(!(typed.is_empty() && named.is_empty()), "{page} names no command");
            let typed = typed.iter().map(|command| (command, false));
            for (command, in_passing) in typed.chain(named.iter().map(|command| (command, true))) {
                let words = command.split_whitespace().skip(1);
                let error = Arguments::try_parse_from(words).err();
                // A sentence may name a command without what it needs.
                let meant =
                    |kind| kind == DisplayHelp || (in_passing && kind == MissingRequiredArgument);
                if let Some(error) = error.filter(|error| !meant(error.kind())) {
                    panic!("{page}: {command}\n{error}");
                }
            }
        }
    }
}
