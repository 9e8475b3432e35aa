//! Which response belongs to which path.

use core::fmt;

use super::hpack::static_table::same;
use super::output::Output;
use super::refusals::NOT_FOUND;
use super::response::hash;
use super::{Limits, Response, huffman};

/// What a request wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Method {
    /// GET: the response.
    Get,
    /// HEAD: its head.
    Head,
}

/// One path and its response.
#[derive(Clone, Copy, Debug)]
pub struct Route<'a> {
    /// The path, which starts with a slash and has no query.
    pub(in crate::http) path: &'a [u8],
    /// The same as the Huffman string of HPACK: a path that comes like this is not decoded. Empty if
    /// it is not known.
    pub(in crate::http) huffman: &'a [u8],
    /// What answers GET and HEAD.
    pub(in crate::http) response: &'a Response<'a>,
}

/// All that a server has: paths with their responses, the response for all other paths, and limits.
///
/// [`routes!`](crate::http::routes) makes one at compile time. Without it:
///
/// ```
/// use onewrite::http::{Limits, Path, Route, Routes, response, route_huffman_len};
///
/// response! { static HELLO = 200, {}, b"Hello World" }
/// static ROOT: Path<'_, { route_huffman_len("/") }> = Path::new("/").unwrap();
/// static ROUTES: [Route<'_>; 1] = [ROOT.route(&HELLO)];
/// static SITE: Routes<'_> = match Routes::new(&ROUTES) {
///     Ok(routes) => routes.limits(Limits::DEFAULT),
///     Err(error) => panic!("{}", error.message()),
/// };
/// assert_eq!(SITE.number("/"), Some(0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Routes<'a> {
    /// The paths, each once, at most 65,000.
    pub(in crate::http) routes: &'a [Route<'a>],
    /// What answers a path that is not among them.
    pub(in crate::http) not_found: &'a Response<'a>,
    /// What a client may do.
    pub(in crate::http) limits: Limits,
}

/// A path with its Huffman string, which is `HUFFMAN` bytes long.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a, const HUFFMAN: usize> {
    path: &'a str,
    huffman: [u8; HUFFMAN],
}

/// Why paths and responses are no [`Routes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum RoutesError {
    /// A path has a byte that no path of a request has.
    Byte,
    /// More than 65,000 paths.
    Count,
    /// A path has a fragment.
    Fragment,
    /// A path has a query.
    Query,
    /// A path does not start with a slash.
    Slash,
    /// A path is there twice.
    Twice,
    /// The longest response that is written with its head is out of range.
    Written,
}

impl<'a> Routes<'a> {
    /// The server that has `routes`, in the order in which a
    /// [`Handler`](crate::http::Handler) is asked for them.
    ///
    /// A path is compared byte by byte with that of the request, without its query: there is no
    /// pattern, no normalization and no percent-decoding.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with the paths.
    pub const fn new(routes: &'a [Route<'a>]) -> Result<Self, RoutesError> {
        if routes.len() > MAX_ROUTES {
            return Err(RoutesError::Count);
        }
        let (mut left, mut number, mut seen) = (routes, 0, Seen([0; 64]));
        while let [route, rest @ ..] = left {
            if let Err(error) = check_path(route.path) {
                return Err(error);
            }
            if let Err(error) = check_response(route.response) {
                return Err(error);
            }
            if seen.may_have(route.path)
                && let Some(first) = find(routes, route.path)
                && first < number
            {
                return Err(RoutesError::Twice);
            }
            (left, number) = (rest, number + 1);
        }
        Ok(Self { routes, not_found: &NOT_FOUND, limits: Limits::DEFAULT })
    }

    /// The same with this answer to a path that is not among them, in place of a plain 404.
    #[must_use]
    pub const fn not_found(self, response: &'a Response<'a>) -> Self {
        Self { not_found: response, ..self }
    }

    /// The same with these limits.
    #[must_use]
    pub const fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The same with these paths, each of which was checked by itself and is there once.
    ///
    /// For whoever adds one after the other: to look at all of them each time would take longer and longer.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_checked(self, routes: &'a [Route<'a>]) -> Self {
        Self { routes, ..self }
    }

    /// The number of a path, which a [`Handler`](crate::http::Handler) sees.
    #[must_use]
    pub const fn number(&self, path: &str) -> Option<usize> {
        find(self.routes, path.as_bytes())
    }

    /// Length of the longest response, in the form where it is longer.
    ///
    /// An output of this length takes each response in one piece.
    #[must_use]
    pub const fn max_response(&self) -> usize {
        let mut longest = self.not_found.max_len();
        let mut left = self.routes;
        while let [route, rest @ ..] = left {
            let len = route.response.max_len();
            if len > longest {
                longest = len;
            }
            left = rest;
        }
        longest
    }
}

impl<'a> Route<'a> {
    /// A path and its response, where nothing is known of the path at compile time.
    ///
    /// A request over HTTP/2 whose path is Huffman coded is decoded before it is compared: see
    /// [`Path`].
    #[must_use]
    pub const fn new(path: &'a str, response: &'a Response<'a>) -> Self {
        Self { path: path.as_bytes(), huffman: &[], response }
    }
}

impl<'a, const HUFFMAN: usize> Path<'a, HUFFMAN> {
    /// A path; `None` if `HUFFMAN` is not what [`route_huffman_len`] says.
    #[must_use]
    pub const fn new(path: &'a str) -> Option<Self> {
        let mut huffman = [0; HUFFMAN];
        let mut output = Output::new(&mut huffman);
        huffman::encode(&mut output, &[path.as_bytes()]);
        if output.len() == HUFFMAN { Some(Self { path, huffman }) } else { None }
    }

