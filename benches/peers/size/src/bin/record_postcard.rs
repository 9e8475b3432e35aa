//! The same record with postcard, in its own bytes: varints, at most 25 of them.
#![no_std]
#![no_main]

use onewrite_size::{Port, send_all, start};
use serde::Serialize;

#[derive(Serialize)]
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
    let mut bytes = [0; 25];
    let Ok(bytes) = postcard::to_slice(&frame, &mut bytes) else { return u32::MAX };
    send_all(port, bytes)
}
