//! What a request gets.

use crate::http::hpack::{Head, Kind, method, tag, target};
use crate::http::{Method, Protocol, Request, Response, Routes, refusals};

/// The answer to a request, without its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// The number of a route, or one of the constants.
    what: u32,
    /// Without its body.
    pub(super) head: bool,
    /// The client has it.
    not_modified: bool,
}

/// A request that breaks a rule of RFC 9113 section 8: a stream error of type `PROTOCOL_ERROR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed;

const NOT_FOUND: u32 = 1 << 16;
const METHOD_NOT_ALLOWED: u32 = NOT_FOUND + 1;
const METHODS: u32 = NOT_FOUND + 2;
const CONTENT_TOO_LARGE: u32 = NOT_FOUND + 3;
const URI_TOO_LONG: u32 = NOT_FOUND + 4;
const FIELDS_TOO_LARGE: u32 = NOT_FOUND + 5;
const NOT_IMPLEMENTED: u32 = NOT_FOUND + 6;
const INTERNAL_SERVER_ERROR: u32 = NOT_FOUND + 7;

impl Answer {
    pub(super) const NONE: Self = Self::new(NOT_FOUND);
    pub(super) const CONTENT_TOO_LARGE: Self = Self::new(CONTENT_TOO_LARGE);
    pub(super) const FIELDS_TOO_LARGE: Self = Self::new(FIELDS_TOO_LARGE);
    pub(super) const INTERNAL_SERVER_ERROR: Self = Self::new(INTERNAL_SERVER_ERROR);

    const fn new(what: u32) -> Self {
        Self { what, head: false, not_modified: false }
    }

    /// A route to GET.
    #[inline(always)]
    pub(super) const fn route(number: u32) -> Self {
        Self::new(number)
    }

    /// Whether this is none of the refusals that count as such.
    pub(super) const fn is_served(self) -> bool {
        self.what <= METHODS
    }

    /// What a header list asks for.
    ///
    /// # Errors
    ///
    /// [`Malformed`]: a field that is missing, stands where it may not or cannot be.
    pub(super) fn to(head: &Head, routes: &Routes<'_>) -> Result<Self, Malformed> {
        if head.conflicts != 0 || head.has(Kind::WRONG) || !head.has(Kind::METHOD) {
            return Err(Malformed);
        }
        let method = head.value(Kind::METHOD);
        let (has_target, has_scheme) = (head.has(Kind::PATH), head.has(Kind::SCHEME));
        if method == method::CONNECT {
            // Section 8.5.
            if has_target || has_scheme || !head.has(Kind::AUTHORITY) {
                return Err(Malformed);
            }
        } else if !has_target || !has_scheme {
            return Err(Malformed);
        }
        let path = head.path(routes);
        // Section 8.3.1: only OPTIONS asks for all of a server.
        if path == target::ASTERISK && method != method::OPTIONS {
            return Err(Malformed);
        }
        let limits = &routes.limits;
        if head.is_larger_than(limits) {
            return Ok(Self::new(FIELDS_TOO_LARGE));
        }
        let what = match (method, path) {
            (_, target::TOO_LONG) => URI_TOO_LONG,
            (method::UNKNOWN, _) => NOT_IMPLEMENTED,
            (method::GET | method::HEAD, _) if path < target::NOT_FOUND => path,
            (method::CONNECT, _) => METHOD_NOT_ALLOWED,
            (method::OPTIONS, _) if path < target::NOT_FOUND || path == target::ASTERISK => METHODS,
            _ if path >= target::NOT_FOUND => NOT_FOUND,
            _ => METHOD_NOT_ALLOWED,
        };
        Ok(Self {
            what,
            head: method == method::HEAD,
            not_modified: head.has(Kind::IF_NONE_MATCH)
                && is_named(head.value(Kind::IF_NONE_MATCH), what, routes),
        })
    }

    /// The response that has the bytes.
    #[inline(always)]
    pub(super) fn response<'r>(self, routes: &Routes<'r>) -> &'r Response<'r> {
        let Some(route) = routes.routes.get(self.what as usize) else {
            return self.refusal(routes);
        };
        match route.response.not_modified {
            Some(response) if self.not_modified => response,
            _ => route.response,
        }
    }

    #[cold]
    fn refusal<'r>(self, routes: &Routes<'r>) -> &'r Response<'r> {
        match self.what {
            METHOD_NOT_ALLOWED => &refusals::METHOD_NOT_ALLOWED,
            METHODS => &refusals::METHODS,
            CONTENT_TOO_LARGE => &refusals::CONTENT_TOO_LARGE,
            URI_TOO_LONG => &refusals::URI_TOO_LONG,
            FIELDS_TOO_LARGE => &refusals::FIELDS_TOO_LARGE,
            NOT_IMPLEMENTED => &refusals::NOT_IMPLEMENTED,
            INTERNAL_SERVER_ERROR => &refusals::INTERNAL_SERVER_ERROR,
            _ => routes.not_found,
        }
    }

    /// What a handler is asked.
    pub(super) fn request(self, routes: &Routes<'_>) -> Request {
        Request {
            route: (self.what as usize).min(routes.routes.len()),
            method: if self.head { Method::Head } else { Method::Get },
            protocol: Protocol::Http2,
        }
    }
}

/// Whether the value of If-None-Match names the tag of a route (RFC 9110 section 13.1.2).
fn is_named(value: u32, what: u32, routes: &Routes<'_>) -> bool {
    let tag = |number: u32| routes.routes.get(number as usize).map(|route| route.response.etag);
    match value {
        tag::NONE => false,
        tag::ANY => true,
        // Two routes with the same body have the same tag.
        _ => tag(value).is_some_and(|named| !named.is_empty() && tag(what) == Some(named)),
    }
}
