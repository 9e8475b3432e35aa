//! A `char`.
//~ `char` has no agreed bytes: write `u32`, and convert with `char::from_u32`

#[derive(onewrite::Record)]
struct D {
    x: [char; 2],
}

fn main() {}
