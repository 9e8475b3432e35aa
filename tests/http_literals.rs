//! Responses as literals: exact bytes, every status, holes, tags, and what must not get in the way.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use onewrite::http::response;

response! { static HELLO = 200, { "content-type": "text/plain" }, b"Hello World", etag = none }

#[test]
fn a_response_is_its_bytes_over_http1() {
    assert_eq!(
        HELLO.http1(),
        b"HTTP/1.1 200 OK\r\ncontent-length: 11\r\ncontent-type: text/plain\r\n\r\nHello World"
    );
}
