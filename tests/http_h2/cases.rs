//! Cases that other servers got wrong, by their numbers.

use onewrite::http::{Conn, Counters, Limits, Next, Protocol};

use crate::frames::{GET, PREFACE, connection, frame, get, request, setting, window_update, words};
use crate::shell::{Filler, SITE, talk, whole};

fn said(frames: &[Vec<u8>]) -> Vec<String> {
    words(&whole(&connection(frames)).said)
}

fn answered(stream: u32) -> [String; 2] {
    [format!("HEADERS {stream} 200"), format!("DATA {stream} 11 end")]
}

/// HEAD, then another request: no body is taken for the next answer.
#[test]
fn http_03_head_then_get() {
    let head = request(1, b"\x02\x04HEAD\x86\x04\x05/data");
    let talk = whole(&connection(&[head, get(3, "/data")]));
    assert_eq!(words(&talk.said), [&["HEADERS 1 200 end".to_owned()][..], &answered(3)].concat());
    // The same fields as of GET.
    let whole_response = crate::shell::DATA.http2();
    let len = 9 + usize::from(whole_response[2]);
    let at = talk.said.windows(9).position(|header| header[3..] == [1, 5, 0, 0, 0, 1]).unwrap();
    assert_eq!(talk.said[at + 9..at + len], whole_response[9..len]);
}

#[test]
fn http_05_paths_and_methods() {
    let method = |stream, method: &str, path: &str| {
        let part = |text: &str| [&[text.len() as u8][..], text.as_bytes()].concat();
        request(stream, &[b"\x02", &part(method)[..], b"\x86\x04", &part(path)].concat())
    };
    for (asked, expected) in [
        (method(1, "GET", "/nope"), &["HEADERS 1 404", "DATA 1 2 end"][..]),
        (method(1, "POST", "/data"), &["HEADERS 1 405 end allow GET, HEAD"]),
        (method(1, "HEAD", "/data"), &["HEADERS 1 200 end"]),
        (method(1, "OPTIONS", "*"), &["HEADERS 1 200 end allow GET, HEAD"]),
        (method(1, "OPTIONS", "/data"), &["HEADERS 1 200 end allow GET, HEAD"]),
        (method(1, "OPTIONS", "/nope"), &["HEADERS 1 404", "DATA 1 2 end"]),
        (method(1, "BREW", "/data"), &["HEADERS 1 501 end"]),
        (method(1, "GET", "/data?x=1"), &["HEADERS 1 200", "DATA 1 11 end"]),
        (method(1, "GET", "/DATA"), &["HEADERS 1 404", "DATA 1 2 end"]),
    ] {
        assert_eq!(said(std::slice::from_ref(&asked)), expected);
        // The connection is of use afterwards.
        let again = said(&[asked, get(3, "/data")]);
        assert_eq!(again[expected.len()..], answered(3));
    }
}

/// Our SETTINGS come first, then the acknowledgement, then the answer, for every cut.
#[test]
fn http_08_prior_knowledge() {
    let input = [
        PREFACE,
        b"\0\0\0\x04\0\0\0\0\0",
        b"\0\0\x0c\x01\x05\0\0\0\x01\x82\x84\x86\x41\x07pi.test",
    ]
    .concat();
    for protocol in [Protocol::Auto, Protocol::Http2] {
        for cut in [1, 14, 23, 24, 33] {
            let pieces = input.split_at(cut);
            let mut conn = Conn::<16, 1024>::new(protocol);
            let talk = talk(&mut conn, &SITE, [pieces.0, pieces.1], 4096);
            assert_eq!(talk.said[..5], [0, 0, 12, 4, 0]);
            assert_eq!(words(&talk.said), ["HEADERS 1 200", "DATA 1 4 end"]);
        }
    }
    let almost = b"PRI * HTTP/2.0\r\n\r\nSX\r\n\r\n";
    let mut conn = Conn::<16, 1024>::new(Protocol::Auto);
    let answer = talk(&mut conn, &SITE, [&almost[..]], 4096);
    assert!(answer.closed && answer.said.starts_with(b"HTTP/1.1 "));
    let answer = whole(almost);
    assert!(answer.closed);
    assert_eq!(crate::frames::all_words(&answer.said), ["SETTINGS", "GOAWAY 0 0 PROTOCOL_ERROR"]);
}

