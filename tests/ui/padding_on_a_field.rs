//! Padding belongs to the type.
//~ padding is named on the type: write `#[record(pad(reserved = 8..12))]` there

#[derive(onewrite::Record)]
struct D {
    #[record(pad = 4)]
    x: u32,
}

fn main() {}
