//! A dynamic body longer than a frame.
//~ a dynamic body has a maximum of 1 to 16,384 bytes

onewrite::http::response! { static RESPONSE = 200, {}, dynamic(max = 16_385) }

fn main() {}