#[test]
fn http_10_blocks_that_are_none() {
    // The first eleven of the page, in order; true is taken.
    let blocks: [(&[u8], bool); 13] = [
        (&[0x80], false),
        (&[0xbe], false),
        (&[0xff, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01], false),
        (&[0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], false),
        (&[0x82, 0x20], false),
        (&[0x3f, 0xe2, 0x1f, 0x82], false),
        (&[0x20, 0x82], true),
        (&[0x20, 0x3f, 0xe1, 0x1f, 0x82], true),
        (&[0x40, 0x01, 0x61, 0x84, 0xff, 0xff, 0xff, 0xff], false),
        (&[0x40, 0x01, 0x61, 0x81, 0x18], false),
        (&[0x40, 0x01, 0x61, 0x81, 0x1f], true),
        (&[0x40, 0x01, 0x61, 0x82, 0x1f, 0xff], false),
        (&[0x40, 0x0a, 0x63, 0x75], false),
    ];
    for (block, taken) in blocks {
        let expected =
            if taken { "RST_STREAM 1 PROTOCOL_ERROR" } else { "GOAWAY 0 0 COMPRESSION_ERROR" };
        assert_eq!(said(&[request(1, block)]), [expected], "{block:02x?}");
    }
}

/// A: few bytes that stand for many; the table stays right. B: a block without end.
#[test]
fn http_11_blow_up() {
    let mut block = b"\x40\x01x\x7f\xa1\x1e".to_vec();
    block.resize(block.len() + 4000, b'y');
    let bomb = [GET, &block, &[0xbe; 4000]].concat();
    let talk = whole(&connection(&[
        request(1, &bomb),
        request(3, &[GET, &[0xbe]].concat()),
        get(5, "/data"),
    ]));
    let expected = ["HEADERS 1 431 end", "HEADERS 3 200", "DATA 3 4 end"];
    assert_eq!(words(&talk.said), [&expected.map(str::to_owned)[..], &answered(5)].concat());
    assert_eq!((talk.counters.requests, talk.counters.refused), (3, 1));

    let mut frames = vec![frame("HEADERS", 1, 1, GET)];
    frames.resize(10_000, frame("CONTINUATION", 0, 1, b"\x90"));
    let talk = whole(&connection(&frames));
    assert_eq!(words(&talk.said), ["GOAWAY 0 0 ENHANCE_YOUR_CALM"]);
    // It is over with the 17th.
    assert_eq!(talk.left.len(), (10_000 - 18) * 10);
}

/// Fields, sizes and targets above the limits.
#[test]
fn http_11_limits_of_a_request() {
    let fields = |count: usize| request(1, &[GET, &vec![0x90; count]].concat());
    assert_eq!(said(&[fields(96)]), ["HEADERS 1 200", "DATA 1 4 end"]);
    assert_eq!(said(&[fields(97)]), ["HEADERS 1 431 end"]);
    let path = |len: usize| {
        let mut block = b"\x82\x86\x04\x7f".to_vec();
        let more = len - 127;
        block.extend([0x80 | (more & 0x7f) as u8, (more >> 7) as u8, b'/']);
        block.resize(block.len() + len - 1, b'x');
        request(1, &block)
    };
    assert_eq!(said(&[path(4096)]), ["HEADERS 1 404", "DATA 1 2 end"]);
    assert_eq!(said(&[path(4097)]), ["HEADERS 1 414 end"]);
    // The size of a list is 32 bytes a field above its text: 42 + 43 + 38 + 49 of GET.
    let value = |len: usize| {
        let mut block = [GET, b"\x00\x01x\x7f"].concat();
        let more = len - 127;
        block.extend([0x80 | (more & 0x7f) as u8, (more >> 7) as u8]);
        block.resize(block.len() + len, b'y');
        let (start, end) = block.split_at(8000);
        [frame("HEADERS", 1, 1, start), frame("CONTINUATION", 4, 1, end)]
    };
    let mut conn = Conn::<16, 16_384>::new(Protocol::Http2);
    let most = 16_384 - (42 + 43 + 38 + 49) - 33;
    let input = connection(&value(most));
    assert_eq!(
        words(&talk(&mut conn, &SITE, [&input[..]], 4096).said),
        ["HEADERS 1 200", "DATA 1 4 end"]
    );
    let mut conn = Conn::<16, 16_384>::new(Protocol::Http2);
    let input = connection(&value(most + 1));
    assert_eq!(words(&talk(&mut conn, &SITE, [&input[..]], 4096).said), ["HEADERS 1 431 end"]);
    // A part of a field that is longer than the room for it ends the connection.
    assert_eq!(said(&value(9000)), ["GOAWAY 0 0 ENHANCE_YOUR_CALM"]);
    // Trailers count by themselves.
    let post = frame("HEADERS", 4, 1, GET);
    let trailers = frame("HEADERS", 5, 1, &[0x90; 101]);
    assert_eq!(said(&[post, trailers]), ["HEADERS 1 431 end"]);
}

