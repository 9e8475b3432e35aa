//! One frame of a page, in 32 bytes where a pointer has 8.

use core::str;

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    Element,
    /// Frames that are matched with those of the same region only; nothing in the DOM.
    Region,
    /// An attribute with a value.
    Attribute,
    /// An attribute that calls an event handler.
    Handler,
    Text,
    Markup,
}

/// The element has a key.
pub(super) const KEYED: u8 = 1;
/// The text stands among the copied ones.
pub(super) const COPIED: u8 = 2;
/// The attribute is not there; its frame keeps its place.
pub(super) const ABSENT: u8 = 4;
/// The browser has another value, and it is not known which.
pub(super) const UNKNOWN: u8 = 8;

/// A frame, whose subtree follows it.
///
/// | kind | `word` | `number` | `size` |
/// |---|---|---|---|
/// | element | its name | its key | frames of its subtree, itself included |
/// | region | | | frames of its subtree, itself included |
/// | attribute | its name | where its value lies | |
/// | handler | its name | its id | what it does: the caller's number |
/// | text, markup | the text, if not copied | where the copy lies | |
///
/// A place is the offset of the first byte, in the upper half, and the number of bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) word: &'static str,
    pub(super) number: u64,
    pub(super) size: u32,
    pub(super) kind: Kind,
    pub(super) flags: u8,
}

impl Node {
    /// Stands for what is not there.
    pub(super) const NONE: Self = Self::new(Kind::Region, "");

    #[inline(always)]
    pub(super) const fn new(kind: Kind, word: &'static str) -> Self {
        Self { word, number: 0, size: 1, kind, flags: 0 }
    }

    /// Frames of the subtree: at least 1, so that a walk gets on.
    #[inline(always)]
    pub(super) const fn subtree(&self) -> usize {
        match self.kind {
            Kind::Element | Kind::Region if self.size > 1 => self.size as usize,
            _ => 1,
        }
    }

    /// Whether it stands in front of an element's children.
    #[inline(always)]
    pub(super) const fn is_attribute(&self) -> bool {
        matches!(self.kind, Kind::Attribute | Kind::Handler)
    }

    #[inline(always)]
    pub(super) const fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// The text of a text, a markup or an attribute, among the copied ones if it is not a literal.
    #[inline(always)]
    pub(super) fn text<'a>(&self, copied: &'a [u8]) -> &'a [u8] {
        if self.has(COPIED) {
            let start = (self.number >> 32) as usize;
            let len = (self.number & 0xffff_ffff) as usize;
            let from = copied.get(start..).unwrap_or_default();
            return from.get(..len).unwrap_or_default();
        }
        self.word.as_bytes()
    }

    /// The same as a string, for the few that are sent: the copies are not marked as strings.
    #[inline]
    pub(super) fn string<'a>(&self, copied: &'a [u8]) -> &'a str {
        if self.has(COPIED) {
            return str::from_utf8(self.text(copied)).unwrap_or_default();
        }
        self.word
    }

    /// Whether the element that a browser shows can become this one.
    #[inline(always)]
    pub(super) fn can_become(&self, other: &Self) -> bool {
        self.kind == other.kind
            && match self.kind {
                Kind::Element => {
                    self.flags & KEYED == other.flags & KEYED
                        && self.number == other.number
                        && same_word(self.word, other.word)
                }
                Kind::Attribute | Kind::Handler => same_word(self.word, other.word),
                Kind::Region | Kind::Text | Kind::Markup => true,
            }
    }
}

/// Where `len` bytes from `start` on lie.
#[inline(always)]
pub(super) const fn place(start: usize, len: usize) -> u64 {
    (start as u64) << 32 | len as u64 & 0xffff_ffff
}

/// Names are literals, and mostly the same one.
#[inline(always)]
pub(super) fn same_word(a: &str, b: &str) -> bool {
    core::ptr::eq(a, b) || a == b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_is_small() {
        assert_eq!(size_of::<Node>(), 16 + size_of::<&str>());
    }

    #[test]
    fn text_outside_of_the_copies_is_empty() {
        let node =
            Node { number: u64::MAX, flags: COPIED, ..Node::new(Kind::Text, "not this either") };
        assert_eq!(node.text(b"copied"), b"");
        assert_eq!(Node { number: place(2, 3), ..node }.string(b"copied"), "pie");
        assert_eq!(Node { number: place(1, 1), ..node }.string("äb".as_bytes()), "");
    }
}
