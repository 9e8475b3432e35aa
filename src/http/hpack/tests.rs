//! The examples of RFC 7541, the rules that no example shows, and a decoder of others.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]
#![allow(clippy::std_instead_of_alloc, reason = "a test has std")]

extern crate std;

use std::vec::Vec;
use std::{format, string::String, vec};

use hex_literal::hex;

use super::name::name;
use super::quick::quick_get;
use super::*;
use crate::http::{Limits, Routes, response, routes};

response! { static TAGGED = 200, {}, b"tagged", etag = "v1" }
response! { static PLAIN = 200, {}, b"plain", etag = none }
routes! {
    static SITE = {
        "/" => PLAIN, "/data" => TAGGED, "/other" => PLAIN,
        "/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" => PLAIN,
    }
}

fn read(table: &mut Table, block: &[u8]) -> Result<Head, Wrong> {
    let mut head = Head::new();
    match decode(table, &SITE, &mut head, block)? {
        [] => Ok(head),
        _ => Err(Wrong),
    }
}

/// Fields of a literal: no indexing, name and value as they are.
fn plain(name: &[u8], value: &[u8]) -> Vec<u8> {
    let mut block = vec![0];
    for text in [name, value] {
        block.push(u8::try_from(text.len()).unwrap());
        block.extend_from_slice(text);
    }
    block
}

fn huffman_coded(text: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; 600];
    let mut output = crate::http::output::Output::new(&mut bytes);
    crate::http::huffman::encode(&mut output, &[text]);
    let len = output.len();
    bytes.truncate(len);
    bytes
}

/// The same with both strings coded, and incremental indexing.
fn coded(name: &[u8], value: &[u8]) -> Vec<u8> {
    let mut block = vec![0x40];
    for text in [name, value] {
        put_string(&mut block, text, true);
    }
    block
}

/// Compares the table, newest entry first, by name and size.
fn assert_table(table: &Table, entries: &[(&str, &str)]) {
    let size: usize = entries.iter().map(|(name, value)| name.len() + value.len() + 32).sum();
    assert_eq!(table.count_and_size(), (entries.len(), size));
    for (index, (text, value)) in entries.iter().enumerate() {
        let token = table.get(index).unwrap();
        assert_eq!(usize::from(token.mark.size()), text.len() + value.len() + 32, "{text}");
        assert_eq!(token.mark.name(), name(text.as_bytes()), "{text}");
        assert_eq!(token.name_len(), text.len(), "{text}");
    }
    assert!(table.get(entries.len()).is_none());
}

/// What another decoder reads.
fn others(blocks: &[&[u8]], max: usize) -> Vec<Vec<(String, String)>> {
    let mut decoder = loona_hpack::Decoder::new();
    decoder.set_max_table_size(max);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let fields = |block: &&[u8]| {
        let fields = decoder.decode(block).unwrap();
        fields.into_iter().map(|(name, value)| (text(name), text(value))).collect()
    };
    blocks.iter().map(fields).collect()
}

#[test]
fn appendix_c2_representations() {
    let mut table = Table::new();
    let head =
        read(&mut table, &hex!("400a637573746f6d2d6b65790d637573746f6d2d686561646572")).unwrap();
    assert_eq!((head.seen, head.fields, head.size), (Kind::OTHER.bit(), 1, 55));
    assert_table(&table, &[("custom-key", "custom-header")]);

    let mut table = Table::new();
    let head = read(&mut table, &hex!("040c2f73616d706c652f70617468")).unwrap();
    assert_eq!((head.seen, head.value(Kind::PATH)), (Kind::PATH.bit(), target::NOT_FOUND));
    assert_table(&table, &[]);

    let head = read(&mut table, &hex!("100870617373776f726406736563726574")).unwrap();
    assert_eq!((head.seen, head.size), (Kind::OTHER.bit(), 46));
    assert_table(&table, &[]);

    let head = read(&mut table, &hex!("82")).unwrap();
    assert_eq!((head.seen, head.value(Kind::METHOD)), (Kind::METHOD.bit(), method::GET));
    assert_table(&table, &[]);
}

