//! `validate_tree`: what a browser would hang on, or throw at, and where it stands.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use onewrite::render_batch::{
    Batch, BatchView, Diff, Edit, EditType, Frame, FrameType, Name, Place, TreeError, Value,
    validate_tree, write_into,
};
use onewrite::string_table::StringTable;

fn frame(index: usize, kind: FrameType) -> Place {
    Place::Frame { index, kind }
}

fn edit(index: usize, kind: EditType) -> Place {
    Place::Edit { diff: 0, index, kind }
}

/// A batch is checked before it is written, and as a view of its bytes, alike.
#[track_caller]
fn tree(frames: &[Frame<'_>], edits: &[Edit<'_>]) -> Result<(), TreeError> {
    let diffs = [Diff { component: 9, edits }];
    let batch = Batch { diffs: &diffs, frames, ..Batch::default() };
    let outcome = validate_tree(&batch);
    let mut table = StringTable::<64>::new();
    let mut bytes = vec![0; 4096];
    let len = write_into(&mut table, &batch, &mut bytes).unwrap();
    let view = BatchView::strict(&bytes[..len]).unwrap();
    assert_eq!(validate_tree(&view), outcome);
    outcome
}

#[test]
fn sensible_tree_is_valid() {
    let frames = [
        Frame::element("div", 8),
        Frame::attribute("class", Value::Str("a")),
        Frame::event_handler("onclick", (1 << 53) - 1),
        Frame::element_reference_capture("r"),
        Frame::region(2),
        Frame::text("a"),
        Frame::component(4, 2),
        Frame::component_reference_capture(),
        Frame::attribute("id", Value::Null),
        Frame::text("b"),
        Frame::markup("<b>"),
    ];
    let edits = [
        Edit::prepend_frame(0, 0),
        Edit::step_in(0),
        Edit::set_attribute(0, 8),
        Edit::remove_attribute(0, "title"),
        Edit::step_in(1),
        Edit::update_text(0, 9),
        Edit::update_markup(1, 10),
        Edit::step_out(),
        Edit::permutation_list_entry(0, 1),
        Edit::permutation_list_entry(1, 0),
        Edit::permutation_list_end(),
        Edit::step_out(),
    ];
    assert_eq!(tree(&frames, &edits), Ok(()));
    assert_eq!(tree(&[], &[]), Ok(()));
}

/// A subtree length of 0 makes the browser step backwards for ever.
#[test]
fn subtree_counts_at_least_itself() {
    for subtree in [0, -1, i32::MIN] {
        for (empty, kind) in [
            (Frame::element("p", subtree), FrameType::Element),
            (Frame::component(1, subtree), FrameType::Component),
            (Frame::region(subtree), FrameType::Region),
        ] {
            let error = Err(TreeError::SubtreeEmpty { at: frame(0, kind), subtree });
            assert_eq!(tree(&[empty], &[]), error);
            let error = Err(TreeError::SubtreeEmpty { at: frame(1, kind), subtree });
            assert_eq!(tree(&[Frame::element("p", 2), empty], &[]), error);
        }
    }
}

#[test]
fn subtrees_nest() {
    let at = |index| frame(index, FrameType::Element);
    // Past the last frame.
    assert_eq!(
        tree(&[Frame::element("p", 2)], &[]),
        Err(TreeError::SubtreeTooLong { at: at(0), subtree: 2, available: 1 })
    );
    assert_eq!(
        tree(&[Frame::element("p", i32::MAX)], &[]),
        Err(TreeError::SubtreeTooLong { at: at(0), subtree: i32::MAX, available: 1 })
    );
    // Past the parent, from child and grandchild.
    let text = Frame::text("a");
    let frames = [Frame::element("p", 2), Frame::element("b", 2), text];
    assert_eq!(
        tree(&frames, &[]),
        Err(TreeError::SubtreeTooLong { at: at(1), subtree: 2, available: 1 })
    );
    let frames =
        [Frame::element("p", 4), Frame::element("b", 2), Frame::element("i", 2), text, text];
    assert_eq!(
        tree(&frames, &[]),
        Err(TreeError::SubtreeTooLong { at: at(2), subtree: 2, available: 1 })
    );
}

