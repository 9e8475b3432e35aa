//! A type that is no record.
//~ is not a record, so it has no bytes on the wire

#[derive(onewrite::Record)]
struct D {
    x: core::num::NonZeroU8,
}

fn main() {}