/// A body that is too long is read to its end, unless it has more than 16 times the limit.
#[test]
fn a_refused_body_comes_to_an_end() {
    const MOST: usize = 16 * 65_536;
    let begin = |length: &[u8]| {
        let block = [b"\x83\x86\x84\x0f\x0d\x07", length].concat();
        [frame("HEADERS", 4, 1, &block), frame("DATA", 0, 1, &[b'x'; 16_384]).repeat(64)].concat()
    };
    let said = |length: &[u8], more: &[Vec<u8>]| {
        let talk = whole(&connection(&[&[begin(length)], more].concat()));
        let mut said = words(&talk.said);
        said.retain(|line| !line.starts_with("WINDOW_UPDATE "));
        (said, talk.counters)
    };
    let data = |flags, len: usize| frame("DATA", flags, 1, &vec![b'x'; len]);
    let refused = "HEADERS 1 413 end".to_owned();
    let reset = "RST_STREAM 1 NO_ERROR".to_owned();
    let most = MOST.to_string();
    let whole_body = [data(1, 0), get(3, "/data")];
    assert_eq!(
        said(most.as_bytes(), &whole_body).0,
        [&[refused.clone()][..], &answered(3)].concat()
    );
    let long = b"9999999";
    assert_eq!(said(long, &[get(3, "/data")]).0, answered(3), "it is not over");
    let (lines, counters) = said(long, &[data(0, 1), get(3, "/data")]);
    assert_eq!(lines, [&[refused.clone(), reset.clone()][..], &answered(3)].concat());
    assert_eq!((counters.requests, counters.refused, counters.resets_sent), (2, 1, 1));
    // What was under way is dropped, and that is at most a window.
    let window = [data(0, 1), data(0, 16_384).repeat(3), data(0, 16_382), get(3, "/data")];
    let (lines, _) = said(long, &window);
    assert_eq!(lines, [&[refused.clone(), reset.clone()][..], &answered(3)].concat());
    let (lines, _) = said(long, &[&window[..], &[data(0, 1)]].concat());
    assert_eq!(lines.last().unwrap(), "GOAWAY 0 3 FLOW_CONTROL_ERROR");
}

/// What crosses a reset is at most what the client had a window for, all of one or what is left of it.
#[test]
fn a_window_that_was_not_given_is_not_read() {
    let data = |len: usize| frame("DATA", 0, 1, &vec![b'x'; len]);
    let wrong = frame("HEADERS", 4, 1, b"\x82");
    let post = [frame("HEADERS", 4, 1, GET), data(16_384), window_update(1, 0)].concat();
    for (begin, pieces) in [(wrong, 3), (post, 2)] {
        let window = [begin, data(16_384).repeat(pieces), data(16_383), data(0), get(3, "/data")];
        let mut lines = said(&window);
        lines.retain(|line| !line.starts_with("WINDOW_UPDATE 0 "));
        let reset = "RST_STREAM 1 PROTOCOL_ERROR".to_owned();
        assert_eq!(lines, [&[reset][..], &answered(3)].concat());
        let more = said(&[&window[..], &[data(1), get(5, "/data")]].concat());
        assert_eq!(more.last().unwrap(), "GOAWAY 0 3 FLOW_CONTROL_ERROR");
    }
    // A body that is too long by its last byte has no rest.
    let post = frame("HEADERS", 4, 1, GET);
    let end = frame("DATA", 1, 1, b"x");
    let mut lines = said(&[post, data(16_384).repeat(4), end, data(1)]);
    lines.retain(|line| !line.starts_with("WINDOW_UPDATE "));
    assert_eq!(lines, ["HEADERS 1 413 end", "GOAWAY 0 1 STREAM_CLOSED"]);
}

