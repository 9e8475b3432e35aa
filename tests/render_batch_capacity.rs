//! What a batch is refused for where it does not fit, alike through every exit of the writer.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]

use std::sync::OnceLock;

use onewrite::render_batch::{
    Batch, BatchError, BatchProducer, Diff, Edit, EditType, Frame, FrameType, Options, Place,
    Value, encoded_len, write_into,
};
use onewrite::sink::Producer as _;
use onewrite::string_table::{Interner, SlimStringTable, StringTable};

/// The smallest tables, and what they hold.
type Wide = StringTable<16>;
type Slim = SlimStringTable<16>;
const CAPACITY: usize = 14;
/// The most that a browser reads of a string.
const LONGEST: usize = (1 << 28) - 1;
/// Lengths of the scratch; a whole batch is one more.
const SCRATCHES: [usize; 4] = [20, 21, 64, 256];
/// Strings that no other part of a batch uses, for as many entries as are wanted.
const FILLERS: [&str; 20] = [
    "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12", "f13", "f14",
    "f15", "f16", "f17", "f18", "f19",
];

fn frame(index: usize, kind: FrameType) -> Place {
    Place::Frame { index, kind }
}

fn removal(diff: usize, index: usize) -> Place {
    Place::Edit { diff, index, kind: EditType::RemoveAttribute }
}

/// What `write_into` makes of `batch` with all the room there can be.
fn whole(batch: &Batch<'_>) -> Vec<u8> {
    let mut table = Box::new(StringTable::<256>::new());
    let mut out = vec![0xa5; encoded_len(&mut *table, batch).unwrap()];
    assert_eq!(write_into(&mut *table, batch, &mut out), Ok(out.len()));
    out
}

/// All that a producer gives, and what it ends with.
fn chunks<T: Interner>(
    producer: &mut BatchProducer<'_, T>,
    scratch: &mut [u8],
) -> (Vec<u8>, Result<(), BatchError>) {
    let mut out = Vec::new();
    loop {
        scratch.fill(0xa5);
        match producer.next_chunk(scratch) {
            Ok(0) => return (out, Ok(())),
            Ok(filled) => out.extend_from_slice(&scratch[..filled]),
            Err(error) => return (out, Err(error)),
        }
    }
}

/// Nothing of what went before shows in the next batch through `table` and `list`.
#[track_caller]
fn next_batch_is_right<T: Interner>(table: &mut T, list: &mut [u32], what: &str) {
    let frames = [
        Frame::element("f3", 3),
        Frame::attribute("f1", Value::Bool(true)),
        Frame::text("tail"),
        Frame::element("f3", 1),
    ];
    let batch = Batch { frames: &frames, ..Batch::default() };
    let wanted = whole(&batch);
    let mut out = vec![0xa5; wanted.len()];
    assert_eq!(write_into(table, &batch, &mut out), Ok(wanted.len()), "{what}");
    assert_eq!(out, wanted, "{what}");
    let mut own = [0xa5a5_a5a5; 4];
    let list = if list.len() < own.len() { &mut own } else { list };
    let mut producer = BatchProducer::new(table, list, &batch).unwrap();
    assert_eq!(chunks(&mut producer, &mut [0; 20]), (wanted, Ok(())), "{what}");
}

/// A producer ends in `error`, for good; what it gave before is how `right` starts.
#[track_caller]
fn chunks_refused<T: Interner>(
    table: &mut T,
    list: &mut [u32],
    batch: &Batch<'_>,
    right: &[u8],
    scratch: usize,
    error: BatchError,
) {
    let what = format!("scratch {scratch}");
    let mut scratch = vec![0; scratch];
    let mut producer = match BatchProducer::new(table, list, batch) {
        Ok(producer) => producer,
        Err(refused) => return assert_eq!(refused, error, "{what}"),
    };
    let (out, end) = chunks(&mut producer, &mut scratch);
    assert_eq!(end, Err(error), "{what}");
    assert!(right.starts_with(&out), "{what}: {out:x?} is not how {right:x?} starts");
    for len in [20, scratch.len(), 1000] {
        assert_eq!(producer.next_chunk(&mut vec![0; len]), Err(error), "{what}, again");
    }
    next_batch_is_right(table, list, &what);
}

