//! A range that ends before it starts.
//~ padding ends before it starts: write `pad(name = start..end)`

#[derive(onewrite::Record)]
#[record(pad(reserved = 6..4))]
struct D {
    x: u32,
}

fn main() {}
