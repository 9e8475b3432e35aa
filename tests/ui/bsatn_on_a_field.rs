//! An attribute on a field.
//~ fields and variants take no attribute: their order is their place on the wire

use onewrite::bsatn::Encode;

#[derive(Encode)]
struct Row {
    #[bsatn(at = 4)]
    id: u32,
}

fn main() {}
