//! What a header field means to a server.

use super::static_table::FIELDS;

/// A field as a server needs it, without its text.
///
/// | bytes | what |
/// |---|---|
/// | 4 | its value, see [`Kind`]; for any other name the length of the name |
/// | 2 | its size: name, value and 32 |
/// | 1 | the [`Kind`] of its name, for fields that share the name and have another value |
/// | 1 | the [`Kind`] of the field, which is [`Kind::WRONG`] if the value cannot be |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) struct Token {
    pub(super) value: u32,
    pub(super) size: u16,
    pub(super) name: Kind,
    pub(super) field: Kind,
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
    pub(super) const NONE: Self = Self { value: 0, size: 0, name: Kind::WRONG, field: Kind::WRONG };

    /// Length of the name.
    pub(super) fn name_len(self) -> usize {
        match self.name {
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

/// The static table (RFC 7541 appendix A), from index 1 on.
pub(super) const STATIC: [Token; FIELDS.len()] = static_tokens();

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
        tokens[at] = Token { value, size, name, field: whole };
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
        for (field, token) in FIELDS.iter().zip(&STATIC) {
            assert_eq!(token.name_len(), field.name.len(), "{}", field.name);
            assert_eq!(usize::from(token.size), field.name.len() + field.value.len() + 32);
            assert_eq!(
                token.name,
                super::super::name::name(field.name.as_bytes()),
                "{}: the same as spelled out",
                field.name
            );
        }
    }

    #[test]
    fn a_token_is_eight_bytes() {
        assert_eq!(size_of::<Token>(), 8);
    }
}
