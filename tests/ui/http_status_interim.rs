//! An interim response in place of an answer.
//~ the status of a response is 200 to 599: an interim one (1xx) answers no request

onewrite::http::response! { static RESPONSE = 100, {} }

fn main() {}
