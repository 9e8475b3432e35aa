//! HPACK, the header compression of HTTP/2 (RFC 7541).

mod decode;
pub(super) mod encode;
mod huffman;
mod integer;
mod name;
mod quick;
pub(super) mod static_table;
mod string;
mod table;
#[cfg(test)]
mod tests;
mod token;
mod value;

pub(super) use decode::{Head, decode, decode_here};
pub(super) use quick::quick_get;
pub(super) use table::Table;
pub(super) use token::{Kind, LENGTH_TOO_LARGE, method, tag, target};

/// A header block that is none: a connection error of type `COMPRESSION_ERROR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wrong;

/// Why a part of a header block was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// More of it has to come.
    Incomplete,
    Wrong,
}

impl From<Wrong> for Stop {
    fn from(_: Wrong) -> Self {
        Self::Wrong
    }
}
