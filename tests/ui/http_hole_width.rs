//! A hole of no bytes.
//~ a hole is at least one byte wide

onewrite::http::response! { static RESPONSE = 200, {}, [hole(COUNT, 0)] }

fn main() {}
