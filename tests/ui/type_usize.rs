//! An integer without a size.
//~ `usize` differs from machine to machine: write `u32` or `u64`

#[derive(onewrite::Record)]
struct D {
    x: usize,
}

fn main() {}
