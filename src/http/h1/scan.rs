//! Which bytes may stand where, and where a run of them ends.
//!
//! Values of fields are most of a head, so they are looked at eight bytes at a time.

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

/// The same for [`VALUE`], faster.
#[inline]
pub(super) fn value_len(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((chunk, tail)) = rest.split_first_chunk() {
        let stops = control_characters(u64::from_le_bytes(*chunk));
        if stops == 0 {
            rest = tail;
            continue;
        }
        let stop = bytes.len() - rest.len() + (stops.trailing_zeros() / 8) as usize;
        match bytes.get(stop..) {
            Some([byte, tail @ ..]) if is(*byte, VALUE) => rest = tail,
            _ => return stop,
        }
    }
    bytes.len() - rest.len() + run(rest, VALUE)
}

/// Marks the highest bit of the lowest byte that is a control character, and perhaps of bytes above
/// it. A byte that is none may be marked if it is a TAB, or if it is `~` behind a byte of 0xff.
#[inline(always)]
const fn control_characters(word: u64) -> u64 {
    let below_space = word.wrapping_sub(each(b' '));
    let delete = word.wrapping_add(each(1));
    (below_space | delete) & !word & each(0x80)
}

/// The first eight bytes, the first of them lowest.
#[inline(always)]
pub(super) fn word(bytes: &[u8]) -> Option<u64> {
    bytes.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}
