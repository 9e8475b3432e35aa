//! What the server says by itself.
//~ header field `connection`: a header field about the connection belongs to no response: the server writes it, and HTTP/2 has none

onewrite::http::response! { static RESPONSE = 200, { "connection": "close" } }

fn main() {}
