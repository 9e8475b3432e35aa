//! The cases of the Autobahn test suite, against a server that echoes, as our own vectors.
//!
//! By their numbers there: 1 framing, 2 pings, 3 reserved bits, 4 opcodes, 5 fragmentation, 6 UTF-8,
//! 7 close, 9 size (the small ones), 10 automatic fragmentation. Left out are 12 and 13, compression,
//! which we do not offer, and those of 9 above a megabyte.

use super::shell::{Echo, frames, masked};

/// What a server has to say.
#[derive(Debug, PartialEq)]
enum Answer {
    Text(Vec<u8>),
    Binary(Vec<u8>),
    Pong(Vec<u8>),
    /// With a code, or without one.
    Close(Option<u16>),
}

use Answer::{Binary, Close, Pong, Text};

/// Sends `frames` whole, in pieces of seven bytes and of one, and split at each byte; compares.
fn check(name: &str, sent: &[Vec<u8>], expected: &[Answer]) {
    let input = sent.concat();
    let mut cuts: Vec<Vec<&[u8]>> = vec![vec![&input], input.chunks(997).collect()];
    if input.len() < 5000 {
        cuts.push(input.chunks(1).collect());
        cuts.push(input.chunks(7).collect());
    }
    if input.len() < 400 {
        cuts.extend((1..input.len()).map(|at| vec![&input[..at], &input[at..]]));
    }
    for pieces in cuts {
        let mut echo = Echo::new();
        for piece in &pieces {
            if !echo.feed(&mut piece.to_vec()) {
                break;
            }
        }
        let answers: Vec<_> = frames(&echo.output)
            .into_iter()
            .map(|(first, payload)| match first {
                0x81 => Text(payload),
                0x82 => Binary(payload),
                0x8a => Pong(payload),
                0x88 => Close(payload.first_chunk().map(|code| u16::from_be_bytes(*code))),
                other => panic!("{name}: {other:#x}"),
            })
            .collect();
        assert!(answers == expected, "{name}, {} pieces: {answers:?}", pieces.len());
    }
}

fn close(code: u16) -> Vec<u8> {
    masked(0x88, &code.to_be_bytes())
}

const PROTOCOL: Answer = Close(Some(1002));
const NO_UTF8: Answer = Close(Some(1007));
const DONE: Answer = Close(Some(1000));

#[test]
fn framing() {
    for (case, len) in [0, 125, 126, 127, 128, 65_535, 65_536].into_iter().enumerate() {
        let (text, bytes) = (vec![b'*'; len], vec![0xfe; len]);
        let number = case + 1;
        check(
            &format!("1.1.{number}"),
            &[masked(0x81, &text), close(1000)],
            &[Text(text.clone()), DONE],
        );
        check(
            &format!("1.2.{number}"),
            &[masked(0x82, &bytes), close(1000)],
            &[Binary(bytes.clone()), DONE],
        );
    }
}

#[test]
fn pings_and_pongs() {
    let binary = [0, 0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0, 0xff];
    for (name, payload) in
        [("2.1", &b""[..]), ("2.2", b"Hello, world!"), ("2.3", &binary), ("2.4, 2.6", &[0xfe; 125])]
    {
        check(name, &[masked(0x89, payload), close(1000)], &[Pong(payload.to_vec()), DONE]);
    }
    check("2.5", &[masked(0x89, &[0xfe; 126])], &[PROTOCOL]);
    check("2.7", &[masked(0x8a, b""), close(1000)], &[DONE]);
    check("2.8", &[masked(0x8a, b"unsolicited"), close(1000)], &[DONE]);
    check(
        "2.9",
        &[masked(0x8a, b"unsolicited"), masked(0x89, b"ping"), close(1000)],
        &[Pong(b"ping".to_vec()), DONE],
    );
    let pings: Vec<_> = (0..10).map(|number| format!("payload-{number}").into_bytes()).collect();
    let mut sent: Vec<_> = pings.iter().map(|ping| masked(0x89, ping)).collect();
    sent.push(close(1000));
    let mut expected: Vec<_> = pings.into_iter().map(Pong).collect();
    expected.push(DONE);
    check("2.10, 2.11", &sent, &expected);
}

