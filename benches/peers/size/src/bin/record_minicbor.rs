//! The same record with minicbor, as CBOR: an array of at most 25 bytes.
#![no_std]
#![no_main]

use minicbor::Encode;
use minicbor::encode::write::Cursor;
use onewrite_size::{Port, send_all, start};

#[derive(Encode)]
struct Frame {
    #[n(0)]
    kind: i32,
    #[n(1)]
    first: i32,
    #[n(2)]
    second: i32,
    #[n(3)]
    event: u64,
}

start!(main);

fn main(port: &mut Port) -> u32 {
    let [kind, first, second] = [(); 3].map(|()| port.read().cast_signed());
    let frame = Frame { kind, first, second, event: port.read().into() };
    let mut cursor = Cursor::new([0; 25]);
    if minicbor::encode(&frame, &mut cursor).is_err() {
        return u32::MAX;
    }
    let len = cursor.position();
    send_all(port, cursor.get_ref().get(..len).unwrap_or_default())
}
