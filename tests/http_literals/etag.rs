//! Entity tags, and the responses of status 304 that go with them.

use onewrite::http::{Header, Parts, Piece, response};

response! {
    static PAGE = 200, {
        "content-type": "text/html",
        "x-first": [hole(FIRST, 2)],
        "date": [hole(DATE = "Thu, 01 Jan 1970 00:00:00 GMT")],
        "cache-control": "no-cache",
        "last-modified": "Thu, 01 Jan 1970 00:00:00 GMT",
        "content-location": "/page.html",
        "expires": "Thu, 01 Jan 1970 00:00:00 GMT",
        "vary": "accept-encoding",
        "set-cookie": "a=b",
    }, b"<p>", etag = "abc"
}
response! { static HELLO = 200, {}, b"Hello World" }
response! { static LONGEST = 200, {}, &[b'x'; 65_536] }
response! { static LONGER = 200, {}, &[b'x'; 65_537] }
response! { static LONGER_TAGGED = 200, {}, &[b'x'; 65_537], etag = "given" }
response! { static EMPTY = 200, {} }
response! { static NOT_OK = 404, {}, b"nothing here" }
response! { static PLAIN_PIECES = 200, {}, ["a", "b"], etag = "pieces" }

fn tag_of(body: &[u8]) -> Vec<u8> {
    let parts = Parts::new(200).body(body).etag_of_body();
    let mut bytes = vec![0; parts.len()];
    parts.response_in(&mut bytes, &mut []).unwrap().etag().to_vec()
}

/// RFC 9110 section 15.4.5: these six, as in the response of status 200, and none else.
#[test]
fn a_304_repeats_six_fields() {
    let twin = PAGE.not_modified().unwrap();
    assert_eq!(
        String::from_utf8_lossy(twin.http1()),
        "HTTP/1.1 304 Not Modified\r\n\
         etag: \"abc\"\r\n\
         date: Thu, 01 Jan 1970 00:00:00 GMT\r\n\
         cache-control: no-cache\r\n\
         content-location: /page.html\r\n\
         expires: Thu, 01 Jan 1970 00:00:00 GMT\r\n\
         vary: accept-encoding\r\n\
         \r\n"
    );
    let (fields, rest) = super::decoded::fields(twin.http2());
    assert!(rest.is_empty());
    assert_eq!(twin.http2()[4], 5, "END_HEADERS and END_STREAM");
    let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [":status", "etag", "date", "cache-control", "content-location", "expires", "vary"]
    );
    assert_eq!(fields[0].1, b"304");
    assert_eq!(twin.etag(), PAGE.etag());
    assert!(twin.not_modified().is_none());
}

#[test]
fn a_tag_follows_from_the_body() {
    let tag = HELLO.etag();
    assert_eq!(tag, tag_of(b"Hello World"), "the same at run time");
    assert_eq!((tag.len(), tag[0], tag[17]), (18, b'"', b'"'));
    assert!(tag[1..17].iter().all(u8::is_ascii_hexdigit));
    let line = [b"\r\netag: ", tag, b"\r\n"].concat();
    assert!(HELLO.http1().windows(line.len()).any(|window| window == line));
    let (fields, _) = super::decoded::fields(HELLO.http2());
    assert_eq!(fields[2], ("etag".to_owned(), tag.to_vec()));
    assert_eq!(HELLO.not_modified().unwrap().etag(), tag);
}

#[test]
fn bodies_that_differ_have_tags_that_differ() {
    let mut tags = Vec::new();
    let body: Vec<u8> = (0..100).collect();
    // Every length, and so every number of bytes behind the last whole word.
    for len in 1..=body.len() {
        tags.push(tag_of(&body[..len]));
        tags.push(tag_of(&vec![0; len]));
    }
    for at in 0..body.len() {
        for bit in 0..8 {
            let mut other = body.clone();
            other[at] ^= 1 << bit;
            tags.push(tag_of(&other));
        }
    }
    // Words in another order.
    let mut swapped = body.clone();
    swapped[..16].rotate_left(8);
    tags.push(tag_of(&swapped));
    let all = tags.len();
    tags.sort();
    tags.dedup();
    // One body is there twice: a single zero.
    assert_eq!(tags.len(), all - 1);
}

#[test]
fn only_what_stays_the_same_has_a_tag_of_its_own() {
    assert!(!LONGEST.etag().is_empty());
    assert!(LONGER.etag().is_empty() && LONGER.not_modified().is_none());
    assert_eq!(LONGER_TAGGED.etag(), b"\"given\"");
    assert!(EMPTY.etag().is_empty() && EMPTY.not_modified().is_none());
    assert!(NOT_OK.etag().is_empty() && NOT_OK.not_modified().is_none());
    assert_eq!(PLAIN_PIECES.etag(), b"\"pieces\"");
    assert!(PLAIN_PIECES.not_modified().is_some());
}

#[test]
fn parts_without_a_tag_have_no_304() {
    assert!(Parts::new(200).body(b"x").not_modified().is_none());
    assert!(Parts::new(200).body(b"x").etag("").not_modified().is_some(), "an empty tag is one");
}

/// Also where the same header value is a list of pieces that has no hole.
#[test]
fn a_304_of_run_time_keeps_its_fields() {
    let pieces = [Piece::Bytes(b"a"), Piece::Bytes(b"b")];
    let headers = [Header::pieces("vary", &pieces), Header::new("x-c", "d")];
    let parts = Parts::new(200).headers(&headers).body(b"x").etag("t").not_modified().unwrap();
    let mut bytes = [0; 256];
    let response = parts.response_in(&mut bytes, &mut []).unwrap();
    assert_eq!(response.http1(), b"HTTP/1.1 304 Not Modified\r\netag: \"t\"\r\nvary: ab\r\n\r\n");
}
