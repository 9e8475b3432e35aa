//! The dictionary of brotli, word by word: streams of one copy from beyond the start.

use onewrite::compression::{DecompressError, Tables, brotli};

use crate::writer::Writer;

/// Bits of the number of a word, by its length.
const INDEX_BITS: [u32; 25] =
    [0, 0, 0, 0, 10, 10, 11, 11, 10, 10, 10, 10, 10, 9, 9, 8, 7, 7, 8, 7, 7, 6, 6, 5, 5];
const CHANGES: u32 = 121;

/// A stream whose one meta-block has `len` bytes, and copies `copy` bytes from `distance` back.
fn stream(len: u32, copy: u32, distance: u32) -> Vec<u8> {
    // Lengths 2 to 9 have a symbol each; behind them are pairs, fours and eights.
    let (code, extra, bits) = match copy {
        2..=9 => (copy - 2, 0, 0),
        10..=13 => (8 + (copy - 10) / 2, (copy - 10) % 2, 1),
        14..=21 => (10 + (copy - 14) / 4, (copy - 14) % 4, 2),
        _ => (12, copy - 22, 3),
    };
    let command = if code < 8 { 128 + code } else { 192 + code - 8 };
    let mut far_bits = 1;
    let (half, far) = loop {
        let base = |half: u32| ((2 + half) << far_bits) - 4 + 1;
        match [0, 1]
            .into_iter()
            .find(|half| (base(*half)..base(*half) + (1 << far_bits)).contains(&distance))
        {
            Some(half) => break (half, distance - base(half)),
            None => far_bits += 1,
        }
    };

    let mut writer = Writer::default();
    writer.put(0, 1); // a window of 64 KiB
    writer.put(1, 2); // the last block, with something in it
    writer.put(0, 2); // four nibbles of length
    writer.put(len - 1, 16);
    writer.put(0, 3); // one type of literals, commands and distances
    writer.put(0, 6); // no postfix, no direct distances
    writer.put(0, 2 + 2); // mode of the contexts; one code for literals and distances
    writer.only(0, 8);
    writer.only(command, 10);
    writer.only(16 + 2 * (far_bits - 1) + half, 6);
    writer.put(extra, bits);
    writer.put(far, far_bits);
    writer.bytes
}

fn inflate(input: &[u8]) -> Result<Vec<u8>, DecompressError> {
    let mut out = [0xa5; 64];
    brotli::decompress(input, &mut Tables::<256>::new(), &mut out).map(<[u8]>::to_vec)
}

fn peer(input: &[u8]) -> Option<Vec<u8>> {
    let (mut input, mut out) = (input, Vec::new());
    brotli_decompressor::BrotliDecompress(&mut input, &mut out).ok()?;
    Some(out)
}

/// Each change on words of each length; of the right length and of a wrong one.
#[test]
fn every_change_of_a_word_is_what_it_is_to_the_peer() {
    let mut compared = 0;
    for copy in 4..=24 {
        let bits = INDEX_BITS[copy as usize];
        for change in 0..CHANGES {
            // Most words are of letters; that near the end are some in other scripts.
            let index = (change * 37 + copy * 11) % (1 << bits);
            let distance = (index | change << bits) + 1;
            let word = (1..=48).find_map(|len| inflate(&stream(len, copy, distance)).ok());
            let Some(word) = word else {
                // Nothing is left of a short word, and a block has at least a byte.
                assert!(copy <= 9 && peer(&stream(1, copy, distance)).is_none());
                continue;
            };
            let len = u32::try_from(word.len()).unwrap();
            assert_eq!(peer(&stream(len, copy, distance)), Some(word), "{copy} {change}");
            let longer = stream(len + 1, copy, distance);
            assert_eq!(peer(&longer), inflate(&longer).ok(), "{copy} {change}");
            compared += 1;
        }
        let beyond = (CHANGES << bits) + 1;
        assert!(inflate(&stream(4, copy, beyond)).is_err());
    }
    assert!(compared > 21 * CHANGES - 42, "{compared}");
}

/// RFC 7932, appendix A.
#[test]
fn the_words_have_the_checksum_of_the_standard() {
    let words = include_bytes!("../../src/compression/brotli/dictionary/words.bin");
    let mut crc = flate2::Crc::new();
    crc.update(words);
    assert_eq!((words.len(), crc.sum()), (122_784, 0x5136_cb04));
}