/// Every exit ends in `error`, with a table of either kind.
#[track_caller]
fn refused(batch: &Batch<'_>, right: &[u8], error: BatchError) {
    refused_with(&mut Wide::new(), batch, right, error);
    refused_with(&mut Slim::new(), batch, right, error);
}

#[track_caller]
fn refused_with<T: Interner>(table: &mut T, batch: &Batch<'_>, right: &[u8], error: BatchError) {
    let mut list = [0xa5a5_a5a5; 64];
    assert_eq!(encoded_len(table, batch), Err(error), "encoded_len");
    // A buffer that is too small as well does not hide it.
    for len in [0, 100, right.len(), right.len() + 1000] {
        assert_eq!(write_into(table, batch, &mut vec![0; len]), Err(error), "buffer of {len}");
        next_batch_is_right(table, &mut list, "in place");
    }
    for scratch in SCRATCHES.into_iter().chain([right.len().max(20)]) {
        chunks_refused(table, &mut list, batch, right, scratch, error);
    }
}

/// A batch with its strings in every place that has some.
struct Everywhere<'a> {
    edits: [Vec<Edit<'a>>; 2],
    frames: Vec<Frame<'a>>,
    /// Where each string stands that is numbered, in the order of the numbers, and whether it is
    /// shared.
    strings: Vec<(Place, bool)>,
}

impl<'a> Everywhere<'a> {
    /// With `fillers` shared strings before, in the edits of diff 1; diffs 0 and 2 are empty.
    fn after(fillers: usize) -> Self {
        let first: Vec<_> =
            FILLERS[..fillers].iter().map(|name| Edit::remove_attribute(0, name)).collect();
        let second = vec![
            Edit::step_in(0),
            Edit::remove_attribute(1, "removed"),
            Edit::remove_attribute(2, "removed"),
            Edit::step_out(),
            Edit::remove_attribute(3, "removed too"),
        ];
        let frames = vec![
            Frame::region(1),
            Frame::element("div", 9),
            Frame::attribute("class", Value::Str("even")),
            Frame::attribute("removed", Value::Str("even")),
            Frame::attribute("checked", Value::Bool(true)),
            Frame::attribute("id", Value::Null),
            Frame::text("\n    "),
            Frame::text("text"),
            Frame::markup("<b>"),
            Frame::element_reference_capture("r"),
            Frame::text("\n    "),
            Frame::element("checked", 1),
            Frame::element("p", 1),
        ];
        let mut strings: Vec<_> = (0..fillers).map(|index| (removal(1, index), true)).collect();
        strings.extend([
            (removal(3, 1), true),
            (removal(3, 4), true),
            (frame(1, FrameType::Element), true),
            (frame(2, FrameType::Attribute), true),
            (frame(2, FrameType::Attribute), false),
            (frame(3, FrameType::Attribute), false),
            // The name, and then the empty string that stands for true.
            (frame(4, FrameType::Attribute), true),
            (frame(4, FrameType::Attribute), true),
            (frame(5, FrameType::Attribute), true),
            (frame(6, FrameType::Text), true),
            (frame(7, FrameType::Text), false),
            (frame(8, FrameType::Markup), false),
            (frame(9, FrameType::ElementReferenceCapture), false),
            (frame(12, FrameType::Element), true),
        ]);
        Self { edits: [first, second], frames, strings }
    }

    fn diffs(&'a self) -> [Diff<'a>; 4] {
        let diff = |component, edits| Diff { component, edits };
        let [first, second] = &self.edits;
        [diff(1, &[]), diff(2, first), diff(3, &[]), diff(4, second)]
    }

