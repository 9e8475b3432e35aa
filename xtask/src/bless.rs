//! `cargo xtask bless`: keeps what is made and counted now, for a person to look at in a diff.

use anyhow::Result;
use clap::ValueEnum;

use crate::count::{self, On};
use crate::report::output;
use crate::{codegen, footprint, throughput};

/// Something that is kept and compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Machine code and its estimates: benches/codegen.
    Codegen,
    /// Sizes of firmware: benches/peers/size.
    Footprint,
    /// Instructions on the bare-metal Pi: xtask/budgets.json.
    Bare,
    /// Instructions on aarch64 Linux: there, too.
    Linux,
    /// Instructions on this machine, an x86-64: there, too.
    Host,
}

/// What to keep.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Exit code: 0 done, 1 failed, 2 wrong usage.")]
pub(crate) struct Arguments {
    /// All of it by default.
    parts: Vec<Part>,
}

/// The command itself.
pub(crate) fn command(arguments: &Arguments, yes: bool) -> Result<()> {
    let all = Part::value_variants();
    let parts = if arguments.parts.is_empty() { all } else { &arguments.parts };
    for part in parts {
        let line = match part {
            Part::Codegen => codegen::bless(yes)?,
            Part::Footprint => footprint::command(&footprint::Arguments::bless(), yes)?,
            Part::Bare => throughput::command(&throughput::Arguments::bless(), yes)?,
            Part::Linux => count::command(&count::Arguments::bless(On::Linux), yes)?,
            Part::Host => count::command(&count::Arguments::bless(On::Host), yes)?,
        };
        output::print(&format!("{line}\n"))?;
    }
    Ok(())
}
