//! An `Option`.
//~ `Option` has no agreed bytes: write a `bool` and the value, or an enum with `#[record(tag = u8)]`

#[derive(onewrite::Record)]
struct D {
    x: Option<u8>,
}

fn main() {}
