//! What a request line asks for (RFC 9112 section 3.2), and who is asked.

use super::super::Routes;
use super::scan::{self, HOST, NAME};

/// What a target is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The path of a route, by its number.
    Route(u16),
    /// A path that no route has.
    Unknown,
    /// The server itself: `*`.
    Server,
    /// No path, no URI of HTTP.
    Malformed,
}

/// What `target` is, whose bytes are all visible.
pub(super) fn resolve(routes: &Routes<'_>, target: &[u8]) -> Target {
    let path = match target {
        b"*" => return Target::Server,
        [b'/', ..] => target,
        _ => match absolute(target) {
            Some(path) => path,
            None => return Target::Malformed,
        },
    };
    let end = path.iter().position(|byte| *byte == b'?').unwrap_or(path.len());
    let path = match path.get(..end).unwrap_or(path) {
        // Only the absolute form may leave it out (RFC 9112 section 3.2.2).
        [] => b"/",
        path => path,
    };
    let found = routes.routes.iter().position(|route| route.path == path);
    found.and_then(|route| u16::try_from(route).ok()).map_or(Target::Unknown, Target::Route)
}

/// The path and the query of `http://authority/path?query`.
///
/// The authority is ours, whatever it is: a server has to take this form (RFC 9112 section 3.2.2),
/// and whoever is in front of us may have another name for us.
fn absolute(target: &[u8]) -> Option<&[u8]> {
    let (scheme, rest) = target.split_at_checked(target.iter().position(|byte| *byte == b':')?)?;
    let [b':', b'/', b'/', rest @ ..] = rest else { return None };
    if !(scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https")) {
        return None;
    }
    let end = rest.iter().position(|byte| matches!(byte, b'/' | b'?')).unwrap_or(rest.len());
    let (authority, path) = rest.split_at_checked(end)?;
    // Without a host it is no URI of HTTP, with a user's name a suspicious one (RFC 9110 section 4.2).
    (!authority.is_empty() && !authority.starts_with(b":") && is_authority(authority))
        .then_some(path)
}

/// Whether `host` is one, with or without a port, or nothing at all (RFC 9110 section 7.2).
pub(super) fn is_authority(host: &[u8]) -> bool {
    let port = match host {
        [b'[', rest @ ..] => {
            let Some(end) = rest.iter().position(|byte| *byte == b']') else { return false };
            let Some((address, rest)) = rest.split_at_checked(end) else { return false };
            let of_address = |byte: &u8| *byte == b':' || scan::is(*byte, NAME | HOST);
            if address.is_empty() || !address.iter().all(of_address) {
                return false;
            }
            rest.get(1..).unwrap_or_default()
        }
        _ => {
            let mut rest = host;
            loop {
                rest = rest.get(scan::run(rest, NAME | HOST)..).unwrap_or_default();
                match rest {
                    [b'%', a, b, tail @ ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
                        rest = tail;
                    }
                    _ => break rest,
                }
            }
        }
    };
    match port {
        [] => true,
        [b':', digits @ ..] => digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}
