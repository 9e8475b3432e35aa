//! Frames of HTTP/2 (RFC 9113), as far as a load needs them.
//!
//! A request is what .NET's client sends: fields of the static table as an index, the others as
//! literals without indexing and without Huffman code. Of a response only the status is decoded; it
//! is the first field. The client sets the size of the server's dynamic table to 0, so that
//! nothing else has to be.

use super::connection::Answer;

/// One connection over HTTP/2.
#[derive(Debug)]
pub(crate) struct Http2 {
    authority: String,
    next_stream: u32,
    /// Streams whose response has not ended.
    open: Vec<Stream>,
    /// The most that the server allows.
    concurrent: usize,
    /// Bytes of DATA since the last update of the connection's window.
    taken: u32,
    going_away: bool,
    /// A header block that is not complete: its stream, whether that ends, and the bytes.
    block: Option<(u32, bool, Vec<u8>)>,
}

/// A response that has begun or is still to come.
#[derive(Debug)]
struct Stream {
    id: u32,
    status: Option<u16>,
    body: Vec<u8>,
}

/// Frame types and flags (RFC 9113 section 6).
mod frame {
    pub(super) const DATA: u8 = 0;
    pub(super) const HEADERS: u8 = 1;
    pub(super) const RST_STREAM: u8 = 3;
    pub(super) const SETTINGS: u8 = 4;
    pub(super) const PUSH_PROMISE: u8 = 5;
    pub(super) const PING: u8 = 6;
    pub(super) const GOAWAY: u8 = 7;
    pub(super) const WINDOW_UPDATE: u8 = 8;
    pub(super) const CONTINUATION: u8 = 9;
    pub(super) const ACK: u8 = 1;
    pub(super) const END_STREAM: u8 = 1;
    pub(super) const END_HEADERS: u8 = 4;
    pub(super) const PADDED: u8 = 8;
    pub(super) const PRIORITY: u8 = 0x20;
}

/// What the client begins with: preface, SETTINGS without push and without a dynamic table in the
/// server's encoder, and 64 MiB of window for the connection, as .NET's client has.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\
    \x00\x00\x0c\x04\x00\x00\x00\x00\x00\
    \x00\x01\x00\x00\x00\x00\
    \x00\x02\x00\x00\x00\x00\
    \x00\x00\x04\x08\x00\x00\x00\x00\x00\x03\xff\x00\x01";

/// The window is given back when so much of it is used.
const GIVE_BACK: u32 = 32 * 1024;

/// The longest frame that a server may send before we allow more (RFC 9113 section 4.2).
const FRAME_BYTES: usize = 16_384;

/// The longest header block that is read.
const BLOCK_BYTES: usize = 64 * 1024;

impl Http2 {
    /// Puts the preface into `output`.
    pub(crate) fn new(authority: &str, output: &mut Vec<u8>) -> Self {
        output.extend_from_slice(PREFACE);
        Self {
            authority: authority.to_owned(),
            next_stream: 1,
            open: Vec::new(),
            concurrent: usize::MAX,
            taken: 0,
            going_away: false,
            block: None,
        }
    }

    /// The request of .NET's client, on the next stream.
    pub(crate) fn request(&mut self, path: &str, output: &mut Vec<u8>) -> u64 {
        // :method GET, :scheme http
        let mut block = vec![0x82, 0x86];
        literal(1, &self.authority, &mut block);
        if path == "/" {
            block.push(0x84);
        } else {
            literal(4, path, &mut block);
        }
        let id = self.next_stream;
        self.next_stream += 2;
        put_frame(frame::HEADERS, frame::END_STREAM | frame::END_HEADERS, id, &block, output);
        self.open.push(Stream { id, status: None, body: Vec::new() });
        u64::from(id)
    }

    pub(crate) const fn takes_another(&self, in_flight: usize) -> bool {
        !self.going_away && in_flight < self.concurrent
    }

