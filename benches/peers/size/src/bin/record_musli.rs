//! The same record and the same bytes with musli: storage, packed, fixed integers.
#![no_std]
#![no_main]

use musli::alloc::Disabled;
use musli::{Encode, context};
use musli::options::{self, Options};
use musli::storage::Encoding;
use onewrite_size::{Port, send_all, start};

const OPTIONS: Options = options::new().fixed().build();
const STORAGE: Encoding<OPTIONS> = Encoding::new().with_options();

#[derive(Encode)]
#[musli(packed)]
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
    let context = context::new_in(Disabled::new());
    if STORAGE.to_slice_with(&context, &mut bytes[..], &frame).is_err() {
        return u32::MAX;
    }
    send_all(port, &bytes)
}
