//! A path with a fragment.
//~ a path has no `#`: a fragment is never sent

onewrite::http::response! { static HELLO = 200, {}, b"Hello" }
onewrite::http::routes! { static SITE = { "/data#x" => HELLO } }

fn main() {}
