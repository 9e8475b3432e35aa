//! A tuple.
//~ this type has no fixed bytes: write

#[derive(onewrite::Record)]
struct D {
    x: (u8, u8),
}

fn main() {}
