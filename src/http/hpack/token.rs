//! What a header field means to a server.

use super::static_table::FIELDS;

/// A field as a server needs it, without its text, in 12 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) struct Token {
    pub(super) mark: Mark,
    /// The value of a field, see [`Kind`]; for any other name the length of the name.
    pub(super) value: u32,
}

/// What a field is, so that those of a plain request can be added up.
///
/// | bits | what |
/// |---|---|
/// | 16 | its size: name, value and 32 |
/// | 4 each | 1 if it is `:method`, `:path`, `:scheme`, `:authority`, else 0 |
/// | 17 | if it is `:path`, the number of a route or a [`target`], else 0 |
/// | 1 | set if it is no pseudo-header |
/// | 1 | set if it is one |
/// | 1 | set if it has to be looked at: it is no GET, no route, or means something else to us |
/// | 4 | the [`Kind`] of its name, for fields that share the name and have another value |
/// | 3 | the [`Kind`] of the field, which is [`Kind::WRONG`] if the value cannot be |
///
/// Up to 15 of them, of which none is longer than the table, are added without a carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) struct Mark(u64);

impl Mark {
    /// The most that are added up.
    pub(super) const MOST: usize = 15;
    /// One of each pseudo-header that a GET has, in the sum.
    pub(super) const GET: u64 = 1 << 16 | 1 << 20 | 1 << 24;
    /// One `:path` in the sum.
    pub(super) const PATH: u64 = 1 << 20;
    /// `:authority` in the sum, which is there once or not at all.
    pub(super) const AUTHORITY: u64 = 1 << 28;
    pub(super) const PSEUDO_COUNTS: u64 = 0xffff_0000;
    /// From the third upper byte on, but for its highest bit.
    const ROUTE: u32 = 32;
    pub(super) const FIELD: u64 = 1 << 49;
    /// In front of the bit of [`Self::FIELD`], so that a shift compares the two.
    pub(super) const PSEUDO: u64 = Self::FIELD << 1;
    pub(super) const ODD: u64 = 1 << 51;
    const NAME: u32 = 52;
    /// The upper byte.
    const KIND: u32 = 56;

    pub(super) const fn new(name: Kind, field: Kind, value: u32, size: u16) -> Self {
        let pseudo = match field {
            Kind::METHOD if value == method::GET => 1 << 16,
            Kind::METHOD => 1 << 16 | Self::ODD,
            Kind::PATH if value < target::NOT_FOUND => 1 << 20 | (value as u64) << Self::ROUTE,
            Kind::PATH => 1 << 20 | Self::ODD,
            Kind::SCHEME => 1 << 24,
            Kind::AUTHORITY => 1 << 28,
            _ => 0,
        };
        let rest = match field {
            Kind::OTHER => Self::FIELD,
            _ if pseudo != 0 => pseudo | Self::PSEUDO,
            _ => Self::FIELD | Self::ODD,
        };
        Self(rest | size as u64 | (name.0 as u64) << Self::NAME | (field.0 as u64) << Self::KIND)
    }

    #[inline(always)]
    pub(super) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    #[inline(always)]
    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    /// What a route adds to the mark of its `:path`.
    #[inline(always)]
    pub(super) const fn route(number: u32) -> u64 {
        (number as u64) << Self::ROUTE
    }

    /// The route in the union of some.
    #[inline(always)]
    pub(super) const fn route_of(all: u64) -> u32 {
        ((all >> Self::ROUTE) & 0xffff) as u32
    }

    pub(super) const fn size(self) -> u16 {
        let [.., a, b] = self.0.to_be_bytes();
        u16::from_be_bytes([a, b])
    }

    pub(super) const fn name(self) -> Kind {
        let [.., name] = (self.0 >> Self::NAME).to_be_bytes();
        Kind(name & 0xf)
    }

    #[inline(always)]
    pub(super) const fn field(self) -> Kind {
        let [kind, ..] = self.0.to_be_bytes();
        Kind(kind)
    }
}

