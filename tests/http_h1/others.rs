//! Request heads as other programs write them, and another parser's opinion of heads.

use crate::answers::*;
use crate::shell::{SITE, always, whole};

/// What these programs send for `/data`, with another host.
const HEADS: [(&str, &str); 10] = [
    (
        "curl 7.88",
        "GET /data HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n\r\n",
    ),
    ("wrk 4.1", "GET /data HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n"),
    (
        "h2load 1.52",
        "GET /data HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nuser-agent: h2load nghttp2/1.52.0\r\n\r\n",
    ),
    (
        "Node 20 http",
        "GET /data HTTP/1.1\r\nHost: localhost:8080\r\nConnection: keep-alive\r\n\r\n",
    ),
    (
        "Node 20 fetch",
        "GET /data HTTP/1.1\r\nhost: localhost:8080\r\nconnection: keep-alive\r\naccept: */*\r\naccept-language: *\r\nsec-fetch-mode: cors\r\nuser-agent: node\r\naccept-encoding: gzip, deflate\r\n\r\n",
    ),
    (
        "httpx 0.28",
        "GET /data HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate\r\nConnection: keep-alive\r\nUser-Agent: python-httpx/0.28.1\r\n\r\n",
    ),
    (
        "Go 1.19",
        "GET /data HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: Go-http-client/1.1\r\nAccept-Encoding: gzip\r\n\r\n",
    ),
    (".NET 9", "GET /data HTTP/1.1\r\nHost: raspberrypi\r\n\r\n"),
    (
        "Firefox 128",
        "GET /data HTTP/1.1\r\nHost: raspberrypi.local\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\r\nAccept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/png,image/svg+xml,*/*;q=0.8\r\nAccept-Language: en-US,en;q=0.5\r\nAccept-Encoding: gzip, deflate\r\nDNT: 1\r\nSec-GPC: 1\r\nConnection: keep-alive\r\nUpgrade-Insecure-Requests: 1\r\nPriority: u=0, i\r\n\r\n",
    ),
    (
        "Chromium 126",
        "GET /data HTTP/1.1\r\nHost: 192.168.178.31:8080\r\nConnection: keep-alive\r\nCache-Control: max-age=0\r\nUpgrade-Insecure-Requests: 1\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36\r\nAccept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7\r\nAccept-Encoding: gzip, deflate\r\nAccept-Language: en-GB,en;q=0.9\r\nCookie: a=b; c=\"d e\"\r\n\r\n",
    ),
];

#[test]
fn heads_of_other_programs_are_answered() {
    for (program, head) in HEADS {
        for repeated in [1, 3] {
            let input = head.repeat(repeated);
            let talk = always(input.as_bytes());
            assert_eq!(String::from_utf8_lossy(&talk.said), DATA.repeat(repeated), "{program}");
            assert!(!talk.closed, "{program}");
        }
    }
    let ab = "GET /data HTTP/1.0\r\nHost: 127.0.0.1:8080\r\nUser-Agent: ApacheBench/2.3\r\nAccept: */*\r\n\r\n";
    assert_eq!(always(ab.as_bytes()).said, DATA_CLOSE.as_bytes());
}

/// Whether the head is refused as such: as a bad request.
fn refuses(input: &[u8]) -> bool {
    whole(&SITE, input).said == BAD_REQUEST.as_bytes()
}

fn httparse_refuses(input: &[u8]) -> bool {
    let mut fields = [httparse::EMPTY_HEADER; 16];
    httparse::Request::new(&mut fields).parse(input).is_err()
}

/// Each byte in each place of a head, and each place without its byte: where we accept and the other
/// parser does not, or the other way round, there is a reason.
#[test]
fn another_parser_agrees_or_there_is_a_reason() {
    let head = b"GET /a?b HTTP/1.1\r\nhost: a\r\nX-y: z \t1\r\n\r\n";
    let place = |text: &[u8]| head.windows(text.len()).position(|bytes| bytes == text).unwrap();
    let (host, value) = (place(b"host"), place(b" a\r\n"));
    let version = place(b"HTTP/");
    let mut compared = 0;
    for at in 0..head.len() {
        for byte in 0..=256u16 {
            let mut input = head.to_vec();
            match u8::try_from(byte) {
                Ok(byte) => input[at] = byte,
                Err(_) => drop(input.remove(at)),
            }
            let (ours, theirs) = (refuses(&input), httparse_refuses(&input));
            compared += 1;
            if ours == theirs {
                continue;
            }
            let changed = input.get(at).copied().unwrap_or_default();
            let reason = if (host..host + 5).contains(&at) && ours {
                "without a host, or with two, it is a bad request"
            } else if (value..value + 2).contains(&at) && ours {
                "what no host has, we refuse"
            } else if at >= 4 && at < version && ours && (at == 4 || changed >= 0x80) {
                "a target is a path, and ASCII"
            } else if at >= version && at < version + 8 && !ours {
                "another version is answered with status 505"
            } else if (changed == b'\n' || head[at] == b'\r') && ours {
                "a line ends with CR and LF"
            } else if input.starts_with(b"\n") && ours {
                "so does an empty line in front"
            } else {
                ""
            };
            assert!(
                !reason.is_empty(),
                "{at}: {} (ours: {ours}, theirs: {theirs})",
                input.escape_ascii()
            );
        }
    }
    assert_eq!(compared, 257 * head.len());
}