/// Appendices C.3 and C.4: the same requests, without and with the Huffman code.
#[test]
fn appendix_c3_and_c4_requests() {
    let without: [&[u8]; 3] = [
        &hex!("828684410f7777772e6578616d706c652e636f6d"),
        &hex!("828684be58086e6f2d6361636865"),
        &hex!("828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565"),
    ];
    let with: [&[u8]; 3] = [
        &hex!("828684418cf1e3c2e5f23a6ba0ab90f4ff"),
        &hex!("828684be5886a8eb10649cbf"),
        &hex!("828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf"),
    ];
    assert_eq!(others(&without, 4096), others(&with, 4096));
    let authority = (":authority", "www.example.com");
    let cache = ("cache-control", "no-cache");
    for blocks in [without, with] {
        let mut table = Table::new();
        let pseudo = Kind::METHOD.bit() | Kind::SCHEME.bit() | Kind::PATH.bit();
        let first = read(&mut table, blocks[0]).unwrap();
        assert_eq!((first.seen, first.conflicts), (pseudo | Kind::AUTHORITY.bit(), 0));
        assert_eq!((first.fields, first.size), (4, 42 + 43 + 38 + 57));
        assert_eq!(first.path(&SITE), 0);
        assert_table(&table, &[authority]);
        let second = read(&mut table, blocks[1]).unwrap();
        assert_eq!(second.seen, first.seen | Kind::OTHER.bit());
        assert_table(&table, &[cache, authority]);
        let third = read(&mut table, blocks[2]).unwrap();
        assert_eq!(third.path(&SITE), target::NOT_FOUND, "/index.html is no route");
        assert_table(&table, &[("custom-key", "custom-value"), cache, authority]);
        assert_eq!(table.count_and_size(), (3, 164));
    }
}

/// Appendices C.5 and C.6: responses, with entries that leave a table of 256 bytes.
#[test]
fn appendix_c5_and_c6_responses() {
    let without: [&[u8]; 3] = [
        &hex!(
            "4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d54
             6e1768747470733a2f2f7777772e6578616d706c652e636f6d"
        ),
        &hex!("4803333037c1c0bf"),
        &hex!(
            "88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f
             3d4153444a4b48514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b2076
             657273696f6e3d31"
        ),
    ];
    let with: [&[u8]; 3] = [
        &hex!(
            "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f
             0b97c8e9ae82ae43d3"
        ),
        &hex!("4883640effc1c0bf"),
        &hex!(
            "88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335df
             dfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007"
        ),
    ];
    assert_eq!(others(&without, 256), others(&with, 256));
    let (private, location) = (("cache-control", "private"), "https://www.example.com");
    let date = ("date", "Mon, 21 Oct 2013 20:13:21 GMT");
    for blocks in [without, with] {
        let mut table = Table::new();
        // The table of the example has 256 bytes.
        assert!(read(&mut table, &hex!("3fe101")).is_ok());
        let head = read(&mut table, blocks[0]).unwrap();
        assert!(head.has(Kind::WRONG), "a response is no request");
        assert_table(&table, &[("location", location), date, private, (":status", "302")]);
        assert_eq!(table.count_and_size().1, 222);
        read(&mut table, blocks[1]).unwrap();
        assert_table(&table, &[(":status", "307"), ("location", location), date, private]);
        read(&mut table, blocks[2]).unwrap();
        let cookie = "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1";
        let later = ("date", "Mon, 21 Oct 2013 20:13:22 GMT");
        assert_table(&table, &[("set-cookie", cookie), ("content-encoding", "gzip"), later]);
        assert_eq!(table.count_and_size().1, 215);
    }
}

/// Section 4.4: an entry larger than the table empties it, and its name may come from an entry that leaves.
#[test]
fn large_entries_empty_the_table() {
    let mut table = Table::new();
    read(
        &mut table,
        &[&hex!("3f21")[..], &[&[0x40][..], &plain(b"abc", b"def")[1..]].concat()].concat(),
    )
    .unwrap();
    // 64 bytes: one entry of 38.
    assert_table(&table, &[("abc", "def")]);
    let mut block = vec![0x7e, 20];
    block.extend_from_slice(&[b'x'; 20]);
    read(&mut table, &block).unwrap();
    assert_table(&table, &[("abc", "xxxxxxxxxxxxxxxxxxxx")]);
    let mut block = vec![0x7e, 30];
    block.extend_from_slice(&[b'x'; 30]);
    read(&mut table, &block).unwrap();
    assert_table(&table, &[]);
}

