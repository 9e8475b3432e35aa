//! gzip: members that the crate `flate2` makes, and what becomes of them when damaged.

use std::io::{Read as _, Write as _};

use flate2::{Compression, GzBuilder};
use hex_literal::hex;
use onewrite::compression::{DecompressError, DecompressErrorKind, Tables, gzip};

use crate::writer::Writer;
use crate::{
    Large, MUTATIONS, Random, come_back_larger, cut_everywhere, inflate, refuse_a_byte_less,
};

fn decompress(input: &[u8], tables: &mut Large, out: &mut [u8]) -> Result<usize, DecompressError> {
    gzip::decompress(input, tables, out).map(<[u8]>::len)
}

/// Text that repeats itself, numbers that do not, one byte often, and nothing.
fn plains() -> Vec<Vec<u8>> {
    let text = include_str!("gzip.rs").as_bytes();
    let mut random = Random(1);
    let noise = (0..3000).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
    let rows = (0..3000u32).flat_map(|row| (row * 7).to_le_bytes()).collect();
    vec![text.to_vec(), noise, rows, vec![7; 70_000], vec![1], vec![]]
}

fn compress(plain: &[u8], level: u32) -> Vec<u8> {
    finish(GzBuilder::new(), plain, level)
}

fn finish(head: GzBuilder, plain: &[u8], level: u32) -> Vec<u8> {
    let mut writer = head.write(Vec::new(), Compression::new(level));
    writer.write_all(plain).unwrap();
    writer.finish().unwrap()
}

/// What the peer makes of it; like us it takes one member after the other.
fn peer(input: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    flate2::read::MultiGzDecoder::new(input).read_to_end(&mut out).ok()?;
    Some(out)
}

#[test]
fn members_of_every_level_inflate_to_what_was_compressed() {
    for plain in plains() {
        for level in 0..=9 {
            let member = compress(&plain, level);
            assert!(inflate(decompress, &member, plain.len()).unwrap() == plain, "level {level}");
            assert_eq!(gzip::decompressed_len(&member), Some(plain.len()));
            come_back_larger(decompress, &member, &plain);
            refuse_a_byte_less(decompress, &member, &plain);
        }
    }
}

#[test]
fn tables_of_the_stated_size_are_enough() {
    let mut tables = Tables::<{ gzip::MOST_WORDS }>::new();
    let mut out = vec![0; 100_000];
    for plain in plains() {
        let found = gzip::decompress(&compress(&plain, 9), &mut tables, &mut out).unwrap();
        assert!(found == plain);
    }
    let text = compress(include_bytes!("gzip.rs"), 9);
    let error = gzip::decompress(&text, &mut Tables::<100>::new(), &mut out).unwrap_err();
    let DecompressErrorKind::TablesTooSmall { at_least } = error.kind else { panic!("{error}") };
    assert!((101..=gzip::MOST_WORDS).contains(&at_least));
}

/// The codes that take most: how many there are of each length, from 1 on.
const LITERAL_CODES: [usize; 15] = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 229, 49, 1, 2];
const DISTANCE_CODES: [usize; 15] = [1, 1, 1, 1, 1, 1, 0, 0, 1, 9, 9, 1, 1, 1, 2];

/// A length for each symbol, the shortest first.
fn lengths(counts: [usize; 15]) -> Vec<u32> {
    (1..).zip(counts).flat_map(|(length, count)| vec![length; count]).collect()
}

/// The code of a symbol (RFC 1951, section 3.2.2), as the writer takes it, and its length.
fn code(lengths: &[u32], symbol: usize) -> (u32, u32) {
    let length = lengths[symbol];
    let shorter = lengths.iter().filter(|other| **other < length);
    let first: u32 = shorter.map(|shorter| 1 << (length - shorter)).sum();
    let before = lengths[..symbol].iter().filter(|other| **other == length).count();
    let code = first + u32::try_from(before).unwrap();
    (code.reverse_bits() >> (32 - length), length)
}

