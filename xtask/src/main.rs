//! The commands of the onewrite workspace: `cargo xtask COMMAND`.
#![allow(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "a program for the host; one prefix for everything reads better"
)]

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

mod process;
mod progress;
mod setup;
mod toolchain;
mod workspace;

/// The commands of the onewrite workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    /// Install missing distribution packages without asking.
    #[arg(long, global = true)]
    yes: bool,
    #[command(subcommand)]
    command: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Get compilers, emulators and the cross linker; quick when nothing is missing.
    Setup,
}

fn main() -> ExitCode {
    // Wrong usage ends here with exit code 2.
    let arguments = Arguments::parse();
    match perform(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn perform(arguments: Arguments) -> Result<()> {
    match arguments.command {
        Task::Setup => setup::command(arguments.yes),
    }
}
