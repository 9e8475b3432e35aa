//! The same thing twice on one variant.
//~ `other` is said twice: leave out one of them

#[derive(onewrite::Record)]
#[record(tag = u8)]
enum D {
    #[record(tag = 1)]
    A,
    #[record(other, other)]
    Other(u8),
}

fn main() {}
