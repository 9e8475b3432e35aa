//! Calls the asynchronous sink and source, with inputs that the compiler cannot see through.
//!
//! The sibling of `every_codec`, and apart from it because of one panic that is not ours: the
//! compiler puts it into every `async fn`, for a future that is polled again after it has
//! completed. `cargo xtask size` checks that it is the only one.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod driver;

use core::hint::black_box;

use onewrite::http::serve::{Buffers, embedded_io_async};
use onewrite::http::{Conn, Protocol, response, routes};
use onewrite::render_batch::{Batch, BatchProducer, Frame, FrameRecord};
use onewrite::sink::Producer;
use onewrite::sink::embedded_io_async::StreamSink;
use onewrite::source::embedded_io_async::StreamSource;
use onewrite::string_table::StringTable;
use onewrite_boards::{Console, Failure, entry};

use crate::driver::{DRIVERS, Driver, block_on};

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    for driver in DRIVERS {
        sink(black_box(driver));
        batch(black_box(driver));
        source(black_box(driver));
        serve(black_box(driver));
    }
    writeln!(console, "every future was polled")?;
    Ok(())
}

response! { static HELLO = 200, {}, b"Hello World" }
routes! { static SITE = { "/" => HELLO } }

/// Makes chunks of any length, also impossible ones.
#[derive(Debug)]
struct Chunks;

impl Producer for Chunks {
    type Error = u8;

    fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, u8> {
        black_box(scratch);
        black_box(Ok(0))
    }
}

#[inline(never)]
fn sink(driver: Driver) {
    let mut sink = StreamSink::new(driver);
    black_box(block_on(StreamSink::write(black_box(&mut sink), black_box(b"abcdef")))).ok();
    black_box(block_on(StreamSink::pump(black_box(&mut sink), &mut Chunks))).ok();
    let mut scratch = [0; 16];
    let scratch = black_box(&mut scratch[..]);
    black_box(block_on(StreamSink::write_from(black_box(&mut sink), &mut Chunks, scratch))).ok();
    black_box(block_on(StreamSink::flush(black_box(&mut sink)))).ok();
    black_box(StreamSink::written(black_box(&sink)));
    black_box(StreamSink::is_poisoned(black_box(&sink)));
    StreamSink::poison(black_box(&mut sink));
    StreamSink::reset(black_box(&mut sink));
    black_box(StreamSink::writer_mut(black_box(&mut sink)));
    black_box(StreamSink::into_writer(sink));
}

/// A batch, out of the producer that makes it.
#[inline(never)]
fn batch(driver: Driver) {
    let frames = [Frame::element(black_box("p"), 2), Frame::text(black_box("hello"))];
    let batch = Batch { frames: black_box(&frames), ..Batch::default() };
    let (mut table, mut strings) = (StringTable::<64>::new(), [0; 16]);
    if let Ok(mut producer) = BatchProducer::new(&mut table, &mut strings, black_box(&batch)) {
        let mut sink = StreamSink::new(driver);
        black_box(block_on(StreamSink::pump(&mut sink, &mut producer))).ok();
    }
}

#[inline(never)]
fn source(driver: Driver) {
    let mut source = StreamSource::new(driver);
    let mut records = [0; 20];
    let room = black_box(&mut records[..]);
    black_box(block_on(StreamSource::read(black_box(&mut source), room, black_box(5)))).ok();
    black_box(block_on(StreamSource::record::<5>(black_box(&mut source)))).ok();
    let mut records = [[0; 5]; 4];
    let room = black_box(&mut records[..]);
    black_box(block_on(StreamSource::records::<5>(black_box(&mut source), room))).ok();
    black_box(block_on(StreamSource::read_record::<FrameRecord>(black_box(&mut source)))).ok();
    let mut frames = [FrameRecord::text(0); 2];
    let room = black_box(&mut frames[..]);
    black_box(block_on(StreamSource::read_records(black_box(&mut source), room))).ok();
    black_box(StreamSource::bytes_read(black_box(&source)));
    black_box(StreamSource::is_poisoned(black_box(&source)));
    StreamSource::reset(black_box(&mut source));
    black_box(StreamSource::reader_mut(black_box(&mut source)));
    black_box(StreamSource::into_reader(source));
}

#[inline(never)]
fn serve(mut driver: Driver) {
    let (mut input, mut output) = ([0; 64], [0; 300]);
    let buffers = Buffers { input: black_box(&mut input), output: black_box(&mut output) };
    let mut conn = <Conn>::new(black_box(Protocol::Auto));
    let mut handler = ();
    let served = embedded_io_async::serve(&mut driver, &mut conn, &SITE, &mut handler, buffers);
    black_box(block_on(served)).ok();
}
