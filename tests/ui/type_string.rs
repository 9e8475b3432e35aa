//! An owned string.
//~ a string has no fixed size: write an integer, a float, `bool`, `[u8; N]`, an array or another record

#[derive(onewrite::Record)]
struct D {
    x: String,
}

fn main() {}
