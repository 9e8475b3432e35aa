//! The reader's own rules: what each mode refuses, and at which offset.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "a test may panic"
)]

use hex_literal::hex;
use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::render_batch::{BatchView, Edit, EditView, Frame, FrameView, Name, Value};

/// One component with two edits, three frames, two and one disposed ids, four strings.
const BATCH: [u8; 199] = hex!(
    // 0: component 1, two edits: prepend frame 0, remove attribute "class"
    "01000000 02000000"
    "01000000 00000000 00000000 ffffffff"
    "04000000 01000000 00000000 02000000"
    // 40: one updated component, at 0
    "01000000 00000000"
    // 48: three frames: <p> of 2, "hello", class="x" with event 5
    "03000000"
    "01000000 02000000 00000000 0000000000000000"
    "02000000 01000000 00000000 0000000000000000"
    "03000000 02000000 03000000 0500000000000000"
    // 112: disposed components 3 and 4; 124: event handler 7
    "02000000 03000000 04000000"
    "01000000 0700000000000000"
    // 136: "p", 138: "hello", 144: "class", 150: 12 times "x"
    "0170 0568656c6c6f 05636c617373 0c787878787878787878787878"
    // 163: the string table, then the trailer
    "88000000 8a000000 90000000 96000000"
    "28000000 30000000 70000000 7c000000 a3000000"
);

/// [`BATCH`] with `bytes` written over it at `at`.
fn with(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut batch = BATCH.to_vec();
    batch[at..at + bytes.len()].copy_from_slice(bytes);
    batch
}

fn int(value: i32) -> [u8; 4] {
    value.to_le_bytes()
}

/// Both modes refuse `bytes`, with the same error.
#[track_caller]
fn refused(bytes: &[u8], at: usize, kind: DecodeErrorKind) {
    let error = DecodeError::new(at, kind);
    assert_eq!(BatchView::strict(bytes).unwrap_err(), error, "strict");
    assert_eq!(BatchView::lenient(bytes).unwrap_err(), error, "lenient");
}

/// Only the strict mode refuses `bytes`.
#[track_caller]
fn strict_only(bytes: &[u8], at: usize, kind: DecodeErrorKind) -> BatchView<'_> {
    assert_eq!(BatchView::strict(bytes).unwrap_err(), DecodeError::new(at, kind));
    BatchView::lenient(bytes).unwrap()
}

fn first_edit<'a>(batch: &BatchView<'a>) -> Edit<'a> {
    batch.diffs().next().unwrap().edits.next().unwrap()
}

const fn bad_position(table: &'static str, position: i64) -> DecodeErrorKind {
    DecodeErrorKind::BadPosition { table, position }
}

const fn too_large(table: &'static str, count: i64) -> DecodeErrorKind {
    DecodeErrorKind::CountTooLarge { table, count }
}

#[test]
fn views_show_what_the_bytes_hold() {
    let batch = BatchView::strict(&BATCH).unwrap();
    assert_eq!(batch.diffs().len(), 1);
    let diff = batch.diffs().next().unwrap();
    assert_eq!(diff.component, 1);
    assert_eq!(diff.edits.get(0).unwrap().view(), EditView::PrependFrame { sibling: 0, frame: 0 });
    assert_eq!(diff.edits.get(1), Some(Edit::remove_attribute(1, "class")));
    assert_eq!(diff.edits.get(2), None);
    let frames = [
        Frame::element("p", 2),
        Frame::text("hello"),
        Frame::attribute_named(Name::new("class"), Value::Str("xxxxxxxxxxxx"), 5),
    ];
    assert!(batch.frames().eq(frames));
    assert_eq!(batch.frame(1), Some(frames[1]));
    assert_eq!(batch.frame(3), None);
    assert!(batch.strings().eq(["p", "hello", "class", "xxxxxxxxxxxx"]));
}

/// dotnet/aspnetcore#5561: a reader took the wrong width for one of the two arrays.
#[test]
fn disposed_ids_have_their_own_widths() {
    let batch = BatchView::strict(&BATCH).unwrap();
    assert!(batch.disposed_components().eq([3, 4]));
    assert!(batch.disposed_events().eq([7]));
}

