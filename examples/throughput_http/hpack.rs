//! Header blocks (RFC 7541) that are encoded when they are sent, without the dynamic table.

use crate::output::Output;
use crate::{STREAM, huffman};

/// Bytes of the header of a frame.
const HEADER: usize = 9;

/// Puts HEADERS, whose block `block` puts, and DATA that ends the stream.
#[inline(always)]
pub(crate) fn frames(
    output: &mut Output<'_>,
    body: &[u8],
    block: impl FnOnce(&mut Output<'_>) -> Option<()>,
) -> Option<()> {
    // The length of the block is put in afterwards.
    output.put(&header(0, 1, 4))?;
    block(output)?;
    let len = u32::try_from(output.len() - HEADER).ok()?;
    let [_, len @ ..] = len.to_be_bytes();
    *output.all().first_chunk_mut()? = len;
    output.put(&header(u32::try_from(body.len()).ok()?, 0, 1))?;
    output.put(body)
}

/// The header of a frame: length, type, flags, stream.
#[inline(always)]
fn header(length: u32, kind: u8, flags: u8) -> [u8; HEADER] {
    let [_, a, b, c] = length.to_be_bytes();
    let [d, e, f, g] = STREAM.to_be_bytes();
    [a, b, c, kind, flags, d, e, f, g]
}

/// Puts a field by its name.
pub(crate) fn field(output: &mut Output<'_>, name: &str, text: &[u8]) -> Option<()> {
    if name == ":status"
        && let Some(index) = core::str::from_utf8(text).ok()?.parse().ok().and_then(status_index)
    {
        return output.byte(0x80 | index);
    }
    match name_index(name) {
        Some(index) => value(output, index, text),
        None => {
            output.byte(0)?;
            string(output, name.as_bytes())?;
            string(output, text)
        }
    }
}

/// The index of a status in the static table (RFC 7541 appendix A).
#[inline(always)]
pub(crate) const fn status_index(status: u16) -> Option<u8> {
    Some(match status {
        200 => 8,
        204 => 9,
        206 => 10,
        304 => 11,
        400 => 12,
        404 => 13,
        500 => 14,
        _ => return None,
    })
}

/// The index of a name of responses in the static table.
fn name_index(name: &str) -> Option<u32> {
    Some(match name {
        ":status" => 8,
        "accept-ranges" => 18,
        "access-control-allow-origin" => 20,
        "age" => 21,
        "allow" => 22,
        "cache-control" => 24,
        "content-disposition" => 25,
        "content-encoding" => 26,
        "content-language" => 27,
        "content-length" => 28,
        "content-location" => 29,
        "content-range" => 30,
        "content-type" => 31,
        "date" => 33,
        "etag" => 34,
        "expires" => 36,
        "last-modified" => 44,
        "link" => 45,
        "location" => 46,
        "refresh" => 52,
        "retry-after" => 53,
        "server" => 54,
        "set-cookie" => 55,
        "strict-transport-security" => 56,
        "vary" => 59,
        "www-authenticate" => 61,
        _ => return None,
    })
}

/// Puts a field whose name is this one of the static table: a literal without indexing (section 6.2.2).
#[inline(always)]
pub(crate) fn value(output: &mut Output<'_>, name: u32, text: &[u8]) -> Option<()> {
    integer(output, 0, 15, name)?;
    string(output, text)
}

/// Puts a string, Huffman coded where that is shorter (section 5.2).
#[inline(always)]
fn string(output: &mut Output<'_>, text: &[u8]) -> Option<()> {
    match huffman::encoded_len(text).filter(|len| *len < text.len()) {
        Some(len) => {
            integer(output, 0x80, 127, u32::try_from(len).ok()?)?;
            huffman::encode(output, text, len)
        }
        None => {
            integer(output, 0, 127, u32::try_from(text.len()).ok()?)?;
            output.put(text)
        }
    }
}

/// Puts an integer behind the high bits of `first` (section 5.1).
#[inline(always)]
fn integer(output: &mut Output<'_>, first: u8, most: u8, value: u32) -> Option<()> {
    let Some(mut rest) = value.checked_sub(u32::from(most)) else {
        let [low, ..] = value.to_le_bytes();
        return output.byte(first | low);
    };
    output.byte(first | most)?;
    while rest >= 128 {
        let [low, ..] = rest.to_le_bytes();
        output.byte(low | 128)?;
        rest >>= 7;
    }
    let [low, ..] = rest.to_le_bytes();
    output.byte(low)
}
