//! What is no response, at run time; `tests/ui` has the same at compile time.

use onewrite::http::{Header, Parts, PartsError, Piece};

fn of_header(name: &str, value: &str) -> Result<(), PartsError> {
    Parts::new(200).headers(&[Header::new(name, value)]).check()
}

fn of_value(pieces: &[Piece<'_>]) -> Result<(), PartsError> {
    Parts::new(200).headers(&[Header::pieces("x-a", pieces)]).check()
}

#[test]
fn a_status_is_that_of_an_answer() {
    for status in [0, 1, 99, 600, 999, 1000, u16::MAX] {
        assert_eq!(Parts::new(status).check(), Err(PartsError::Status), "{status}");
    }
    for status in 100..200 {
        assert_eq!(Parts::new(status).check(), Err(PartsError::Interim), "{status}");
    }
    for status in 200..600 {
        assert_eq!(Parts::new(status).check(), Ok(()), "{status}");
    }
}

#[test]
fn a_status_without_content_has_no_body() {
    for status in 200..600 {
        let refused = matches!(status, 204 | 205 | 304);
        let expected = if refused { Err(PartsError::Body) } else { Ok(()) };
        assert_eq!(Parts::new(status).body(b"x").check(), expected, "{status}");
        assert_eq!(Parts::new(status).body_dynamic(1).check(), expected, "{status}");
        let pieces = [Piece::Hole(b"x")];
        assert_eq!(Parts::new(status).body_pieces(&pieces).check(), expected, "{status}");
    }
}

/// RFC 9110 section 5.6.2, but for capital letters.
#[test]
fn a_name_is_a_token_in_lower_case() {
    assert_eq!(of_header("", "x"), Err(PartsError::Token));
    for byte in 0..=127_u8 {
        let expected = match byte {
            b'A'..=b'Z' => Err(PartsError::Case),
            b'a'..=b'z' | b'0'..=b'9' => Ok(()),
            _ if b"!#$%&'*+-.^_`|~".contains(&byte) => Ok(()),
            _ => Err(PartsError::Token),
        };
        let byte = char::from(byte);
        assert_eq!(of_header(&format!("x{byte}y"), ""), expected, "{byte:?}");
        assert_eq!(of_header(&format!("xy{byte}"), ""), expected, "{byte:?}");
        if byte != ':' {
            assert_eq!(of_header(&format!("{byte}x"), ""), expected, "{byte:?}");
        }
    }
    assert_eq!(of_header("naïve", ""), Err(PartsError::Token));
    assert_eq!(of_header(":status", "200"), Err(PartsError::Pseudo));
    assert_eq!(of_header(":", ""), Err(PartsError::Pseudo));
}

#[test]
fn names_that_are_made_or_forbidden_are_refused() {
    for name in [
        "connection",
        "keep-alive",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ] {
        assert_eq!(of_header(name, "x"), Err(PartsError::Connection), "{name}");
    }
    assert_eq!(of_header("content-length", "1"), Err(PartsError::Length));
    assert_eq!(of_header("etag", "\"x\""), Err(PartsError::Etag));
    for name in ["connections", "t", "tea", "content-lengt", "etags", "upgrade-insecure-requests"] {
        assert_eq!(of_header(name, "x"), Ok(()), "{name}");
    }
}

/// RFC 9110 section 5.5, and RFC 9113 section 8.2.1 for its ends.
#[test]
fn a_value_has_no_control_characters() {
    for byte in 0..=255_u8 {
        let control = byte < 0x20 && byte != b'\t' || byte == 0x7f;
        let expected = if control { Err(PartsError::Control) } else { Ok(()) };
        assert_eq!(of_value(&[Piece::Bytes(&[b'a', byte, b'b'])]), expected, "{byte}");
        let holes = [Piece::Bytes(b"a"), Piece::Hole(&[byte]), Piece::Bytes(b"b")];
        assert_eq!(of_value(&holes), expected, "{byte}");
    }
    for space in [b" ", b"\t"] {
        assert_eq!(of_value(&[Piece::Bytes(space)]), Err(PartsError::Edge));
        assert_eq!(of_value(&[Piece::Bytes(space), Piece::Bytes(b"x")]), Err(PartsError::Edge));
        assert_eq!(of_value(&[Piece::Bytes(b"x"), Piece::Hole(space)]), Err(PartsError::Edge));
        let pieces = [Piece::Bytes(b""), Piece::Bytes(space), Piece::Bytes(b"x")];
        assert_eq!(of_value(&pieces), Err(PartsError::Edge));
        let pieces = [Piece::Bytes(b"x"), Piece::Bytes(space), Piece::Bytes(b"")];
        assert_eq!(of_value(&pieces), Err(PartsError::Edge));
        let pieces = [Piece::Bytes(b"x"), Piece::Bytes(space), Piece::Bytes(b"y")];
        assert_eq!(of_value(&pieces), Ok(()));
    }
    assert_eq!(of_value(&[]), Ok(()));
}

#[test]
fn what_is_there_once_is_not_there_twice() {
    for name in [
        "age",
        "content-location",
        "content-range",
        "content-type",
        "date",
        "expires",
        "last-modified",
        "location",
        "retry-after",
        "server",
        "strict-transport-security",
    ] {
        let twice = [Header::new(name, "a"), Header::new("vary", "b"), Header::new(name, "a")];
        assert_eq!(Parts::new(200).headers(&twice).check(), Err(PartsError::Twice), "{name}");
        assert_eq!(Parts::new(200).headers(&twice[..2]).check(), Ok(()), "{name}");
    }
    let twice = [Header::new("set-cookie", "a=1"), Header::new("set-cookie", "b=2")];
    assert_eq!(Parts::new(200).headers(&twice).check(), Ok(()));
}

/// One frame each: 16,384 bytes.
#[test]
fn what_goes_out_whole_fits_a_frame() {
    // In front of the value: status, content-length, name, three bytes of length.
    let value = [0xff; 16_384 - 1 - 4 - 5 - 3];
    let bytes = [Piece::Hole(&value)];
    let headers = [Header::pieces("x-a", &bytes)];
    let parts = Parts::new(200).headers(&headers);
    assert_eq!(parts.check(), Ok(()));
    let mut memory = vec![0; parts.len()];
    let mut holes = [onewrite::http::Hole::NONE];
    let response = parts.response_in(&mut memory, &mut holes).unwrap();
    assert_eq!(response.http2().len(), 9 + 16_384);
    assert_eq!(response.http2()[..3], [0, 0x40, 0]);
    let bytes = [Piece::Hole(&value), Piece::Bytes(b"x")];
    assert_eq!(of_value(&bytes), Err(PartsError::Block));

    let body = [b'x'; 16_383];
    let most = [Piece::Bytes(&body), Piece::Hole(b"x")];
    assert_eq!(Parts::new(200).body_pieces(&most).check(), Ok(()));
    let more = [Piece::Bytes(&body), Piece::Hole(b"xy")];
    assert_eq!(Parts::new(200).body_pieces(&more).check(), Err(PartsError::HoleBody));
    let no_hole = [Piece::Bytes(&body), Piece::Bytes(b"xy")];
    assert_eq!(Parts::new(200).body_pieces(&no_hole).check(), Ok(()));

    assert_eq!(Parts::new(200).body_dynamic(16_384).check(), Ok(()));
    for max in [0, 16_385, usize::MAX] {
        assert_eq!(Parts::new(200).body_dynamic(max).check(), Err(PartsError::Dynamic));
    }
}

#[test]
fn a_hole_has_a_width() {
    let pieces = [Piece::Bytes(b"a"), Piece::Hole(b"")];
    assert_eq!(of_value(&pieces), Err(PartsError::HoleWidth));
    assert_eq!(Parts::new(200).body_pieces(&pieces).check(), Err(PartsError::HoleWidth));
}

/// RFC 9110 section 8.8.3.
#[test]
fn a_tag_is_of_bytes_that_a_tag_has() {
    for byte in 0..=127_u8 {
        let tag = String::from_utf8(vec![b'a', byte]).unwrap();
        let allowed = byte == b'!' || (b'#'..=b'~').contains(&byte);
        let expected = if allowed { Ok(()) } else { Err(PartsError::EtagText) };
        assert_eq!(Parts::new(200).body(b"x").etag(&tag).check(), expected, "{byte}");
    }
    assert_eq!(Parts::new(200).body(b"x").etag("naïve").check(), Ok(()));
    assert_eq!(Parts::new(404).body(b"x").etag("a").check(), Err(PartsError::EtagStatus));
    assert_eq!(Parts::new(200).body_dynamic(9).etag("a").check(), Err(PartsError::EtagBody));
    let pieces = [Piece::Hole(b"0")];
    assert_eq!(Parts::new(200).body_pieces(&pieces).etag("a").check(), Err(PartsError::EtagBody));
    let pieces = [Piece::Bytes(b"0")];
    assert_eq!(Parts::new(200).body_pieces(&pieces).etag("a").check(), Ok(()));
}

#[test]
fn every_error_says_what_it_is() {
    assert_eq!(PartsError::Status.to_string(), "the status of a response is 200 to 599");
    assert_eq!(PartsError::Status.to_string(), PartsError::Status.message());
}