    /// Both with and without its empty diffs: neither changes where a string stands.
    fn each_batch(&self, run: impl Fn(&Batch<'_>)) {
        for skip_empty_diffs in [false, true] {
            for js_safe in [false, true] {
                run(&Batch {
                    diffs: &self.diffs(),
                    frames: &self.frames,
                    disposed_components: &[7, 8],
                    disposed_events: &[9],
                    options: Options { skip_empty_diffs, js_safe },
                });
            }
        }
    }
}

/// The fifteenth shared string has no room, wherever it stands; unshared ones need none.
#[test]
fn full_string_tables_name_the_string() {
    let mut full = 0;
    for fillers in 0..=CAPACITY + 1 {
        let everywhere = Everywhere::after(fillers);
        let fifteenth =
            everywhere.strings.iter().filter(|(_, shared)| *shared).nth(CAPACITY).copied();
        everywhere.each_batch(|batch| {
            let right = whole(batch);
            match fifteenth {
                Some((at, _)) => {
                    refused(batch, &right, BatchError::StringTableFull { needed: 15, at });
                }
                None => fits(batch, &right),
            }
        });
        full += usize::from(fifteenth.is_some());
    }
    assert_eq!(full, 10, "each of nine shared strings, and a filler, was the fifteenth");
}

/// Every exit writes `right`, with a table of either kind.
#[track_caller]
fn fits(batch: &Batch<'_>, right: &[u8]) {
    fits_with(&mut Wide::new(), batch, right);
    fits_with(&mut Slim::new(), batch, right);
}

#[track_caller]
fn fits_with<T: Interner>(table: &mut T, batch: &Batch<'_>, right: &[u8]) {
    assert_eq!(encoded_len(table, batch), Ok(right.len()));
    let mut out = vec![0xa5; right.len()];
    assert_eq!(write_into(table, batch, &mut out), Ok(right.len()));
    assert_eq!(out, right);
    for scratch in SCRATCHES.into_iter().chain([right.len()]) {
        let mut list = [0xa5a5_a5a5; 64];
        let mut producer = BatchProducer::new(table, &mut list, batch).unwrap();
        let given = chunks(&mut producer, &mut vec![0; scratch]);
        assert_eq!(given, (right.to_vec(), Ok(())), "scratch {scratch}");
    }
}

/// Every string takes an entry, but a shared one takes it once. Only the producer has a list, and
/// not even that where the batch fits the scratch whole.
#[test]
fn full_string_lists_name_the_string() {
    let everywhere = Everywhere::after(3);
    everywhere.each_batch(|batch| {
        string_lists(&mut Wide::new(), batch, &everywhere.strings);
        string_lists(&mut Slim::new(), batch, &everywhere.strings);
    });
}

#[track_caller]
fn string_lists<T: Interner>(table: &mut T, batch: &Batch<'_>, strings: &[(Place, bool)]) {
    let right = whole(batch);
    assert!(right.len() > 256, "no scratch holds it whole");
    let mut list = vec![0xa5a5_a5a5; strings.len()];
    for (len, (at, _)) in strings.iter().enumerate() {
        let error = BatchError::StringListFull { needed: len + 1, at: *at };
        for scratch in SCRATCHES.into_iter().chain([right.len() - 1]) {
            chunks_refused(table, &mut list[..len], batch, &right, scratch, error);
        }
        let mut producer = BatchProducer::new(table, &mut list[..len], batch).unwrap();
        let given = chunks(&mut producer, &mut vec![0; right.len()]);
        assert_eq!(given, (right.clone(), Ok(())), "{len} entries, whole");
    }
    for scratch in SCRATCHES {
        let mut producer = BatchProducer::new(table, &mut list, batch).unwrap();
        let given = chunks(&mut producer, &mut vec![0; scratch]);
        assert_eq!(given, (right.clone(), Ok(())), "scratch {scratch}");
    }
}

/// Any room but enough is an error that says how much is enough.
#[test]
fn small_buffers_are_told_the_length() {
    let everywhere = Everywhere::after(2);
    everywhere.each_batch(|batch| {
        small_buffers(&mut Wide::new(), batch);
        small_buffers(&mut Slim::new(), batch);
    });
}

fn small_buffers<T: Interner>(table: &mut T, batch: &Batch<'_>) {
    let right = whole(batch);
    let needed = right.len();
    for available in 0..needed {
        let mut out = vec![0; available];
        let error = BatchError::BufferTooSmall { needed, available };
        assert_eq!(write_into(table, batch, &mut out), Err(error));
    }
    next_batch_is_right(table, &mut [0; 4], "after a small buffer");
}

/// A scratch below 20 bytes gives nothing, takes nothing, and the next one goes on.
#[test]
fn small_scratches_change_nothing() {
    let everywhere = Everywhere::after(2);
    everywhere.each_batch(|batch| {
        small_scratches(&mut Wide::new(), batch);
        small_scratches(&mut Slim::new(), batch);
    });
}

fn small_scratches<T: Interner>(table: &mut T, batch: &Batch<'_>) {
    let right = whole(batch);
    let mut list = [0; 64];
    let mut producer = BatchProducer::new(table, &mut list, batch).unwrap();
    let mut out = Vec::new();
    let mut scratch = [0; 20];
    loop {
        for available in 0..20 {
            let mut small = [0xa5; 20];
            let refused = producer.next_chunk(&mut small[..available]);
            assert_eq!(refused, Err(BatchError::ScratchTooSmall { needed: 20, available }));
            assert_eq!(small, [0xa5; 20]);
        }
        match producer.next_chunk(&mut scratch).unwrap() {
            0 => break,
            filled => out.extend_from_slice(&scratch[..filled]),
        }
    }
    assert_eq!(out, right);
}

/// Every exit refuses an id above 2^53 - 1, a full table or list behind it notwithstanding, and
/// none does while `js_safe` is off.
#[test]
fn unsafe_event_ids_name_their_place() {
    let largest = (1 << 53) - 1;
    for fillers in [0, CAPACITY] {
        for id in [largest, largest + 1, u64::MAX] {
            let mut everywhere = Everywhere::after(fillers);
            everywhere.frames[4] = Frame::event_handler("onclick", id);
            let everywhere = everywhere;
            for (events, at) in [
                (&[9, id][..], None),
                (&[9, 10][..], Some(frame(4, FrameType::Attribute))),
                (&[9, id, 11][..], Some(frame(4, FrameType::Attribute))),
            ] {
                everywhere.each_batch(|batch| {
                    // Without the frame it is the disposed id.
                    let frames = if at.is_none() { &batch.frames[..4] } else { batch.frames };
                    let batch = Batch { frames, disposed_events: events, ..*batch };
                    let error = match at {
                        Some(at) => BatchError::EventIdTooLarge { at, id },
                        None => BatchError::DisposedEventIdTooLarge { index: 1, id },
                    };
                    if batch.options.js_safe && id > largest {
                        refused(&batch, &[], error);
                    } else if fillers == 0 {
                        fits(&batch, &whole(&batch));
                    } else {
                        let error = BatchError::StringTableFull { needed: 15, at: removal(3, 1) };
                        refused(&batch, &whole(&batch), error);
                    }
                });
            }
        }
    }
}

/// Empty diffs leave no trace, whether they are the first, the last, in the middle or all.
#[test]
fn skipped_diffs_leave_no_trace() {
    let edits = [Edit::remove_frame(3), Edit::remove_attribute(1, "class"), Edit::step_out()];
    let frames = [Frame::element("class", 1), Frame::text("text")];
    // A bit a diff: whether it has edits.
    for mask in 0..32_u32 {
        let diffs: Vec<_> = (0..5)
            .zip(-2..)
            .map(|(bit, component)| {
                let edits = if mask & 1 << bit == 0 { &[] } else { &edits[bit % 3..] };
                Diff { component, edits }
            })
            .collect();
        let some: Vec<_> = diffs.iter().copied().filter(|diff| !diff.edits.is_empty()).collect();
        let options = Options { skip_empty_diffs: true, js_safe: mask & 1 == 0 };
        let plain = Batch {
            frames: &frames,
            disposed_components: &[1],
            disposed_events: &[2],
            ..Batch::default()
        };
        let right = whole(&Batch { diffs: &some, ..plain });
        fits(&Batch { diffs: &diffs, options, ..plain }, &right);
        let skipped = diffs.len() - some.len();
        let kept = whole(&Batch { diffs: &diffs, ..plain });
        assert_eq!(kept.len(), right.len() + 12 * skipped);
        fits(&Batch { diffs: &diffs, ..plain }, &kept);
    }
}

/// One string for all tests that need a long one: 256 MiB.
fn long() -> &'static str {
    static LONG: OnceLock<String> = OnceLock::new();
    LONG.get_or_init(|| "x".repeat(LONGEST + 1))
}

