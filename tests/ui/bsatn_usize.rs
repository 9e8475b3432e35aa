//! An integer without a size (bsatn-12).
//~ `usize` differs from machine to machine: write `u32` or `u64`

use onewrite::bsatn::Encode;

#[derive(Encode)]
struct Row {
    id: usize,
}

fn main() {}
