//! A string that is not borrowed.
//~ a string is borrowed here: write `&'a str`

use onewrite::bsatn::Encode;

#[derive(Encode)]
struct Row {
    name: String,
}

fn main() {}
