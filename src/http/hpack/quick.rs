//! The header blocks that come most: fields of the tables, and literals that enter none.

use super::table::{Entries, Table};
use super::token::{Mark, NAME_MARKS, STATIC_MARKS};
use super::value::has_control;
use crate::http::Routes;
use crate::record::last_chunk;

/// The route that a header block asks for, if it is a plain GET of one.
///
/// `None` means nothing: then [`decode`](super::decode) says what the block is. This is
/// [`Head::plain_get`](super::Head::plain_get) behind it, with what a field costs cut down to a load,
/// two unions, a sum and a comparison. It takes indexes of one byte, and literals without indexing
/// that have a name of the static table and are not coded, or coded the path of a route: nghttp2
/// sends every path like that.
#[inline(always)]
pub(in crate::http) fn quick_get(table: &Table, routes: &Routes<'_>, block: &[u8]) -> Option<u32> {
    let entries = table.one_byte_entries();
    let (mut sums, mut rest) = (Sums { all: 0, sum: 0, conflicts: 0 }, block);
    while let [first, after @ ..] = rest {
        let Some(mark) = indexed(&entries, *first) else {
            let Sums { all, sum, conflicts } = sums;
            return mixed(table, routes, rest, all, sum, conflicts, block.len() - rest.len());
        };
        sums.add(mark);
        rest = after;
    }
    // Each is one byte.
    sums.plain(routes, block.len())
}

/// The same from the first literal on, behind `fields` others.
// The sums one by one, so that they come in registers.
#[inline(never)]
fn mixed(
    table: &Table,
    routes: &Routes<'_>,
    mut rest: &[u8],
    all: u64,
    sum: u64,
    conflicts: u64,
    mut fields: usize,
) -> Option<u32> {
    let entries = table.one_byte_entries();
    let mut sums = Sums { all, sum, conflicts };
    while let [first, after @ ..] = rest {
        rest = after;
        let mark = if *first < 0x20 {
            let (mark, after) = literal(routes, *first, after)?;
            rest = after;
            mark
        } else {
            indexed(&entries, *first)?
        };
        sums.add(mark);
        fields += 1;
    }
    sums.plain(routes, fields)
}

/// The marks of some fields, added up.
#[derive(Clone, Copy)]
struct Sums {
    all: u64,
    sum: u64,
    conflicts: u64,
}

impl Sums {
    #[inline(always)]
    const fn add(&mut self, mark: u64) {
        // A pseudo-header behind another field.
        self.conflicts |= (self.all << 1) & mark;
        self.all |= mark;
        self.sum = self.sum.wrapping_add(mark);
    }

    /// The route, if these are the fields of a plain GET.
    #[inline(always)]
    fn plain(self, routes: &Routes<'_>, fields: usize) -> Option<u32> {
        let counts = self.sum & Mark::PSEUDO_COUNTS & !Mark::AUTHORITY;
        let plain = counts == Mark::GET
            && self.all & Mark::ODD == 0
            && self.conflicts & Mark::PSEUDO == 0
            && fields <= Mark::MOST
            && fields <= routes.limits.fields
            && (self.sum & 0xffff) as usize <= routes.limits.header_list;
        plain.then_some(Mark::route_of(self.all))
    }
}

/// The mark of an index that is one byte (RFC 7541 section 6.1).
#[inline(always)]
fn indexed(entries: &Entries<'_>, first: u8) -> Option<u64> {
    let at = usize::from(first).wrapping_sub(0x81);
    match STATIC_MARKS.get(at) {
        Some(mark) => Some(*mark),
        None => entries.mark(at.wrapping_sub(STATIC_MARKS.len())),
    }
}

/// The mark of a literal without indexing (sections 6.2.2 and 6.2.3), and what stands behind it.
#[inline(always)]
fn literal<'b>(routes: &Routes<'_>, first: u8, rest: &'b [u8]) -> Option<(u64, &'b [u8])> {
    let (index, rest) = match first & 0xf {
        0xf => {
            let (index, rest) = rest.split_first()?;
            (usize::from(*index).wrapping_add(0xf), rest)
        }
        index => (usize::from(index), rest),
    };
    // Names that ask for more have an odd one.
    let mark = *NAME_MARKS.get(index.wrapping_sub(1))?;
    let (len, rest) = rest.split_first()?;
    let (coded, len) = (len & 0x80 != 0, len & 0x7f);
    // Longer ones have more bytes of length.
    if len == 0x7f {
        return None;
    }
    let (value, rest) = rest.split_at_checked(usize::from(len))?;
    if mark & Mark::PATH == 0 {
        return (!coded && is_text(value)).then_some((mark + u64::from(len), rest));
    }
    // A route whose code is not known has an empty one.
    if value.is_empty() {
        return None;
    }
    for (number, route) in (0..).zip(routes.routes) {
        if same(if coded { route.huffman } else { route.path }, value) {
            let len = u64::try_from(route.path.len()).ok()?;
            return Some(((mark + len) | Mark::route(number), rest));
        }
    }
    None
}

