//! A path with two responses.
//~ a path is listed twice

onewrite::http::response! { static HELLO = 200, {}, b"Hello" }
onewrite::http::routes! { static SITE = { "/" => HELLO, "/data" => HELLO, "/" => HELLO } }

fn main() {}