#[test]
fn reserved_bits() {
    let hello = || masked(0x81, b"Hello, world!");
    let echoed = || Text(b"Hello, world!".to_vec());
    check("3.1", &[masked(0x91, b"Hello, world!")], &[PROTOCOL]);
    for (name, first) in [("3.2", 0xa1), ("3.3", 0xb1), ("3.4", 0xc1)] {
        let sent = [hello(), masked(first, b"Hello, world!"), masked(0x89, b"")];
        check(name, &sent, &[echoed(), PROTOCOL]);
    }
    check("3.5", &[masked(0xd2, &[0, 0xff])], &[PROTOCOL]);
    check("3.6", &[masked(0xe9, b"Hello, world!")], &[PROTOCOL]);
    check("3.7", &[masked(0xf8, b"")], &[PROTOCOL]);
}

#[test]
fn opcodes() {
    for (group, opcodes) in [(1, 3..8), (2, 11..16)] {
        for (case, opcode) in opcodes.enumerate() {
            let payload: &[u8] = if case % 2 == 0 { b"" } else { b"reserved opcode payload" };
            let bad = masked(0x80 | opcode, payload);
            let name = format!("4.{group}.{}", case + 1);
            check(&name, std::slice::from_ref(&bad), &[PROTOCOL]);
            let sent = [masked(0x81, b"Hello, world!"), bad, masked(0x89, b"")];
            check(&name, &sent, &[Text(b"Hello, world!".to_vec()), PROTOCOL]);
        }
    }
}

#[test]
fn fragmentation() {
    let first = || masked(0x01, b"fragment1");
    let last = || masked(0x80, b"fragment2");
    let middle = || masked(0x00, b"fragment1");
    let both = || Text(b"fragment1fragment2".to_vec());
    let ping = || masked(0x89, b"ping payload");
    let pong = || Pong(b"ping payload".to_vec());
    check("5.1", &[masked(0x09, b"fragment1"), last()], &[PROTOCOL]);
    check("5.2", &[masked(0x0a, b"fragment1"), last()], &[PROTOCOL]);
    check("5.3, 5.4, 5.5", &[first(), last(), close(1000)], &[both(), DONE]);
    check("5.6, 5.7, 5.8", &[first(), ping(), last(), close(1000)], &[pong(), both(), DONE]);
    let hello = || masked(0x81, b"Hello, world!");
    check("5.9, 5.10, 5.11", &[masked(0x80, b"non-continuation"), hello()], &[PROTOCOL]);
    check("5.12, 5.13, 5.14", &[masked(0x00, b"non-continuation"), hello()], &[PROTOCOL]);
    let again = [first(), last(), middle(), hello()];
    check("5.15", &again, &[both(), PROTOCOL]);
    check("5.16", &[middle(), hello(), last()], &[PROTOCOL]);
    check("5.17", &[last(), hello(), last()], &[PROTOCOL]);
    check("5.18", &[first(), masked(0x81, b"fragment2")], &[PROTOCOL]);
    let parts = |number: u8, first: u8| masked(first, format!("fragment{number}").as_bytes());
    let sent = [
        parts(1, 0x01),
        parts(2, 0x00),
        ping(),
        parts(3, 0x00),
        parts(4, 0x00),
        ping(),
        parts(5, 0x80),
        close(1000),
    ];
    let whole = Text(b"fragment1fragment2fragment3fragment4fragment5".to_vec());
    check("5.19, 5.20", &sent, &[pong(), pong(), whole, DONE]);
}