/// What crosses a reset is dropped for the last sixteen streams that were reset.
#[test]
fn sixteen_streams_that_were_reset_are_remembered() {
    let streams = || (1..).step_by(2).take(17);
    let wrong = |stream| frame("HEADERS", 4, stream, b"\x82");
    let data = |stream| frame("DATA", 0, stream, b"x");
    let mut frames: Vec<_> = streams().map(wrong).chain(streams().skip(1).map(data)).collect();
    frames.push(get(35, "/data"));
    assert_eq!(said(&frames)[17..], answered(35));
    frames.push(data(1));
    assert_eq!(said(&frames).last().unwrap(), "GOAWAY 0 35 STREAM_CLOSED");
}

fn flood(frames: impl Iterator<Item = Vec<u8>>) -> (Vec<String>, Counters, usize) {
    let frames: Vec<_> = frames.collect();
    let talk = whole(&connection(&frames));
    (words(&talk.said), talk.counters, talk.left.len())
}

#[test]
fn http_12_floods_end_at_the_budget() {
    let Limits { resets, idle_frames, .. } = Limits::DEFAULT;
    let cancel = |stream| frame("RST_STREAM", 0, stream, &[0, 0, 0, 8]);
    let last = |(said, counters, left): (Vec<String>, Counters, usize)| {
        let last = said.last().unwrap().clone();
        assert!(last.ends_with(" ENHANCE_YOUR_CALM"), "{last}");
        assert!(left > 0, "all was read");
        (last, counters)
    };
    // Rapid reset: three of four are not paid for by the answer.
    let (end, counters) =
        last(flood((0..1000).map(|n| [get(odd(n), "/data"), cancel(odd(n))].concat())));
    let resets = u64::from(resets);
    assert_eq!(counters.resets_received, resets + counters.requests / 4 + 1);
    assert_eq!(end, format!("GOAWAY 0 {} ENHANCE_YOUR_CALM", odd(counters.requests as u32 - 1)));
    // The same for requests that wait for a body, and are reset before they are answered.
    let post = |stream| frame("HEADERS", 4, stream, GET);
    let (_, counters) = last(flood((0..1000).map(|n| [post(odd(n)), cancel(odd(n))].concat())));
    assert_eq!((counters.resets_received, counters.requests), (resets + 1, 0));
    // Resets of ours that the client provokes.
    for provoke in [
        |n| request(odd(n), b"\x82"),
        |n| [frame("HEADERS", 4, odd(n), GET), window_update(odd(n), 0)].concat(),
        |n| {
            let more = [0x7f, 0xff, 0xff, 0xff];
            let update = frame("WINDOW_UPDATE", 0, odd(n), &more);
            [frame("HEADERS", 4, odd(n), GET), update].concat()
        },
        |n| {
            let length = [GET, b"\x0f\x0d\x011"].concat();
            [frame("HEADERS", 4, odd(n), &length), frame("DATA", 1, odd(n), b"")].concat()
        },
    ] {
        let (_, counters) = last(flood((0..1000).map(provoke)));
        assert_eq!((counters.resets_sent, counters.requests), (resets + 1, 0));
    }
    // Frames that ask for nothing.
    let idle_frames = idle_frames as usize;
    let post = frame("HEADERS", 4, 1, GET);
    for (idle, answers) in [
        (frame("PING", 0, 0, &[0; 8]), 1),
        (frame("PING", 1, 0, &[0; 8]), 0),
        (frame("SETTINGS", 0, 0, &[]), 1),
        (frame("SETTINGS", 1, 0, &[]), 0),
        (setting(4, 1), 1),
        (frame("PRIORITY", 0, 9, &[0; 5]), 0),
        (frame("DATA", 0, 1, &[]), 0),
        (frame("DATA", 8, 1, &[3, 0, 0, 0]), 0),
        (window_update(0, 1), 0),
        (window_update(1, 1), 0),
        (frame("fa", 0, 1, &[0; 100]), 0),
        (frame("GOAWAY", 0, 0, &[0; 8]), 0),
    ] {
        let frames = std::iter::once(post.clone()).chain(std::iter::repeat_n(idle.clone(), 1000));
        let (said, counters, left) = flood(frames);
        let (end, answered) = said.split_last().unwrap();
        assert_eq!(end, "GOAWAY 0 1 ENHANCE_YOUR_CALM");
        assert!(answered.len() <= answers * idle_frames, "{idle:02x?}");
        // The client's settings were the first of them.
        assert!((499..=501).contains(&(left / idle.len())), "{left}: {idle:02x?}");
        assert_eq!((counters.errors, counters.requests), (1, 0));
    }
}

