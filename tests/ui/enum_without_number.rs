//! A variant whose number is its position.
//~ the wire needs a number that stays when variants come and go: write `B = N`, or `#[record(tag = N)]` before it

#[derive(onewrite::Record)]
#[repr(u8)]
enum D {
    A = 1,
    B,
}

fn main() {}
