//! The same thing twice on one type.
//~ `not_const` is said twice: leave out one of them

#[derive(onewrite::Record)]
#[record(not_const)]
#[record(not_const)]
struct D {
    x: u16,
}

fn main() {}
