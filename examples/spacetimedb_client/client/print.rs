//! What the client prints: a line for each thing that happens, for people or in JSON.

use std::fmt::{self, Display as _};
use std::io::{self, ErrorKind, Write};

use onewrite::bsatn::{AlgebraicType, TokenKind, Walker};
use onewrite::reader::Reader;

use super::plain::Plain;
use super::tables::{Table, Watcher};

/// Where lines go, until one cannot be written.
pub(crate) struct Printer<'w> {
    out: &'w mut dyn Write,
    json: bool,
    types: &'static [AlgebraicType<'static>],
    failure: Option<ErrorKind>,
    /// Rows that are new, that replaced others, that are gone.
    pub(crate) counts: [u64; 3],
}

impl fmt::Debug for Printer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Printer").field("counts", &self.counts).finish_non_exhaustive()
    }
}

impl<'w> Printer<'w> {
    pub(crate) fn new(
        out: &'w mut dyn Write,
        json: bool,
        types: &'static [AlgebraicType<'static>],
    ) -> Self {
        Self { out, json, types, failure: None, counts: [0; 3] }
    }

    pub(crate) fn flush(&mut self) {
        let flushed = self.out.flush();
        self.keep(flushed);
    }

    /// Why nothing can be written any more.
    pub(crate) const fn failure(&self) -> Option<ErrorKind> {
        self.failure
    }

    fn keep(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.failure.get_or_insert(error.kind());
        }
    }

    /// Something that is no change of a row: what, and the words about it.
    pub(crate) fn note(&mut self, event: &str, words: fmt::Arguments<'_>) {
        let written = if self.json {
            let text = Text(words);
            writeln!(self.out, "{{\"event\":\"{event}\",\"text\":{text}}}")
        } else {
            writeln!(self.out, "{event}: {}", Plain(words))
        };
        self.keep(written);
    }

    /// A row that is neither kept nor was, or one at the end.
    pub(crate) fn row(&mut self, (event, sign): (&str, char), table: &Table, row: &[u8]) {
        self.rows(event, sign, table, [None, Some(row)]);
    }

    fn rows(&mut self, event: &str, sign: char, table: &Table, rows: [Option<&[u8]>; 2]) {
        let written = self.write_rows(event, sign, table, rows);
        self.keep(written);
    }

    fn write_rows(
        &mut self,
        event: &str,
        sign: char,
        table: &Table,
        rows: [Option<&[u8]>; 2],
    ) -> io::Result<()> {
        let [old, new] =
            rows.map(|row| row.map(|row| Value { types: self.types, ty: table.ty, row }));
        let Some(new) = new else { return Ok(()) };
        let (name, out) = (&table.name, &mut self.out);
        if self.json {
            let name = Text(format_args!("{name}"));
            write!(out, "{{\"event\":\"{event}\",\"table\":{name},")?;
            if let Some(old) = old {
                write!(out, "\"old\":{old},")?;
            }
            writeln!(out, "\"row\":{new}}}")
        } else {
            write!(out, "{sign} {}", Plain(name))?;
            if let Some(old) = old {
                write!(out, " {} ->", Plain(old))?;
            }
            writeln!(out, " {}", Plain(new))
        }
    }
}

impl Watcher for Printer<'_> {
    fn inserted(&mut self, table: &Table, row: &[u8]) {
        let [inserted, ..] = &mut self.counts;
        *inserted += 1;
        self.rows("insert", '+', table, [None, Some(row)]);
    }

    fn updated(&mut self, table: &Table, old: &[u8], new: &[u8]) {
        let [_, updated, _] = &mut self.counts;
        *updated += 1;
        self.rows("update", '~', table, [Some(old), Some(new)]);
    }

    fn deleted(&mut self, table: &Table, row: &[u8]) {
        let [.., deleted] = &mut self.counts;
        *deleted += 1;
        self.rows("delete", '-', table, [None, Some(row)]);
    }
}

/// A string of JSON.
struct Text<'a>(fmt::Arguments<'a>);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        f.write_char('"')?;
        Escaped(f).write_fmt(self.0)?;
        f.write_char('"')
    }
}

