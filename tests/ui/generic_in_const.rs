//! A field that encodes through a trait.
//~ a record with parameters encodes through a trait, which stable Rust cannot do in a const: write `#[record(not_const)]` on the type around it

#[derive(onewrite::Record)]
#[record(size = 4)]
struct Tagged<T> {
    value: T,
}

#[derive(onewrite::Record)]
struct D {
    all: [Tagged<u32>; 2],
}

fn main() {}
