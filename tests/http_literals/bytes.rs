//! Exact bytes over both protocols.

use hex_literal::hex;
use onewrite::http::{NOT_FOUND, Response, response};

const TYPE: &str = "text/plain; charset=utf-8";
const BODY: [u8; 11] = *b"Hello World";

response! {
    /// What everybody asks for.
    pub(crate) static HELLO = 200, { "content-type": TYPE }, b"Hello World", etag = none
}
response! { static TAGGED = 200, { "cache-control": "max-age=60", }, &BODY, etag = "v1" }
response! { static TEXT = 203, {}, "naïve" }
response! { static SLICE = 200, {}, BODY.first_chunk::<5>().unwrap(), etag = none, }
response! { static NO_CONTENT = 204, { "x-a": "" } }
response! { static RESET = 205, {} }
response! { static MOVED = 302, { "location": "https://www.example.com" } }
response! { static TEAPOT = 418, { "allow": "GET, HEAD" }, "short", }
response! { static LAST = 599, {} }
response! {
    static SENSOR = 200, { "date": [hole(DATE = "Thu, 01 Jan 1970 00:00:00 GMT")], "x-b": ["b"] },
    ["{\"n\":", hole(COUNT, 5), "}"],
}
response! { static DYNAMIC = 200, { "content-type": "a/b" }, dynamic(max = 1024) }
response! { static LONGEST_FRAME = 200, {}, &[b'x'; 16_384], etag = none }
response! { static MEGABYTE = 200, {}, &[0x5a; 1 << 20], etag = "v1" }
response! { static LONGER = 200, {}, &[b'x'; 16_385], etag = none }

fn check(response: &Response<'_>, http1: &[u8], http2: &[u8]) {
    let text = |bytes: &[u8]| bytes[..bytes.len().min(200)].escape_ascii().to_string();
    assert_eq!(text(response.http1()), text(http1));
    assert!(response.http1() == http1);
    assert_eq!(text(response.http2()), text(http2));
    assert!(response.http2() == http2);
}

#[test]
fn a_body_goes_out_in_one_data_frame() {
    check(
        &HELLO,
        b"HTTP/1.1 200 OK\r\n\
          content-length: 11\r\n\
          content-type: text/plain; charset=utf-8\r\n\
          \r\n\
          Hello World",
        &hex!(
            "00001b 01 04 00000000" // HEADERS, END_HEADERS
            "88"
            "0f0d 02 3131"                                     // content-length, plain
            "0f10 92 497ca58ae819aafb50938ec415305a99567b"     // content-type
            "00000b 00 01 00000000" // DATA, END_STREAM
            "48656c6c6f20576f726c64"
        ),
    );
    assert!(HELLO.etag().is_empty() && HELLO.not_modified().is_none());
}

#[test]
fn a_tag_stands_in_front_of_the_fields() {
    check(
        &TAGGED,
        b"HTTP/1.1 200 OK\r\n\
          content-length: 11\r\n\
          etag: \"v1\"\r\n\
          cache-control: max-age=60\r\n\
          \r\n\
          Hello World",
        &hex!(
            "000018 01 04 00000000"
            "88 0f0d 02 3131"
            "0f13 04 22763122"
            "0f09 88 a47e561cc581c07f"
            "00000b 00 01 00000000"
            "48656c6c6f20576f726c64"
        ),
    );
    assert_eq!(TAGGED.etag(), b"\"v1\"");
}

#[test]
fn what_has_no_body_ends_with_its_head() {
    check(
        &NO_CONTENT,
        b"HTTP/1.1 204 No Content\r\nx-a: \r\n\r\n",
        &hex!("000007 01 05 00000000 89 00 03 782d61 00"),
    );
    check(
        &RESET,
        b"HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n",
        &hex!("000008 01 05 00000000 08 82 101b 0f0d 01 30"),
    );
    check(
        &NOT_FOUND,
        b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
        &hex!("000005 01 05 00000000 8d 0f0d 01 30"),
    );
}

/// The location is that of RFC 7541 appendix C.6.1, coded as there.
#[test]
fn a_status_that_is_not_in_the_static_table_is_a_literal() {
    check(
        &MOVED,
        b"HTTP/1.1 302 Found\r\n\
          content-length: 0\r\n\
          location: https://www.example.com\r\n\
          \r\n",
        &hex!(
            "00001c 01 05 00000000"
            "08 82 6402"
            "0f0d 01 30"
            "0f1f 91 9d29ad171863c78f0b97c8e9ae82ae43d3"
        ),
    );
    check(
        &LAST,
        b"HTTP/1.1 599 Server Error\r\ncontent-length: 0\r\n\r\n",
        &hex!("000009 01 05 00000000 08 03 353939 0f0d 01 30"),
    );
    assert!(TEAPOT.http1().starts_with(b"HTTP/1.1 418 Client Error\r\n"));
    assert!(TEAPOT.http1().ends_with(b"allow: GET, HEAD\r\n\r\nshort"));
}