const fn odd(n: u32) -> u32 {
    2 * n + 1
}

/// 10 cancels in 100 requests, a PING and the window updates of a download now and then, for ever.
#[test]
fn http_12_an_honest_client_is_never_cut() {
    let mut conn = Conn::<16, 1024>::new(Protocol::Http2);
    let mut input = connection(&[window_update(0, 0x3fff_0000)]);
    let mut expected = 0;
    for n in 0..40_000 {
        input.extend(get(odd(n), if n % 100 == 50 { "/large" } else { "/data" }));
        expected += 1;
        match n % 100 {
            0 | 10 | 20 | 30 | 40 | 50 | 60 | 70 | 80 | 90 => {
                input.extend(frame("RST_STREAM", 0, odd(n), &[0, 0, 0, 8]));
            }
            33 => input.extend(frame("PING", 0, 0, &[1; 8])),
            _ => input.extend([window_update(0, 11), window_update(odd(n), 11)].concat()),
        }
        if n % 100 == 99 {
            let talk = talk(&mut conn, &SITE, [&input[..]], 20_000);
            assert!(!talk.closed && talk.left.is_empty(), "{n}");
            assert_eq!(talk.counters.requests, expected);
            input.clear();
        }
    }
    // One large body and nothing else: its window updates are paid for by its bytes.
    let mut conn = Conn::<16, 1024>::new(Protocol::Http2);
    let mut input = connection(&[setting(4, 1000), get(1, "/large")]);
    for _ in 0..40 {
        input.extend([window_update(1, 1000), window_update(0, 1000)].concat());
    }
    let talk = talk(&mut conn, &SITE, [&input[..]], 20_000);
    assert_eq!(words(&talk.said).last().unwrap(), "DATA 1 40000 end");
}

/// Many streams whose windows grow by a byte: the work is bounded by frames, which are bounded.
#[test]
fn http_12_tiny_windows() {
    let mut frames = vec![setting(4, 0)];
    frames.extend((0..16).map(|n| get(odd(n), "/large")));
    frames.extend((0..4000).map(|n| window_update(odd(n % 16), 1)));
    let talk = whole(&connection(&frames));
    assert!(talk.closed);
    assert!(words(&talk.said).last().unwrap().ends_with("ENHANCE_YOUR_CALM"));
    assert!(talk.said.len() < 20_000, "{} bytes", talk.said.len());
}

#[test]
fn http_14_frames_with_errors() {
    let block = |fields: &[u8]| request(1, &[GET, fields].concat());
    for (frames, expected) in [
        (vec![frame("DATA", 1, 0, b"x")], "GOAWAY 0 0 PROTOCOL_ERROR"),
        (
            vec![frame("HEADERS", 4, 1, GET), frame("DATA", 1, 1, &[0; 16_385])],
            "GOAWAY 0 1 FRAME_SIZE_ERROR",
        ),
        (vec![window_update(0, 0)], "GOAWAY 0 0 PROTOCOL_ERROR"),
        (vec![request(2, GET)], "GOAWAY 0 0 PROTOCOL_ERROR"),
        (vec![get(3, "/empty"), get(1, "/empty")], "GOAWAY 0 3 PROTOCOL_ERROR"),
        (vec![block(b"\x00\x01X\x01y")], "RST_STREAM 1 PROTOCOL_ERROR"),
        (vec![block(b"\x00\x0aconnection\x05close")], "RST_STREAM 1 PROTOCOL_ERROR"),
        (vec![request(1, b"\x82\x86")], "RST_STREAM 1 PROTOCOL_ERROR"),
        (vec![frame("SETTINGS", 0, 0, &[0; 5])], "GOAWAY 0 0 FRAME_SIZE_ERROR"),
        (vec![frame("PING", 0, 0, &[0; 7])], "GOAWAY 0 0 FRAME_SIZE_ERROR"),
        (
            vec![frame("HEADERS", 1, 1, GET), frame("PING", 0, 0, &[0; 8])],
            "GOAWAY 0 0 PROTOCOL_ERROR",
        ),
        (vec![frame("fa", 0, 0, b"x"), get(1, "/data")], "DATA 1 11 end"),
        (vec![setting(1, 65_536), get(1, "/data")], "DATA 1 11 end"),
        (vec![setting(0x4a4a, 1), get(1, "/data")], "DATA 1 11 end"),
    ] {
        assert_eq!(said(&frames).last().unwrap(), expected);
    }
}

