//! A row of SpacetimeDB with a text in it, written to a stream and read back out of memory.
#![no_std]
#![no_main]

use onewrite::bsatn::{Decode, Encode};
use onewrite::sink::embedded_io::StreamSink;
use onewrite_size::{Port, start};

#[derive(Encode, Decode)]
struct Row<'a> {
    id: u32,
    hp: i32,
    alive: bool,
    name: &'a str,
}

start!(main);

fn main(port: &mut Port) -> u32 {
    let mut input = [0; 64];
    for byte in &mut input {
        [*byte, ..] = port.read().to_le_bytes();
    }
    let Ok((row, _)) = Row::take_from(&input) else { return 1 };
    u32::from(row.encode(&mut StreamSink::new(port)).is_err())
}
