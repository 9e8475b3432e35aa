//! A record with parameters and no declared size is no array.
//~ `Tagged<u64>` is not a record, so it has no bytes on the wire

use onewrite::Record;

#[derive(Record)]
struct Tagged<T> {
    tag: u16,
    value: T,
}

fn bytes<R: Record>(record: &R) -> R::Bytes {
    record.to_bytes()
}

fn main() {
    bytes(&Tagged { tag: 1, value: 2u64 });
}
