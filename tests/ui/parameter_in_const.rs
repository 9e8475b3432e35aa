//! A field of a parameter's type encodes through a trait, which stable Rust cannot do in a const.
//~ error[E0015]

use onewrite::Record;

#[derive(Record)]
#[record(size = 4)]
struct Tagged<T> {
    value: T,
}

const BYTES: [u8; 4] = Tagged { value: 1u32 }.to_bytes();

fn main() {
    println!("{BYTES:?}");
}
