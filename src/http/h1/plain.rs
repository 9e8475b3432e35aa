//! Heads that lie whole in the input and have nothing unusual: nearly all of them.
//!
//! What is found here is what [`line`](super::line) finds, in one pass and without state. At the first
//! thing that is not plain it gives up, and the head is read there from its start.

use super::super::Routes;
use super::facts::{Facts, Field, HEAD, HOST, Reply};
use super::scan::{NAME, TOKEN, run, value_len, word};

/// A head that was read, and what is behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'i> {
    pub(super) facts: Facts,
    pub(super) fields: usize,
    pub(super) rest: &'i [u8],
}

/// Reads a head at the start of `input`.
#[inline]
pub(super) fn read<'i>(routes: &Routes<'_>, input: &'i [u8]) -> Option<Head<'i>> {
    let mut facts = Facts::NONE;
    let start = word(input)?;
    let rest = if start & 0xffff_ffff == u64::from_le_bytes(*b"GET \0\0\0\0") {
        input.get(4..)?
    } else if start & 0xff_ffff_ffff == u64::from_le_bytes(*b"HEAD \0\0\0") {
        facts.seen = HEAD;
        input.get(5..)?
    } else {
        return None;
    };
    let rest = target(routes, &mut facts, rest)?;
    let mut rest = rest.strip_prefix(b" HTTP/1.1\r\n")?;
    let mut fields = 0;
    loop {
        if let Some(rest) = rest.strip_prefix(b"\r\n") {
            let plain =
                input.len() - rest.len() <= routes.limits.head && fields <= routes.limits.fields;
            return plain.then_some(Head { facts, fields, rest });
        }
        fields += 1;
        rest = field(routes, &mut facts, rest)?;
    }
}

/// Reads a target that is the path of a route and nothing else.
#[inline]
fn target<'i>(routes: &Routes<'_>, facts: &mut Facts, input: &'i [u8]) -> Option<&'i [u8]> {
    for (number, route) in (0..).zip(routes.routes) {
        if let Some(rest) = input.strip_prefix(route.path)
            && let [b' ', ..] = rest
        {
            facts.reply = Reply::Route(number);
            return (route.path.len() <= routes.limits.target).then_some(rest);
        }
    }
    None
}

/// Reads a field: what is behind its line.
#[inline]
fn field<'i>(routes: &Routes<'_>, facts: &mut Facts, input: &'i [u8]) -> Option<&'i [u8]> {
    let (name, rest) = input.split_at_checked(run(input, TOKEN))?;
    let rest = rest.strip_prefix(b":")?;
    let field = Field::named(name);
    if name.is_empty() {
        return None;
    }
    if field == Field::Host {
        let value = rest.strip_prefix(b" ").unwrap_or(rest);
        let (_, rest) = value.split_at_checked(run(value, NAME))?;
        let rest = match rest {
            [b':', port @ ..] => {
                let digits = port.iter().position(|byte| !byte.is_ascii_digit())?;
                port.get(digits..)?
            }
            rest => rest,
        };
        if let Some(rest) = rest.strip_prefix(b"\r\n")
            && facts.seen & HOST == 0
        {
            facts.seen |= HOST;
            return Some(rest);
        }
    }
    let (value, rest) = rest.split_at_checked(value_len(rest))?;
    let rest = rest.strip_prefix(b"\r\n")?;
    if field != Field::Other {
        facts.field(routes, field, value).ok()?;
    }
    Some(rest)
}
