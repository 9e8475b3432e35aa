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
    /// Whether the body has holes, so that it goes out whole.
    pub(in crate::http) const fn has_holes_in_body(&self) -> bool {
        // Those of header fields come first.
        matches!(self.holes, [.., Hole { in_header: false, .. }])
    }

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

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    extern crate alloc;

    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::Response;
    use crate::__http_response as response;
    use crate::http::{Handler, Method, Protocol, Request};

    const DATE: &[u8; 29] = b"Thu, 01 Jan 1970 00:00:00 GMT";

    response! {
        static RESPONSE = 200, {
            "x-first": ["a", hole(FIRST, 2), "b", hole(SECOND, 1)],
            "content-type": "text/plain",
            "date": [hole(DATE = DATE)],
        }, ["n=", hole(COUNT, 3), ";", hole(LAST = "last")]
    }
    response! {
        static TAGGED = 200, {
            "x-first": ["a", hole(FIRST, 2)],
            "date": [hole(DATE = DATE)],
            "vary": ["x", hole(VARY, 1)],
        }, "body"
    }

    /// Overwrites each hole with its number, and remembers what it was asked for.
    #[derive(Default)]
    struct Numbers {
        asked: Vec<(usize, Vec<u8>)>,
    }

    impl Handler for Numbers {
        fn fill(&mut self, _: Request, hole: usize, bytes: &mut [u8]) {
            self.asked.push((hole, bytes.to_vec()));
            bytes.fill(b'1' + u8::try_from(hole).unwrap_or_default());
        }
    }

    fn request(protocol: Protocol) -> Request {
        Request { route: 0, method: Method::Get, protocol }
    }

    fn filled(response: &Response<'_>, protocol: Protocol) -> (Vec<u8>, Vec<(usize, Vec<u8>)>) {
        let mut bytes = match protocol {
            Protocol::Http2 => response.h2.to_vec(),
            _ => response.h1.to_vec(),
        };
        let mut numbers = Numbers::default();
        response.fill(&mut numbers, request(protocol), 0, &mut bytes);
        (bytes, numbers.asked)
    }

    #[test]
    fn holes_are_filled_over_both_protocols() {
        let (bytes, asked) = filled(&RESPONSE, Protocol::Http1);
        assert_eq!(
            String::from_utf8_lossy(&bytes),
            "HTTP/1.1 200 OK\r\ncontent-length: 10\r\nx-first: a11b2\r\n\
             content-type: text/plain\r\ndate: 33333333333333333333333333333\r\n\r\nn=444;5555"
        );
        let initial: [&[u8]; 5] = [b"00", b"0", DATE, b"000", b"last"];
        assert_eq!(asked.len(), 5);
        for (number, (hole, bytes)) in asked.iter().enumerate() {
            assert_eq!((*hole, &bytes[..]), (number, initial[number]));
        }
        let (mut bytes, same) = filled(&RESPONSE, Protocol::Http2);
        assert_eq!(same, asked);
        let text = String::from_utf8_lossy(&bytes);
        for part in ["\x05a11b2\x0f\x10", "\x1d33333333333333333333333333333"] {
            assert!(text.contains(part), "{text:?}");
        }
        assert!(text.ends_with("n=444;5555"));
        // Nothing else changed: with the values that it had, it is what it was.
        for (hole, (_, initial)) in RESPONSE.holes.iter().zip(&same) {
            bytes[hole.h2..hole.h2 + hole.width].copy_from_slice(initial);
        }
        assert_eq!(bytes, RESPONSE.h2);
    }

    #[test]
    fn names_stand_for_numbers() {
        let numbers =
            [RESPONSE::FIRST, RESPONSE::SECOND, RESPONSE::DATE, RESPONSE::COUNT, RESPONSE::LAST];
        assert_eq!(numbers, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_304_has_the_holes_of_its_fields_with_their_numbers() {
        let twin = TAGGED.not_modified.unwrap_or(&TAGGED);
        let (bytes, asked) = filled(twin, Protocol::Http1);
        let etag = String::from_utf8_lossy(TAGGED.etag);
        assert_eq!(
            String::from_utf8_lossy(&bytes),
            format!(
                "HTTP/1.1 304 Not Modified\r\netag: {etag}\r\n\
                 date: 22222222222222222222222222222\r\nvary: x3\r\n\r\n"
            )
        );
        let numbers: Vec<usize> = asked.iter().map(|(hole, _)| *hole).collect();
        assert_eq!(numbers, [TAGGED::DATE, TAGGED::VARY]);
        let (bytes, same) = filled(twin, Protocol::Http2);
        assert_eq!(same, asked);
        assert!(bytes.ends_with(b"\x1d22222222222222222222222222222\x0f\x2c\x02x3"));
    }

    #[test]
    fn what_was_put_in_front_moves_them() {
        let mut bytes = [b"HTTP/1.1 200 OK\r\nconnection: close\r\n", &RESPONSE.h1[17..]].concat();
        RESPONSE.fill(&mut Numbers::default(), request(Protocol::Http1), 19, &mut bytes);
        assert!(String::from_utf8_lossy(&bytes).contains("\r\nx-first: a11b2\r\n"));
        assert!(bytes.ends_with(b"n=444;5555"));
    }

    /// As for HEAD, where nothing is behind the head.
    #[test]
    fn holes_behind_the_bytes_are_left_out() {
        let mut bytes = RESPONSE.h1[..RESPONSE.h1_head].to_vec();
        let mut numbers = Numbers::default();
        RESPONSE.fill(&mut numbers, request(Protocol::Http1), 0, &mut bytes);
        assert_eq!(numbers.asked.len(), 3);
    }

    #[test]
    fn control_characters_do_not_end_a_field() {
        struct Split;

        impl Handler for Split {
            fn fill(&mut self, _: Request, _: usize, bytes: &mut [u8]) {
                for (byte, value) in bytes.iter_mut().zip(b"\r\n\0\x7f\t \xff".iter().cycle()) {
                    *byte = *value;
                }
            }
        }

        for protocol in [Protocol::Http1, Protocol::Http2] {
            let mut bytes = match protocol {
                Protocol::Http2 => RESPONSE.h2.to_vec(),
                _ => RESPONSE.h1.to_vec(),
            };
            RESPONSE.fill(&mut Split, request(protocol), 0, &mut bytes);
            let value = b"????\t \xff????\t \xff????\t \xff????\t \xff?";
            assert!(bytes.windows(29).any(|window| window == value));
            // A body is whatever it is.
            assert!(bytes.ends_with(b"n=\r\n\0;\r\n\0\x7f"));
        }
    }
}
