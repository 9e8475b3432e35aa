//! A name as HTTP/1.1 used to have it.
//~ header field `Content-Type`: the name of a header field is written in lower case

onewrite::http::response! { static RESPONSE = 200, { "Content-Type": "text/plain" } }

fn main() {}
