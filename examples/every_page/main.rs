//! Calls every function of `page`, with inputs that the compiler cannot see through.
//!
//! The sibling of `every_codec`, and apart from it because of its size.
#![cfg_attr(target_os = "none", no_std, no_main)]
#![allow(clippy::clone_on_copy, reason = "`clone` is public too")]

mod page;

use onewrite_boards::{Console, Failure, entry};

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    page::call();
    writeln!(console, "every page was called")?;
    Ok(())
}
