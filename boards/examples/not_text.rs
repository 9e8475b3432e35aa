//! Bytes that are not UTF-8 become U+FFFD on bare metal, where the stream is text.
#![cfg_attr(target_os = "none", no_std, no_main)]

use onewrite_boards::{Console, Failure, embedded_io::Write, entry};

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    // A lone continuation, an impossible byte, and a character that the line feed cuts off.
    console.write(b"a\x80b\xffc\xe2\x82\n")?;
    console.write(b"next\n")?;
    Ok(())
}
