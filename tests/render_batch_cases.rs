//! Render batches in trouble: reported cases by their id, random batches, and damaged ones.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "a test may panic"
)]

#[path = "render_batch/model.rs"]
mod model;
#[path = "render_batch/random.rs"]
mod random;

use hex_literal::hex;
use model::{Model, encode};
use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::render_batch::{
    Batch, BatchError, BatchProducer, BatchView, Diff, Edit, Frame, FrameRecord, FrameType,
    FrameView, Options, Place, Value, encoded_len, validate_tree, write_into,
};
use onewrite::sink::Producer as _;
use onewrite::string_table::StringTable;

const SLOTS: usize = 1 << 10;

/// What `write_into` makes of `batch`, whose length was predicted.
fn written(batch: &Batch<'_>) -> Vec<u8> {
    let mut table = Box::new(StringTable::<SLOTS>::new());
    let mut out = vec![0xa5; encoded_len(&mut *table, batch).unwrap()];
    assert_eq!(write_into(&mut *table, batch, &mut out), Ok(out.len()));
    out
}

/// What a producer makes of `batch` with a scratch of `len` bytes.
fn produced(batch: &Batch<'_>, len: usize) -> Vec<u8> {
    let mut table = Box::new(StringTable::<SLOTS>::new());
    let mut strings = vec![0; 1 << 14];
    let mut producer = BatchProducer::new(&mut *table, &mut strings, batch).unwrap();
    let mut out = Vec::new();
    let mut scratch = vec![0xa5; len];
    loop {
        match producer.next_chunk(&mut scratch).unwrap() {
            0 => return out,
            filled => out.extend_from_slice(&scratch[..filled]),
        }
        scratch.fill(0xa5);
    }
}

/// blazor-01: event handler ids are 64 bits wide here and 53 in a browser.
#[test]
fn blazor_01_event_ids_are_exact_and_can_be_checked() {
    let largest = (1 << 53) - 1;
    for (id, wire) in [
        (largest, hex!("ffffffffffff1f00")),
        (1 << 53, hex!("0000000000002000")),
        (u64::MAX, hex!("ffffffffffffffff")),
    ] {
        let frames = [Frame::event_handler("onclick", id)];
        let batch = Batch { frames: &frames, disposed_events: &[id], ..Batch::default() };
        let bytes = written(&batch);
        assert_eq!(bytes, produced(&batch, 20));
        assert_eq!(bytes[8 + 12..8 + 20], wire);
        let view = BatchView::strict(&bytes).unwrap();
        let read = view.frame(0).unwrap().view();
        assert!(matches!(read, FrameView::Attribute { event, .. } if event == id));
        assert!(view.disposed_events().eq([id]));
        assert_eq!(validate_tree(&view).is_ok(), id <= largest);

        let mut table = StringTable::<16>::new();
        let safe = Batch { options: Options { js_safe: true, ..Options::default() }, ..batch };
        let refused = write_into(&mut table, &safe, &mut [0; 200]);
        let at = Place::Frame { index: 0, kind: FrameType::Attribute };
        let wanted = BatchError::EventIdTooLarge { at, id };
        assert_eq!(refused.err(), (id > largest).then_some(wanted));
        let safe = Batch { frames: &[], ..safe };
        let refused = write_into(&mut table, &safe, &mut [0; 200]);
        let wanted = BatchError::DisposedEventIdTooLarge { index: 0, id };
        assert_eq!(refused.err(), (id > largest).then_some(wanted));
    }
}

/// blazor-02: nothing of one batch shows in the next through the same table and scratch.
#[test]
fn blazor_02_reused_scratch_leaves_no_bytes() {
    let mut table = StringTable::<16>::new();
    let mut strings = [u32::MAX; 8];
    let mut scratch = [0xa5; 256];
    let full = [Frame::attribute_named(
        onewrite::render_batch::Name::new("onclick"),
        Value::Str("value"),
        u64::MAX,
    )];
    let first = Batch { frames: &full, ..Batch::default() };
    let sparse = [Frame::text("a"), Frame::region(1), Frame::element_reference_capture("r")];
    let second = Batch { frames: &sparse, ..Batch::default() };

    let mut producer = BatchProducer::new(&mut table, &mut strings, &first).unwrap();
    let len = producer.next_chunk(&mut scratch).unwrap();
    let mut a = [0; 256];
    a[..len].copy_from_slice(&scratch[..len]);
    let copy = a;
    let mut producer = BatchProducer::new(&mut table, &mut strings, &second).unwrap();
    let len = producer.next_chunk(&mut scratch).unwrap();
    let streamed = scratch[..len].to_vec();
    let mut b = [0xa5; 256];
    let len = write_into(&mut table, &second, &mut b).unwrap();
    assert_eq!(b[..len], streamed);
    assert_eq!(a, copy);
    for frame in b[8..68].as_chunks::<20>().0 {
        assert_eq!(frame[8..], [0; 12]);
    }
}

