//! Loads an HTTP server as the `CHttp` of the measurement on a Pi does, over HTTP/1.1 and HTTP/2, and
//! compares two of its paths: twenty clients, ten thousand requests, each client one at a time.
//!
//!     cargo run --release --example http_server -- --port 8080
//!     cargo run --release --example http_load -- 127.0.0.1:8080
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
    writeln!(console, "http_load is a tool for a host")?;
    Ok(())
}
