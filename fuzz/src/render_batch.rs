//! Render batches, and whether their tree is one.

use std::cell::RefCell;

use onewrite::render_batch::{
    Batch, BatchView, Diff, EditView, FrameView, encoded_len, validate_tree, write_into,
};
use onewrite::string_table::StringTable;

thread_local! {
    static TABLE: RefCell<Box<StringTable<4096>>> = RefCell::new(Box::new(StringTable::new()));
}

/// A render batch.
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn render_batch(data: &[u8]) {
    // Frames look at their strings, so the time is the square of the length.
    let data = data.get(..4096).unwrap_or(data);
    let lenient = BatchView::lenient(data);
    let Ok(view) = lenient else {
        assert!(BatchView::strict(data).is_err(), "strict takes what lenient refuses");
        return;
    };
    let tree = validate_tree(&view);
    let said = look(&view);
    let edits: Vec<Vec<_>> = view.diffs().map(|diff| diff.edits.collect()).collect();
    let diffs: Vec<_> = view
        .diffs()
        .zip(&edits)
        .map(|(diff, edits)| Diff { component: diff.component, edits })
        .collect();
    let frames: Vec<_> = view.frames().collect();
    let disposed_components: Vec<_> = view.disposed_components().collect();
    let disposed_events: Vec<_> = view.disposed_events().collect();
    let batch = Batch {
        diffs: &diffs,
        frames: &frames,
        disposed_components: &disposed_components,
        disposed_events: &disposed_events,
        ..Batch::default()
    };
    assert_eq!(validate_tree(&batch), tree, "the tree of what was read");
    if BatchView::strict(data).is_err() {
        return;
    }
    // Written again it says the same; the bytes may be others, since strings can be shared or not.
    TABLE.with_borrow_mut(|table| {
        let Ok(len) = encoded_len(&mut **table, &batch) else { return };
        let mut out = vec![0xa5; len];
        assert_eq!(write_into(&mut **table, &batch, &mut out), Ok(len));
        let again = BatchView::strict(&out).expect("what was written is strict");
        assert_eq!(look(&again), said);
        assert_eq!(validate_tree(&again), tree);
        if let Some(less) = len.checked_sub(1) {
            assert!(write_into(&mut **table, &batch, &mut out[..less]).is_err());
        }
    });
}

/// All that is in a batch, but for how its strings are shared.
fn look(view: &BatchView<'_>) -> String {
    use std::fmt::Write as _;
    let mut said = String::new();
    for diff in view.diffs() {
        let edits: Vec<EditView<'_>> = diff.edits.map(|edit| edit.view()).collect();
        writeln!(said, "{} {edits:?}", diff.component).expect("memory");
    }
    for (index, frame) in view.frames().enumerate() {
        let view: FrameView<'_> = frame.view();
        writeln!(said, "{index} {view:?}").expect("memory");
    }
    assert!(view.frame(view.frames().len()).is_none());
    // From behind, and one of them alone.
    let frames: Vec<_> = view.frames().collect();
    assert!(view.frames().rev().eq(frames.iter().rev().copied()));
    assert_eq!(view.frames().nth(1), frames.get(1).copied());
    let records: Vec<_> = view.frames().records().collect();
    assert!(records.len() == frames.len() && view.frames().is_empty() == frames.is_empty());
    let last = records.len().checked_sub(1);
    assert_eq!(last.and_then(|at| view.frames().records().get(at)), records.last().copied());
    for diff in view.diffs() {
        let edits = diff.edits.clone();
        let each: Vec<_> = edits.clone().collect();
        assert!(edits.clone().rev().eq(each.iter().rev().copied()));
        assert_eq!(edits.clone().nth(1), each.get(1).copied());
        let mut records = edits.records();
        assert!(records.len() == edits.len() && records.is_empty() == edits.is_empty());
        let last = records.len().checked_sub(1);
        assert_eq!(last.and_then(|at| records.get(at)), records.next_back());
    }
    assert_eq!(view.strings().count(), view.strings().len());
    let events: Vec<_> = view.disposed_events().collect();
    writeln!(said, "{:?} {events:?}", view.disposed_components().collect::<Vec<_>>())
        .expect("memory");
    said
}