#[test]
fn the_table_holds_128_entries_and_turns_round() {
    let mut table = Table::new();
    // A value of no byte and a name of none is the shortest entry, and no name.
    for _ in 0..300 {
        assert!(read(&mut table, &[0x40, 0, 0]).unwrap().has(Kind::WRONG));
    }
    assert_eq!(table.count_and_size(), (128, 4096));
    let head = read(&mut table, &[0x40, 1, b'a', 0]).unwrap();
    assert_eq!(head.seen, Kind::OTHER.bit());
    assert_eq!(table.count_and_size(), (127, 126 * 32 + 33));
    // 61 + 127 is the last index that there is: 127 and 61 more.
    assert!(read(&mut table, &[0xff, 61]).is_ok());
    assert_eq!(read(&mut table, &[0xff, 62]).err(), Some(Wrong));
    assert_eq!(read(&mut table, &[0xbe]).unwrap().seen, Kind::OTHER.bit());
    assert_eq!(read(&mut table, &[0xbf]).unwrap().seen, Kind::WRONG.bit());
}

/// Sections 4.2 and 6.3.
#[test]
fn the_table_is_resized_in_front_of_all_fields() {
    let mut table = Table::new();
    let entry = [&[0x40][..], &plain(b"a", b"b")[1..]].concat();
    read(&mut table, &entry).unwrap();
    assert!(read(&mut table, &hex!("3fe11f 82")).is_ok(), "4,096");
    assert_eq!(read(&mut table, &hex!("3fe21f 82")).err(), Some(Wrong), "4,097");
    assert!(read(&mut table, &hex!("be")).is_ok());
    assert!(read(&mut table, &hex!("20 3fe11f 82")).is_ok(), "twice");
    assert_eq!(read(&mut table, &hex!("be")).err(), Some(Wrong), "zero emptied it");
    assert_eq!(read(&mut table, &hex!("82 20")).err(), Some(Wrong), "behind a field");
    assert_eq!(read(&mut table, &hex!("40016100 20")).err(), Some(Wrong), "behind a literal");
}

/// Every cut of a block stops in front of a field, and goes on from there.
#[test]
fn blocks_are_read_however_they_are_cut() {
    let block = [
        &hex!("20 3fe11f 82 86")[..],
        &coded(b":path", b"/data?x=1"),
        &coded(b"cookie", &[b'y'; 200]),
        &plain(b"if-none-match", b"\"v1\""),
        &hex!("be bf"),
    ]
    .concat();
    let mut table = Table::new();
    let whole = read(&mut table, &block).unwrap();
    assert_eq!((whole.fields, whole.path(&SITE)), (7, 1));
    for cut in 0..block.len() {
        let mut again = Table::new();
        let mut head = Head::new();
        let rest = decode(&mut again, &SITE, &mut head, &block[..cut]).unwrap();
        let from = cut - rest.len();
        assert_eq!(decode(&mut again, &SITE, &mut head, &block[from..]), Ok(&[][..]));
        assert_eq!(format!("{head:?}"), format!("{whole:?}"), "{cut}");
        assert_eq!(again.count_and_size(), table.count_and_size(), "{cut}");
    }
}

