//! What was found: lines of a tree, bounded in number, depth and length.

use std::fmt;

use onewrite::error::{DecodeError, DecodeErrorKind};

/// How much is kept of what was found. What is left out is still looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Lines of the tree.
    pub(crate) lines: usize,
    /// Levels of the tree.
    pub(crate) depth: usize,
    /// Bytes of a string, and of an array of bytes.
    pub(crate) text: usize,
}

/// Most complaints that are kept; all are counted.
const COMPLAINTS: usize = 20;

/// Where something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At {
    /// How often the bytes were inflated that it is in.
    pub(crate) inflated: u8,
    /// Its first byte, counted from the first of those bytes.
    pub(crate) offset: usize,
}

/// Six hexadecimal digits or more, and a `'` for each time the bytes were inflated.
impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:06x}{:<2}", self.offset, "'".repeat(self.inflated.into()))
    }
}

/// What a line is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// By the field or variant.
    Field(&'static str),
    /// By its place among its siblings.
    Index(usize),
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => f.write_str(name),
            Self::Index(index) => write!(f, "[{index}]"),
        }
    }
}

/// What a line says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// Nothing: the lines below say it.
    None,
    Bool(bool),
    Signed(i128),
    Unsigned(u128),
    Float(f64),
    /// An array with so many elements.
    Count(usize),
    /// A word of the format, or a number that is best read as one.
    Word(String),
    /// The start of a string, and how many bytes all of it has.
    Text(String, usize),
    /// The start of some bytes, and how many there are.
    Bytes(Vec<u8>, usize),
    /// A record: its kind and its fields.
    Record(&'static str, Vec<(&'static str, Self)>),
    /// Lines that are left out.
    More(usize),
}

/// A line of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) depth: usize,
    pub(crate) at: At,
    pub(crate) name: Name,
    pub(crate) value: Value,
}

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Severity {
    /// The input is not sound.
    Error,
    /// It is, and is not what it should be.
    Note,
}

/// Something that is wrong.
#[derive(Clone, Debug)]
pub(crate) struct Complaint {
    pub(crate) severity: Severity,
    pub(crate) at: At,
    /// What it is in.
    pub(crate) path: String,
    pub(crate) message: String,
    /// What should be there, and what is.
    pub(crate) difference: Option<(String, String)>,
    /// The bytes there: some before it, and some from it on.
    pub(crate) bytes: (Vec<u8>, Vec<u8>),
}

/// What was found.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) limits: Limits,
    pub(crate) lines: Vec<Line>,
    pub(crate) complaints: Vec<Complaint>,
    pub(crate) errors: usize,
    pub(crate) notes: usize,
    /// Whether a line was left out.
    pub(crate) cut: bool,
    inflated: u8,
    open: Vec<Open>,
}

/// A line whose children are being found.
#[derive(Debug)]
struct Open {
    name: Name,
    /// Whether it became a line.
    shown: bool,
    /// Children that became none.
    hidden: usize,
    at: At,
}

impl Tree {
    pub(crate) const fn new(limits: Limits) -> Self {
        Self {
            limits,
            lines: Vec::new(),
            complaints: Vec::new(),
            errors: 0,
            notes: 0,
            cut: false,
            inflated: 0,
            open: Vec::new(),
        }
    }

    /// Whether the next line would be kept. What takes time to say need not be said otherwise.
    pub(crate) fn has_room(&self) -> bool {
        self.lines.len() < self.limits.lines
            && self.open.len() < self.limits.depth
            && self.open.last().is_none_or(|open| open.shown)
    }

    /// Adds a line without children.
    pub(crate) fn leaf(&mut self, offset: usize, name: Name, value: impl FnOnce(Limits) -> Value) {
        self.add(offset, name, value);
    }

    /// Adds a line, below which the following ones stand until it is closed.
    pub(crate) fn open(&mut self, offset: usize, name: Name, value: Value) {
        let shown = self.add(offset, name, |_| value);
        self.open.push(Open { name, shown, hidden: 0, at: self.at(offset) });
    }

    fn add(&mut self, offset: usize, name: Name, value: impl FnOnce(Limits) -> Value) -> bool {
        let room = self.has_room();
        if room {
            let (depth, at, value) = (self.open.len(), self.at(offset), value(self.limits));
            self.lines.push(Line { depth, at, name, value });
        } else {
            self.cut = true;
            if let Some(parent) = self.open.last_mut() {
                parent.hidden = parent.hidden.saturating_add(1);
            }
        }
        room
    }

    /// Closes the innermost line that is open, and says how many children it has besides.
    pub(crate) fn close(&mut self) {
        if let Some(Open { shown: true, hidden, at, .. }) = self.open.pop()
            && hidden != 0
        {
            let (depth, name) = (self.open.len().saturating_add(1), Name::Field("..."));
            self.lines.push(Line { depth, at, name, value: Value::More(hidden) });
        }
    }

