//! The golden vectors of `tests/data`, as a text that a small program in C reads.
//!
//! One word a field, one item a line; strings and bytes in hexadecimal, `-` for null, `.` for the
//! empty one.
//!
//! | line | meaning |
//! |---|---|
//! | `batch NAME COMPONENTS EDITS FRAMES STRINGS` | a batch begins; how many items, and the most strings |
//! | `component ID` | |
//! | `edit KIND SIBLING INDEX NAME` | |
//! | `frame KIND SUBTREE COMPONENT EVENT NAME TEXT` | |
//! | `gone-component ID`, `gone-event ID` | |
//! | `bytes HEX` | what the batch is on the wire |
//! | `damaged NAME STRICT_ONLY HEX` | a batch that has to be refused |
//! | `value NAME HEX` | a value of BSATN begins; its encoding |
//! | `put KIND ARGUMENTS` | the next part of it |
//! | `end` | the value ends |

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::hash;

/// How many vectors a script has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) batches: usize,
    pub(super) damaged: usize,
    pub(super) values: usize,
}

/// The script of the vectors in a folder.
pub(super) fn write(data: &Path) -> Result<(String, Counts)> {
    let (mut text, mut counts) = (String::new(), Counts::default());
    let folder = data.join("render_batch");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .with_context(|| folder.display().to_string())?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    for file in &files {
        let vector = read(file)?;
        batch(&mut text, &vector).with_context(|| file.display().to_string())?;
        counts.batches += 1;
    }
    for case in list(&read(&folder.join("malformed/malformed.json"))?)? {
        let (name, hex) = (string(case, "name")?, string(case, "hex")?);
        let strict_only =
            case.get("strict_only").and_then(Value::as_bool).context("strict_only")?;
        writeln!(text, "damaged {} {} {}", word(name), u8::from(strict_only), full(hex))?;
        counts.damaged += 1;
    }
    let values = data.join("spacetimedb/values.json");
    for vector in list(&read(&values)?)? {
        let (name, hex) = (string(vector, "name")?, string(vector, "hex")?);
        writeln!(text, "value {} {}", word(name), full(hex))?;
        let ty = vector.get("ty").context("a value without a type")?;
        let value = vector.get("value").context("a value without a value")?;
        put(&mut text, ty, value).with_context(|| format!("value {name}"))?;
        writeln!(text, "end")?;
        counts.values += 1;
    }
    Ok((text, counts))
}

/// The bytes of a golden batch, in hexadecimal.
pub(super) fn batch_bytes(data: &Path, name: &str) -> Result<String> {
    let vector = read(&data.join("render_batch").join(format!("{name}.json")))?;
    string(&vector, "hex").map(str::to_owned)
}

fn read(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut reader = serde_json::Deserializer::from_str(&text);
    // Some values are deeper than what is usual.
    reader.disable_recursion_limit();
    let value = reader.into_iter().next().context("an empty file")?;
    value.with_context(|| path.display().to_string())
}

fn list(value: &Value) -> Result<&Vec<Value>> {
    value.as_array().context("no list")
}

fn field<'v>(value: &'v Value, name: &str) -> Result<&'v Value> {
    value.get(name).with_context(|| format!("no field {name}"))
}

fn string<'v>(value: &'v Value, name: &str) -> Result<&'v str> {
    field(value, name)?.as_str().with_context(|| format!("{name} is no string"))
}

fn int(value: &Value, name: &str) -> Result<i64> {
    field(value, name)?.as_i64().with_context(|| format!("{name} is no number"))
}

/// A name without spaces.
fn word(name: &str) -> String {
    name.replace(|c: char| c.is_whitespace(), "_")
}

fn full(hex: &str) -> &str {
    if hex.is_empty() { "." } else { hex }
}

fn hex(bytes: &[u8]) -> String {
    full(&hash::hex(bytes)).to_owned()
}

