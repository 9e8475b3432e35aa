//! Calls every function of `circuit`, with inputs that the compiler cannot see through.
//!
//! The sibling of `every_codec`, and apart from it because of its size.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod connection;
mod endpoints;
mod gate;
mod hub;
mod json;
#[cfg(all(feature = "defmt", target_os = "none"))]
mod log;
mod message_pack;

use onewrite_boards::{Console, Failure, entry};

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    message_pack::call();
    hub::call();
    json::call();
    gate::call();
    endpoints::call();
    connection::call();
    #[cfg(all(feature = "defmt", target_os = "none"))]
    log::call();
    writeln!(console, "every circuit was called")?;
    Ok(())
}