#[test]
fn arrays_know_their_length_and_go_both_ways() {
    let batch = BatchView::strict(&BATCH).unwrap();
    let mut strings = batch.strings();
    assert_eq!(strings.len(), 4);
    assert_eq!(strings.next_back(), Some("xxxxxxxxxxxx"));
    assert_eq!(strings.nth(1), Some("hello"));
    assert_eq!(strings.len(), 1);
    assert_eq!(strings.get(0), Some("class"));
    assert_eq!(strings.nth(usize::MAX), None);
    assert!(strings.is_empty());
    assert_eq!(strings.next(), None);
    assert_eq!(strings.next_back(), None);
}

#[test]
fn trailer_that_is_cut_names_itself() {
    for len in 0..20 {
        let kind = DecodeErrorKind::TableTruncated { table: "trailer", needed: 20, available: len };
        refused(&BATCH[..len], 0, kind);
    }
}

#[test]
fn positions_of_the_sections_are_inside_and_in_order() {
    let tables = [
        (179, "updated components"),
        (183, "reference frames"),
        (187, "disposed components"),
        (191, "disposed event handlers"),
        (195, "string table"),
    ];
    for (at, table) in tables {
        for position in [-1, i32::MIN, i32::MAX, 199, 183] {
            refused(&with(at, &int(position)), at, bad_position(table, position.into()));
        }
    }
    // In order, and not where the section before ends.
    refused(&with(183, &int(0x31)), 183, bad_position("reference frames", 0x31));
    refused(&with(183, &int(0x2c)), 40, too_large("updated components", 1));
    // Before the section before.
    refused(&with(187, &int(0x30)), 187, bad_position("disposed components", 0x30));
    // No whole number of positions.
    refused(&with(195, &int(0xa4)), 195, bad_position("string table", 0xa4));
    // Room for one string position more, inside the string data.
    refused(&with(195, &int(0x9f)), 0x9f, bad_position("strings", 0x7878_7878));
}

#[test]
fn counts_fit_their_sections() {
    let tables = [
        (40, "updated components", 1),
        (48, "reference frames", 3),
        (112, "disposed components", 2),
        (124, "disposed event handlers", 1),
        (4, "edits", 2),
    ];
    for (at, table, count) in tables {
        // The last four, times the size of an entry, wrap to something small in 32 bits.
        for count in [-1, i32::MIN, i32::MAX, count + 5, 1 << 30, 1 << 29, 1 << 28, 0x0ccc_cccd] {
            refused(&with(at, &int(count)), at, too_large(table, count.into()));
        }
    }
    // One less than there is room for: the next section does not stand where this one ends.
    refused(&with(48, &int(2)), 187, bad_position("disposed components", 112));
    refused(&with(112, &int(1)), 191, bad_position("disposed event handlers", 124));
    refused(&with(40, &int(0)), 183, bad_position("reference frames", 48));
    refused(&with(4, &int(1)), 24, DecodeErrorKind::TrailingBytes { extra: 16 });
    refused(&with(124, &int(0)), 163, bad_position("strings", 136));
}

#[test]
fn diffs_stand_where_their_table_says() {
    for position in [-1, 1, 8, 40, i32::MAX] {
        refused(&with(44, &int(position)), 44, bad_position("updated components", position.into()));
    }
}

/// Frame kinds 0 and 11 of blazor-05, and those that look right in their low byte only.
#[test]
fn unknown_kinds_are_refused() {
    for (at, name) in [(8, "EditType"), (52, "FrameType")] {
        for kind in [0, 11, -1, 0x0001_0001] {
            let value = u64::from(i32::cast_unsigned(kind));
            let unknown = DecodeErrorKind::UnknownDiscriminant { name, value };
            refused(&with(at, &int(kind)), at, unknown);
        }
    }
}

#[test]
fn string_indexes_are_null_or_in_the_table() {
    // Name of an edit, element, text, attribute name, attribute value.
    for at in [36, 60, 76, 96, 100] {
        for index in [-2, 4, i32::MIN, i32::MAX] {
            let kind =
                DecodeErrorKind::IndexOutOfRange { table: "strings", index: index.into(), len: 4 };
            refused(&with(at, &int(index)), at, kind);
        }
        let bytes = with(at, &int(-1));
        BatchView::strict(&bytes).unwrap();
    }
    let bytes = with(76, &int(-1));
    assert_eq!(BatchView::strict(&bytes).unwrap().frame(1), Some(Frame::null_text()));
}

