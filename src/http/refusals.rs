//! The answers that no route gives.

use crate::__http_response as response;

response! {
    /// What answers OPTIONS.
    pub(super) static METHODS = 200, { "allow": "GET, HEAD" }
}
response! { pub(super) static BAD_REQUEST = 400, {} }
response! {
    /// What answers a path that is not among the routes, unless they say otherwise.
    pub static NOT_FOUND = 404, {}
}
response! { pub(super) static METHOD_NOT_ALLOWED = 405, { "allow": "GET, HEAD" } }
response! { pub(super) static REQUEST_TIMEOUT = 408, {} }
response! { pub(super) static LENGTH_REQUIRED = 411, {} }
response! { pub(super) static CONTENT_TOO_LARGE = 413, {} }
response! { pub(super) static URI_TOO_LONG = 414, {} }
response! { pub(super) static EXPECTATION_FAILED = 417, {} }
response! { pub(super) static FIELDS_TOO_LARGE = 431, {} }
response! { pub(super) static INTERNAL_SERVER_ERROR = 500, {} }
response! { pub(super) static NOT_IMPLEMENTED = 501, {} }
response! { pub(super) static VERSION_NOT_SUPPORTED = 505, {} }
