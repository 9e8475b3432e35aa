//! Prints what the machine says about itself, one fact a line.
#![cfg_attr(target_os = "none", no_std, no_main)]

use onewrite_boards::{Console, Failure, entry};

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    write!(console, "{}", onewrite_boards::environment())?;
    Ok(())
}
