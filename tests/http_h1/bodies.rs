//! RFC 9112 and 9110 on bodies, expectations and conditions, rule by rule.

use crate::answers::*;
use crate::shell::{CLOSED, OPEN, Rule, check, then};

#[test]
fn bodies() {
    let rules: &[Rule] = &[
        (
            "9112 6.2 sized",
            then!("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nGET /"),
            &[NOT_ALLOWED, ROOT],
            OPEN,
        ),
        (
            "9112 6.2 none",
            then!("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"),
            &[ROOT, ROOT],
            OPEN,
        ),
        (
            "9112 6.2 of GET",
            then!("GET /data HTTP/1.1\r\nHost: a\r\nContent-Length: 002\r\n\r\n\r\n"),
            &[DATA, ROOT],
            OPEN,
        ),
        (
            "9112 6.3 twice",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nabcd",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 6.3 list",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4, 4\r\n\r\nabcd",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 6.3 minus",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 6.3 empty",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 6.3 hexadecimal",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x4\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 6.3 two numbers",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1 0\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9110 15.5.14 too long",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n",
            &[TOO_LARGE],
            CLOSED,
        ),
        (
            "9112 6.3 longer than any number",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551616\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 7.1 chunked",
            then!(
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0A\r\n0123456789\r\n00\r\n\r\n"
            ),
            &[NOT_ALLOWED, ROOT],
            OPEN,
        ),
        (
            "9112 7 without case",
            then!("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \tCHunked \r\n\r\n0\r\n\r\n"),
            &[ROOT, ROOT],
            OPEN,
        ),
        (
            "9112 7.1.1 extensions",
            then!(
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;a;b=c;d=\"e;\"\r\nx\r\n1 \t;a\r\nx\r\n0;x\r\n\r\n"
            ),
            &[NOT_ALLOWED, ROOT],
            OPEN,
        ),
        (
            "9112 7.1.2 trailers",
            then!(
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nx: y\r\nhost: b\r\ncontent-length: 9\r\n\r\n"
            ),
            &[NOT_ALLOWED, ROOT],
            OPEN,
        ),
        (
            "9112 7.1.2 bad trailer",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nx y\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 7.1 no size",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 7.1 no size but an extension",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n;a\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 7.1 no digit",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 7.1 minus",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 7.1 space behind the size",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1 \r\nx\r\n0\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 7.1 bare LF behind the size",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\nx\r\n0\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 7.1.1 bare LF in an extension",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;a\nx\r\n0\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 7.1.1 bare CR in an extension",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;a\rb\r\nx\r\n0\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 7.1 chunk too long",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n0\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 7.1 bare LF behind a chunk",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\n0\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 7.1 size of 17 digits",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n00000000000000001\r\nx\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 7.1 largest size",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
            &[TOO_LARGE],
            CLOSED,
        ),
        (
            "9110 15.5.14 too many chunks",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n10000\r\n",
            &[TOO_LARGE],
            CLOSED,
        ),
        (
            "9112 6.1 with a length",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 6.1 with a length in front",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 6.1 in version 1.0",
            "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 6.1 another coding",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            &[NOT_IMPLEMENTED],
            CLOSED,
        ),
        (
            "9112 6.3 chunked is not last",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 6.3 not chunked",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 6.3 nothing",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 7 chunked twice",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 7 chunked in two lines",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 7 quoted",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
    ];
    check(rules);
}

#[test]
fn expectations_and_conditions() {
    let rules: &[Rule] = &[
        (
            "9110 10.1.1 the body is asked for once",
            then!(
                "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 3\r\n\r\nabc"
            ),
            &[CONTINUE, NOT_ALLOWED, ROOT],
            OPEN,
        ),
        (
            "9110 10.1.1 in chunks",
            then!(
                "GET / HTTP/1.1\r\nExpect: 100-continue\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            ),
            &[CONTINUE, ROOT, ROOT],
            OPEN,
        ),
        (
            "9110 10.1.1 no body",
            then!(
                "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n"
            ),
            &[ROOT, ROOT, ROOT],
            OPEN,
        ),
        (
            "9110 10.1.1 version 1.0",
            "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx",
            &[
                "HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\nallow: GET, HEAD\r\n\r\n",
            ],
            CLOSED,
        ),
        (
            "9110 15.5.18 something else",
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\nContent-Length: 1\r\n\r\nx",
            &[EXPECTATION_FAILED],
            CLOSED,
        ),
        (
            "9110 15.5.18 more",
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue, x\r\nContent-Length: 1\r\n\r\nx",
            &[EXPECTATION_FAILED],
            CLOSED,
        ),
        (
            "9110 15.5.14 before it is asked for",
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 70000\r\n\r\n",
            &[TOO_LARGE],
            CLOSED,
        ),
        (
            "9110 10.1.1 version 1.0 has none",
            "GET / HTTP/1.0\r\nExpect: x\r\n\r\n",
            &[ROOT_CLOSE],
            CLOSED,
        ),
        (
            "9110 13.1.2 any, where there is no tag",
            then!("GET / HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n"),
            &[ROOT, ROOT],
            OPEN,
        ),
        (
            "9110 13.1.2 the tag",
            then!("GET /data HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"v1\"\r\n\r\n"),
            &[NOT_MODIFIED, ROOT],
            OPEN,
        ),
        (
            "9110 13.1.2 weak, in a list",
            then!("HEAD /data HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"x\" , W/\"v1\"\r\n\r\n"),
            &[NOT_MODIFIED, ROOT],
            OPEN,
        ),
        (
            "9110 13.1.2 in the second line",
            then!(
                "GET /data HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"x\"\r\nIf-None-Match: \"v1\"\r\n\r\n"
            ),
            &[NOT_MODIFIED, ROOT],
            OPEN,
        ),
        (
            "9110 13.1.2 any",
            then!("GET /data HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n"),
            &[NOT_MODIFIED, ROOT],
            OPEN,
        ),
        (
            "9110 13.1.2 another tag",
            then!("GET /data HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"v2\", v1\r\n\r\n"),
            &[DATA, ROOT],
            OPEN,
        ),
        (
            "9110 13.1.2 no tag",
            then!("GET / HTTP/1.1\r\nHost: a\r\nIf-None-Match: *, \"v1\"\r\n\r\n"),
            &[ROOT, ROOT],
            OPEN,
        ),
        (
            "9110 13.1.2 not of POST",
            then!("POST /data HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"v1\"\r\n\r\n"),
            &[NOT_ALLOWED, ROOT],
            OPEN,
        ),
    ];
    check(rules);
}
