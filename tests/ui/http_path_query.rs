//! A path with its query.
//~ a path has no `?`: requests are found whatever their query is

onewrite::http::response! { static HELLO = 200, {}, b"Hello" }
onewrite::http::routes! { static SITE = { "/data?x=1" => HELLO } }

fn main() {}
