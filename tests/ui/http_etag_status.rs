//! A tag of something that is not found.
//~ only a response of status 200 has an entity tag

onewrite::http::response! { static RESPONSE = 404, {}, b"body", etag = "v1" }

fn main() {}
