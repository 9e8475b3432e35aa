//! A header block: what its fields mean to a server.

use super::integer::integer;
use super::string::string;
use super::table::{MAX_SIZE, Table};
use super::token::{Kind, STATIC, Token, method, target};
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

    #[inline(always)]
    fn add(&mut self, token: Token) {
        let conflicts = CONFLICTS.get(token.field.number()).copied().unwrap_or_default();
        self.conflicts |= self.seen & conflicts;
        self.seen |= token.field.bit();
        self.fields += 1;
        self.size += u32::from(token.size);
        if let Some(value) = self.values.get_mut(token.field.number()) {
            *value = token.value;
        }
    }

    /// Adds those fields at the start of `block` that are an index of one byte (RFC 7541 section 6.1).
    ///
    /// Returns what is behind them.
    #[inline(always)]
    fn add_indexed<'b>(&mut self, table: &Table, mut block: &'b [u8]) -> &'b [u8] {
        // What changes with every field is in registers that way.
        let Self { mut seen, mut conflicts, mut size, .. } = *self;
        let before = block.len();
        while let Some((first, after)) = block.split_first() {
            let at = usize::from(first.wrapping_sub(0x81));
            let token = match STATIC.get(at) {
                Some(token) => *token,
                None if at >= 0x7e => break,
                None => match table.get(at - STATIC.len()) {
                    Some(token) => token,
                    None => break,
                },
            };
            let number = token.field.number();
            conflicts |= seen & CONFLICTS.get(number).copied().unwrap_or_default();
            seen |= token.field.bit();
            size += u32::from(token.size);
            if let Some(value) = self.values.get_mut(number) {
                *value = token.value;
            }
            block = after;
        }
        (self.seen, self.conflicts, self.size) = (seen, conflicts, size);
        self.fields += u32::try_from(before - block.len()).unwrap_or_default();
        block
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
            && self.size as usize <= limits.header_list
            && self.fields as usize <= limits.fields;
        plain.then_some(path)
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
#[inline(always)]
pub(in crate::http) fn decode<'b>(
    table: &mut Table,
    routes: &Routes<'_>,
    head: &mut Head,
    block: &'b [u8],
) -> Result<&'b [u8], Wrong> {
    let mut rest = block;
    loop {
        rest = head.add_indexed(table, rest);
        if rest.is_empty() {
            return Ok(rest);
        }
        match literal(table, routes, head, rest) {
            Ok(after) => rest = after,
            Err(Stop::Incomplete) => return Ok(rest),
            Err(Stop::Wrong) => return Err(Wrong),
        }
    }
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
    if first & 0xe0 == 0x20 {
        return update(table, head, bytes);
    }
    if first & 0x80 != 0 {
        let (index, rest) = integer(bytes, 7)?;
        head.add(entry(table, index)?);
        return Ok(rest);
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
        (named.name, named.name_len(), text, rest)
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
    let token = Token { value, size, name, field };
    if indexing {
        table.insert(token);
    }
    head.add(token);
    Ok(rest)
}

/// The field with `index` in both tables (section 2.3.3).
#[inline(always)]
fn entry(table: &Table, index: usize) -> Result<Token, Stop> {
    let at = index.checked_sub(1).ok_or(Stop::Wrong)?;
    match STATIC.get(at) {
        Some(token) => Ok(*token),
        None => table.get(at - STATIC.len()).ok_or(Stop::Wrong),
    }
}

/// An update of the table's size (sections 4.2 and 6.3), which stands in front of all fields.
#[cold]
fn update<'b>(table: &mut Table, head: &Head, bytes: &'b [u8]) -> Result<&'b [u8], Stop> {
    let (size, rest) = integer(bytes, 5)?;
    if head.fields > 0 || size > MAX_SIZE {
        return Err(Stop::Wrong);
    }
    table.resize(size);
    Ok(rest)
}