/// blazor-05: a batch without anything is 36 bytes.
#[test]
fn blazor_05_empty_batch() {
    let empty = hex!(
        "00000000 00000000 00000000 00000000"
        "00000000 04000000 08000000 0c000000 10000000"
    );
    assert_eq!(written(&Batch::default()), empty);
    assert_eq!(produced(&Batch::default(), 20), empty);
    let batch = BatchView::strict(&empty).unwrap();
    assert_eq!(batch.diffs().len() + batch.frames().len() + batch.strings().len(), 0);
    assert_eq!(batch.disposed_components().len() + batch.disposed_events().len(), 0);
    assert_eq!(validate_tree(&batch), Ok(()));
}

/// blazor-05: frames that carry nothing keep their place; kinds 0 and 11 cannot be built, and are
/// not read.
#[test]
fn blazor_05_frames_without_content() {
    let frames = [
        Frame::component_reference_capture(),
        Frame::component_render_mode(),
        Frame::named_event(),
    ];
    let bytes = written(&Batch { frames: &frames, ..Batch::default() });
    for (frame, kind) in bytes[8..68].as_chunks::<20>().0.iter().zip([7, 9, 10]) {
        assert_eq!(frame[0], kind);
        assert_eq!(frame[1..], [0; 19]);
    }
    let view = BatchView::strict(&bytes).unwrap();
    assert!(view.frames().eq(frames));
    for kind in [0, 11] {
        assert_eq!(FrameType::from_wire(kind), None);
        let mut bytes = bytes.clone();
        bytes[28] = kind as u8;
        let kind = DecodeErrorKind::UnknownDiscriminant {
            name: "FrameType",
            value: u64::from(kind.cast_unsigned()),
        };
        assert_eq!(BatchView::strict(&bytes).unwrap_err(), DecodeError::new(28, kind));
        assert_eq!(BatchView::lenient(&bytes).unwrap_err(), DecodeError::new(28, kind));
    }
}

/// blazor-06: an error for each corrupt trailer, with the table and the offset.
#[test]
fn blazor_06_corrupt_trailers() {
    let empty = written(&Batch::default());
    let position = |at, table, position| {
        DecodeError::new(at, DecodeErrorKind::BadPosition { table, position })
    };
    let truncated = |available| {
        let kind = DecodeErrorKind::TableTruncated { table: "trailer", needed: 20, available };
        DecodeError::new(0, kind)
    };
    let with = |at: usize, word: [u8; 4]| {
        let mut bytes = empty.clone();
        bytes[at..at + 4].copy_from_slice(&word);
        bytes
    };
    let frames = written(&Batch { frames: &[Frame::null_text()], ..Batch::default() });
    let mut index = frames;
    index[12..16].copy_from_slice(&hex!("05000000"));
    let cases = [
        (with(32, hex!("ffffffff")), position(32, "string table", -1)),
        (with(32, hex!("24000000")), position(32, "string table", 36)),
        (with(20, hex!("22000000")), position(20, "reference frames", 34)),
        (
            with(4, hex!("ffffff7f")),
            DecodeError::new(
                4,
                DecodeErrorKind::CountTooLarge {
                    table: "reference frames",
                    count: i32::MAX.into(),
                },
            ),
        ),
        (vec![], truncated(0)),
        (empty[..19].to_vec(), truncated(19)),
        (empty[16..].to_vec(), position(0, "updated components", 0)),
        (
            index,
            DecodeError::new(
                12,
                DecodeErrorKind::IndexOutOfRange { table: "strings", index: 5, len: 0 },
            ),
        ),
    ];
    for (bytes, error) in cases {
        assert_eq!(BatchView::strict(&bytes).unwrap_err(), error);
        assert_eq!(BatchView::lenient(&bytes).unwrap_err(), error);
    }
}