/// Each kind of frame and edit has its own unused bytes; lenient reads the record without them.
#[test]
fn unused_bytes_are_zero_in_strict_only() {
    // Kind, and which of the fields at 4, 8 and 12 it uses.
    let frames = [
        (1, [true, true, false]),
        (2, [true, false, false]),
        (3, [true, true, true]),
        (4, [true, true, false]),
        (5, [true, false, false]),
        (6, [true, false, false]),
        (7, [false, false, false]),
        (8, [true, false, false]),
        (9, [false, false, false]),
        (10, [false, false, false]),
    ];
    for (kind, used) in frames {
        for (field, used) in (0..).zip(used) {
            let at = 52 + 4 + 4 * field;
            let mut bytes = with(52, &hex!("00000000 00000000 00000000 0000000000000000"));
            bytes[52] = kind;
            let plain = BatchView::strict(&bytes).unwrap().frame(0);
            let mut changed = bytes.clone();
            changed[at] = 1;
            if used {
                assert_ne!(BatchView::strict(&changed).unwrap().frame(0), plain, "{kind} {field}");
            } else {
                let batch = strict_only(&changed, at, DecodeErrorKind::UnusedNotZero);
                assert_eq!(batch.frame(0), plain, "{kind} {field}");
            }
            // The last byte of the event handler id's eight.
            let mut changed = bytes.clone();
            changed[71] = 1;
            assert_eq!(BatchView::strict(&changed).is_ok(), kind == 3);
        }
    }
    let edits = [
        (1, [true, true, false]),
        (2, [true, false, false]),
        (3, [true, true, false]),
        (4, [true, false, true]),
        (5, [true, true, false]),
        (6, [true, false, false]),
        (7, [false, false, false]),
        (8, [true, true, false]),
        (9, [true, true, false]),
        (10, [false, false, false]),
    ];
    for (kind, used) in edits {
        for (field, used) in (0..).zip(used) {
            let at = 8 + 4 + 4 * field;
            let mut bytes = with(8, &hex!("00000000 00000000 00000000 ffffffff"));
            bytes[8] = kind;
            let plain_bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&int(1));
            let plain = BatchView::strict(&plain_bytes).unwrap();
            if used {
                assert_ne!(first_edit(&BatchView::strict(&bytes).unwrap()), first_edit(&plain));
            } else {
                let wanted = if field == 2 {
                    DecodeErrorKind::UnusedNotNull
                } else {
                    DecodeErrorKind::UnusedNotZero
                };
                let batch = strict_only(&bytes, at, wanted);
                assert_eq!(first_edit(&batch), first_edit(&plain));
            }
        }
    }
    // An unused name may even be an index that no string has.
    let bytes = with(20, &int(99));
    strict_only(&bytes, 20, DecodeErrorKind::UnusedNotNull);
}

#[test]
fn length_prefixes_are_shortest_in_strict_only() {
    // "x" times 11 behind two bytes, 10 behind three, 9 behind four.
    for (prefix, left) in [(&hex!("8b00")[..], 11), (&hex!("8a8000"), 10), (&hex!("89808000"), 9)] {
        let bytes = with(150, prefix);
        let batch = strict_only(&bytes, 150, DecodeErrorKind::OverlongVarint);
        assert_eq!(batch.strings().get(3).unwrap(), "x".repeat(left));
    }
    for prefix in [hex!("8080808001"), hex!("ffffffff0f"), hex!("8880808000")] {
        refused(&with(150, &prefix), 150, DecodeErrorKind::VarintTooLong);
    }
}

#[test]
fn prefix_is_cut_by_the_end_of_the_string_data() {
    // The last string starts at the last byte, with a prefix that goes on.
    let mut bytes = with(162, &[0x81]);
    bytes[150] = 11;
    bytes[175..179].copy_from_slice(&int(162));
    refused(&bytes, 162, DecodeErrorKind::EndOfInput { needed: 2, available: 1 });
}

