//! A catch-all with a number of its own.
//~ the variant for other tags has no number of its own: remove `tag = N` or `other`

#[derive(onewrite::Record)]
#[record(tag = u8)]
enum D {
    #[record(tag = 1)]
    A,
    #[record(other, tag = 2)]
    Other(u8),
}

fn main() {}