#[test]
fn fields_mean_the_same_coded_and_plain() {
    let long = "x".repeat(300);
    let long_path = SITE.routes[3].path;
    let asked = [long_path, b"?y"].concat();
    let missed = [&long_path[..200], b"?", &long_path[200..]].concat();
    let wrong = (Kind::WRONG, None);
    for (name, value, (kind, meaning)) in [
        (":method", &b"GET"[..], (Kind::METHOD, Some(method::GET))),
        (":method", b"HEAD", (Kind::METHOD, Some(method::HEAD))),
        (":method", b"CONNECT", (Kind::METHOD, Some(method::CONNECT))),
        (":method", b"OPTIONS", (Kind::METHOD, Some(method::OPTIONS))),
        (":method", b"PATCH", (Kind::METHOD, Some(method::KNOWN))),
        (":method", b"BREW", (Kind::METHOD, Some(method::UNKNOWN))),
        (":method", b"get", (Kind::METHOD, Some(method::UNKNOWN))),
        (":method", b"", wrong),
        (":path", b"/", (Kind::PATH, Some(0))),
        (":path", b"/data", (Kind::PATH, Some(1))),
        (":path", b"/data?", (Kind::PATH, Some(1))),
        (":path", b"/data?a?b", (Kind::PATH, Some(1))),
        (":path", b"/DATA", (Kind::PATH, Some(target::NOT_FOUND))),
        (":path", b"/data/", (Kind::PATH, Some(target::NOT_FOUND))),
        (":path", b"*", (Kind::PATH, Some(target::ASTERISK))),
        (":path", b"", wrong),
        (":path", b"data", wrong),
        (":path", b"?", wrong),
        (":path", b"/a\nb", wrong),
        (":path", &asked, (Kind::PATH, Some(3))),
        (":path", long_path, (Kind::PATH, Some(3))),
        (":path", &missed, (Kind::PATH, Some(target::NOT_FOUND))),
        (":scheme", b"gopher", (Kind::SCHEME, None)),
        (":scheme", b"", wrong),
        (":authority", b"", (Kind::AUTHORITY, None)),
        (":authority", b"pi.test", (Kind::AUTHORITY, None)),
        (":status", b"200", wrong),
        (":", b"", wrong),
        ("content-length", b"0", (Kind::CONTENT_LENGTH, Some(0))),
        ("content-length", b"0012", (Kind::CONTENT_LENGTH, Some(12))),
        ("content-length", b"4294967294", (Kind::CONTENT_LENGTH, Some(u32::MAX - 1))),
        ("content-length", b"4294967296", (Kind::CONTENT_LENGTH, Some(LENGTH_TOO_LARGE))),
        ("content-length", b"99999999999999999999", (Kind::CONTENT_LENGTH, Some(LENGTH_TOO_LARGE))),
        ("content-length", b"", wrong),
        ("content-length", b"+3", wrong),
        ("content-length", b"3 ", wrong),
        ("content-length", b"3,3", wrong),
        ("if-none-match", b"\"v1\"", (Kind::IF_NONE_MATCH, Some(1))),
        ("if-none-match", b"\"a\", W/\"v1\"", (Kind::IF_NONE_MATCH, Some(1))),
        ("if-none-match", b"*", (Kind::IF_NONE_MATCH, Some(tag::ANY))),
        ("if-none-match", b"\"v2\"", (Kind::IF_NONE_MATCH, Some(tag::NONE))),
        ("if-none-match", b"", (Kind::IF_NONE_MATCH, Some(tag::NONE))),
        ("te", b"trailers", (Kind::OTHER, None)),
        ("te", b"gzip", wrong),
        ("te", b"", wrong),
        ("connection", b"close", wrong),
        ("keep-alive", b"", wrong),
        ("proxy-connection", b"", wrong),
        ("transfer-encoding", b"chunked", wrong),
        ("upgrade", b"h2c", wrong),
        ("x", b"", (Kind::OTHER, None)),
        ("x", b"a\tb \x80\xff", (Kind::OTHER, None)),
        ("x", b"1234567\x01 ok", (Kind::OTHER, None)),
        ("x", b" a", wrong),
        ("x", b"a\t", wrong),
        ("x", b"a\0", wrong),
        ("x", b"123456789012345\r", wrong),
        ("x", b"12345678\n0123456", wrong),
        ("x", b"abc\n", wrong),
        ("X", b"", wrong),
        ("a:b", b"", wrong),
        ("a b", b"", wrong),
        ("a\x7f", b"", wrong),
        ("\u{e9}", b"", wrong),
        (&long, b"", (Kind::OTHER, None)),
        (&format!("{long}A"), b"", wrong),
    ] {
        let mut table = Table::new();
        let mut blocks = vec![coded(name.as_bytes(), value)];
        if name.len() < 127 && value.len() < 127 {
            blocks.push(plain(name.as_bytes(), value));
        }
        for block in blocks {
            let head = read(&mut table, &block).unwrap();
            let expected = (kind.bit(), name.len() + value.len() + 32);
            assert_eq!((head.seen, head.size as usize), expected, "{name}: {value:?}");
            if let Some(meaning) = meaning {
                assert_eq!(
                    head.path(&SITE) * u32::from(kind == Kind::PATH),
                    match kind {
                        Kind::PATH => meaning,
                        _ => 0,
                    }
                );
                assert_eq!(head.value(kind), meaning, "{name}: {value:?}");
            }
            // The same from the table: by its index, and with its name alone.
            let Some(token) = table.get(0) else { continue };
            assert_eq!(read(&mut table, &[0xbe]).unwrap().seen, kind.bit(), "{name} in the table");
            assert_eq!(token.name_len(), name.len(), "{name}");
        }
    }
}

