//! A field over the tag.
//~ `tag` (bytes 0..4) and `A.x` (bytes 2..4) overlap

#[derive(onewrite::Record)]
#[record(tag = u32)]
enum D {
    #[record(tag = 1)]
    A {
        #[record(at = 2)]
        x: u16,
    },
}

fn main() {}
