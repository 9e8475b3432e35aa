//! Streams of brotli that no encoder makes: as much work for as few bytes as there can be, and what
//! encoders leave out.

use onewrite::compression::{DecompressError, DecompressErrorKind, Tables, brotli};

use crate::writer::Writer;
use crate::{Large, come_back_larger, inflate};

fn decompress(input: &[u8], tables: &mut Large, out: &mut [u8]) -> Result<usize, DecompressError> {
    brotli::decompress(input, tables, out).map(<[u8]>::len)
}

fn peer(input: &[u8]) -> Option<Vec<u8>> {
    let (mut input, mut out) = (input, Vec::new());
    brotli_decompressor::BrotliDecompress(&mut input, &mut out).ok()?;
    Some(out)
}

/// The head of a meta-block that is not the last.
fn head(writer: &mut Writer, len: usize, is_stored: bool) {
    writer.put(0, 1 + 2);
    writer.put(u32::try_from(len - 1).unwrap(), 16);
    writer.put(is_stored.into(), 1);
}

/// The last meta-block, which is empty.
fn end(mut writer: Writer) -> Vec<u8> {
    writer.put(3, 2);
    writer.bytes
}

/// 256 of something.
fn all_of_256(writer: &mut Writer) {
    writer.put(1 | 7 << 1 | 127 << 4, 1 + 3 + 7);
}

/// What a code of literals gives in the stream below.
fn literal(code: u32) -> u32 {
    (code * 7 + 3) & 0xff
}

/// Meta-blocks of one literal, with the largest context map that there is, all of whose entries take
/// no bits and move the whole list (RFC 7932, section 7.3).
fn with_large_maps(blocks: usize) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.put(0, 1);
    for _ in 0..blocks {
        head(&mut writer, 1, false);
        all_of_256(&mut writer); // types of literals
        writer.only(0, 9);
        writer.only(0, 5);
        writer.put(0, 2); // the length of the first block
        writer.put(0, 2); // one type of commands and distances
        writer.put(0, 6); // no postfix, no direct distances
        for _ in 0..256 {
            writer.put(0, 2); // the mode: six bits of the byte in front
        }
        all_of_256(&mut writer); // codes of literals
        writer.put(0, 1); // no runs
        writer.only(255, 8);
        writer.put(1, 1); // move to front
        writer.put(0, 1); // one code of distances
        for code in 0..256 {
            writer.only(literal(code), 8);
        }
        writer.only(136, 10); // a literal
        writer.only(0, 6);
    }
    end(writer)
}

/// What the module says of the work a byte can make: that stream has the most.
#[test]
fn large_maps_that_take_no_bits_cost_bytes_elsewhere() {
    const BLOCKS: usize = 64;
    let stream = with_large_maps(BLOCKS);
    let (entries, moved) = (BLOCKS * 64 * 256, BLOCKS * 64 * 256 * 255);
    assert!(entries < 256 * stream.len());
    assert!((8_500 * stream.len()..9_330 * stream.len()).contains(&moved), "{}", stream.len());

    // Each entry takes the last of the list to its front, so that they count down.
    let mut expected = Vec::new();
    let mut last = 0;
    for _ in 0..BLOCKS {
        last = literal(255 - (last & 0x3f));
        expected.push(u8::try_from(last).unwrap());
    }
    let mut out = [0; BLOCKS];
    let found = brotli::decompress(&stream, &mut Tables::<18_000>::new(), &mut out);
    assert_eq!(found, Ok(&expected[..]));
    assert_eq!(peer(&stream).unwrap(), expected);

    // The default tables do not hold such a map: the first one is refused, before it is read.
    let error = brotli::decompress(&stream, &mut <Tables>::new(), &mut out).unwrap_err();
    assert!(matches!(error.kind, DecompressErrorKind::TablesTooSmall { at_least: 16_384.. }));
    assert!(error.at < 100, "{error}");
}

/// Each block says only that it has a byte more. Doubling gets there all the same.
#[test]
fn blocks_of_one_byte_take_few_attempts() {
    let plain: Vec<u8> =
        (0..5000u32).map(|at| at.to_le_bytes()[usize::from(at % 3 == 0)]).collect();
    let mut writer = Writer::default();
    writer.put(0, 1);
    for byte in &plain {
        head(&mut writer, 1, true);
        writer.stored(&[*byte]);
    }
    let stream = end(writer);
    assert_eq!(peer(&stream).as_ref(), Some(&plain));
    let error = inflate(decompress, &stream, 700).unwrap_err();
    assert_eq!(error.kind, DecompressErrorKind::NeedsBuffer { at_least: 701 });
    come_back_larger(decompress, &stream, &plain);
}

/// Distances whose lowest bits stand in their symbol, and such as have a symbol each (section 4).
#[test]
fn distances_of_every_kind_are_what_they_are_to_the_peer() {
    let mut front: Vec<u8> = (0..3000u32).flat_map(|at| (at * at + at).to_be_bytes()).collect();
    front.truncate(9000);
    let mut copied = 0;
    for postfix in 0..4 {
        for direct in [0, 1, 2, 7, 14, 15] {
            let direct_symbols = direct << postfix;
            let symbols = 16 + direct_symbols + (48 << postfix);
            let width = u32::BITS - (symbols - 1u32).leading_zeros();
            // Those behind are farther than there are bytes, whatever the postfix.
            for symbol in 0..16 + direct_symbols + (22 << postfix) {
                let bits = match symbol.checked_sub(16 + direct_symbols) {
                    None => 0,
                    Some(far) => 1 + (far >> (postfix + 1)),
                };
                let extra = (symbol * 0x9e5) & ((1 << bits) - 1);
                let mut writer = Writer::default();
                writer.put(0, 1);
                head(&mut writer, front.len(), true);
                writer.stored(&front);
                head(&mut writer, 4, false);
                writer.put(0, 3); // one type of literals, commands and distances
                writer.put(postfix | direct << 2, 6);
                writer.put(0, 2 + 2); // mode of the contexts; one code for literals and distances
                writer.only(0, 8);
                writer.only(130, 10); // a copy of four bytes, from a distance
                writer.only(symbol, width);
                writer.put(extra, bits);
                let stream = end(writer);
                let found = inflate(decompress, &stream, front.len() + 4).ok();
                assert_eq!(found, peer(&stream), "{postfix} {direct} {symbol} {extra}");
                copied += usize::from(found.is_some());
            }
        }
    }
    assert!(copied > 2000, "{copied}");
}
