//! Stands between TCP and a board's serial line, where `http_uart` answers.
//!
//!     cargo run --example http_relay -- --device /dev/ttyUSB0
//!     curl http://127.0.0.1:8081/data
//!
//! A UART knows no connections: the relay tells the board which bytes belong to which of them, and
//! when one begins and ends. `--help` says how it reaches the board. On bare metal it says that it is
//! a program for a host, and no more.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(target_os = "none"))]
#[path = "../http_uart/link.rs"]
mod link;
#[cfg(not(target_os = "none"))]
mod relay;

#[cfg(not(target_os = "none"))]
fn main() -> std::process::ExitCode {
    relay::run(std::env::args_os()).into()
}

#[cfg(target_os = "none")]
onewrite_boards::entry!(run);

#[cfg(target_os = "none")]
fn run(console: &mut onewrite_boards::Console) -> Result<(), onewrite_boards::Failure> {
    writeln!(console, "http_relay is a program for a host")?;
    Ok(())
}