/// Whether two strings are the same, without a call.
#[inline(always)]
fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    if let (Some(start), Some(other)) = (a.first_chunk::<8>(), b.first_chunk()) {
        // The last eight may have been compared before.
        if start != other || last_chunk::<8>(a) != last_chunk(b) {
            return false;
        }
        let (mut a, mut b) = (a, b);
        while let (Some((start, rest)), Some((other, other_rest))) =
            (a.split_first_chunk::<8>(), b.split_first_chunk())
        {
            if start != other {
                return false;
            }
            (a, b) = (rest, other_rest);
        }
        return true;
    }
    if let (Some(start), Some(other)) = (a.first_chunk::<4>(), b.first_chunk()) {
        return start == other && last_chunk::<4>(a) == last_chunk(b);
    }
    a.iter().eq(b)
}

/// Whether a value has one byte or more, no blank at its ends and no control character.
#[inline(always)]
fn is_text(value: &[u8]) -> bool {
    match (value.first(), value.last()) {
        (Some(first), Some(last)) => *first > b' ' && *last > b' ' && !has_control(value),
        _ => false,
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    use hex_literal::hex;

    use super::*;
    use crate::http::{Limits, Route, response, routes};

    response! { static PAGE = 200, {}, b"page" }
    routes! { static SITE = { "/" => PAGE, "/data" => PAGE } }

    fn quick(routes: &Routes<'_>, block: &[u8]) -> Option<u32> {
        quick_get(&Table::new(), routes, block)
    }

    /// The path as h2load sends it in each request.
    #[test]
    fn a_coded_path_is_the_route_with_the_same_code() {
        assert_eq!(quick(&SITE, &hex!("82 04 84 6241a47f 86")), Some(1));
        assert_eq!(quick(&SITE, &hex!("82 86 04 81 63")), Some(0));
        // Another path, another padding, codes without their ends, and one of nothing.
        for block in [
            &hex!("82 86 04 84 6241a4ff")[..],
            &hex!("82 86 04 84 6241a47e"),
            &hex!("82 86 04 83 6241a4"),
            &hex!("82 86 04 84 6241a4"),
            &hex!("82 86 04 80"),
        ] {
            assert_eq!(quick(&SITE, block), None, "{block:02x?}");
        }
        // Twice, and as another field's value.
        assert_eq!(quick(&SITE, &hex!("82 86 04 84 6241a47f 04 84 6241a47f")), None);
        assert_eq!(quick(&SITE, &hex!("82 86 04 81 63 01 81 63")), None);
    }

    #[test]
    fn a_route_whose_code_is_not_known_is_none_for_a_coded_path() {
        let routes = [Route::new("/data", &PAGE)];
        let Ok(site) = Routes::new(&routes) else { unreachable!("a path is a route") };
        assert_eq!(quick(&site, &hex!("82 86 04 84 6241a47f")), None);
        assert_eq!(quick(&site, &hex!("82 86 04 80")), None);
        assert_eq!(quick(&site, b"\x82\x86\x04\x05/data"), Some(0));
    }

    /// What is left to the reader of all blocks: `accept` with blanks, controls, and nothing.
    #[test]
    fn a_value_with_blanks_or_controls_is_not_quick() {
        let block = |value: &[u8; 9]| {
            let mut block = *b"\x82\x86\x04\x05/data\x0f\x04\x09.........";
            block[12..].copy_from_slice(value);
            block
        };
        assert_eq!(quick(&SITE, &block(b"text/html")), Some(1));
        for value in [b" ext/html", b"text/htm ", b"\text/html", b"text/htm\t", b"text\0html"] {
            assert_eq!(quick(&SITE, &block(value)), None, "{value:?}");
        }
        assert_eq!(quick(&SITE, b"\x82\x86\x04\x05/data\x0f\x04\x00"), None);
    }

    #[test]
    fn a_long_path_is_compared_whole() {
        routes! { static LONG = { "/0123456789abcdef0123456789" => PAGE } }
        let mut block = *b"\x82\x86\x04\x1b/0123456789abcdef0123456789";
        assert_eq!(quick(&LONG, &block), Some(0));
        for at in 4..block.len() {
            block[at] ^= 1;
            assert_eq!(quick(&LONG, &block), None, "{at}");
            block[at] ^= 1;
        }
    }

    /// `:method: GET`, `:scheme: http`, `:path: /data` with 32 each.
    #[test]
    fn a_coded_path_counts_with_the_length_of_its_text() {
        for (list, route) in [(42 + 43 + 42, Some(1)), (42 + 43 + 42 - 1, None)] {
            let limits = Limits { header_list: list, ..Limits::DEFAULT };
            let block = hex!("82 86 04 84 6241a47f");
            assert_eq!(quick(&SITE.limits(limits), &block), route);
        }
    }
}
