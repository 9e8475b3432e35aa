//! The size of a nested record counts, and so does that of an array of them.
//~ `all` (bytes 1..7) and `last` (bytes 6..7) overlap

#[derive(onewrite::Record)]
struct Inner(u8, u16);

#[derive(onewrite::Record)]
struct D {
    first: u8,
    all: [Inner; 2],
    #[record(at = 6)]
    last: u8,
}

fn main() {}
