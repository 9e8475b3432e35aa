//! Fields, records, and records into sinks.

use core::hint::black_box;
use core::marker::PhantomData;

use heapless::Vec;
use onewrite::buffer_for;
use onewrite::error::DecodeError;
use onewrite::record::{self, ByteArray, Endian, Field, Record, Scratch, WriteRecord};
use onewrite::render_batch::{EditRecord, FrameRecord};
use onewrite::sink::embedded_io::StreamSink;
use onewrite::sink::{CountingSink, SliceSink};

use crate::driver::{DRIVERS, Driver};

#[inline(never)]
pub(crate) fn call() {
    places();
    scratch();
    byte_array();
    fields();
    every_way::<FrameRecord>(&FrameRecord::attribute(black_box(1), black_box(2), black_box(3)));
    every_way::<EditRecord>(&EditRecord { kind: black_box(6), sibling: 2, index: 0, name: -1 });
    sinks();
}

fn places() {
    let mut bytes = [0; 8];
    record::put::<2, 4, 8>(black_box(&mut bytes), black_box(7u32).to_le_bytes());
    black_box(record::get::<2, 4, 8>(black_box(&bytes)));
}

fn scratch() {
    let mut scratch = Scratch::<8>::new();
    Scratch::put::<2, 4>(black_box(&mut scratch), black_box(7u32).to_be_bytes());
    black_box(Scratch::as_bytes(black_box(&scratch)));
    Scratch::clear(black_box(&mut scratch));
    black_box(Scratch::into_bytes(black_box(scratch)));
    black_box(<Scratch<8> as Default>::default());
}

fn byte_array() {
    let mut bytes = [0; 32];
    let mut array = [0; 5];
    black_box(<[u8; 5] as ByteArray>::as_slice(black_box(&array)));
    black_box(<[u8; 5] as ByteArray>::as_mut_slice(black_box(&mut array)));
    black_box(<[u8; 5] as ByteArray>::split_first(black_box(&bytes)));
    black_box(<[u8; 5] as ByteArray>::split_first_mut(black_box(&mut bytes)));
    black_box(<[u8; 5] as ByteArray>::chunks_mut(black_box(&mut bytes)));
    black_box(<[u8; 0] as ByteArray>::chunks_mut(black_box(&mut bytes)));
}

#[inline(never)]
fn fields() {
    both_orders::<u8>(1);
    both_orders::<u16>(1);
    both_orders::<u32>(1);
    both_orders::<u64>(1);
    both_orders::<u128>(1);
    both_orders::<i8>(-1);
    both_orders::<i16>(-1);
    both_orders::<i32>(-1);
    both_orders::<i64>(-1);
    both_orders::<i128>(-1);
    both_orders::<f32>(1.5);
    both_orders::<f64>(1.5);
    both_orders::<bool>(true);
    both_orders::<PhantomData<u8>>(PhantomData);
    both_orders::<[u16; 3]>([1; 3]);
    both_orders::<[[bool; 2]; 3]>([[true; 2]; 3]);
    both_orders::<[[u64; 0]; 3]>([[]; 3]);
    both_orders::<FrameRecord>(FrameRecord::text(3));
}

/// Writes and reads a field in both byte orders.
#[inline(never)]
fn both_orders<F: Field>(field: F) {
    let field = black_box(&field);
    for order in [Endian::Little, Endian::Big] {
        let mut bytes = [0; 64];
        <F as Field>::put(field, black_box(order), black_box(&mut bytes));
        black_box(<F as Field>::get(black_box(order), black_box(&bytes))).ok();
    }
}

/// Both directions of a record, and what the trait adds to them.
#[inline(never)]
pub(crate) fn every_way<R: Record>(record: &R) {
    let record = black_box(record);
    let mut bytes = <R as Record>::to_bytes(record);
    <R as Record>::write_at(record, black_box(&mut bytes));
    black_box(<R as Record>::from_bytes(black_box(&bytes))).ok();
    black_box(<R as Record>::from_slice(black_box(bytes.as_slice()))).ok();
    let read: Result<(R, &[u8]), DecodeError> =
        <R as Record>::take_from(black_box(bytes.as_slice()));
    black_box(read).ok();
    let mut out = [0; 1024];
    black_box(record::write_slice(black_box(core::slice::from_ref(record)), black_box(&mut out)))
        .ok();
}

#[inline(never)]
fn sinks() {
    let mut buffer = [0; 64];
    let frames = [FrameRecord::element(2, 0), FrameRecord::text(1)];
    let frames = black_box(&frames[..]);
    let mut out = buffer_for!(FrameRecord);
    black_box(record::write_slice(frames, black_box(&mut out))).ok();
    black_box(record::write_slice(frames, black_box(&mut buffer))).ok();

    let frame = FrameRecord::text(7);
    let frame = black_box(&frame);
    let mut slice = SliceSink::new(black_box(&mut buffer));
    black_box(<SliceSink<'_> as WriteRecord>::write_record(black_box(&mut slice), frame)).ok();
    black_box(<SliceSink<'_> as WriteRecord>::write_records(black_box(&mut slice), frames)).ok();
    let mut count = CountingSink::new();
    black_box(<CountingSink as WriteRecord>::write_record(black_box(&mut count), frame)).ok();
    black_box(<CountingSink as WriteRecord>::write_records(black_box(&mut count), frames)).ok();
    let mut list = Vec::<u8, 40>::new();
    black_box(<Vec<u8, 40> as WriteRecord>::write_record(black_box(&mut list), frame)).ok();
    black_box(<Vec<u8, 40> as WriteRecord>::write_records(black_box(&mut list), frames)).ok();
    for driver in DRIVERS {
        let mut stream = StreamSink::new(black_box(driver));
        black_box(<StreamSink<Driver> as WriteRecord>::write_record(&mut stream, frame)).ok();
        black_box(<StreamSink<Driver> as WriteRecord>::write_records(&mut stream, frames)).ok();
    }
}
