//! A tag with its quotes.
//~ an entity tag is given without its quotes, and has no space or control character

onewrite::http::response! { static RESPONSE = 200, {}, b"body", etag = "\"v1\"" }

fn main() {}
