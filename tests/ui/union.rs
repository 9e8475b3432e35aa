//! A union.
//~ a union does not say which field it holds: write an enum with `#[record(tag = u8)]`

#[derive(onewrite::Record)]
union D {
    x: u8,
    y: u8,
}

fn main() {}
