//! HTTP/1.1 and HTTP/2 responses from literals, and a server core without IO.
//!
//! A [`Response`] is a record that the compiler made, once in the bytes of HTTP/1.1 and once in the
//! frames of HTTP/2: to serve it is one copy, and over HTTP/2 two patched stream numbers. [`Conn`]
//! is one connection: [`Conn::feed`] takes the bytes that came in and writes those that go out. It
//! has no socket, no clock and no allocator.
//!
//! ```
//! use onewrite::http::{Conn, Protocol, response, routes};
//!
//! response! {
//!     static HELLO = 200, { "content-type": "text/plain" }, b"Hello World"
//! }
//! routes! { static SITE = { "/" => HELLO } }
//!
//! let mut conn = <Conn>::new(Protocol::Auto);
//! let mut output = [0; 1024];
//! let fed = conn.feed(&SITE, b"GET / HTTP/1.1\r\nhost: pi\r\n\r\n", &mut output);
//! assert_eq!(&output[..fed.written], HELLO.http1());
//! ```
//!
//! | | |
//! |---|---|
//! | [`response!`](crate::http::response), [`Parts`] | make a [`Response`], at compile time or at run time |
//! | [`routes!`](crate::http::routes), [`Routes`] | say which path has which |
//! | [`Handler`] | fills holes, writes bodies or whole responses |
//! | [`Received`] | a request that a handler sees whole: its fields, its body, and the wish for another protocol |
//! | [`Conn`], [`Limits`] | one connection, and what its client may do |
//! | [`Speaks`]: [`Both`], [`OnlyHttp1`], [`OnlyHttp2`] | which protocols its type has code and memory for |
//! | [`date`](fn@date) | the time as header fields have it |
//!
//! Sources: RFC 9110 (semantics), RFC 9112 (HTTP/1.1), RFC 9113 (HTTP/2), RFC 7541 (HPACK).

mod connection;
mod date;
mod entity_tag;
mod field;
mod h1;
mod h2;
mod handler;
mod hpack;
mod huffman;
mod kept;
mod limits;
mod output;
mod received;
mod refusals;
mod response;
mod routes;
#[cfg(any(feature = "embedded-io-07", feature = "embedded-io-async-07"))]
pub mod serve;
mod speaks;
mod split;
mod status;

pub use connection::{Conn, Counters, Fed, Next, Protocol, Waiting};
pub use date::date;
pub use handler::{Handler, NoBody, Request};
pub use limits::Limits;
pub use received::{Exchanged, Received};
pub use refusals::NOT_FOUND;
pub use response::{Dynamic, Header, Hole, Literal, Parts, PartsError, Piece, Response};
pub use routes::{Method, Path, Route, Routes, RoutesError, route_huffman_len};
pub use speaks::{Both, OnlyHttp1, OnlyHttp2, Speaks};
pub(crate) use split::Split;

/// Whether the most usual requests have ways of their own, which answer as the others do.
const QUICK: bool = cfg!(feature = "http-quick");

/// [`QUICK`], where it decides which way a request takes.
#[cfg(not(onewrite_fuzzing))]
#[inline(always)]
const fn is_quick() -> bool {
    QUICK
}

/// In the fuzz targets as they say, so that one program compares the ways.
#[cfg(onewrite_fuzzing)]
fn is_quick() -> bool {
    QUICK && !PLAIN.load(core::sync::atomic::Ordering::Relaxed)
}

#[cfg(onewrite_fuzzing)]
#[doc(hidden)]
pub static PLAIN: core::sync::atomic::AtomicBool = core::sync::atomic::AtomicBool::new(false);

#[doc(hidden)]
pub use response::Sentence;

#[doc(inline)]
pub use crate::{__http_response as response, __http_routes as routes};