    /// Takes frames from the start of `input` until a response is complete.
    pub(crate) fn understand(
        &mut self,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(usize, Option<Answer>), String> {
        let mut used = 0;
        loop {
            let rest = input.get(used..).unwrap_or_default();
            let Some((head, rest)) = rest.split_first_chunk::<9>() else { return Ok((used, None)) };
            let [high, middle, low, kind, flags, stream @ ..] = *head;
            let len = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
            if len > FRAME_BYTES {
                return Err(format!("a frame of {len} bytes"));
            }
            let Some(payload) = rest.get(..len) else { return Ok((used, None)) };
            used += head.len() + len;
            let stream = u32::from_be_bytes(stream) & 0x7fff_ffff;
            if let Some(answer) = self.frame(kind, flags, stream, payload, output)? {
                return Ok((used, Some(answer)));
            }
        }
    }

    fn frame(
        &mut self,
        kind: u8,
        flags: u8,
        stream: u32,
        payload: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<Option<Answer>, String> {
        let ends = flags & frame::END_STREAM != 0;
        if self.block.is_some() && kind != frame::CONTINUATION {
            return Err(format!("a frame of type {kind} within a header block"));
        }
        match kind {
            frame::HEADERS => {
                let mut block = padded(flags, payload)?;
                if flags & frame::PRIORITY != 0 {
                    block = block.get(5..).ok_or("a HEADERS frame without its priority")?;
                }
                self.block = Some((stream, ends, block.to_vec()));
                self.end_of_block(flags)
            }
            frame::CONTINUATION => {
                let Some((_, _, block)) = self.block.as_mut().filter(|block| block.0 == stream)
                else {
                    return Err("a CONTINUATION frame outside of a header block".to_owned());
                };
                block.extend_from_slice(payload);
                if block.len() > BLOCK_BYTES {
                    return Err("a header block does not end".to_owned());
                }
                self.end_of_block(flags)
            }
            frame::DATA => {
                let data = padded(flags, payload)?;
                self.give_back(payload.len(), stream, ends, output);
                let open = self.stream(stream)?;
                if open.status.is_none() {
                    return Err("DATA before HEADERS".to_owned());
                }
                open.body.extend_from_slice(data);
                self.end_of_stream(stream, ends)
            }
            frame::SETTINGS if flags & frame::ACK == 0 => {
                for setting in payload.chunks_exact(6) {
                    // SETTINGS_MAX_CONCURRENT_STREAMS
                    if let [0, 3, a, b, c, d] = *setting {
                        let value = u32::from_be_bytes([a, b, c, d]);
                        self.concurrent = usize::try_from(value).unwrap_or(usize::MAX);
                    }
                }
                put_frame(frame::SETTINGS, frame::ACK, 0, &[], output);
                Ok(None)
            }
            frame::PING if flags & frame::ACK == 0 => {
                put_frame(frame::PING, frame::ACK, 0, payload, output);
                Ok(None)
            }
            frame::RST_STREAM => Err(format!("RST_STREAM with error {}", code(payload))),
            frame::GOAWAY => {
                self.going_away = true;
                match code(payload.get(4..).unwrap_or_default()) {
                    0 => Ok(None),
                    error => Err(format!("GOAWAY with error {error}")),
                }
            }
            frame::PUSH_PROMISE => Err("PUSH_PROMISE, which was not allowed".to_owned()),
            // Requests have no body, so nothing waits for a window. Other types are to be ignored.
            _ => Ok(None),
        }
    }

    fn end_of_block(&mut self, flags: u8) -> Result<Option<Answer>, String> {
        if flags & frame::END_HEADERS == 0 {
            return Ok(None);
        }
        let Some((stream, ends, block)) = self.block.take() else { return Ok(None) };
        let open = self.stream(stream)?;
        // Trailers have no status.
        if open.status.is_none() {
            open.status = Some(status(&block)?);
        }
        self.end_of_stream(stream, ends)
    }

    fn end_of_stream(&mut self, id: u32, ends: bool) -> Result<Option<Answer>, String> {
        if !ends {
            return Ok(None);
        }
        let place = self.open.iter().position(|stream| stream.id == id);
        let Some(place) = place else { return Err(format!("stream {id} is not open")) };
        let Stream { id, status, body } = self.open.swap_remove(place);
        Ok(Some(Answer { request: u64::from(id), status: status.unwrap_or(0), body }))
    }

    fn stream(&mut self, id: u32) -> Result<&mut Stream, String> {
        let open = self.open.iter_mut().find(|stream| stream.id == id);
        open.ok_or_else(|| format!("stream {id} is not open"))
    }

    /// Gives back the window of the connection, and of a stream that goes on.
    fn give_back(&mut self, len: usize, stream: u32, ends: bool, output: &mut Vec<u8>) {
        let len = u32::try_from(len).unwrap_or(0);
        if len != 0 && !ends {
            put_frame(frame::WINDOW_UPDATE, 0, stream, &len.to_be_bytes(), output);
        }
        self.taken += len;
        if self.taken >= GIVE_BACK {
            put_frame(frame::WINDOW_UPDATE, 0, 0, &self.taken.to_be_bytes(), output);
            self.taken = 0;
        }
    }
}

/// A literal field without indexing (RFC 7541 section 6.2.2), named by the static table.
fn literal(name: u8, value: &str, block: &mut Vec<u8>) {
    block.push(name);
    match u8::try_from(value.len()) {
        Ok(len @ 0..127) => block.push(len),
        _ => {
            // An integer of 7 bits and more (RFC 7541 section 5.1).
            block.push(127);
            let mut rest = value.len() - 127;
            while rest >= 128 {
                block.push(u8::try_from(rest % 128).unwrap_or(0) | 128);
                rest /= 128;
            }
            block.push(u8::try_from(rest).unwrap_or(0));
        }
    }
    block.extend_from_slice(value.as_bytes());
}

fn put_frame(kind: u8, flags: u8, stream: u32, payload: &[u8], output: &mut Vec<u8>) {
    let len = u32::try_from(payload.len()).unwrap_or(0);
    output.extend_from_slice(len.to_be_bytes().get(1..).unwrap_or_default());
    output.extend_from_slice(&[kind, flags]);
    output.extend_from_slice(&stream.to_be_bytes());
    output.extend_from_slice(payload);
}

/// The payload without its padding.
fn padded(flags: u8, payload: &[u8]) -> Result<&[u8], String> {
    if flags & frame::PADDED == 0 {
        return Ok(payload);
    }
    let (len, rest) = payload.split_first().ok_or("a padded frame without its length")?;
    let end = rest.len().checked_sub(usize::from(*len)).ok_or("more padding than frame")?;
    Ok(rest.get(..end).unwrap_or_default())
}

/// The error code at the start of a payload.
fn code(payload: &[u8]) -> u32 {
    payload.first_chunk().map_or(u32::MAX, |bytes| u32::from_be_bytes(*bytes))
}

/// The status of a header block: its first field, behind updates of the table's size.
fn status(mut block: &[u8]) -> Result<u16, String> {
    // Section 6.3: a size in 5 bits; ours is 0, so that it never takes another byte.
    while let [0x20, rest @ ..] = block {
        block = rest;
    }
    let unknown = || format!("no status at the start of a header block: {:02x?}", block.get(..8));
    let known = [200, 204, 206, 304, 400, 404, 500];
    match block {
        // Indexed: entries 8 to 14 of the static table.
        [first @ 0x88..=0x8e, ..] => known.get(usize::from(first - 0x88)).copied(),
        // A literal whose name is that of one of them, with indexing, never with, or without.
        [0x48..=0x4e | 0x18..=0x1e | 0x08..=0x0e, 3, digits @ ..] => decimal(digits.get(..3)),
        [0x48..=0x4e | 0x18..=0x1e | 0x08..=0x0e, 0x81..=0x83, digits @ ..] => huffman(digits),
        _ => None,
    }
    .ok_or_else(unknown)
}

fn decimal(digits: Option<&[u8]>) -> Option<u16> {
    str::from_utf8(digits?).ok()?.parse().ok()
}

/// Three digits in Huffman code: 0, 1 and 2 have 5 bits, the others 6 (RFC 7541 appendix B).
fn huffman(bytes: &[u8]) -> Option<u16> {
    let all = u32::from_be_bytes([*bytes.first()?, *bytes.get(1)?, *bytes.get(2).unwrap_or(&0), 0]);
    let (mut at, mut number) = (0_u32, 0);
    for _ in 0..3 {
        let digit = match (all << at) >> 27 {
            digit @ 0..=2 => {
                at += 5;
                digit
            }
            _ => {
                let six = (all << at) >> 26;
                at += 6;
                six.checked_sub(0b01_1001 - 3).filter(|digit| (3..=9).contains(digit))?
            }
        };
        number = number * 10 + digit;
    }
    u16::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

    use super::*;

    #[test]
    fn a_request_is_that_of_dotnet() {
        let mut output = Vec::new();
        let mut wire = Http2::new("pi:80", &mut output);
        assert_eq!(output, PREFACE);
        output.clear();
        assert_eq!((wire.request("/data", &mut output), wire.request("/", &mut output)), (1, 3));
        let one = b"\0\0\x10\x01\x05\0\0\0\x01\x82\x86\x01\x05pi:80\x04\x05/data";
        let two = b"\0\0\x0a\x01\x05\0\0\0\x03\x82\x86\x01\x05pi:80\x84";
        assert_eq!(output, [one.as_slice(), two].concat());
    }

    #[test]
    fn a_long_path_has_a_long_length() {
        let mut block = Vec::new();
        literal(4, &"x".repeat(1_337), &mut block);
        // 1337 - 127 = 1210 = 9 * 128 + 58
        assert_eq!(block.get(..4), Some([4, 127, 58 | 128, 9].as_slice()));
    }

    #[test]
    fn frames_of_two_streams_come_apart() {
        let mut wire = Http2::new("pi", &mut Vec::new());
        wire.request("/", &mut Vec::new());
        wire.request("/", &mut Vec::new());
        let mut input = Vec::new();
        put_frame(frame::SETTINGS, 0, 0, b"\0\x03\0\0\0\x02", &mut input);
        put_frame(frame::HEADERS, frame::END_HEADERS, 3, &[0x88], &mut input);
        put_frame(frame::HEADERS, 0, 1, &[0x20, 0x8d], &mut input);
        put_frame(frame::CONTINUATION, frame::END_HEADERS, 1, &[], &mut input);
        put_frame(frame::DATA, frame::PADDED | frame::END_STREAM, 1, b"\x01one\0", &mut input);
        put_frame(frame::DATA, 0, 3, b"tw", &mut input);
        put_frame(frame::DATA, frame::END_STREAM, 3, b"o", &mut input);
        for cut in 0..=input.len() {
            let mut wire = Http2::new("pi", &mut Vec::new());
            wire.request("/", &mut Vec::new());
            wire.request("/", &mut Vec::new());
            let (mut start, mut answers, mut output) = (0, Vec::new(), Vec::new());
            for end in [cut, input.len()] {
                loop {
                    let (used, answer) = wire.understand(&input[start..end], &mut output).unwrap();
                    start += used;
                    let Some(answer) = answer else { break };
                    answers.push((answer.request, answer.status, answer.body));
                }
            }
            assert_eq!(start, input.len());
            assert_eq!(answers, [(1, 404, b"one".to_vec()), (3, 200, b"two".to_vec())]);
            let update = b"\0\0\x04\x08\0\0\0\0\x03\0\0\0\x02";
            assert_eq!(output, [b"\0\0\0\x04\x01\0\0\0\0".as_slice(), update].concat());
            assert!(wire.takes_another(1) && !wire.takes_another(2));
        }
    }

    #[test]
    fn a_status_is_read_in_every_form() {
        for (block, wanted) in [
            (b"\x88".as_slice(), Some(200)),
            (b"\x8e", Some(500)),
            (b"\x20\x20\x8d", Some(404)),
            (b"\x48\x03302", Some(302)),
            (b"\x08\x03503", Some(503)),
            // RFC 7541, C.6.1: 302 in Huffman code.
            (b"\x48\x82\x64\x02", Some(302)),
            // 405: 0x1a, 0x00, 0x1b in 6, 5 and 6 bits.
            (b"\x08\x83\x68\x0d\xff", Some(405)),
            (b"\x8f", None),
            (b"", None),
        ] {
            assert_eq!(status(block).ok(), wanted, "{block:02x?}");
        }
    }

    #[test]
    fn errors_of_the_server_are_named() {
        for (kind, payload, wanted) in [
            (frame::RST_STREAM, b"\0\0\0\x07".as_slice(), "RST_STREAM with error 7"),
            (frame::GOAWAY, b"\0\0\0\0\0\0\0\x0b", "GOAWAY with error 11"),
            (frame::DATA, b"x", "DATA before HEADERS"),
        ] {
            let mut wire = Http2::new("pi", &mut Vec::new());
            wire.request("/", &mut Vec::new());
            let found = wire.frame(kind, 0, 1, payload, &mut Vec::new());
            assert_eq!(found.unwrap_err(), wanted);
        }
    }
}