/// A value that may not be does not spoil the name in the table.
#[test]
fn names_of_the_table_are_used_with_other_values() {
    let mut table = Table::new();
    read(&mut table, &coded(b"content-length", b"x")).unwrap();
    let head = read(&mut table, &[0x0f, 62 - 15, 1, b'7']).unwrap();
    assert_eq!((head.seen, head.value(Kind::CONTENT_LENGTH)), (Kind::CONTENT_LENGTH.bit(), 7));
    assert_eq!(head.size, 14 + 1 + 32);
    read(&mut table, &coded(b"te", b"gzip")).unwrap();
    let head = read(&mut table, &[&[0x0f, 62 - 15, 8][..], b"trailers"].concat()).unwrap();
    assert_eq!((head.seen, head.size), (Kind::OTHER.bit(), 42));
    read(&mut table, &coded(b"Upper", b"a")).unwrap();
    let head = read(&mut table, &[0x0f, 62 - 15, 1, b'b']).unwrap();
    assert_eq!((head.seen, head.size), (Kind::WRONG.bit(), 38));
}

/// RFC 9113 section 8.3: pseudo-headers once each, in front of all others.
#[test]
fn fields_conflict() {
    let (get, http, root) = ([0x82], [0x86], [0x84]);
    let (authority, length) = (plain(b":authority", b"a"), plain(b"content-length", b"0"));
    let (other, tag) = (plain(b"a", b"b"), plain(b"if-none-match", b"*"));
    let conflict =
        |parts: &[&[u8]]| read(&mut Table::new(), &parts.concat()).unwrap().conflicts != 0;
    assert!(!conflict(&[&get, &http, &root, &authority, &length, &other, &other, &tag, &tag]));
    for pseudo in [&get[..], &http, &root, &authority] {
        assert!(conflict(&[pseudo, pseudo]), "{pseudo:?}");
        for field in [&length, &other, &tag] {
            assert!(conflict(&[field, pseudo]), "{pseudo:?}");
        }
    }
    assert!(conflict(&[&length, &length]));
}

#[test]
fn paths_longer_than_the_limit_are_told_apart() {
    let routes = Routes { limits: Limits { target: 5, ..Limits::DEFAULT }, ..SITE };
    for (path, expected) in
        [(&b"/data"[..], 1), (b"/datb", target::NOT_FOUND), (b"/data?", target::TOO_LONG)]
    {
        for block in [plain(b":path", path), coded(b":path", path)] {
            let mut head = Head::new();
            assert_eq!(decode(&mut Table::new(), &routes, &mut head, &block), Ok(&[][..]));
            assert_eq!(head.value(Kind::PATH), expected, "{path:?}");
        }
    }
    // Longer than what is decoded at once.
    let path = [b'/'; 300];
    let mut head = Head::new();
    let block = coded(b":path", &path);
    assert_eq!(decode(&mut Table::new(), &routes, &mut head, &block), Ok(&[][..]));
    assert_eq!(head.value(Kind::PATH), target::TOO_LONG);
}

/// A generator of numbers, always the same (Knuth's MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

/// Blocks as a client makes them, some with a mistake, against another decoder: both take or refuse
/// them, and count the same fields and bytes, so that both tables are the same.
#[test]
fn another_decoder_reads_the_same() {
    let names: [&[u8]; 12] = [
        b":method",
        b":path",
        b":scheme",
        b":authority",
        b"content-length",
        b"if-none-match",
        b"te",
        b"cookie",
        b"x-long-name-that-nobody-knows",
        b"accept",
        b"Upper",
        b"",
    ];
    let (mut taken, mut refused, mut excused) = (0, 0, 0);
    for seed in 0..90 {
        let mut numbers = Numbers(seed);
        let mut table = Table::new();
        let mut decoder = loona_hpack::Decoder::new();
        decoder.set_max_allowed_table_size(4096);
        for _ in 0..30 {
            let mut block = Vec::new();
            if numbers.below(8) == 0 {
                let size = numbers.below(4200);
                put_integer(&mut block, 0x20, 5, size);
            }
            for _ in 0..numbers.below(12) {
                let value =
                    vec![b'a' + u8::try_from(numbers.below(26)).unwrap(); numbers.below(300)];
                let name = names[numbers.below(names.len())];
                match numbers.below(6) {
                    0 | 1 => {
                        let index = 1 + numbers.below(70);
                        put_integer(&mut block, 0x80, 7, index);
                    }
                    2 => {
                        let index = 1 + numbers.below(64);
                        put_integer(&mut block, 0x40, 6, index);
                        put_string(&mut block, &value, numbers.below(2) == 0);
                    }
                    kind => {
                        block.push([0x40, 0x00, 0x10][kind - 3]);
                        put_string(&mut block, name, numbers.below(2) == 0);
                        put_string(&mut block, &value, numbers.below(2) == 0);
                    }
                }
            }
            if numbers.below(10) == 0 && !block.is_empty() {
                let at = numbers.below(block.len());
                block[at] ^= 1 << numbers.below(8);
            }
            let theirs = decoder.decode(&block);
            let ours = read(&mut table, &block);
            match (ours, theirs) {
                (Ok(head), Ok(fields)) => {
                    let size: usize = fields.iter().map(|(n, v)| n.len() + v.len() + 32).sum();
                    assert_eq!((head.fields as usize, head.size as usize), (fields.len(), size));
                    taken += 1;
                }
                (Err(_), Err(_)) => {
                    refused += 1;
                    break;
                }
                // It takes an update of the size behind a field.
                (Err(_), Ok(_)) if may_resize_late(&block) => {
                    excused += 1;
                    break;
                }
                // It takes no block that is such an update alone.
                (Ok(head), Err(_)) if head.fields == 0 => {
                    excused += 1;
                    break;
                }
                (ours, theirs) => panic!("{seed}: {ours:?}, {theirs:?}, {block:02x?}"),
            }
        }
    }
    assert!(taken > 300 && refused > 30 && excused < 25, "{taken} {refused} {excused}");
}

