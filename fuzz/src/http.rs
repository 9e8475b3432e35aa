//! Connections of HTTP/1.1 and HTTP/2, and header blocks against the crate `loona-hpack`.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

#[cfg(onewrite_fuzzing)]
use std::sync::atomic::Ordering::Relaxed;

#[cfg(onewrite_fuzzing)]
use onewrite::http::PLAIN;
use onewrite::http::{Conn, Handler, NoBody, Protocol, Request, Response, response, routes};

use crate::Numbers;
use crate::http_talk::{Talk, talk_through};

response! { static ROOT = 200, { "content-type": "text/plain" }, b"root", etag = none }
response! { static DATA = 200, { "content-type": "text/plain" }, b"Hello World", etag = "v1" }
response! { static LARGE = 200, {}, &[b'x'; 40_000], etag = none }
response! { static EMPTY = 204, {} }
response! { static SENSOR = 200, { "x-unit": [hole(UNIT = "K")] }, ["t=", hole(VALUE, 3)] }
response! { static COUNT = 200, { "content-type": "text/plain" }, dynamic(max = 40) }
response! { static FAIL = 200, {}, dynamic(max = 20) }
response! { static NOT_HERE = 404, {}, b"no" }
static WRITTEN: Response<'_> = Response::written(200);

routes! {
    static SITE = {
        "/" => ROOT, "/data" => DATA, "/large" => LARGE, "/empty" => EMPTY, "/sensor" => SENSOR,
        "/count" => COUNT, "/written" => WRITTEN, "/fail" => FAIL,
    }, not_found = NOT_HERE
}

/// What each path of the site has.
const PATHS: [&str; 8] =
    ["/", "/data", "/large", "/empty", "/sensor", "/count", "/written", "/fail"];

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const SETTINGS: &[u8] = &[0, 0, 0, 4, 0, 0, 0, 0, 0];

/// Fills the holes, always the same.
struct Filler;

impl Handler for Filler {
    fn fill(&mut self, _: Request, hole: usize, bytes: &mut [u8]) {
        if hole == SENSOR::VALUE {
            bytes.copy_from_slice(b"291");
        }
    }

    fn body(&mut self, request: Request, body: &mut [u8]) -> Result<usize, NoBody> {
        if Some(request.route) == SITE.number("/fail") {
            return Err(NoBody);
        }
        body.fill(0xa5);
        body[..12].copy_from_slice(b"twelve bytes");
        Ok(12)
    }

    fn respond(&mut self, request: Request, output: &mut [u8]) -> Result<usize, NoBody> {
        let bytes = match request.protocol {
            Protocol::Http2 => ROOT.http2(),
            _ => b"HTTP/1.1 203 Written\r\ncontent-length: 3\r\n\r\nnow",
        };
        output[..bytes.len()].copy_from_slice(bytes);
        Ok(bytes.len())
    }
}

/// More than one input makes a connection say before it reads on.
const ROOM: usize = 400_000;

thread_local! {
    /// What connections write to: made once, since to fill it takes longer than most inputs.
    static OUTPUT: RefCell<Vec<u8>> = RefCell::new(vec![0xa5; ROOM]);
    static PEER: Cell<Option<loona_hpack::Decoder<'static>>> = const { Cell::new(None) };
    static CLIENT: Cell<Option<loona_hpack::Decoder<'static>>> = const { Cell::new(None) };
}

fn run<'p>(protocol: Protocol, pieces: impl IntoIterator<Item = &'p [u8]>, room: usize) -> Talk {
    talk(&mut Conn::<16, 1024>::new(protocol), pieces, room)
}

fn talk<'p, const MEMO: usize>(
    conn: &mut Conn<16, 1024, MEMO>,
    pieces: impl IntoIterator<Item = &'p [u8]>,
    room: usize,
) -> Talk {
    OUTPUT.with_borrow_mut(|output| {
        talk_through(conn, &SITE, &mut Filler, pieces, &mut output[..room])
    })
}

