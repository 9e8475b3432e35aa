//! The status once more.
//~ header field `:status`: a name that starts with a colon is no header field: HTTP/2's `:status` is the status

onewrite::http::response! { static RESPONSE = 200, { ":status": "200" } }

fn main() {}
