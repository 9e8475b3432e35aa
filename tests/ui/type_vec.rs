//! A list.
//~ `Vec` has no fixed size: write an integer

#[derive(onewrite::Record)]
struct D {
    x: Vec<u8>,
}

fn main() {}
