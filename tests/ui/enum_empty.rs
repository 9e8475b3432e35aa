//! An enum without values.
//~ an enum without variants has no value to write: give it one

#[derive(onewrite::Record)]
#[record(tag = u8)]
enum D {}

fn main() {}
