//! Two variants with one number.
//~ `A` and `C` have the same number on the wire: give each its own

#[derive(onewrite::Record)]
#[record(tag = i16)]
enum D {
    #[record(tag = -7)]
    A,
    #[record(tag = 1)]
    B,
    #[record(tag = -0x7)]
    C,
}

fn main() {}
