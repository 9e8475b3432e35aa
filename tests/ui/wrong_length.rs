//! core-17: a const of another length.
//~ error[E0308]

#[derive(onewrite::Record)]
struct D {
    x: u32,
}

const BAD: [u8; 3] = D { x: 1 }.to_bytes();

fn main() {
    println!("{BAD:?}");
}
