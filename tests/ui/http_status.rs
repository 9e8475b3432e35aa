//! A number that is no status.
//~ the status of a response is 200 to 599

onewrite::http::response! { static RESPONSE = 600, {} }

fn main() {}
