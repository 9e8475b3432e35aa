//! A header block that is no frame.
//~ the header block is longer than 16,384 bytes, which is one HTTP/2 frame

onewrite::http::response! { static RESPONSE = 200, { "x-a": [&[0xff; 16_384]] } }

fn main() {}
