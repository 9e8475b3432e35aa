//! The answers that no route gives.

use super::output::Output;
use super::{Header, Parts};
use crate::__http_response as response;

response! {
    /// What answers a path that is not among the routes, unless they say otherwise.
    pub static NOT_FOUND = 404, {}
}

/// An answer that is the same on every server, and has no body.
///
/// It is kept in parts, as both protocols have the same few of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Refusal {
    /// To OPTIONS: which methods there are.
    Methods,
    /// A method that the resource has not.
    NotAllowed,
    /// No HTTP/1, or not in this form.
    BadRequest,
    /// The head did not come in time.
    TimedOut,
    /// A body without a length for a handler that is to see it whole.
    LengthRequired,
    /// More body than is read.
    ContentTooLarge,
    /// More target than is read.
    TargetTooLong,
    /// `expect` with something else than `100-continue`.
    ExpectationFailed,
    /// More fields than are read.
    FieldsTooLarge,
    /// The handler has no body.
    NoBody,
    /// A method or a transfer coding that nobody here knows.
    NotImplemented,
    /// Another version than 1.0 and 1.1.
    VersionNotSupported,
}

/// The status of each, in that order.
const STATUSES: [u16; 12] = [200, 405, 400, 408, 411, 413, 414, 417, 431, 500, 501, 505];

/// How many of them, from the first one on, say which methods there are. These are no refusals, nor is 404.
const WITH_METHODS: usize = 2;

/// Where the bytes of a refusal begin, and how many they are.
#[derive(Clone, Copy)]
struct Place {
    at: u16,
    status_line: u8,
    /// Behind the status line.
    frame: u8,
}

impl Refusal {
    /// Whether it counts as a refusal.
    pub(super) const fn is_one(self) -> bool {
        self as usize >= WITH_METHODS
    }

    /// The status line of HTTP/1.1, with its CRLF, and all that comes behind it.
    pub(super) fn http1(self) -> [&'static [u8]; 2] {
        let rest: &[u8] = if self.is_one() { &NO_BODY } else { &METHODS };
        [self.bytes().0, rest]
    }

    /// The HEADERS frame of HTTP/2, whose stream number is zero.
    pub(super) fn http2(self) -> &'static [u8] {
        self.bytes().1
    }

    #[inline(never)]
    fn bytes(self) -> (&'static [u8], &'static [u8]) {
        let Some(place) = PLACES.get(self as usize) else { return (&[], &[]) };
        let bytes = BYTES.get(usize::from(place.at)..).unwrap_or_default();
        let (status_line, rest) =
            bytes.split_at_checked(place.status_line.into()).unwrap_or_default();
        (status_line, rest.get(..place.frame.into()).unwrap_or_default())
    }
}

/// What is behind the status line of a refusal.
static NO_BODY: [u8; 21] = *b"content-length: 0\r\n\r\n";
/// The same where it is said which methods there are.
static METHODS: [u8; 39] = *b"content-length: 0\r\nallow: GET, HEAD\r\n\r\n";

/// The status line and the frame of each.
static BYTES: [u8; LEN] = {
    let mut bytes = [0; LEN];
    put(&mut Output::new(&mut bytes));
    bytes
};
static PLACES: [Place; STATUSES.len()] = put(&mut Output::new(&mut [])).1;
const LEN: usize = put(&mut Output::new(&mut [])).0;

/// Puts the bytes of all, or counts them, and says where they are.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
#[allow(clippy::cast_possible_truncation, clippy::panic, reason = "at compile time, and looked at")]
const fn put(output: &mut Output<'_>) -> (usize, [Place; STATUSES.len()]) {
    const ALLOW: [Header<'static>; 1] = [Header::new("allow", "GET, HEAD")];
    let mut places = [Place { at: 0, status_line: 0, frame: 0 }; STATUSES.len()];
    let mut number = 0;
    while number < STATUSES.len() {
        let headers: &[Header<'_>] = if number < WITH_METHODS { &ALLOW } else { &[] };
        let parts = Parts::new(STATUSES[number]).headers(headers);
        let (mut http1, mut http2) = ([0; 128], [0; 64]);
        let (Ok(_), Ok(frame)) = (parts.http1_in(&mut http1), parts.http2_in(&mut http2)) else {
            panic!("a refusal is longer than what it is made in");
        };
        let mut status_line = 1;
        while http1[status_line - 1] != b'\n' {
            status_line += 1;
        }
        let at = output.len();
        assert!(
            at <= 0xffff && status_line <= 0xff && frame <= 0xff,
            "a place is two bytes and two lengths"
        );
        output.put(http1.split_at(status_line).0);
        output.put(http2.split_at(frame).0);
        places[number] =
            Place { at: at as u16, status_line: status_line as u8, frame: frame as u8 };
        number += 1;
    }
    (output.len(), places)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    const ALL: [Refusal; STATUSES.len()] = [
        Refusal::Methods,
        Refusal::NotAllowed,
        Refusal::BadRequest,
        Refusal::TimedOut,
        Refusal::LengthRequired,
        Refusal::ContentTooLarge,
        Refusal::TargetTooLong,
        Refusal::ExpectationFailed,
        Refusal::FieldsTooLarge,
        Refusal::NoBody,
        Refusal::NotImplemented,
        Refusal::VersionNotSupported,
    ];

    /// What they are in parts is what they are as responses.
    #[test]
    fn refusals_have_the_bytes_of_responses() {
        let allow = [Header::new("allow", "GET, HEAD")];
        for (refusal, status) in ALL.into_iter().zip(STATUSES) {
            let headers: &[Header<'_>] = if refusal.is_one() { &[] } else { &allow };
            let parts = Parts::new(status).headers(headers);
            let mut bytes = [0; 128];
            assert_eq!(parts.http1_in(&mut bytes), Ok(refusal.http1().concat().len()));
            assert!(bytes.starts_with(&refusal.http1().concat()), "{status}");
            assert!(refusal.http1()[0].ends_with(b"\r\n"), "{status}");
            assert_eq!(parts.http2_in(&mut bytes), Ok(refusal.http2().len()));
            assert!(bytes.starts_with(refusal.http2()), "{status}");
        }
    }
}
