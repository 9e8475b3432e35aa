//! The others, each in the fastest form that its documentation shows for this work.
//!
//! | peer | form | wire |
//! |---|---|---|
//! | bincode 2 | `fixint`, little-endian | a count of 8 bytes, then the records as ours |
//! | wincode | its only one | the same |
//! | borsh | its only one | a count of 4 bytes, then the same |
//! | speedy | little-endian, the buffer cut to length | the same |
//! | zerocopy | a `repr(C)` struct of little-endian fields made from each record | as ours |
//! | deku | little-endian, record by record | as ours |
//! | musli | storage, packed, fixed integers | its own |
//! | rkyv | `api::low`, a slice inlined | its own: frames take 24 bytes |
//! | postcard | its only one | its own: varints |
//! | minicbor | arrays | CBOR |
//! | micropb | fixed-width fields, length-delimited | protobuf |
//!
//! `PEER-held` is a slice that is kept as the peer's wire form and written at once; `PEER-buffer` is
//! a whole message in a buffer of its length first, then one write.

pub(crate) mod memory;
pub(crate) mod outlet;
