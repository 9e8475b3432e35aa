//! Values of header fields.

use super::decode::Head;
use super::string::Text;
use super::token::{Kind, method, tag, target};
use super::{Wrong, huffman};
use crate::http::routes::Routes;
use crate::http::{entity_tag, is_quick};
use crate::record::last_chunk;

/// Bytes of a coded value that are decoded at once.
const SCRATCH: usize = 256;

/// Bytes of a list of entity tags that is compared with the tags of all routes.
const TAGS: usize = 128;

/// What the value of a field means.
pub(super) struct Meaning {
    /// Whether it may be.
    pub(super) allowed: bool,
    /// What stands in its token.
    pub(super) value: u32,
    /// Its length when it is decoded.
    pub(super) len: usize,
}

/// Says what `text` means as the value of a field with `name`.
///
/// `head` has the fields in front of it.
///
/// # Errors
///
/// [`Wrong`] if the Huffman code is.
#[inline(always)]
pub(super) fn classify(
    routes: &Routes<'_>,
    head: &Head,
    name: Kind,
    text: Text<'_>,
) -> Result<Meaning, Wrong> {
    if text.huffman {
        return coded(routes, head, name, text.bytes);
    }
    let len = text.bytes.len();
    let (allowed, value) = match name {
        Kind::OTHER | Kind::AUTHORITY if is_quick() => (is_allowed(text.bytes), 0),
        Kind::PATH if is_quick() => path(routes, head, text.bytes),
        _ => known(routes, head, name, text.bytes, len),
    };
    Ok(Meaning { allowed, value, len })
}

#[inline(never)]
fn coded(routes: &Routes<'_>, head: &Head, name: Kind, bytes: &[u8]) -> Result<Meaning, Wrong> {
    if name == Kind::PATH && !head.has(Kind::PATH) && !bytes.is_empty() {
        // The code of a string is unique, so a path is found as it comes. A route whose code is not
        // known has an empty one.
        for (number, route) in (0..).zip(routes.routes) {
            if route.huffman == bytes {
                return Ok(Meaning { allowed: true, value: number, len: route.path.len() });
            }
        }
    }
    let mut start = [0; SCRATCH];
    let mut slots = start.iter_mut();
    let (mut clean, mut first, mut last) = (true, None, b'a');
    let len = huffman::decode(bytes, |byte| {
        if let Some(slot) = slots.next() {
            *slot = byte;
        }
        clean &= !matches!(byte, 0 | b'\r' | b'\n');
        first.get_or_insert(byte);
        last = byte;
    })?;
    let clean = clean && !is_blank(first.unwrap_or(b'a')) && !is_blank(last);
    let (allowed, value) = match (name, start.get(..len)) {
        (Kind::OTHER | Kind::AUTHORITY, _) => (clean, 0),
        (_, Some(text)) => known(routes, head, name, text, len),
        (Kind::PATH, None) => (clean && first == Some(b'/'), long_path(routes, bytes, len)),
        (_, None) => known(routes, head, name, &start, len),
    };
    Ok(Meaning { allowed: clean && allowed, value, len })
}

/// The value of a name that is known. Of what is longer than the scratch, `text` is the start.
#[inline(never)]
fn known(routes: &Routes<'_>, head: &Head, name: Kind, text: &[u8], len: usize) -> (bool, u32) {
    let (allowed, value) = match name {
        Kind::PATH => return path(routes, head, text),
        Kind::METHOD => (!text.is_empty(), method_of(text)),
        Kind::SCHEME => (!text.is_empty(), 0),
        Kind::CONTENT_LENGTH => match length_of(text) {
            Some(length) if text.len() == len => (true, length),
            _ => (false, 0),
        },
        Kind::IF_NONE_MATCH if text.len() < len => return (true, tag::NONE),
        Kind::IF_NONE_MATCH => (true, named_tag(routes, head, text)),
        // RFC 9113 section 8.2.2: te has no other value.
        Kind::TE => (text == b"trailers", 0),
        _ => (true, 0),
    };
    (allowed && is_allowed(text), value)
}

#[cfg_attr(feature = "http-quick", inline(always))]
fn path(routes: &Routes<'_>, head: &Head, path: &[u8]) -> (bool, u32) {
    // A second path makes the request malformed, and a thousand of them no work.
    if head.has(Kind::PATH) {
        return (false, target::NOT_FOUND);
    }
    for (number, route) in (0..).zip(routes.routes) {
        if route.path == path {
            return (true, number);
        }
    }
    other_path(routes, path)
}

#[inline(never)]
fn other_path(routes: &Routes<'_>, path: &[u8]) -> (bool, u32) {
    if path == b"*" {
        return (true, target::ASTERISK);
    }
    let allowed = path.first() == Some(&b'/') && is_allowed(path);
    if path.len() > routes.limits.target {
        return (allowed, target::TOO_LONG);
    }
    let end = path.iter().position(|byte| *byte == b'?').unwrap_or(path.len());
    (allowed, path.get(..end).map_or(target::NOT_FOUND, |path| find(routes, path)))
}

