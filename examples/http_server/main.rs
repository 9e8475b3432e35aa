//! An HTTP server on one thread: HTTP/1.1 and HTTP/2 on one port, from literals and from handlers.
//!
//!     cargo run --release --example http_server -- --port 8080
//!     curl http://127.0.0.1:8080/data
//!     curl --http2-prior-knowledge http://127.0.0.1:8080/data
//!
//! A program for a host: `--help` says what it can do. On bare metal, where `http_uart` answers, it
//! says that, and no more.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(target_os = "none"))]
mod server;
#[cfg(not(target_os = "none"))]
mod site;

#[cfg(not(target_os = "none"))]
fn main() -> std::process::ExitCode {
    server::run(std::env::args_os()).into()
}

#[cfg(target_os = "none")]
onewrite_boards::entry!(run);

#[cfg(target_os = "none")]
fn run(console: &mut onewrite_boards::Console) -> Result<(), onewrite_boards::Failure> {
    writeln!(console, "http_server is a program for a host")?;
    Ok(())
}
