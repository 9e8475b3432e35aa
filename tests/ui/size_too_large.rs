//! The fields end before the record does.
//~ no field has bytes 4..6, at the end of the record: name them on the type with `#[record(pad(reserved = 4..6))]`

#[derive(onewrite::Record)]
#[record(size = 6)]
struct D {
    x: u32,
}

fn main() {}
