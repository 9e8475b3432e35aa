//! Brotli streams (RFC 7932).
//!
//! | bits | field | |
//! |---|---|---|
//! | 1 to 7 | window | how far copies reach back; nothing is sized by it |
//! | | meta-blocks | up to the last one |
//!
//! | bits of a meta-block | field | |
//! |---|---|---|
//! | 1 | last | |
//! | 1 | empty | in the last one: it ends here |
//! | 2, 16 to 24 | length | bytes that it inflates to; or of what is skipped |
//! | 1 | stored | not in the last one: the bytes follow as they are |
//! | | block types | how literals, commands and distances change their codes |
//! | | context maps | which codes literals and distances have, by what is in front of them |
//! | | codes | |
//! | | commands | literals, and a copy of what was before |
//!
//! The work for an input is bounded, but a byte of it can make a lot. What no output is made of, for
//! each byte of the input at most, by what describes a meta-block in the fewest bits:
//!
//! | work | bytes of input | at most, a byte |
//! |---|---|---:|
//! | 16,384 entries of a context map, of a code that takes no bits | 64, the modes of 256 types | 256 entries |
//! | for each of them, 255 bytes of a list moved by one (section 7.3) | and 384, the 256 codes of 12 bits | 9,330 bytes |
//! | 1,450 bytes of lengths, zeroed once a meta-block for all of its codes | 8, the shortest | 180 bytes |
//!
//! That is some 600 moves of 16 bytes. For each byte of the output, a switch of its block's type
//! compares the 64 entries of a context map. Larger context maps than the [`Tables`] hold are refused
//! before there is any such work: with the default ones, those of 64 types and more.
//!
//! SpacetimeDB's servers have brotli work at quality 1. That gives one code each for literals,
//! commands and distances and no words of the format's dictionary, so neither needs more than
//! [`DEFAULT_WORDS`] nor the feature `brotli-dictionary`.

mod block;
mod code;
mod command;
mod context;
mod dictionary;
mod meta_block;

use super::arena::Arena;
use super::bits::Bits;
use super::error::DecompressError;
use super::output::Output;
use super::tables::{DEFAULT_WORDS, Tables};
use dictionary::Words;
use meta_block::Copies;

/// Words for a meta-block with one code each: the largest tables that 256 literals, 704 commands and
/// 64 distances can have, where each is, the mode of the contexts, and the code for lengths.
const ONE_CODE_EACH: usize = 632 + 1080 + 440 + 3 * 2 + 1 + 32;

const _: () = assert!(ONE_CODE_EACH <= DEFAULT_WORDS, "default tables are enough for servers");
const _: () = assert!(
    Tables::<DEFAULT_WORDS>::SIZE + code::SIZE + meta_block::SIZE <= 11 * 1024,
    "the state fits 11 KiB, of which the default tables are 8"
);

/// Inflates `input`, one stream, to the start of `out`, and returns what it came to.
///
/// What is behind that in `out` may have been overwritten.
///
/// # Errors
///
/// `NeedsBuffer` where `out` is too small: `at_least` is then what has come so far, and the whole of
/// the meta-block that does not fit; such a block has at most 16 MiB, and may have a single byte, so
/// come back with at least twice the room. `TablesTooSmall` where `WORDS`
/// is too low: `at_least` is then what has been built so far, and the table that does not fit, so
/// that it may take several steps up. `NeedsDictionary` where the input has words of the format's
/// dictionary and this build has not. The others say how the input is damaged: `Corrupt`,
/// `EndOfInput`, and `TrailingBytes` where there is something behind the stream.
pub fn decompress<'o, const WORDS: usize>(
    input: &[u8],
    tables: &mut Tables<WORDS>,
    out: &'o mut [u8],
) -> Result<&'o [u8], DecompressError> {
    stream(input, dictionary::BUILT_IN, &mut tables.arena(), out)
}

fn stream<'o>(
    input: &[u8],
    words: Option<Words>,
    arena: &mut Arena<'_>,
    out: &'o mut [u8],
) -> Result<&'o [u8], DecompressError> {
    let mut bits = Bits::new(input);
    let mut out = Output::new(out);
    let mut copies = Copies::new(window(&mut bits)?, words);
    while !meta_block::inflate(&mut bits, arena, &mut copies, &mut out)? {}
    if !bits.align() {
        return Err(bits.corrupt("brotli padding"));
    }
    let extra = bits.rest().len();
    if extra != 0 {
        return Err(bits.error(super::DecompressErrorKind::TrailingBytes { extra }));
    }
    Ok(out.into_written())
}

/// How far back copies may reach (section 9.1).
fn window(bits: &mut Bits<'_>) -> Result<u32, DecompressError> {
    let size = if bits.read(1)? == 0 {
        16
    } else {
        match bits.read(3)? {
            0 => match bits.read(3)? {
                0 => 17,
                1 => return Err(bits.corrupt("brotli window")),
                size => 8 + size,
            },
            size => 17 + size,
        }
    };
    Ok((1 << size) - 16)
}

#[cfg(test)]
mod tests {
    use super::super::error::DecompressErrorKind;
    use super::*;

    /// The first word of four letters, and nothing else.
    const WORD: [u8; 9] = [0x62, 0x00, 0x00, 0x00, 0x04, 0x40, 0x08, 0x12, 0x10];

    #[test]
    fn a_word_is_an_error_without_the_dictionary_and_no_damage() {
        let (mut tables, mut out) = (Tables::<64>::new(), [0xa5; 8]);
        let error = stream(&WORD, None, &mut tables.arena(), &mut out).err();
        assert_eq!(error.map(|error| error.kind), Some(DecompressErrorKind::NeedsDictionary));
        let found = decompress(&WORD, &mut tables, &mut out).map_err(|error| error.kind);
        if cfg!(feature = "brotli-dictionary") {
            assert_eq!(found, Ok(&b"time"[..]));
        } else {
            assert_eq!(found, Err(DecompressErrorKind::NeedsDictionary));
        }
    }
}