/// The number of the route with exactly this path.
pub(in crate::http) fn find(routes: &Routes<'_>, path: &[u8]) -> u32 {
    (0..)
        .zip(routes.routes)
        .find(|(_, route)| route.path == path)
        .map_or(target::NOT_FOUND, |(number, _)| number)
}

/// The same for a coded path of `len` bytes that does not fit the scratch, with a query or without.
#[cold]
fn long_path(routes: &Routes<'_>, bytes: &[u8], len: usize) -> u32 {
    if len > routes.limits.target {
        return target::TOO_LONG;
    }
    let mut query = None;
    let mut at = 0;
    let decoded = huffman::decode(bytes, |byte| {
        if byte == b'?' && query.is_none() {
            query = Some(at);
        }
        at += 1;
    });
    let end = query.unwrap_or(at);
    for (number, route) in (0..).zip(routes.routes) {
        if decoded.is_ok() && route.path.len() == end {
            let (mut rest, mut same) = (route.path.iter(), true);
            let decoded = huffman::decode(bytes, |byte| {
                same &= rest.next().is_none_or(|expected| *expected == byte);
            });
            if decoded.is_ok() && same {
                return number;
            }
        }
    }
    target::NOT_FOUND
}

fn method_of(text: &[u8]) -> u32 {
    match text {
        b"GET" => method::GET,
        b"HEAD" => method::HEAD,
        b"CONNECT" => method::CONNECT,
        b"OPTIONS" => method::OPTIONS,
        b"POST" | b"PUT" | b"DELETE" | b"TRACE" | b"PATCH" => method::KNOWN,
        _ => method::UNKNOWN,
    }
}

/// The number in a content-length, if it is one.
fn length_of(text: &[u8]) -> Option<u32> {
    if text.is_empty() {
        return None;
    }
    let mut length: u32 = 0;
    for byte in text {
        let digit = u32::from(byte.wrapping_sub(b'0'));
        if digit > 9 {
            return None;
        }
        length = length.saturating_mul(10).saturating_add(digit);
    }
    Some(length)
}

/// The route whose entity tag is among those in `list`: that of the request, else the first one.
fn named_tag(routes: &Routes<'_>, head: &Head, list: &[u8]) -> u32 {
    if head.has(Kind::IF_NONE_MATCH) {
        return tag::NONE;
    }
    if list.trim_ascii() == b"*" {
        return tag::ANY;
    }
    let current = head.path(routes);
    let named = |etag: &[u8]| !etag.is_empty() && entity_tag::is_named(etag, list);
    if routes.routes.get(current as usize).is_some_and(|route| named(route.response.etag)) {
        return current;
    }
    if list.len() > TAGS {
        return tag::NONE;
    }
    (0..)
        .zip(routes.routes)
        .find(|(_, route)| named(route.response.etag))
        .map_or(tag::NONE, |(number, _)| number)
}

/// Whether a value may be (RFC 9113 section 8.2.1): no NUL, CR or LF, no blank at its ends.
#[cfg_attr(feature = "http-quick", inline(always))]
pub(super) fn is_allowed(value: &[u8]) -> bool {
    let (Some(first), Some(last)) = (value.first(), value.last()) else { return true };
    if is_blank(*first) || is_blank(*last) {
        return false;
    }
    // Control characters are so rare that it is enough to see that there is one.
    is_quick() && !has_control(value) || !value.iter().any(|byte| matches!(byte, 0 | b'\r' | b'\n'))
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Whether there is a byte below 0x20, eight at a time.
#[inline(always)]
pub(super) fn has_control(value: &[u8]) -> bool {
    if let (Some(start), Some(end)) = (value.first_chunk(), last_chunk(value)) {
        // The last eight may have been looked at before.
        let mut found = low_bytes(*start) | low_bytes(*end);
        let mut rest = value.get(8..).unwrap_or_default();
        while let Some((word, after)) = rest.split_first_chunk() {
            found |= low_bytes(*word);
            rest = after;
        }
        return found != 0;
    }
    if let (Some(start), Some(end)) = (value.first_chunk(), last_chunk(value)) {
        let (start, end) = (u32::from_ne_bytes(*start), u32::from_ne_bytes(*end));
        return low_bytes((u64::from(start) | (u64::from(end) << 32)).to_ne_bytes()) != 0;
    }
    value.iter().any(|byte| *byte < 0x20)
}

/// Not zero exactly if one of the bytes is below 0x20.
#[inline(always)]
fn low_bytes(bytes: [u8; 8]) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let word = u64::from_ne_bytes(bytes);
    word.wrapping_sub(ONES * 0x20) & !word & (ONES * 0x80)
}
