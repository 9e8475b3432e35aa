//! A panic says where and why, after the line that was begun, and ends the run with code 101.
#![cfg_attr(target_os = "none", no_std, no_main)]
#![allow(clippy::panic, reason = "this is what is tested")]

use onewrite_boards::{Console, Failure, entry};

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    write!(console, "begun and not ended")?;
    panic!("on purpose, {}", 42);
}
