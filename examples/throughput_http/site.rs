//! The response that is made, and what is known of it when a request comes.

#[path = "../http_server/site/built.rs"]
pub(crate) mod built;

use onewrite::http::response;

/// What it says, and of what type that is.
pub(crate) const TEXT: &str = "Hello World";
const TYPE: &str = "text/plain; charset=utf-8";

response! {
    /// The one of the compiler.
    pub(crate) static DATA = 200, { "content-type": TYPE }, TEXT, etag = none
}

/// What a handler decides before there are bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stated {
    pub(crate) status: u16,
    pub(crate) reason: &'static str,
    pub(crate) kind: &'static str,
}

impl Stated {
    pub(crate) const TEXT: Self = Self { status: 200, reason: "OK", kind: TYPE };
}
