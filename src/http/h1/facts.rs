//! What is known of a request whose head is being read.

use super::super::refusals::Refusal;
use super::super::{Limits, Routes, entity_tag};
use super::target::{Target, is_authority, resolve};

/// What is known of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    /// The set of what was seen.
    pub(super) seen: u32,
    /// What answers it, if nothing is wrong with the rest.
    pub(super) reply: Reply,
    /// The value of content-length.
    pub(super) length: u64,
}

/// What answers a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// The response of a route.
    Route(u16),
    /// That of a route whose tag the client has already.
    NotModified(u16),
    /// The response for all other paths.
    NotFound,
    /// One that is not the user's.
    Fixed(Refusal),
}

/// The method is HEAD.
pub(super) const HEAD: u32 = 1;
/// The version is 1.0.
pub(super) const OLD: u32 = 1 << 1;
/// There was a host field.
pub(super) const HOST: u32 = 1 << 2;
/// There was a content-length field.
pub(super) const LENGTH: u32 = 1 << 3;
/// There was a transfer-encoding field: the body is chunked.
pub(super) const CHUNKED: u32 = 1 << 4;
/// It names another coding as well.
pub(super) const CODED: u32 = 1 << 5;
/// The connection ends with the answer.
pub(super) const CLOSE: u32 = 1 << 6;
/// The client waits for a sign before it sends the body.
pub(super) const EXPECTS: u32 = 1 << 7;
/// It expects something else.
pub(super) const EXPECTS_MORE: u32 = 1 << 8;
/// The head is over, and fields are trailers.
pub(super) const TRAILERS: u32 = 1 << 9;
/// The method is CONNECT.
pub(super) const CONNECT: u32 = 1 << 10;

/// The fields that something depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Other,
    Host,
    Connection,
    ContentLength,
    TransferEncoding,
    Expect,
    IfNoneMatch,
}

impl Field {
    /// The field of that name.
    #[inline]
    pub(super) fn named(name: &[u8]) -> Self {
        let (expected, field): (&[u8], _) = match name.len() {
            4 => (b"host", Self::Host),
            6 => (b"expect", Self::Expect),
            10 => (b"connection", Self::Connection),
            13 => (b"if-none-match", Self::IfNoneMatch),
            14 => (b"content-length", Self::ContentLength),
            17 => (b"transfer-encoding", Self::TransferEncoding),
            _ => return Self::Other,
        };
        if name.eq_ignore_ascii_case(expected) { field } else { Self::Other }
    }
}

impl Facts {
    pub(super) const NONE: Self = Self { seen: 0, reply: Reply::NotFound, length: 0 };

    /// Takes a request line in its three parts.
    pub(super) fn request_line(
        routes: &Routes<'_>,
        method: &[u8],
        target: &[u8],
        version: &[u8],
    ) -> Result<Self, Refusal> {
        let mut facts = Self::NONE;
        match version {
            b"HTTP/1.1" => {}
            b"HTTP/1.0" => facts.seen |= OLD | CLOSE,
            // Nearly the preface of HTTP/2.
            b"HTTP/2.0" if method == b"PRI" => return Err(Refusal::BadRequest),
            [b'H', b'T', b'T', b'P', b'/', b'0'..=b'9', b'.', b'0'..=b'9'] => {
                return Err(Refusal::VersionNotSupported);
            }
            _ => return Err(Refusal::BadRequest),
        }
        if method == b"CONNECT" {
            // Its target is an authority. What follows may be no HTTP (RFC 9110 section 9.3.6).
            facts.seen |= CONNECT | CLOSE;
            facts.reply = Reply::Fixed(Refusal::NotImplemented);
            return Ok(facts);
        }
        let known = is_known(method);
        facts.reply = match (resolve(routes, target), method) {
            (Target::Malformed, _) => return Err(Refusal::BadRequest),
            (Target::Server, b"OPTIONS") => Reply::Fixed(Refusal::Methods),
            (Target::Server, _) => return Err(Refusal::BadRequest),
            _ if !known => Reply::Fixed(Refusal::NotImplemented),
            (Target::Unknown, _) => Reply::NotFound,
            (Target::Route(route), b"GET" | b"HEAD") => Reply::Route(route),
            (Target::Route(_), b"OPTIONS") => Reply::Fixed(Refusal::Methods),
            (Target::Route(route), _) if is_exchanged(routes, route) => Reply::Route(route),
            (Target::Route(_), _) => Reply::Fixed(Refusal::NotAllowed),
        };
        if method == b"HEAD" {
            facts.seen |= HEAD;
        }
        Ok(facts)
    }

