//! Two variants with one number, which only the compiler can see.
//~ `A` and `B` have the same number on the wire: give each its own

const SEVEN: u8 = 7;

#[derive(onewrite::Record)]
#[record(tag = u8)]
enum D {
    #[record(tag = 7)]
    A,
    #[record(tag = SEVEN)]
    B,
}

fn main() {}
