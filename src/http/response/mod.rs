//! One response as the bytes of both protocols.

/// A response in the bytes of HTTP/1.1 and in the frames of HTTP/2.
///
/// Made by the compiler as a rule ([`response!`](crate::http_response)), or from parts that are only
/// known at run time. Nothing in it depends on the peer: HPACK fields are literals without indexing
/// or entries of the static table (RFC 7541 section 6).
///
/// | part | bytes |
/// |---|---|
/// | `h1` | status line, header lines, empty line, body |
/// | `h2` | HEADERS frame with END_HEADERS; behind it, if the body has 1 to 16,384 bytes, one DATA frame with END_STREAM that holds it |
///
/// Both stream numbers in `h2` are zero. The flag END_STREAM is set in the HEADERS frame exactly if
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
    pub(in crate::http) not_modified: Option<&'a Response<'a>>,
    /// The bytes that a [`Handler`](crate::http::Handler) fills in each time.
    pub(in crate::http) holes: &'a [Hole],
    /// A body that a [`Handler`](crate::http::Handler) writes each time.
    pub(in crate::http) dynamic: Option<Dynamic>,
}

/// Some bytes of a response that differ each time, in both forms.
///
/// Where a hole is in the body, the body has at most 16,384 bytes and goes out whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    /// Offset in the bytes of HTTP/1.1.
    pub(in crate::http) h1: usize,
    /// Offset in the frames of HTTP/2, where the value is not Huffman coded.
    pub(in crate::http) h2: usize,
    /// Length in bytes, the same in both.
    pub(in crate::http) width: usize,
}

/// A body that is written each time.
///
/// `h1` of such a response ends with its head, and `h2` with the 9 bytes of a DATA frame's header that
/// has END_STREAM and a length of zero. The length of the body goes into both when it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dynamic {
    /// The longest body in bytes, 1 to 16,384.
    pub(in crate::http) max: usize,
    /// Offset of the value of content-length in `h1`: a hole of 5 digits, spaces in front.
    pub(in crate::http) length: usize,
    /// The head as well is written each time, by [`Handler::respond`](crate::http::Handler::respond):
    /// `h1` and `h2` are empty, and `max` counts all bytes of the response.
    pub(in crate::http) whole: bool,
}

impl<'a> Response<'a> {
    /// The body, if it is not written each time.
    pub(in crate::http) fn body(&self) -> &'a [u8] {
        self.h1.get(self.h1_head..).unwrap_or_default()
    }
}
