//! The report: text for people, JSON for programs.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json, json};

use super::arguments::Kind;
use super::kinds::Detected;
use super::tree::{Complaint, Line, Severity, Tree, Value};

/// What there is to say.
#[derive(Debug)]
pub(crate) struct Report<'a> {
    pub(crate) source: &'a str,
    /// Bytes of the input.
    pub(crate) len: usize,
    /// The kind, where it was not found out.
    pub(crate) asked: Option<Kind>,
    pub(crate) detected: Detected,
    pub(crate) tree: Tree,
}

impl Report<'_> {
    /// For people: plain ASCII but for what is in strings, in which nothing moves a cursor.
    pub(crate) fn text(&self) -> String {
        let Self { source, len, detected, tree, .. } = self;
        let kind = detected.kind.name();
        let mut out = if detected.fits {
            format!("{source}: {len} bytes, {kind}")
        } else {
            format!("{source}: {len} bytes, probably {kind}: no kind fits, and this one best")
        };
        if !detected.others.is_empty() {
            let names: Vec<&str> = detected.others.iter().map(|kind| kind.name()).collect();
            out += &format!("; also fits {}", names.join(", "));
        }
        out.push('\n');
        for line in &tree.lines {
            line.text(&mut out);
        }
        for complaint in &tree.complaints {
            complaint.text(&mut out);
        }
        let more = tree.errors.saturating_add(tree.notes).saturating_sub(tree.complaints.len());
        if more != 0 {
            out += &format!("... and {more} more complaints\n");
        }
        if tree.cut {
            out.push_str("some lines are left out: see --limit and --depth\n");
        }
        match (tree.errors, tree.notes) {
            (0, 0) => out.push_str("sound\n"),
            (0, notes) => out += &format!("sound; {}\n", counted(notes, "note")),
            (errors, 0) => out += &format!("{}\n", counted(errors, "error")),
            (errors, notes) => {
                out += &format!("{}, {}\n", counted(errors, "error"), counted(notes, "note"));
            }
        }
        out
    }

    /// For programs.
    pub(crate) fn json(&self) -> String {
        let Self { source, len, asked, detected, tree } = self;
        let others: Vec<&str> = detected.others.iter().map(|kind| kind.name()).collect();
        let complaints: Vec<Json> = tree.complaints.iter().map(Complaint::json).collect();
        let mut lines = tree.lines.iter().peekable();
        let report = json!({
            "source": source,
            "len": len,
            "kind": detected.kind.name(),
            "detected": asked.is_none(),
            "fits": detected.fits,
            "also_fits": others,
            "sound": tree.errors == 0,
            "errors": tree.errors,
            "notes": tree.notes,
            "complaints": complaints,
            "cut": tree.cut,
            "tree": nested(&mut lines, 0),
        });
        format!("{report:#}\n")
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The lines of one level, each with those below it. No deeper than the lines are.
fn nested<'l>(
    lines: &mut std::iter::Peekable<impl Iterator<Item = &'l Line>>,
    depth: usize,
) -> Json {
    let mut nodes = Vec::new();
    while let Some(line) = lines.next_if(|line| line.depth >= depth) {
        let mut node = Map::new();
        node.insert("at".to_owned(), line.at.offset.into());
        if line.at.inflated != 0 {
            node.insert("inflated".to_owned(), line.at.inflated.into());
        }
        node.insert("name".to_owned(), line.name.to_string().into());
        line.value.json(&mut node);
        if lines.peek().is_some_and(|next| next.depth > line.depth) {
            node.insert("children".to_owned(), nested(lines, line.depth.saturating_add(1)));
        }
        nodes.push(Json::Object(node));
    }
    Json::Array(nodes)
}

impl Line {
    fn text(&self, out: &mut String) {
        let indent = self.depth.saturating_mul(2);
        let start = out.len();
        let _ = write!(out, "{} {:indent$}{}", self.at, "", self.name);
        if matches!(self.value, Value::None) {
            // Nothing follows.
        } else {
            out.push_str(": ");
            self.value.text(out);
        }
        let end = out.get(start..).map_or(0, |line| line.trim_end().len());
        out.truncate(start.saturating_add(end));
        out.push('\n');
    }
}

