//! The same thing twice on one type.
//~ `gaps` is said twice: leave out one of them

#[derive(onewrite::Record)]
#[record(gaps = "zero")]
#[record(gaps = "zero")]
struct D {
    x: u16,
}

fn main() {}
