//! The console: lines out of bytes.

use core::{
    fmt,
    str::from_utf8,
    sync::atomic::{AtomicU8, AtomicUsize, Ordering},
};

use embedded_io::{ErrorKind, ErrorType};

use super::log;

/// Bytes of a line that leave in one frame.
const LINE_BYTES: usize = 256;

/// The line so far. Atomics, because the fatal report finishes a line that `run` has begun.
static LINE: [AtomicU8; LINE_BYTES] = [const { AtomicU8::new(0) }; LINE_BYTES];
static LEN: AtomicUsize = AtomicUsize::new(0);

/// The UART, a line at a time.
///
/// A line leaves as one defmt frame when its line feed arrives. A line of more than 256 bytes
/// leaves in several, and each but the last ends in NUL: join these. Bytes that are not UTF-8
/// become U+FFFD. With `plain-console` the text leaves as it is, with CR LF for a terminal.
/// Writing blocks until the UART has room and does not fail.
#[derive(Debug)]
pub struct Console(());

impl Console {
    pub(super) const fn new() -> Self {
        Self(())
    }

    /// Makes `write!(console, …)` work without an import, also where both traits are in scope.
    ///
    /// # Errors
    /// None from the console; a `Display` that fails.
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> fmt::Result {
        fmt::Write::write_fmt(self, text)
    }
}

impl ErrorType for Console {
    type Error = ErrorKind;
}

impl embedded_io::Write for Console {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        for &byte in bytes {
            put(byte);
        }
        Ok(bytes.len())
    }

    /// Waits for nothing: a line that has no line feed yet stays here until the run ends.
    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(put);
        Ok(())
    }
}

/// Sends what stands in the line, if anything.
pub(super) fn finish_line() {
    if LEN.load(Ordering::Relaxed) != 0 {
        send_line();
    }
}

fn put(byte: u8) {
    if byte == b'\n' {
        send_line();
        return;
    }
    if LEN.load(Ordering::Relaxed) == LINE_BYTES {
        send_part();
    }
    let len = LEN.load(Ordering::Relaxed);
    if let Some(place) = LINE.get(len) {
        place.store(byte, Ordering::Relaxed);
        LEN.store(len + 1, Ordering::Relaxed);
    }
}

fn send_line() {
    let (line, len) = take();
    let bytes = line.get(..len).unwrap_or(&line);
    match from_utf8(bytes) {
        Ok(text) => log::line(text),
        Err(_) => {
            send_mended(bytes);
            log::line("");
        }
    }
}

/// Sends a full line without its end; a character that is not complete yet waits for the rest.
fn send_part() {
    let (line, len) = take();
    let bytes = line.get(..len).unwrap_or(&line);
    let (whole, begun) = bytes.split_at_checked(len - begun_bytes(bytes)).unwrap_or((bytes, &[]));
    send_mended(whole);
    begun.iter().copied().for_each(put);
}

/// Sends the characters of `bytes`, U+FFFD for what is none.
fn send_mended(bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        if !chunk.valid().is_empty() {
            log::part_of_line(chunk.valid());
        }
        if !chunk.invalid().is_empty() {
            log::part_of_line("\u{fffd}");
        }
    }
}

/// How many bytes at the end begin a character without completing it.
fn begun_bytes(bytes: &[u8]) -> usize {
    let Some(last) = bytes.utf8_chunks().last() else { return 0 };
    match from_utf8(last.invalid()) {
        Err(error) if error.error_len().is_none() => last.invalid().len(),
        _ => 0,
    }
}

fn take() -> ([u8; LINE_BYTES], usize) {
    let mut bytes = [0; LINE_BYTES];
    for (byte, stored) in bytes.iter_mut().zip(&LINE) {
        *byte = stored.load(Ordering::Relaxed);
    }
    (bytes, LEN.swap(0, Ordering::Relaxed))
}
