//! A tag that stands elsewhere in one variant.
//~ this field holds the tag, which has one place in all variants: remove `at`, and write `#[record(tag_at = N)]` on the enum

#[derive(onewrite::Record)]
#[record(tag = u8)]
enum D {
    #[record(tag = 1)]
    A,
    #[record(other)]
    Other(#[record(at = 1)] u8),
}

fn main() {}
