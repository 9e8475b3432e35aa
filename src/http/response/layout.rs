//! Where what lies in a response.

use super::parts::{Content, Header, MAX_FRAME, Parts, Piece};
use super::{Dynamic, Hole, Response};
use crate::http::field::is_of_not_modified;
use crate::http::hpack::encode;
use crate::http::output::Output;
use crate::http::status::reason;

/// Where what lies in the bytes of a response: `h1`, with `h2` behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    status_line: usize,
    h1_head: usize,
    pub(super) h1_len: usize,
    h2_headers: usize,
    pub(super) h2_len: usize,
    /// Of the tag with its quotes in `h1`.
    etag_at: usize,
    etag_len: usize,
    dynamic: Option<Dynamic>,
    pub(super) holes: usize,
}

/// Puts the bytes of HTTP/1.1 alone, and returns how many that are.
pub(super) const fn put_http1(parts: &Parts<'_>, output: &mut Output<'_>) -> usize {
    let mut layout = Layout::NONE;
    layout.put_http1(parts, output, &mut Holes { slots: &mut [], count: 0, number: 0 });
    layout.h1_len
}

/// Puts the frames of HTTP/2 alone, and returns how many bytes that are.
pub(super) const fn put_http2(parts: &Parts<'_>, output: &mut Output<'_>) -> usize {
    let mut layout = Layout::NONE;
    layout.put_http2(parts, output, &mut Holes { slots: &mut [], count: 0, number: 0 });
    layout.h2_len
}

/// The holes of a response, whose places are found one after the other, once for each protocol.
struct Holes<'a> {
    slots: &'a mut [Hole],
    /// Holes of this response so far, over this protocol.
    count: usize,
    /// The same with those that are left out of a response of status 304.
    number: usize,
}

#[derive(Clone, Copy)]
enum Form {
    Http1,
    Http2,
}

impl Layout {
    const NONE: Self = Self {
        status_line: 0,
        h1_head: 0,
        h1_len: 0,
        h2_headers: 0,
        h2_len: 0,
        etag_at: 0,
        etag_len: 0,
        dynamic: None,
        holes: 0,
    };

    /// Puts the bytes of both protocols, and says where what lies in them.
    ///
    /// Where there is no room, bytes and holes are counted.
    pub(super) const fn put(
        parts: &Parts<'_>,
        output: &mut Output<'_>,
        holes: &mut [Hole],
    ) -> Self {
        let mut layout = Self::NONE;
        let mut places = Holes { slots: holes, count: 0, number: 0 };
        layout.put_http1(parts, output, &mut places);
        layout.holes = places.count;
        places.count = 0;
        places.number = 0;
        layout.put_http2(parts, output, &mut places);
        layout
    }

    /// Length of the header block over HTTP/2.
    pub(super) const fn block_len(parts: &Parts<'_>) -> usize {
        let mut output = Output::new(&mut []);
        put_block(parts, &mut output, &mut Holes { slots: &mut [], count: 0, number: 0 }, 0);
        output.len()
    }

    /// The response whose bytes and holes these are.
    pub(super) const fn response<'a>(&self, bytes: &'a [u8], holes: &'a [Hole]) -> Response<'a> {
        let Some((h1, h2)) = bytes.split_at_checked(self.h1_len) else {
            return Response::EMPTY;
        };
        let etag = match h1.split_at_checked(self.etag_at) {
            Some((_, rest)) => match rest.split_at_checked(self.etag_len) {
                Some((etag, _)) => etag,
                None => &[],
            },
            None => &[],
        };
        Response {
            h1,
            status_line: self.status_line,
            h1_head: self.h1_head,
            h2,
            h2_headers: self.h2_headers,
            etag,
            not_modified: None,
            holes,
            dynamic: self.dynamic,
            literal: holes.is_empty() && self.dynamic.is_none(),
        }
    }

    const fn put_http1(
        &mut self,
        parts: &Parts<'_>,
        output: &mut Output<'_>,
        holes: &mut Holes<'_>,
    ) {
        output.put(b"HTTP/1.1 ");
        put_decimal(output, parts.status as usize);
        output.byte(b' ');
        output.put(reason(parts.status).as_bytes());
        output.put(b"\r\n");
        self.status_line = output.len();
        if parts.has_length() {
            output.put(b"content-length: ");
            if let Content::Dynamic(max) = parts.body {
                self.dynamic =
                    Some(Dynamic { max, length: output.len(), whole: false, exchanged: false });
                output.put(b"    0");
            } else {
                put_decimal(output, parts.body.len());
            }
            output.put(b"\r\n");
        }
        if let Some(etag) = parts.etag.text() {
            output.put(b"etag: ");
            self.etag_at = output.len();
            self.etag_len = etag.len() + 2;
            output.byte(b'"');
            output.put(etag);
            output.put(b"\"\r\n");
        }
        let mut headers = parts.headers;
        while let [header, rest @ ..] = headers {
            if is_left_out(parts, header) {
                holes.leave_out(&header.value);
            } else {
                output.put(header.name.as_bytes());
                output.put(b": ");
                holes.put(&header.value, output, Form::Http1, 0, true);
                output.put(b"\r\n");
            }
            headers = rest;
        }
        output.put(b"\r\n");
        self.h1_head = output.len();
        holes.put(&parts.body, output, Form::Http1, 0, false);
        self.h1_len = output.len();
    }