/// The owner ends a connection: when its buffer is full, when it has waited, when it stops.
#[test]
fn the_owner_ends_it() {
    let begin = || {
        let mut conn = Conn::<16, 1024>::new(Protocol::Http2);
        let input = connection(&[setting(4, 2), get(1, "/"), frame("HEADERS", 4, 3, GET)]);
        let talk = talk(&mut conn, &SITE, [&input[..]], 4096);
        assert_eq!(words(&talk.said)[1..], ["HEADERS 1 200", "DATA 1 2"]);
        conn
    };
    let mut output = [0; 4096];
    let mut conn = begin();
    let fed = conn.overflow(&mut output);
    assert_eq!(words(&output[..fed.written]), ["GOAWAY 0 3 ENHANCE_YOUR_CALM"]);
    assert_eq!(fed.next, Next::Close);
    let mut conn = begin();
    let fed = conn.time_out(&mut output[..10]);
    assert!(matches!(fed.next, Next::Flush { needed: 11.. }) && fed.written == 0);
    let fed = conn.time_out(&mut output);
    assert_eq!(words(&output[..fed.written]), ["GOAWAY 0 3 NO_ERROR"]);
    // Closed is closed.
    let fed = conn.feed(&SITE, &get(5, "/"), &mut output);
    assert_eq!((fed.consumed, fed.written, fed.next), (0, 0, Next::Close));

    // What has begun is answered, what begins after it is not.
    let mut conn = begin();
    conn.shutdown();
    let input = [get(5, "/"), frame("HEADERS", 4, 7, GET), frame("DATA", 1, 7, b"x")].concat();
    let ended = talk(&mut conn, &SITE, [&input[..], &window_update(1, 2)], 4096);
    assert!(!ended.closed);
    let expected = [
        "GOAWAY 0 3 NO_ERROR",
        "RST_STREAM 5 REFUSED_STREAM",
        "RST_STREAM 7 REFUSED_STREAM",
        "DATA 1 2 end",
    ];
    assert_eq!(words(&ended.said), expected);
    let ended =
        talk(&mut conn, &SITE, [&frame("DATA", 1, 3, b"x")[..], &window_update(3, 2)], 4096);
    assert_eq!(words(&ended.said), ["HEADERS 3 200", "DATA 3 4 end"]);
    assert!(ended.closed);

    // The last stream that is answered stays what was said, whatever was refused since.
    let mut conn = begin();
    conn.shutdown();
    let _ = talk(&mut conn, &SITE, [&get(5, "/")[..]], 4096);
    let fed = conn.overflow(&mut output);
    assert_eq!(words(&output[..fed.written]), ["GOAWAY 0 3 ENHANCE_YOUR_CALM"]);

    // One that has nothing under way closes at once.
    let mut conn = Conn::<16, 1024>::new(Protocol::Http2);
    let _ = talk(&mut conn, &SITE, [&connection(&[get(1, "/")])[..]], 4096);
    conn.shutdown();
    let fed = conn.feed_with(&SITE, &mut Filler, &[], &mut output);
    assert_eq!(words(&output[..fed.written]), ["GOAWAY 0 1 NO_ERROR"]);
    assert_eq!(fed.next, Next::Close);
}

#[test]
fn the_owner_is_told_what_is_waited_for() {
    use onewrite::http::Waiting;
    let mut conn = Conn::<16, 1024>::new(Protocol::Http2);
    let mut output = [0; 4096];
    assert_eq!(conn.waiting(), Waiting::Idle);
    let mut left = Vec::new();
    for (piece, expected) in [
        (&PREFACE[..10], Waiting::Head),
        (&PREFACE[10..], Waiting::Head),
        (&frame("SETTINGS", 0, 0, &[0, 4, 0, 0, 0, 2]), Waiting::Idle),
        (&get(1, "/empty"), Waiting::Idle),
        (&get(3, "/empty")[..5], Waiting::Head),
        (&get(3, "/empty")[5..15], Waiting::Head),
        (&get(3, "/empty")[15..], Waiting::Idle),
        (&frame("HEADERS", 0, 5, GET), Waiting::Head),
        (&frame("CONTINUATION", 4, 5, &[]), Waiting::Body),
        (&frame("DATA", 1, 5, b"xy")[..10], Waiting::Body),
        (b"y", Waiting::Window),
        (&window_update(5, 2), Waiting::Idle),
        (&frame("ab", 0, 5, &[0; 20])[..12], Waiting::Idle),
        (&[0; 17], Waiting::Idle),
    ] {
        left.extend_from_slice(piece);
        let fed = conn.feed(&SITE, &left, &mut output);
        assert_eq!(fed.next, Next::Read);
        left.drain(..fed.consumed);
        assert_eq!(conn.waiting(), expected, "{piece:02x?}");
    }
}

