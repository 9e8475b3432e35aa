//! A layout that depends on a parameter is checked where it is used.
//~ `value` (bytes 2..10) reaches past the record's 8 bytes, after `tag` (bytes 0..2)

use onewrite::Record;

#[derive(Record)]
#[record(size = 8)]
struct Tagged<T> {
    tag: u16,
    value: T,
}

fn main() {
    println!("{:?}", Tagged { tag: 1, value: 2u64 }.to_bytes());
}
