//! A length that may be wrong.
//~ header field `content-length`: `content-length` follows from the body: leave it out

onewrite::http::response! { static RESPONSE = 200, { "content-length": "5" }, b"four" }

fn main() {}