/// A string that may be null: text, or a recipe for a long one.
fn text_of(value: &Value) -> Result<Option<String>> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        Value::Object(_) => {
            let (part, times) = (string(value, "repeat")?, int(value, "times")?);
            Ok(Some(part.repeat(times.try_into()?)))
        }
        _ => bail!("no string: {value}"),
    }
}

fn optional(value: Option<&Value>) -> Result<String> {
    let text = text_of(value.unwrap_or(&Value::Null))?;
    Ok(text.map_or("-".to_owned(), |text| hex(text.as_bytes())))
}

/// The names of the kinds, from 1.
const EDITS: [&str; 10] = [
    "prependFrame",
    "removeFrame",
    "setAttribute",
    "removeAttribute",
    "updateText",
    "stepIn",
    "stepOut",
    "updateMarkup",
    "permutationListEntry",
    "permutationListEnd",
];
const FRAMES: [&str; 10] = [
    "element",
    "text",
    "attribute",
    "component",
    "region",
    "elementReferenceCapture",
    "componentReferenceCapture",
    "markup",
    "componentRenderMode",
    "namedEvent",
];

fn number(kinds: &[&str], value: &Value) -> Result<usize> {
    let name = string(value, "type")?;
    let at = kinds.iter().position(|kind| *kind == name);
    at.map(|at| at + 1).with_context(|| format!("unknown kind {name}"))
}

fn batch(text: &mut String, vector: &Value) -> Result<()> {
    let batch = field(vector, "batch")?;
    let components = list(field(batch, "components")?)?;
    let frames = list(field(batch, "frames")?)?;
    let mut edits = 0;
    for component in components {
        edits += list(field(component, "edits")?)?.len();
    }
    // Every string of the batch, were all of them shared and different.
    let strings = edits + 2 * frames.len();
    let name = word(string(vector, "name")?);
    writeln!(text, "batch {name} {} {edits} {} {strings}", components.len(), frames.len())?;
    for component in components {
        writeln!(text, "component {}", int(component, "id")?)?;
        for edit in list(field(component, "edits")?)? {
            let kind = number(&EDITS, edit)?;
            let or_zero = |name| edit.get(name).and_then(Value::as_i64).unwrap_or(0);
            let index = or_zero("frame") + or_zero("to");
            let name = optional(edit.get("name"))?;
            writeln!(text, "edit {kind} {} {index} {name}", or_zero("sibling"))?;
        }
    }
    for frame in frames {
        writeln!(text, "{}", frame_line(frame)?)?;
    }
    for id in list(field(batch, "disposedComponents")?)? {
        writeln!(text, "gone-component {id}")?;
    }
    for id in list(field(batch, "disposedEvents")?)? {
        writeln!(text, "gone-event {}", id.as_str().context("an event id is text")?)?;
    }
    writeln!(text, "bytes {}", string(vector, "hex")?)?;
    Ok(())
}

fn frame_line(frame: &Value) -> Result<String> {
    let kind = number(&FRAMES, frame)?;
    let is_component = string(frame, "type")? == "component";
    let subtree = frame.get("subtree").and_then(Value::as_i64).unwrap_or(0);
    let component = if is_component { int(frame, "id")? } else { 0 };
    let event = frame.get("event").and_then(Value::as_str).unwrap_or("0");
    let name = optional(frame.get("name"))?;
    let content = match (frame.get("value"), string(frame, "type")?) {
        (Some(Value::Bool(true)), _) => ".".to_owned(),
        (Some(Value::Bool(false)), _) => "-".to_owned(),
        // An object has no form on the wire.
        (Some(Value::Object(object)), _) if object.contains_key("other") => "-".to_owned(),
        (Some(value), _) => optional(Some(value))?,
        (None, "elementReferenceCapture") => optional(frame.get("id"))?,
        (None, _) => optional(frame.get("content"))?,
    };
    Ok(format!("frame {kind} {subtree} {component} {event} {name} {content}"))
}

