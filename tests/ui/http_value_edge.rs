//! A space that HTTP/2 forbids.
//~ header field `x-a`: the value of a header field starts or ends with a space or a tab

onewrite::http::response! { static RESPONSE = 200, { "x-b": "b", "x-a": "b " } }

fn main() {}
