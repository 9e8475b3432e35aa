//! HTTP/1.1 and HTTP/2: responses made at run time, and a server's connections without IO.

// In the order of the header.
pub(crate) mod response;

pub(crate) mod site;

pub(crate) mod conn;
