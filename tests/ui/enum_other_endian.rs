//! A tag of another byte order in one variant.
//~ this field holds the tag, which has one byte order in all variants: remove `endian`, and write it on the enum

#[derive(onewrite::Record)]
#[record(tag = u16)]
enum D {
    #[record(tag = 1)]
    A,
    #[record(other)]
    Other {
        #[record(endian = "big")]
        tag: u16,
    },
}

fn main() {}
