//! A counter component: its first render and one click, as a browser receives them.
//!
//! Runs on a host, on aarch64 Linux and on a Raspberry Pi Zero 2W without an operating system;
//! `render_batch.out` is what all three print. The string table takes less than 3 KiB.
#![cfg_attr(target_os = "none", no_std, no_main)]

use onewrite::render_batch::{
    Batch, BatchView, Diff, Edit, EditView, Frame, FrameView, Name, Value, write_into,
};
use onewrite::string_table::StringTable;
use onewrite_boards::{Console, Failure, entry};

/// Names are hashed by the compiler, not by the Pi.
const BUTTON: Name<'_> = Name::new("button");
const CLASS: Name<'_> = Name::new("class");
const ONCLICK: Name<'_> = Name::new("onclick");

/// Up to 56 distinct names in a batch.
type Table = StringTable<64>;
const _: () = assert!(Table::SIZE < 3 * 1024);

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    let mut table = Table::new();
    writeln!(console, "string table: {} bytes for {} names", Table::SIZE, Table::CAPACITY)?;

    let frames = [
        Frame::element("h1", 2),
        Frame::text("Counter"),
        Frame::element("p", 4),
        Frame::attribute("role", Value::Str("status")),
        Frame::text("Current count: "),
        Frame::text("0"),
        Frame::element_named(BUTTON, 4),
        Frame::attribute_named(CLASS, Value::Str("btn btn-primary"), 0),
        Frame::attribute_named(ONCLICK, Value::Null, 1),
        Frame::text("Click me"),
    ];
    let edits = [Edit::prepend_frame(0, 0), Edit::prepend_frame(1, 2), Edit::prepend_frame(2, 6)];
    let diffs = [Diff { component: 1, edits: &edits }];
    show(
        console,
        "first render",
        &mut table,
        &Batch { diffs: &diffs, frames: &frames, ..Batch::default() },
    )?;

    // The count is the second child of the second element; the button gets a new handler.
    let frames = [Frame::text("1"), Frame::attribute_named(ONCLICK, Value::Null, 2)];
    let edits =
        [Edit::step_in(1), Edit::update_text(1, 0), Edit::step_out(), Edit::set_attribute(2, 1)];
    let diffs = [Diff { component: 1, edits: &edits }];
    let click = Batch { diffs: &diffs, frames: &frames, disposed_events: &[1], ..Batch::default() };
    show(console, "a click", &mut table, &click)
}

/// Writes a batch, prints its bytes, and prints what a reader finds in them.
fn show(
    console: &mut Console,
    title: &str,
    table: &mut Table,
    batch: &Batch<'_>,
) -> Result<(), Failure> {
    let mut out = [0; 512];
    let len = write_into(table, batch, &mut out).map_err(|_| "the batch does not fit")?;
    let bytes = out.get(..len).unwrap_or_default();
    writeln!(console, "\n{title}: {len} bytes")?;
    hex(console, bytes)?;
    let view = BatchView::strict(bytes).map_err(|_| "the batch cannot be read back")?;
    summary(console, &view)?;
    Ok(())
}

/// Rows of 16 bytes, each with its offset.
fn hex(console: &mut Console, bytes: &[u8]) -> core::fmt::Result {
    for (row, bytes) in bytes.chunks(16).enumerate() {
        write!(console, "{:04x} ", 16 * row)?;
        for byte in bytes {
            write!(console, " {byte:02x}")?;
        }
        writeln!(console)?;
    }
    Ok(())
}

fn summary(console: &mut Console, view: &BatchView<'_>) -> core::fmt::Result {
    for diff in view.diffs() {
        writeln!(console, "component {}", diff.component)?;
        for edit in diff.edits {
            match edit.view() {
                EditView::PrependFrame { sibling, frame } => {
                    writeln!(console, "  insert frame {frame} as child {sibling}")?;
                }
                EditView::UpdateText { sibling, frame } => {
                    writeln!(console, "  replace the text of child {sibling} by frame {frame}")?;
                }
                EditView::SetAttribute { sibling, frame } => {
                    writeln!(console, "  set the attribute of frame {frame} on child {sibling}")?;
                }
                EditView::StepIn { sibling } => writeln!(console, "  go into child {sibling}")?,
                EditView::StepOut => writeln!(console, "  go back out")?,
                other => writeln!(console, "  {other:?}")?,
            }
        }
    }
    for (index, frame) in view.frames().enumerate() {
        write!(console, "frame {index}: ")?;
        match frame.view() {
            FrameView::Element { name: Some(name), subtree } => {
                writeln!(console, "<{name}> of {subtree} frames")?;
            }
            FrameView::Text { content: Some(text) } => writeln!(console, "text {text:?}")?,
            FrameView::Attribute { name: Some(name), value: None, event } if event != 0 => {
                writeln!(console, "{name} calls handler {event}")?;
            }
            FrameView::Attribute { name: Some(name), value: Some(value), .. } => {
                writeln!(console, "{name}={value:?}")?;
            }
            other => writeln!(console, "{other:?}")?,
        }
    }
    for event in view.disposed_events() {
        writeln!(console, "handler {event} is gone")?;
    }
    Ok(())
}
