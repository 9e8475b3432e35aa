//! The same thing twice on one type.
//~ `crate` is said twice: leave out one of them

#[derive(onewrite::Record)]
#[record(crate = ::onewrite)]
#[record(crate = ::onewrite)]
struct D {
    x: u16,
}

fn main() {}
