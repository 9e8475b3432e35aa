//! A path that is not encoded.
//~ a path is written as it comes in a request: ASCII without spaces, the rest percent-encoded

onewrite::http::response! { static HELLO = 200, {}, b"Hello" }
onewrite::http::routes! { static SITE = { "/a b" => HELLO } }

fn main() {}
