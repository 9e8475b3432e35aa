//! Clicks in many pages of `live_counter` at once, without a browser: what a click takes until the
//! batch with its count is back, whether every click was counted, and what it all does to the
//! server's memory.
//!
//!     cargo run --release --example live_counter -- --port 8080
//!     cargo run --release --example live_load -- 127.0.0.1:8080
//!
//! A tool for a host: `--help` says what it can do. On bare metal it says that, and no more.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(target_os = "none"))]
mod tool;

#[cfg(not(target_os = "none"))]
fn main() -> std::process::ExitCode {
    tool::run(std::env::args_os()).into()
}

#[cfg(target_os = "none")]
onewrite_boards::entry!(run);

#[cfg(target_os = "none")]
fn run(console: &mut onewrite_boards::Console) -> Result<(), onewrite_boards::Failure> {
    writeln!(console, "live_load is a tool for a host")?;
    Ok(())
}
