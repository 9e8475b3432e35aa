//! The comment in a page that a client's script replaces.

use super::super::secret::Token;

/// The start of the marker for `blazor.server.js`: a descriptor and [`MARKER_BACK`] come behind it.
///
/// The page has a `<base href="/">` in its head, and the script behind the marker.
///
/// ```
/// use onewrite::circuit::gate::{DESCRIPTOR_LEN, MARKER_BACK, SERVER_MARKER};
/// use onewrite::http::response;
///
/// response! {
///     static PAGE = 200, { "content-type": "text/html; charset=utf-8" }, [
///         "<!DOCTYPE html><html lang=\"en\"><head><base href=\"/\"></head><body>",
///         SERVER_MARKER, hole(DESCRIPTOR, DESCRIPTOR_LEN), MARKER_BACK,
///         "<script src=\"blazor.server.js\"></script></body></html>",
///     ]
/// }
/// ```
pub const SERVER_MARKER: &str = "<!--Blazor:{\"type\":\"server\",\"sequence\":0,\"descriptor\":\"";

/// The same for `blazor.web.js`.
pub const WEB_MARKER: &str = "<!--Blazor:{\"type\":\"server\",\
    \"key\":{\"locationHash\":\"1\",\"formattedComponentKey\":\"\"},\"sequence\":0,\"descriptor\":\"";

/// The end of either.
pub const MARKER_BACK: &str = "\"}-->";

/// Bytes of a descriptor, which is a [`Token`].
pub const DESCRIPTOR_LEN: usize = Token::CHARS;