/// A batch with `string` in one place, behind others that are short.
fn with_string(place: usize, string: &str, run: impl FnOnce(&Batch<'_>, Place)) {
    let mut edits = vec![Edit::step_in(0), Edit::remove_attribute(1, "removed")];
    let mut frames = vec![Frame::element("div", 3), Frame::text("text")];
    let at = match place {
        0 => {
            edits.push(Edit::remove_attribute(0, string));
            removal(1, 2)
        }
        1 => {
            frames.push(Frame::element(string, 1));
            frame(2, FrameType::Element)
        }
        2 => {
            frames.push(Frame::attribute(string, Value::Null));
            frame(2, FrameType::Attribute)
        }
        3 => {
            frames.push(Frame::attribute("class", Value::Str(string)));
            frame(2, FrameType::Attribute)
        }
        4 => {
            frames.push(Frame::text(string));
            frame(2, FrameType::Text)
        }
        5 => {
            frames.push(Frame::markup(string));
            frame(2, FrameType::Markup)
        }
        _ => {
            frames.push(Frame::element_reference_capture(string));
            frame(2, FrameType::ElementReferenceCapture)
        }
    };
    frames.push(Frame::markup("tail"));
    let diffs = [Diff { component: 1, edits: &[] }, Diff { component: 2, edits: &edits }];
    run(&Batch { diffs: &diffs, frames: &frames, ..Batch::default() }, at);
}

/// What is written before the string is what a short one in its place has before it.
#[test]
fn too_long_strings_name_their_place() {
    let len = LONGEST + 1;
    for place in 0..7 {
        let mut right = Vec::new();
        with_string(place, "x", |batch, _| right = whole(batch));
        with_string(place, long(), |batch, at| {
            refused(batch, &right, BatchError::StringTooLong { len, at });
        });
        // One byte less is no error, and a prefix of four bytes.
        with_string(place, &long()[1..], |batch, _| {
            let added = (3 + LONGEST) - 1;
            assert_eq!(encoded_len(&mut Wide::new(), batch), Ok(right.len() + added));
            assert_eq!(encoded_len(&mut Slim::new(), batch), Ok(right.len() + added));
            let available = right.len();
            let error = BatchError::BufferTooSmall { needed: available + added, available };
            let refused = write_into(&mut Wide::new(), batch, &mut vec![0; available]);
            assert_eq!(refused, Err(error));
        });
    }
}

/// A string that finds the table full is too long first. A full list is met before its length is.
#[test]
fn too_long_strings_hide_a_full_table() {
    let fillers: Vec<_> = FILLERS[..CAPACITY].iter().map(|name| Frame::element(name, 1)).collect();
    for (last, short) in [
        (Frame::element(long(), 1), Frame::element("x", 1)),
        (Frame::markup(long()), Frame::markup("x")),
    ] {
        let frames: Vec<_> = fillers.iter().copied().chain([short]).collect();
        let right = whole(&Batch { frames: &frames, ..Batch::default() });
        let frames: Vec<_> = fillers.iter().copied().chain([last]).collect();
        let batch = Batch { frames: &frames, ..Batch::default() };
        let at = frame(CAPACITY, last.kind());
        refused(&batch, &right, BatchError::StringTooLong { len: LONGEST + 1, at });
        let error = BatchError::StringListFull { needed: CAPACITY + 1, at };
        for scratch in SCRATCHES {
            let list = &mut [0; CAPACITY];
            chunks_refused(&mut Wide::new(), list, &batch, &right, scratch, error);
            chunks_refused(&mut Slim::new(), list, &batch, &right, scratch, error);
        }
    }
}

/// The largest position on the wire.
const LAST: usize = i32::MAX as usize;

/// Diffs that borrow the same edits over and over, so that with `rest` bytes of other tables the
/// string data starts at `start`.
fn diffs_up_to<'a>(start: usize, rest: usize, edits: &'a [Edit<'a>]) -> Vec<Diff<'a>> {
    // Four counts; then head and position of each diff.
    let bytes = start - 4 * 4 - rest;
    let count = (1400..1404).find(|count| (bytes - 12 * count).is_multiple_of(16)).unwrap();
    let number = (bytes - 12 * count) / 16;
    let (each, more) = (number / count, number % count);
    (0..count)
        .map(|index| Diff {
            component: 1,
            edits: &edits[..each + if index == 0 { more } else { 0 }],
        })
        .collect()
}

/// The string data is what starts last, whatever table makes the batch that long. Refused before
/// the first record, and before anything else.
#[test]
fn tables_past_the_last_position_are_refused() {
    let edits = vec![Edit::remove_attribute(0, "class"); 100_000];
    let frames = [Frame::event_handler("onclick", u64::MAX); 3];
    let plain = Batch::default();
    for (bytes, batch) in [
        (0, plain),
        (3 * 20, Batch { frames: &frames, ..plain }),
        (4 * 8, Batch { disposed_components: &[0; 8], ..plain }),
        (8 * 8, Batch { disposed_events: &[u64::MAX; 8], ..plain }),
    ] {
        // All that stands before the strings has multiples of four bytes.
        let diffs = diffs_up_to(LAST - 3, bytes, &edits);
        let (mut table, mut list) = (Wide::new(), [0; 9]);
        let batch = Batch { diffs: &diffs, ..batch };
        let mut producer = BatchProducer::new(&mut table, &mut list, &batch).unwrap();
        assert_eq!(producer.next_chunk(&mut [0; 24]), Ok(24));
        for past in [1, 5, 9, 13, 1001] {
            let diffs = diffs_up_to(LAST + past, bytes, &edits);
            for js_safe in [false, true] {
                let options = Options { js_safe, skip_empty_diffs: true };
                let batch = Batch { diffs: &diffs, options, ..batch };
                refused(&batch, &[], BatchError::BatchTooLong);
            }
        }
    }
    // Already the diffs, and so many that their bytes would not be counted in 32 bits.
    for count in [1343, 2700, 5400] {
        let diffs = vec![Diff { component: 1, edits: &edits }; count];
        let batch = Batch { diffs: &diffs, ..plain };
        refused(&batch, &[], BatchError::BatchTooLong);
    }
}

/// Frames whose strings end at `end`: `before`, and then markup that is one long string.
fn frames_up_to<'a>(end: usize, before: &[Frame<'a>], string_bytes: usize) -> Vec<Frame<'a>> {
    let mut frames = before.to_vec();
    let mut left = end - 4 * 4 - string_bytes - 20 * (before.len() + 9);
    for _ in 0..8 {
        let len = (left - 4).min(LONGEST);
        frames.push(Frame::markup(&long()[..len]));
        left -= 4 + len;
    }
    assert_eq!(left, 0);
    frames
}