/// An output that is too short is waited for, and is told its length.
#[test]
fn short_outputs_are_told() {
    let least = SITE.min_output();
    let input = connection(&[get(1, "/data"), get(3, "/count")]);
    for room in 0..least {
        let mut conn = Conn::<16, 1024>::new(Protocol::Http2);
        let mut left = &input[..];
        let mut output = vec![0; room];
        loop {
            let fed = conn.feed_with(&SITE, &mut Filler, left, &mut output);
            left = &left[fed.consumed..];
            match fed.next {
                Next::Flush { needed } => assert!(needed <= least, "{needed}"),
                Next::Read => break,
                Next::Close | Next::Switch => panic!("{room}"),
            }
            if fed.consumed + fed.written == 0 {
                assert!(matches!(fed.next, Next::Flush { needed } if needed > room));
                break;
            }
        }
    }
}

/// The memo answers what the same bytes meant before, and nothing else.
#[test]
fn memos_change_nothing() {
    let mut frames = Vec::new();
    let indexed = b"\x82\x86\x44\x05/data\x41\x07pi.test";
    let blocks: [&[u8]; 9] = [
        indexed,
        b"\x82\x86\xbf\xbe",
        b"\x82\x86\xbf\xbe",
        // An entry more, so the same indexes mean other fields.
        b"\x82\x86\xbf\xbe\x40\x01a\x01b",
        b"\x82\x86\xbf\xbe",
        b"\x82\x86\x04\x05/data",
        b"\x82\x86\x04\x05/data",
        b"\x82\x86\xc0\xbf",
        b"\x82\x86\xc0\xbf",
    ];
    for (n, block) in (0..).zip(blocks) {
        frames.push(request(odd(n), block));
    }
    frames.push(request(31, b"\x82\x86\xc0\xbf"));
    let input = connection(&frames);
    let without = whole(&input);
    assert_eq!(words(&without.said).iter().filter(|line| line.starts_with("RST")).count(), 1);
    for pieces in [1, 7, input.len()] {
        let mut conn = Conn::<16, 1024, 64>::new(Protocol::Http2);
        let with = talk(&mut conn, &SITE, input.chunks(pieces), 4096);
        assert_eq!(words(&with.said), words(&without.said));
    }
    // A block that is longer than the memo.
    let mut conn = Conn::<16, 1024, 4>::new(Protocol::Http2);
    assert_eq!(talk(&mut conn, &SITE, [&input[..]], 4096).said, without.said);
}

/// More streams than slots: those that need one are refused, and nothing else is.
#[test]
fn streams_above_the_slots_are_refused() {
    let large = (0..3).map(|n| get(odd(n), "/large"));
    let frames: Vec<_> = large.chain([get(7, "/data"), window_update(0, 65_535)]).collect();
    let mut conn = Conn::<1, 64>::new(Protocol::Http2);
    let talk = talk(&mut conn, &SITE, [&connection(&frames)[..]], 200_000);
    let expected = [
        "HEADERS 1 200",
        "DATA 1 40000 end",
        "HEADERS 3 200",
        "DATA 3 25535",
        "RST_STREAM 5 REFUSED_STREAM",
        "RST_STREAM 7 REFUSED_STREAM",
        "DATA 3 14465 end",
    ];
    assert_eq!(words(&talk.said), expected);
    let mut conn = Conn::<0, 0>::new(Protocol::Http2);
    let talk = crate::shell::talk(
        &mut conn,
        &SITE,
        [&connection(&[get(1, "/large"), get(3, "/data")])[..]],
        9000,
    );
    assert_eq!(words(&talk.said)[0], "RST_STREAM 1 REFUSED_STREAM");
    assert_eq!(words(&talk.said)[1..], answered(3));
}