    /// How many lines are open.
    pub(crate) const fn depth(&self) -> usize {
        self.open.len()
    }

    /// Closes all but so many.
    pub(crate) fn close_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            self.close();
        }
    }

    /// Offsets count from the first of some inflated bytes from here on.
    pub(crate) const fn enter(&mut self) {
        self.inflated = self.inflated.saturating_add(1);
    }

    /// They count from where they did before.
    pub(crate) const fn leave(&mut self) {
        self.inflated = self.inflated.saturating_sub(1);
    }

    const fn at(&self, offset: usize) -> At {
        At { inflated: self.inflated, offset }
    }

    /// Something is wrong at `offset` of `space`.
    pub(crate) fn complain(
        &mut self,
        severity: Severity,
        offset: usize,
        message: String,
        difference: Option<(String, String)>,
        space: &[u8],
    ) {
        let count = match severity {
            Severity::Error => &mut self.errors,
            Severity::Note => &mut self.notes,
        };
        *count = count.saturating_add(1);
        if self.complaints.len() >= COMPLAINTS {
            return;
        }
        let (before, from) = space.split_at_checked(offset).unwrap_or((space, &[]));
        let before = before.get(before.len().saturating_sub(8)..).unwrap_or_default();
        let from = from.get(..from.len().min(16)).unwrap_or_default();
        let bytes = (before.to_vec(), from.to_vec());
        let (at, path) = (self.at(offset), self.path());
        self.complaints.push(Complaint { severity, at, path, message, difference, bytes });
    }

    /// [`complain`](Self::complain) of what a decoder refused.
    pub(crate) fn refuse(&mut self, severity: Severity, error: DecodeError, space: &[u8]) {
        let message = error.kind.to_string();
        self.complain(severity, error.at, message, difference(error.kind), space);
    }

    /// The names of what is open, outermost first.
    fn path(&self) -> String {
        let mut path = String::new();
        for open in &self.open {
            if !path.is_empty() && matches!(open.name, Name::Field(_)) {
                path.push('.');
            }
            path.push_str(&open.name.to_string());
        }
        path
    }
}

/// The start of a string, cut between characters.
pub(crate) fn text(limits: Limits, text: &str) -> Value {
    let end = (0..=limits.text.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    Value::Text(text.get(..end.unwrap_or(0)).unwrap_or_default().to_owned(), text.len())
}

/// The start of some bytes.
pub(crate) fn bytes(limits: Limits, bytes: &[u8]) -> Value {
    let start = bytes.get(..limits.text.min(bytes.len())).unwrap_or_default();
    Value::Bytes(start.to_vec(), bytes.len())
}

/// What a decoder expects where it refuses, and what it got.
fn difference(kind: DecodeErrorKind) -> Option<(String, String)> {
    Some(match kind {
        DecodeErrorKind::BadPadding | DecodeErrorKind::UnusedNotZero => {
            ("0".to_owned(), "another value".to_owned())
        }
        DecodeErrorKind::BadPosition { table, position } => (
            format!("a position in the {table}, where the item before it ends"),
            position.to_string(),
        ),
        DecodeErrorKind::CountTooLarge { count, .. } => {
            ("a count that fits the bytes behind it".to_owned(), count.to_string())
        }
        DecodeErrorKind::DepthLimit { limit } => {
            (format!("at most {limit} levels"), "more".to_owned())
        }
        DecodeErrorKind::EndOfInput { needed, available }
        | DecodeErrorKind::TableTruncated { needed, available, .. } => {
            (format!("{needed} bytes"), available.to_string())
        }
        DecodeErrorKind::IndexOutOfRange { index, len, .. } => {
            (format!("an index below {len}"), index.to_string())
        }
        DecodeErrorKind::InvalidBool { value } => ("0 or 1".to_owned(), value.to_string()),
        DecodeErrorKind::TrailingBytes { extra } => {
            ("the end".to_owned(), format!("{extra} bytes more"))
        }
        DecodeErrorKind::UnevenRows { size: 0, len } => {
            ("no rows".to_owned(), format!("{len} bytes"))
        }
        DecodeErrorKind::UnevenRows { size, len } => {
            (format!("a multiple of {size} bytes"), len.to_string())
        }
        DecodeErrorKind::UnknownDiscriminant { name, value } => {
            (format!("a tag of {name}"), value.to_string())
        }
        DecodeErrorKind::UnusedNotNull => ("-1".to_owned(), "another index".to_owned()),
        DecodeErrorKind::WrongCount { expected, count } => {
            (format!("{expected} elements"), count.to_string())
        }
        _ => return None,
    })
}
