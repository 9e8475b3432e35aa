//! HPACK, the header compression of HTTP/2 (RFC 7541).

pub(super) mod encode;
pub(super) mod static_table;
