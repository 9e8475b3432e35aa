//! One response as the bytes of both protocols.

mod error;
mod etag;
mod form;
mod hole;
mod layout;
mod macros;
mod parts;
mod sentence;

pub use error::PartsError;
pub(in crate::http) use etag::hash;
pub use hole::Hole;
pub use parts::{Header, Literal, Parts, Piece};
pub use sentence::Sentence;

/// A response in the bytes of HTTP/1.1 and in the frames of HTTP/2.
///
/// Made by the compiler as a rule ([`response!`](crate::http::response)), or from parts that are only
/// known at run time. Nothing in it depends on the peer: HPACK fields are literals without indexing
/// or entries of the static table (RFC 7541 section 6).
///
/// | part | bytes |
/// |---|---|
/// | `h1` | status line, header lines, empty line, body |
/// | `h2` | HEADERS frame with `END_HEADERS`; behind it, if the body has 1 to 16,384 bytes, one DATA frame with `END_STREAM` that holds it |
///
/// Both stream numbers in `h2` are zero. The flag `END_STREAM` is set in the HEADERS frame exactly if
/// the body is empty. No connection header is in `h1`: who closes the connection puts its line behind
/// the status line.
#[derive(Clone, Copy, Debug)]
pub struct Response<'a> {
    /// The bytes of HTTP/1.1.
    pub(in crate::http) h1: &'a [u8],
    /// Length of the status line, with its CRLF.
    pub(in crate::http) status_line: usize,
    /// Length of everything in front of the body in `h1`.
    pub(in crate::http) h1_head: usize,
    /// The frames of HTTP/2.
    pub(in crate::http) h2: &'a [u8],
    /// Length of the HEADERS frame, with its 9 bytes of frame header.
    pub(in crate::http) h2_headers: usize,
    /// The entity tag, with its quotes; empty if there is none.
    pub(in crate::http) etag: &'a [u8],
    /// What answers a request that has the current tag already.
    pub(in crate::http) not_modified: Option<&'a Self>,
    /// The bytes that a [`Handler`](crate::http::Handler) fills in each time.
    pub(in crate::http) holes: &'a [Hole],
    /// A body that a [`Handler`](crate::http::Handler) writes each time.
    pub(in crate::http) dynamic: Option<Dynamic>,
    /// There are neither holes nor a body that is written, which is asked before each copy.
    pub(in crate::http) literal: bool,
}

/// A body that is written each time.
///
/// `h1` of such a response ends with its head, and `h2` with the 9 bytes of a DATA frame's header that
/// has `END_STREAM` and a length of zero. The length of the body goes into both when it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dynamic {
    /// The longest body in bytes, 1 to 16,384.
    pub(in crate::http) max: usize,
    /// Offset of the value of content-length in `h1`: a hole of 5 digits, spaces in front.
    pub(in crate::http) length: usize,
    /// The head as well is written each time, by [`Handler::respond`](crate::http::Handler::respond):
    /// `h1` and `h2` are empty, and `max` counts all bytes of the response.
    pub(in crate::http) whole: bool,
    /// The handler sees the request, by [`Handler::exchange`](crate::http::Handler::exchange).
    pub(in crate::http) exchanged: bool,
}

impl<'a> Response<'a> {
    /// No bytes at all, which is no answer.
    const EMPTY: Self = Self {
        h1: &[],
        status_line: 0,
        h1_head: 0,
        h2: &[],
        h2_headers: 0,
        etag: &[],
        not_modified: None,
        holes: &[],
        dynamic: None,
        literal: false,
    };

    /// A response that [`Handler::respond`](crate::http::Handler::respond) writes with its head, at
    /// most `max` bytes.
    #[must_use]
    pub const fn written(max: usize) -> Self {
        let dynamic = Dynamic { max, length: 0, whole: true, exchanged: false };
        Self { dynamic: Some(dynamic), ..Self::EMPTY }
    }

    /// A response that [`Handler::exchange`](crate::http::Handler::exchange) writes with its head, at most
    /// `max` bytes, when it has seen the whole request.
    ///
    /// Its route takes GET, HEAD, POST, PUT, DELETE, PATCH and TRACE, and bodies whose length is said
    /// beforehand; other methods are answered as elsewhere, so that the `allow` which OPTIONS gets is that
    /// of a literal. Until a request is all there nothing of it is consumed, so that it
    /// has to fit the owner's input; a longer one is refused, with 431 or 413. This is so over HTTP/1.1:
    /// over HTTP/2 the route is one of [`written`](Self::written).
    #[must_use]
    pub const fn exchanged(max: usize) -> Self {
        let dynamic = Dynamic { max, length: 0, whole: true, exchanged: true };
        Self { dynamic: Some(dynamic), ..Self::EMPTY }
    }

    /// The same, with what answers a request that has the current entity tag already.
    ///
    /// It is only sent where this response has a tag.
    #[must_use]
    pub const fn with_not_modified(self, response: &'a Self) -> Self {
        Self { not_modified: Some(response), ..self }
    }

    /// The bytes of HTTP/1.1: status line, header lines, empty line, body.
    #[must_use]
    pub const fn http1(&self) -> &'a [u8] {
        self.h1
    }

    /// The frames of HTTP/2: HEADERS, and DATA with the body if it has 1 to 16,384 bytes.
    #[must_use]
    pub const fn http2(&self) -> &'a [u8] {
        self.h2
    }

    /// The entity tag with its quotes; empty if there is none.
    #[must_use]
    pub const fn etag(&self) -> &'a [u8] {
        self.etag
    }

    /// What answers a request that has the current entity tag already.
    #[must_use]
    pub const fn not_modified(&self) -> Option<&'a Self> {
        self.not_modified
    }

    /// Length in the form where it is longer, with the longest body that it can have.
    pub(in crate::http) const fn max_len(&self) -> usize {
        let fixed = if self.h1.len() > self.h2.len() { self.h1.len() } else { self.h2.len() };
        match self.dynamic {
            Some(dynamic) => fixed.saturating_add(dynamic.max),
            None => fixed,
        }
    }

    /// The body, if it is not written each time.
    pub(in crate::http) fn body(&self) -> &'a [u8] {
        self.h1.get(self.h1_head..).unwrap_or_default()
    }

    /// Length of [`Self::body`].
    #[inline(always)]
    pub(in crate::http) fn body_len(&self) -> usize {
        self.h1.len().saturating_sub(self.h1_head)
    }

    /// Whether the request is to be seen before it is answered.
    pub(in crate::http) const fn is_exchanged(&self) -> bool {
        matches!(self.dynamic, Some(Dynamic { exchanged: true, .. }))
    }

    /// Whether no byte of it is written when it is asked for.
    #[inline(always)]
    pub(in crate::http) fn is_literal(&self) -> bool {
        self.literal
    }
}
