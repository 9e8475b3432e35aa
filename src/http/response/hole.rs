//! Those bytes of a response that differ each time.

use super::Response;
use crate::http::field::is_control;
use crate::http::{Handler, Protocol, Request};

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
    /// Number of the hole in the response, header fields first: what a handler is asked for. In the
    /// response of status 304, holes have the numbers that they have in the whole response.
    pub(in crate::http) number: usize,
    /// In a header field, where a control character would end the field.
    pub(in crate::http) in_header: bool,
}

impl Hole {
    /// What an array of holes has before they are found.
    pub const NONE: Self = Self { h1: 0, h2: 0, width: 0, number: 0, in_header: false };
}

impl Response<'_> {
    /// Lets `handler` fill the holes of a copy of this response, or of the start of it.
    ///
    /// `bytes` is `h1` or `h2`, as `request` says. `shift` bytes were put into it in front of the first
    /// header field. Control characters in header fields become question marks: what a handler passes
    /// on from elsewhere adds no field and no response.
    #[inline]
    pub(in crate::http) fn fill<H: Handler + ?Sized>(
        &self,
        handler: &mut H,
        request: Request,
        shift: usize,
        bytes: &mut [u8],
    ) {
        for hole in self.holes {
            let at = match request.protocol {
                Protocol::Http2 => hole.h2,
                Protocol::Http1 | Protocol::Auto => hole.h1,
            };
            let at = at.saturating_add(shift);
            let Some(bytes) = bytes.get_mut(at..at.saturating_add(hole.width)) else { continue };
            handler.fill(request, hole.number, bytes);
            if hole.in_header {
                for byte in bytes.iter_mut().filter(|byte| is_control(**byte)) {
                    *byte = b'?';
                }
            }
        }
    }
}