/// Neither a comb of subtrees to the end nor many edits of one subtree cost more than their number.
#[test]
fn validation_takes_linear_time() {
    let count: i32 = 200_000;
    let frames: Vec<_> = (0..count).map(|index| Frame::element("p", count - index)).collect();
    let edits = vec![Edit::prepend_frame(0, 0); 200_000];
    let diffs = [Diff { component: 9, edits: &edits }];
    let batch = Batch { diffs: &diffs, frames: &frames, ..Batch::default() };
    assert_eq!(validate_tree(&batch), Ok(()));
    // Flat: one parent of all the others.
    let mut frames = vec![Frame::region(1); 200_000];
    frames[0] = Frame::region(count);
    let batch = Batch { frames: &frames, ..Batch::default() };
    assert_eq!(validate_tree(&batch), Ok(()));
}

#[test]
fn attributes_lead_the_children_of_elements_and_components() {
    let attribute = Frame::attribute("id", Value::Str("x"));
    for (parent, allowed) in
        [(Frame::element("p", 3), true), (Frame::component(1, 3), true), (Frame::region(3), false)]
    {
        let outcome = tree(&[parent, attribute, Frame::text("a")], &[]);
        let error = TreeError::AttributeNotLeading { at: frame(1, FrameType::Attribute) };
        assert_eq!(outcome, if allowed { Ok(()) } else { Err(error) });
        let outcome = tree(&[parent, Frame::text("a"), attribute], &[]);
        let error = TreeError::AttributeNotLeading { at: frame(2, FrameType::Attribute) };
        assert_eq!(outcome, Err(error));
    }
}

#[test]
fn event_handlers_have_event_names_and_safe_ids() {
    let at = frame(1, FrameType::Attribute);
    for name in ["class", "on", "", "oclick", "Onclick"] {
        let frames = [Frame::element("p", 2), Frame::event_handler(name, 1)];
        assert_eq!(tree(&frames, &[]), Err(TreeError::EventNameWithoutOn { at }), "{name}");
        let frames = [Frame::element("p", 2), Frame::event_handler(name, 0)];
        assert_eq!(tree(&frames, &[]), Ok(()), "{name}");
    }
    let null = Frame::attribute_named(Name::NULL, Value::Null, 1);
    let frames = [Frame::element("p", 2), null];
    assert_eq!(tree(&frames, &[]), Err(TreeError::EventNameWithoutOn { at }));
    for id in [1 << 53, u64::MAX] {
        let frames = [Frame::element("p", 2), Frame::event_handler("onclick", id)];
        assert_eq!(tree(&frames, &[]), Err(TreeError::EventIdTooLarge { at, id }));
    }
    let ids = [(1 << 53) - 1, 1 << 53];
    let batch = Batch { disposed_events: &ids, ..Batch::default() };
    let error = TreeError::DisposedEventIdTooLarge { index: 1, id: 1 << 53 };
    assert_eq!(validate_tree(&batch), Err(error));
}

#[test]
fn frames_without_a_node_stand_in_components_only() {
    for (inner, kind) in [
        (Frame::component_reference_capture(), FrameType::ComponentReferenceCapture),
        (Frame::component_render_mode(), FrameType::ComponentRenderMode),
    ] {
        assert_eq!(tree(&[Frame::component(1, 2), inner], &[Edit::prepend_frame(0, 0)]), Ok(()));
        assert_eq!(tree(&[inner], &[]), Ok(()), "nothing inserts it");
        for parent in [Frame::element("p", 2), Frame::region(2)] {
            let at = frame(1, kind);
            assert_eq!(tree(&[parent, inner], &[]), Err(TreeError::NotInsertable { at, kind }));
        }
        let at = edit(0, EditType::PrependFrame);
        let outcome = tree(&[inner], &[Edit::prepend_frame(0, 0)]);
        assert_eq!(outcome, Err(TreeError::NotInsertable { at, kind }));
    }
    assert_eq!(tree(&[Frame::named_event()], &[Edit::prepend_frame(0, 0)]), Ok(()));
}

/// A constructor of edits that refer to a frame.
type Maker = fn(i32, i32) -> Edit<'static>;

