//! A SpacetimeDB client on one thread: subscribes, keeps the rows in tables of fixed capacity, prints
//! every change, calls reducers, and comes back when the connection is lost.
//!
//!     cargo run --release --features gzip,brotli --example spacetimedb_client -- \
//!         --server 127.0.0.1:3000 --database lamps --query 'SELECT * FROM lamp'
//!
//! A program for a host: `--help` says what it can do. On bare metal it says that, and no more; what
//! a firmware needs of it is in the library.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(target_os = "none"))]
mod client;

#[cfg(not(target_os = "none"))]
fn main() -> std::process::ExitCode {
    let (stdout, stderr) = (std::io::stdout(), std::io::stderr());
    client::run(std::env::args_os(), stdout, stderr).into()
}

#[cfg(target_os = "none")]
onewrite_boards::entry!(run);

#[cfg(target_os = "none")]
fn run(console: &mut onewrite_boards::Console) -> Result<(), onewrite_boards::Failure> {
    writeln!(console, "spacetimedb_client is a program for a host")?;
    Ok(())
}
