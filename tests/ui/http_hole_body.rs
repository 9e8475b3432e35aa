//! A body that would have to go out whole.
//~ a body with holes has at most 16,384 bytes, as it goes out whole

onewrite::http::response! { static RESPONSE = 200, {}, [&[b'x'; 16_384], hole(COUNT, 1)] }

fn main() {}
