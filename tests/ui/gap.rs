//! Bytes that nobody named.
//~ no field has bytes 1..8, before `y` (bytes 8..16): name them on the type with `#[record(pad(reserved = 1..8))]`, or allow every gap with `#[record(gaps = "zero")]`

#[derive(onewrite::Record)]
struct D {
    x: u8,
    #[record(at = 8)]
    y: u64,
}

fn main() {}
