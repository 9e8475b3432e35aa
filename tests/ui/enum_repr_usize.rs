//! An enum whose size differs from machine to machine.
//~ a tag is an integer of 8 to 64 bits: write `#[record(tag = u8)]`, or `u16`, `i32` and so on

#[derive(onewrite::Record)]
#[repr(usize)]
enum D {
    A = 1,
}

fn main() {}
