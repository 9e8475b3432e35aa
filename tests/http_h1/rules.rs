//! RFC 9112 and 9110, rule by rule: what goes in, what comes out, and whether the connection ends.

use crate::answers::*;
use crate::shell::{CLOSED, OPEN, Rule, check, then};

#[test]
fn methods_and_targets() {
    let rules: &[Rule] = &[
        ("9110 9.3.1 GET", then!("GET /data HTTP/1.1\r\nHost: a\r\n\r\n"), &[DATA, ROOT], OPEN),
        (
            "9110 9.3.2 HEAD has no body",
            then!("HEAD /data HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[DATA_HEAD, ROOT],
            OPEN,
        ),
        (
            "9110 9.3.2 HEAD of nothing",
            then!("HEAD /no HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[NOT_HERE_HEAD, ROOT],
            OPEN,
        ),
        (
            "9110 9.1 methods have cases",
            then!("get /data HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[UNKNOWN_METHOD, ROOT],
            OPEN,
        ),
        (
            "9110 9.1 no method of ours",
            then!("BREW /data HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[UNKNOWN_METHOD, ROOT],
            OPEN,
        ),
        (
            "9110 9.1 GET and more",
            then!("GETS /data HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[UNKNOWN_METHOD, ROOT],
            OPEN,
        ),
        (
            "9110 9.1 HEAD and more",
            then!("HEADS /data HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[UNKNOWN_METHOD, ROOT],
            OPEN,
        ),
        (
            "9110 15.5.6 405 has Allow",
            then!("DELETE /data HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[NOT_ALLOWED, ROOT],
            OPEN,
        ),
        (
            "9110 15.5.6 PUT",
            then!("PUT / HTTP/1.1\r\nHost: a\r\ncontent-length: 3\r\n\r\nabc"),
            &[NOT_ALLOWED, ROOT],
            OPEN,
        ),
        (
            "9110 15.5.6 PATCH, TRACE",
            then!("PATCH / HTTP/1.1\r\nHost: a\r\n\r\nTRACE / HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[NOT_ALLOWED, NOT_ALLOWED, ROOT],
            OPEN,
        ),
        (
            "9110 15.5.5 404 goes first",
            then!("POST /no HTTP/1.1\r\nHost: a\r\ncontent-length: 1\r\n\r\nx"),
            &[NOT_HERE, ROOT],
            OPEN,
        ),
        (
            "9110 9.3.6 CONNECT",
            then!("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[NOT_IMPLEMENTED],
            CLOSED,
        ),
        (
            "9110 9.3.7 OPTIONS of a resource",
            then!("OPTIONS /data HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[METHODS, ROOT],
            OPEN,
        ),
        (
            "9110 9.3.7 OPTIONS of the server",
            then!("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[METHODS, ROOT],
            OPEN,
        ),
        (
            "9110 9.3.7 OPTIONS of nothing",
            then!("OPTIONS /no HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[NOT_HERE, ROOT],
            OPEN,
        ),
        (
            "9112 3.2.4 asterisk is for OPTIONS",
            "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        ("9112 3.2.1 no path", "GET data HTTP/1.1\r\nHost: a\r\n\r\n", &[BAD_REQUEST], CLOSED),
        (
            "9112 3.2.1 query",
            then!("GET /data?a=/b?c HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[DATA, ROOT],
            OPEN,
        ),
        (
            "9112 3.2.1 empty query",
            then!("GET /data? HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[DATA, ROOT],
            OPEN,
        ),
        (
            "9112 3.2.1 longer path",
            then!("GET /data/ HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[NOT_HERE, ROOT],
            OPEN,
        ),
        (
            "9112 3.2.1 paths have cases",
            then!("GET /DATA HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[NOT_HERE, ROOT],
            OPEN,
        ),
        (
            "9112 3.2.2 absolute form",
            then!("GET http://pi.test/data HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[DATA, ROOT],
            OPEN,
        ),
        (
            "9112 3.2.2 with a port and a query",
            then!("GET HTTPS://[::1]:80/data?x HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[DATA, ROOT],
            OPEN,
        ),
        (
            "9112 3.2.2 without a path",
            then!("GET http://pi.test HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[ROOT, ROOT],
            OPEN,
        ),
        (
            "9112 3.2.2 only a query",
            then!("GET http://pi.test?x HTTP/1.1\r\nHost: a\r\n\r\n"),
            &[ROOT, ROOT],
            OPEN,
        ),
        (
            "9110 4.2.1 without a host",
            "GET http:///data HTTP/1.1\r\nHost: a\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9110 4.2.1 only a port",
            "GET http://:80/data HTTP/1.1\r\nHost: a\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9110 4.2.4 with a user",
            "GET http://u@pi.test/ HTTP/1.1\r\nHost: a\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 3.2.2 another scheme",
            "GET ftp://pi.test/ HTTP/1.1\r\nHost: a\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 3.2 control character",
            "GET /da\x01ta HTTP/1.1\r\nHost: a\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        ("9112 3.2 no ASCII", "GET /d\u{e4}ta HTTP/1.1\r\nHost: a\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("9112 3.2 DEL", "GET /\x7f HTTP/1.1\r\nHost: a\r\n\r\n", &[BAD_REQUEST], CLOSED),
    ];
    check(rules);
}

#[test]
fn request_lines() {
    let rules: &[Rule] = &[
        (
            "9112 2.2 empty line in front",
            "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            &[ROOT, ROOT],
            OPEN,
        ),
        (
            "9112 2.2 bare LF in front",
            "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 2.2 bare CR in front",
            "\rGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        ("9112 2.2 space in front", " GET / HTTP/1.1\r\nHost: a\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("9112 2.2 bare LF", "GET / HTTP/1.1\nHost: a\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("9112 2.2 bare CR", "GET / HTTP/1.1\rHost: a\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("9112 3 two spaces", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("9112 3 two spaces behind", "GET /  HTTP/1.1\r\nHost: a\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("9112 3 space at the end", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("9112 3 TAB", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("9112 3 no method", " / HTTP/1.1\r\nHost: a\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("9112 3.1 no token", "G(T / HTTP/1.1\r\nHost: a\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("9112 2.3 version 0.9", "GET /\r\n", &[BAD_REQUEST], CLOSED),
        ("9112 2.3 small letters", "GET / http/1.1\r\nHost: a\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("9112 2.3 two digits", "GET / HTTP/1.10\r\nHost: a\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("9112 2.3 no digits", "GET / HTTP/1.\r\nHost: a\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("9112 2.3 TLS", "\x16\x03\x01\x02\0\x01\0\x01", &[BAD_REQUEST], CLOSED),
        ("9110 15.6.6 version 1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", &[VERSION], CLOSED),
        ("9110 15.6.6 version 2.0", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", &[VERSION], CLOSED),
        ("9110 15.6.6 version 3.0", "GET / HTTP/3.0\r\n\r\n", &[VERSION], CLOSED),
        ("9113 3.4 nearly the preface", "PRI * HTTP/2.0\r\n\r\nSX\r\n\r\n", &[BAD_REQUEST], CLOSED),
    ];
    check(rules);
}

#[test]
fn fields() {
    let rules: &[Rule] = &[
        (
            "9112 5.1 space in front of the colon",
            "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 5.1 TAB in front of the colon",
            "GET / HTTP/1.1\r\nHost: a\r\nx\t: a\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        ("9112 5 no colon", "GET / HTTP/1.1\r\nHost: a\r\nxyz\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("9112 5 no name", "GET / HTTP/1.1\r\nHost: a\r\n: a\r\n\r\n", &[BAD_REQUEST], CLOSED),
        (
            "9112 5.2 folded",
            "GET / HTTP/1.1\r\nHost: a\r\nx: a\r\n b\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 5.2 folded with TAB",
            "GET / HTTP/1.1\r\nHost: a\r\nx: a\r\n\tb\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 2.2 white space in front of fields",
            "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 2.2 only white space",
            "GET / HTTP/1.1\r\nHost: a\r\n \r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        ("9110 5.5 NUL", "GET / HTTP/1.1\r\nHost: a\r\nx: a\0b\r\n\r\n", &[BAD_REQUEST], CLOSED),
        (
            "9110 5.5 bare LF",
            "GET / HTTP/1.1\r\nHost: a\r\nx: a\nb: c\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9110 5.5 bare CR",
            "GET / HTTP/1.1\r\nHost: a\r\nx: a\rb\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9110 5.5 DEL",
            "GET / HTTP/1.1\r\nHost: a\r\nAccept: a\x7fb\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9110 5.5 control character",
            "GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: 12345678\x1f\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        ("9112 2.2 end with bare LF", "GET / HTTP/1.1\r\nHost: a\r\n\n", &[BAD_REQUEST], CLOSED),
        ("9112 2.2 end with bare CR", "GET / HTTP/1.1\r\nHost: a\r\n\rx", &[BAD_REQUEST], CLOSED),
        (
            "9110 5.1 names without case",
            then!("GET / HTTP/1.1\r\nhOsT: a\r\nACCEPT: */*\r\nUSER-AGENT: x\r\n\r\n"),
            &[ROOT, ROOT],
            OPEN,
        ),
        (
            "9110 5.1 what only looks alike",
            "GET / HTTP/1.1\r\nHost\x1a a\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9110 5.1 what only looks alike",
            "GET / HTTP/1.1\r\nHost: a\r\nuser\ragent: x\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9110 5.1 names of all characters",
            then!("GET / HTTP/1.1\r\nhost: a\r\n!#$%&'*+-.^_`|~09azAZ: 1\r\n\r\n"),
            &[ROOT, ROOT],
            OPEN,
        ),
        (
            "9110 5.5 TAB is legal",
            then!("GET / HTTP/1.1\r\nhost: a\r\naccept: a\tb\r\nx:\t\r\n\r\n"),
            &[ROOT, ROOT],
            OPEN,
        ),
        (
            "9110 5.5 obs-text is legal",
            then!("GET / HTTP/1.1\r\nhost: a\r\nuser-agent: \u{ff}~\u{e4}\r\nx: \u{ff}~\r\n\r\n"),
            &[ROOT, ROOT],
            OPEN,
        ),
        (
            "9110 5.5 empty values are legal",
            then!("GET / HTTP/1.1\r\nhost: a\r\naccept:\r\nx: \r\ny:\r\n\r\n"),
            &[ROOT, ROOT],
            OPEN,
        ),
        (
            "9110 5.5 colons in values",
            then!("GET / HTTP/1.1\r\nhost: a\r\nx: a: b:c\r\n\r\n"),
            &[ROOT, ROOT],
            OPEN,
        ),
        (
            "9110 7.8 upgrade is ignored",
            then!("GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: foo\r\n\r\n"),
            &[ROOT, ROOT],
            OPEN,
        ),
    ];
    check(rules);
}

#[test]
fn hosts() {
    let rules: &[Rule] = &[
        ("9112 3.2 no host", "GET / HTTP/1.1\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("9112 3.2 no host", "GET / HTTP/1.1\r\naccept: a\r\n\r\n", &[BAD_REQUEST], CLOSED),
        (
            "9112 3.2 two hosts",
            "GET / HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9112 3.2 two hosts",
            "GET / HTTP/1.1\r\nhost: a\r\naccept: a\r\nHOST:\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        (
            "9110 7.2 may be empty",
            then!("GET / HTTP/1.1\r\nhost:\r\n\r\nGET / HTTP/1.1\r\nHost: \r\n\r\n"),
            &[ROOT, ROOT, ROOT],
            OPEN,
        ),
        (
            "9110 7.2 white space",
            then!("GET / HTTP/1.1\r\nhost: \t a.b:1 \t\r\n\r\nGET / HTTP/1.1\r\nHost:a\r\n\r\n"),
            &[ROOT, ROOT, ROOT],
            OPEN,
        ),
        (
            "9110 7.2 port",
            then!(
                "GET / HTTP/1.1\r\nhost: 127.0.0.1:65535\r\n\r\nGET / HTTP/1.1\r\nHost: abc-d:\r\n\r\n"
            ),
            &[ROOT, ROOT, ROOT],
            OPEN,
        ),
        (
            "9110 7.2 address",
            then!(
                "GET / HTTP/1.1\r\nhost: [fe80::1]:80\r\n\r\nGET / HTTP/1.1\r\nHost: [::]\r\n\r\n"
            ),
            &[ROOT, ROOT, ROOT],
            OPEN,
        ),
        (
            "3986 3.2.2 all characters",
            then!("GET / HTTP/1.1\r\nhost: a_b~c!$&'()*+,;=%2f\r\n\r\n"),
            &[ROOT, ROOT],
            OPEN,
        ),
        (
            "3986 3.2.2 name behind digits",
            then!("GET / HTTP/1.1\r\nhost: 1.2.3.4.example.org:80\r\n\r\n"),
            &[ROOT, ROOT],
            OPEN,
        ),
        ("3986 3.2.2 slash", "GET / HTTP/1.1\r\nhost: a/b\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("3986 3.2.2 slash", "GET / HTTP/1.1\r\nhost: 1/2\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("3986 3.2.2 user", "GET / HTTP/1.1\r\nhost: a@b\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("3986 3.2.2 space", "GET / HTTP/1.1\r\nhost: a b\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("3986 3.2.2 list", "GET / HTTP/1.1\r\nhost: a\tb\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("3986 3.2.2 no ASCII", "GET / HTTP/1.1\r\nhost: \u{e4}\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("3986 2.1 half an octet", "GET / HTTP/1.1\r\nhost: a%2\r\n\r\n", &[BAD_REQUEST], CLOSED),
        (
            "3986 3.2.3 port of letters",
            "GET / HTTP/1.1\r\nhost: a:b\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        ("3986 3.2.3 two ports", "GET / HTTP/1.1\r\nhost: a:1:2\r\n\r\n", &[BAD_REQUEST], CLOSED),
        (
            "3986 3.2.3 port of an address",
            "GET / HTTP/1.1\r\nhost: [::1]a\r\n\r\n",
            &[BAD_REQUEST],
            CLOSED,
        ),
        ("3986 3.2.2 open address", "GET / HTTP/1.1\r\nhost: [::1\r\n\r\n", &[BAD_REQUEST], CLOSED),
        ("3986 3.2.2 empty address", "GET / HTTP/1.1\r\nhost: []\r\n\r\n", &[BAD_REQUEST], CLOSED),
    ];
    check(rules);
}

#[test]
fn persistence() {
    let rules: &[Rule] = &[
        (
            "9112 9.3 keeps",
            then!(then!("GET /data HTTP/1.1\r\nHost: a\r\n\r\n")),
            &[DATA, ROOT, ROOT],
            OPEN,
        ),
        (
            "9112 9.6 close",
            then!("GET /data HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
            &[DATA_CLOSE],
            CLOSED,
        ),
        (
            "9112 9.6 close of HEAD",
            then!("HEAD /data HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
            &[DATA_HEAD_CLOSE],
            CLOSED,
        ),
        (
            "9110 7.6.1 without case, in a list",
            then!("GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive ,\t CLOSE\r\n\r\n"),
            &[ROOT_CLOSE],
            CLOSED,
        ),
        (
            "9110 7.6.1 two lines",
            then!(
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nconnection: keep-alive\r\n\r\n"
            ),
            &[ROOT_CLOSE],
            CLOSED,
        ),
        (
            "9110 7.6.1 another option",
            then!("GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, closed, TE\r\n\r\n"),
            &[ROOT, ROOT],
            OPEN,
        ),
        ("9112 9.3 version 1.0", then!("GET / HTTP/1.0\r\n\r\n"), &[ROOT_CLOSE], CLOSED),
        (
            "9112 9.3 version 1.0 and keep-alive",
            then!("GET / HTTP/1.0\r\nconnection: keep-alive\r\n\r\n"),
            &[ROOT_CLOSE],
            CLOSED,
        ),
        (
            "9110 made whole, then closed",
            then!("GET /written HTTP/1.1\r\nHost: a\r\nconnection: close\r\n\r\n"),
            &[WRITTEN_CLOSE],
            CLOSED,
        ),
        (
            "9110 made whole",
            then!(
                "GET /written HTTP/1.1\r\nHost: a\r\n\r\nHEAD /written HTTP/1.1\r\nhost: a\r\n\r\n"
            ),
            &[WRITTEN, WRITTEN_HEAD, ROOT],
            OPEN,
        ),
        (
            "9110 body of a handler",
            then!("GET /count HTTP/1.1\r\nHost: a\r\n\r\nHEAD /count HTTP/1.1\r\nhost: a\r\n\r\n"),
            &[COUNT, COUNT_HEAD, ROOT],
            OPEN,
        ),
        ("9110 holes", then!("GET /sensor HTTP/1.1\r\nHost: a\r\n\r\n"), &[SENSOR, ROOT], OPEN),
    ];
    check(rules);
}