/// A member of one block with those codes, and what is in it: each byte, and short copies.
fn with_the_largest_tables() -> (Vec<u8>, Vec<u8>) {
    let literals = lengths(LITERAL_CODES);
    // The longest first, so that the nearest distances are in the tables' second levels.
    let distances: Vec<u32> = lengths(DISTANCE_CODES).into_iter().rev().collect();
    assert_eq!((literals.len(), distances.len()), (286, 30));
    let mut writer = Writer::default();
    writer.put(1 | 2 << 1, 3); // the last block, with codes of its own
    writer.put(286 - 257, 5);
    writer.put(30 - 1, 5);
    writer.put(19 - 4, 4);
    // The code for lengths: no repetitions, and four bits for each length.
    (0..19).for_each(|at| writer.put(if at < 3 { 0 } else { 4 }, 3));
    for length in literals.iter().chain(&distances) {
        writer.put(length.reverse_bits() >> 28, 4);
    }

    let mut plain = Vec::new();
    let mut put = |lengths: &[u32], symbol| {
        let (code, length) = code(lengths, symbol);
        writer.put(code, length);
    };
    for byte in 0..=255u8 {
        put(&literals, byte.into());
        plain.push(byte);
    }
    for (symbol, distance) in [1, 2, 3, 4].into_iter().enumerate() {
        put(&literals, 257);
        put(&distances, symbol);
        (0..3).for_each(|_| plain.push(plain[plain.len() - distance]));
    }
    put(&literals, 256);
    let mut crc = flate2::Crc::new();
    crc.update(&plain);
    let head = hex!("1f8b08000000000002ff");
    let trailer = [crc.sum().to_le_bytes(), u32::try_from(plain.len()).unwrap().to_le_bytes()];
    ([&head[..], &writer.bytes, trailer.as_flattened()].concat(), plain)
}

#[test]
fn the_largest_tables_take_all_the_words_that_are_stated() {
    let (member, plain) = with_the_largest_tables();
    assert!(peer(&member).as_ref() == Some(&plain));
    let mut out = [0; 300];
    let mut tables = Tables::<{ gzip::MOST_WORDS }>::new();
    assert_eq!(gzip::decompress(&member, &mut tables, &mut out), Ok(&plain[..]));
    let mut tables = Tables::<{ gzip::MOST_WORDS - 1 }>::new();
    let error = gzip::decompress(&member, &mut tables, &mut out).unwrap_err();
    let most = DecompressErrorKind::TablesTooSmall { at_least: gzip::MOST_WORDS };
    assert_eq!(error.kind, most);
}

#[test]
fn what_stands_in_a_header_is_skipped() {
    let head = GzBuilder::new().extra(vec![1, 2, 3]).filename("a name").comment("why").mtime(7);
    let member = finish(head, b"hello", 6);
    assert_eq!(inflate(decompress, &member, 5).unwrap(), b"hello");
    cut_everywhere(decompress, &member, 5);

    // The same with a checksum of the header.
    let at = 10 + 2 + 3 + 7 + 4;
    let mut member = member;
    member[3] |= 2;
    let mut crc = flate2::Crc::new();
    crc.update(&member[..at]);
    let [low, high, ..] = crc.sum().to_le_bytes();
    member.splice(at..at, [low, high]);
    assert_eq!(inflate(decompress, &member, 5).unwrap(), b"hello");
    cut_everywhere(decompress, &member, 5);
    member[at] ^= 1;
    let what = "checksum of the gzip header";
    let corrupt = DecompressError::new(at, DecompressErrorKind::Corrupt { what });
    assert_eq!(inflate(decompress, &member, 5), Err(corrupt));
}

/// RFC 1952, section 2.2.
#[test]
fn one_member_follows_another() {
    let both = [compress(b"hello ", 6), compress(b"world", 0)].concat();
    assert_eq!(inflate(decompress, &both, 11).unwrap(), b"hello world");
    let first = compress(b"hello ", 6).len();
    let needed = inflate(decompress, &both, 8).unwrap_err();
    assert!(needed.at >= first);
    assert_eq!(needed.kind, DecompressErrorKind::NeedsBuffer { at_least: 11 });

    let mut rest = compress(b"hello", 6);
    let len = rest.len();
    rest.extend([0, 0, 0]);
    let trailing = DecompressErrorKind::TrailingBytes { extra: 3 };
    assert_eq!(inflate(decompress, &rest, 5), Err(DecompressError::new(len, trailing)));
}

/// What one member inflated to is not there for the next: RFC 1952, section 2.2.
#[test]
fn a_copy_reaches_no_member_before_its_own() {
    // One block with one copy, of three bytes from three back, that has the checksum of "llo".
    let mut crc = flate2::Crc::new();
    crc.update(b"llo");
    let head = hex!("1f8b08000000000002ff 032200");
    let copy = [&head[..], &crc.sum().to_le_bytes(), &3u32.to_le_bytes()].concat();
    let first = compress(b"hello", 6);
    let both = [first.clone(), copy].concat();
    assert_eq!(peer(&both), None);
    for room in [5, 7, 8, 100] {
        let error = inflate(decompress, &both, room).unwrap_err();
        assert_eq!(error.kind, DecompressErrorKind::Corrupt { what: "DEFLATE distance" }, "{room}");
        assert!(error.at >= first.len() + 10);
    }

    // Within a later member copies reach as far as ever.
    let second = compress(&b"world ".repeat(20), 9);
    let both = [first, second].concat();
    assert_eq!(inflate(decompress, &both, 125).ok(), peer(&both));
    assert!(peer(&both).is_some());
}

