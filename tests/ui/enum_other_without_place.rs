//! A catch-all that would forget the tag.
//~ the variant for other tags keeps the tag: write `Other(u8)` with the enum's integer

#[derive(onewrite::Record)]
#[repr(u8)]
enum D {
    A = 1,
    #[record(other)]
    Other = 2,
}

fn main() {}
