//! Brotli: streams that the crate `brotli` 9.1 made, and what becomes of them when damaged.

use std::path::Path;

use onewrite::compression::{DecompressError, DecompressErrorKind, Tables, brotli};
use sha2::{Digest as _, Sha256};

use crate::{
    Large, MUTATIONS, Random, come_back_larger, cut_everywhere, inflate, refuse_a_byte_less,
};

/// Streams in `tests/data/compression`: length and first bytes of the SHA-256 of what they hold.
const STREAMS: [(&str, usize, &str); 10] = [
    ("json-q11", 1984, "a4058d0b02278a5b"),
    ("lock-q7", 12_000, "872ce2e28eb66f4e"),
    ("noise-q11", 1500, "d0eb90fc6e93380c"),
    ("prose-q0", 3000, "f6c82eff978f5c1a"),
    ("prose-q11", 6000, "648f2cf05aa8753c"),
    ("prose-q2", 5000, "1cf7a1fdec9a05d4"),
    ("prose-q5", 6000, "648f2cf05aa8753c"),
    ("prose-q9-w10", 6000, "648f2cf05aa8753c"),
    ("rows-q10", 8000, "1f75120caf00530a"),
    ("zeros-q11", 300_000, "886715e4051e827f"),
];

fn decompress(input: &[u8], tables: &mut Large, out: &mut [u8]) -> Result<usize, DecompressError> {
    brotli::decompress(input, tables, out).map(<[u8]>::len)
}

fn load(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/compression");
    std::fs::read(folder.join(name).with_extension("br")).unwrap()
}

/// What the peer makes of it.
fn peer(input: &[u8]) -> Option<Vec<u8>> {
    let (mut input, mut out) = (input, Vec::new());
    brotli_decompressor::BrotliDecompress(&mut input, &mut out).ok()?;
    Some(out)
}

#[test]
fn streams_inflate_to_what_was_compressed() {
    for (name, len, digest) in STREAMS {
        let stream = load(name);
        let found = inflate(decompress, &stream, len).unwrap();
        let hex: String = Sha256::digest(&found).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!((found.len(), &hex[..16]), (len, digest), "{name}");
        assert!(peer(&stream).unwrap() == found, "{name}");
        come_back_larger(decompress, &stream, &found);
        refuse_a_byte_less(decompress, &stream, &found);
    }
}

#[test]
fn a_stream_that_is_cut_ends_early() {
    for (name, len) in [("json-q11", 1984), ("prose-q0", 3000), ("zeros-q11", 300_000)] {
        cut_everywhere(decompress, &load(name), len);
    }
}

/// The same bytes as the peer, or an error as there; the peer does not look behind the stream.
fn same_as_the_peer(damaged: &[u8], room: usize) -> bool {
    let mut found = inflate(decompress, damaged, room);
    if let Err(DecompressError { kind: DecompressErrorKind::TrailingBytes { extra }, at }) = found {
        assert_eq!(at + extra, damaged.len());
        found = inflate(decompress, &damaged[..at], room);
    }
    match found {
        Ok(found) => {
            assert!(peer(damaged) == Some(found), "another result for {damaged:02x?}");
            true
        }
        // The peer has no limit, and would take its time.
        Err(DecompressError { kind: DecompressErrorKind::NeedsBuffer { at_least }, .. }) => {
            assert!(at_least > room);
            false
        }
        Err(DecompressError { kind: DecompressErrorKind::TablesTooSmall { .. }, .. }) => false,
        Err(error) => {
            assert!(error.at <= damaged.len());
            assert!(peer(damaged).is_none(), "{error}, but not for the peer: {damaged:02x?}");
            false
        }
    }
}

#[test]
fn a_flipped_bit_is_what_it_is_to_the_peer() {
    let mut accepted = 0;
    for name in ["zeros-q11", "prose-q0", "prose-q11"] {
        let mut stream = load(name);
        for at in 0..stream.len().min(if cfg!(target_arch = "x86_64") { 500 } else { 60 }) {
            for bit in 0..8 {
                stream[at] ^= 1 << bit;
                accepted += usize::from(same_as_the_peer(&stream, 400_000));
                stream[at] ^= 1 << bit;
            }
        }
    }
    // Where an emulator would take minutes, fewer bits are flipped.
    assert!(accepted > 50, "{accepted}");
}

#[test]
fn damage_is_what_it_is_to_the_peer() {
    let streams = STREAMS.map(|(name, ..)| load(name));
    let mut random = Random(0x0123_4567_89ab_cdef);
    let mut accepted = 0;
    for _ in 0..MUTATIONS {
        let stream = random.below(streams.len());
        let damaged = random.damage(&streams[stream]);
        accepted += usize::from(same_as_the_peer(&damaged, 20_000));
    }
    assert!(accepted * 50 > MUTATIONS, "{accepted} of {MUTATIONS}");
}

/// With more words it gets further; what it asks for is more than it had and no more than enough.
#[test]
fn tables_of_every_size_are_enough_or_refused() {
    macro_rules! with {
        ($stream:expr, $len:expr; $($words:literal)*) => {
            [$({
                let mut out = vec![0; $len];
                let found = brotli::decompress($stream, &mut Tables::<$words>::new(), &mut out);
                ($words, found.map(<[u8]>::len))
            }),*]
        };
    }
    for (name, len, _) in STREAMS {
        let stream = load(name);
        let mut asked = 0;
        let mut is_enough = false;
        let sizes = with!(&stream, len; 0 1 2 15 31 32 33 64 128 256 512 1024 2048 4096 8192 16384);
        for (words, found) in sizes {
            match found.map_err(|error| error.kind) {
                Ok(found) => {
                    assert_eq!(found, len);
                    assert!(words >= asked, "{name}: {asked} asked for, {words} are enough");
                    is_enough = true;
                }
                Err(DecompressErrorKind::TablesTooSmall { at_least }) => {
                    assert!(!is_enough && at_least > words && at_least >= asked, "{name}");
                    asked = at_least;
                }
                Err(other) => panic!("{name}: {other}"),
            }
        }
        assert!(is_enough, "{name}");
    }
}

/// Eight thousand times as much as came in. What is asked for is the first block of it.
#[test]
fn a_bomb_does_not_fit() {
    let zeros = load("zeros-q11");
    let error = inflate(decompress, &zeros, 1000).unwrap_err();
    assert_eq!(error.kind, DecompressErrorKind::NeedsBuffer { at_least: 1 << 17 });
}

/// Nothing in them but blocks that are skipped, or nothing at all.
#[test]
fn streams_of_nothing_are_empty() {
    for stream in [&[0x06][..], &[0x3b], &[0x0c, 0x03]] {
        assert_eq!(inflate(decompress, stream, 0).ok(), peer(stream), "{stream:02x?}");
        assert_eq!(peer(stream).as_deref(), Some(&[][..]), "{stream:02x?}");
    }
    let behind = inflate(decompress, &[0x06, 0x06], 0).unwrap_err();
    assert_eq!(behind, DecompressError::new(1, DecompressErrorKind::TrailingBytes { extra: 1 }));
    let large_window = inflate(decompress, &[0x11, 0x06], 0).unwrap_err();
    assert_eq!(large_window.kind, DecompressErrorKind::Corrupt { what: "brotli window" });
    let padding = inflate(decompress, &[0x86], 0).unwrap_err();
    assert_eq!(padding.kind, DecompressErrorKind::Corrupt { what: "brotli padding" });
}
