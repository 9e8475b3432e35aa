//! A parameter that is no field.
//~ cannot be a field of a record: its encoding has no fixed size

use onewrite::record::Field;

#[derive(onewrite::Record)]
struct Tagged<T> {
    value: T,
}

fn put(field: &impl Field) {
    field.put(onewrite::record::Endian::Big, &mut []);
}

fn main() {
    put(&Tagged { value: "" });
}
