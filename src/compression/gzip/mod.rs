//! gzip members (RFC 1952).
//!
//! | bytes | field | |
//! |---|---|---|
//! | 2 | magic | `1f 8b` |
//! | 1 | method | 8, DEFLATE |
//! | 1 | flags | 2: checksum of the header, 4: extra, 8: name, 16: comment |
//! | 4, 1, 1 | time, extra flags, system | not looked at |
//! | 2 + | extra | length, bytes |
//! | 1 + | name, comment | bytes, zero |
//! | 2 | checksum of the header | the lower half of its CRC-32 |
//! | | body | DEFLATE |
//! | 4 | checksum | CRC-32 of what the body inflates to |
//! | 4 | length | of the same, modulo 2^32 |
//!
//! One member may follow another; what they inflate to is put together (RFC 1952, section 2.2).

mod crc32;
mod deflate;

use super::arena::Arena;
use super::bits::Bits;
use super::error::{DecompressError, DecompressErrorKind};
use super::output::Output;
use super::tables::{DEFAULT_WORDS, Tables};
use crate::record::last_chunk;

/// Words of [`Tables`] with which every member inflates.
pub const MOST_WORDS: usize = deflate::MOST_WORDS;

const _: () = assert!(MOST_WORDS <= DEFAULT_WORDS, "default tables are enough for every member");
const _: () = assert!(
    Tables::<DEFAULT_WORDS>::SIZE + deflate::SIZE <= 10 * 1024,
    "the state fits 10 KiB, of which the default tables are 8"
);

/// Inflates `input`, one or more members, to the start of `out`, and returns what it came to.
///
/// What is behind that in `out` may have been overwritten.
///
/// # Errors
///
/// `NeedsBuffer` where `out` is too small: `at_least` is then what the last member says, if it could
/// be true. `TablesTooSmall` where `WORDS` is below [`MOST_WORDS`] and the codes are large. The
/// others say how the input is damaged: `Corrupt`, `EndOfInput`, `BadChecksum`, `BadLength`, and
/// `TrailingBytes` where there is something behind a member which is not another.
pub fn decompress<'o, const WORDS: usize>(
    input: &[u8],
    tables: &mut Tables<WORDS>,
    out: &'o mut [u8],
) -> Result<&'o [u8], DecompressError> {
    members(input, &mut tables.arena(), out)
}

/// Bytes that `input` says it inflates to, or none where that cannot be.
///
/// Read from the last four bytes, so it holds for one member that is whole and has fewer than 2^32
/// bytes in it. It is a claim: size nothing by it that you would not size by the input.
#[must_use]
pub fn decompressed_len(input: &[u8]) -> Option<usize> {
    let len = u32::from_le_bytes(*last_chunk(input)?);
    let body = input.len().checked_sub(SHORTEST)?;
    let len = usize::try_from(len).ok()?;
    // RFC 1951: the shortest match takes two bits and makes 258 bytes.
    (len <= body.saturating_mul(MOST_RATIO).saturating_add(MOST_RATIO)).then_some(len)
}

/// Bytes of a header and a trailer.
const SHORTEST: usize = 18;
/// Most bytes that a byte of DEFLATE makes, rounded up.
const MOST_RATIO: usize = 1032;

fn members<'o>(
    input: &[u8],
    arena: &mut Arena<'_>,
    out: &'o mut [u8],
) -> Result<&'o [u8], DecompressError> {
    let mut bits = Bits::new(input);
    let mut out = Output::new(out);
    loop {
        let member = member(&mut bits, arena, &mut out);
        member.map_err(|error| with_claim(error, input))?;
        let rest = bits.rest();
        if rest.is_empty() {
            return Ok(out.into_written());
        }
        if !rest.starts_with(&MAGIC) {
            return Err(bits.error(DecompressErrorKind::TrailingBytes { extra: rest.len() }));
        }
    }
}

/// The length that the input claims, if that is more than is known.
#[cold]
fn with_claim(error: DecompressError, input: &[u8]) -> DecompressError {
    match (error.kind, decompressed_len(input)) {
        (DecompressErrorKind::NeedsBuffer { at_least }, Some(claimed)) if claimed > at_least => {
            DecompressError::new(error.at, DecompressErrorKind::NeedsBuffer { at_least: claimed })
        }
        _ => error,
    }
}

const MAGIC: [u8; 2] = [0x1f, 0x8b];
const DEFLATE: u8 = 8;

fn member(
    bits: &mut Bits<'_>,
    arena: &mut Arena<'_>,
    out: &mut Output<'_>,
) -> Result<(), DecompressError> {
    let header = bits.rest();
    let flags = fixed_header(bits)?;
    if flags & 4 != 0 {
        let len = u16::from_le_bytes(array(bits)?);
        bits.bytes(len.into())?;
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            while array::<1>(bits)? != [0] {}
        }
    }
    if flags & 2 != 0 {
        let len = header.len().saturating_sub(bits.rest().len());
        let found = crc32::of(header.get(..len).unwrap_or_default());
        let at = bits.position();
        let [low, high, ..] = found.to_le_bytes();
        if array(bits)? != [low, high] {
            let what = "checksum of the gzip header";
            return Err(DecompressError::new(at, DecompressErrorKind::Corrupt { what }));
        }
    }

    let start = out.len();
    // Members are independent (RFC 1952, section 2.2).
    out.begin();
    deflate::inflate(bits, arena, out)?;

    let inflated = out.written().get(start..).unwrap_or_default();
    let at = bits.position();
    let expected = u32::from_le_bytes(array(bits)?);
    let found = crc32::of(inflated);
    if found != expected {
        let kind = DecompressErrorKind::BadChecksum { expected, found };
        return Err(DecompressError::new(at, kind));
    }
    let at = bits.position();
    let expected = u32::from_le_bytes(array(bits)?);
    #[allow(clippy::cast_possible_truncation, reason = "it is modulo 2^32")]
    let found = inflated.len() as u32;
    if found != expected {
        let kind = DecompressErrorKind::BadLength { expected, found };
        return Err(DecompressError::new(at, kind));
    }
    Ok(())
}

/// Takes the ten bytes that every header has, and returns the flags.
fn fixed_header(bits: &mut Bits<'_>) -> Result<u8, DecompressError> {
    let start = bits.position();
    let corrupt = |at: usize, what| {
        Err(DecompressError::new(start + at, DecompressErrorKind::Corrupt { what }))
    };
    if array(bits)? != MAGIC {
        return corrupt(0, "gzip magic");
    }
    let [method, flags] = array(bits)?;
    if method != DEFLATE {
        return corrupt(2, "gzip method");
    }
    if flags & 0xe0 != 0 {
        return corrupt(3, "gzip flags");
    }
    bits.bytes(6)?;
    Ok(flags)
}

fn array<const N: usize>(bits: &mut Bits<'_>) -> Result<[u8; N], DecompressError> {
    Ok(bits.bytes(N)?.first_chunk().copied().unwrap_or([0; N]))
}
