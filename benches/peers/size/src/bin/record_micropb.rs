//! The same record with micropb, as protobuf: fixed-width fields, at most 24 bytes.
#![no_std]
#![no_main]

use micropb::{MessageEncode as _, PbEncoder};
use onewrite_size::{Port, send_all, start};

#[allow(nonstandard_style, unused, reason = "as the generator writes it")]
#[path = "../../../serializers/src/proto.rs"]
#[rustfmt::skip]
mod proto;

use proto::frames_::Frame;

start!(main);

fn main(port: &mut Port) -> u32 {
    let [kind, first, second] = [(); 3].map(|()| port.read().cast_signed());
    let frame = Frame { kind, first, second, event: port.read().into() };
    let mut bytes = [0; 32];
    let available = bytes.len();
    let mut free = &mut bytes[..];
    if frame.encode(&mut PbEncoder::new(&mut free)).is_err() {
        return u32::MAX;
    }
    let len = available - free.len();
    send_all(port, bytes.get(..len).unwrap_or_default())
}
