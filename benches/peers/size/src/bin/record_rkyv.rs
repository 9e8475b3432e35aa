//! The same record with rkyv, in its own bytes: 24, four of them padding.
#![no_std]
#![no_main]

use core::mem::MaybeUninit;

use onewrite_size::{Port, send_all, start};
use rkyv::api::low::to_bytes_in_with_alloc;
use rkyv::rancor::Failure;
use rkyv::ser::allocator::SubAllocator;
use rkyv::ser::writer::Buffer;
use rkyv::util::Align;
use rkyv::{Archive, Serialize};

#[derive(Archive, Serialize)]
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
    let (mut bytes, mut scratch) = (Align([0; 24]), [MaybeUninit::<u8>::uninit(); 0]);
    let (buffer, allocator) = (Buffer::from(&mut *bytes), SubAllocator::new(&mut scratch));
    let Ok(bytes) = to_bytes_in_with_alloc::<_, _, Failure>(&frame, buffer, allocator) else {
        return u32::MAX;
    };
    send_all(port, &bytes)
}
