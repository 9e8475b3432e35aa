//! What a variant leaves free needs no word.
//~ what a variant does not use is zero: an enum needs no `gaps`, remove it

#[derive(onewrite::Record)]
#[record(tag = u8, gaps = "zero")]
enum D {
    #[record(tag = 1)]
    A(u16),
}

fn main() {}
