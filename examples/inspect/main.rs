//! Prints what a captured render batch, SpacetimeDB message or BSATN value is made of, as a tree
//! with offsets, and says what is wrong with it and where.
//!
//!     cargo run --features gzip,brotli --example inspect -- capture.bin
//!     xxd capture.bin | cargo run --example inspect -- --as server-v2 --schema schema.json -
//!
//! A tool for a host: `--help` says what it can do. On bare metal it says that, and no more.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(target_os = "none"))]
mod tool;

#[cfg(not(target_os = "none"))]
fn main() -> std::process::ExitCode {
    let (stdout, stderr) = (std::io::stdout().lock(), std::io::stderr().lock());
    tool::run(std::env::args_os(), &mut std::io::stdin().lock(), stdout, stderr).into()
}

#[cfg(target_os = "none")]
onewrite_boards::entry!(run);

#[cfg(target_os = "none")]
fn run(console: &mut onewrite_boards::Console) -> Result<(), onewrite_boards::Failure> {
    writeln!(console, "inspect is a tool for a host")?;
    Ok(())
}
