//! An integer without a size, where the macro does not look (bsatn-12).
//~ `usize` has no encoding in BSATN
//~ write `u32` or `u64` for `usize`

use onewrite::bsatn::Encode;

#[derive(Encode)]
struct Row {
    ids: [usize; 2],
}

fn main() {}
