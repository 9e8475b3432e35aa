//! A string.
//~ this type has no fixed bytes: write an integer, a float, `bool`, `[u8; N]`, an array or another record

#[derive(onewrite::Record)]
struct D<'a> {
    x: &'a str,
}

fn main() {}
