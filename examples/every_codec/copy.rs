//! Records that lie in memory as on the wire.

use core::hint::black_box;

use heapless::Vec;
use onewrite::Record;
use onewrite::record::{self, CopyRecords};
use onewrite::sink::embedded_io::StreamSink;
use onewrite::sink::{CountingSink, SliceSink};
use zerocopy::{Immutable, IntoBytes};

use crate::driver::{DRIVERS, Driver};

#[derive(Clone, Copy, Record, IntoBytes, Immutable)]
#[repr(C)]
struct Little {
    kind: u32,
    flags: [u8; 4],
    time: u64,
}

/// Record by record on most machines.
#[derive(Clone, Copy, Record, IntoBytes, Immutable)]
#[record(endian = "big")]
#[repr(C)]
struct Big {
    port: u16,
    length: u16,
}

#[inline(never)]
pub(crate) fn call() {
    every_sink(&[Little { kind: 1, flags: [2; 4], time: 3 }; 3]);
    every_sink(&[Big { port: 80, length: 7 }; 100]);
}

#[inline(never)]
fn every_sink<R: Record + IntoBytes + Immutable>(records: &[R]) {
    let records = black_box(records);
    let mut buffer = [0; 64];
    black_box(record::wire_bytes(records));
    black_box(record::copy_slice(records, black_box(&mut buffer))).ok();
    let mut slice = SliceSink::new(black_box(&mut buffer));
    black_box(<SliceSink<'_> as CopyRecords>::copy_records(black_box(&mut slice), records)).ok();
    let mut count = CountingSink::new();
    black_box(<CountingSink as CopyRecords>::copy_records(black_box(&mut count), records)).ok();
    let mut list = Vec::<u8, 40>::new();
    black_box(<Vec<u8, 40> as CopyRecords>::copy_records(black_box(&mut list), records)).ok();
    for driver in DRIVERS {
        let mut stream = StreamSink::new(black_box(driver));
        black_box(<StreamSink<Driver> as CopyRecords>::copy_records(&mut stream, records)).ok();
    }
}
