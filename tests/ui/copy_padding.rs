//! Padding at the same place in memory, of which `IntoBytes` could not be derived either.
//~ the record has padding, which is zero only on the wire

use onewrite::Record;

#[derive(Record)]
#[record(pad(reserved = 1..2))]
#[repr(C)]
struct Padded {
    sensor: u8,
    #[record(at = 2)]
    value: u16,
}

const _: bool = <Padded as Record>::MEMORY.is_record();

fn main() {}