/// Texts by what they try, after Markus Kuhn's stress test, and whether they are UTF-8.
const TEXTS: [(&str, bool, &[&[u8]]); 19] = [
    ("6.5", true, &[b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5"]),
    ("6.6", true, &[b"\xce\xba", b"\xce\xba\xe1\xbd\xb9", b"\xce\xba\xe1\xbd\xb9\xcf\x83"]),
    ("6.6", false, &[b"\xce", b"\xce\xba\xe1", b"\xce\xba\xe1\xbd", b"\xce\xba\xe1\xbd\xb9\xcf"]),
    ("6.7", true, &[b"\0", b"\xc2\x80", b"\xe0\xa0\x80", b"\xf0\x90\x80\x80"]),
    ("6.8", false, &[b"\xf8\x88\x80\x80\x80", b"\xfc\x84\x80\x80\x80\x80"]),
    ("6.9", true, &[b"\x7f", b"\xdf\xbf", b"\xef\xbf\xbf", b"\xf4\x8f\xbf\xbf"]),
    ("6.10", false, &[b"\xf7\xbf\xbf\xbf", b"\xfb\xbf\xbf\xbf\xbf", b"\xfd\xbf\xbf\xbf\xbf\xbf"]),
    ("6.11", true, &[b"\xed\x9f\xbf", b"\xee\x80\x80", b"\xef\xbf\xbd", b"\xf4\x8f\xbf\xbf"]),
    ("6.11", false, &[b"\xf4\x90\x80\x80"]),
    ("6.12", false, &[b"\x80", b"\xbf", b"\x80\xbf", b"\x80\xbf\x80", b"\x80\xbf\x80\xbf\x80"]),
    ("6.13", false, &[b"\xc0 \xc1 ", b"\xdf ", b"\xe0 \xef ", b"\xf0 ", b"\xf8 ", b"\xfc "]),
    (
        "6.14",
        false,
        &[b"\xc0", b"\xe0\x80", b"\xf0\x80\x80", b"\xdf", b"\xef\xbf", b"\xf7\xbf\xbf"],
    ),
    ("6.15", false, &[b"\xc0\xe0\x80\xf0\x80\x80\xf8\x80\x80\x80\xfc\x80\x80\x80\x80\xdf\xef\xbf"]),
    ("6.16", false, &[b"\xfe", b"\xff", b"\xfe\xfe\xff\xff"]),
    ("6.17, 6.19", false, &[b"\xc0\xaf", b"\xe0\x80\xaf", b"\xf0\x80\x80\xaf", b"\xc0\x80"]),
    ("6.18", false, &[b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf"]),
    ("6.20, 6.21", false, &[b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xed\xa0\x80\xed\xb0\x80"]),
    ("6.22", true, &[b"\xef\xbf\xbe", b"\xef\xbf\xbf", b"\xf0\x9f\xbf\xbe", b"\xf4\x8f\xbf\xbf"]),
    ("6.23", true, &[b"\xef\xbf\xbd", b"\xef\xbf\xbc", b"\xf0\x9f\xbf\xbf"]),
];

#[test]
fn utf8() {
    let hello = "Hello-\u{b5}@\u{df}\u{f6}\u{e4}\u{fc}\u{e0}\u{e1}-UTF-8!!".as_bytes();
    let octets = |text: &[u8]| {
        let mut sent = vec![masked(0x01, b"")];
        sent.extend(text.iter().map(|byte| masked(0x00, &[*byte])));
        sent.extend([masked(0x80, b""), close(1000)]);
        sent
    };
    check("6.1.1", &[masked(0x81, b""), close(1000)], &[Text(vec![]), DONE]);
    let empty = [masked(0x01, b""), masked(0x00, b""), masked(0x80, b""), close(1000)];
    check("6.1.2", &empty, &[Text(vec![]), DONE]);
    let middle = [masked(0x01, b""), masked(0x00, b"middle"), masked(0x80, b""), close(1000)];
    check("6.1.3", &middle, &[Text(b"middle".to_vec()), DONE]);
    check("6.2.1", &[masked(0x81, hello), close(1000)], &[Text(hello.to_vec()), DONE]);
    for at in 0..hello.len() {
        let (front, behind) = hello.split_at(at);
        let sent = [masked(0x01, front), masked(0x80, behind), close(1000)];
        check("6.2.2", &sent, &[Text(hello.to_vec()), DONE]);
    }
    check("6.2.3, 6.2.4", &octets(hello), &[Text(hello.to_vec()), DONE]);
    for (name, valid, texts) in TEXTS {
        for text in texts {
            assert_eq!(std::str::from_utf8(text).is_ok(), valid, "{name}: {text:x?}");
            let expected = || if valid { vec![Text(text.to_vec()), DONE] } else { vec![NO_UTF8] };
            check(name, &[masked(0x81, text), close(1000)], &expected());
            check(name, &octets(text), &expected());
        }
    }
}

/// 6.3 and 6.4: the connection fails with the first byte that cannot stand there, although neither the
/// frame nor the message is complete.
#[test]
fn utf8_fails_fast() {
    let start = "\u{3ba}\u{1f79}\u{3c3}\u{3bc}\u{3b5}".as_bytes();
    for bad in [&b"\xf4\x90"[..], b"\xed\xa0", b"\xc0", b"\xff"] {
        let text = [start, bad, b"\x80\x80edited"].concat();
        let frame = masked(0x81, &text);
        let (until, rest) = frame.split_at(6 + start.len() + bad.len());
        let (before, last) = until.split_at(until.len() - 1);
        let mut echo = Echo::new();
        assert!(echo.feed(&mut before.to_vec()));
        assert!(!echo.feed(&mut last.to_vec()), "{bad:x?}");
        assert_eq!(frames(&echo.output), [(0x88, 1007u16.to_be_bytes().to_vec())]);
        // Whatever comes after it changes nothing.
        assert!(!echo.feed(&mut rest.to_vec()));
        assert_eq!(frames(&echo.output).len(), 1);
        // The same in frames of one byte.
        let mut echo = Echo::new();
        assert!(echo.feed(&mut masked(0x01, start)));
        for byte in &bad[..bad.len() - 1] {
            assert!(echo.feed(&mut masked(0x00, &[*byte])));
        }
        assert!(!echo.feed(&mut masked(0x00, &bad[bad.len() - 1..])));
    }
}

#[test]
fn closing() {
    let hello = || masked(0x81, b"Hello World!");
    let ping = || masked(0x89, b"");
    check("7.1.1", &[hello(), close(1000)], &[Text(b"Hello World!".to_vec()), DONE]);
    check("7.1.2", &[close(1000), close(1000)], &[DONE]);
    check("7.1.3", &[close(1000), ping()], &[DONE]);
    check("7.1.4", &[close(1000), hello()], &[DONE]);
    let inside = [masked(0x01, b"fragment1"), close(1000), masked(0x80, b"fragment2")];
    check("7.1.5", &inside, &[DONE]);
    let large = vec![b'B'; 256 * 1024];
    let sent = [masked(0x81, &large), close(1000), ping()];
    check("7.1.6", &sent, &[Text(large), DONE]);
    check("7.3.1", &[masked(0x88, b"")], &[Close(None)]);
    check("7.3.2", &[masked(0x88, b"a")], &[PROTOCOL]);
    check("7.3.3", &[close(1000)], &[DONE]);
    let reason = |reason: &[u8]| masked(0x88, &[&1000u16.to_be_bytes()[..], reason].concat());
    check("7.3.4", &[reason(b"Hello World!")], &[DONE]);
    check("7.3.5", &[reason(&[b'*'; 123])], &[DONE]);
    check("7.3.6", &[reason(&[b'*'; 124])], &[PROTOCOL]);
    check("7.5.1", &[reason(b"\xce\xba\xe1\xbd\xb9\xed\xa0\x80edited")], &[NO_UTF8]);
    for code in [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999] {
        check("7.7", &[close(code)], &[Close(Some(code))]);
    }
    for code in [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999] {
        check("7.9", &[close(code)], &[PROTOCOL]);
    }
    for code in [5000, 65_535] {
        check("7.13", &[close(code)], &[PROTOCOL]);
    }
}

#[test]
fn sizes_and_automatic_fragments() {
    let (text, bytes) = (vec![b'*'; 1 << 16], vec![0xfe; 1 << 16]);
    check("9.1.1", &[masked(0x81, &text), close(1000)], &[Text(text.clone()), DONE]);
    check("9.2.1", &[masked(0x82, &bytes), close(1000)], &[Binary(bytes.clone()), DONE]);
    let large = vec![0xfe; 1 << 20];
    check("9.2.3", &[masked(0x82, &large), close(1000)], &[Binary(large.clone()), DONE]);
    for len in [64, 256, 1024, 1300, 4096, 16_384, 65_536] {
        let mut sent: Vec<_> = text.chunks(len).map(|part| masked(0x00, part)).collect();
        sent[0][0] = 0x01;
        sent.extend([masked(0x80, b""), close(1000)]);
        check("9.3, 9.5, 10.1.1", &sent, &[Text(text.clone()), DONE]);
        let mut sent: Vec<_> = bytes.chunks(len).map(|part| masked(0x00, part)).collect();
        sent[0][0] = 0x02;
        sent.last_mut().unwrap()[0] |= 0x80;
        sent.push(close(1000));
        check("9.4, 9.6", &sent, &[Binary(bytes.clone()), DONE]);
    }
    let mut sent = vec![masked(0x81, b"0123456789"); 500];
    let mut expected: Vec<_> = (0..500).map(|_| Text(b"0123456789".to_vec())).collect();
    sent.push(close(1000));
    expected.push(DONE);
    check("9.7", &sent, &expected);
}
