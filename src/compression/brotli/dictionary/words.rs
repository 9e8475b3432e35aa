//! The words (RFC 7932, appendix A), and what becomes of them (appendix B).

use Change::{Identity, OmitFirst, OmitLast, UpperAll, UpperFirst};

use super::{BITS, CHANGES, LONGEST};
use crate::compression::output::Output;

/// The words of appendix A, shortest first: its bytes as the reference implementation has them,
/// under the MIT licence. Their CRC-32 is 0x5136cb04.
static WORDS: [u8; 122_784] = *include_bytes!("words.bin");

/// Where the words of each length start.
#[allow(clippy::indexing_slicing, reason = "at compile time")]
const STARTS: [usize; LONGEST + 1] = {
    let mut starts = [0; LONGEST + 1];
    let (mut len, mut start) = (0, 0);
    while len <= LONGEST {
        starts[len] = start;
        if BITS[len] != 0 {
            start += len << BITS[len];
        }
        len += 1;
    }
    assert!(start == WORDS.len(), "the words of all lengths are the dictionary");
    starts
};

/// Adds the word `index` of length `len`, with the change of that number, to `out`, and returns how
/// long it has become; none where there is no room.
pub(super) fn add(out: &mut Output<'_>, len: usize, index: usize, change: usize) -> Option<u32> {
    let word = WORDS.get(STARTS.get(len)? + index * len..)?.get(..len)?;
    let &(prefix, change, suffix) = TRANSFORMS.get(change)?;
    let kept = match change {
        Identity | UpperFirst | UpperAll => word,
        OmitFirst(count) => word.get(usize::from(count)..).unwrap_or_default(),
        OmitLast(count) => word.get(..len.saturating_sub(usize::from(count))).unwrap_or_default(),
    };
    let total = prefix.len() + kept.len() + suffix.len();
    let place = out.next(total);
    if place.len() != total {
        return None;
    }
    let bytes = prefix.bytes().chain(kept.iter().copied()).chain(suffix.bytes());
    place.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
    let word = place.get_mut(prefix.len()..prefix.len() + kept.len())?;
    match change {
        UpperFirst => {
            upper(word);
        }
        UpperAll => {
            let mut rest = word;
            while !rest.is_empty() {
                let len = upper(rest);
                rest = rest.get_mut(len..).unwrap_or_default();
            }
        }
        _ => {}
    }
    u32::try_from(total).ok()
}

/// Changes the first character, and returns how many bytes it is taken for: not more than a rough
/// idea of UTF-8 (appendix B).
fn upper(text: &mut [u8]) -> usize {
    match text {
        [first, ..] if *first < 0xc0 => {
            if first.is_ascii_lowercase() {
                *first ^= 32;
            }
            1
        }
        [first, rest @ ..] if *first < 0xe0 => {
            if let [second, ..] = rest {
                *second ^= 32;
            }
            2
        }
        [_, rest @ ..] => {
            if let [_, third, ..] = rest {
                *third ^= 5;
            }
            3
        }
        [] => 1,
    }
}

/// What becomes of a word, between a prefix and a suffix.
#[derive(Clone, Copy)]
enum Change {
    Identity,
    /// Without that many bytes in front.
    OmitFirst(u8),
    /// Without that many bytes at the end.
    OmitLast(u8),
    UpperAll,
    UpperFirst,
}

