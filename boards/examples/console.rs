//! What goes into the console comes out: long lines, and every cut of a character.
#![cfg_attr(target_os = "none", no_std, no_main)]

use onewrite_boards::{
    Console, Failure,
    embedded_io::{ErrorType, Write},
    entry,
};

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    writeln!(console, "text through core::fmt")?;
    all(console, b"bytes through embedded-io\n\nafter an empty line\n")?;
    // 300 and more bytes: with a frame of 256 the cut falls inside a character for each start.
    for start in ["", "a", "ab", "abc"] {
        write!(console, "{start}")?;
        for _ in 0..100 {
            write!(console, "\u{20ac}")?;
        }
        writeln!(console, "|")?;
    }
    writeln!(console, "ends like a terminal escape \\")?;
    write!(console, "the end has no line feed")?;
    Ok(())
}

fn all(console: &mut Console, mut bytes: &[u8]) -> Result<(), <Console as ErrorType>::Error> {
    while !bytes.is_empty() {
        let written = console.write(bytes)?;
        bytes = bytes.get(written..).unwrap_or(&[]);
    }
    console.flush()
}
