//! Something that is no value.
//~ this type has no encoding in BSATN: write a number, `bool`, `&str`, an array, or a type that derives `Encode`

use onewrite::bsatn::Encode;

#[derive(Encode)]
struct Row {
    call: fn() -> u32,
}

fn main() {}
