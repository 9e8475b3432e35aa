//! A number that the wire does not have.
//~ the tag of a variant is its place, 1 for `B`: leave the number out

use onewrite::bsatn::Encode;

#[derive(Encode)]
enum Kind {
    A = 0,
    B = 7,
}

fn main() {}