/// blazor-07: arrays of ids around every border of the scratch.
#[test]
fn blazor_07_id_arrays_across_scratches() {
    for scratch in [20, 21, 24, 63, 64, 256, 257] {
        let (ints, longs) = (scratch / 4, scratch / 8);
        for n in [
            0,
            1,
            longs - 1,
            longs,
            longs + 1,
            3 * longs + 1,
            ints - 1,
            ints,
            ints + 1,
            3 * ints + 1,
        ] {
            let components: Vec<_> = (0..n as i32).collect();
            let events: Vec<_> =
                (0..n as u64).map(|i| i.wrapping_mul(0x0101_0101_0101_0101)).collect();
            let batch = Batch {
                disposed_components: &components,
                disposed_events: &events,
                ..Batch::default()
            };
            let mut wanted = vec![0; 8];
            wanted.extend((n as i32).to_le_bytes());
            wanted.extend(components.iter().flat_map(|id| id.to_le_bytes()));
            let events_at = wanted.len() as i32;
            wanted.extend((n as i32).to_le_bytes());
            wanted.extend(events.iter().flat_map(|id| id.to_le_bytes()));
            let end = wanted.len() as i32;
            for position in [0, 4, 8, events_at, end] {
                wanted.extend(position.to_le_bytes());
            }
            assert_eq!(produced(&batch, scratch), wanted, "{n} ids, scratch {scratch}");
            assert_eq!(written(&batch), wanted, "{n} ids");
            let view = BatchView::strict(&wanted).unwrap();
            assert!(view.disposed_components().eq(components.iter().copied()));
            assert!(view.disposed_events().eq(events.iter().copied()));
        }
    }
}

/// dotnet/aspnetcore#45831: components without edits cost 12 bytes each, unless they are skipped.
#[test]
fn skipped_components_leave_no_trace() {
    let edits = [Edit::remove_frame(3), Edit::remove_attribute(1, "class")];
    let diff = |component, edits| Diff { component, edits };
    let all = [diff(1, &edits[..0]), diff(2, &edits), diff(3, &[]), diff(4, &edits[1..])];
    let some = [all[1], all[3]];
    let options = Options { skip_empty_diffs: true, ..Options::default() };
    let plain = Batch { diffs: &all, ..Batch::default() };
    let skipping = Batch { options, ..plain };
    let wanted = written(&Batch { diffs: &some, ..Batch::default() });
    assert_eq!(written(&skipping), wanted);
    assert_eq!(produced(&skipping, 20), wanted);
    assert_eq!(produced(&skipping, 256), wanted);
    assert_eq!(written(&plain).len(), wanted.len() + 2 * 12);
}

/// Random batches: the library's bytes are those of the plain encoder, and read back as built.
#[test]
fn random_batches_agree_with_the_plain_encoder() {
    for seed in 0..400 {
        let batch = random::batch(seed);
        let bytes = encode(&batch);
        agree(&batch, &bytes, &format!("seed {seed}"));
    }
}

/// Strings whose length prefix is about to grow by a byte, shared and not.
#[test]
fn prefixes_grow_where_they_must() {
    for len in [126, 127, 128, 129, 16_382, 16_383, 16_384, 16_385] {
        let long = "é".repeat(len / 2) + if len % 2 == 1 { "x" } else { "" };
        assert_eq!(long.len(), len);
        let batch = Model {
            frames: vec![
                model::Frame::Element { name: Some(long.clone()), subtree: 1 },
                model::Frame::Text(Some(" ".repeat(len))),
                model::Frame::Markup(Some(long.clone())),
                model::Frame::Element { name: Some(long), subtree: 1 },
                model::Frame::Text(Some(" ".repeat(len))),
            ],
            ..Model::default()
        };
        agree(&batch, &encode(&batch), &format!("length {len}"));
    }
}

/// Reader and writer, in place and in chunks, agree with `bytes`.
#[track_caller]
fn agree(model: &Model, bytes: &[u8], what: &str) {
    let edits = model.edits();
    let diffs: Vec<_> = model
        .diffs
        .iter()
        .zip(&edits)
        .map(|((component, _), edits)| Diff { component: *component, edits })
        .collect();
    let frames = model.frames();
    let batch = Batch {
        diffs: &diffs,
        frames: &frames,
        disposed_components: &model.disposed_components,
        disposed_events: &model.disposed_events,
        ..Batch::default()
    };
    assert!(written(&batch) == bytes, "{what}: in place");
    for scratch in [20, 47, 256] {
        assert!(produced(&batch, scratch) == bytes, "{what}: scratch {scratch}");
    }
    let view = BatchView::strict(bytes).unwrap();
    assert_eq!(view.diffs().len(), diffs.len(), "{what}");
    for (read, diff) in view.diffs().zip(&diffs) {
        assert_eq!(read.component, diff.component, "{what}");
        assert!(read.edits.eq(diff.edits.iter().copied()), "{what}");
    }
    assert!(view.frames().map(|frame| frame.view()).eq(frames.iter().map(Frame::view)), "{what}");
    assert!(view.disposed_components().eq(model.disposed_components.iter().copied()), "{what}");
    assert!(view.disposed_events().eq(model.disposed_events.iter().copied()), "{what}");
    assert_eq!(validate_tree(&view), validate_tree(&batch), "{what}");
}