/// The parts of a value, in order.
fn put(text: &mut String, ty: &Value, value: &Value) -> Result<()> {
    if let Some(name) = ty.as_str() {
        return primitive(text, name, value);
    }
    if let Some(fields) = ty.get("product") {
        for (field, value) in list(fields)?.iter().zip(list(value)?) {
            put(text, field.get(1).context("a field without a type")?, value)?;
        }
        return Ok(());
    }
    if let Some(variants) = ty.get("sum") {
        let variants = list(variants)?;
        let tag = int(value, "tag")?;
        writeln!(text, "put tag {} {tag}", variants.len())?;
        let variant = variants.get(usize::try_from(tag)?).and_then(|variant| variant.get(1));
        return put(text, variant.context("a tag without a variant")?, field(value, "value")?);
    }
    let element = ty.get("array").context("an unknown type")?;
    if let Some(bytes) = value.get("hex") {
        writeln!(text, "put bytes {}", full(bytes.as_str().context("bytes are text")?))?;
        return Ok(());
    }
    let elements = list(value)?;
    // A lower bound that holds for every type here: what may take nothing counts as nothing.
    writeln!(text, "put count 0 {}", elements.len())?;
    elements.iter().try_for_each(|value| put(text, element, value))
}

fn primitive(text: &mut String, name: &str, value: &Value) -> Result<()> {
    let digits = || value.as_str().context("a number is text");
    match name {
        "bool" => {
            let value = value.as_bool().context("a bool")?;
            writeln!(text, "put bool {}", u8::from(value))?;
        }
        "string" => {
            let value = text_of(value)?.context("a string is not null")?;
            writeln!(text, "put string {}", hex(value.as_bytes()))?;
        }
        // More bits than C has a type for.
        "u128" => writeln!(text, "put raw {}", hex(&digits()?.parse::<u128>()?.to_le_bytes()))?,
        "i128" => writeln!(text, "put raw {}", hex(&digits()?.parse::<i128>()?.to_le_bytes()))?,
        "u256" | "i256" => writeln!(text, "put raw {}", hex(&wide(digits()?)?))?,
        "f32" | "f64" => writeln!(text, "put {name} {}", digits()?)?,
        "u8" | "i8" | "u16" | "i16" | "u32" | "i32" | "u64" | "i64" => {
            writeln!(text, "put {name} {}", digits()?)?;
        }
        _ => bail!("unknown type {name}"),
    }
    Ok(())
}

/// A decimal number as 256 bits in two's complement, least significant byte first.
fn wide(digits: &str) -> Result<[u8; 32]> {
    let mut bytes = [0u8; 32];
    for digit in digits.trim_start_matches('-').chars() {
        let mut carry = digit.to_digit(10).with_context(|| format!("no number: {digits}"))?;
        for byte in &mut bytes {
            let [low, high, ..] = (u32::from(*byte) * 10 + carry).to_le_bytes();
            *byte = low;
            carry = high.into();
        }
    }
    if digits.starts_with('-') {
        let mut carry = true;
        for byte in &mut bytes {
            (*byte, carry) = (!*byte).overflowing_add(carry.into());
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::workspace;

    #[test]
    fn wide_numbers_are_twos_complement() {
        assert_eq!(wide("0").unwrap(), [0; 32]);
        assert_eq!(wide("-1").unwrap(), [0xff; 32]);
        assert_eq!(wide("65537").unwrap().first_chunk(), Some(&[1, 0, 1, 0]));
        assert_eq!(wide("-256").unwrap().first_chunk(), Some(&[0, 0xff, 0xff]));
        assert!(wide("1x").is_err());
    }

    #[test]
    fn every_vector_is_in_the_script() {
        let (text, counts) = write(&workspace::root().join("tests/data")).unwrap();
        assert_eq!(counts, Counts { batches: 96, damaged: 64, values: 656 });
        assert_eq!(text.lines().filter(|line| line.starts_with("bytes ")).count(), 96);
        assert!(text.is_ascii());
    }
}
