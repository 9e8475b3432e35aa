//! The bytes of a UART back into text: defmt frames, decoded with the tables of the ELF file.
//!
//! A frame ends in a zero byte and has none in it, so whatever happens on the line, reading goes on
//! behind the next zero. In front of the frames stands one that is text: `onewrite-build ID ID`, by
//! which a log is not read with the tables of another program.

use std::fmt::Write as _;

use anyhow::{Context as _, Result, anyhow, bail};
use defmt_decoder::{DEFMT_VERSIONS, DecodeError, Table};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _};

use crate::hash;

/// What a firmware said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Log {
    /// What it wrote to its console: frames without a level, a line each.
    pub(crate) console: String,
    /// What it logged with a level, a line each.
    pub(crate) messages: String,
    /// How many frames could not be decoded.
    pub(crate) lost: usize,
}

impl Log {
    /// Everything, to be shown when a run fails.
    pub(crate) fn text(&self) -> String {
        let mut text = self.console.clone();
        text.push_str(&self.messages);
        if self.lost != 0 {
            let _ = writeln!(text, "({} frames could not be decoded)", self.lost);
        }
        if text.is_empty() {
            text.push_str("(the log is empty)\n");
        }
        text
    }
}

/// Decodes what came over the UART of the firmware in `elf`, from its start.
///
/// A frame that is garbage is counted, and decoding goes on behind the zero byte that ends it.
pub(crate) fn decode(elf: &[u8], uart: &[u8]) -> Result<Log> {
    let tables = Tables::of(elf)?;
    let mut decoder = Decoder::new(&tables);
    let mut said = decoder.receive(uart);
    // Ends the last frame where a killed run did not.
    said.extend(decoder.receive(&[0]));
    let mut log = Log::default();
    for said in said {
        match said {
            Said::Build(id) => tables.check(&id)?,
            Said::Line(line) => {
                log.console.push_str(&line);
                log.console.push('\n');
            }
            Said::Message(message) => {
                log.messages.push_str(&message);
                log.messages.push('\n');
            }
            Said::Garbage(_) => log.lost += 1,
        }
    }
    // What was begun and never ended is shown as far as it came.
    log.console.push_str(&decoder.line);
    Ok(log)
}

/// What it takes to read the log of one program.
#[derive(Debug)]
pub(crate) struct Tables {
    table: Table,
    /// The linker's hash of the program, as hexadecimal digits; none where it made no such note.
    pub(crate) build: Option<String>,
}

impl Tables {
    /// Reads them from an ELF file.
    pub(crate) fn of(elf: &[u8]) -> Result<Self> {
        let file = object::File::parse(elf).context("the firmware is no ELF file")?;
        if file.sections().all(|section| section.name() != Ok(".defmt")) {
            bail!(
                "the ELF file has no log tables (.defmt), without which no frame can be read: link \
                 it with -Trpi-zero-2w.ld, the script that includes defmt's, and do not strip it"
            );
        }
        let versions = file.symbols().filter_map(|symbol| symbol.name().ok().and_then(version));
        if let Some(theirs) = versions.into_iter().find(|found| !DEFMT_VERSIONS.contains(found)) {
            bail!(
                "the firmware's log has version {theirs} of defmt's format, this program reads {}: \
                 the firmware's version is the one to match, so use the xtask of the checkout that \
                 it was built from",
                DEFMT_VERSIONS.join(" and ")
            );
        }
        let table = Table::parse(elf)
            .map_err(|error| anyhow!("the firmware's log tables cannot be read: {error}"))?
            .context("the firmware has no log tables (.defmt)")?;
        if !table.encoding().can_recover() {
            bail!("the firmware's frames are not rzCOBS: nothing would be read behind a lost byte");
        }
        let build = file.build_id().context("the note with the build id is broken")?;
        let build = build.map(hash::hex);
        Ok(Self { table, build })
    }

    /// Fails where the log comes from another program than these tables.
    pub(crate) fn check(&self, build: &str) -> Result<()> {
        match &self.build {
            Some(own) if own == build => Ok(()),
            own => {
                let own = own.as_deref().unwrap_or("unknown, without --build-id");
                bail!(
                    "the firmware that speaks is build {build}, the ELF file is build {own}: its \
                     log cannot be read. The firmware's is the one to match: give the ELF file it \
                     was made from, or write the card again"
                )
            }
        }
    }
}

/// `_defmt_version_ = 4`, with quotes where the linker kept them: the version.
fn version(symbol: &str) -> Option<&str> {
    symbol.trim_matches('"').strip_prefix("_defmt_version_ = ")
}

/// Something that came over the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// The id of the program, which it says when it starts.
    Build(String),
    /// A line of the console, without its end.
    Line(String),
    /// A message with a level, which stands in front of it.
    Message(String),
    /// A frame that could not be decoded: its bytes.
    Garbage(Vec<u8>),
}

/// A frame is never as long: a line of the console leaves in frames of 256 bytes of text.
const MOST: usize = 4096;

