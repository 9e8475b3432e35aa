//! Compressed bytes, whole and damaged, against the crates `brotli-decompressor` and `flate2`.
//!
//! The messages of SpacetimeDB's servers are in `spacetimedb.rs` and `spacetimedb_live.rs`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic"
)]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "compression/brotli.rs"]
mod brotli;
#[path = "compression/gzip.rs"]
mod gzip;
#[path = "compression/hostile.rs"]
mod hostile;
mod numbers;
#[path = "compression/words.rs"]
mod words;
#[path = "compression/writer.rs"]
mod writer;

use onewrite::compression::{DecompressError, DecompressErrorKind, Tables};

use numbers::Random;

/// Tables larger than any stream here needs.
type Large = Tables<16_384>;

/// What a decoder makes of an input, in a buffer of some length.
type Decompress = fn(&[u8], &mut Large, &mut [u8]) -> Result<usize, DecompressError>;

fn inflate(decompress: Decompress, input: &[u8], len: usize) -> Result<Vec<u8>, DecompressError> {
    let mut out = vec![0xa5; len];
    let len = decompress(input, &mut Tables::new(), &mut out)?;
    out.truncate(len);
    Ok(out)
}

/// Wherever the input is cut, it ends early, there.
fn cut_everywhere(decompress: Decompress, input: &[u8], len: usize) {
    for cut in 0..input.len() {
        let error = inflate(decompress, &input[..cut], len).unwrap_err();
        assert_eq!(error, DecompressError::new(cut, DecompressErrorKind::EndOfInput));
    }
}

/// Start small, come back as is advised: with what was asked for, and at least twice as much. What is
/// asked for is more than there was and no more than it takes, so that this comes to an end soon.
fn come_back_larger(decompress: Decompress, input: &[u8], plain: &[u8]) {
    let (mut len, mut times) = (0, 0);
    loop {
        match inflate(decompress, input, len) {
            Ok(found) => {
                assert!(found == plain);
                return;
            }
            Err(DecompressError {
                kind: DecompressErrorKind::NeedsBuffer { at_least }, ..
            }) => {
                assert!(at_least > len && at_least <= plain.len(), "{at_least} after {len}");
                len = at_least.max(2 * len);
                times += 1;
                assert!(times < 20, "it does not get there");
            }
            Err(other) => panic!("{other}"),
        }
    }
}

/// A byte less than it takes is refused, and nothing behind the buffer is touched.
fn refuse_a_byte_less(decompress: Decompress, input: &[u8], plain: &[u8]) {
    let Some(less) = plain.len().checked_sub(1) else { return };
    let mut out = vec![0xa5; plain.len() + 64];
    let error = decompress(input, &mut Tables::new(), &mut out[..less]).unwrap_err();
    assert_eq!(error.kind, DecompressErrorKind::NeedsBuffer { at_least: plain.len() });
    assert!(out[less..].iter().all(|byte| *byte == 0xa5));
}

impl Random {
    /// Changes one to three bytes, early ones more often, and may cut the end off.
    fn damage(&mut self, input: &[u8]) -> Vec<u8> {
        let mut damaged = input.to_vec();
        for _ in 0..=self.below(3) {
            let within = if self.below(2) == 0 { damaged.len().min(48) } else { damaged.len() };
            let at = self.below(within.max(1));
            if let Some(byte) = damaged.get_mut(at) {
                *byte ^= 1 << self.below(8);
            }
        }
        if self.below(8) == 0 {
            damaged.truncate(self.below(input.len().max(1)));
        }
        damaged
    }
}

/// How many damaged inputs are tried; under emulation fewer.
const MUTATIONS: usize = if cfg!(target_arch = "x86_64") { 6000 } else { 500 };
