//! HPACK, the header compression of HTTP/2 (RFC 7541).