/// A name that a server knows.
///
/// The first eight are also what a field can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) struct Kind(u8);

impl Kind {
    /// `:method`, the value is a [`method`].
    pub(in crate::http) const METHOD: Self = Self(0);
    /// `:path`, the value is the number of a route or a [`target`].
    pub(in crate::http) const PATH: Self = Self(1);
    /// `:scheme`.
    pub(in crate::http) const SCHEME: Self = Self(2);
    /// `:authority`.
    pub(in crate::http) const AUTHORITY: Self = Self(3);
    /// `content-length`, up to [`LENGTH_TOO_LARGE`].
    pub(in crate::http) const CONTENT_LENGTH: Self = Self(4);
    /// `if-none-match`, the number of a route whose entity tag is named, or a [`tag`].
    pub(in crate::http) const IF_NONE_MATCH: Self = Self(5);
    /// Any other name.
    pub(in crate::http) const OTHER: Self = Self(6);
    /// What makes a request malformed: a pseudo-header that is none of a request, a field about the
    /// connection, a name or a value that cannot be.
    pub(in crate::http) const WRONG: Self = Self(7);

    /// `te`, a name only: with its one value the field is [`Self::OTHER`].
    pub(super) const TE: Self = Self(8);

    /// The bit of this kind in a set of fields.
    #[inline(always)]
    pub(in crate::http) const fn bit(self) -> u8 {
        1 << (self.0 & 7)
    }

    #[inline(always)]
    pub(super) const fn number(self) -> usize {
        (self.0 & 7) as usize
    }
}

/// Values of [`Kind::METHOD`].
pub(in crate::http) mod method {
    pub(in crate::http) const GET: u32 = 0;
    pub(in crate::http) const HEAD: u32 = 1;
    /// Needs neither scheme nor path.
    pub(in crate::http) const CONNECT: u32 = 2;
    /// May ask for `*`.
    pub(in crate::http) const OPTIONS: u32 = 3;
    /// Another one of RFC 9110, or PATCH.
    pub(in crate::http) const KNOWN: u32 = 4;
    pub(in crate::http) const UNKNOWN: u32 = 5;
}

/// Values of [`Kind::PATH`] that are no number of a route.
pub(in crate::http) mod target {
    pub(in crate::http) const NOT_FOUND: u32 = 1 << 16;
    /// `/`, which depends on the routes: to be looked up.
    pub(in crate::http) const ROOT: u32 = NOT_FOUND + 1;
    /// `/index.html`, likewise.
    pub(in crate::http) const INDEX: u32 = NOT_FOUND + 2;
    /// `*`
    pub(in crate::http) const ASTERISK: u32 = NOT_FOUND + 3;
    pub(in crate::http) const TOO_LONG: u32 = NOT_FOUND + 4;
}

/// Values of [`Kind::IF_NONE_MATCH`] that are no number of a route.
pub(in crate::http) mod tag {
    /// No tag of ours.
    pub(in crate::http) const NONE: u32 = u32::MAX;
    /// `*`
    pub(in crate::http) const ANY: u32 = u32::MAX - 1;
}

/// What stands for a content-length from 4 GiB less one byte up.
pub(in crate::http) const LENGTH_TOO_LARGE: u32 = u32::MAX;

impl Token {
    /// What stands where no entry is.
    pub(super) const NONE: Self = Self::new(Kind::WRONG, Kind::WRONG, 0, 0);

    pub(super) const fn new(name: Kind, field: Kind, value: u32, size: u16) -> Self {
        Self { mark: Mark::new(name, field, value, size), value }
    }

    /// Length of the name.
    pub(super) fn name_len(self) -> usize {
        match self.mark.name() {
            Kind::METHOD | Kind::SCHEME => 7,
            Kind::PATH => 5,
            Kind::AUTHORITY => 10,
            Kind::CONTENT_LENGTH => 14,
            Kind::IF_NONE_MATCH => 13,
            Kind::TE => 2,
            _ => self.value as usize,
        }
    }
}