/// Says the same in the plain ways, where one program has both, and goes on in either of them.
#[cfg(onewrite_fuzzing)]
fn in_both_ways(protocol: Protocol, input: &[u8], room: usize, whole: &Talk, goes_on: bool) {
    PLAIN.store(true, Relaxed);
    let plain = run(protocol, [input], room);
    same(&plain, whole);
    assert_eq!(plain.counters, whole.counters);
    PLAIN.store(goes_on, Relaxed);
}

#[cfg(not(onewrite_fuzzing))]
fn in_both_ways(_: Protocol, _: &[u8], _: usize, _: &Talk, _: bool) {}

/// Whole inputs are read in the quick ways first.
fn quick_first() {
    #[cfg(onewrite_fuzzing)]
    PLAIN.store(false, Relaxed);
}

/// What a client of HTTP/1.1 sends.
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn http1(data: &[u8]) {
    let mut numbers = Numbers::of(data);
    quick_first();
    let whole = run(Protocol::Http1, [data], 65_536);
    in_both_ways(Protocol::Http1, data, 65_536, &whole, data.len().is_multiple_of(2));
    let requests = usize::try_from(whole.counters.requests).expect("few");
    assert!(requests <= 1 + data.len() / 14, "more answers than there can be requests");
    assert!(whole.said.len() <= requests * 40_500 + 25 * (1 + data.len() / 40), "too much");
    let room = SITE.min_output() + numbers.below(500);
    let pieces = numbers.cut(data, 30);
    same(&run(Protocol::Http1, pieces.iter().copied(), room), &whole);
    // One of them for each input, so that there is time for more inputs.
    match numbers.below(4) {
        0 => same(&run(Protocol::Http1, data.chunks(1), 65_536), &whole),
        // What the last request looked like makes no difference.
        1 => {
            let mut conn = Conn::<16, 1024, 128>::new(Protocol::Http1);
            same(&talk(&mut conn, pieces, 65_536), &whole);
        }
        // Neither does it that the protocol is not known, unless it is the other one.
        2 if !data.starts_with(b"P") => same(&run(Protocol::Auto, [data], 65_536), &whole),
        _ => goodbye(Protocol::Http1, data, &mut numbers),
    }
    let mut fields = [httparse::EMPTY_HEADER; 200];
    if let Err(error) = httparse::Request::new(&mut fields).parse(data) {
        let ok = whole.said.starts_with(b"HTTP/1.1 2") || whole.said.starts_with(b"HTTP/1.1 304");
        assert!(!ok || error == httparse::Error::TooManyHeaders, "{error}, and it was answered");
    }
}

fn same(cut: &Talk, whole: &Talk) {
    if (&cut.said, cut.closed) != (&whole.said, whole.closed) {
        let [cut, whole] = [cut, whole].map(|talk| (talk.said.escape_ascii(), talk.closed));
        panic!("{} {}, not {} {}", cut.0, cut.1, whole.0, whole.1);
    }
    if !whole.closed {
        assert_eq!((&cut.left, cut.counters), (&whole.left, whole.counters));
    }
}

/// An owner may give up at any time.
fn goodbye(protocol: Protocol, data: &[u8], numbers: &mut Numbers) {
    let mut conn = Conn::<16, 1024>::new(protocol);
    let (begin, _) = data.split_at(numbers.below(data.len() + 1));
    if talk(&mut conn, [begin], 65_536).closed {
        return;
    }
    let _ = OUTPUT.with_borrow_mut(|output| {
        let output = &mut output[..65_536];
        match numbers.below(3) {
            0 => conn.overflow(output),
            1 => conn.time_out(output),
            _ => {
                conn.shutdown();
                conn.feed_with(&SITE, &mut Filler, &[], output)
            }
        }
    });
    let _ = conn.waiting();
}

