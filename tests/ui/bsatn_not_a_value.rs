//! A field that does not derive.
//~ `Inner` has no encoding in BSATN

use onewrite::bsatn::Encode;

#[derive(Encode)]
struct Row {
    inner: Inner,
}

struct Inner;

fn main() {}