#[test]
fn a_body_is_any_constant_text_or_bytes() {
    assert!(TEXT.http1().ends_with(b"content-length: 6\r\n\r\nna\xc3\xafve"));
    assert!(SLICE.http1().ends_with(b"content-length: 5\r\n\r\nHello"));
}

#[test]
fn holes_are_plain_and_hold_what_they_start_with() {
    check(
        &SENSOR,
        b"HTTP/1.1 200 OK\r\n\
          content-length: 11\r\n\
          date: Thu, 01 Jan 1970 00:00:00 GMT\r\n\
          x-b: b\r\n\
          \r\n\
          {\"n\":00000}",
        &[
            &hex!("00002d 01 04 00000000 88 0f0d 02 3131 0f12 1d")[..],
            b"Thu, 01 Jan 1970 00:00:00 GMT",
            &hex!("00 03 782d62 01 62 00000b 00 01 00000000"),
            b"{\"n\":00000}",
        ]
        .concat(),
    );
    assert_eq!((SENSOR::DATE, SENSOR::COUNT), (0, 1));
    assert!(SENSOR.etag().is_empty());
}

#[test]
fn a_dynamic_body_has_its_heads() {
    check(
        &DYNAMIC,
        b"HTTP/1.1 200 OK\r\n\
          content-length:     0\r\n\
          content-type: a/b\r\n\
          \r\n",
        &hex!("000007 01 04 00000000 88 0f10 03 612f62 000000 00 01 00000000"),
    );
}

/// RFC 9113 section 4.2: no frame is longer than 16,384 bytes, unless the peer takes longer ones.
#[test]
fn a_body_longer_than_a_frame_is_not_among_the_frames() {
    let body = [b'x'; 16_384];
    check(
        &LONGEST_FRAME,
        &[b"HTTP/1.1 200 OK\r\ncontent-length: 16384\r\n\r\n", &body[..]].concat(),
        &[&hex!("000008 01 04 00000000 88 0f0d 84 0b8cbcd7 004000 00 01 00000000")[..], &body]
            .concat(),
    );
    let body = vec![b'x'; 16_385];
    check(
        &LONGER,
        &[b"HTTP/1.1 200 OK\r\ncontent-length: 16385\r\n\r\n", &body[..]].concat(),
        &hex!("000008 01 04 00000000 88 0f0d 84 0b8cbcdf"),
    );
}

/// The compiler gives up on what takes it too many steps: a megabyte is copied in long ones.
#[test]
fn a_megabyte_builds() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 1048576\r\netag: \"v1\"\r\n\r\n";
    let (start, body) = MEGABYTE.http1().split_at(head.len());
    assert_eq!(start, head);
    assert!(body.len() == 1 << 20 && body.iter().all(|byte| *byte == 0x5a));
}

/// Names of the macro's own, and others that are likely, in its caller's scope.
mod shadowed {
    #![allow(dead_code, non_upper_case_globals, reason = "names chosen to be in the way")]

    const __PARTS: u8 = 0;
    const PARTS: u8 = 0;
    const PATH: &str = "/path";
    const body: &[u8] = b"1";
    const status: u16 = 200;
    struct Parts;
    struct Some;
    struct None;
    mod http {}
    mod core {}

    onewrite::http::response! { static LITERAL = status, { "x-a": PATH }, body, etag = none }
    onewrite::http::response! { pub(crate) static parts = 200, {}, [hole(a, 1), hole(len, 1)] }
    onewrite::http::routes! { pub(crate) static SITE = { PATH => LITERAL }, output = 100 }

    #[test]
    fn names_of_the_caller_are_not_in_the_way() {
        onewrite::http::response! { static LITERAL = 200, {}, "inner", etag = none }
        assert!(super::HELLO.http1().starts_with(b"HTTP/1.1 200 OK\r\n"));
        assert!(LITERAL.http1().ends_with(b"inner"));
        assert_eq!((parts::a, parts::len), (0, 1));
        assert_eq!(SITE.number(PATH), ::core::option::Option::Some(0));
    }
}
