//! A map.
//~ BSATN has no maps: write an array of products of key and value

use std::collections::HashMap;

use onewrite::bsatn::Decode;

#[derive(Decode)]
struct Row {
    map: HashMap<u32, u32>,
}

fn main() {}
