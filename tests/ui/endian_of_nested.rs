//! A byte order that would not be used.
//~ a nested record has its own byte order: write `endian` on that type

#[derive(onewrite::Record)]
struct Inner(u16);

#[derive(onewrite::Record)]
struct D {
    #[record(endian = "big")]
    x: Inner,
}

fn main() {}