/// A string and what comes of it where the data of all before it ends at the last position.
struct LastStraw {
    /// Distinct shared strings before.
    fillers: usize,
    frame: Frame<'static>,
    refused: Option<BatchError>,
}

/// No string may end past the last position, however short it is and whatever else is full.
const LAST_STRAWS: [LastStraw; 7] = {
    const TOO_LONG: Option<BatchError> = Some(BatchError::BatchTooLong);
    const AT: Place = Place::Frame { index: 22, kind: FrameType::Element };
    const FULL: Option<BatchError> = Some(BatchError::StringTableFull { needed: 15, at: AT });
    [
        LastStraw { fillers: 3, frame: Frame::element("f1", 1), refused: None },
        LastStraw { fillers: 3, frame: Frame::markup(""), refused: TOO_LONG },
        LastStraw { fillers: 3, frame: Frame::element("p", 1), refused: TOO_LONG },
        // The table is full with the string, or was full and has no need to take it.
        LastStraw { fillers: 13, frame: Frame::element("p", 1), refused: TOO_LONG },
        LastStraw { fillers: 14, frame: Frame::markup("p"), refused: TOO_LONG },
        LastStraw { fillers: 14, frame: Frame::element("f1", 1), refused: None },
        LastStraw { fillers: 14, frame: Frame::element("p", 1), refused: FULL },
    ]
};