/// Reads a stream, in pieces of any size.
#[derive(Debug)]
pub(crate) struct Decoder<'t> {
    tables: &'t Tables,
    /// What came of the frame that has not ended.
    frame: Vec<u8>,
    /// A frame is dropped that was too long.
    skipping: bool,
    /// The parts of a line of the console that goes on in the next frame.
    line: String,
}

impl<'t> Decoder<'t> {
    /// One that has received nothing.
    pub(crate) const fn new(tables: &'t Tables) -> Self {
        Self { tables, frame: Vec::new(), skipping: false, line: String::new() }
    }

    /// Takes bytes and returns what they complete.
    pub(crate) fn receive(&mut self, bytes: &[u8]) -> Vec<Said> {
        let mut said = Vec::new();
        for &byte in bytes {
            if byte != 0 {
                if self.frame.len() == MOST {
                    // Counted once: as this piece, or as a part of it.
                    if !self.skipping {
                        said.push(self.garbage());
                    }
                    self.skipping = true;
                    self.frame.clear();
                }
                self.frame.push(byte);
            } else if self.skipping {
                self.skipping = false;
                self.frame.clear();
            } else if !self.frame.is_empty() {
                said.extend(self.finish());
                self.frame.clear();
            }
        }
        said
    }

    /// Reads the frame that has just ended.
    fn finish(&mut self) -> Option<Said> {
        if let Some(build) = build(&self.frame) {
            self.line.clear();
            return Some(Said::Build(build));
        }
        let mut decoder = self.tables.table.new_stream_decoder();
        decoder.received(&self.frame);
        decoder.received(&[0]);
        let (level, text, pieces) = match decoder.decode() {
            Ok(frame) => {
                (frame.level(), frame.display_message().to_string(), frame.fragments().len())
            }
            Err(DecodeError::UnexpectedEof | DecodeError::Malformed) => {
                return Some(self.garbage());
            }
        };
        if let Some(level) = level {
            return Some(Said::Message(format!("{} {text}", level.as_str())));
        }
        // A line goes on in the next frame where its format ends in NUL. In the text itself one is
        // what a damaged length took of the zeros that fill a frame up.
        if let Some(part) = text.strip_suffix('\0').filter(|_| pieces > 1) {
            self.line.push_str(part);
            return None;
        }
        self.line.push_str(&text);
        Some(Said::Line(std::mem::take(&mut self.line)))
    }

    /// The frame as something that cannot be read; it may have been a part of the line.
    fn garbage(&mut self) -> Said {
        if !self.line.is_empty() {
            self.line.push('\u{fffd}');
        }
        Said::Garbage(self.frame.clone())
    }
}

/// `onewrite-build ID ID`: the id, if it is there twice.
fn build(frame: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(frame).ok()?;
    let (id, again) = text.strip_prefix("onewrite-build ")?.split_once(' ')?;
    let is_digit = |digit: u8| digit.is_ascii_hexdigit();
    (id == again && !id.is_empty() && id.bytes().all(is_digit)).then(|| id.to_owned())
}

