//! An interactive page in a browser, driven from here: Blazor's client, and no .NET.
//!
//!     cargo run --release --example live_counter -- --script PATH/blazor.web.js
//!
//! Then open the address that it prints. The script is no part of this: it ships with ASP.NET Core
//! (docs/live.md). A program for a host: `--help` says what it can do.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(target_os = "none"))]
mod counter;
#[cfg(not(target_os = "none"))]
mod server;

#[cfg(not(target_os = "none"))]
fn main() -> std::process::ExitCode {
    server::run(std::env::args_os()).into()
}

#[cfg(target_os = "none")]
onewrite_boards::entry!(run);

#[cfg(target_os = "none")]
fn run(console: &mut onewrite_boards::Console) -> Result<(), onewrite_boards::Failure> {
    writeln!(console, "live_counter is a program for a host")?;
    Ok(())
}