/// Calls `run` with each batch, and what comes of it: the length, or the error.
fn last_straws(run: fn(&Batch<'_>, Result<usize, BatchError>)) {
    for LastStraw { fillers, frame, refused } in LAST_STRAWS {
        let mut names: Vec<_> = FILLERS.map(|name| Frame::element(name, 1)).into();
        names.truncate(fillers);
        let bytes = FILLERS[..fillers].iter().map(|name| 1 + name.len()).sum();
        let mut frames = frames_up_to(LAST, &names, bytes);
        frames.push(frame);
        let wanted = match refused {
            Some(error) => Err(error),
            // The string table is behind all positions but its own.
            None => Ok(LAST + 4 * (fillers + 8) + 20),
        };
        run(&Batch { frames: &frames, ..Batch::default() }, wanted);
    }
}

#[test]
fn strings_past_the_last_position_are_refused() {
    last_straws(|batch, wanted| {
        assert_eq!(encoded_len(&mut Wide::new(), batch), wanted);
        assert_eq!(encoded_len(&mut Slim::new(), batch), wanted);
        let needed = |needed| BatchError::BufferTooSmall { needed, available: 1000 };
        let wanted = wanted.map(needed).unwrap_or_else(|error| error);
        assert_eq!(write_into(&mut Wide::new(), batch, &mut [0; 1000]), Err(wanted));
        assert_eq!(write_into(&mut Slim::new(), batch, &mut [0; 1000]), Err(wanted));
    });
}

#[test]
#[ignore = "copies 15 GB: more than a minute in a debug build"]
fn chunks_of_strings_past_the_last_position_are_refused() {
    last_straws(|batch, wanted| {
        let (mut table, mut list) = (Wide::new(), [0; 64]);
        let mut producer = BatchProducer::new(&mut table, &mut list, batch).unwrap();
        let mut scratch = vec![0; 1 << 16];
        let mut given = 0;
        let end = loop {
            match producer.next_chunk(&mut scratch) {
                Ok(0) => break Ok(given),
                Ok(filled) => given += filled,
                Err(error) => break Err(error),
            }
        };
        assert_eq!(end, wanted);
        assert!(given <= LAST + 200, "{given}");
        if end.is_err() {
            assert_eq!(producer.next_chunk(&mut scratch), end);
        }
    });
}

#[test]
fn errors_read_as_sentences() {
    let at = frame(2, FrameType::Attribute);
    for (error, sentence) in [
        (
            BatchError::BufferTooSmall { needed: 36, available: 35 },
            "batch takes 36 bytes, buffer has 35",
        ),
        (BatchError::BatchTooLong, "batch exceeds the positions of the wire format"),
        (
            BatchError::EventIdTooLarge { at, id: 1 << 53 },
            "event handler id 9007199254740992 of frame 2 (Attribute) exceeds 2^53 - 1",
        ),
        (
            BatchError::DisposedEventIdTooLarge { index: 4, id: 1 << 53 },
            "disposed event handler id 9007199254740992 at 4 exceeds 2^53 - 1",
        ),
        (
            BatchError::ScratchTooSmall { needed: 20, available: 19 },
            "scratch of 19 bytes is smaller than a record of 20",
        ),
        (
            BatchError::StringListFull { needed: 3, at },
            "string list is full: at least 3 strings, the last in frame 2 (Attribute)",
        ),
        (
            BatchError::StringTableFull { needed: 15, at: removal(1, 3) },
            "string table is full: at least 15 shared strings, the last in edit 3 \
             (RemoveAttribute) of diff 1",
        ),
        (
            BatchError::StringTooLong { len: LONGEST + 1, at },
            "string of 268435456 bytes in frame 2 (Attribute) exceeds 2^28 - 1",
        ),
    ] {
        assert_eq!(error.to_string(), sentence);
    }
}