#[cfg(test)]
pub(crate) mod fixture;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::fixture::{self, Program};
    use super::*;
    use crate::serial::damage::Noise;

    fn program() -> Program {
        Program::default()
    }

    /// The console of a stream that the right program sent.
    fn console(stream: &[u8]) -> (String, usize) {
        let log = decode(&program().elf(), stream).unwrap();
        (log.console, log.lost)
    }

    fn stream() -> Vec<u8> {
        let mut stream = vec![0];
        stream.extend(program().build_frame());
        for text in ["one", "two", "three", "four"] {
            stream.extend(program().frame(text));
        }
        stream
    }

    const WHOLE: &str = "one\ntwo\nthree\nfour\n";

    fn refusal(elf: &[u8], stream: &[u8]) -> String {
        let error = decode(elf, stream).map(|log| log.text()).unwrap_err();
        format!("{error:#}")
    }

    #[test]
    fn the_right_program_reads_every_line() {
        // Case cross-04 a.
        assert_eq!(console(&stream()), (WHOLE.to_owned(), 0));
    }

    #[test]
    fn the_log_of_another_build_is_refused() {
        // Case cross-04 b: with the same tables, so that every frame would decode.
        let other = Program { build: [7; 20], ..program() };
        let error = refusal(&other.elf(), &stream());
        assert!(error.contains(&fixture::hex(&program().build)), "{error}");
        assert!(error.contains(&fixture::hex(&[7; 20])), "{error}");
        assert!(error.contains("The firmware's is the one to match"), "{error}");
    }

    #[test]
    fn an_elf_file_without_tables_names_the_link_script() {
        // Case cross-04 c.
        let error = refusal(&Program { tables: false, ..program() }.elf(), &stream());
        assert!(error.contains(".defmt") && error.contains("-Trpi-zero-2w.ld"), "{error}");
        assert!(refusal(b"not an ELF file", &[]).contains("no ELF file"));
    }

    #[test]
    fn a_version_that_is_too_new_names_the_firmwares() {
        // Case cross-04, last sentence.
        let error = refusal(&Program { version: "5", ..program() }.elf(), &stream());
        assert!(error.contains("version 5") && error.contains("reads 3 and 4"), "{error}");
        assert!(error.contains("the firmware's version is the one to match"), "{error}");
    }

    #[test]
    fn a_lost_byte_costs_one_frame() {
        // Case cross-04 d: each byte dropped once, and each bit flipped once.
        let whole = stream();
        let lines: Vec<&str> = WHOLE.lines().collect();
        let mut damaged = Vec::new();
        for at in 0..whole.len() {
            let mut dropped = whole.clone();
            dropped.remove(at);
            damaged.push((at, dropped));
            for bit in 0..8 {
                let mut flipped = whole.clone();
                flipped[at] ^= 1 << bit;
                damaged.push((at, flipped));
            }
        }
        let mut ends = whole.iter().enumerate().filter(|(_, byte)| **byte == 0);
        let first = ends.nth(1).unwrap().0;
        for (at, bytes) in damaged {
            // A damaged id is no id; a line may lose its place to the frame that it ran into.
            let log = decode(&program().elf(), &bytes).unwrap();
            let right = log.console.lines().filter(|line| lines.contains(line)).count();
            // Where a frame's end is hit, it and the one behind it are one.
            assert!(right >= if whole[at] == 0 { 2 } else { 3 }, "{at}: {log:?}");
            assert!(right == 4 || at > first || whole[at] == 0, "{at}: {log:?}");
        }
    }

    #[test]
    fn boot_text_and_a_cut_cost_what_they_hit() {
        // Case cross-04 d: three bytes of the GPU's in front, and an end in the last frame.
        let mut bytes = b"GPU".to_vec();
        bytes.extend(stream());
        assert_eq!(console(&bytes), (WHOLE.to_owned(), 1));
        let cut = stream();
        let (text, lost) = console(&cut[..cut.len() - 3]);
        assert_eq!((text.as_str(), lost), ("one\ntwo\nthree\n", 1));
        // Only the zero is missing.
        assert_eq!(console(&cut[..cut.len() - 1]), (WHOLE.to_owned(), 0));
    }

    #[test]
    fn pieces_of_any_size_say_the_same() {
        let tables = Tables::of(&program().elf()).unwrap();
        let whole = Decoder::new(&tables).receive(&stream());
        assert_eq!(whole.len(), 5);
        for size in 1..20 {
            let mut decoder = Decoder::new(&tables);
            let bytes = stream();
            let said = bytes.chunks(size).flat_map(|piece| decoder.receive(piece));
            assert_eq!(said.collect::<Vec<_>>(), whole);
        }
    }

    #[test]
    fn endless_garbage_is_one_loss_and_takes_no_memory() {
        let tables = Tables::of(&program().elf()).unwrap();
        let mut decoder = Decoder::new(&tables);
        let noise = [0x55; 1000];
        let said: Vec<Said> = (0..100).flat_map(|_| decoder.receive(&noise)).collect();
        assert!(matches!(said.as_slice(), [Said::Garbage(bytes)] if bytes.len() == MOST));
        assert!(decoder.frame.capacity() <= 2 * MOST);
        assert_eq!(decoder.receive(&[0]), []);
        let line = decoder.receive(&program().frame("then"));
        assert_eq!(line, [Said::Line("then".into())]);
    }

    #[test]
    fn parts_of_a_line_are_joined_and_a_hole_is_seen() {
        let part = |text: &str| program().part(text);
        let whole = [part("tw"), program().frame("o")].concat();
        assert_eq!(console(&whole), ("two\n".to_owned(), 0));
        let hole = [part("a"), vec![0x55, 0], program().frame("c")].concat();
        assert_eq!(console(&hole), ("a\u{fffd}c\n".to_owned(), 1));
        // A length that is too large by one is not the mark of a part.
        let long = [program().frame("long\0"), program().frame("c")].concat();
        assert_eq!(console(&long), ("long\0\nc\n".to_owned(), 0));
        // A program that starts again does not go on with the line.
        let again = [part("a"), program().build_frame(), program().frame("c")].concat();
        assert_eq!(console(&again), ("c\n".to_owned(), 0));
    }

    #[test]
    fn noise_never_ends_the_reader() {
        let tables = Tables::of(&program().elf()).unwrap();
        let mut decoder = Decoder::new(&tables);
        let mut noise = Noise(1);
        for _ in 0..2000 {
            let bytes: Vec<u8> = (0..100).map(|_| noise.byte()).collect();
            decoder.receive(&bytes);
        }
        decoder.receive(&[0]);
        let line = decoder.receive(&program().frame("then"));
        assert!(matches!(line.as_slice(), [Said::Line(line)] if line.ends_with("then")));
    }

    #[test]
    fn an_empty_log_says_so() {
        assert_eq!(Log::default().text(), "(the log is empty)\n");
        let lost = Log { lost: 2, console: "a\n".into(), ..Log::default() };
        assert_eq!(lost.text(), "a\n(2 frames could not be decoded)\n");
    }
}
