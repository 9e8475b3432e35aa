//! Texts without white space, escapes and exponents: nearly all of a browser's.
//!
//! What is taken here is what [`scan`](super::scan) would take, in one pass that carries no errors. At the
//! first thing that is not plain it gives up, and `scan` reads the text from its start.

use super::scan::{NOT_PLAIN, run};

/// Checks a plain value at the start of `text`; what is behind it.
pub(super) fn behind_value(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    // A bit for each array or object that is open, the innermost in the lowest: whether it is an object.
    // One in front marks where they begin.
    let mut levels = 1u64;
    loop {
        let (byte, behind) = rest.split_first()?;
        rest = match byte {
            b'"' => behind_string(behind)?,
            b'-' | b'0'..=b'9' => behind_number(rest)?,
            b'{' | b'[' => {
                // One level less than there may be.
                if levels >> 62 != 0 {
                    return None;
                }
                let object = *byte == b'{';
                levels = levels << 1 | u64::from(object);
                match behind.first()? {
                    // It is empty: it ends below.
                    b'}' | b']' => behind,
                    _ => {
                        rest = if object { behind_key(behind)? } else { behind };
                        continue;
                    }
                }
            }
            b't' => behind_name(rest, *b"true")?,
            b'f' => behind_name(behind, *b"alse")?,
            b'n' => behind_name(rest, *b"null")?,
            _ => return None,
        };
        // Behind a value: its array or object goes on, or ends, and that is a value as well.
        loop {
            if levels == 1 {
                return Some(rest);
            }
            let object = levels & 1 != 0;
            let (byte, behind) = rest.split_first()?;
            match byte {
                b',' => {
                    rest = if object { behind_key(behind)? } else { behind };
                    break;
                }
                b'}' if object => {}
                b']' if !object => {}
                _ => return None,
            }
            (levels, rest) = (levels >> 1, behind);
        }
    }
}

/// What is behind a string, whose first quote was read.
#[inline(always)]
fn behind_string(text: &[u8]) -> Option<&[u8]> {
    match text.get(run(text, NOT_PLAIN)..)? {
        [b'"', behind @ ..] => Some(behind),
        _ => None,
    }
}

/// What is behind a key and its colon.
#[inline(always)]
fn behind_key(text: &[u8]) -> Option<&[u8]> {
    let [b'"', key @ ..] = text else { return None };
    match behind_string(key)? {
        [b':', behind @ ..] => Some(behind),
        _ => None,
    }
}

#[inline(always)]
fn behind_name(text: &[u8], name: [u8; 4]) -> Option<&[u8]> {
    let (front, behind) = text.split_first_chunk()?;
    (*front == name).then_some(behind)
}

/// What is behind a number without an exponent.
#[inline(always)]
fn behind_number(text: &[u8]) -> Option<&[u8]> {
    let digits = match text {
        [b'-', digits @ ..] => digits,
        digits => digits,
    };
    let behind = match digits {
        [b'0', behind @ ..] => behind,
        digits => behind_digits(digits)?,
    };
    // An exponent, or a digit behind a zero, is nothing that may stand behind a value.
    match behind {
        [b'.', digits @ ..] => behind_digits(digits),
        behind => Some(behind),
    }
}

/// What is behind one digit or more.
#[inline(always)]
fn behind_digits(text: &[u8]) -> Option<&[u8]> {
    let [b'0'..=b'9', behind @ ..] = text else { return None };
    let mut rest = behind;
    while let [b'0'..=b'9', behind @ ..] = rest {
        rest = behind;
    }
    Some(rest)
}
