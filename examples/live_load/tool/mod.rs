//! The tool: many pages, one thread, a line about each.
#![allow(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "a program for the host; one prefix for everything reads better"
)]

mod arguments;
mod client;
mod load;
pub(crate) mod memory;
#[path = "../../spacetimedb_client/client/plain.rs"]
mod plain;
#[path = "../../spacetimedb_client/client/random.rs"]
mod random;
mod report;
mod visit;

use std::ffi::OsString;
use std::io::{self, Write as _};

use clap::Parser as _;

use self::arguments::Arguments;
use self::load::Load;
use self::plain::Plain;
use self::report::Report;

/// Every click was counted.
const RIGHT: u8 = 0;
/// One was not.
const WRONG: u8 = 1;
/// Nothing was measured.
const USAGE: u8 = 2;

/// Does what `arguments` ask, the first of which is the program's name; returns the exit code.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let code = if error.use_stderr() { USAGE } else { RIGHT };
            error.print().ok();
            return code;
        }
    };
    match measure(&arguments) {
        Ok(report) => {
            // Whoever reads it may have gone.
            write!(io::stdout(), "{report}").ok();
            if report.is_right() { RIGHT } else { WRONG }
        }
        Err(message) => {
            eprintln!("live_load: {}", Plain(message));
            USAGE
        }
    }
}

fn measure(arguments: &Arguments) -> Result<Report, String> {
    let memory = || arguments.server_pid.and_then(memory::of);
    let mut report = Report::new(arguments);
    report.memory("before", memory());
    let mut load = Load::begin(arguments)?;
    report.memory("with all circuits", memory());
    let look = |done| report.memory(&format!("after {done} clicks"), memory());
    let mut result = load.run(arguments, look);
    if let (Ok(()), Some(idle)) = (&result, arguments.idle()) {
        result = load.rest(idle);
        report.memory(&format!("after {} s idle", idle.as_secs()), memory());
    }
    report.end(&load.end(), result.err());
    Ok(report)
}
