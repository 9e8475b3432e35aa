//! One record of 20 bytes, one write, and a stream that knows whether it can go on.
#![no_std]
#![no_main]

use onewrite::Record;
use onewrite::record::WriteRecord as _;
use onewrite::sink::embedded_io::StreamSink;
use onewrite_size::{Port, start};

/// | offset | size | type | meaning |
/// |---|---|---|---|
/// | 0 | 4 | i32 | kind |
/// | 4 | 4 | i32 | first |
/// | 8 | 4 | i32 | second |
/// | 12 | 8 | u64 | event |
#[derive(Record)]
struct Frame {
    kind: i32,
    first: i32,
    second: i32,
    event: u64,
}

start!(main);

fn main(port: &mut Port) -> u32 {
    let [kind, first, second] = [(); 3].map(|()| port.read().cast_signed());
    let frame = Frame { kind, first, second, event: port.read().into() };
    let mut stream = StreamSink::new(port);
    match stream.write_record(&frame) {
        Ok(()) => 0,
        Err(error) if stream.is_poisoned() => error.written as u32,
        Err(_) => u32::MAX,
    }
}
