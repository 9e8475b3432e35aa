//! A letter.
//~ `char` is no type of BSATN: write `u32`, and convert with `char::from_u32`

use onewrite::bsatn::Encode;

#[derive(Encode)]
struct Row {
    letter: char,
}

fn main() {}
