//! An array that is not borrowed.
//~ `Vec` allocates: write `Array<'a, T>`, `&'a [u8]` or `[T; N]`

use onewrite::bsatn::Decode;

#[derive(Decode)]
struct Row {
    list: Vec<u32>,
}

fn main() {}
