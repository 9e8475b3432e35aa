//! The header blocks that come most: fields of the tables, and literals that enter none.

use super::table::Table;
use super::token::{Mark, NAME_MARKS, STATIC_MARKS};
use super::value::is_allowed;
use crate::http::Routes;

/// The route that a header block asks for, if it is a plain GET of one.
///
/// `None` means nothing: then [`decode`](super::decode) says what the block is. This is
/// [`Head::plain_get`](super::Head::plain_get) behind it, with what a field costs cut down to a load,
/// two unions, a sum and a comparison. It takes indexes of one byte, and literals without indexing
/// that are not coded and have a name of the static table.
#[inline(always)]
pub(in crate::http) fn quick_get(table: &Table, routes: &Routes<'_>, block: &[u8]) -> Option<u32> {
    let entries = table.one_byte_entries();
    let (mut all, mut sum, mut conflicts) = (0, 0_u64, 0);
    let (mut fields, mut rest) = (0, block);
    while let [first, after @ ..] = rest {
        // An index that is one byte (RFC 7541 section 6.1).
        let at = usize::from(*first).wrapping_sub(0x81);
        rest = after;
        let mark = if let Some(mark) = STATIC_MARKS.get(at) {
            *mark
        } else if let Some(mark) = entries.mark(at.wrapping_sub(STATIC_MARKS.len())) {
            mark
        } else if *first < 0x20 {
            let (mark, after) = literal(routes, *first, after)?;
            rest = after;
            mark
        } else {
            return None;
        };
        // A pseudo-header behind another field.
        conflicts |= (all << 1) & mark;
        all |= mark;
        sum = sum.wrapping_add(mark);
        fields += 1;
    }
    let counts = sum & Mark::PSEUDO_COUNTS & !Mark::AUTHORITY;
    let plain = counts == Mark::GET
        && all & Mark::ODD == 0
        && conflicts & Mark::PSEUDO == 0
        && fields <= routes.limits.fields.min(Mark::MOST)
        && (sum & 0xffff) as usize <= routes.limits.header_list;
    plain.then_some(Mark::route_of(all))
}

/// The mark of a literal without indexing (sections 6.2.2 and 6.2.3), and what stands behind it.
#[inline(never)]
fn literal<'b>(routes: &Routes<'_>, first: u8, rest: &'b [u8]) -> Option<(u64, &'b [u8])> {
    let (index, rest) = match first & 0xf {
        0xf => {
            let (index, rest) = rest.split_first()?;
            (usize::from(*index).wrapping_add(0xf), rest)
        }
        index => (usize::from(index), rest),
    };
    // Names that ask for more have no mark here.
    let mark = *NAME_MARKS.get(index.wrapping_sub(1))?;
    let (len, rest) = rest.split_first()?;
    // Longer ones, and those that are coded, have a greater byte.
    if *len >= 0x7f || mark == 0 {
        return None;
    }
    let (value, rest) = rest.split_at_checked(usize::from(*len))?;
    let mark = mark + u64::from(*len);
    if mark & Mark::PATH == 0 {
        return is_allowed(value).then_some((mark, rest));
    }
    let (number, _) = (0..).zip(routes.routes).find(|(_, route)| same(route.path, value))?;
    Some((mark | Mark::route(number), rest))
}

/// Whether two strings are the same, without a call for short ones.
#[inline(always)]
fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    if let (Some(start), Some(end), Some(other_start), Some(other_end)) =
        (a.first_chunk(), a.last_chunk(), b.first_chunk(), b.last_chunk())
        && a.len() <= 8
    {
        return u32::from_ne_bytes(*start) == u32::from_ne_bytes(*other_start)
            && u32::from_ne_bytes(*end) == u32::from_ne_bytes(*other_end);
    }
    a == b
}
