//! Frames, in bytes and in words.

use std::fmt::Write as _;

pub(crate) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
pub(crate) const KINDS: [&str; 10] = [
    "DATA",
    "HEADERS",
    "PRIORITY",
    "RST_STREAM",
    "SETTINGS",
    "PUSH_PROMISE",
    "PING",
    "GOAWAY",
    "WINDOW_UPDATE",
    "CONTINUATION",
];
const CODES: [&str; 14] = [
    "NO_ERROR",
    "PROTOCOL_ERROR",
    "INTERNAL_ERROR",
    "FLOW_CONTROL_ERROR",
    "SETTINGS_TIMEOUT",
    "STREAM_CLOSED",
    "FRAME_SIZE_ERROR",
    "REFUSED_STREAM",
    "CANCEL",
    "COMPRESSION_ERROR",
    "CONNECT_ERROR",
    "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY",
    "HTTP_1_1_REQUIRED",
];
/// `GET /` from pi.test, by the static table but for the authority.
pub(crate) const GET: &[u8] = b"\x82\x86\x84\x01\x07pi.test";

pub(crate) fn frame(kind: &str, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let number = KINDS.iter().position(|known| *known == kind);
    let kind = number.map_or_else(|| u8::from_str_radix(kind, 16).unwrap(), |at| at as u8);
    let [_, a, b, c] = (payload.len() as u32).to_be_bytes();
    let [d, e, f, g] = stream.to_be_bytes();
    [&[a, b, c, kind, flags, d, e, f, g], payload].concat()
}

/// HEADERS with a whole block, which ends the stream.
pub(crate) fn request(stream: u32, block: &[u8]) -> Vec<u8> {
    frame("HEADERS", 5, stream, block)
}

/// GET of a path of up to 126 bytes.
pub(crate) fn get(stream: u32, path: &str) -> Vec<u8> {
    request(stream, &[b"\x82\x86\x04", &[path.len() as u8][..], path.as_bytes()].concat())
}

pub(crate) fn window_update(stream: u32, increment: u32) -> Vec<u8> {
    frame("WINDOW_UPDATE", 0, stream, &increment.to_be_bytes())
}

pub(crate) fn setting(name: u16, value: u32) -> Vec<u8> {
    frame("SETTINGS", 0, 0, &[&name.to_be_bytes()[..], &value.to_be_bytes()].concat())
}

/// A connection that begins with empty settings, and then `frames`.
pub(crate) fn connection(frames: &[Vec<u8>]) -> Vec<u8> {
    [PREFACE, &frame("SETTINGS", 0, 0, &[]), &frames.concat()].concat()
}

/// What was said, a line a frame. Neighbouring DATA frames of a stream are one line; our settings, and
/// that we saw those of the client, come first and are left out.
pub(crate) fn words(said: &[u8]) -> Vec<String> {
    const BEGIN: &[u8] = &[
        0, 0, 12, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100, 0, 6, 0, 0, 0x40, 0, //
        0, 0, 0, 4, 1, 0, 0, 0, 0,
    ];
    match said.strip_prefix(BEGIN) {
        Some(rest) => all_words(rest),
        None => all_words(said),
    }
}

pub(crate) fn all_words(mut said: &[u8]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut data: Option<(u32, usize)> = None;
    let mut decoder = loona_hpack::Decoder::new();
    while !said.is_empty() {
        let (header, rest) = said.split_at(9);
        let length = u32::from_be_bytes([0, header[0], header[1], header[2]]) as usize;
        assert!(length <= 16_384, "a frame of {length} bytes");
        let (payload, rest) = rest.split_at(length);
        said = rest;
        let (kind, flags) = (KINDS[usize::from(header[3])], header[4]);
        let stream = u32::from_be_bytes([header[5], header[6], header[7], header[8]]);
        let number = |at: usize| u32::from_be_bytes(payload[at..at + 4].try_into().unwrap());
        let mut line = match kind {
            "SETTINGS" if flags == 1 => "SETTINGS ack".to_owned(),
            "SETTINGS" => "SETTINGS".to_owned(),
            _ => format!("{kind} {stream}"),
        };
        let end = if flags & 1 == 1 { " end" } else { "" };
        let before = data.take();
        match kind {
            "HEADERS" => {
                assert_eq!(flags & !1, 4);
                let fields = decoder.decode(payload).unwrap();
                let allow = fields.iter().find(|field| field.0 == b"allow");
                write!(line, " {}{end}", String::from_utf8_lossy(&fields[0].1)).unwrap();
                assert_eq!(fields[0].0, b":status");
                if let Some((_, value)) = allow {
                    write!(line, " allow {}", String::from_utf8_lossy(value)).unwrap();
                }
            }
            "DATA" => {
                assert_eq!(flags & !1, 0);
                let mut len = payload.len();
                if let Some((_, sent)) = before.filter(|(of, _)| *of == stream) {
                    len += sent;
                    lines.pop();
                }
                data = (flags & 1 == 0).then_some((stream, len));
                write!(line, " {len}{end}").unwrap();
            }
            "RST_STREAM" => write!(line, " {}", CODES[number(0) as usize]).unwrap(),
            "GOAWAY" => write!(line, " {} {}", number(0), CODES[number(4) as usize]).unwrap(),
            "PING" => {
                assert_eq!(flags, 1);
                line = "PING ack".to_owned();
                payload.iter().for_each(|byte| write!(line, " {byte:02x}").unwrap());
            }
            "WINDOW_UPDATE" => write!(line, " {}", number(0)).unwrap(),
            _ => {}
        }
        lines.push(line);
    }
    lines
}
