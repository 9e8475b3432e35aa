//! The same record and the same bytes with bincode 2, into an array and from there into the port.
#![no_std]
#![no_main]

use bincode::Encode;
use bincode::config::legacy;
use onewrite_size::{Port, send_all, start};

#[derive(Encode)]
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
    let Ok(len) = bincode::encode_into_slice(&frame, &mut bytes, legacy()) else { return u32::MAX };
    send_all(port, bytes.get(..len).unwrap_or_default())
}