impl Value {
    fn text(&self, out: &mut String) {
        let _ = match self {
            Self::None => Ok(()),
            Self::Bool(value) => write!(out, "{value}"),
            Self::Signed(value) => write!(out, "{value}"),
            Self::Unsigned(value) => write!(out, "{value}"),
            Self::Float(value) => write!(out, "{value:?}"),
            Self::Count(count) => out.write_str(&counted(*count, "item")),
            Self::Word(word) => write!(out, "{}", word.escape_debug()),
            Self::Text(start, len) if start.len() == *len => write!(out, "{start:?}"),
            Self::Text(start, len) => write!(out, "{start:?}... {len} bytes"),
            Self::Bytes(start, len) => {
                let dots = if start.len() < *len && !start.is_empty() { "..." } else { "" };
                let space = if start.is_empty() { "" } else { "  " };
                write!(out, "{len} bytes{space}{}{dots}", digits(start))
            }
            Self::More(count) => write!(out, "{count} more"),
            Self::Record(kind, fields) => {
                out.push_str(kind);
                for (name, value) in fields {
                    let _ = write!(out, " {name}=");
                    value.text(out);
                }
                Ok(())
            }
        };
    }

    fn json(&self, node: &mut Map<String, Json>) {
        let (key, value) = match self {
            Self::None => return,
            Self::Count(count) => ("count", (*count).into()),
            Self::More(count) => ("more", (*count).into()),
            Self::Text(start, len) if start.len() != *len => {
                node.insert("len".to_owned(), (*len).into());
                ("start", start.as_str().into())
            }
            Self::Bytes(start, len) => {
                node.insert("len".to_owned(), (*len).into());
                (if start.len() == *len { "hex" } else { "start" }, digits(start).into())
            }
            Self::Record(kind, fields) => {
                let mut inner = Map::new();
                for (name, value) in fields {
                    let mut field = Map::new();
                    value.json(&mut field);
                    let value = field.remove("value").unwrap_or(Json::Object(field));
                    inner.insert((*name).to_owned(), value);
                }
                node.insert("kind".to_owned(), (*kind).into());
                node.insert("fields".to_owned(), inner.into());
                return;
            }
            scalar => ("value", scalar.json_scalar()),
        };
        node.insert(key.to_owned(), value);
    }

    /// Numbers that not every reader of JSON keeps exact are strings.
    fn json_scalar(&self) -> Json {
        const EXACT: i128 = 1 << 53;
        match self {
            Self::Bool(value) => (*value).into(),
            Self::Signed(value) => match i64::try_from(*value) {
                Ok(number) if (-EXACT..=EXACT).contains(value) => number.into(),
                _ => value.to_string().into(),
            },
            Self::Unsigned(value) => match i128::try_from(*value) {
                Ok(value) => Self::Signed(value).json_scalar(),
                Err(_) => value.to_string().into(),
            },
            Self::Float(value) => serde_json::Number::from_f64(*value)
                .map_or_else(|| format!("{value:?}").into(), Json::Number),
            Self::Word(word) | Self::Text(word, _) => word.as_str().into(),
            _ => Json::Null,
        }
    }
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

impl Complaint {
    fn text(&self, out: &mut String) {
        let severity = self.severity.name();
        let offset = self.at.offset;
        let tick = "'".repeat(self.at.inflated.into());
        *out += &format!("{severity} at byte {offset:#x}{tick} ({offset})");
        if !self.path.is_empty() {
            *out += &format!(" in {}", self.path.escape_debug());
        }
        *out += &format!(": {}\n", self.message);
        if let Some((expected, got)) = &self.difference {
            *out += &format!("  expected {expected}, got {got}\n");
        }
        let (before, from) = &self.bytes;
        out.push_str("  bytes");
        for byte in before {
            *out += &format!(" {byte:02x}");
        }
        match from.split_first() {
            Some((first, rest)) => {
                *out += &format!(" >{first:02x}<");
                for byte in rest {
                    *out += &format!(" {byte:02x}");
                }
            }
            None => out.push_str(" >end<"),
        }
        out.push('\n');
    }

    fn json(&self) -> Json {
        let (before, from) = &self.bytes;
        let mut json = json!({
            "severity": self.severity.name(),
            "at": self.at.offset,
            "inflated": self.at.inflated,
            "in": self.path,
            "message": self.message,
            "before": digits(before),
            "bytes": digits(from),
        });
        if let (Some((expected, got)), Some(object)) = (&self.difference, json.as_object_mut()) {
            object.insert("expected".to_owned(), expected.as_str().into());
            object.insert("got".to_owned(), got.as_str().into());
        }
        json
    }
}

impl Severity {
    const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Note => "note",
        }
    }
}
