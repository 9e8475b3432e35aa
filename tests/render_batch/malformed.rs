//! Damaged batches: refused at the byte where the damage starts, in both modes or in the strict one
//! only.

use std::path::Path;

use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::render_batch::{BatchView, validate_tree};

use crate::read;
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

/// What is wrong with each of our own cases, and where: the first byte of the item that is damaged,
/// in an undamaged batch of 188 bytes unless the name says that it was cut.
#[rustfmt::skip]
const DAMAGE: [(&str, usize, DecodeErrorKind); 64] = [
    ("empty-input", 0, trailer(0)),
    ("trailer-only", 0, position(DIFFS, 40)),
    ("trailer-19", 0, trailer(19)),
    // What stands where the trailer would, in the last 20 bytes.
    ("cut-end-1", 167, position(DIFFS, 0x2800)),
    ("cut-end-4", 164 + 4, position(FRAMES, 40)),
    ("cut-end-20", 148, position(DIFFS, 0x7801_7373)),
    ("cut-end-21", 147, position(DIFFS, 0x0173_7361)),
    ("cut-end-40", 128 + 4, position(FRAMES, 0)),
    // 15 bytes are left for the string table.
    ("cut-front-1", 167 + 16, position(STRING_TABLE, 152)),
    ("offset-components-neg", 168, position(DIFFS, -1)),
    ("offset-components-past-end", 168, position(DIFFS, 188)),
    ("offset-components-max", 168, position(DIFFS, MAX)),
    ("offset-components-in-trailer", 168, position(DIFFS, 184)),
    ("offset-frames-neg", 172, position(FRAMES, -1)),
    ("offset-frames-past-end", 172, position(FRAMES, 188)),
    ("offset-frames-max", 172, position(FRAMES, MAX)),
    ("offset-frames-in-trailer", 172, position(FRAMES, 184)),
    ("offset-disposedComponents-neg", 176, position(COMPONENTS, -1)),
    ("offset-disposedComponents-past-end", 176, position(COMPONENTS, 188)),
    ("offset-disposedComponents-max", 176, position(COMPONENTS, MAX)),
    ("offset-disposedComponents-in-trailer", 176, position(COMPONENTS, 184)),
    ("offset-disposedEvents-neg", 180, position(EVENTS, -1)),
    ("offset-disposedEvents-past-end", 180, position(EVENTS, 188)),
    ("offset-disposedEvents-max", 180, position(EVENTS, MAX)),
    ("offset-disposedEvents-in-trailer", 180, position(EVENTS, 184)),
    ("offset-strings-neg", 184, position(STRING_TABLE, -1)),
    ("offset-strings-past-end", 184, position(STRING_TABLE, 188)),
    ("offset-strings-max", 184, position(STRING_TABLE, MAX)),
    ("offset-strings-in-trailer", 184, position(STRING_TABLE, 184)),
    ("count-components-neg", 40, count(DIFFS, -1)),
    ("count-components-huge", 40, count(DIFFS, MAX)),
    ("count-components-overflow", 40, count(DIFFS, 1 << 28)),
    ("count-frames-neg", 48, count(FRAMES, -1)),
    ("count-frames-huge", 48, count(FRAMES, MAX)),
    ("count-frames-overflow", 48, count(FRAMES, 1 << 28)),
    ("count-disposedComponents-neg", 112, count(COMPONENTS, -1)),
    ("count-disposedComponents-huge", 112, count(COMPONENTS, MAX)),
    ("count-disposedComponents-overflow", 112, count(COMPONENTS, 1 << 28)),
    ("count-disposedEvents-neg", 124, count(EVENTS, -1)),
    ("count-disposedEvents-huge", 124, count(EVENTS, MAX)),
    ("count-disposedEvents-overflow", 124, count(EVENTS, 1 << 28)),
    ("diff-location-neg", 44, position(DIFFS, -4)),
    ("diff-location-past-end", 44, position(DIFFS, 188)),
    ("edit-count-neg", 4, count("edits", -1)),
    ("edit-count-huge", 4, count("edits", 1 << 30)),
    ("edit-type-0", 8, DecodeErrorKind::UnknownDiscriminant { name: "EditType", value: 0 }),
    ("edit-type-11", 8, DecodeErrorKind::UnknownDiscriminant { name: "EditType", value: 11 }),
    ("frame-type-0", 52, DecodeErrorKind::UnknownDiscriminant { name: "FrameType", value: 0 }),
    ("frame-type-11", 52, DecodeErrorKind::UnknownDiscriminant { name: "FrameType", value: 11 }),
    ("frame-type-65537", 52,
        DecodeErrorKind::UnknownDiscriminant { name: "FrameType", value: 0x1_0001 }),
    ("string-index-neg2", 52 + 8, index(-2)),
    ("string-index-past", 52 + 8, index(4)),
    ("string-index-max", 52 + 8, index(MAX)),
    ("string-location-neg", 152, position(STRINGS, -1)),
    ("string-location-past", 152, position(STRINGS, 188)),
    // The string data ends at byte 152.
    ("string-length-past", 136, DecodeErrorKind::EndOfInput { needed: 1 + 127, available: 16 }),
    ("string-length-5byte", 136, DecodeErrorKind::VarintTooLong),
    ("string-length-overlong", 136, DecodeErrorKind::OverlongVarint),
    // The text behind the prefix.
    ("string-utf8-bad", 136 + 1, DecodeErrorKind::InvalidUtf8),
    ("string-utf8-surrogate", 138 + 1, DecodeErrorKind::InvalidUtf8),
    // 14 bytes are left for the string table.
    ("string-table-ragged", 184, position(STRING_TABLE, 154)),
    ("padding-nonzero", 52 + 12, DecodeErrorKind::UnusedNotZero),
    ("text-padding-nonzero", 72 + 8, DecodeErrorKind::UnusedNotZero),
    // The first of the two could stand where it does.
    ("sections-swapped", 172, position(FRAMES, 40)),
];

