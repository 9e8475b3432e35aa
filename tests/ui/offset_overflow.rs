//! core-14: the end of the field does not fit a `usize`.
//~ `y` (8 bytes at byte 18446744073709551615) reaches past the record's 16 bytes, after `x` (bytes 0..1)

#[derive(onewrite::Record)]
#[record(size = 16)]
struct D {
    x: u8,
    #[record(offset = 18446744073709551615)]
    y: u64,
}

fn main() {}
