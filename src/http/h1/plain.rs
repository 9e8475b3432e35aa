//! Heads that lie whole in the input and have nothing unusual: nearly all of them.
//!
//! What is read here is what [`line`](super::line) would read, in one pass and without state. At the
//! first thing that is not plain it gives up, and `line` reads the head from its start.

use super::super::{Response, Routes};
use super::name;
use super::scan::{behind_host, behind_line, end_of_line};
use crate::record::last_chunk;

/// What a plain head asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain<'r, 'i> {
    /// Number of the route.
    pub(super) number: usize,
    pub(super) response: &'r Response<'r>,
    /// Whether the method is HEAD.
    pub(super) head: bool,
    /// What is behind the head.
    pub(super) rest: &'i [u8],
}

/// Reads a head at the start of `input`.
#[inline(always)]
pub(super) fn read<'r, 'i>(routes: &Routes<'r>, input: &'i [u8]) -> Option<Plain<'r, 'i>> {
    let (head, rest) = method(input)?;
    let (number, response, rest) = route(routes, rest)?;
    // Clients send it first, as RFC 9110 section 7.2 asks them to.
    let mut rest = behind_host(name::behind_host(rest)?)?;
    let rest = loop {
        let Some(value) = name::behind_frequent(rest) else { break end_of_line(rest)? };
        rest = behind_line(value)?;
    };
    let used = input.len() - rest.len();
    // Fields are not counted: none of these has fewer than eight bytes.
    let within = used <= routes.limits.head && used / 8 <= routes.limits.fields;
    within.then_some(Plain { number, response, head, rest })
}

/// Whether the method is HEAD and not GET, and what is behind it.
#[inline(always)]
fn method(input: &[u8]) -> Option<(bool, &[u8])> {
    const GET: u32 = u32::from_le_bytes(*b"GET ");
    const START_OF_HEAD: u32 = u32::from_le_bytes(*b"HEAD");
    let (method, rest) = input.split_first_chunk()?;
    match u32::from_le_bytes(*method) {
        GET => Some((false, rest)),
        START_OF_HEAD => match rest {
            [b' ', rest @ ..] => Some((true, rest)),
            _ => None,
        },
        _ => None,
    }
}

/// Reads a target that is the path of a route and nothing else: its number, its response, and what is
/// behind it, which begins with a space.
#[inline(always)]
fn route<'r, 'i>(
    routes: &Routes<'r>,
    input: &'i [u8],
) -> Option<(usize, &'r Response<'r>, &'i [u8])> {
    let mut left = routes.routes;
    while let [route, others @ ..] = left {
        if let Some((path, rest @ [b' ', ..])) = input.split_at_checked(route.path.len())
            && is_same(path, route.path)
        {
            // Few need it, so it is not counted on the way.
            let number = routes.routes.len() - left.len();
            return (path.len() <= routes.limits.target).then_some((number, route.response, rest));
        }
        left = others;
    }
    None
}

/// Whether two strings of the same length are the same.
#[inline(always)]
fn is_same(a: &[u8], b: &[u8]) -> bool {
    if let (Some(front_a), Some(front_b)) = (a.first_chunk::<8>(), b.first_chunk::<8>()) {
        let ends = front_a == front_b && last_chunk::<8>(a) == last_chunk(b);
        ends && (a.len() <= 16 || a.iter().eq(b))
    } else if let (Some(front_a), Some(front_b)) = (a.first_chunk::<4>(), b.first_chunk::<4>()) {
        front_a == front_b && last_chunk::<4>(a) == last_chunk(b)
    } else {
        a.iter().eq(b)
    }
}
