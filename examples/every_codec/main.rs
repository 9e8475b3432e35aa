//! Calls every public encoder and decoder once, with inputs that the compiler cannot see through.
//!
//! `cargo xtask size` links it for bare metal and looks at the symbols: a panic that anything here
//! could reach would be among them. `tests/every_codec.rs` compares what is called with the public
//! interface, and finds calls by their paths, hence `Reader::u8(&mut reader)` throughout. There is
//! a module for each module of the library. Futures are in `every_future`; HTTP is in
//! `every_connection`, WebSocket in `every_socket`, circuits in `every_circuit`, pages in `every_page` and what
//! decompresses in `every_decompressor`, as the image would be larger than boot code can move.
//!
//! Not called is what prints: `Display` and `Debug` of errors go through `core::fmt`.
#![cfg_attr(target_os = "none", no_std, no_main)]
#![allow(clippy::clone_on_copy, reason = "`clone` is public too")]

mod bsatn;
#[cfg(feature = "zerocopy-08")]
mod copy;
mod derive;
mod driver;
mod error;
mod leb128;
mod literal;
#[cfg(all(feature = "defmt", target_os = "none"))]
mod log;
mod multi_dictionary;
mod reader;
mod record;
mod render_batch;
#[cfg(feature = "serde")]
mod serde;
mod sink;
mod source;
mod spacetimedb;
mod stream;
mod string_table;

use onewrite_boards::{Console, Failure, entry};

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    error::call();
    leb128::call();
    reader::call();
    sink::call();
    source::call();
    record::call();
    derive::call();
    #[cfg(feature = "zerocopy-08")]
    copy::call();
    literal::call();
    string_table::call();
    bsatn::call();
    #[cfg(feature = "serde")]
    serde::call();
    render_batch::call();
    spacetimedb::call();
    stream::call();
    multi_dictionary::call();
    #[cfg(all(feature = "defmt", target_os = "none"))]
    log::call();
    writeln!(console, "every codec was called")?;
    Ok(())
}