#[test]
fn strings_end_inside_the_string_data() {
    let needed = |needed| DecodeErrorKind::EndOfInput { needed, available: 13 };
    refused(&with(150, &[13]), 150, needed(14));
    refused(&with(150, &[127]), 150, needed(128));
    refused(&with(150, &hex!("ffffff7f")), 150, needed((1 << 28) + 3));
    for position in [-1, 0, 135, 163, 199, i32::MAX] {
        refused(&with(163, &int(position)), 163, bad_position("strings", position.into()));
    }
}

#[test]
fn strings_are_utf8() {
    for (at, bytes) in [
        (139, &hex!("ff")[..]),
        // A surrogate, an over-long form, a character cut by the string's end.
        (140, &hex!("eda080")),
        (140, &hex!("c0af")),
        (143, &hex!("c3")),
    ] {
        // All stand in "hello", whose first byte the error names.
        refused(&with(at, bytes), 139, DecodeErrorKind::InvalidUtf8);
    }
}

#[test]
fn strings_ascend_in_strict_only() {
    // The first two change places, in the table alone.
    let mut bytes = with(163, &int(138));
    bytes[167..171].copy_from_slice(&int(136));
    // Strict meets the first as a gap, and names the entry that goes back.
    let batch = strict_only(&bytes, 167, DecodeErrorKind::NotAscending { table: "strings" });
    assert!(batch.strings().eq(["hello", "p", "class", "xxxxxxxxxxxx"]));
    // Out of order does not mean out of the string data.
    bytes[171..175].copy_from_slice(&int(135));
    let error = DecodeError::new(171, bad_position("strings", 135));
    assert_eq!(BatchView::lenient(&bytes).unwrap_err(), error);
    // Two entries share a string.
    let bytes = with(167, &int(136));
    let batch = strict_only(&bytes, 167, DecodeErrorKind::NotAscending { table: "strings" });
    assert!(batch.strings().eq(["p", "p", "class", "xxxxxxxxxxxx"]));
}

/// Neither is one of the three things that lenient forgives.
#[test]
fn gaps_and_overlaps_of_ascending_strings_are_refused() {
    // "hell" leaves a byte over; "hello\u{5}" runs into "class".
    refused(&with(138, &[4]), 171, bad_position("strings", 144));
    refused(&with(138, &[6]), 171, bad_position("strings", 144));
    refused(&with(150, &[11]), 162, DecodeErrorKind::TrailingBytes { extra: 1 });
    // The first string does not start where the data does.
    let mut bytes = with(163, &int(137));
    bytes[137] = 0;
    refused(&bytes, 163, bad_position("strings", 137));
}

/// Many table entries that point at one long string would make reading quadratic.
#[test]
fn overlapping_strings_have_a_budget() {
    let long = 20_000;
    let mut bytes = vec![0; 16];
    bytes.extend([0x80 | (long & 0x7f) as u8, 0x80 | (long >> 7 & 0x7f) as u8, (long >> 14) as u8]);
    bytes.extend(vec![b'x'; long]);
    let table = bytes.len();
    let few = |entries: usize| {
        let mut bytes = bytes.clone();
        for _ in 0..entries {
            bytes.extend(int(16));
        }
        for position in [0, 4, 8, 12, table as i32] {
            bytes.extend(int(position));
        }
        bytes
    };
    let shared = few(16);
    assert_eq!(BatchView::lenient(&shared).unwrap().strings().len(), 16);
    let error = BatchView::lenient(&few(10_000)).unwrap_err();
    assert_eq!(error.kind, bad_position("strings", 16));
    assert!((table..table + 4 * 100).contains(&error.at), "{error}");
}

#[test]
fn errors_read_as_sentences() {
    let error = BatchView::strict(&with(60, &int(7))).unwrap_err();
    assert_eq!(error.to_string(), "index 7 is outside the 4 strings at byte 60");
    let view = BatchView::strict(&BATCH).unwrap();
    assert!(matches!(view.frame(2).unwrap().view(), FrameView::Attribute { event: 5, .. }));
}
