//! An enum whose size Rust may choose.
//~ an enum needs an integer that tells its variants apart: write `#[repr(u8)]`, or `#[record(tag = u8)]`

#[derive(onewrite::Record)]
enum D {
    A = 1,
}

fn main() {}