    /// This path and its response.
    #[must_use]
    pub const fn route(&'a self, response: &'a Response<'a>) -> Route<'a> {
        Route { path: self.path.as_bytes(), huffman: &self.huffman, response }
    }
}

/// Length of a path as a Huffman string: the parameter of its [`Path`].
#[must_use]
pub const fn route_huffman_len(path: &str) -> usize {
    huffman::encoded_len(&[path.as_bytes()])
}

impl RoutesError {
    /// What is wrong, and what to write instead, in a sentence.
    #[must_use]
    pub const fn message(&self) -> &'static str {
        match self {
            Self::Byte => {
                "a path is written as it comes in a request: ASCII without spaces, the rest \
                 percent-encoded"
            }
            Self::Count => "there are more than 65,000 paths",
            Self::Fragment => "a path has no `#`: a fragment is never sent",
            Self::Query => "a path has no `?`: requests are found whatever their query is",
            Self::Slash => "a path starts with a slash",
            Self::Twice => "a path is listed twice",
            Self::Written => {
                "a response that is written with its head has a maximum of 1 to 65,536 bytes"
            }
        }
    }
}

impl fmt::Display for RoutesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl core::error::Error for RoutesError {}

/// One bit for each 4,096th of all paths, set where one of them was seen.
///
/// To compare each path with each other takes the compiler too many steps from some hundreds on.
struct Seen([u64; 64]);

impl Seen {
    /// Whether `path` may have been here before. Now it was.
    const fn may_have(&mut self, path: &[u8]) -> bool {
        let bit = hash(path);
        let mask = 1 << (bit & 63);
        let Some((_, [word, ..])) = self.0.split_at_mut_checked((bit >> 6 & 63) as usize) else {
            return true;
        };
        let was = *word & mask != 0;
        *word |= mask;
        was
    }
}

const fn find(mut routes: &[Route<'_>], path: &[u8]) -> Option<usize> {
    let mut number = 0;
    while let [route, rest @ ..] = routes {
        if same(route.path, path) {
            return Some(number);
        }
        number += 1;
        routes = rest;
    }
    None
}

/// Whether a request can have this path (RFC 3986 section 3.3), but for what is left to the client:
/// `"`, `<`, `>`, `\`, `^`, a backquote, `{`, `|` and `}` should be percent-encoded, and often are not.
const fn check_path(mut path: &[u8]) -> Result<(), RoutesError> {
    if !matches!(path, [b'/', ..]) {
        return Err(RoutesError::Slash);
    }
    while let [byte, rest @ ..] = path {
        match *byte {
            b'?' => return Err(RoutesError::Query),
            b'#' => return Err(RoutesError::Fragment),
            b'!'..=b'~' => {}
            _ => return Err(RoutesError::Byte),
        }
        path = rest;
    }
    Ok(())
}

const fn check_response(response: &Response<'_>) -> Result<(), RoutesError> {
    match response.dynamic {
        Some(dynamic)
            if dynamic.whole && (dynamic.max == 0 || dynamic.max as u64 > MAX_WRITTEN) =>
        {
            Err(RoutesError::Written)
        }
        _ => Ok(()),
    }
}

const MAX_ROUTES: usize = 65_000;
const MAX_WRITTEN: u64 = 65_536;

/// Makes [`Routes`](crate::http::Routes) at compile time.
///
/// `static NAME = { path => RESPONSE, … }`, and behind it, in this order and each if it is wanted:
///
/// | option | is |
/// |---|---|
/// | `not_found = RESPONSE` | what answers other paths, in place of a plain 404 |
/// | `limits = LIMITS` | what a client may do, in place of [`Limits::DEFAULT`](crate::http::Limits::DEFAULT) |
/// | `output = 4096` | the length of the output: a response that is longer does not build |
///
/// Paths are constant `&str`s, and responses the names of statics.
///
/// ```
/// use onewrite::http::{response, routes};
///
/// response! { static HELLO = 200, { "content-type": "text/plain" }, b"Hello World" }
/// response! { static NOT_HERE = 404, { "content-type": "text/plain" }, b"not here" }
/// routes! {
///     /// All that the server has.
///     pub static SITE = { "/" => HELLO, "/data" => HELLO }, not_found = NOT_HERE, output = 1024
/// }
/// assert_eq!(SITE.number("/data"), Some(1));
/// ```
///
/// ```compile_fail,E0080
/// # use onewrite::http::{response, routes};
/// # response! { static HELLO = 200, {}, b"Hello World" }
/// routes! { static TWICE = { "/" => HELLO, "/" => HELLO } }
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __http_routes {
    (
        $(#[$attribute:meta])* $visibility:vis static $name:ident = {
            $($path:expr => $response:expr),* $(,)?
        } $(, not_found = $not_found:expr)? $(, limits = $limits:expr)? $(, output = $output:expr)?
        $(,)?
    ) => {
        $(#[$attribute])*
        $visibility static $name: $crate::http::Routes<'static> = {
            static __ROUTES: &[$crate::http::Route<'static>] = &[$(
                {
                    static __PATH: $crate::http::Path<
                        'static, { $crate::http::route_huffman_len($path) }
                    > = ::core::option::Option::expect(
                        $crate::http::Path::new($path), "a path has one length",
                    );
                    __PATH.route(&$response)
                },
            )*];
            match $crate::http::Routes::new(__ROUTES) {
                ::core::result::Result::Ok(__routes) => {
                    __routes $(.not_found(&$not_found))? $(.limits($limits))?
                }
                ::core::result::Result::Err(__error) => ::core::panic!("{}", __error.message()),
            }
        };
        $(
            const _: () = ::core::assert!(
                $name.max_response() <= $output,
                "a response is longer than the output: it would take more than one write"
            );
        )?
    };
}
