//! HTTP/1.1: what goes in and what comes out.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

#[path = "http_h1/shell.rs"]
mod shell;

use onewrite::http::{Conn, Protocol};
use shell::{SITE, talk, whole};

#[test]
fn pipelined_requests_are_answered_the_same_however_they_are_cut() {
    let input = b"GET /data HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAccept: */*\r\n\r\n\
        HEAD /data?x=1 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n\
        POST /count HTTP/1.1\r\nhost:x\r\ntransfer-encoding: Chunked\r\nexpect: 100-continue\r\n\r\n\
        5;a=b\r\nhello\r\n0\r\nx: y\r\n\r\n\
        GET http://a/ HTTP/1.1\r\nhost:\r\ncookie: abc\r\n\r\n\
        HEAD /written HTTP/1.1\r\nHost: a\r\n\r\nGET /count HTTP/1.1\r\nHost: a\r\n\r\n\
        HEAD /count HTTP/1.1\r\nHost: a\r\n\r\nGET /sensor HTTP/1.1\r\nHost: a\r\n\r\n\
        GET /written HTTP/1.1\r\nhost: a\r\nif-none-match: *\r\nconnection: foo, CLOSE\r\n\r\nGET /";
    let expected = whole(&SITE, input);
    assert!(expected.closed);
    assert_eq!(expected.counters.requests, 9);
    for room in SITE.min_output()..600 {
        let mut conn = Conn::new(Protocol::Auto);
        let talk = talk(&mut conn, &SITE, input.chunks(1), room);
        assert_eq!(talk.said, expected.said, "{room}");
    }
}