/// Appendix B.
#[rustfmt::skip]
static TRANSFORMS: [(&str, Change, &str); CHANGES] = [
    ("", Identity, ""),
    ("", Identity, " "),
    (" ", Identity, " "),
    ("", OmitFirst(1), ""),
    ("", UpperFirst, " "),
    ("", Identity, " the "),
    (" ", Identity, ""),
    ("s ", Identity, " "),
    ("", Identity, " of "),
    ("", UpperFirst, ""),
    ("", Identity, " and "),
    ("", OmitFirst(2), ""),
    ("", OmitLast(1), ""),
    (", ", Identity, " "),
    ("", Identity, ", "),
    (" ", UpperFirst, " "),
    ("", Identity, " in "),
    ("", Identity, " to "),
    ("e ", Identity, " "),
    ("", Identity, "\""),
    ("", Identity, "."),
    ("", Identity, "\">"),
    ("", Identity, "\n"),
    ("", OmitLast(3), ""),
    ("", Identity, "]"),
    ("", Identity, " for "),
    ("", OmitFirst(3), ""),
    ("", OmitLast(2), ""),
    ("", Identity, " a "),
    ("", Identity, " that "),
    (" ", UpperFirst, ""),
    ("", Identity, ". "),
    (".", Identity, ""),
    (" ", Identity, ", "),
    ("", OmitFirst(4), ""),
    ("", Identity, " with "),
    ("", Identity, "'"),
    ("", Identity, " from "),
    ("", Identity, " by "),
    ("", OmitFirst(5), ""),
    ("", OmitFirst(6), ""),
    (" the ", Identity, ""),
    ("", OmitLast(4), ""),
    ("", Identity, ". The "),
    ("", UpperAll, ""),
    ("", Identity, " on "),
    ("", Identity, " as "),
    ("", Identity, " is "),
    ("", OmitLast(7), ""),
    ("", OmitLast(1), "ing "),
    ("", Identity, "\n\t"),
    ("", Identity, ":"),
    (" ", Identity, ". "),
    ("", Identity, "ed "),
    ("", OmitFirst(9), ""),
    ("", OmitFirst(7), ""),
    ("", OmitLast(6), ""),
    ("", Identity, "("),
    ("", UpperFirst, ", "),
    ("", OmitLast(8), ""),
    ("", Identity, " at "),
    ("", Identity, "ly "),
    (" the ", Identity, " of "),
    ("", OmitLast(5), ""),
    ("", OmitLast(9), ""),
    (" ", UpperFirst, ", "),
    ("", UpperFirst, "\""),
    (".", Identity, "("),
    ("", UpperAll, " "),
    ("", UpperFirst, "\">"),
    ("", Identity, "=\""),
    (" ", Identity, "."),
    (".com/", Identity, ""),
    (" the ", Identity, " of the "),
    ("", UpperFirst, "'"),
    ("", Identity, ". This "),
    ("", Identity, ","),
    (".", Identity, " "),
    ("", UpperFirst, "("),
    ("", UpperFirst, "."),
    ("", Identity, " not "),
    (" ", Identity, "=\""),
    ("", Identity, "er "),
    (" ", UpperAll, " "),
    ("", Identity, "al "),
    (" ", UpperAll, ""),
    ("", Identity, "='"),
    ("", UpperAll, "\""),
    ("", UpperFirst, ". "),
    (" ", Identity, "("),
    ("", Identity, "ful "),
    (" ", UpperFirst, ". "),
    ("", Identity, "ive "),
    ("", Identity, "less "),
    ("", UpperAll, "'"),
    ("", Identity, "est "),
    (" ", UpperFirst, "."),
    ("", UpperAll, "\">"),
    (" ", Identity, "='"),
    ("", UpperFirst, ","),
    ("", Identity, "ize "),
    ("", UpperAll, "."),
    ("\u{a0}", Identity, ""),
    (" ", Identity, ","),
    ("", UpperFirst, "=\""),
    ("", UpperAll, "=\""),
    ("", Identity, "ous "),
    ("", UpperAll, ", "),
    ("", UpperFirst, "='"),
    (" ", UpperFirst, ","),
    (" ", UpperAll, "=\""),
    (" ", UpperAll, ", "),
    ("", UpperAll, ","),
    ("", UpperAll, "("),
    ("", UpperAll, ". "),
    (" ", UpperAll, "."),
    ("", UpperAll, "='"),
    (" ", UpperAll, ". "),
    (" ", UpperFirst, "=\""),
    (" ", UpperAll, "='"),
    (" ", UpperFirst, "='"),
];
