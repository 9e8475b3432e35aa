//! The same record and the same bytes with bincode 2, into an array and from there into the port.
#![no_std]
#![no_main]

use bincode::Encode;
use bincode::config::legacy;
use embedded_io::Write as _;
use onewrite_size::{Port, start};

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
    let (mut left, mut written) = (bytes.get(..len).unwrap_or_default(), 0);
    // Not write_all, whose default panics where the port has no room.
    while !left.is_empty() {
        match port.write(left) {
            Ok(taken @ 1..) => {
                written += taken;
                left = left.get(taken..).unwrap_or_default();
            }
            Ok(0) | Err(_) => return written as u32,
        }
    }
    0
}
