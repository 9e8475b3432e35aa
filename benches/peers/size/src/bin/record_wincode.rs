//! The same record and the same bytes with wincode.
#![no_std]
#![no_main]

use onewrite_size::{Port, send_all, start};
use wincode::SchemaWrite;

#[derive(SchemaWrite)]
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
    let mut bytes = [0; 20];
    if wincode::serialize_into(&mut bytes[..], &frame).is_err() {
        return u32::MAX;
    }
    send_all(port, &bytes)
}
