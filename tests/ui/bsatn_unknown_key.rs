//! An attribute that there is not.
//~ a BSATN type takes `crate = path`

use onewrite::bsatn::Encode;

#[derive(Encode)]
#[bsatn(size = 4)]
struct Row(u32);

fn main() {}
