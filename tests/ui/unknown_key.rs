//! Attributes that there are not.
//~ a field takes `at = N`, `endian = "..."` and `as = type`

#[derive(onewrite::Record)]
struct D {
    #[record(ofset = 4)]
    x: u16,
}

fn main() {}
