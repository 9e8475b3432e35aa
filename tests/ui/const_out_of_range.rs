//! core-17: a value that its field cannot hold fails the build.
//~ literal out of range for `u8`

#[derive(onewrite::Record)]
struct D {
    x: u8,
}

const BAD: [u8; 1] = D { x: 256 }.to_bytes();

fn main() {
    println!("{BAD:?}");
}