#[test]
fn edits_refer_to_frames_of_their_kind() {
    let frames = [
        (Frame::element("p", 1), FrameType::Element),
        (Frame::text("a"), FrameType::Text),
        (Frame::attribute("a", Value::Null), FrameType::Attribute),
        (Frame::markup("a"), FrameType::Markup),
    ];
    let makers: [(Maker, EditType, FrameType); 3] = [
        (Edit::set_attribute, EditType::SetAttribute, FrameType::Attribute),
        (Edit::update_text, EditType::UpdateText, FrameType::Text),
        (Edit::update_markup, EditType::UpdateMarkup, FrameType::Markup),
    ];
    for (frame, kind) in frames {
        for (maker, edit_kind, wanted) in makers {
            let at = edit(0, edit_kind);
            let error = TreeError::WrongFrame { at, frame: 0, kind };
            let outcome = tree(&[frame], &[maker(0, 0)]);
            assert_eq!(outcome, if kind == wanted { Ok(()) } else { Err(error) });
        }
        let at = edit(0, EditType::PrependFrame);
        let outcome = tree(&[frame], &[Edit::prepend_frame(0, 0)]);
        let error = TreeError::NotInsertable { at, kind };
        assert_eq!(outcome, if kind == FrameType::Attribute { Err(error) } else { Ok(()) });
    }
    for index in [-1, 1, i32::MAX, i32::MIN] {
        for (maker, edit_kind) in [
            (Edit::prepend_frame as Maker, EditType::PrependFrame),
            (Edit::update_text, EditType::UpdateText),
        ] {
            let at = edit(1, edit_kind);
            let error = TreeError::FrameOutOfRange { at, frame: index, len: 1 };
            let edits = [Edit::remove_frame(0), maker(0, index)];
            assert_eq!(tree(&[Frame::text("a")], &edits), Err(error));
        }
    }
}

#[test]
fn steps_balance() {
    let at = edit(2, EditType::StepOut);
    let edits = [Edit::step_in(0), Edit::step_out(), Edit::step_out()];
    assert_eq!(tree(&[], &edits), Err(TreeError::StepOutOfRoot { at }));
    let at = edit(2, EditType::StepIn);
    let edits = [Edit::step_in(0), Edit::remove_frame(0), Edit::step_in(0)];
    assert_eq!(tree(&[], &edits), Err(TreeError::StepsNotBalanced { at, depth: 2 }));
    // Each component starts anew.
    let open = [Edit::step_in(0)];
    let close = [Edit::step_out()];
    let diffs = [Diff { component: 1, edits: &[] }, Diff { component: 2, edits: &close }];
    let batch = Batch { diffs: &diffs, ..Batch::default() };
    let at = Place::Edit { diff: 1, index: 0, kind: EditType::StepOut };
    assert_eq!(validate_tree(&batch), Err(TreeError::StepOutOfRoot { at }));
    let diffs = [Diff { component: 1, edits: &open }, Diff { component: 2, edits: &close }];
    let batch = Batch { diffs: &diffs, ..Batch::default() };
    let at = Place::Edit { diff: 0, index: 0, kind: EditType::StepIn };
    assert_eq!(validate_tree(&batch), Err(TreeError::StepsNotBalanced { at, depth: 1 }));
}

#[test]
fn permutation_lists_are_ended() {
    let entry = Edit::permutation_list_entry(0, 1);
    let end = Edit::permutation_list_end();
    let at = edit(0, EditType::PermutationListEntry);
    assert_eq!(tree(&[], &[entry]), Err(TreeError::PermutationNotEnded { at }));
    let at = edit(0, EditType::PermutationListEnd);
    assert_eq!(tree(&[], &[end]), Err(TreeError::PermutationWithoutEntries { at }));
    let at = edit(2, EditType::PermutationListEnd);
    assert_eq!(tree(&[], &[entry, end, end]), Err(TreeError::PermutationWithoutEntries { at }));
    let at = edit(1, EditType::StepIn);
    let edits = [entry, Edit::step_in(0), end, Edit::step_out()];
    assert_eq!(tree(&[], &edits), Err(TreeError::PermutationNotEnded { at }));
    assert_eq!(tree(&[], &[entry, entry, end, entry, end]), Ok(()));
}

#[test]
fn siblings_count_from_zero() {
    for (negative, kind) in [
        (Edit::remove_frame(-1), EditType::RemoveFrame),
        (Edit::step_in(-1), EditType::StepIn),
        (Edit::permutation_list_entry(-1, 0), EditType::PermutationListEntry),
        (Edit::permutation_list_entry(0, -1), EditType::PermutationListEntry),
    ] {
        let error = TreeError::NegativeSibling { at: edit(0, kind), sibling: -1 };
        assert_eq!(tree(&[], &[negative]), Err(error));
    }
}