/// What a client of HTTP/2 sends; behind the preface and empty settings if it is not there.
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn http2(data: &[u8]) {
    let mut numbers = Numbers::of(data);
    let input = match data.starts_with(PREFACE) {
        true => data.to_vec(),
        false => [PREFACE, SETTINGS, data].concat(),
    };
    quick_first();
    let whole = run(Protocol::Http2, [&input[..]], ROOM);
    in_both_ways(Protocol::Http2, &input, ROOM, &whole, data.len().is_multiple_of(2));
    let requests = usize::try_from(whole.counters.requests).expect("few");
    assert!(whole.said.len() <= 100 + 3 * input.len() + requests * 41_000, "too much");
    let pieces = numbers.cut(&input, 40);
    let cut = run(Protocol::Http2, pieces.iter().copied(), ROOM);
    assert_eq!((&cut.said, cut.closed), (&whole.said, whole.closed), "cut");
    match numbers.below(2) {
        0 => {
            let mut conn = Conn::<16, 1024, 128>::new(Protocol::Auto);
            let auto = talk(&mut conn, [&input[..]], ROOM);
            assert_eq!((&auto.said, auto.closed), (&whole.said, whole.closed), "auto");
        }
        _ => goodbye(Protocol::Http2, &input, &mut numbers),
    }
    let room = SITE.min_output() + numbers.below(500);
    let short = run(Protocol::Http2, pieces, room);
    // While a body waits for room its stream is open, and what is said of such a stream may be a smaller
    // mistake than the same of one that is closed (RFC 9113 section 5.1).
    let waits = whole.said.len() > 40_000;
    assert!(short.closed == whole.closed || waits, "{room} bytes of output");
    assert_eq!(frames(&short.said).1, 0, "half a frame was said");
    answers_agree(&input, &short, &whole);
}

/// What was said on each stream is the same, however it was cut into frames.
///
/// Where something happens to a stream or its window, or streams share what is left of the connection's, it
/// matters how much was said by then: there it is only that the one begins as the other does.
fn answers_agree(input: &[u8], short: &Talk, whole: &Talk) {
    let mut kinds = Vec::new();
    let mut rest = &input[PREFACE.len()..];
    while let Some(([a, b, c, kind, ..], behind)) = rest.split_first_chunk::<9>() {
        kinds.push(*kind);
        let len = u32::from_be_bytes([0, *a, *b, *c]) as usize;
        rest = behind.get(len..).unwrap_or_default();
    }
    // DATA, HEADERS, PRIORITY, PING, CONTINUATION; the first settings.
    let quiet = kinds.iter().skip(1).all(|kind| matches!(kind, 0 | 1 | 2 | 6 | 9));
    let calm = |talk: &Talk| !talk.closed && talk.counters.resets_sent == 0;
    let exact = quiet && calm(whole) && calm(short) && whole.said.len() < 65_535;
    let (short, whole) = (streams(&short.said), streams(&whole.said));
    if exact {
        assert!(short.keys().eq(whole.keys()), "other streams are answered");
    }
    for (stream, (block, body)) in &short {
        let Some((other_block, other_body)) = whole.get(stream) else { continue };
        assert!(block == other_block, "{stream}: another head");
        let begins = body.starts_with(other_body) || other_body.starts_with(body);
        assert!(begins && (!exact || body == other_body), "{stream}: another body");
    }
}

/// Block and body of what was said on each stream.
fn streams(mut said: &[u8]) -> BTreeMap<u32, (Vec<u8>, Vec<u8>)> {
    let mut streams = BTreeMap::<_, (Vec<u8>, Vec<u8>)>::new();
    while let Some((head, rest)) = said.split_first_chunk::<9>() {
        let [a, b, c, kind, _, stream @ ..] = *head;
        let len = u32::from_be_bytes([0, a, b, c]) as usize;
        let (payload, behind) = rest.split_at(len);
        said = behind;
        if kind <= 1 {
            let (block, body) = streams.entry(u32::from_be_bytes(stream)).or_default();
            let part = if kind == 0 { body } else { block };
            part.extend(payload);
        }
    }
    streams
}

