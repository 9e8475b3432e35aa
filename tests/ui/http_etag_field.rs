//! A tag that no request would be compared with.
//~ header field `etag`: `etag` is no header field here: give the tag as an option, so that requests with it are answered with 304

onewrite::http::response! { static RESPONSE = 200, { "etag": "\"v1\"" }, b"body" }

fn main() {}
