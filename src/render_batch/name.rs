//! Strings that are classified once, where the compiler sees them.

use crate::string_table;

/// A string with what the writer needs to know about it: its hash, and whether it is shared.
///
/// Made in a `const`, it costs nothing at run time:
///
/// ```
/// use onewrite::render_batch::{Frame, Name};
///
/// const DIV: Name<'_> = Name::new("div");
/// const OPEN: Frame<'_> = Frame::element_named(DIV, 3);
/// assert_eq!(OPEN, Frame::element("div", 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Name<'a> {
    string: Option<&'a str>,
    hash: u32,
}

impl<'a> Name<'a> {
    /// The null string, which has no entry in the string table.
    pub const NULL: Self = Self { string: None, hash: 0 };

    /// The string `string`.
    #[inline(always)]
    #[must_use]
    pub const fn new(string: &'a str) -> Self {
        Self { string: Some(string), hash: string_table::hash(string) }
    }

    /// The string, or `None` for null.
    #[inline(always)]
    #[must_use]
    pub const fn as_str(self) -> Option<&'a str> {
        self.string
    }

    /// The string table's hash of the string; 0 for null.
    #[inline(always)]
    pub(super) const fn hash(self) -> u32 {
        self.hash
    }
}

/// Whether every character of `string` is white space; true for the empty string.
///
/// The set is `System.Char.IsWhiteSpace`, which is the same 25 characters as
/// [`char::is_whitespace`] (both printed and compared; all lie in the basic plane).
#[inline(always)]
#[must_use]
pub(crate) const fn is_white_space(string: &str) -> bool {
    match string.as_bytes().first() {
        None => true,
        // Most text is told from its first byte: neither a space, a control nor a long character.
        Some(0x21..=0xc1) => false,
        Some(_) => all_white_space(string.as_bytes()),
    }
}

/// [`is_white_space`] for strings whose first byte does not settle it.
const fn all_white_space(mut rest: &[u8]) -> bool {
    loop {
        rest = match rest {
            [] => return true,
            [0x09..=0x0d | 0x20, tail @ ..] => tail,
            // U+0085, U+00A0
            [0xc2, 0x85 | 0xa0, tail @ ..] => tail,
            // U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000
            [0xe1, 0x9a, 0x80, tail @ ..]
            | [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, tail @ ..]
            | [0xe2, 0x81, 0x9f, tail @ ..]
            | [0xe3, 0x80, 0x80, tail @ ..] => tail,
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_what_core_says_it_is() {
        let mut count = 0;
        for c in '\0'..=char::MAX {
            let mut buffer = [0; 4];
            assert_eq!(is_white_space(c.encode_utf8(&mut buffer)), c.is_whitespace(), "{c:?}");
            count += usize::from(c.is_whitespace());
        }
        assert_eq!(count, 25);
    }

    #[test]
    fn one_other_character_makes_a_text_not_white_space() {
        assert!(is_white_space(""));
        assert!(is_white_space(" \n\t\u{85}\u{3000}"));
        assert!(!is_white_space(" \n\tx"));
        assert!(!is_white_space("\u{3000}\u{200b}"));
        assert!(!is_white_space("\u{feff}"));
    }
}
