//! Batches: made, written in both ways, read back in both modes.

use core::convert::Infallible;
use core::hint::black_box;

use heapless::Vec;
use onewrite::render_batch::{
    self, Batch, BatchProducer, BatchView, Diff, DiffView, Edit, EditRecord, EditType, Frame,
    FrameRecord, FrameType, Item, Items, Name, Options, Value,
};
use onewrite::sink::embedded_io::StreamSink;
use onewrite::sink::{self, CountingSink, Producer, Sink, SliceSink};
use onewrite::string_table::{Interner, Keys, SlimStringTable, StringTable};

use crate::driver::{DRIVERS, Driver};

#[inline(never)]
pub(crate) fn call() {
    records();
    let frames = frames();
    let edits = edits();
    let diffs = [Diff { component: 1, edits: &edits }, Diff { component: 2, edits: &[] }];
    for number in 0..4 {
        let batch = Batch {
            diffs: &diffs,
            frames: &frames,
            disposed_components: &[3, 4, 5],
            disposed_events: &[6; 20],
            options: Options { skip_empty_diffs: number & 1 != 0, js_safe: number & 2 != 0 },
        };
        let batch = black_box(&batch);
        black_box(<Batch<'_> as Keys>::string(batch, black_box(3)));
        black_box(render_batch::validate_tree::<Batch<'_>>(batch)).ok();
        written(black_box(&mut StringTable::<64>::new()), batch);
        written(black_box(&mut SlimStringTable::<64>::new()), batch);
    }
}

/// A frame of each kind, with every choice of strings.
#[inline(never)]
fn frames() -> [Frame<'static>; 20] {
    let long = "a text of more than one hundred and twenty-eight bytes, whose length takes two \
                bytes on the wire, and which a chunk may therefore cut into pieces";
    [
        Frame::element(black_box("div"), black_box(12)),
        Frame::attribute(black_box("class"), black_box(Value::Str("count"))),
        Frame::attribute(black_box("hidden"), black_box(Value::Bool(true))),
        Frame::attribute_named(black_box(Name::NULL), black_box(Value::Null), black_box(0)),
        Frame::event_handler(black_box("onclick"), black_box(7)),
        Frame::element_named(black_box(Name::new(black_box("p"))), black_box(2)),
        Frame::text(black_box("Current count: 1")),
        Frame::text(black_box(" \n")),
        Frame::text(black_box(long)),
        Frame::null_text(),
        Frame::markup(black_box(long)),
        Frame::null_markup(),
        Frame::component(black_box(3), black_box(1)),
        Frame::region(black_box(1)),
        Frame::element_reference_capture(black_box("id")),
        Frame::null_element_reference_capture(),
        Frame::component_reference_capture(),
        Frame::component_render_mode(),
        Frame::named_event(),
        Frame::text(black_box("")),
    ]
}

/// An edit of each kind.
#[inline(never)]
fn edits() -> [Edit<'static>; 12] {
    [
        Edit::prepend_frame(black_box(0), black_box(0)),
        Edit::remove_frame(black_box(1)),
        Edit::set_attribute(black_box(0), black_box(1)),
        Edit::remove_attribute(black_box(0), black_box("class")),
        Edit::remove_attribute_named(black_box(0), black_box(Name::NULL)),
        Edit::update_text(black_box(0), black_box(6)),
        Edit::step_in(black_box(0)),
        Edit::update_markup(black_box(0), black_box(10)),
        Edit::step_out(),
        Edit::permutation_list_entry(black_box(0), black_box(1)),
        Edit::permutation_list_entry(black_box(1), black_box(0)),
        Edit::permutation_list_end(),
    ]
}

#[inline(never)]
fn records() {
    let mut record = FrameRecord::to_bytes(&FrameRecord::element(black_box(1), black_box(2)));
    FrameRecord::write_at(&FrameRecord::text(black_box(1)), black_box(&mut record));
    let frame = FrameRecord::attribute(black_box(1), black_box(2), black_box(3));
    FrameRecord::write_at(black_box(&frame), black_box(&mut record));
    black_box(FrameRecord::from_bytes(black_box(&record))).ok();
    let edit = EditRecord { kind: 1, sibling: 2, index: 3, name: 4 };
    let mut record = EditRecord::to_bytes(black_box(&edit));
    EditRecord::write_at(black_box(&edit), black_box(&mut record));
    black_box(EditRecord::from_bytes(black_box(&record))).ok();
    black_box(FrameType::from_wire(black_box(3)));
    black_box(EditType::from_wire(black_box(3)));
    black_box(Name::as_str(black_box(Name::new(black_box("class")))));
}

/// The batch through every writer and sink, and the bytes through both readers.
#[inline(never)]
fn written<T: Interner>(table: &mut T, batch: &Batch<'_>) {
    black_box(render_batch::encoded_len(black_box(table), batch)).ok();
    let mut out = [0; 2048];
    if let Ok(len) = render_batch::write_into(black_box(table), batch, black_box(&mut out)) {
        let bytes = out.get(..black_box(len)).unwrap_or_default();
        black_box(BatchView::lenient(black_box(bytes))).ok();
        if let Ok(view) = BatchView::strict(black_box(bytes)) {
            read(black_box(&view));
        }
    }
    black_box(render_batch::write_into(table, batch, black_box(&mut [0; 50]))).ok();
    streamed(table, batch);
}

#[inline(never)]
fn streamed<T: Interner>(table: &mut T, batch: &Batch<'_>) {
    let mut strings = [0; 64];
    let strings = black_box(&mut strings[..]);
    let mut scratch = [0; 64];
    let scratch = black_box(&mut scratch[..]);
    if let Ok(mut producer) = BatchProducer::new(table, strings, batch) {
        let producer = black_box(&mut producer);
        while let Ok(1..) = <BatchProducer<'_, T> as Producer>::next_chunk(producer, scratch) {
            black_box(&*scratch);
        }
    }
    let mut out = [0; 2048];
    pumped(table, strings, batch, &mut SliceSink::new(black_box(&mut out)), scratch);
    pumped(table, strings, batch, &mut CountingSink::new(), scratch);
    pumped(table, strings, batch, &mut Vec::<u8, 2048>::new(), scratch);
    let opaque: &mut dyn Sink<Error = Infallible> = &mut CountingSink::new();
    pumped(table, strings, batch, black_box(opaque), scratch);
    for driver in DRIVERS {
        let driver = black_box(driver);
        pumped(table, strings, batch, &mut StreamSink::new(driver), scratch);
        driven(table, strings, batch, driver);
    }
}

#[inline(never)]
fn pumped<T: Interner, S: Sink + ?Sized>(
    table: &mut T,
    strings: &mut [u32],
    batch: &Batch<'_>,
    sink: &mut S,
    scratch: &mut [u8],
) {
    if let Ok(mut producer) = BatchProducer::new(table, strings, batch) {
        black_box(sink::write_from(black_box(sink), &mut producer, scratch)).ok();
    }
}

#[inline(never)]
fn driven<T: Interner>(table: &mut T, strings: &mut [u32], batch: &Batch<'_>, driver: Driver) {
    if let Ok(mut producer) = BatchProducer::new(table, strings, batch) {
        black_box(StreamSink::pump(&mut StreamSink::new(driver), &mut producer)).ok();
    }
}

/// Everything that a view can be asked.
#[inline(never)]
fn read(view: &BatchView<'_>) {
    black_box(render_batch::validate_tree::<BatchView<'_>>(view)).ok();
    black_box(BatchView::frame(view, black_box(3)));
    items(BatchView::disposed_components(view));
    items(BatchView::disposed_events(view));
    items(BatchView::strings(view));
    items(BatchView::frames(view));
    items(Items::<'_, Frame<'_>>::records(black_box(&BatchView::frames(view))));
    items(BatchView::diffs(view));
    for frame in BatchView::frames(view) {
        black_box(Frame::kind(black_box(&frame)));
        black_box(Frame::view(black_box(&frame)));
    }
    for DiffView { component, edits } in BatchView::diffs(view) {
        black_box(component);
        items(edits.clone());
        items(Items::<'_, Edit<'_>>::records(black_box(&edits)));
        for edit in edits {
            black_box(Edit::kind(black_box(&edit)));
            black_box(Edit::view(black_box(&edit)));
        }
    }
}

#[inline(never)]
fn items<'a, T: Item<'a>>(mut items: Items<'a, T>) {
    let items = black_box(&mut items);
    black_box(Items::is_empty(items));
    black_box(Items::get(items, black_box(1)));
    let mut copy = <Items<'a, T> as Clone>::clone(items);
    black_box(<Items<'a, T> as Iterator>::size_hint(items));
    black_box(<Items<'a, T> as ExactSizeIterator>::len(items));
    black_box(<Items<'a, T> as Iterator>::next(items));
    black_box(<Items<'a, T> as Iterator>::nth(items, black_box(2)));
    black_box(<Items<'a, T> as DoubleEndedIterator>::next_back(items));
    for item in black_box(&mut copy) {
        black_box(item);
    }
}
