//! Damaged batches: refused with an offset inside them, in both modes or in the strict one only.

use std::path::Path;

use onewrite::error::DecodeError;
use onewrite::render_batch::{BatchView, validate_tree};

use crate::vector::{self, Fields};

/// One damaged batch.
pub(crate) struct Case {
    pub(crate) name: String,
    bytes: Vec<u8>,
    /// Only the strict reader refuses it.
    strict_only: bool,
}

pub(crate) fn load(file: &Path) -> Result<Vec<Case>, String> {
    vector::items(vector::read(file)?)?.into_iter().map(Case::parse).collect()
}

impl Case {
    fn parse(value: serde_json::Value) -> Result<Self, String> {
        let mut fields = Fields::new("malformed batch", value)?;
        let name = fields.string("name")?;
        let bytes = vector::from_hex(&fields.string("hex")?)?;
        let strict_only =
            fields.take("strict_only")?.as_bool().ok_or("strict_only is no boolean")?;
        let sha256 = fields.string("sha256")?;
        for field in ["why", "upstream_reader"] {
            fields.optional(field);
        }
        fields.finish()?;
        if vector::digest(&bytes) != sha256 {
            return Err(format!("{name}: hex and sha256 do not belong together"));
        }
        Ok(Self { name, bytes, strict_only })
    }
}

pub(crate) fn refused(case: &Case) -> Result<(), String> {
    refuses("strict", BatchView::strict(&case.bytes), case)?;
    if !case.strict_only {
        return refuses("lenient", BatchView::lenient(&case.bytes), case);
    }
    let batch = BatchView::lenient(&case.bytes).map_err(|why| format!("lenient reader: {why}"))?;
    // Whatever the bytes are, their views hold.
    let shown = format!("{batch:?}");
    let strings = batch.strings().map(str::len).sum::<usize>();
    let _ = validate_tree(&batch);
    if shown.is_empty() || strings > case.bytes.len() {
        return Err(format!("{strings} bytes of strings in {shown}"));
    }
    Ok(())
}

fn refuses(
    mode: &str,
    outcome: Result<BatchView<'_>, DecodeError>,
    case: &Case,
) -> Result<(), String> {
    match outcome {
        Ok(batch) => Err(format!("{mode} reader accepts it: {batch:?}")),
        Err(error) if error.at > case.bytes.len() => {
            Err(format!("{mode} reader points past the input: {error}"))
        }
        Err(_) => Ok(()),
    }
}
