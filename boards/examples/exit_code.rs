//! A failure ends the run with its message and its code, here 7.
#![cfg_attr(target_os = "none", no_std, no_main)]

use onewrite_boards::{Console, Failure, entry};

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    write!(console, "a line without its end")?;
    writeln!(console)?;
    Err(Failure::new("on purpose", 7))
}
