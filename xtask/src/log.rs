//! The bytes of a UART back into text: defmt frames, decoded with the tables of the ELF file.

use std::fmt::Write as _;

use anyhow::{Result, anyhow};
use defmt_decoder::{DecodeError, Table};

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

/// Decodes what came over the UART of the firmware in `elf`.
///
/// A frame that is garbage is counted, and decoding goes on behind the zero byte that ends it.
pub(crate) fn decode(elf: &[u8], uart: &[u8]) -> Result<Log> {
    let table = Table::parse(elf)
        .map_err(|error| anyhow!("the firmware's log tables cannot be read: {error}"))?
        .ok_or_else(|| anyhow!("the firmware has no log tables (.defmt)"))?;
    let recovers = table.encoding().can_recover();
    let mut decoder = table.new_stream_decoder();
    decoder.received(uart);
    // Ends the last frame where a killed run did not.
    decoder.received(&[0]);
    let mut log = Log::default();
    loop {
        match decoder.decode() {
            Ok(frame) => {
                let text = frame.display_message().to_string();
                match frame.level() {
                    None => append_line(&mut log.console, &text),
                    Some(level) => {
                        let _ = writeln!(log.messages, "{} {text}", level.as_str());
                    }
                }
            }
            Err(DecodeError::UnexpectedEof) => break,
            Err(DecodeError::Malformed) => {
                log.lost += 1;
                if !recovers {
                    break;
                }
            }
        }
    }
    Ok(log)
}

/// A line that ends in NUL goes on in the next frame.
fn append_line(console: &mut String, text: &str) {
    match text.strip_suffix('\0') {
        Some(part) => console.push_str(part),
        None => {
            console.push_str(text);
            console.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_line_are_joined() {
        let mut console = String::new();
        for part in ["one", "tw\0", "o", ""] {
            append_line(&mut console, part);
        }
        assert_eq!(console, "one\ntwo\n\n");
    }

    #[test]
    fn a_file_without_tables_is_refused() {
        assert!(decode(b"not an ELF file", &[]).is_err());
    }

    #[test]
    fn an_empty_log_says_so() {
        assert_eq!(Log::default().text(), "(the log is empty)\n");
        let lost = Log { lost: 2, console: "a\n".into(), ..Log::default() };
        assert_eq!(lost.text(), "a\n(2 frames could not be decoded)\n");
    }
}