/// The field of the static table (RFC 7541 appendix A) with this index, counted from zero.
#[inline(always)]
pub(super) fn static_field(at: usize) -> Option<Token> {
    let (mark, value) = (STATIC_MARKS.get(at)?, STATIC_VALUES.get(at)?);
    Some(Token { mark: Mark::from_bits(*mark), value: *value })
}

/// The marks of the static table, and apart from them the values.
pub(super) static STATIC_MARKS: [u64; FIELDS.len()] = static_marks();
static STATIC_VALUES: [u32; FIELDS.len()] = static_values();

/// For each name of the static table what a field with another value adds to, its value left out.
///
/// Odd for those whose value means something; that of `:path` has no route.
pub(super) static NAME_MARKS: [u64; FIELDS.len()] = name_marks();

const TOKENS: [Token; FIELDS.len()] = static_tokens();

#[allow(clippy::indexing_slicing, reason = "at compile time")]
#[allow(clippy::cast_possible_truncation, reason = "no name of the table has 100 bytes")]
const fn name_marks() -> [u64; FIELDS.len()] {
    let mut marks = [Mark::ODD; FIELDS.len()];
    let mut at = 0;
    while at < marks.len() {
        let size = (FIELDS[at].name.len() + 32) as u16;
        let name = TOKENS[at].mark.name();
        if matches!(name, Kind::OTHER | Kind::AUTHORITY | Kind::PATH) {
            marks[at] = Mark::new(name, name, 0, size).bits();
        }
        at += 1;
    }
    marks
}

#[allow(clippy::indexing_slicing, reason = "at compile time")]
const fn static_values() -> [u32; FIELDS.len()] {
    let mut values = [0; FIELDS.len()];
    let mut at = 0;
    while at < values.len() {
        values[at] = TOKENS[at].value;
        at += 1;
    }
    values
}

#[allow(clippy::indexing_slicing, reason = "at compile time")]
const fn static_marks() -> [u64; FIELDS.len()] {
    let mut marks = [0; FIELDS.len()];
    let mut at = 0;
    while at < marks.len() {
        marks[at] = TOKENS[at].mark.bits();
        at += 1;
    }
    marks
}

#[allow(clippy::indexing_slicing, reason = "at compile time")]
#[allow(clippy::cast_possible_truncation, reason = "no field of the table has 100 bytes")]
const fn static_tokens() -> [Token; FIELDS.len()] {
    let mut tokens = [Token::NONE; FIELDS.len()];
    let mut at = 0;
    while at < tokens.len() {
        let field = &FIELDS[at];
        let name_len = field.name.len() as u32;
        let (name, value) = match at + 1 {
            1 => (Kind::AUTHORITY, 0),
            2 => (Kind::METHOD, method::GET),
            3 => (Kind::METHOD, method::KNOWN),
            4 => (Kind::PATH, target::ROOT),
            5 => (Kind::PATH, target::INDEX),
            6 | 7 => (Kind::SCHEME, 0),
            // `:status` is of responses, and `transfer-encoding` of connections.
            8..=14 | 57 => (Kind::WRONG, name_len),
            28 => (Kind::CONTENT_LENGTH, 0),
            41 => (Kind::IF_NONE_MATCH, tag::NONE),
            _ => (Kind::OTHER, name_len),
        };
        // The table has no value of it, and a length has a digit.
        let whole = if at + 1 == 28 { Kind::WRONG } else { name };
        let size = (field.name.len() + field.value.len() + 32) as u16;
        tokens[at] = Token::new(name, whole, value, size);
        at += 1;
    }
    tokens
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_static_table_have_their_length() {
        for (field, token) in FIELDS.iter().zip(TOKENS) {
            assert_eq!(token.name_len(), field.name.len(), "{}", field.name);
            assert_eq!(usize::from(token.mark.size()), field.name.len() + field.value.len() + 32);
            assert_eq!(
                token.mark.name(),
                super::super::name::name(field.name.as_bytes()),
                "{}: the same as spelled out",
                field.name
            );
        }
    }
}
