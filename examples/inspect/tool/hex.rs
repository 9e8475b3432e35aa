//! Bytes that are written down as hexadecimal digits.
//!
//! | form | a line |
//! |---|---|
//! | plain | digits in pairs, with or without spaces, commas and `0x` |
//! | xxd | an offset with a colon, digits, two spaces, characters |
//! | hexdump -C | an offset, two spaces, digits, characters between bars; a `*` for lines like the last |

use std::fmt;

/// A line that is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HexError {
    /// From 1 on.
    line: usize,
    what: String,
}

impl fmt::Display for HexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Plain,
    Xxd,
    Hexdump,
}

/// Whether the bytes are text that begins with a line of one of the forms.
pub(crate) fn is_hex(bytes: &[u8]) -> bool {
    let text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let all = bytes.iter().all(text);
    all && str::from_utf8(bytes).is_ok_and(|text| {
        text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| {
            let digits = form(line) != Form::Plain || plain(line, &mut Vec::new()).is_ok();
            digits && line.contains(|letter: char| letter.is_ascii_hexdigit())
        })
    })
}

/// The bytes that `text` stands for, up to `limit` of them.
pub(crate) fn parse(text: &str, limit: usize) -> Result<Vec<u8>, HexError> {
    let mut bytes = Vec::new();
    let mut parser = None;
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let parser = parser.get_or_insert_with(|| Parser { form: form(line), ..Parser::default() });
        let result = parser.line(line.trim_end(), &mut bytes, limit);
        result.map_err(|what| HexError { line: index.saturating_add(1), what })?;
        if bytes.len() > limit {
            let what = format!("more than {limit} bytes: raise --max-input");
            return Err(HexError { line: index.saturating_add(1), what });
        }
    }
    Ok(bytes)
}

struct Parser {
    form: Form,
    /// Offset of the first line: what was written down need not be the start of a file.
    base: Option<usize>,
    /// Where the last line begins in the bytes.
    last: usize,
    /// Whether lines like the last one were left out.
    repeat: bool,
}

impl Default for Parser {
    fn default() -> Self {
        Self { form: Form::Plain, base: None, last: 0, repeat: false }
    }
}

impl Parser {
    fn line(&mut self, line: &str, bytes: &mut Vec<u8>, limit: usize) -> Result<(), String> {
        if self.form == Form::Plain {
            return plain(line, bytes);
        }
        if line.trim() == "*" {
            self.repeat = true;
            return Ok(());
        }
        let end = if self.form == Form::Xxd { ':' } else { ' ' };
        let (offset, digits) = line.split_once(end).unwrap_or((line, ""));
        let Ok(offset) = usize::from_str_radix(offset, 16) else {
            return Err(format!("{offset:?} is no offset"));
        };
        let base = *self.base.get_or_insert(offset);
        let offset =
            offset.checked_sub(base).ok_or("the offset is before that of the first line")?;
        self.repeated(offset, bytes, limit)?;
        if offset != bytes.len() {
            let (expected, found) = (base.saturating_add(bytes.len()), base.saturating_add(offset));
            return Err(format!("offset {expected:#x} expected, {found:#x} found"));
        }
        self.last = bytes.len();
        let digits = match self.form {
            // One space before the digits, two behind them.
            Form::Xxd => {
                let digits = digits.strip_prefix(' ').unwrap_or(digits);
                digits.split_once("  ").map_or(digits, |(digits, _)| digits)
            }
            _ => digits.split_once('|').map_or(digits, |(digits, _)| digits),
        };
        plain(digits, bytes)
    }

    /// Adds the lines that a `*` stands for, up to `offset`.
    fn repeated(&mut self, offset: usize, bytes: &mut Vec<u8>, limit: usize) -> Result<(), String> {
        if !std::mem::take(&mut self.repeat) {
            return Ok(());
        }
        let line = bytes.get(self.last..).unwrap_or_default().to_vec();
        if line.is_empty() {
            return Err("a * before any line".to_owned());
        }
        if offset > limit {
            return Err(format!("more than {limit} bytes: raise --max-input"));
        }
        while bytes.len() < offset {
            bytes.extend_from_slice(&line);
        }
        Ok(())
    }
}

/// The form of a whole text, from its first line.
fn form(line: &str) -> Form {
    let end = line.find(|letter: char| !letter.is_ascii_hexdigit()).unwrap_or(line.len());
    let (offset, rest) = line.split_at_checked(end).unwrap_or_default();
    match offset.len() {
        4.. if rest.starts_with(':') => Form::Xxd,
        6.. if rest.starts_with("  ") => Form::Hexdump,
        _ => Form::Plain,
    }
}

/// Pairs of digits.
fn plain(line: &str, bytes: &mut Vec<u8>) -> Result<(), String> {
    for word in line.split(|letter: char| letter.is_whitespace() || letter == ',') {
        let digits = word.strip_prefix("0x").unwrap_or(word).as_bytes();
        let (pairs, rest) = digits.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(format!("{word:?} has an odd number of digits"));
        }
        for pair in pairs {
            let byte = str::from_utf8(pair).ok().filter(|_| pair.iter().all(u8::is_ascii_hexdigit));
            let byte = byte.and_then(|pair| u8::from_str_radix(pair, 16).ok());
            bytes.push(byte.ok_or_else(|| format!("{word:?} is not in hexadecimal digits"))?);
        }
    }
    Ok(())
}
