//! core-14: the declared size is too small.
//~ `y` (bytes 8..16) reaches past the record's 12 bytes, after `x` (bytes 0..1): raise `size`

#[derive(onewrite::Record)]
#[record(size = 12, pad(reserved = 1..8))]
struct D {
    #[record(offset = 0)]
    x: u8,
    #[record(offset = 8)]
    y: u64,
}

fn main() {}