const DIFFS: &str = "updated components";
const FRAMES: &str = "reference frames";
const COMPONENTS: &str = "disposed components";
const EVENTS: &str = "disposed event handlers";
const STRINGS: &str = "strings";
const STRING_TABLE: &str = "string table";
const MAX: i64 = i32::MAX as i64;

const fn trailer(available: usize) -> DecodeErrorKind {
    DecodeErrorKind::TableTruncated { table: "trailer", needed: 20, available }
}

const fn position(table: &'static str, position: i64) -> DecodeErrorKind {
    DecodeErrorKind::BadPosition { table, position }
}

const fn count(table: &'static str, count: i64) -> DecodeErrorKind {
    DecodeErrorKind::CountTooLarge { table, count }
}

const fn index(index: i64) -> DecodeErrorKind {
    DecodeErrorKind::IndexOutOfRange { table: STRINGS, index, len: 4 }
}

/// Whether `cases` are those that [`DAMAGE`] describes, one by one.
pub(crate) fn described(cases: &[Case]) -> Result<(), String> {
    let names = cases.iter().map(|case| case.name.as_str());
    if names.eq(DAMAGE.iter().map(|(name, ..)| *name)) {
        return Ok(());
    }
    Err("names are not those of the table, in its order".into())
}

/// A case of our own: what is said of it is exactly this.
pub(crate) fn refused_where_damaged(case: &Case) -> Result<(), String> {
    let (_, at, kind) = DAMAGE
        .into_iter()
        .find(|(name, ..)| *name == case.name)
        .ok_or("nothing says what is damaged")?;
    let wanted = Err(DecodeError::new(at, kind));
    for (mode, outcome) in [
        ("strict", BatchView::strict(&case.bytes).map(drop)),
        ("lenient", BatchView::lenient(&case.bytes).map(drop)),
    ] {
        let wanted = if mode == "lenient" && case.strict_only { Ok(()) } else { wanted };
        if outcome != wanted {
            return Err(format!("{mode} reader says {outcome:?}, not {wanted:?}"));
        }
    }
    refused(case)
}

/// Refused with an offset inside it, in both modes or in the strict one only.
pub(crate) fn refused(case: &Case) -> Result<(), String> {
    refuses("strict", BatchView::strict(&case.bytes), case)?;
    if !case.strict_only {
        return refuses("lenient", BatchView::lenient(&case.bytes), case);
    }
    let batch = BatchView::lenient(&case.bytes).map_err(|why| format!("lenient reader: {why}"))?;
    // Whatever the bytes are, their views hold.
    let shown = format!("{batch:?}");
    let strings = batch.strings().map(str::len).sum::<usize>();
    read::with_batch(&batch, |written| {
        let (seen, built) = (validate_tree(&batch), validate_tree(written));
        if seen == built {
            return Ok(());
        }
        Err(format!("tree of the view is {seen:?}, of its batch {built:?}"))
    })?;
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
