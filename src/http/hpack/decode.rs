//! A header block: what its fields mean to a server.

use super::integer::integer;
use super::static_table::FIELDS;
use super::string::string;
use super::table::{MAX_SIZE, Table};
use super::token::{Kind, Token, method, static_field, target};
use super::{Stop, Wrong, name, value};
use crate::http::{Limits, Routes};

/// What a header list says, as far as a server needs to know.
#[derive(Clone, Copy, Debug)]
pub(in crate::http) struct Head {
    /// The kinds of the fields that are in it.
    pub(in crate::http) seen: u8,
    /// Kinds that stood where they may not: a pseudo-header behind another field, or the same twice.
    pub(in crate::http) conflicts: u8,
    /// Number of fields.
    pub(in crate::http) fields: u32,
    /// Size of the list: name, value and 32 of each field (RFC 9113 section 10.5.1).
    pub(in crate::http) size: u32,
    values: [u32; 8],
}

/// For each kind, those kinds that may not stand in front of it (RFC 9113 section 8.3).
const CONFLICTS: [u8; 8] = {
    let fields = Kind::CONTENT_LENGTH.bit() | Kind::IF_NONE_MATCH.bit() | Kind::OTHER.bit();
    [
        fields | Kind::METHOD.bit(),
        fields | Kind::PATH.bit(),
        fields | Kind::SCHEME.bit(),
        fields | Kind::AUTHORITY.bit(),
        Kind::CONTENT_LENGTH.bit(),
        0,
        0,
        0,
    ]
};

const _: () = assert!(
    Kind::METHOD.number() == 0
        && Kind::PATH.number() == 1
        && Kind::SCHEME.number() == 2
        && Kind::AUTHORITY.number() == 3
        && Kind::CONTENT_LENGTH.number() == 4,
    "the table above is in the order of the kinds"
);

impl Head {
    pub(in crate::http) const fn new() -> Self {
        Self { seen: 0, conflicts: 0, fields: 0, size: 0, values: [0; 8] }
    }

    #[cfg_attr(feature = "http-quick", inline(always))]
    fn add(&mut self, token: Token) {
        let field = token.mark.field();
        let conflicts = CONFLICTS.get(field.number()).copied().unwrap_or_default();
        self.conflicts |= self.seen & conflicts;
        self.seen |= field.bit();
        self.fields += 1;
        self.size += u32::from(token.mark.size());
        if let Some(value) = self.values.get_mut(field.number()) {
            *value = token.value;
        }
    }

    /// Whether there was a field of this kind.
    #[inline(always)]
    pub(in crate::http) const fn has(&self, kind: Kind) -> bool {
        self.seen & kind.bit() != 0
    }

    /// The value of the last field of this kind; zero if there was none.
    #[inline(always)]
    pub(in crate::http) fn value(&self, kind: Kind) -> u32 {
        self.values.get(kind.number()).copied().unwrap_or_default()
    }

    /// The number of the route if this is a GET of one, without anything that has to be looked at.
    #[inline(always)]
    pub(in crate::http) fn plain_get(&self, limits: &Limits) -> Option<u32> {
        const NEEDED: u8 = Kind::METHOD.bit() | Kind::PATH.bit() | Kind::SCHEME.bit();
        const MORE: u8 = Kind::AUTHORITY.bit() | Kind::OTHER.bit();
        let path = self.value(Kind::PATH);
        let plain = self.conflicts == 0
            && self.seen & !MORE == NEEDED
            && self.value(Kind::METHOD) == method::GET
            && path < target::NOT_FOUND
            && !self.is_larger_than(limits);
        plain.then_some(path)
    }

    /// Whether there is more than a client may send; counted in 64 bits, whatever a `usize` has.
    #[inline(always)]
    pub(in crate::http) fn is_larger_than(&self, limits: &Limits) -> bool {
        u64::from(self.size) > limits.header_list as u64
            || u64::from(self.fields) > limits.fields as u64
    }

    /// Whether this may stand behind a body: no pseudo-header, and nothing that may stand nowhere.
    pub(in crate::http) const fn is_trailers(&self) -> bool {
        const NONE: u8 = Kind::METHOD.bit()
            | Kind::PATH.bit()
            | Kind::SCHEME.bit()
            | Kind::AUTHORITY.bit()
            | Kind::WRONG.bit();
        self.seen & NONE == 0
    }

    /// The route that is asked for, or a [`target`].
    #[inline(always)]
    pub(in crate::http) fn path(&self, routes: &Routes<'_>) -> u32 {
        let path = self.value(Kind::PATH);
        match path {
            _ if path <= target::NOT_FOUND => path,
            target::ROOT => value::find(routes, b"/"),
            target::INDEX => value::find(routes, b"/index.html"),
            _ => path,
        }
    }
}

