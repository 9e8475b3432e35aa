//! Frames (RFC 9113 section 4.1).

use crate::sink::copy;

/// Bytes in front of a frame's payload.
///
/// | bytes | what |
/// |---|---|
/// | 3 | length of the payload |
/// | 1 | type, see [`kind`] |
/// | 1 | flags, see [`flag`] |
/// | 4 | stream; the highest bit means nothing |
pub(super) const HEADER: usize = 9;

/// The longest payload that we take (section 4.2), and the longest that we send.
pub(super) const MAX_PAYLOAD: usize = 16_384;

/// A payload that is short.
const SHORT: u64 = 1023;

/// Types of frames (section 6).
pub(super) mod kind {
    pub(in super::super) const DATA: u8 = 0;
    pub(in super::super) const HEADERS: u8 = 1;
    pub(in super::super) const PRIORITY: u8 = 2;
    pub(in super::super) const RST_STREAM: u8 = 3;
    pub(in super::super) const SETTINGS: u8 = 4;
    pub(in super::super) const PUSH_PROMISE: u8 = 5;
    pub(in super::super) const PING: u8 = 6;
    pub(in super::super) const GOAWAY: u8 = 7;
    pub(in super::super) const WINDOW_UPDATE: u8 = 8;
    pub(in super::super) const CONTINUATION: u8 = 9;
}

/// Flags of frames.
pub(super) mod flag {
    pub(in super::super) const ACK: u8 = 1;
    pub(in super::super) const END_STREAM: u8 = 1;
    pub(in super::super) const END_HEADERS: u8 = 4;
    pub(in super::super) const PADDED: u8 = 8;
    pub(in super::super) const PRIORITY: u8 = 0x20;
}

/// Error codes (section 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Code {
    NoError = 0,
    ProtocolError = 1,
    InternalError = 2,
    FlowControlError = 3,
    StreamClosed = 5,
    FrameSizeError = 6,
    RefusedStream = 7,
    CompressionError = 9,
    EnhanceYourCalm = 11,
}

/// What stands in front of a payload.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) length: usize,
    /// Type and flags.
    pub(super) kind: u8,
    pub(super) flags: u8,
    pub(super) stream: u32,
}

impl Header {
    #[inline(always)]
    pub(super) fn from_bytes(bytes: &[u8; HEADER]) -> Self {
        let [a, b, c, kind, flags, stream @ ..] = bytes;
        Self {
            length: usize::try_from(u32::from_be_bytes([0, *a, *b, *c])).unwrap_or(usize::MAX),
            kind: *kind,
            flags: *flags,
            stream: number(*stream),
        }
    }

    /// Whether this is HEADERS of a client's stream that holds a whole request and nothing else.
    #[inline(always)]
    pub(super) fn is_request(&self) -> bool {
        self.kind == kind::HEADERS
            && self.flags == flag::END_HEADERS | flag::END_STREAM
            && self.stream & 1 == 1
    }

    /// The stream and the length of a frame for which [`Self::is_request`] holds, and that is so short
    /// that it is worth a try.
    #[inline(always)]
    pub(super) fn short_request(bytes: &[u8; HEADER]) -> Option<(u32, usize)> {
        const REQUEST: u64 = u64::from_be_bytes([
            0,
            0,
            0,
            0,
            0,
            0,
            kind::HEADERS,
            flag::END_HEADERS | flag::END_STREAM,
        ]);
        let [start @ .., _] = bytes;
        let [_, _, _, _, _, stream @ ..] = bytes;
        let (stream, start) = (number(*stream), u64::from_be_bytes(*start) >> 24);
        // What is left of it is the length.
        let length = (start ^ REQUEST).rotate_right(16);
        if length > SHORT || stream & 1 == 0 {
            return None;
        }
        Some((stream, usize::try_from(length).ok()?))
    }

    #[inline(always)]
    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// The bytes of a header. `length` is at most [`MAX_PAYLOAD`].
    pub(super) fn bytes(length: usize, kind: u8, flags: u8, stream: u32) -> [u8; HEADER] {
        let [.., a, b, c] = (length as u64).to_be_bytes();
        let [d, e, f, g] = stream.to_be_bytes();
        [a, b, c, kind, flags, d, e, f, g]
    }
}

/// A number of 31 bits.
#[inline(always)]
pub(super) const fn number(bytes: [u8; 4]) -> u32 {
    u32::from_be_bytes(bytes) & 0x7fff_ffff
}

/// The frames that go out.
#[derive(Debug)]
pub(super) struct Frames<'a> {
    bytes: &'a mut [u8],
    len: usize,
}

impl<'a> Frames<'a> {
    pub(super) const fn new(bytes: &'a mut [u8]) -> Self {
        Self { bytes, len: 0 }
    }

    /// The same behind those `len` bytes that are written already.
    pub(super) const fn behind(bytes: &'a mut [u8], len: usize) -> Self {
        Self { bytes, len }
    }

    /// Bytes that are written.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Bytes that can be written.
    #[inline(always)]
    pub(super) const fn room(&self) -> usize {
        self.bytes.len().saturating_sub(self.len)
    }

    /// Bytes that could be written to a whole output.
    pub(super) const fn capacity(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes that are not written yet.
    pub(super) fn rest(&mut self) -> &mut [u8] {
        self.bytes.get_mut(self.len..).unwrap_or_default()
    }

    /// Takes the first `len` bytes of [`Self::rest`] as written.
    pub(super) fn advance(&mut self, len: usize) {
        self.len += len.min(self.room());
    }

    /// Copies `part`, or nothing if there is no room, and returns where it stands.
    #[inline(always)]
    pub(super) fn put(&mut self, part: &[u8]) -> &mut [u8] {
        let Some((to, _)) =
            self.bytes.get_mut(self.len..).and_then(|rest| rest.split_at_mut_checked(part.len()))
        else {
            return &mut [];
        };
        copy(to, part);
        self.len += part.len();
        to
    }

    /// A frame without flags whose payload is one number.
    pub(super) fn number(&mut self, kind: u8, stream: u32, value: u32) {
        self.put(&Header::bytes(4, kind, 0, stream));
        self.put(&value.to_be_bytes());
    }

    /// Says that the connection ends, and the last stream that may have been dealt with.
    pub(super) fn go_away(&mut self, last: u32, code: Code) {
        self.put(&Header::bytes(8, kind::GOAWAY, 0, 0));
        self.put(&last.to_be_bytes());
        self.put(&(code as u32).to_be_bytes());
    }
}