    const fn put_http2(
        &mut self,
        parts: &Parts<'_>,
        output: &mut Output<'_>,
        holes: &mut Holes<'_>,
    ) {
        let start = output.len();
        let has_body = parts.body.len() > 0;
        let end = if has_body { 0 } else { END_STREAM };
        put_frame_header(output, Self::block_len(parts), HEADERS, END_HEADERS | end);
        put_block(parts, output, holes, start);
        self.h2_headers = output.len() - start;
        if let Content::Dynamic(_) = parts.body {
            put_frame_header(output, 0, DATA, END_STREAM);
        } else if has_body && parts.body.len() <= MAX_FRAME {
            put_frame_header(output, parts.body.len(), DATA, END_STREAM);
            holes.put(&parts.body, output, Form::Http2, start, false);
        }
        self.h2_len = output.len() - start;
    }
}

/// Puts the header block; `start` is where the first frame starts in `output`.
const fn put_block(
    parts: &Parts<'_>,
    output: &mut Output<'_>,
    holes: &mut Holes<'_>,
    start: usize,
) {
    let mut digits = [0; MAX_DIGITS];
    encode::field(output, b":status", decimal(parts.status as usize, &mut digits));
    if parts.has_length() && !matches!(parts.body, Content::Dynamic(_)) {
        encode::field(output, b"content-length", decimal(parts.body.len(), &mut digits));
    }
    if let Some(etag) = parts.etag.text() {
        encode::quoted_field(output, b"etag", etag);
    }
    let mut headers = parts.headers;
    while let [header, rest @ ..] = headers {
        if is_left_out(parts, header) {
            holes.leave_out(&header.value);
        } else if let Content::Bytes(value) = header.value {
            encode::field(output, header.name.as_bytes(), value);
        } else {
            encode::plain_field(output, header.name.as_bytes(), header.value.len());
            holes.put(&header.value, output, Form::Http2, start, true);
        }
        headers = rest;
    }
}

const fn is_left_out(parts: &Parts<'_>, header: &Header<'_>) -> bool {
    parts.is_not_modified && !is_of_not_modified(header.name)
}

impl Holes<'_> {
    /// Puts what `content` holds, and remembers where its holes are, counted from `start`.
    const fn put(
        &mut self,
        content: &Content<'_>,
        output: &mut Output<'_>,
        form: Form,
        start: usize,
        in_header: bool,
    ) {
        let mut pieces = match *content {
            Content::Bytes(bytes) => {
                output.put(bytes);
                return;
            }
            Content::Pieces(pieces) => pieces,
            Content::Dynamic(_) => return,
        };
        while let [piece, rest @ ..] = pieces {
            if let Piece::Hole(initial) = piece {
                let at = output.len() - start;
                if let Some((_, [hole, ..])) = self.slots.split_at_mut_checked(self.count) {
                    match form {
                        Form::Http1 => hole.h1 = at,
                        Form::Http2 => hole.h2 = at,
                    }
                    hole.width = initial.len();
                    hole.number = self.number;
                    hole.in_header = in_header;
                }
                self.count += 1;
                self.number += 1;
            }
            output.put(piece.bytes());
            pieces = rest;
        }
    }

    /// Counts the holes of a value that is not there.
    const fn leave_out(&mut self, content: &Content<'_>) {
        let Content::Pieces(mut pieces) = *content else {
            return;
        };
        while let [piece, rest @ ..] = pieces {
            if let Piece::Hole(_) = piece {
                self.number += 1;
            }
            pieces = rest;
        }
    }
}

/// Puts the header of a frame of stream zero (RFC 9113 section 4.1).
const fn put_frame_header(output: &mut Output<'_>, len: usize, kind: u8, flags: u8) {
    let [.., a, b, c] = (len as u64).to_be_bytes();
    output.put(&[a, b, c, kind, flags, 0, 0, 0, 0]);
}

const fn put_decimal(output: &mut Output<'_>, value: usize) {
    output.put(decimal(value, &mut [0; MAX_DIGITS]));
}

/// `value` in decimal digits, as many as it has.
const fn decimal(value: usize, digits: &mut [u8; MAX_DIGITS]) -> &[u8] {
    let mut rest = value;
    let mut at = MAX_DIGITS;
    let mut free: &mut [u8] = digits;
    while let Some((digit, before)) = free.split_last_mut() {
        let [units, ..] = (rest % 10).to_le_bytes();
        *digit = b'0' + units;
        rest /= 10;
        at -= 1;
        if rest == 0 {
            break;
        }
        free = before;
    }
    match digits.split_at_checked(at) {
        Some((_, digits)) => digits,
        None => &[],
    }
}

/// Digits of the largest length.
const MAX_DIGITS: usize = 20;

/// Types and flags of frames (RFC 9113 sections 6.1 and 6.2).
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
