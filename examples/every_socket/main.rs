//! Calls every function of `websocket`, and what of `spacetimedb` is on top of it, with inputs that the
//! compiler cannot see through.
//!
//! The sibling of `every_codec`, and apart from it because of its size.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod spacetimedb;
mod websocket;

use onewrite_boards::{Console, Failure, entry};

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    websocket::call();
    spacetimedb::call();
    writeln!(console, "every socket was called")?;
    Ok(())
}
