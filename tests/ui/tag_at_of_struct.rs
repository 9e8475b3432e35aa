//! A place for a tag that is not there.
//~ a struct has no tag: remove `tag_at`, and place a field with `#[record(at = N)]`

#[derive(onewrite::Record)]
#[record(tag_at = 2)]
struct D {
    x: u16,
}

fn main() {}
