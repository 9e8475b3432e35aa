//! What a header block is made of: fields that leave the peer's table as it is.
//!
//! | field | bytes (RFC 7541 section) |
//! |---|---|
//! | static name and value | `1` and a 7-bit index (6.1) |
//! | static name | `0000` and a 4-bit index, value (6.2.2) |
//! | any | `0000 0000`, name, value (6.2.2) |
//!
//! A string is `H` and its length in 7 bits, then its bytes, Huffman coded where that is shorter (5.2).

use super::static_table::find;
use crate::http::huffman;
use crate::http::output::Output;

/// Puts the field `name: value`.
///
/// An empty value is a value too: where the static table has the name alone, the field is a literal
/// with an empty string, which every decoder reads the same.
pub(in crate::http) const fn field(output: &mut Output<'_>, name: &[u8], value: &[u8]) {
    let found = find(name, value);
    if found.pair != 0 {
        integer(output, 0x80, 7, found.pair as usize);
        return;
    }
    self::name(output, found.name, name);
    string(output, value);
}

/// Puts the name of a field whose value is `len` bytes, plain, which come next.
///
/// A plain value can be overwritten by another one of its length.
pub(in crate::http) const fn plain_field(output: &mut Output<'_>, name: &[u8], len: usize) {
    self::name(output, find(name, b"").name, name);
    integer(output, 0, 7, len);
}

/// Puts the field `name` with `text` between quotes as its value.
pub(in crate::http) const fn quoted_field(output: &mut Output<'_>, name: &[u8], text: &[u8]) {
    self::name(output, find(name, b"").name, name);
    let coded = huffman::encoded_len(&[b"\"", text, b"\""]);
    if coded < text.len() + 2 {
        integer(output, 0x80, 7, coded);
        huffman::encode(output, &[b"\"", text, b"\""]);
    } else {
        integer(output, 0, 7, text.len() + 2);
        output.byte(b'"');
        output.put(text);
        output.byte(b'"');
    }
}

/// Puts the start of a literal without indexing, with the index of its name or the name itself.
const fn name(output: &mut Output<'_>, index: u8, name: &[u8]) {
    integer(output, 0, 4, index as usize);
    if index == 0 {
        string(output, name);
    }
}

/// Puts a string, Huffman coded where that is shorter.
pub(in crate::http) const fn string(output: &mut Output<'_>, text: &[u8]) {
    let coded = huffman::encoded_len(&[text]);
    if coded < text.len() {
        integer(output, 0x80, 7, coded);
        huffman::encode(output, &[text]);
    } else {
        integer(output, 0, 7, text.len());
        output.put(text);
    }
}

/// Puts an integer behind the high bits of `first`, in its lowest `bits` (RFC 7541 section 5.1).
#[expect(clippy::cast_possible_truncation, reason = "the number is below the byte's range there")]
const fn integer(output: &mut Output<'_>, first: u8, bits: u32, value: usize) {
    let most = (1 << bits) - 1;
    if value < most {
        output.byte(first | value as u8);
        return;
    }
    output.byte(first | most as u8);
    let mut rest = value - most;
    while rest >= 128 {
        output.byte((rest & 127) as u8 | 128);
        rest >>= 7;
    }
    output.byte(rest as u8);
}
