//! Sources.

use core::hint::black_box;

use onewrite::record::ReadRecord;
use onewrite::render_batch::{EditRecord, FrameRecord};
use onewrite::source::{SliceSource, Source, SourceExt};

use crate::driver::{DRIVERS, Driver};

#[inline(never)]
pub(crate) fn call() {
    slice(&mut SliceSource::new(black_box(&[1; 100])));
    borrowed(&mut SliceSource::new(black_box(&[1; 100])));
    for driver in DRIVERS {
        blocking(black_box(driver));
    }
}

fn slice(source: &mut SliceSource<'static>) {
    let mut records = [0; 20];
    let room = black_box(&mut records[..]);
    black_box(<SliceSource<'_> as Source>::read(black_box(source), room, black_box(5))).ok();
    black_box(<SliceSource<'_> as Source>::bytes_read(black_box(source)));
    black_box(<SliceSource<'_> as SourceExt>::record::<5>(black_box(source))).ok();
    let mut records = [[0; 5]; 4];
    let room = black_box(&mut records[..]);
    black_box(<SliceSource<'_> as SourceExt>::records::<5>(black_box(source), room)).ok();
    black_box(SliceSource::position(black_box(source)));
    black_box(SliceSource::rest(black_box(source)));
    black_box(<SliceSource<'_> as Default>::default());
    black_box(<SliceSource<'_> as ReadRecord>::read_record::<EditRecord>(source)).ok();
    let mut edits = [EditRecord { kind: 0, sibling: 0, index: 0, name: 0 }; 2];
    black_box(<SliceSource<'_> as ReadRecord>::read_records(source, black_box(&mut edits))).ok();
}

fn borrowed<'b>(mut source: &mut SliceSource<'b>) {
    let source = &mut source;
    let mut records = [0; 20];
    let room = black_box(&mut records[..]);
    black_box(<&mut SliceSource<'b> as Source>::read(black_box(source), room, black_box(5))).ok();
    black_box(<&mut SliceSource<'b> as Source>::bytes_read(black_box(source)));
}

#[inline(never)]
fn blocking(driver: Driver) {
    use onewrite::source::embedded_io::StreamSource;

    let mut source = StreamSource::new(driver);
    let mut records = [0; 20];
    let room = black_box(&mut records[..]);
    black_box(<StreamSource<Driver> as Source>::read(black_box(&mut source), room, black_box(5)))
        .ok();
    black_box(<StreamSource<Driver> as Source>::bytes_read(black_box(&source)));
    black_box(<StreamSource<Driver> as SourceExt>::record::<5>(black_box(&mut source))).ok();
    let mut records = [[0; 5]; 4];
    let room = black_box(&mut records[..]);
    black_box(<StreamSource<Driver> as SourceExt>::records::<5>(black_box(&mut source), room)).ok();
    black_box(<StreamSource<Driver> as ReadRecord>::read_record::<FrameRecord>(&mut source)).ok();
    let mut frames = [FrameRecord::text(0); 2];
    let room = black_box(&mut frames[..]);
    black_box(<StreamSource<Driver> as ReadRecord>::read_records(&mut source, room)).ok();
    black_box(StreamSource::bytes_read(black_box(&source)));
    black_box(StreamSource::is_poisoned(black_box(&source)));
    StreamSource::reset(black_box(&mut source));
    black_box(StreamSource::reader_mut(black_box(&mut source)));
    black_box(StreamSource::into_reader(source));
}
