//! A response longer than the output.
//~ a response is longer than the output: it would take more than one write

onewrite::http::response! { static HELLO = 200, {}, b"Hello" }
onewrite::http::routes! { static SITE = { "/" => HELLO }, output = 60 }

fn main() {}
