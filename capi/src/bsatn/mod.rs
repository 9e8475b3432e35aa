//! BSATN, the binary format of SpacetimeDB: values, rows and row lists.

// In the order of the header.
pub(crate) mod writer;

pub(crate) mod reader;

pub(crate) mod row_list;