/// What a record's kind does not use may hold anything in a lenient view, and means nothing: the
/// view has the tree of the batch that is built from what it shows.
#[test]
fn unused_fields_mean_nothing_in_lenient_views() {
    let edits = [
        (Edit::step_in(0), &[8, 12][..]),
        (Edit::prepend_frame(0, 0), &[12]),
        (Edit::remove_frame(0), &[8, 12]),
        (Edit::set_attribute(0, 1), &[12]),
        (Edit::remove_attribute(0, "id"), &[8]),
        (Edit::update_text(0, 3), &[12]),
        (Edit::update_markup(0, 4), &[12]),
        (Edit::permutation_list_entry(0, 1), &[12]),
        (Edit::permutation_list_end(), &[4, 8, 12]),
        (Edit::step_out(), &[4, 8, 12]),
    ];
    let frames = [
        (Frame::element("div", 6), &[12, 16][..]),
        (Frame::attribute("id", Value::Null), &[]),
        (Frame::event_handler("onclick", 3), &[]),
        (Frame::text("a"), &[8, 12, 16]),
        (Frame::markup("<b>"), &[8, 12, 16]),
        (Frame::element_reference_capture("r"), &[8, 12, 16]),
        (Frame::component(4, 3), &[12, 16]),
        (Frame::component_reference_capture(), &[4, 8, 12, 16]),
        (Frame::component_render_mode(), &[4, 8, 12, 16]),
        (Frame::region(2), &[8, 12, 16]),
        (Frame::named_event(), &[4, 8, 12, 16]),
    ];
    let diffs = [Diff { component: 9, edits: &edits.map(|(edit, _)| edit) }];
    let batch =
        Batch { diffs: &diffs, frames: &frames.map(|(frame, _)| frame), ..Batch::default() };
    let mut bytes = vec![0; 4096];
    let len = write_into(&mut StringTable::<64>::new(), &batch, &mut bytes).unwrap();
    bytes.truncate(len);
    let frames_at = 8 + 16 * edits.len() + 4 + 4 + 4;
    let unused = edits
        .iter()
        .enumerate()
        .flat_map(|(index, (_, fields))| fields.iter().map(move |field| 8 + 16 * index + field))
        .chain(frames.iter().enumerate().flat_map(|(index, (_, fields))| {
            fields.iter().map(move |field| frames_at + 20 * index + field)
        }));
    let mut all = bytes.clone();
    for at in unused {
        for value in [-2, i32::MIN, i32::MAX, 5] {
            let mut bytes = bytes.clone();
            for bytes in [&mut bytes, &mut all] {
                bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            }
            assert!(BatchView::strict(&bytes).is_err(), "{at}");
            lenient_tree(&bytes, Ok(()));
        }
    }
    lenient_tree(&all, Ok(()));
    // What is used still counts.
    let sibling_at = 8 + 4;
    all[sibling_at..sibling_at + 4].copy_from_slice(&(-2_i32).to_le_bytes());
    let at = edit(0, EditType::StepIn);
    lenient_tree(&all, Err(TreeError::NegativeSibling { at, sibling: -2 }));
}

/// The tree of a lenient view, which is that of the batch built from it.
#[track_caller]
fn lenient_tree(bytes: &[u8], wanted: Result<(), TreeError>) {
    let view = BatchView::lenient(bytes).unwrap();
    assert_eq!(validate_tree(&view), wanted);
    let edits: Vec<Vec<_>> = view.diffs().map(|diff| diff.edits.collect()).collect();
    let diffs: Vec<_> = edits.iter().map(|edits| Diff { component: 9, edits }).collect();
    let frames: Vec<_> = view.frames().collect();
    let batch = Batch { diffs: &diffs, frames: &frames, ..Batch::default() };
    assert_eq!(validate_tree(&batch), wanted);
}

#[test]
fn errors_read_as_sentences() {
    for (error, sentence) in [
        (
            tree(&[Frame::element("p", 0)], &[]),
            "frame 0 (Element) has a subtree of 0 frames, itself included",
        ),
        (
            tree(&[], &[Edit::update_text(0, 2)]),
            "edit 0 (UpdateText) of diff 0 refers to frame 2 of 0",
        ),
        (
            tree(&[], &[Edit::step_in(0)]),
            "edits end with a depth of 1 after edit 0 (StepIn) of diff 0",
        ),
    ] {
        assert_eq!(error.unwrap_err().to_string(), sentence);
    }
}
