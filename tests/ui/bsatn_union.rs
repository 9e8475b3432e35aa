//! A union.
//~ a union does not say which field it holds: write an enum

use onewrite::bsatn::Encode;

#[derive(Encode)]
union Either {
    a: u32,
    b: f32,
}

fn main() {}
