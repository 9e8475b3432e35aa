//! A byte order that there is not.
//~ write `endian = "little"` or `endian = "big"`

#[derive(onewrite::Record)]
#[record(endian = "native")]
struct D {
    x: u16,
}

fn main() {}
