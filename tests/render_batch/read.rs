//! The reader against a vector: every view, in both modes, and back to the same bytes.

use onewrite::render_batch::{Batch, BatchView, Diff, validate_tree, write_into};

use crate::vector::{Vector, same};
use crate::write::Tools;

/// Both modes see what the description says.
pub(crate) fn every_view(vector: &Vector, bytes: &[u8]) -> Result<(), String> {
    let trailer = bytes.last_chunk::<20>().ok_or("no trailer")?;
    for (index, word) in trailer.as_chunks::<4>().0.iter().enumerate() {
        equal("section", index, i32::from_le_bytes(*word), vector.sections[index])?;
    }
    let modes = [("strict", BatchView::strict(bytes)), ("lenient", BatchView::lenient(bytes))];
    for (mode, batch) in modes {
        let batch = batch.map_err(|why| format!("{mode} reader: {why}"))?;
        views(vector, &batch).map_err(|why| format!("{mode} reader: {why}"))?;
    }
    Ok(())
}

fn views(vector: &Vector, batch: &BatchView<'_>) -> Result<(), String> {
    let described = &vector.batch;
    equal("number of", "diffs", batch.diffs().len(), described.diffs.len())?;
    for (diff, (component, edits)) in batch.diffs().zip(&described.diffs) {
        equal("id of", "component", diff.component, *component)?;
        equal("number of", "edits", diff.edits.len(), edits.len())?;
        for (index, (edit, described)) in diff.edits.zip(edits).enumerate() {
            equal("edit", index, edit.view(), described.view())?;
        }
    }
    equal("number of", "frames", batch.frames().len(), described.frames.len())?;
    for (index, described) in described.frames.iter().enumerate() {
        let frame = batch.frame(index).ok_or_else(|| format!("no frame {index}"))?;
        equal("frame", index, frame.view(), described.view())?;
    }
    if batch.frame(described.frames.len()).is_some() {
        return Err("a frame past the last one".into());
    }
    if !batch.disposed_components().eq(described.disposed_components.iter().copied()) {
        return Err("other disposed components".into());
    }
    if !batch.disposed_events().eq(described.disposed_events.iter().copied()) {
        return Err("other disposed event handlers".into());
    }
    if let Some(strings) = &vector.strings {
        equal("number of", "strings", batch.strings().len(), strings.len())?;
        for (index, (string, described)) in batch.strings().zip(strings).enumerate() {
            equal("string", index, string, described)?;
        }
    }
    Ok(())
}

/// What the reader gives, written again, is what it was given.
pub(crate) fn back_to_bytes(bytes: &[u8], tools: &mut Tools) -> Result<(), String> {
    let view = BatchView::strict(bytes).map_err(|why| why.to_string())?;
    with_batch(&view, |batch| {
        equal("tree of the", "view", validate_tree(&view), validate_tree(batch))?;
        let mut out = vec![0xa5; bytes.len()];
        let len = write_into(&mut *tools.table, batch, &mut out)
            .map_err(|why| format!("reader to writer: {why}"))?;
        same("reader to writer", &out[..len], bytes)
    })
}

/// Runs `run` with the batch that a view's diffs, frames and ids make.
pub(crate) fn with_batch(
    view: &BatchView<'_>,
    run: impl FnOnce(&Batch<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let edits: Vec<Vec<_>> = view.diffs().map(|diff| diff.edits.collect()).collect();
    let diffs: Vec<_> = view
        .diffs()
        .zip(&edits)
        .map(|(diff, edits)| Diff { component: diff.component, edits })
        .collect();
    let frames: Vec<_> = view.frames().collect();
    let disposed_components: Vec<_> = view.disposed_components().collect();
    let disposed_events: Vec<_> = view.disposed_events().collect();
    run(&Batch {
        diffs: &diffs,
        frames: &frames,
        disposed_components: &disposed_components,
        disposed_events: &disposed_events,
        ..Batch::default()
    })
}

/// A tree is the same whether it is looked at before it is written or after it was read.
pub(crate) fn tree(batch: &Batch<'_>, bytes: &[u8]) -> Result<(), String> {
    let built = validate_tree(batch);
    for (mode, view) in
        [("strict", BatchView::strict(bytes)), ("lenient", BatchView::lenient(bytes))]
    {
        let view = view.map_err(|why| format!("{mode} reader: {why}"))?;
        equal("tree of the view,", mode, validate_tree(&view), built)?;
    }
    Ok(())
}

fn equal<T: PartialEq<U> + core::fmt::Debug, U: core::fmt::Debug>(
    what: &str,
    which: impl core::fmt::Display,
    got: T,
    wanted: U,
) -> Result<(), String> {
    if got == wanted { Ok(()) } else { Err(format!("{what} {which} is {got:?}, not {wanted:?}")) }
}
