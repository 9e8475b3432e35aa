//! The same record and the same bytes with zerocopy: a struct that lies in memory as on the wire.
#![no_std]
#![no_main]

use onewrite_size::{Port, send_all, start};
use zerocopy::little_endian::{I32, U64};
use zerocopy::{Immutable, IntoBytes};

#[derive(Immutable, IntoBytes)]
#[repr(C)]
struct Frame {
    kind: I32,
    first: I32,
    second: I32,
    event: U64,
}

start!(main);

fn main(port: &mut Port) -> u32 {
    let [kind, first, second] = [(); 3].map(|()| port.read().cast_signed().into());
    let frame = Frame { kind, first, second, event: u64::from(port.read()).into() };
    send_all(port, frame.as_bytes())
}
