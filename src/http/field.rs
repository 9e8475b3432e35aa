//! What a header field of a response may be.

use super::hpack::static_table::same;

/// What is wrong with a name or a value.
#[derive(Clone, Copy)]
pub(super) enum Fault {
    Case,
    Connection,
    Control,
    Entity,
    Length,
    Pseudo,
    Token,
}

/// Fields that are about the connection, which HTTP/2 forbids (RFC 9113 section 8.2.2), and `trailer`:
/// nothing comes behind a body here.
const CONNECTION: [&str; 7] = [
    "connection",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Fields that a response has at most once: their values are no lists.
const SINGLE: [&str; 11] = [
    "age",
    "content-location",
    "content-range",
    "content-type",
    "date",
    "expires",
    "last-modified",
    "location",
    "retry-after",
    "server",
    "strict-transport-security",
];

/// Fields that a response of status 304 repeats (RFC 9110 section 15.4.5), but for the entity tag.
const NOT_MODIFIED: [&str; 5] = ["cache-control", "content-location", "date", "expires", "vary"];

/// Whether `name` can be given to a response, over HTTP/1.1 and HTTP/2 alike.
pub(super) const fn check_name(name: &str) -> Result<(), Fault> {
    let mut rest = name.as_bytes();
    match rest {
        [] => return Err(Fault::Token),
        [b':', ..] => return Err(Fault::Pseudo),
        _ => {}
    }
    while let [byte, after @ ..] = rest {
        match *byte {
            b'A'..=b'Z' => return Err(Fault::Case),
            b'a'..=b'z' | b'0'..=b'9' => {}
            // The other bytes of a token (RFC 9110 section 5.6.2).
            b'!' | b'#' | b'$' | b'%' | b'&' | b'\'' | b'*' | b'+' | b'-' | b'.' | b'^' | b'_'
            | b'`' | b'|' | b'~' => {}
            _ => return Err(Fault::Token),
        }
        rest = after;
    }
    if same(name.as_bytes(), b"content-length") {
        return Err(Fault::Length);
    }
    if same(name.as_bytes(), b"etag") {
        return Err(Fault::Entity);
    }
    if is_one_of(name, &CONNECTION) { Err(Fault::Connection) } else { Ok(()) }
}

/// Whether a response has this field at most once.
pub(super) const fn is_single(name: &str) -> bool {
    is_one_of(name, &SINGLE)
}

/// Whether a response of status 304 repeats this field.
pub(super) const fn is_of_not_modified(name: &str) -> bool {
    is_one_of(name, &NOT_MODIFIED)
}

/// Whether `bytes` can stand in a value (RFC 9110 section 5.5): no control but a tab.
pub(super) const fn check_value(bytes: &[u8]) -> Result<(), Fault> {
    let mut rest = bytes;
    while let [byte, after @ ..] = rest {
        if is_control(*byte) {
            return Err(Fault::Control);
        }
        rest = after;
    }
    Ok(())
}

/// Whether a value has to do without this byte.
pub(super) const fn is_control(byte: u8) -> bool {
    byte < b' ' && byte != b'\t' || byte == 0x7f
}

/// Whether a value must neither start nor end with this byte (RFC 9113 section 8.2.1).
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

const fn is_one_of(name: &str, mut names: &[&str]) -> bool {
    while let [one, rest @ ..] = names {
        if same(one.as_bytes(), name.as_bytes()) {
            return true;
        }
        names = rest;
    }
    false
}