#[test]
fn each_damage_has_its_name() {
    let member = hex!("1f8b08000000000002ff cb48cdc9c90700 86a61036 05000000");
    assert_eq!(inflate(decompress, &member, 5).unwrap(), b"hello");
    let corrupt = |what| DecompressErrorKind::Corrupt { what };
    let checksum = DecompressErrorKind::BadChecksum { expected: 0x3610_a687, found: 0x3610_a686 };
    for (at, byte, kind) in [
        (0, 0x1e, corrupt("gzip magic")),
        (2, 7, corrupt("gzip method")),
        (3, 0x20, corrupt("gzip flags")),
        (10, 0xcf, corrupt("DEFLATE block type")),
        (17, 0x87, checksum),
        (21, 6, DecompressErrorKind::BadLength { expected: 6, found: 5 }),
    ] {
        let mut damaged = member;
        damaged[at] = byte;
        assert_eq!(inflate(decompress, &damaged, 5), Err(DecompressError::new(at, kind)));
    }
}

#[test]
fn a_member_that_is_cut_ends_early() {
    for plain in plains() {
        for level in [0, 1, 9] {
            let member = compress(&plain, level);
            let step = member.len() / 2000 + 1;
            for cut in (0..member.len()).step_by(step) {
                let error = inflate(decompress, &member[..cut], plain.len()).unwrap_err();
                assert_eq!(error, DecompressError::new(cut, DecompressErrorKind::EndOfInput));
            }
        }
    }
}

/// The checksum finds every one that is not in what nobody looks at: fields of the header, and bits
/// that fill up a byte.
#[test]
fn a_flipped_bit_is_found_or_does_nothing() {
    let plain = &include_bytes!("gzip.rs")[..1500];
    for level in [0, 1, 9] {
        let mut member = compress(plain, level);
        let mut accepted = 0;
        for at in 0..member.len() {
            for bit in 0..8 {
                member[at] ^= 1 << bit;
                if let Ok(found) = inflate(decompress, &member, plain.len() + 300) {
                    assert!(found == plain, "bit {bit} of byte {at}");
                    accepted += 1;
                }
                member[at] ^= 1 << bit;
            }
        }
        // Time, extra flags, system, and whether it is text.
        assert!((49..49 + 14).contains(&accepted), "{accepted}");
    }
}

#[test]
fn damage_is_what_it_is_to_the_peer() {
    let text = &include_bytes!("gzip.rs")[..3000];
    let members = [0, 1, 4, 9].map(|level| compress(text, level));
    let mut random = Random(0xfeed);
    let mut refused = 0;
    for _ in 0..MUTATIONS {
        // Without its checksum much more is inflated; so the peer's is put there.
        let member = random.below(members.len());
        let mut damaged = random.damage(&members[member]);
        let body_end = damaged.len().saturating_sub(8);
        let mut raw = vec![0; 20_000];
        let mut state = flate2::Decompress::new(false);
        let body = damaged.get(10..body_end).unwrap_or_default();
        let status = state.decompress(body, &mut raw, flate2::FlushDecompress::Finish);
        let (used, made) = (state.total_in(), state.total_out());
        if damaged.starts_with(&[0x1f, 0x8b, 8, 0])
            && matches!(status, Ok(flate2::Status::StreamEnd))
        {
            raw.truncate(usize::try_from(made).unwrap());
            damaged.truncate(10 + usize::try_from(used).unwrap());
            let mut crc = flate2::Crc::new();
            crc.update(&raw);
            damaged.extend(crc.sum().to_le_bytes());
            damaged.extend(u32::try_from(made).unwrap().to_le_bytes());
            assert!(inflate(decompress, &damaged, 20_000).unwrap() == raw);
        } else {
            let found = inflate(decompress, &damaged, 20_000);
            assert_eq!(found.ok(), peer(&damaged));
            refused += 1;
        }
    }
    assert!(refused * 10 > MUTATIONS && refused < MUTATIONS, "{refused}");
}

/// A thousand times as much as came in.
#[test]
fn a_bomb_does_not_fit() {
    let member = compress(&vec![0; 1_000_000], 9);
    assert!(member.len() < 1100);
    assert_eq!(gzip::decompressed_len(&member), Some(1_000_000));
    let error = inflate(decompress, &member, 100).unwrap_err();
    assert_eq!(error.kind, DecompressErrorKind::NeedsBuffer { at_least: 1_000_000 });

    // What cannot be true is not asked for.
    let mut lying = member;
    let len = lying.len();
    lying[len - 4..].copy_from_slice(&[0xff; 4]);
    assert_eq!(gzip::decompressed_len(&lying), None);
    let error = inflate(decompress, &lying, 100).unwrap_err();
    let DecompressErrorKind::NeedsBuffer { at_least } = error.kind else { panic!("{error}") };
    assert!((101..=100 + 258).contains(&at_least));
    assert_eq!(gzip::decompressed_len(&lying[..17]), None);
}
