//! What a request gets.

use crate::http::hpack::{Head, Kind, method, tag, target};
use crate::http::refusals::Refusal;
use crate::http::{Method, Protocol, Request, Response, Routes};

/// The answer to a request, without its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// The number of a route, or [`NOT_FOUND`].
    what: u32,
    refusal: Option<Refusal>,
    /// Without its body.
    pub(super) head: bool,
    /// The client has it.
    not_modified: bool,
}

/// A request that breaks a rule of RFC 9113 section 8: a stream error of type `PROTOCOL_ERROR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed;

const NOT_FOUND: u32 = 1 << 16;

impl Answer {
    pub(super) const NONE: Self = Self::route(NOT_FOUND);
    pub(super) const CONTENT_TOO_LARGE: Self = Self::refuse(Refusal::ContentTooLarge);
    pub(super) const FIELDS_TOO_LARGE: Self = Self::refuse(Refusal::FieldsTooLarge);
    pub(super) const INTERNAL_SERVER_ERROR: Self = Self::refuse(Refusal::NoBody);

    /// A route to GET.
    #[inline(always)]
    pub(super) const fn route(number: u32) -> Self {
        Self { what: number, refusal: None, head: false, not_modified: false }
    }

    const fn refuse(refusal: Refusal) -> Self {
        Self { refusal: Some(refusal), ..Self::route(NOT_FOUND) }
    }

    /// What answers it, if it is no response of a route or of a path that is none.
    #[inline(always)]
    pub(super) const fn refusal(self) -> Option<Refusal> {
        self.refusal
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
            return Ok(Self::FIELDS_TOO_LARGE);
        }
        let refusal = match (method, path) {
            (_, target::TOO_LONG) => Some(Refusal::TargetTooLong),
            (method::UNKNOWN, _) => Some(Refusal::NotImplemented),
            (method::CONNECT, _) => Some(Refusal::NotAllowed),
            (method::OPTIONS, _) if path < target::NOT_FOUND || path == target::ASTERISK => {
                Some(Refusal::Methods)
            }
            (method::GET | method::HEAD, _) => None,
            _ if path >= target::NOT_FOUND => None,
            _ => Some(Refusal::NotAllowed),
        };
        let what = if refusal.is_some() { NOT_FOUND } else { path.min(NOT_FOUND) };
        Ok(Self {
            what,
            refusal,
            head: method == method::HEAD,
            not_modified: head.has(Kind::IF_NONE_MATCH)
                && is_named(head.value(Kind::IF_NONE_MATCH), what, routes),
        })
    }

    /// The response that has the bytes, if it is not refused.
    #[inline(always)]
    pub(super) fn response<'r>(self, routes: &Routes<'r>) -> &'r Response<'r> {
        let Some(route) = routes.routes.get(self.what as usize) else { return routes.not_found };
        match route.response.not_modified {
            Some(response) if self.not_modified => response,
            _ => route.response,
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
