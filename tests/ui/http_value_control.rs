//! A second field in the value of the first.
//~ header field `x-a`: the value of a header field has a control character in it, such as CR, LF or NUL

onewrite::http::response! { static RESPONSE = 200, { "x-a": "b\r\nset-cookie: c" } }

fn main() {}
