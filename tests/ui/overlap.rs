//! core-14: `x` and `y` share a byte.
//~ `x` (bytes 0..1) and `y` (bytes 0..8) overlap: move one of them with `#[record(at = N)]`

#[derive(onewrite::Record)]
#[record(size = 16)]
struct D {
    #[record(offset = 0)]
    x: u8,
    #[record(offset = 0)]
    y: u64,
}

fn main() {}
