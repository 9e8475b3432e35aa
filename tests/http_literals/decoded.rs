//! Our header blocks as an HPACK decoder of others reads them.

use loona_hpack::Decoder;
use onewrite::http::{Header, Hole, Parts, Piece};

/// The fields of the HEADERS frame that `frames` starts with, and what is behind it.
pub(crate) fn fields(frames: &[u8]) -> (Vec<(String, Vec<u8>)>, &[u8]) {
    let (&[a, b, c, kind, _, stream @ ..], rest) = frames.split_first_chunk::<9>().unwrap();
    assert_eq!((kind, stream), (1, [0; 4]), "a HEADERS frame of stream zero");
    let (block, rest) = rest.split_at(u32::from_be_bytes([0, a, b, c]) as usize);
    let fields = Decoder::new().decode(block).unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (fields.into_iter().map(|(name, value)| (text(name), value)).collect(), rest)
}

/// What `parts` says over both protocols, checked against each other.
fn both(parts: &Parts<'_>) -> Vec<(String, Vec<u8>)> {
    let mut bytes = vec![0xa5; parts.len()];
    let mut holes = vec![Hole::NONE; parts.hole_count()];
    let response = parts.response_in(&mut bytes, &mut holes).unwrap();
    let (fields, _) = fields(response.http2());
    let head = response.http1().windows(4).position(|end| end == b"\r\n\r\n").unwrap();
    let mut lines = response.http1()[..head].split(|byte| *byte == b'\n');
    let status = lines.next().unwrap();
    assert_eq!(fields[0], (":status".into(), status[9..12].to_vec()));
    let of_lines: Vec<(String, Vec<u8>)> = lines
        .map(|line| {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let colon = line.iter().position(|byte| *byte == b':').unwrap();
            let name = String::from_utf8(line[..colon].to_vec()).unwrap();
            (name, line[colon + 1..].strip_prefix(b" ").unwrap().to_vec())
        })
        .collect();
    assert_eq!(fields[1..], of_lines[..]);
    fields
}

#[test]
fn every_status_is_read() {
    for status in 200..=599 {
        let fields = both(&Parts::new(status));
        let mut expected = vec![(":status".to_owned(), status.to_string().into_bytes())];
        if !matches!(status, 204 | 304) {
            expected.push(("content-length".to_owned(), b"0".to_vec()));
        }
        assert_eq!(fields, expected);
    }
}

/// IANA's registry, as of November 2026.
#[test]
fn every_registered_status_has_its_phrase() {
    for line in include_str!("../data/http/statuses.txt").lines() {
        let (status, phrase) = line.split_once(' ').unwrap();
        let parts = Parts::new(status.parse().unwrap());
        let mut bytes = [0; 128];
        let response = parts.response_in(&mut bytes, &mut []).unwrap();
        let expected = format!("HTTP/1.1 {status} {phrase}\r\n");
        assert!(response.http1().starts_with(expected.as_bytes()), "{expected}");
    }
}

#[test]
fn every_name_of_the_static_table_is_read() {
    let names = "accept-charset accept-encoding accept-language accept-ranges accept \
        access-control-allow-origin age allow authorization cache-control content-disposition \
        content-encoding content-language content-location content-range content-type cookie date \
        expect expires from host if-match if-modified-since if-none-match if-range \
        if-unmodified-since last-modified link location max-forwards proxy-authenticate \
        proxy-authorization range referer refresh retry-after server set-cookie \
        strict-transport-security user-agent vary via www-authenticate";
    let mut all = 0;
    for name in names.split_whitespace() {
        // The last value is that of the one entry that a response can have whole.
        for value in ["", "x", "a longer value, which is shorter coded", "gzip, deflate"] {
            let fields = both(&Parts::new(200).headers(&[Header::new(name, value)]));
            assert_eq!(fields[2], (name.to_owned(), value.as_bytes().to_vec()));
            all += 1;
        }
    }
    assert_eq!(all, 4 * 44);
}

/// Lengths around those where an integer takes a byte more (RFC 7541 section 5.1).
#[test]
fn values_of_every_length_are_read() {
    for len in (0..300).chain([16_000, 16_370]) {
        for byte in [b'0', b'X', b'!', 0xff] {
            let value = vec![byte; len];
            let pieces = [Piece::Bytes(&value)];
            let headers = [Header::pieces("x-a", &pieces)];
            let fields = both(&Parts::new(200).headers(&headers));
            assert_eq!(fields[2], ("x-a".to_owned(), value));
        }
        let value = "e".repeat(len);
        assert_eq!(
            both(&Parts::new(200).headers(&[Header::new("x-a", &value)]))[2],
            ("x-a".to_owned(), value.clone().into_bytes())
        );
        if len > 0 && len < 300 {
            let name = "n".repeat(len);
            let fields = both(&Parts::new(200).headers(&[Header::new(&name, "v")]));
            assert_eq!(fields[2].0, name);
        }
    }
}

/// Fields at random, seeded: names that are known or not, values of all bytes that are allowed.
#[test]
fn fields_at_random_are_read() {
    let mut state = 5_u64;
    let mut next = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % below
    };
    for _ in 0..500 {
        let fields: Vec<(String, Vec<u8>)> = (0..next(12))
            .map(|number| {
                let known = ["accept-ranges", "vary", "cache-control", "set-cookie", "link"];
                let name = if next(2) == 0 {
                    known[next(known.len())].to_owned()
                } else {
                    format!("x-{number}-{}", next(1_000_000))
                };
                let mut value: Vec<u8> =
                    (0..next(60)).map(|_| u8::try_from(next(256 - 0x21) + 0x21).unwrap()).collect();
                value.retain(|byte| *byte != 0x7f);
                (name, value)
            })
            .collect();
        let pieces: Vec<[Piece<'_>; 2]> = fields
            .iter()
            .map(|(_, value)| {
                let (a, b) = value.split_at(value.len() / 2);
                // A value with a hole is plain.
                if b.len() % 3 == 1 {
                    [Piece::Bytes(a), Piece::Hole(b)]
                } else {
                    [Piece::Bytes(a), Piece::Bytes(b)]
                }
            })
            .collect();
        let headers: Vec<Header<'_>> = fields
            .iter()
            .zip(&pieces)
            .map(|((name, value), pieces)| match core::str::from_utf8(value) {
                Ok(value) if value.len() % 2 == 0 => Header::new(name, value),
                _ => Header::pieces(name, pieces),
            })
            .collect();
        assert_eq!(both(&Parts::new(200).headers(&headers))[2..], fields[..]);
    }
}