    /// Takes the value of a field.
    pub(super) fn field(
        &mut self,
        routes: &Routes<'_>,
        field: Field,
        value: &[u8],
    ) -> Result<(), Refusal> {
        // Only SP and TAB are left of what this trims.
        let value = value.trim_ascii();
        match field {
            Field::Other => Ok(()),
            Field::Host => self.host(value),
            Field::Connection => {
                let mut options = value.split(|byte| *byte == b',');
                if options.any(|option| option.trim_ascii().eq_ignore_ascii_case(b"close")) {
                    self.seen |= CLOSE;
                }
                Ok(())
            }
            Field::ContentLength => self.content_length(value),
            Field::TransferEncoding => self.transfer_encoding(value),
            Field::Expect => {
                let known = value.eq_ignore_ascii_case(b"100-continue");
                self.seen |= if known { EXPECTS } else { EXPECTS_MORE };
                Ok(())
            }
            Field::IfNoneMatch => {
                if let Reply::Route(number) = self.reply
                    && let Some(route) = routes.routes.get(usize::from(number))
                    && route.response.not_modified.is_some()
                    && entity_tag::is_named(route.response.etag, value)
                {
                    self.reply = Reply::NotModified(number);
                }
                Ok(())
            }
        }
    }

    /// Exactly one, and a valid one (RFC 9112 section 3.2).
    fn host(&mut self, value: &[u8]) -> Result<(), Refusal> {
        if self.seen & HOST != 0 || !is_authority(value) {
            return Err(Refusal::BadRequest);
        }
        self.seen |= HOST;
        Ok(())
    }

    /// One number. A list of equal ones would be legal to take and is as legal to refuse (RFC 9112
    /// section 6.3).
    fn content_length(&mut self, value: &[u8]) -> Result<(), Refusal> {
        if self.seen & LENGTH != 0 || value.is_empty() {
            return Err(Refusal::BadRequest);
        }
        let mut length: u64 = 0;
        for byte in value {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                return Err(Refusal::BadRequest);
            }
            let longer = length.checked_mul(10).and_then(|l| l.checked_add(u64::from(digit)));
            length = longer.ok_or(Refusal::BadRequest)?;
        }
        self.length = length;
        self.seen |= LENGTH;
        Ok(())
    }

    /// `chunked` has to be the last coding, or nobody knows where the body ends (RFC 9112 section 6.3).
    fn transfer_encoding(&mut self, value: &[u8]) -> Result<(), Refusal> {
        let is_chunked = |coding: &[u8]| coding.trim_ascii().eq_ignore_ascii_case(b"chunked");
        let mut codings = value.rsplit(|byte| *byte == b',');
        if self.seen & CHUNKED != 0 || !codings.next().is_some_and(is_chunked) {
            return Err(Refusal::BadRequest);
        }
        self.seen |= CHUNKED;
        for coding in codings {
            // It is applied once (RFC 9112 section 7).
            if is_chunked(coding) {
                return Err(Refusal::BadRequest);
            }
            self.seen |= CODED;
        }
        Ok(())
    }

    /// Takes the end of the head: what is wrong with the request as a whole.
    pub(super) fn complete(&mut self, limits: &Limits) -> Result<(), Refusal> {
        let seen = self.seen;
        let smuggled = seen & CHUNKED != 0 && seen & (LENGTH | OLD) != 0;
        if smuggled || seen & (HOST | OLD) == 0 {
            return Err(Refusal::BadRequest);
        }
        if seen & CODED != 0 {
            return Err(Refusal::NotImplemented);
        }
        if seen & LENGTH != 0 && self.length > limits.body {
            return Err(Refusal::ContentTooLarge);
        }
        // Version 1.0 has no expectations (RFC 9110 section 10.1.1).
        if seen & EXPECTS_MORE != 0 && seen & OLD == 0 {
            return Err(Refusal::ExpectationFailed);
        }
        if seen & OLD != 0 || (seen & CHUNKED == 0 && self.length == 0) {
            self.seen &= !EXPECTS;
        }
        if seen & CONNECT != 0 {
            return Err(Refusal::NotImplemented);
        }
        Ok(())
    }
}

/// Whether the handler is to see requests for a route.
pub(super) fn is_exchanged(routes: &Routes<'_>, route: u16) -> bool {
    let route = routes.routes.get(usize::from(route));
    route.is_some_and(|route| route.response.is_exchanged())
}

/// Methods that a resource could have (RFC 9110 section 9.3, RFC 5789).
fn is_known(method: &[u8]) -> bool {
    const KNOWN: [&[u8]; 8] =
        [b"GET", b"HEAD", b"POST", b"PUT", b"DELETE", b"OPTIONS", b"TRACE", b"PATCH"];
    KNOWN.contains(&method)
}
