//! A body where there is no content.
//~ a response of status 204, 205 or 304 has no body

onewrite::http::response! { static RESPONSE = 204, {}, b"body" }

fn main() {}
