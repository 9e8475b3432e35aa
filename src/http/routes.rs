//! Which response belongs to which path.

use super::{Limits, Response};

/// What a request wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Method {
    /// GET: the response.
    Get,
    /// HEAD: its head.
    Head,
}

/// One path and its response.
#[derive(Clone, Copy, Debug)]
pub struct Route<'a> {
    /// The path, which starts with a slash and has no query.
    pub(in crate::http) path: &'a [u8],
    /// The same as the Huffman string of HPACK: a path that comes like this is not decoded.
    pub(in crate::http) huffman: &'a [u8],
    /// What answers GET and HEAD.
    pub(in crate::http) response: &'a Response<'a>,
}

/// All that a server has: paths with their responses, the response for all other paths, and limits.
#[derive(Clone, Copy, Debug)]
pub struct Routes<'a> {
    /// The paths, each once, at most 65,000.
    pub(in crate::http) routes: &'a [Route<'a>],
    /// What answers a path that is not among them.
    pub(in crate::http) not_found: &'a Response<'a>,
    /// What a client may do.
    pub(in crate::http) limits: Limits,
}