/// Reads everything that a reader lets through; none of it may panic or go on for ever.
fn read_all(batch: &BatchView<'_>) -> usize {
    let mut seen = batch.strings().map(str::len).sum::<usize>();
    seen += batch.diffs().map(|diff| diff.edits.count()).sum::<usize>();
    seen += batch.frames().count();
    seen += batch.disposed_components().count() + batch.disposed_events().count();
    let _ = validate_tree(batch);
    seen
}

/// A batch of every kind, a few hundred bytes long.
fn every_kind() -> Vec<u8> {
    let frames = [
        Frame::element("div", 5),
        Frame::attribute("class", Value::Str("even")),
        Frame::event_handler("onclick", 7),
        Frame::element_reference_capture("r"),
        Frame::text("text"),
        Frame::component(4, 3),
        Frame::component_reference_capture(),
        Frame::component_render_mode(),
        Frame::region(1),
        Frame::markup("<b>"),
        Frame::named_event(),
    ];
    let edits = [
        Edit::prepend_frame(0, 0),
        Edit::step_in(0),
        Edit::remove_attribute(0, "class"),
        Edit::update_text(0, 4),
        Edit::step_out(),
        Edit::permutation_list_entry(0, 1),
        Edit::permutation_list_end(),
    ];
    let diffs = [Diff { component: 1, edits: &edits }, Diff { component: -2, edits: &edits[..1] }];
    written(&Batch {
        diffs: &diffs,
        frames: &frames,
        disposed_components: &[3, -4],
        disposed_events: &[5, u64::MAX],
        ..Batch::default()
    })
}

/// core-06 and blazor-06: a batch that ends anywhere but at its end is refused.
#[test]
fn truncation_at_every_length_is_refused() {
    let bytes = every_kind();
    assert_eq!(read_all(&BatchView::strict(&bytes).unwrap()), 27 + 8 + 11 + 2 + 2);
    for len in 0..bytes.len() {
        let error = BatchView::strict(&bytes[..len]).unwrap_err();
        assert!(error.at <= len, "{len}: {error}");
        let error = BatchView::lenient(&bytes[..len]).unwrap_err();
        assert!(error.at <= len, "{len}: {error}");
    }
}

/// blazor-06: whatever one byte becomes, the batch is refused or can be read to its end, and what
/// strict takes lenient takes as well.
#[test]
fn every_value_of_every_byte_is_refused_or_readable() {
    let bytes = every_kind();
    let mut refused = 0;
    for at in 0..bytes.len() {
        for value in 0..=u8::MAX {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            let lenient = BatchView::lenient(&bytes);
            match BatchView::strict(&bytes) {
                Ok(batch) => {
                    read_all(&batch);
                    assert!(lenient.is_ok(), "{at}: {value}");
                }
                Err(error) => {
                    refused += 1;
                    assert!(error.at <= bytes.len(), "{at}: {value}: {error}");
                }
            }
            if let Ok(batch) = lenient {
                read_all(&batch);
            }
        }
    }
    assert!(refused > 100 * bytes.len(), "{refused} of {}", 256 * bytes.len());
}

/// What strict takes, and `RenderBatchWriter` could have written, comes back byte for byte.
#[test]
fn records_are_what_the_constructors_make() {
    let bytes = every_kind();
    let view = BatchView::strict(&bytes).unwrap();
    let at = bytes.len() - 16;
    let frames_at = i32::from_le_bytes(*bytes[at..].first_chunk().unwrap()) as usize;
    for (index, record) in
        bytes[frames_at + 4..].as_chunks::<20>().0.iter().take(view.frames().len()).enumerate()
    {
        let read = FrameRecord::from_bytes(record).unwrap();
        assert_eq!(read.to_bytes(), *record);
        assert_eq!(FrameType::from_wire(read.kind), view.frame(index).map(|frame| frame.kind()));
    }
}