struct Escaped<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl fmt::Write for Escaped<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            match character {
                '"' | '\\' => write!(self.0, "\\{character}")?,
                '\0'..' ' | '\x7f' => write!(self.0, "\\u{:04x}", u32::from(character))?,
                _ => self.0.write_char(character)?,
            }
        }
        Ok(())
    }
}

/// A row as JSON: by its type, or as digits where that is not known or not right.
struct Value<'a> {
    types: &'static [AlgebraicType<'static>],
    ty: Option<AlgebraicType<'static>>,
    row: &'a [u8],
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(ty) = self.ty else { return write!(f, "\"{}\"", Digits(self.row)) };
        // Looked at first, so that no half of a row is printed.
        if Walker::new(self.types, ty, Reader::new(self.row)).skip().is_err() {
            return write!(f, "\"{}\"", Digits(self.row));
        }
        let walker = Walker::new(self.types, ty, Reader::new(self.row));
        // What closes each container that is open: at most as deep as a walker goes.
        let mut open = heapless::Vec::<(&str, bool), 64>::new();
        let mut first = true;
        for token in walker {
            let Ok(token) = token else { return Ok(()) };
            if matches!(token.kind, TokenKind::End) {
                let (close, _) = open.pop().unwrap_or_default();
                f.write_str(close)?;
                first = false;
                continue;
            }
            if !first {
                f.write_str(",")?;
            }
            first = false;
            if let Some((_, true)) = open.last() {
                match token.name {
                    Some(name) => write!(f, "{}:", Text(format_args!("{name}")))?,
                    None => write!(f, "\"{}\":", token.at)?,
                }
            }
            let container = match token.kind {
                // Without names it is a tuple.
                TokenKind::Product { .. } => Some(("{", "}", true)),
                TokenKind::Sum { tag, variant: None } => {
                    write!(f, "{{\"{tag}\":")?;
                    Some(("", "}", false))
                }
                TokenKind::Sum { .. } => Some(("{", "}", true)),
                TokenKind::Array { .. } => Some(("[", "]", false)),
                _ => None,
            };
            match container {
                Some((begin, close, named)) => {
                    f.write_str(begin)?;
                    open.push((close, named)).map_err(|_| fmt::Error)?;
                    first = true;
                }
                None => scalar(f, token.kind)?,
            }
        }
        Ok(())
    }
}

fn scalar(f: &mut fmt::Formatter<'_>, kind: TokenKind<'_, '_>) -> fmt::Result {
    match kind {
        TokenKind::Bytes(bytes) => write!(f, "\"{}\"", Digits(bytes)),
        TokenKind::String(text) => Text(format_args!("{text}")).fmt(f),
        TokenKind::Bool(value) => value.fmt(f),
        TokenKind::I8(value) => value.fmt(f),
        TokenKind::U8(value) => value.fmt(f),
        TokenKind::I16(value) => value.fmt(f),
        TokenKind::U16(value) => value.fmt(f),
        TokenKind::I32(value) => value.fmt(f),
        TokenKind::U32(value) => value.fmt(f),
        TokenKind::I64(value) => value.fmt(f),
        TokenKind::U64(value) => value.fmt(f),
        // Larger numbers than readers of JSON take, in the digits that a call takes as well.
        TokenKind::I128(value) => write!(f, "\"{}\"", Digits(&value.to_be_bytes())),
        TokenKind::U128(value) => write!(f, "\"{}\"", Digits(&value.to_be_bytes())),
        TokenKind::I256(value) => write!(f, "\"{}\"", Digits(&value.to_be_bytes())),
        TokenKind::U256(value) => write!(f, "\"{}\"", Digits(&value.to_be_bytes())),
        TokenKind::F32(value) => float(f, value.into()),
        TokenKind::F64(value) => float(f, value),
        TokenKind::Product { .. }
        | TokenKind::Sum { .. }
        | TokenKind::Array { .. }
        | TokenKind::End => Ok(()),
    }
}

/// JSON has no other numbers than finite ones.
fn float(f: &mut fmt::Formatter<'_>, value: f64) -> fmt::Result {
    if value.is_finite() { write!(f, "{value:?}") } else { write!(f, "\"{value}\"") }
}

pub(crate) struct Digits<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Digits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
