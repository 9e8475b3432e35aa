//! A name with a space.
//~ header field `x a`: the name of a header field is empty or has a byte that no name has

onewrite::http::response! { static RESPONSE = 200, { "x a": "b" } }

fn main() {}
