//! The status once more.
//~ a name that starts with a colon is no header field: HTTP/2's `:status` is the status

onewrite::http::response! { static RESPONSE = 200, { ":status": "200" } }

fn main() {}