/// Whether some byte behind the first could be an update of the size.
fn may_resize_late(block: &[u8]) -> bool {
    block.iter().skip(1).any(|byte| byte & 0xe0 == 0x20)
}

fn put_integer(block: &mut Vec<u8>, first: u8, bits: u8, value: usize) {
    let mut bytes = loona_hpack::encoder::encode_integer(value, bits);
    bytes[0] |= first;
    block.append(&mut bytes);
}

fn put_string(block: &mut Vec<u8>, text: &[u8], is_coded: bool) {
    let bytes = if is_coded { huffman_coded(text) } else { text.to_vec() };
    put_integer(block, if is_coded { 0x80 } else { 0 }, 7, bytes.len());
    block.extend_from_slice(&bytes);
}

/// What is read quickly is a plain GET, and means what it means when it is read in full; and all plain
/// GETs of the forms that it knows are.
#[test]
fn quick_blocks_are_plain_gets() {
    let parts: [&[u8]; 21] = [
        &[0x82],
        &[0x83],
        &[0x84],
        &[0x86],
        &[0x87],
        &[0x81],
        &[0x90],
        &[0x88],
        &[0xb9],
        &[0xbe],
        &[0xbf],
        &[0xc0],
        &[0xc1],
        b"\x04\x05/data",
        b"\x04\x06/data?",
        b"\x04\x01/",
        b"\x14\x06/other",
        b"\x01\x07pi.test",
        b"\x0f\x2b\x05CHttp",
        b"\x0f\x0d\x011",
        b"\x0f\x2b\x03a\nb",
    ];
    let mut numbers = Numbers(7);
    let (mut quick, mut plain_gets) = (0, 0);
    for round in 0..12_000 {
        let mut table = Table::new();
        for (name, value) in [
            (&b":path"[..], &b"/data"[..]),
            (b":authority", b"pi.test"),
            (b"user-agent", b"h2load"),
        ] {
            read(&mut table, &coded(name, value)).unwrap();
        }
        let count = if round % 7 == 0 { numbers.below(24) } else { 3 + numbers.below(4) };
        let block = (0..count).fold(Vec::new(), |mut block, _| {
            // Every second block is likely to be a request.
            let part = match block.len() {
                0 if round % 2 == 0 => 0,
                1 if round % 2 == 0 => 3,
                _ => numbers.below(parts.len()),
            };
            block.extend_from_slice(parts[part]);
            block
        });
        let found = quick_get(&table, &SITE, &block);
        let full = read(&mut table, &block).ok().and_then(|head| head.plain_get(&SITE.limits));
        if let Some(route) = found {
            assert_eq!(Some(route), full, "{block:02x?}");
            quick += 1;
        }
        if let Some(route) = full {
            plain_gets += 1;
            let known = !block.contains(&b'?') && !block.contains(&0x84) && count <= 15;
            assert!(found == Some(route) || !known, "{block:02x?}");
        }
    }
    assert!(quick > 300 && plain_gets > quick, "{quick} of {plain_gets}");
}