/// Adds the fields of `block` to `head`, and to `table` those that belong there.
///
/// Returns the part of a field that is not whole, at the end. To go on, it is given again with more
/// behind it. At the end of a block nothing may be left.
///
/// # Errors
///
/// [`Wrong`] if this is no header block. Then the table is no longer that of the peer.
#[inline(never)]
pub(in crate::http) fn decode<'b>(
    table: &mut Table,
    routes: &Routes<'_>,
    head: &mut Head,
    block: &'b [u8],
) -> Result<&'b [u8], Wrong> {
    decode_here(table, routes, head, block)
}

/// [`decode`] without a call, where it is the usual way.
#[inline(always)]
pub(in crate::http) fn decode_here<'b>(
    table: &mut Table,
    routes: &Routes<'_>,
    head: &mut Head,
    block: &'b [u8],
) -> Result<&'b [u8], Wrong> {
    let mut rest = block;
    while let Some((first, after)) = rest.split_first() {
        // An index that is one byte (RFC 7541 section 6.1).
        let at = usize::from(first.wrapping_sub(0x81));
        let token = match static_field(at) {
            Some(token) => Some(token),
            None if at >= 0x7e => None,
            None => table.get(at - FIELDS.len()),
        };
        if let Some(token) = token {
            head.add(token);
            rest = after;
            continue;
        }
        match literal(table, routes, head, rest) {
            Ok(after) => rest = after,
            Err(Stop::Incomplete) => break,
            Err(Stop::Wrong) => return Err(Wrong),
        }
    }
    Ok(rest)
}

/// One field, or one update of the table's size, that is no index of one byte. Returns what is behind.
#[inline(never)]
fn literal<'b>(
    table: &mut Table,
    routes: &Routes<'_>,
    head: &mut Head,
    bytes: &'b [u8],
) -> Result<&'b [u8], Stop> {
    let first = bytes.first().copied().unwrap_or_default();
    // Section 6.2.1: with incremental indexing; 6.2.2 and 6.2.3: without.
    let indexing = first & 0xc0 == 0x40;
    if first & 0xc0 != 0x40 && first >= 0x20 {
        return other(table, head, bytes);
    }
    let (index, rest) = integer(bytes, if indexing { 6 } else { 4 })?;
    let (name, name_len, text, rest) = if index == 0 {
        let (name, rest) = string(rest)?;
        // Nothing is read twice: the name only once its value is there.
        let (text, rest) = string(rest)?;
        let (name, name_len) = name::classify(name)?;
        (name, name_len, text, rest)
    } else {
        let named = entry(table, index)?;
        let (text, rest) = string(rest)?;
        (named.mark.name(), named.name_len(), text, rest)
    };
    let meaning = value::classify(routes, head, name, text)?;
    let field = match name {
        _ if !meaning.allowed => Kind::WRONG,
        Kind::TE => Kind::OTHER,
        name => name,
    };
    let value = match name {
        Kind::OTHER | Kind::WRONG => u32::try_from(name_len).unwrap_or(u32::MAX),
        _ => meaning.value,
    };
    let size = u16::try_from(name_len + meaning.len + 32).unwrap_or(u16::MAX);
    let token = Token::new(name, field, value, size);
    if indexing {
        table.insert(token);
    }
    head.add(token);
    Ok(rest)
}

/// The same for what has no value: a longer index (section 6.1), or an update of the table's size
/// (sections 4.2 and 6.3), which stands in front of all fields.
#[cold]
fn other<'b>(table: &mut Table, head: &mut Head, bytes: &'b [u8]) -> Result<&'b [u8], Stop> {
    if bytes.first().is_some_and(|first| first & 0x80 != 0) {
        let (index, rest) = integer(bytes, 7)?;
        head.add(entry(table, index)?);
        return Ok(rest);
    }
    let (size, rest) = integer(bytes, 5)?;
    if head.fields > 0 || size > MAX_SIZE {
        return Err(Stop::Wrong);
    }
    table.resize(size);
    Ok(rest)
}

/// The field with `index` in both tables (section 2.3.3).
#[cfg_attr(feature = "http-quick", inline(always))]
fn entry(table: &Table, index: usize) -> Result<Token, Stop> {
    let at = index.checked_sub(1).ok_or(Stop::Wrong)?;
    match static_field(at) {
        Some(token) => Ok(token),
        None => table.get(at - FIELDS.len()).ok_or(Stop::Wrong),
    }
}
