//! Which bytes may stand where, and where a run of them ends.
//!
//! Values of fields are most of a head, so they are looked at eight bytes at a time.

use super::super::is_quick;

/// What may stand in a method or a field's name (RFC 9110 section 5.6.2).
pub(super) const TOKEN: u8 = 1;
/// A letter, a digit, `-` or `.`: nearly every host name is made of these.
pub(super) const NAME: u8 = 2;
/// What else may stand in a host name: `_`, `~` and the delimiters of RFC 3986 section 3.2.2.
pub(super) const HOST: u8 = 4;
/// What may stand in a target: all that is visible (RFC 9112 section 3.2).
pub(super) const VISIBLE: u8 = 8;
/// What may stand in a field's value: all but control characters, and TAB (RFC 9110 section 5.5).
pub(super) const VALUE: u8 = 16;

/// A digit.
const DIGIT: u8 = 32;
/// A dot.
const DOT: u8 = 64;

/// What each byte is, as a set of the constants above.
#[expect(clippy::indexing_slicing, reason = "the compiler evaluates it")]
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "counts to 255")]
        let b = byte as u8;
        let mut class = 0;
        if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.') {
            class |= TOKEN | NAME;
        }
        if b == b'.' {
            class |= DOT;
        }
        if b.is_ascii_digit() {
            class |= DIGIT;
        }
        if contains(b"!#$%&'*+^_`|~", b) {
            class |= TOKEN;
        }
        if contains(b"_~!$&'()*+,;=", b) {
            class |= HOST;
        }
        if b.is_ascii_graphic() {
            class |= VISIBLE;
        }
        if b == b'\t' || (b >= b' ' && b != 0x7f) {
            class |= VALUE;
        }
        classes[byte] = class;
        byte += 1;
    }
    classes
};

const fn contains(mut set: &[u8], byte: u8) -> bool {
    while let [first, rest @ ..] = set {
        if *first == byte {
            return true;
        }
        set = rest;
    }
    false
}

/// Whether `byte` is one of `classes`.
#[inline(always)]
pub(super) fn is(byte: u8, classes: u8) -> bool {
    // An index of eight bits needs no check.
    CLASSES.get(usize::from(byte)).is_some_and(|class| class & classes != 0)
}

/// The number of bytes at the start of `bytes` that are of `classes`.
#[inline]
pub(super) fn run(bytes: &[u8], classes: u8) -> usize {
    let mut rest = bytes;
    while let [byte, tail @ ..] = rest {
        if !is(*byte, classes) {
            break;
        }
        rest = tail;
    }
    bytes.len() - rest.len()
}

/// What is behind the bytes of `class`, all others of which `stops` marks, at the start of `bytes`.
#[inline(always)]
fn behind(bytes: &[u8], stops: impl Fn(u64) -> u64, class: u8) -> &[u8] {
    let mut rest = bytes;
    while let Some((chunk, tail)) = rest.split_first_chunk() {
        let stops = stops(u64::from_le_bytes(*chunk));
        if stops != 0 {
            let stop = (stops.trailing_zeros() / 8) as usize;
            return rest.get(stop..).unwrap_or_default();
        }
        rest = tail;
    }
    rest.get(run(rest, class)..).unwrap_or_default()
}

/// [`run`] of [`VALUE`], faster.
pub(super) fn value_len(bytes: &[u8]) -> usize {
    if !is_quick() {
        return run(bytes, VALUE);
    }
    let mut rest = behind(bytes, control_characters, VALUE);
    while let [byte, tail @ ..] = rest
        && is(*byte, VALUE)
    {
        rest = behind(tail, control_characters, VALUE);
    }
    bytes.len() - rest.len()
}

/// [`run`] of [`TOKEN`], faster: names of fields are made of what nearly every host name is made of.
pub(super) fn token_len(bytes: &[u8]) -> usize {
    if !is_quick() {
        return run(bytes, TOKEN);
    }
    let rest = behind(bytes, no_name, NAME);
    bytes.len() - rest.len() + run(rest, TOKEN)
}

/// What is behind the line of a field whose value is left; nothing if it has bytes that no value has,
/// or few have.
#[inline(always)]
pub(super) fn behind_line(input: &[u8]) -> Option<&[u8]> {
    end_of_line(behind(input, control_characters, VALUE))
}

/// The same for a host of letters, digits, `-` and `.`, with or without a port.
#[inline(always)]
pub(super) fn behind_host(input: &[u8]) -> Option<&[u8]> {
    // Where a small server is, hosts are often addresses.
    match behind(input, no_address, DIGIT | DOT) {
        [b':', port @ ..] => end_of_line(behind(port, no_digit, DIGIT)),
        rest @ [b'\r', ..] => end_of_line(rest),
        rest => match behind(rest, no_name, NAME) {
            [b':', port @ ..] => end_of_line(behind(port, no_digit, DIGIT)),
            rest => end_of_line(rest),
        },
    }
}

/// What is behind the CR and LF at the start.
#[inline(always)]
pub(super) fn end_of_line(input: &[u8]) -> Option<&[u8]> {
    const CRLF: u16 = u16::from_le_bytes(*b"\r\n");
    let (end, rest) = input.split_first_chunk()?;
    (u16::from_le_bytes(*end) == CRLF).then_some(rest)
}

/// Marks the highest bit of the lowest byte that is a control character, and perhaps of bytes above
/// it. A byte that is none may be marked if it is a TAB or no ASCII.
#[inline(always)]
const fn control_characters(word: u64) -> u64 {
    (word.wrapping_sub(each(b' ')) | word.wrapping_add(each(1))) & HIGH
}

/// The same for what is no digit or `.`.
#[inline(always)]
const fn no_address(word: u64) -> u64 {
    // With its lowest bit turned over, `.` is the neighbour of `0`, and `/` is not.
    let turned = word ^ each(1);
    (!from(turned, b'/') | from(turned, b'9' + 1) | word) & HIGH
}

/// The same for what is no digit, `-` or `.`.
#[inline(always)]
const fn no_number(word: u64) -> u64 {
    let slash = !(word ^ each(b'/')).wrapping_add(each(0x7f));
    (!from(word, b'-') | from(word, b'9' + 1) | slash | word) & HIGH
}

/// The same for what is no letter, digit, `-` or `.`.
#[inline(always)]
const fn no_name(word: u64) -> u64 {
    let lower = word | each(0x20);
    let letters = from(lower, b'a') & !from(lower, b'z' + 1);
    (!letters & no_number(word) | word) & HIGH
}

/// The same for what is no digit.
#[inline(always)]
const fn no_digit(word: u64) -> u64 {
    let digit = word ^ each(b'0');
    (from(digit, 10) | digit) & HIGH
}

/// Marks the bytes from `byte` up, as far as all below are no more than 0x7f.
#[inline(always)]
const fn from(word: u64, byte: u8) -> u64 {
    word.wrapping_add(each(0x80 - byte))
}

const HIGH: u64 = each(0x80);

const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}
