//! Sinks, and what pumps bytes into them.

use core::convert::Infallible;
use core::hint::black_box;

use heapless::Vec;
use onewrite::sink::{self, CountingSink, Producer, Sink, SinkExt, SliceSink};

use crate::driver::{DRIVERS, Driver};

/// Makes chunks of any length, also impossible ones.
#[derive(Debug)]
pub(crate) struct Chunks;

impl Producer for Chunks {
    type Error = u8;

    fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, u8> {
        black_box(scratch);
        black_box(Ok(0))
    }
}

#[inline(never)]
pub(crate) fn call() {
    let mut buffer = [0; 64];
    slice(black_box(&mut buffer));
    counting();
    vector(&mut Vec::new());
    borrowed(&mut SliceSink::new(black_box(&mut buffer)));
    opaque(black_box(&mut SliceSink::new(black_box(&mut buffer))));
    opaque(black_box(&mut CountingSink::new()));
    producer(&mut Chunks);
    for driver in DRIVERS {
        blocking(black_box(driver));
    }
}

fn slice(buffer: &mut [u8]) {
    let mut sink = SliceSink::new(buffer);
    black_box(<SliceSink<'_> as Sink>::write(black_box(&mut sink), black_box(b"abc"))).ok();
    black_box(<SliceSink<'_> as Sink>::reserve(black_box(&mut sink), black_box(9))).ok();
    black_box(<SliceSink<'_> as SinkExt>::record::<4>(black_box(&mut sink))).ok();
    black_box(<SliceSink<'_> as SinkExt>::records::<4>(black_box(&mut sink), black_box(2))).ok();
    black_box(SliceSink::written(black_box(&sink)));
    black_box(SliceSink::remaining(black_box(&sink)));
    black_box(sink::write_from(black_box(&mut sink), &mut Chunks, &mut [0; 16])).ok();
    black_box(SliceSink::into_written(sink));
    black_box(<SliceSink<'_> as Default>::default());
}

fn counting() {
    black_box(CountingSink::new());
    let mut sink = CountingSink::starting_at(black_box(usize::MAX - 5));
    black_box(<CountingSink as Sink>::write(black_box(&mut sink), black_box(b"abc"))).ok();
    black_box(<CountingSink as Sink>::reserve(black_box(&mut sink), black_box(3))).ok();
    black_box(<CountingSink as SinkExt>::record::<4>(black_box(&mut sink))).ok();
    black_box(<CountingSink as SinkExt>::records::<4>(black_box(&mut sink), black_box(2))).ok();
    black_box(sink::write_from(black_box(&mut sink), &mut Chunks, &mut [0; 16])).ok();
    black_box(CountingSink::written(black_box(&sink)));
}

fn vector(sink: &mut Vec<u8, 40>) {
    black_box(<Vec<u8, 40> as Sink>::write(black_box(sink), black_box(b"abc"))).ok();
    black_box(<Vec<u8, 40> as Sink>::reserve(black_box(sink), black_box(9))).ok();
    black_box(<Vec<u8, 40> as SinkExt>::record::<4>(black_box(sink))).ok();
    black_box(<Vec<u8, 40> as SinkExt>::records::<4>(black_box(sink), black_box(2))).ok();
    black_box(sink::write_from(black_box(sink), &mut Chunks, &mut [0; 16])).ok();
}

fn borrowed<'b>(mut sink: &mut SliceSink<'b>) {
    let sink = &mut sink;
    black_box(<&mut SliceSink<'b> as Sink>::write(black_box(sink), black_box(b"abc"))).ok();
    black_box(<&mut SliceSink<'b> as Sink>::reserve(black_box(sink), black_box(9))).ok();
    <&mut SliceSink<'b> as Sink>::poison(black_box(sink));
}

/// Through a table of functions, as behind a facade of one's own.
fn opaque(sink: &mut dyn Sink<Error = Infallible>) {
    black_box(Sink::write(black_box(sink), black_box(b"abc"))).ok();
    black_box(Sink::reserve(black_box(sink), black_box(9))).ok();
    Sink::poison(black_box(sink));
    black_box(SinkExt::record::<4>(black_box(sink))).ok();
    black_box(SinkExt::records::<4>(black_box(sink), black_box(2))).ok();
    black_box(sink::write_from(sink, &mut Chunks, &mut [0; 16])).ok();
}

fn producer(mut producer: &mut Chunks) {
    let mut scratch = [0; 16];
    let producer = black_box(&mut producer);
    black_box(<&mut Chunks as Producer>::next_chunk(producer, black_box(&mut scratch))).ok();
}

#[inline(never)]
fn blocking(driver: Driver) {
    use onewrite::sink::embedded_io::StreamSink;

    let mut sink = StreamSink::new(driver);
    black_box(<StreamSink<Driver> as Sink>::write(black_box(&mut sink), black_box(b"abcdef"))).ok();
    black_box(<StreamSink<Driver> as Sink>::reserve(black_box(&mut sink), black_box(9))).ok();
    black_box(<StreamSink<Driver> as SinkExt>::record::<4>(black_box(&mut sink))).ok();
    black_box(<StreamSink<Driver> as SinkExt>::records::<4>(black_box(&mut sink), black_box(2)))
        .ok();
    black_box(sink::write_from(black_box(&mut sink), &mut Chunks, &mut [0; 16])).ok();
    black_box(StreamSink::pump(black_box(&mut sink), &mut Chunks)).ok();
    black_box(StreamSink::write_from(black_box(&mut sink), &mut Chunks, &mut [0; 16])).ok();
    black_box(StreamSink::flush(black_box(&mut sink))).ok();
    black_box(StreamSink::written(black_box(&sink)));
    black_box(StreamSink::is_poisoned(black_box(&sink)));
    <StreamSink<Driver> as Sink>::poison(black_box(&mut sink));
    StreamSink::reset(black_box(&mut sink));
    black_box(StreamSink::writer_mut(black_box(&mut sink)));
    black_box(StreamSink::into_writer(sink));
}