/// Header blocks of requests, each behind a byte with its length.
///
/// What we take, the peer takes, and it reads a request that deserves our answer.
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn hpack(data: &[u8]) {
    let mut input = [PREFACE, SETTINGS].concat();
    // To make one takes longer than most inputs; without a table it is as new.
    let mut peer = PEER.take().unwrap_or_default();
    peer.set_max_allowed_table_size(4096);
    peer.set_max_table_size(0);
    peer.set_max_table_size(4096);
    let (mut asked, mut refused) = (Vec::new(), false);
    let (mut rest, mut stream) = (data, 1u32);
    while let Some((len, behind)) = rest.split_first() {
        let (block, behind) = behind.split_at(usize::from(*len).min(behind.len()));
        rest = behind;
        let [_, a, b, c] = u32::try_from(block.len()).expect("short").to_be_bytes();
        input.extend([a, b, c, 1, 5]);
        input.extend(stream.to_be_bytes());
        input.extend(block);
        stream += 2;
        match peer.decode(block) {
            Ok(fields) if !refused => asked.push(fields),
            // The peer refuses updates that no field follows, also where there is no field at all.
            Err(_) if !refused && is_updates(block) => asked.push(Vec::new()),
            _ => refused = true,
        }
    }
    PEER.set(Some(peer));
    quick_first();
    let talk = run(Protocol::Http2, [&input[..]], ROOM);
    in_both_ways(Protocol::Http2, &input, ROOM, &talk, false);
    let (answers, left) = frames(&talk.said);
    assert_eq!(left, 0, "half a frame was said");
    assert!(!refused || talk.closed, "a block that the peer refuses");
    for (stream, block) in answers {
        // Our blocks put nothing into its table.
        let mut client = CLIENT.take().unwrap_or_default();
        let fields = client.decode(&block).expect("our own block");
        CLIENT.set(Some(client));
        let status = value(&fields, b":status").expect("a status");
        let Some(request) = asked.get(stream as usize / 2) else {
            panic!("an answer to what the peer refuses")
        };
        let path = value(request, b":path").map(|path| {
            let end = path.iter().position(|byte| *byte == b'?').unwrap_or(path.len());
            &path[..end]
        });
        let method = value(request, b":method");
        match status {
            b"200" | b"204" | b"304" => {
                let ours = PATHS.iter().any(|known| Some(known.as_bytes()) == path);
                assert!(ours || path == Some(b"*"), "answered {path:?}");
                assert!(method.is_some() && value(request, b":scheme").is_some());
                let twice = |name: &[u8]| request.iter().filter(|field| field.0 == name).count();
                assert!(twice(b":path") == 1 && twice(b":method") == 1);
            }
            b"404" => assert!(!PATHS.iter().any(|known| Some(known.as_bytes()) == path)),
            _ => {}
        }
    }
}

type Fields = Vec<(Vec<u8>, Vec<u8>)>;

fn value<'f>(fields: &'f Fields, name: &[u8]) -> Option<&'f [u8]> {
    fields.iter().find(|(known, _)| known == name).map(|(_, value)| &value[..])
}

/// Whether a block has updates of the table's size, of up to 4,096 bytes, and nothing else.
fn is_updates(mut block: &[u8]) -> bool {
    while let [first @ 0x20..=0x3f, rest @ ..] = block {
        let mut size = u64::from(first & 0x1f);
        block = rest;
        if size == 0x1f {
            // Further bytes of seven bits each, from the lowest on; zeros at the end are allowed.
            let end = rest.iter().take(5).position(|byte| byte & 0x80 == 0);
            let Some(end) = end else { return false };
            let (bytes, behind) = rest.split_at(end + 1);
            size += bytes.iter().rev().fold(0, |sum, byte| sum << 7 | u64::from(byte & 0x7f));
            block = behind;
        }
        if size > 4096 {
            return false;
        }
    }
    block.is_empty()
}

/// The header blocks that were said, by stream, and bytes of half a frame.
fn frames(mut said: &[u8]) -> (Vec<(u32, Vec<u8>)>, usize) {
    let mut blocks = Vec::new();
    while let Some((head, rest)) = said.split_first_chunk::<9>() {
        let [a, b, c, kind, _, stream @ ..] = *head;
        let len = u32::from_be_bytes([0, a, b, c]) as usize;
        let Some((payload, behind)) = rest.split_at_checked(len) else { break };
        said = behind;
        if kind == 1 {
            blocks.push((u32::from_be_bytes(stream), payload.to_vec()));
        }
    }
    (blocks, said.len())
}
