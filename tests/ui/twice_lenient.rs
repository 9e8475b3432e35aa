//! The same thing twice on one type.
//~ `lenient` is said twice: leave out one of them

#[derive(onewrite::Record)]
#[record(lenient)]
#[record(lenient)]
struct D {
    x: u16,
}

fn main() {}
