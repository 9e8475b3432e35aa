//! The header blocks that come most: fields of the tables, and literals that enter none.

use super::table::Table;
use super::token::{Mark, NAME_MARKS, STATIC_MARKS};
use super::value::is_allowed;
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
    let (coded, len) = (len & 0x80 != 0, len & 0x7f);
    // Longer ones have more bytes of length.
    if len == 0x7f || mark == 0 {
        return None;
    }
    let (value, rest) = rest.split_at_checked(usize::from(len))?;
    if mark & Mark::PATH == 0 {
        return (!coded && is_allowed(value)).then_some((mark + u64::from(len), rest));
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

/// Whether two strings are the same, without a call for short ones.
#[inline(always)]
fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    if let (Some(start), Some(end), Some(other_start), Some(other_end)) =
        (a.first_chunk(), last_chunk(a), b.first_chunk(), last_chunk(b))
        && a.len() <= 8
    {
        return u32::from_ne_bytes(*start) == u32::from_ne_bytes(*other_start)
            && u32::from_ne_bytes(*end) == u32::from_ne_bytes(*other_end);
    }
    a == b
}

#[cfg(test)]
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
