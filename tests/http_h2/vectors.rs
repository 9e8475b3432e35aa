//! Vectors in text: what a client sends, and what it is answered, at every cut and in every output.
//!
//! | line | is |
//! |---|---|
//! | `= NAME` | a case begins; its name starts with a section |
//! | `> TYPE STREAM FLAGS PAYLOAD` | a frame of the client, behind its preface and empty SETTINGS |
//! | `! PAYLOAD` | bytes of the client; if the first, then without preface and SETTINGS |
//! | `< WORDS` | a frame of the server, see `frames::words`; without those that begin a connection if the case has none either |
//! | `close` | the server closes |
//!
//! A payload is made of hexadecimal digits, of `"text"`, of `COUNT*BYTE`, of `preface`, and of `get`,
//! `post`, `head`: the pseudo-headers of a request for `/`. Flags are `-` or among `end`, `headers`,
//! `padded`, `priority`, `ack`, joined by `+`, or a number with `0x`.

use onewrite::http::{Conn, Protocol, Routes};

use crate::frames::{GET, PREFACE, all_words, frame, words};
use crate::shell::{SITE, Talk, talk};

/// An output that takes all that a vector is answered.
const ROOM: usize = 200_000;

pub(crate) struct Vector {
    pub name: String,
    pub input: Vec<u8>,
    pub raw: bool,
    pub expected: Vec<String>,
    pub closed: bool,
}

pub(crate) fn read(text: &str) -> Vec<Vector> {
    let mut vectors: Vec<Vector> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix("= ") {
            let input = [PREFACE, &frame("SETTINGS", 0, 0, &[])].concat();
            let (expected, name) = (Vec::new(), name.to_owned());
            vectors.push(Vector { name, input, raw: false, expected, closed: false });
            continue;
        }
        let vector = vectors.last_mut().unwrap();
        assert!(!vector.closed, "{}: nothing follows the close", vector.name);
        match line.split_once(' ') {
            Some((">", rest)) => {
                let mut parts = rest.splitn(4, ' ');
                let mut part = || parts.next().unwrap_or_default();
                let (kind, stream, flags, payload) = (part(), part(), part(), part());
                let stream = stream.parse().expect(line);
                vector.input.extend(frame(kind, flags_of(flags), stream, &payload_of(payload)));
            }
            Some(("!", payload)) => {
                if vector.input.len() == PREFACE.len() + 9 {
                    vector.input.clear();
                    vector.raw = true;
                }
                vector.input.extend(payload_of(payload));
            }
            Some(("<", words)) => vector.expected.push(words.to_owned()),
            None if line == "close" => vector.closed = true,
            _ => panic!("{}: {line}", vector.name),
        }
    }
    vectors
}

fn flags_of(text: &str) -> u8 {
    if let Some(number) = text.strip_prefix("0x") {
        return u8::from_str_radix(number, 16).unwrap();
    }
    let flag = |name| match name {
        "-" | "" => 0,
        "end" | "ack" => 1,
        "headers" => 4,
        "padded" => 8,
        "priority" => 0x20,
        _ => panic!("flag {name}"),
    };
    text.split('+').map(flag).sum()
}

fn payload_of(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix('"') {
            let (quoted, after) = quoted.split_once('"').unwrap();
            bytes.extend_from_slice(quoted.as_bytes());
            rest = after.trim_start();
            continue;
        }
        let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
        rest = after.trim_start();
        match (word, word.split_once('*')) {
            ("preface", _) => bytes.extend_from_slice(PREFACE),
            ("get", _) => bytes.extend_from_slice(GET),
            ("post", _) => bytes.extend_from_slice(b"\x83\x86\x84\x01\x07pi.test"),
            ("head", _) => bytes.extend_from_slice(b"\x02\x04HEAD\x86\x84\x01\x07pi.test"),
            (_, Some((count, byte))) => {
                let byte = u8::from_str_radix(byte, 16).unwrap();
                bytes.resize(bytes.len() + count.parse::<usize>().unwrap(), byte);
            }
            _ => bytes.extend(word.as_bytes().chunks(2).map(|digits| {
                u8::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).expect(text)
            })),
        }
    }
    bytes
}

/// Feeds a vector whole, cut in two at every place, byte by byte, and into outputs of many lengths.
pub(crate) fn check(vector: &Vector) {
    let Vector { name, input, .. } = vector;
    let expected = run(&SITE, [&input[..]], ROOM);
    assert_eq!(said(vector, &expected), vector.expected, "{name}");
    assert_eq!(expected.closed, vector.closed, "{name}: closed");
    assert!(vector.closed || expected.left.is_empty(), "{name}: {:02x?} is left", expected.left);
    // Long inputs are cut at fewer places.
    let step = 1 + input.len() / 400;
    for cut in (0..input.len()).step_by(step) {
        let (start, end) = input.split_at(cut);
        let cut_in_two = run(&SITE, [start, end], ROOM);
        assert_eq!(cut_in_two.said, expected.said, "{name}: cut at {cut}");
        assert_eq!(cut_in_two.closed, expected.closed, "{name}: cut at {cut}");
        assert_eq!(cut_in_two.counters.requests, expected.counters.requests, "{name}");
    }
    let bytes = run(&SITE, input.chunks(1), ROOM);
    assert_eq!(
        (bytes.said, bytes.closed),
        (expected.said.clone(), expected.closed),
        "{name}: bytes"
    );
    let least = SITE.min_output();
    for room in (least..least + 40).chain([300, 500, 1000, 4000, 20_000]) {
        for pieces in [input.chunks(input.len().max(1)), input.chunks(7)] {
            let talk = run(&SITE, pieces, room);
            assert_eq!(merged(vector, &talk), merged(vector, &expected), "{name}: {room} bytes");
            assert_eq!(talk.closed, expected.closed, "{name}: {room} bytes");
        }
    }
}

fn run<'p>(routes: &Routes<'_>, pieces: impl IntoIterator<Item = &'p [u8]>, room: usize) -> Talk {
    talk(&mut Conn::<16, 1024>::new(Protocol::Http2), routes, pieces, room)
}

fn said(vector: &Vector, talk: &Talk) -> Vec<String> {
    if vector.raw { all_words(&talk.said) } else { words(&talk.said) }
}

/// A large body lets other frames pass between its pieces: what each stream said, and the connection.
fn merged(vector: &Vector, talk: &Talk) -> Vec<String> {
    let mut lines: Vec<(String, String)> = Vec::new();
    for line in said(vector, talk) {
        let words: Vec<&str> = line.split(' ').collect();
        let of = words.get(1).filter(|_| words[0] != "PING" && words[0] != "SETTINGS");
        let stream = of.map_or("0", |of| *of).to_owned();
        let before = lines.iter().rposition(|(of, _)| *of == stream);
        match before {
            Some(at) if words[0] == "DATA" && lines[at].1.starts_with("DATA") => {
                let sent: usize = lines[at].1.split(' ').nth(2).unwrap().parse().unwrap();
                let more: usize = words[2].parse().unwrap();
                let end = if words.len() > 3 { " end" } else { "" };
                lines[at].1 = format!("DATA {stream} {}{end}", sent + more);
            }
            _ => lines.push((stream, line)),
        }
    }
    lines.sort_by(|a, b| a.0.cmp(&b.0));
    lines.into_iter().map(|(_, line)| line).collect()
}
