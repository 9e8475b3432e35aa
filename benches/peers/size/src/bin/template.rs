//! A head of HTTP/1.1 with a number in it, in one write.
#![no_std]
#![no_main]

use onewrite::sink::embedded_io::StreamSink;
use onewrite::template;
use onewrite_size::{Port, start};

template!(HEAD = "HTTP/1.1 200 OK\r\ncontent-length: ", len: dec(3), "\r\n\r\n");

start!(main);

fn main(port: &mut Port) -> u32 {
    let len = port.read().into();
    u32::from(HEAD.write_to(&mut StreamSink::new(port), len).is_err())
}
