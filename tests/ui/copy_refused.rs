//! What no machine has in memory as it is on the wire.
//~ `sensor` (bytes 4..8) starts at byte 0 in memory, so declare the fields in the order of the wire
//~ the record has 8 bytes, and memory 6; `write_slice` and `write_records` take any record
//~ the record has numbers in both byte orders, as no machine has them
//~ `all` (bytes 0..4) is an enum that has more than a number by `= N` for each variant
//~ `inner` (bytes 0..8) differs in itself
//~ `id` (bytes 0..4) has `as`, so its type may be another one
//~ the record is an enum that has more than a number by `= N` for each variant
//~ the record is written by hand or has parameters, so it was not compared

use onewrite::Record;
use onewrite::error::DecodeError;
use onewrite::record::{CopyRecords, copy_slice, wire_bytes};
use onewrite::sink::CountingSink;
use zerocopy::{Immutable, IntoBytes};

#[derive(Record, IntoBytes, Immutable)]
#[repr(C)]
struct Order {
    #[record(at = 4)]
    sensor: u32,
    #[record(at = 0)]
    time: u32,
}

#[derive(Record, IntoBytes, Immutable)]
#[record(size = 8, gaps = "zero")]
#[repr(C)]
struct Size([u16; 3]);

#[derive(Record, IntoBytes, Immutable)]
#[repr(C)]
struct Orders {
    time: u32,
    #[record(endian = "big")]
    port: u16,
    flags: [u8; 2],
}

#[derive(Clone, Copy, Record, IntoBytes, Immutable)]
#[repr(u8)]
enum Colour {
    #[record(tag = 2)]
    Red = 1,
}

#[derive(Record, IntoBytes, Immutable)]
#[repr(C)]
struct Nested {
    all: [Colour; 4],
}

#[derive(Record, IntoBytes, Immutable)]
#[repr(C)]
struct Inside {
    inner: Order,
}

type Id = [u16; 2];

#[derive(Record, IntoBytes, Immutable)]
#[repr(C)]
struct Alias {
    #[record(as = [u16; 2])]
    id: Id,
}

#[derive(IntoBytes, Immutable)]
#[repr(C)]
struct ByHand(u8);

impl Record for ByHand {
    type Bytes = [u8; 1];

    fn write_at(&self, out: &mut [u8; 1]) {
        *out = [!self.0];
    }

    fn from_bytes(bytes: &[u8; 1]) -> Result<Self, DecodeError> {
        Ok(Self(!bytes[0]))
    }
}

fn main() {
    let mut out = [0; 16];
    let _ = copy_slice::<Order>(&[], &mut out);
    let _ = wire_bytes::<Size>(&[]);
    let _ = CountingSink::new().copy_records::<Orders>(&[]);
    let _ = wire_bytes::<Colour>(&[]);
    let _ = wire_bytes::<Nested>(&[]);
    let _ = wire_bytes::<Inside>(&[]);
    let _ = wire_bytes::<Alias>(&[]);
    let _ = wire_bytes::<ByHand>(&[]);
}
