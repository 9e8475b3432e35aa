//! A path of no request.
//~ a path starts with a slash

onewrite::http::response! { static HELLO = 200, {}, b"Hello" }
onewrite::http::routes! { static SITE = { "data" => HELLO } }

fn main() {}
