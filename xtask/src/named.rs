//! Files that somebody names on a command line. They may be anything, as a device without an end: no
//! more of them is read than such a file can have.

use std::fs::File;
use std::io::{self, Error, ErrorKind, Read as _};
use std::path::Path;

/// Bytes of the longest text; a measurement with every sample has half a million.
const TEXT: u64 = 32 << 20;
/// Bytes of the longest program, with all that a debugger wants to know of it.
const PROGRAM: u64 = 256 << 20;

/// A measurement, or what another program has printed.
pub(crate) fn text(file: &Path) -> io::Result<String> {
    let text = String::from_utf8(read(file, TEXT)?);
    text.map_err(|error| Error::new(ErrorKind::InvalidData, error))
}

/// A program.
pub(crate) fn program(file: &Path) -> io::Result<Vec<u8>> {
    read(file, PROGRAM)
}

fn read(file: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let count = File::open(file)?.take(most + 1).read_to_end(&mut bytes)?;
    if count as u64 > most {
        let reason = format!("more than {} MiB, which none has", most >> 20);
        return Err(Error::new(ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}
