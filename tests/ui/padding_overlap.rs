//! Padding over a field.
//~ `x` (bytes 0..4) and `reserved` (bytes 2..6) overlap

#[derive(onewrite::Record)]
#[record(size = 6, pad(reserved = 2..6))]
struct D {
    x: u32,
}

fn main() {}
