//! What the parts of `in_place` cost, from batches that have less and less in them.
//!
//! | part | is the cost of | beyond |
//! |---|---|---|
//! | `string-data` | the whole batch | the batch without the strings that are not shared |
//! | `interning` | that | the batch without any string |
//! | `records` | that | the batch without frames and edits |
//! | `tables` | that: heads, positions, ids, trailer | |
//!
//! The first occurrence of a shared string and the positions of all strings are in the part where
//! the string is. The parts add up to the whole.

use onewrite::render_batch::{Batch, Diff, Frame, FrameView, Name, Value, write_into};

use crate::measure::{Cost, Meter};
use crate::memory::Table;
use crate::workloads::Page;

/// The parts by name.
#[derive(Debug)]
pub(crate) struct Breakdown {
    pub(crate) parts: [(&'static str, Cost); 4],
}

/// Which strings stay.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Shared,
    None,
}

impl Breakdown {
    /// Measures; the page's strings are gone afterwards.
    #[inline(never)]
    pub(crate) fn of(
        page: &mut Page<'_>,
        meter: &Meter,
        reps: u32,
        table: &mut Table,
        out: &mut [u8],
    ) -> Self {
        let mut cost = |page: &Page<'_>| {
            let diff = page.diff();
            meter.cost(reps, || write_into(table, &page.batch(diff.as_slice()), out))
        };
        let whole = cost(page);
        strip(&mut page.frames, Keep::Shared);
        let shared = cost(page);
        strip(&mut page.frames, Keep::None);
        let records = cost(page);
        let diff = page.diff().map(|diff| Diff { edits: &[], ..diff });
        let empty = Batch { frames: &[], ..page.batch(diff.as_slice()) };
        let tables = meter.cost(reps, || write_into(table, &empty, out));
        Self {
            parts: [
                ("records", records.beyond(tables)),
                ("interning", shared.beyond(records)),
                ("string-data", whole.beyond(shared)),
                ("tables", tables),
            ],
        }
    }
}

/// Takes strings out of frames.
fn strip(frames: &mut [Frame<'_>], keep: Keep) {
    let name = |name: Option<_>| match name {
        Some(name) if keep == Keep::Shared => Name::new(name),
        _ => Name::NULL,
    };
    for frame in frames {
        *frame = match frame.view() {
            FrameView::Element { name: tag, subtree } => Frame::element_named(name(tag), subtree),
            FrameView::Text { content: Some(text) }
                if keep == Keep::Shared && text.chars().all(char::is_whitespace) =>
            {
                continue;
            }
            FrameView::Text { .. } => Frame::null_text(),
            FrameView::Attribute { name: attribute, value, event } => {
                // An empty value is shared as well.
                let value = match value {
                    Some("") if keep == Keep::Shared => Value::Str(""),
                    _ => Value::Null,
                };
                Frame::attribute_named(name(attribute), value, event)
            }
            FrameView::ElementReferenceCapture { .. } => Frame::null_element_reference_capture(),
            FrameView::Markup { .. } => Frame::null_markup(),
            _ => continue,
        };
    }
}
