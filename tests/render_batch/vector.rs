//! Vector files: every field of them is known, or the file is refused.

use core::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::description::Description;

/// A batch's description and what its bytes must be.
#[derive(Debug)]
pub(crate) struct Vector {
    pub(crate) batch: Description,
    /// The string table; large vectors leave it out.
    pub(crate) strings: Option<Vec<String>>,
    /// Positions of the updated components, frames, disposed components, disposed event handlers
    /// and the string table.
    pub(crate) sections: [i32; 5],
    pub(crate) length: usize,
    pub(crate) sha256: String,
    /// Large vectors leave them out.
    pub(crate) bytes: Option<Vec<u8>>,
}

impl Vector {
    pub(crate) fn load(file: &Path) -> Result<Self, String> {
        let mut fields = Fields::new("vector", read(file)?)?;
        let schema = fields.string("schema")?;
        if schema != "renderbatch-vector-1" {
            return Err(format!("unknown schema {schema:?}"));
        }
        // For people; nothing is derived from them.
        for field in ["name", "source", "heldout"] {
            fields.optional(field);
        }
        let batch = match (fields.optional("batch"), fields.optional("recipe")) {
            (Some(batch), None) => Description::parse(batch)?,
            (None, Some(recipe)) => Description::follow(&text(recipe)?)?,
            _ => return Err("needs either a batch or a recipe".into()),
        };
        let strings = match fields.optional("strings") {
            None => None,
            Some(list) => Some(items(list)?.into_iter().map(string).collect::<Result<_, _>>()?),
        };
        let mut names = Fields::new("sections", fields.take("sections")?)?;
        let mut sections = [0; 5];
        for (section, name) in sections.iter_mut().zip([
            "components",
            "frames",
            "disposedComponents",
            "disposedEvents",
            "strings",
        ]) {
            *section = names.int(name)?;
        }
        names.finish()?;
        let length = usize::try_from(fields.int("length")?).map_err(|why| why.to_string())?;
        let sha256 = fields.string("sha256")?;
        let bytes = fields.optional("hex").map(|hex| from_hex(&text(hex)?)).transpose()?;
        fields.finish()?;
        if let Some(bytes) = &bytes
            && (bytes.len() != length || digest(bytes) != sha256)
        {
            return Err("hex, length and sha256 do not belong together".into());
        }
        Ok(Self { batch, strings, sections, length, sha256, bytes })
    }
}

/// The vectors of a folder, sorted by name.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries =
        fs::read_dir(folder).map_err(|why| format!("cannot read {}: {why}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|why| why.to_string())?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// A file's JSON.
pub(crate) fn read(file: &Path) -> Result<Value, String> {
    let text = fs::read(file).map_err(|why| format!("cannot read {}: {why}", file.display()))?;
    serde_json::from_slice(&text).map_err(|why| why.to_string())
}

/// A JSON object whose fields are taken one by one; one that is left over is a failure.
pub(crate) struct Fields {
    what: &'static str,
    left: Map<String, Value>,
}

impl Fields {
    pub(crate) fn new(what: &'static str, value: Value) -> Result<Self, String> {
        match value {
            Value::Object(left) => Ok(Self { what, left }),
            other => Err(format!("{what} is no object: {other}")),
        }
    }

    pub(crate) fn optional(&mut self, name: &str) -> Option<Value> {
        self.left.remove(name)
    }

    pub(crate) fn take(&mut self, name: &str) -> Result<Value, String> {
        self.optional(name).ok_or_else(|| format!("{} has no field {name:?}", self.what))
    }

    pub(crate) fn string(&mut self, name: &str) -> Result<String, String> {
        text(self.take(name)?)
    }

    pub(crate) fn int(&mut self, name: &str) -> Result<i32, String> {
        int(&self.take(name)?)
    }

    pub(crate) fn finish(self) -> Result<(), String> {
        match self.left.keys().next() {
            None => Ok(()),
            Some(name) => Err(format!("{} has an unknown field {name:?}", self.what)),
        }
    }
}

pub(crate) fn items(value: Value) -> Result<Vec<Value>, String> {
    match value {
        Value::Array(items) => Ok(items),
        other => Err(format!("no array: {other}")),
    }
}

pub(crate) fn int(value: &Value) -> Result<i32, String> {
    let int = value.as_i64().ok_or_else(|| format!("no integer: {value}"))?;
    i32::try_from(int).map_err(|_| format!("{int} does not fit 32 bits"))
}

/// A plain JSON string.
pub(crate) fn text(value: Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(format!("no string: {other}")),
    }
}

/// A string of a batch: plain, or `{"$repeat": ["x", n]}`.
pub(crate) fn string(value: Value) -> Result<String, String> {
    if !value.is_object() {
        return text(value);
    }
    let mut fields = Fields::new("string", value)?;
    let repeat = items(fields.take("$repeat")?)?;
    fields.finish()?;
    match <[Value; 2]>::try_from(repeat) {
        Ok([part, times]) => {
            let times = usize::try_from(int(&times)?).map_err(|why| why.to_string())?;
            Ok(text(part)?.repeat(times))
        }
        Err(other) => Err(format!("$repeat takes a string and a count: {other:?}")),
    }
}

pub(crate) fn from_hex(hex: &str) -> Result<Vec<u8>, String> {
    let (pairs, []) = hex.as_bytes().as_chunks::<2>() else {
        return Err("odd number of hex digits".into());
    };
    let mut bytes = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let pair = str::from_utf8(pair).map_err(|why| why.to_string())?;
        bytes.push(u8::from_str_radix(pair, 16).map_err(|why| why.to_string())?);
    }
    Ok(bytes)
}

/// SHA-256 in lower-case hex.
pub(crate) fn digest(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// Equal, or where two byte strings first differ.
pub(crate) fn same(what: &str, got: &[u8], wanted: &[u8]) -> Result<(), String> {
    // Looking for the place takes long where nothing is optimized, and nearly always there is none.
    if got == wanted {
        return Ok(());
    }
    let at = got.iter().zip(wanted).position(|(got, wanted)| got != wanted);
    match at {
        Some(at) => Err(format!(
            "{what}: byte {at} is {:#04x}, not {:#04x}; {} bytes against {}",
            got[at],
            wanted[at],
            got.len(),
            wanted.len()
        )),
        None => Err(format!(
            "{what}: {} bytes, not {}; equal as far as both go",
            got.len(),
            wanted.len()
        )),
    }
}
